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

/*
 * Returns the flag of the configuration that is refused because it has no
 * effect in the operation, unless the operation has a flag of that name; or
 * NULL.
 */
const char *sq_operation_refused_flag(const struct sq_tool *tool);

/* Appends the help text of an operation. */
bool sq_operation_help(const struct sq_tool *tool, struct sq_buf *out,
                       struct sq_err *err);

#endif
