/* Runs other programs; signals and memory of our own process. */
#ifndef SQ_SYS_PROCESS_H
#define SQ_SYS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Runs other programs by absolute path and argument list, never through a
 * shell. Each runs in its own process group, which ends with the call.
 */

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
    /*
     * A server that it starts stays. Only Windows has to be told: elsewhere a
     * server leaves the process group by itself.
     */
    bool leaves_server;
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

void sq_process_end_finish(struct sq_process_end *end);

/*
 * A program that runs beside the calls of a client until it is interrupted,
 * like a recording that Ctrl-C ends.
 */

struct sq_running;

struct sq_running_plan {
    const char *const *argv; /* as in sq_process; copied */
    const char *ready;       /* what it prints once it works */
    int ready_ms;            /* wait for that at most */
    int limit_ms;            /* it is interrupted after this time */
    int grace_ms;            /* it may need this long to end; else killed */
};

/*
 * Starts a program and waits until it prints `ready`, or until ready_ms have
 * passed and it still runs. Fails if it cannot be started or ends before that;
 * its last line is then part of the message.
 */
bool sq_running_start(const struct sq_running_plan *plan,
                      struct sq_running **out,
                      const struct sq_deadline *deadline, struct sq_err *err);

/* Returns whether the program has ended. Never waits. */
bool sq_running_has_ended(struct sq_running *running);

/*
 * Interrupts the program unless it has ended, waits for its end, and frees it.
 * Fails if the program failed or had to be killed; *running is freed in any
 * case.
 */
bool sq_running_stop(struct sq_running *running, struct sq_err *err);

/* Like sq_running_stop, but ignores failures. Accepts NULL. */
void sq_running_destroy(struct sq_running *running);

/* Starts a program that goes on by itself, such as a browser. */

/*
 * Starts a program without input and output, in a session of its own. argv[0]
 * is an absolute path; NULL ends it. Does not wait for its end. Fails if it
 * cannot be started.
 */
bool sq_detached_start(const char *const *argv, struct sq_err *err);

/* Turns termination signals into a readable descriptor. */

struct sq_signals;

/*
 * Makes SIGTERM, SIGINT and SIGHUP mark the descriptor as readable instead of
 * ending the process, and ignores SIGPIPE, so that a write to a closed pipe is
 * an ordinary error. At most one instance may exist. Not for use in a library,
 * since it affects the whole process. is_event: libevent waits for it.
 */
bool sq_signals_create(bool is_event, struct sq_signals **out,
                       struct sq_err *err);

/* Restores the previous signal actions. Accepts NULL. */
void sq_signals_destroy(struct sq_signals *signals);

/*
 * Returns the descriptor. It stays readable until the numbers of the signals
 * are read from it, one byte each.
 */
int sq_signals_fd(const struct sq_signals *signals);

/* Controls how the heap handles large blocks. */

/*
 * Makes the heap return large blocks to the system when they are freed, except
 * one block of a frame's size that is kept for the next frame
 * (util/buf). By default glibc stops returning them once a large block
 * has been freed: a server that has held a few frames would keep 10 MB for each
 * of them forever. Call this before any thread is started.
 */
void sq_heap_return_large_blocks(void);

/* From now on freed memory is overwritten, as far as the system can. */
void sq_heap_wipe_freed(void);

/* Overwrites what functions that have returned left on the stack. */
void sq_stack_wipe(void);

/* Frees the kept block, when no further frame is expected. */
void sq_heap_free_cached_block(void);

/*
 * Says that all of a large block will be written soon, so that the system may
 * provide it in larger pages: that takes a third of the time.
 */
void sq_heap_expect_use(void *block, size_t bytes);

/* Gives the memory of a part of a block back; its content is undefined then. */
void sq_heap_expect_no_use(void *block, size_t bytes);

#endif
