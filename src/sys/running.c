/* Runs a program on a thread of its own until it is interrupted. */
#include "sys/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#include "sys/call.h"
#include "sys/deadline.h"
#include "sys/lock.h"
#include "util/mem.h"

#define MAX_WORDS 16
#define MAX_TEXT ((size_t)64 << 10)
#define MAX_QUOTED 160

struct sq_running {
    char *words[MAX_WORDS + 1];
    char *ready;
    struct sq_cancel *stop;
    struct sq_deadline interrupt;
    struct sq_deadline deadline;
    int grace_ms;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;

    /* Under the mutex. */
    bool is_ready;
    bool has_ended;
    bool is_ok; /* it was started, and ended by itself */
    struct sq_process_end end;
    struct sq_err err;
};

static void
watch(void *context, struct sq_span output, struct sq_span errors) {
    struct sq_running *running = context;
    if (sq_span_find(output, running->ready)
        || sq_span_find(errors, running->ready)) {
        pthread_mutex_lock(&running->mutex);
        running->is_ready = true;
        pthread_cond_broadcast(&running->changed);
        pthread_mutex_unlock(&running->mutex);
    }
}

static void *
run(void *context) {
    struct sq_running *running = context;
    struct sq_process_end end = { 0 };
    struct sq_err err = { 0 };
    const struct sq_process process = {
        .argv = (const char *const *)running->words,
        .max_output = MAX_TEXT,
        .max_errors = MAX_TEXT,
        .interrupt = &running->interrupt,
        .grace_ms = running->grace_ms,
        .watch = watch,
        .watch_context = running,
    };
    bool ok = sq_process_run(&process, &running->deadline, &end, &err);
    SQ_MUTEX(&running->mutex);
    running->has_ended = true;
    running->is_ok = ok;
    running->end = end;
    running->err = err;
    pthread_cond_broadcast(&running->changed);
    return NULL;
}

static void
free_all(struct sq_running *running) {
    for (size_t i = 0; i < MAX_WORDS; i++) {
        sq_mem_free(running->words[i]);
    }
    sq_mem_free(running->ready);
    sq_cancel_destroy(running->stop);
    sq_process_end_finish(&running->end);
    sq_mem_free(running);
}

static bool
copy_plan(struct sq_running *running, const struct sq_running_plan *plan,
          struct sq_err *err) {
    running->ready = sq_mem_strdup(plan->ready);
    bool ok = running->ready != NULL;
    for (size_t i = 0; ok && plan->argv[i]; i++) {
        if (i == MAX_WORDS) {
            return sq_fail(err, SQ_ERR_LIMIT, "too many words");
        }
        running->words[i] = sq_mem_strdup(plan->argv[i]);
        ok = running->words[i] != NULL;
    }
    return ok || sq_fail_nomem(err);
}

/* Creates the mutex, the condition and the thread, which then runs. */
static bool
start_thread(struct sq_running *running, const struct sq_running_plan *plan,
             struct sq_err *err) {
    running->grace_ms = plan->grace_ms;
    running->interrupt = sq_deadline_in(plan->limit_ms, running->stop);
    running->deadline = sq_deadline_in(plan->limit_ms + plan->grace_ms, NULL);
    if (!sq_monitor_init(&running->mutex, &running->changed)) {
        return sq_fail_nomem(err);
    }
    if (pthread_create(&running->thread, NULL, run, running) != 0) {
        sq_monitor_finish(&running->mutex, &running->changed);
        return sq_fail_nomem(err);
    }
    return true;
}

/* Waits until it is ready or has ended. Returns whether it runs. */
static bool
await_ready(struct sq_running *running, const struct sq_deadline *deadline) {
    SQ_MUTEX(&running->mutex);
    while (!running->is_ready && !running->has_ended
           && sq_deadline_check(deadline, NULL)) {
        sq_condition_wait(&running->changed, &running->mutex, deadline);
    }
    return !running->has_ended;
}

/* Interrupts it, waits for its end and releases all but its result. */
static void
join(struct sq_running *running) {
    sq_cancel_set(running->stop);
    pthread_join(running->thread, NULL);
    sq_monitor_finish(&running->mutex, &running->changed);
}

static bool
check_end(const struct sq_running *running, struct sq_err *err) {
    struct sq_span errors = sq_span_trim(sq_buf_span(&running->end.errors));
    struct sq_span line;
    if (!running->is_ok) {
        return sq_fail_with(err, &running->err);
    }
    if (running->end.status == 0) {
        return true;
    }
    struct sq_span last = { 0 };
    while (sq_span_take_line(&errors, &line)) {
        last = line;
    }
    last.len = last.len < MAX_QUOTED ? last.len : MAX_QUOTED;
    return sq_fail_quoting(err, SQ_ERR_IO, "it failed (%d)%s%.*s",
                           running->end.status, last.len > 0 ? ": " : "",
                           SQ_SPAN_ARGS(last));
}

bool
sq_running_start(const struct sq_running_plan *plan, struct sq_running **out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline ready_by =
        sq_deadline_within(deadline, plan->ready_ms);
    struct sq_running *running = sq_mem_zalloc(1, sizeof(*running));
    if (!running) {
        return sq_fail_nomem(err);
    }
    if (!copy_plan(running, plan, err) || !sq_cancel_create(&running->stop, err)
        || !start_thread(running, plan, err)) {
        free_all(running);
        return false;
    }
    bool runs = await_ready(running, &ready_by);
    if (runs && sq_deadline_check(deadline, err)) {
        *out = running;
        return true;
    }
    join(running);
    if (!runs && check_end(running, err)) {
        sq_fail(err, SQ_ERR_IO, "it ended immediately");
    }
    free_all(running);
    return false;
}

bool
sq_running_has_ended(struct sq_running *running) {
    SQ_MUTEX(&running->mutex);
    return running->has_ended;
}

bool
sq_running_stop(struct sq_running *running, struct sq_err *err) {
    join(running);
    bool ok = check_end(running, err);
    free_all(running);
    return ok;
}

void
sq_running_destroy(struct sq_running *running) {
    if (running) {
        sq_running_stop(running, NULL);
    }
}

/* Starts a program that goes on by itself. */

#define START_MS 5000

bool
sq_detached_start(const char *const *argv, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(START_MS, NULL);
    int report = -1;
    int nothing = sq_call_openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
    struct sq_spawn child = {
        .argv = argv,
        .streams = { nothing, nothing, nothing },
    };
    bool ok = (nothing >= 0
               || sq_errno_fail(err, "create the streams of %s", argv[0]))
           && sq_start_child(&child, argv[0], &report, err) > 0
           && sq_wait_fd(report, POLLIN, &deadline, err);
    if (ok) {
        /* exec closes the pipe, or the child says why it cannot. */
        errno = sq_read_report(report);
        ok = errno == 0 || sq_errno_fail(err, "run %s", argv[0]);
    }
    sq_close_fd(&report);
    sq_close_fd(&nothing);
    return ok;
}
