/* Writes the lines of help text that describe options. */
#ifndef SQ_ARGS_USAGE_H
#define SQ_ARGS_USAGE_H

#include "args/arg.h"
#include "util/buf.h"

/*
 * Returns the placeholder of the argument's value: "N"; NULL if it takes none.
 */
const char *sq_arg_placeholder(const struct sq_arg *arg);

/*
 * Appends one option, such as "--quality N", and its description: in the column
 * of all descriptions if both fit on the line, else on the next line.
 */
bool sq_usage_put(const char *option, const char *text, struct sq_buf *out,
                  struct sq_err *err);

#endif
