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
 * is_omitted (NULL: none) returns true.
 */
struct sq_config_option;
typedef bool sq_config_is_omitted(const void *context,
                                  const struct sq_config_option *option);
bool sq_config_help(sq_config_is_omitted *is_omitted, const void *context,
                    struct sq_buf *out, struct sq_err *err);

/*
 * Appends a configuration file with all options and their descriptions, in
 * which every option is a comment. `schema` (NULL: none) is the address of the
 * JSON schema for editors.
 */
bool sq_config_starter(const char *schema, struct sq_buf *out,
                       struct sq_err *err);

#endif
