/* Runs a shell script on the phone, one program at a time. */
#ifndef SQ_DEMO_ADBD_SHELL_H
#define SQ_DEMO_ADBD_SHELL_H

#include "demo/adbd/phone.h"

struct sq_adbd_shell;

/* Receives output. fd is 1 or 2. */
struct sq_adbd_sink {
    bool (*write)(void *context, int fd, struct sq_span bytes,
                  struct sq_err *err);
    void *context;
    bool merges; /* both go to one stream, so order matters */
};

bool sq_adbd_shell_create(struct sq_adbd_phone *phone,
                          struct sq_adbd_shell **out, struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_shell_destroy(struct sq_adbd_shell *shell);

/*
 * Starts a script; the previous one must be done. A syntax error does not fail
 * here: the next advance prints it and sets the exit status.
 */
bool sq_adbd_shell_start(struct sq_adbd_shell *shell, struct sq_span script,
                         struct sq_err *err);

/*
 * Does all work that is due. *wake_ns is when to call again, or INT64_MAX once
 * the script is done. Fails only if out of memory.
 */
bool sq_adbd_shell_advance(struct sq_adbd_shell *shell, int64_t now_ns,
                           const struct sq_adbd_sink *sink, int64_t *wake_ns,
                           struct sq_err *err);

/* Returns whether the script is done. */
/* Sets stdin of the script; the bytes must outlive it. */
void sq_adbd_shell_set_input(struct sq_adbd_shell *shell, struct sq_span input);

bool sq_adbd_shell_is_done(const struct sq_adbd_shell *shell);

/* Returns whether the script ended the shell with "exit". */
bool sq_adbd_shell_has_exited(const struct sq_adbd_shell *shell);

/* Returns whether the script has set faults, which then do not apply to it. */
bool sq_adbd_shell_is_control(const struct sq_adbd_shell *shell);

/*
 * Returns how many programs were started on the phone so far, the shell
 * included. Commands that are part of the shell do not count.
 */
int sq_adbd_shell_programs(const struct sq_adbd_shell *shell);

/* Returns the exit status of the last command. */
int sq_adbd_shell_status(const struct sq_adbd_shell *shell);

#endif
