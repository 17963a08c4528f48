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
 * of all descriptions, wrapped at 80 columns. The description begins on the
 * next line if the option is too wide for its column.
 */
bool sq_usage_put(const char *option, const char *text, struct sq_buf *out,
                  struct sq_err *err);

/*
 * Appends what a person must know about a value: the description, and in
 * parentheses the choices or the range, and the default, "default none" or
 * "required". A description with "none: ", "unset: " or "default: " says itself
 * what happens without the option. `choice_at` (NULL: the argument's) returns
 * the choices, and `initial` is the default (NULL: none).
 */
struct sq_usage {
    const struct sq_arg *arg;
    const char *(*choice_at)(const void *context, size_t index);
    const void *context; /* for choice_at */
    const char *initial;
};
bool sq_usage_describe(const struct sq_usage *usage, struct sq_buf *out,
                       struct sq_err *err);

/* Appends the range of a number: "1 to 100"; nothing for other types. */
bool sq_usage_range(const struct sq_arg *arg, struct sq_buf *out,
                    struct sq_err *err);

/* Returns whether the option is true unless --no-NAME is given. */
bool sq_usage_is_on(const struct sq_arg *arg, const char *initial);

#endif
