/*
 * A thread pool. Starts threads as needed up to a limit. Further jobs are
 * queued, and refused when the queue is full. A few idle threads stay, the
 * others end.
 */
#ifndef SQ_SYS_POOL_H
#define SQ_SYS_POOL_H

#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

struct sq_pool;

/* Creates a pool without starting a thread. Both limits are at least 1. */
bool sq_pool_create(int max_threads, int max_waiting, struct sq_pool **out,
                    struct sq_err *err);

/*
 * Queues run(context) for a thread of the pool. Fails with SQ_ERR_LIMIT if the
 * queue is full and with SQ_ERR_CANCELLED if the pool is stopping; the job does
 * not run then.
 */
bool sq_pool_submit(struct sq_pool *pool, void (*run)(void *context),
                    void *context, struct sq_err *err);

/*
 * Refuses new jobs, finishes the queued ones and ends the threads. The pool
 * cannot interrupt a job: cancel what the jobs wait for first. Returns false if
 * some still run at the timeout; the pool must then not be freed.
 */
bool sq_pool_stop(struct sq_pool *pool, int timeout_ms);

/* Stops the pool without a time limit and frees it. Accepts NULL. */
void sq_pool_destroy(struct sq_pool *pool);

/* One thread that works beside the others. A plain value: zero it first. */
struct sq_side_thread {
    struct sq_pool *pool;
    struct sq_cancel *cancel; /* ends what the thread waits for */
};

/* Creates what the thread needs; submit jobs to the pool to start it. */
bool sq_side_thread_create(struct sq_side_thread *out, struct sq_err *err);

/* Cancels and waits for the thread. Safe on a zeroed value and twice. */
void sq_side_thread_end(struct sq_side_thread *thread);

#endif
