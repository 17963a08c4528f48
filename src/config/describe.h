/* Writes the option table as documentation and help text. */
#ifndef SQ_CONFIG_DESCRIBE_H
#define SQ_CONFIG_DESCRIBE_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/* Appends the page docs/config.md. */
bool sq_config_describe(struct sq_buf *out, struct sq_err *err);

/*
 * Appends the flags as help text of at most 80 columns, without those for which
 * is_own (NULL: none) returns true: options that a command has itself. serves:
 * with the options of commands that serve clients.
 */
typedef bool sq_config_is_own(const void *context, const char *flag);
bool sq_config_help(sq_config_is_own *is_own, const void *context, bool serves,
                    struct sq_buf *out, struct sq_err *err);

/*
 * Appends a configuration file with all options and their descriptions, in
 * which every option is a comment. `schema` (NULL: none) is the address of the
 * JSON schema for editors.
 */
bool sq_config_starter(const char *schema, struct sq_buf *out,
                       struct sq_err *err);

#endif
