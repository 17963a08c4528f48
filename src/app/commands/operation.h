/* Runs the operations of the ui tool as commands. */
#ifndef SQ_APP_COMMANDS_OPERATION_H
#define SQ_APP_COMMANDS_OPERATION_H

#include "tool/tool.h"

/*
 * Runs an operation from the command line. A picture is written to the file
 * that -o names, or else into the output folder.
 */
bool sq_operation_run(const struct sq_tool *tool, int argc, char **argv,
                      struct sq_buf *out, struct sq_err *err);

/* The options that every operation has on the command line. */
extern const struct sq_arg sq_operation_output_args[];

/* Appends the help text of an operation. */
bool sq_operation_help(const struct sq_tool *tool, struct sq_buf *out,
                       struct sq_err *err);

#endif
