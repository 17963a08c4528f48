/* Runs a program and exchanges data with it through pipes. */
#include "sys/process.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/wait.h>

#include "sys/call.h"
#include "sys/path.h"

#define CHUNK ((size_t)64 * 1024)

/*
 * Upper bound of the bytes left in a pipe when its program ends; anything
 * beyond comes from another process.
 */
#define MAX_REMAINING_BYTES ((size_t)1 << 20)

/*
 * No portable call waits for both a child and pipes, so we poll the child: soon
 * after any activity, and less often later.
 */
#define MIN_POLL_MS 1
#define MAX_POLL_MS 16

pid_t
sq_start_child(struct sq_spawn *spawn, const char *name, int *report,
               struct sq_err *err) {
    int ends[2];
    if (sq_call_pipe(ends) < 0) {
        sq_errno_fail(err, "create a pipe for %s", name);
        return -1;
    }
    spawn->report = ends[1];
    spawn->outlives_thread = true;
    pid_t child = sq_call_spawn(spawn);
    if (child < 0) {
        sq_errno_fail(err, "start %s", name);
        sq_call_close(ends[0]);
    } else {
        *report = ends[0];
    }
    sq_call_close(ends[1]);
    return child;
}

int
sq_read_report(int report) {
    int number;
    bool has_failed = sq_call_read(report, &number, sizeof(number))
                   == (ssize_t)sizeof(number);
    return has_failed ? number : 0;
}

void
sq_close_fd(int *fd) {
    int number = errno;
    if (*fd >= 0) {
        sq_call_close(*fd);
        *fd = -1;
    }
    errno = number;
}

enum { INPUT, OUTPUT, ERRORS, REPORT, PIPES };

struct run {
    const struct sq_process *process;
    const char *name; /* base name of the program */
    int ours[PIPES];  /* our ends of the pipes; -1: closed */
    int theirs[PIPES];
    pid_t child; /* 0: not started, or reaped */
    size_t sent; /* bytes of input already written */
    bool is_interrupted;
    struct sq_deadline grace; /* it must end before this, if interrupted */
    struct sq_process_end end;
};

static bool
open_pipes(struct run *run, struct sq_err *err) {
    for (int i = 0; i < PIPES; i++) {
        int ends[2];
        if (sq_call_pipe(ends) < 0) {
            return sq_errno_fail(err, "create a pipe for %s", run->name);
        }
        run->ours[i] = ends[i == INPUT];
        run->theirs[i] = ends[i != INPUT];
        /* Programs expect blocking standard streams. */
        if (sq_call_set_blocking(run->theirs[i], true) < 0) {
            return sq_errno_fail(err, "prepare a pipe for %s", run->name);
        }
    }
    return true;
}

static bool
start(struct run *run, struct sq_err *err) {
    const struct sq_spawn spawn = {
        .argv = run->process->argv,
        .streams = { run->theirs[INPUT], run->theirs[OUTPUT],
                     run->theirs[ERRORS] },
        .report = run->theirs[REPORT],
        .leaves_server = run->process->leaves_server,
    };
    pid_t child = sq_call_spawn(&spawn);
    if (child < 0) {
        return sq_errno_fail(err, "start %s", run->name);
    }
    run->child = child;
    for (int i = 0; i < PIPES; i++) {
        sq_close_fd(&run->theirs[i]);
    }
    if (!run->process->input.len) {
        sq_close_fd(&run->ours[INPUT]);
    }
    return true;
}

/* Writes as much input as the pipe accepts; the program need not read it. */
static void
write_input(struct run *run) {
    struct sq_span input = run->process->input;
    ssize_t written = sq_call_write_pipe(
        run->ours[INPUT], input.ptr + run->sent, input.len - run->sent);
    if (written > 0) {
        run->sent += (size_t)written;
    }
    bool again = written < 0 && errno == EAGAIN;
    if ((written < 0 && !again) || run->sent == input.len) {
        sq_close_fd(&run->ours[INPUT]);
    }
}

/* Reads once; *got is 0 if nothing is available or the pipe has ended. */
static bool
read_pipe(struct run *run, int pipe, size_t *got, struct sq_err *err) {
    struct sq_buf *into = pipe == ERRORS ? &run->end.errors : &run->end.output;
    uint8_t beyond[4096];
    uint8_t *space = beyond;
    size_t size = into->max - into->len;
    bool is_full = size == 0;
    size = is_full ? sizeof(beyond) : size < CHUNK ? size : CHUNK;
    *got = 0;
    if (!is_full && !sq_buf_reserve(into, size, &space, err)) {
        return false;
    }
    ssize_t count = sq_call_read(run->ours[pipe], space, size);
    if (count < 0 && errno == EAGAIN) {
        return true;
    }
    if (count < 0) {
        return sq_errno_fail(err, "read from %s", run->name);
    }
    if (count == 0) {
        sq_close_fd(&run->ours[pipe]);
        return true;
    }
    *got = (size_t)count;
    if (is_full) {
        /* Standard output is useless if incomplete; errors are truncated. */
        return pipe == ERRORS
            || sq_fail(err, SQ_ERR_LIMIT, "%s printed more than %zu bytes",
                       run->name, run->process->max_output);
    }
    sq_buf_commit(into, *got);
    return true;
}

static bool
drain(struct run *run, int pipe, struct sq_err *err) {
    size_t got = run->ours[pipe] >= 0;
    size_t total = 0;
    while (got && total < MAX_REMAINING_BYTES) {
        if (!read_pipe(run, pipe, &got, err)) {
            return false;
        }
        total += got;
    }
    return true;
}

/* Transfers bytes once, if there are any within poll_ms. */
static bool
transfer(struct run *run, int poll_ms, bool *transferred, struct sq_err *err) {
    struct pollfd fds[] = {
        [INPUT] = { .fd = run->ours[INPUT], .events = POLLOUT },
        [OUTPUT] = { .fd = run->ours[OUTPUT], .events = POLLIN },
        [ERRORS] = { .fd = run->ours[ERRORS], .events = POLLIN },
    };
    int ready = sq_call_poll(fds, sizeof(fds) / sizeof(fds[0]), poll_ms);
    if (ready < 0) {
        return sq_errno_fail(err, "wait for %s", run->name);
    }
    *transferred = ready > 0;
    if (ready > 0 && fds[INPUT].revents) {
        write_input(run);
    }
    for (int i = OUTPUT; i <= ERRORS && ready > 0; i++) {
        size_t got;
        if (fds[i].revents && !read_pipe(run, i, &got, err)) {
            return false;
        }
    }
    return true;
}

/* Interrupts the program once, when the time for that has come. */
static void
interrupt_in_time(struct run *run) {
    const struct sq_deadline *when = run->process->interrupt;
    if (when && !run->is_interrupted && !sq_deadline_check(when, NULL)) {
        run->is_interrupted = true;
        run->grace = sq_deadline_in(run->process->grace_ms, NULL);
        sq_call_interrupt_child(run->child);
    }
}

static void
show_progress(const struct run *run) {
    if (run->process->watch) {
        run->process->watch(run->process->watch_context,
                            sq_buf_span(&run->end.output),
                            sq_buf_span(&run->end.errors));
    }
}

static bool
run_until_exit(struct run *run, const struct sq_deadline *deadline,
               struct sq_err *err) {
    int poll_ms = MIN_POLL_MS;
    for (;;) {
        int ended = sq_call_has_ended(run->child);
        bool transferred;
        if (ended < 0) {
            return sq_errno_fail(err, "wait for %s", run->name);
        }
        if (ended) {
            return true;
        }
        if (!sq_deadline_check(run->is_interrupted ? &run->grace : deadline,
                               err)) {
            return sq_fail_in(err, "%s", run->name);
        }
        interrupt_in_time(run);
        int left_ms =
            sq_deadline_left_ms(run->is_interrupted ? &run->grace : deadline);
        if (!transfer(run, poll_ms < left_ms ? poll_ms : left_ms, &transferred,
                      err)) {
            return false;
        }
        if (transferred) {
            show_progress(run);
        }
        poll_ms = transferred           ? MIN_POLL_MS
                : poll_ms < MAX_POLL_MS ? poll_ms * 2
                                        : MAX_POLL_MS;
    }
}

static bool
check_report(struct run *run, struct sq_err *err) {
    errno = sq_read_report(run->ours[REPORT]);
    if (errno == ENOENT) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "%s does not exist",
                       run->process->argv[0]);
    }
    return errno == 0 || sq_errno_fail(err, "run %s", run->name);
}

bool
sq_process_run(const struct sq_process *process,
               const struct sq_deadline *deadline, struct sq_process_end *end,
               struct sq_err *err) {
    const char *path = process->argv[0];
    struct run run = { .process = process, .name = sq_path_base(path) };
    for (int i = 0; i < PIPES; i++) {
        run.ours[i] = run.theirs[i] = -1;
    }
    sq_buf_init(&run.end.output, process->max_output);
    sq_buf_init(&run.end.errors, process->max_errors);
    if (sq_path_root_length(path) == 0) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "%s is not an absolute path",
                       path);
    }
    bool ok = sq_deadline_check(deadline, err) && open_pipes(&run, err)
           && start(&run, err) && run_until_exit(&run, deadline, err);
    if (run.child) {
        /* Before draining: the group can then write no more. */
        int status = sq_call_end_child(run.child);
        run.end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        run.end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    ok = ok && check_report(&run, err) && drain(&run, OUTPUT, err)
      && drain(&run, ERRORS, err);
    for (int i = 0; i < PIPES; i++) {
        sq_close_fd(&run.ours[i]);
        sq_close_fd(&run.theirs[i]);
    }
    if (ok) {
        *end = run.end;
    } else {
        sq_process_end_finish(&run.end);
    }
    return ok;
}

bool
sq_process_exists(int64_t pid) {
    return pid > 0 && pid <= INT_MAX && sq_call_process_exists((pid_t)pid);
}

void
sq_process_end_finish(struct sq_process_end *end) {
    sq_buf_finish(&end->output);
    sq_buf_finish(&end->errors);
}
