/* Lines on standard error, as many as log.level asks for. */
#ifndef SQ_APP_LOG_H
#define SQ_APP_LOG_H

#include "config/config.h"

/*
 * Prints one line that starts with "squint: " if the configuration asks for
 * this level. Control characters are escaped. Thread-safe.
 */
void sq_log(const struct sq_config *config, enum sq_log_level level,
            const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Does the same for something that happens while a server runs: the time stands
 * before it.
 */
void sq_log_event(const struct sq_config *config, enum sq_log_level level,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
