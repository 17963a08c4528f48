/* Finds values of the configuration that squint cannot use. */
#ifndef SQ_APP_COMMANDS_CONFIG_CHECK_H
#define SQ_APP_COMMANDS_CONFIG_CHECK_H

#include "config/config.h"
#include "util/buf.h"

/*
 * Makes the checks that are made when squint starts and when it uses a device
 * or the archive, but for each value alone, so that all mistakes are found.
 * Appends a line for each, with its place in the file where that is known.
 */
bool sq_config_check(const struct sq_config *config, struct sq_buf *out,
                     struct sq_err *err);

/* Appends what may leave each folder of past screenshots, a line for each. */
bool sq_config_in_force(const struct sq_config *config, struct sq_buf *out,
                        struct sq_err *err);

#endif
