/*
 * Runs other programs by absolute path and argument list, never through a
 * shell. Each runs in its own process group, which ends with the call.
 */
#ifndef SQ_SYS_PROCESS_H
#define SQ_SYS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

struct sq_process {
    const char *const *argv; /* argv[0] is an absolute path; NULL ends it */
    struct sq_span input;    /* sent to its standard input; empty: none */
    size_t max_output;       /* limit of standard output in bytes */
    size_t max_errors;       /* bytes of standard error to keep; the rest is
                                read and dropped */
    /*
     * When this passes or is cancelled, the program is interrupted once, as by
     * Ctrl-C, and may then end by itself; NULL: never.
     */
    const struct sq_deadline *interrupt;
    int grace_ms; /* after that; then it is killed, which is a failure */
    /* Sees what it has printed so far, whenever that grows; may be NULL. */
    void (*watch)(void *context, struct sq_span output, struct sq_span errors);
    void *watch_context;
};

/*
 * The result of a run. Start zeroed; always free it with sq_process_end_finish.
 */
struct sq_process_end {
    struct sq_buf output;
    struct sq_buf errors;
    int status; /* exit status; -1 if a signal ended it */
    int signal; /* that signal, or 0 */
};

/*
 * Runs a program until it exits. A failure of the program itself is not an
 * error here: check end->status. Fails if the program cannot be started
 * (SQ_ERR_NOT_FOUND, SQ_ERR_IO), writes more than max_output (SQ_ERR_LIMIT), or
 * if the deadline or a cancel comes first; its whole group is then killed and
 * reaped before this returns. Output is read until the program itself exits: a
 * daemon that it started in another session may keep the pipes open. Safe on
 * any thread.
 */
bool sq_process_run(const struct sq_process *process,
                    const struct sq_deadline *deadline,
                    struct sq_process_end *end, struct sq_err *err);

/* Returns whether a process with this number is running, of any user. */
bool sq_process_exists(int64_t pid);

/* Frees the buffers. Safe on a zeroed value. */
void sq_process_end_finish(struct sq_process_end *end);

#endif
