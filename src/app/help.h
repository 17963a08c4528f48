/* The help text of the program and of each command and operation. */
#ifndef SQ_APP_HELP_H
#define SQ_APP_HELP_H

#include "app/commands/command.h"
#include "util/nearest.h"

/* Appends the general help: all commands and operations. */
bool sq_help_program(struct sq_buf *out, struct sq_err *err);

/* Appends the help of one command. */
bool sq_help_command(const struct sq_command *command, struct sq_buf *out,
                     struct sq_err *err);

/*
 * Appends the help of the command or operation of that name. Fails like
 * sq_help_fail_unknown if there is none.
 */
bool sq_help_verb(const char *name, struct sq_buf *out, struct sq_err *err);

/*
 * Fails with SQ_ERR_ARGUMENT because no command has that name, and says which
 * one may be meant.
 */
bool sq_help_fail_unknown(const char *name, struct sq_err *err);

#endif
