/* Writes the option table as documentation and help text. */
#ifndef SQ_CONFIG_DESCRIBE_H
#define SQ_CONFIG_DESCRIBE_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/* Appends the page docs/config.md. */
bool sq_config_describe(struct sq_buf *out, struct sq_err *err);

/* Appends the flags as help text of at most 80 columns. */
bool sq_config_help(struct sq_buf *out, struct sq_err *err);

#endif
