/* Runs the operations of the ui tool as commands. */
#ifndef SQ_APP_COMMANDS_OPERATION_H
#define SQ_APP_COMMANDS_OPERATION_H

#include "app/commands/result.h"
#include "tool/tool.h"

/*
 * Runs an operation from the command line and appends its text to out (see
 * result.h). After a failure out has the details of the error, or nothing: a
 * JSON object with --json, otherwise lines for a person.
 */
bool sq_operation_run(const struct sq_tool *tool, int argc, char **argv,
                      struct sq_buf *out, enum sq_status *status,
                      struct sq_err *err);

/* Appends what an operation does, in the words of a person. */
bool sq_operation_about(const struct sq_tool *tool, struct sq_buf *out,
                        struct sq_err *err);

/* Appends the help text of an operation. */
bool sq_operation_help(const struct sq_tool *tool, struct sq_buf *out,
                       struct sq_err *err);

#endif
