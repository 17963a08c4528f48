/* Writes shell completion scripts for squint. */
#ifndef SQ_APP_DOCS_COMPLETION_H
#define SQ_APP_DOCS_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"

/* Returns the name of the shell at that index, or NULL after the last. */
const char *sq_completion_shell_at(size_t index);

/*
 * Appends the script for a shell. Fails with SQ_ERR_ARGUMENT if the shell is
 * unknown.
 */
bool sq_completion_script(const char *shell, struct sq_buf *out,
                          struct sq_err *err);

/* Append the script of one shell. */
bool sq_completion_bash(struct sq_buf *out, struct sq_err *err);
bool sq_completion_fish(struct sq_buf *out, struct sq_err *err);
bool sq_completion_zsh(struct sq_buf *out, struct sq_err *err);

#endif
