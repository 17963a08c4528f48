/* Messages and the log on standard error, and errors for programs. */
#ifndef SQ_APP_PRINT_MESSAGE_H
#define SQ_APP_PRINT_MESSAGE_H

#include "config/config.h"

/*
 * Prints one line; on a terminal it is broken at spaces. Control characters are
 * escaped (util/utf8.h).
 */
void sq_print_message(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Prints several lines, which end with newlines. */
void sq_print_lines(struct sq_span text);

/* Chooses who reads the messages that are made from now on (util/err.h). */
enum sq_message_reader {
    SQ_FOR_CLIENTS,
    SQ_FOR_COMMANDS, /* a person who types commands */
    SQ_FOR_JSON,     /* a person who wrote JSON: arguments keep their names */
};
void sq_print_for(enum sq_message_reader reader);

/* Prints an error of a command ("squint record") with its hint. */
void sq_print_error(const char *command, const struct sq_err *err);

/*
 * Prints an error to standard output for programs: {"error": {"code",
 * "message", "hint", "details"}}. details is a JSON object or empty. Returns
 * false if standard output cannot be written.
 */
bool sq_print_json_error(const struct sq_err *err, struct sq_span details);

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
