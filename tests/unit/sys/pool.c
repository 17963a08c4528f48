#include "sys/lock.h"

#include <stdatomic.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/deadline.h"

#define LONG_MS T_PATIENCE_MS

static atomic_int done;

static void
count(void *context) {
    atomic_fetch_add(&done, 1);
}

/* A job that runs until it is cancelled. */
struct hanging {
    struct sq_cancel *cancel;
    atomic_int started;
    atomic_int ended;
};

static void
hang(void *context) {
    struct hanging *hanging = context;
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, hanging->cancel);
    atomic_fetch_add(&hanging->started, 1);
    sq_wait_ms(LONG_MS, &deadline, &t_err);
    atomic_fetch_add(&hanging->ended, 1);
}

static void
await_count(atomic_int *number, int want) {
    int64_t until = sq_clock_monotonic_ns() + (int64_t)LONG_MS * 1000000;
    while (atomic_load(number) < want && sq_clock_monotonic_ns() < until) {
        usleep(500);
    }
    T_INT(atomic_load(number), want);
}

static struct sq_pool *
new_pool(int threads, int waiting) {
    struct sq_pool *pool = NULL;
    T_OK(sq_pool_create(threads, waiting, &pool, &t_err));
    return pool;
}

static struct hanging *
new_hanging(struct hanging *hanging) {
    T_OK(sq_cancel_create(&hanging->cancel, &t_err));
    return hanging;
}

static int
threads_now(void) {
    return t_count_entries("/proc/self/task");
}

static int threads_at_start;

T_CASE(all_jobs_are_done_before_the_pool_ends) {
    threads_at_start = threads_now(); /* this is the first case */
    struct sq_pool *pool = new_pool(3, 500);
    atomic_store(&done, 0);
    for (int i = 0; i < 500; i++) {
        T_OK(sq_pool_submit(pool, count, NULL, &t_err));
    }
    sq_pool_destroy(pool);
    T_INT(atomic_load(&done), 500);
    sq_pool_destroy(NULL);
    sq_pool_destroy(new_pool(1, 1));
}

T_CASE(jobs_run_in_parallel_up_to_the_limit) {
    struct hanging hanging = { 0 };
    struct sq_pool *pool = new_pool(3, 1);
    new_hanging(&hanging);
    for (int i = 0; i < 3; i++) {
        T_OK(sq_pool_submit(pool, hang, &hanging, &t_err));
        await_count(&hanging.started, i + 1);
    }
    atomic_store(&done, 0);
    T_OK(sq_pool_submit(pool, count, NULL, &t_err));
    T_FAILS(sq_pool_submit(pool, count, NULL, &t_err), SQ_ERR_LIMIT);
    T_INT(atomic_load(&done), 0);
    sq_cancel_set(hanging.cancel);
    await_count(&done, 1);
    sq_pool_destroy(pool);
    T_INT(atomic_load(&hanging.ended), 3);
    sq_cancel_destroy(hanging.cancel);
}

T_CASE(hanging_job_does_not_delay_a_stop) {
    struct hanging hanging = { 0 };
    struct sq_pool *pool = new_pool(2, 4);
    new_hanging(&hanging);
    T_OK(sq_pool_submit(pool, hang, &hanging, &t_err));
    await_count(&hanging.started, 1);
    int64_t start = sq_clock_monotonic_ns();
    T(!sq_pool_stop(pool, 20));
    T((sq_clock_monotonic_ns() - start) / 1000000 < LONG_MS / 5);
    T_FAILS(sq_pool_submit(pool, count, NULL, &t_err), SQ_ERR_CANCELLED);
    sq_cancel_set(hanging.cancel);
    T(sq_pool_stop(pool, LONG_MS));
    T(sq_pool_stop(pool, 0));
    T_INT(atomic_load(&hanging.ended), 1);
    sq_pool_destroy(pool);
    sq_cancel_destroy(hanging.cancel);
}

/* The number of threads a pool starts for jobs one after the other. */
static int
threads_for_single_jobs(void) {
    struct sq_pool *pool = new_pool(8, 8);
    int before = threads_now();
    for (int i = 0; i < 20; i++) {
        atomic_store(&done, 0);
        T_OK(sq_pool_submit(pool, count, NULL, &t_err));
        await_count(&done, 1);
        usleep(2000);
    }
    int started = threads_now() - before;
    sq_pool_destroy(pool);
    return started;
}

/*
 * A thread that has finished its job needs some time to become idle, and no
 * event reports that: one of many attempts must need only two threads.
 */
T_CASE(one_thread_is_enough_for_one_job_at_a_time) {
    int least = 8;
    for (int i = 0; i < 100 && least > 2; i++) {
        int started = threads_for_single_jobs();
        least = started < least ? started : least;
    }
    T(least <= 2);
}

/* The system counts threads for a short time after their end. */
static void
await_threads(int least, int most) {
    int64_t until = sq_clock_monotonic_ns() + (int64_t)LONG_MS * 1000000;
    int count = threads_now();
    while ((count < least || count > most) && sq_clock_monotonic_ns() < until) {
        usleep(500);
        count = threads_now();
    }
    T(count >= least && count <= most);
}

/* As many as there are concurrent jobs, and a few when there are none. */
T_CASE(threads_of_a_burst_end_after_it) {
    enum { JOBS = 64 };
    await_threads(0, threads_at_start); /* those of earlier cases are gone */
    int before = threads_now();
    struct sq_pool *pool = new_pool(JOBS, JOBS);
    for (int round = 0; round < 3; round++) {
        struct hanging hanging = { 0 };
        new_hanging(&hanging);
        for (int i = 0; i < JOBS; i++) {
            T_OK(sq_pool_submit(pool, hang, &hanging, &t_err));
        }
        await_count(&hanging.started, JOBS);
        await_threads(before + JOBS, before + JOBS);
        sq_cancel_set(hanging.cancel);
        await_count(&hanging.ended, JOBS);
        await_threads(0, before + 4);
        sq_cancel_destroy(hanging.cancel);
    }
    sq_pool_destroy(pool);
    await_threads(0, before);
}

static bool
build_pool(void *context, struct sq_err *err) {
    struct sq_pool *pool;
    bool ok = sq_pool_create(2, 2, &pool, err);
    if (ok) {
        sq_pool_destroy(pool);
    }
    return ok;
}

T_CASE(every_allocation_can_fail) {
    T_INT(t_alloc_torture(build_pool, NULL), 2);
}
