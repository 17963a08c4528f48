/*
 * Runs the operations of the ui tool as commands, and hands their results to
 * the user: writes the pictures, prints the reply for a person or as JSON, and
 * chooses the exit status.
 */
#ifndef SQ_APP_COMMANDS_OPERATION_H
#define SQ_APP_COMMANDS_OPERATION_H

#include "app/commands/command.h"

/* How a result is printed, and where its picture is written. */
struct sq_output_args {
    const char *output; /* file for the picture; NULL: a new name */
    bool json;
    struct sq_opt_int color; /* enum sq_color */
    struct sq_opt_bool show; /* the picture on the terminal */
};

/*
 * Returns the options that the operation has on the command line beside its
 * arguments: those about a picture only if it may return one, and then what its
 * help says about the file.
 */
const struct sq_arg *sq_operation_output_args(const struct sq_tool *tool);
const char *sq_operation_output_text(const struct sq_tool *tool);

/* A call of the command line, and what it returned. */
struct sq_answered {
    const struct sq_tool *tool;
    const struct sq_json *request; /* its arguments */
    const struct sq_result *result;
};

/*
 * Writes the pictures and appends the text to out. *status becomes
 * SQ_STATUS_FAILED if the answer is negative: nothing found, or no picture for
 * -o where one was to be expected. With --json, and no -o, the picture is in
 * the JSON.
 */
bool sq_result_write(const struct sq_answered *answered,
                     const struct sq_output_args *output, struct sq_buf *out,
                     enum sq_status *status, struct sq_err *err);

/*
 * Appends what an error is about, from the details of a failed operation, as a
 * table for a person: the elements to choose from, or the steps that were done.
 * Ignores every error.
 */
void sq_result_write_details(const struct sq_answered *answered,
                             struct sq_buf *out);

/*
 * Runs an operation from the command line and appends its text to out (see
 * result.h). After a failure out has the details of the error, or nothing: a
 * JSON object with --json, otherwise lines for a person.
 */
bool sq_operation_run(const struct sq_tool *tool, int argc, char **argv,
                      struct sq_buf *out, enum sq_status *status,
                      struct sq_err *err);

/*
 * With --show, shows a sheet of the hits of search_screenshots on the terminal.
 * Does nothing after other operations, or without hits.
 */
bool sq_search_show(struct sq_host *host, const struct sq_tool *tool,
                    const struct sq_result *result, struct sq_opt_bool show,
                    struct sq_err *err);

#endif
