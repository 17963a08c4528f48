/* Scripts that let a shell complete what can be typed behind "squint". */
#ifndef SQ_APP_COMPLETION_H
#define SQ_APP_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"

/* The shells in their order; NULL behind the last. */
const char *sq_completion_shell_at(size_t index);

/* Append the script for a shell; SQ_ERR_ARGUMENT for one we do not know. */
bool sq_completion_script(const char *shell, struct sq_buf *out,
                          struct sq_err *err);

/* One per shell. */
bool sq_completion_bash(struct sq_buf *out, struct sq_err *err);
bool sq_completion_fish(struct sq_buf *out, struct sq_err *err);
bool sq_completion_zsh(struct sq_buf *out, struct sq_err *err);

#endif
