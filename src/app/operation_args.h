/*
 * The command line of an operation: its options in one table, and the arguments
 * that it takes by position.
 */
#ifndef SQ_APP_OPERATION_ARGS_H
#define SQ_APP_OPERATION_ARGS_H

#include "app/flags.h"
#include "tool/tool.h"

#define SQ_MAX_OPERATION_ARGS 64

/* All options of an operation. Points to constant tables. */
struct sq_operation_args {
    const struct sq_tool *tool;
    struct sq_arg table[SQ_MAX_OPERATION_ARGS]; /* the last has no name */
};

/*
 * Joins the tables of the operation, of all operations on devices, of --region
 * and of the output (as it is given).
 */
bool sq_operation_args_init(struct sq_operation_args *args,
                            const struct sq_tool *tool,
                            const struct sq_arg *output, struct sq_err *err);

/*
 * Parses argv: stores the words as values of the arguments that they stand for,
 * replaces --region by the four arguments that it sets, and checks types,
 * ranges and that nothing required is missing. Errors name options as they are
 * written on the command line. Values point into argv or the arena.
 */
bool sq_operation_args_parse(const struct sq_operation_args *args, int argc,
                             char *const *argv, struct sq_arena *arena,
                             struct sq_flags *out, struct sq_err *err);

/* Appends what follows the verb in the usage line: "X Y | TEXT [options]". */
bool sq_operation_args_usage(const struct sq_operation_args *args,
                             struct sq_buf *out, struct sq_err *err);

/*
 * Returns the argument that the first word sets, if it is a choice, else NULL.
 */
const struct sq_arg *
sq_operation_args_first_choice(const struct sq_operation_args *args);

#endif
