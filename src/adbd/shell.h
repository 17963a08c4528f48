/* A script at work on the phone, one program after the other. */
#ifndef SQ_ADBD_SHELL_H
#define SQ_ADBD_SHELL_H

#include "adbd/phone.h"

struct sq_adbd_shell;

/* Where output goes; fd is 1 or 2. */
struct sq_adbd_sink {
    bool (*write)(void *context, int fd, struct sq_span bytes,
                  struct sq_err *err);
    void *context;
    bool merges; /* takes both as one, so their order matters */
};

bool sq_adbd_shell_create(struct sq_adbd_phone *phone,
                          struct sq_adbd_shell **out, struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_shell_destroy(struct sq_adbd_shell *shell);

/*
 * Begin with a script; the one before must be done. What is wrong with it is
 * the script's own failure, told by the next advance and the exit status.
 */
bool sq_adbd_shell_start(struct sq_adbd_shell *shell, struct sq_span script,
                         struct sq_err *err);

/*
 * Do all that is due by now. *wake_ns is when to come again, if the script is
 * not done then: INT64_MAX once it is. Fails for lack of memory.
 */
bool sq_adbd_shell_advance(struct sq_adbd_shell *shell, int64_t now_ns,
                           const struct sq_adbd_sink *sink, int64_t *wake_ns,
                           struct sq_err *err);

/* Whether nothing is left of the script. */
bool sq_adbd_shell_is_done(const struct sq_adbd_shell *shell);

/* Whether the script has left the shell by "exit". */
bool sq_adbd_shell_has_exited(const struct sq_adbd_shell *shell);

/* Whether it has switched faults, which are then not its own. */
bool sq_adbd_shell_is_control(const struct sq_adbd_shell *shell);

/* Of the last command. */
int sq_adbd_shell_status(const struct sq_adbd_shell *shell);

#endif
