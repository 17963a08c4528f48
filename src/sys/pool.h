/*
 * Threads that do one job after another. As many as there is work for, up to
 * a limit; jobs beyond that wait in line, and beyond that are refused. A few
 * threads stay when there is nothing to do, the others end.
 */
#ifndef SQ_SYS_POOL_H
#define SQ_SYS_POOL_H

#include <stdbool.h>

#include "util/err.h"

struct sq_pool;

/* Starts no thread yet. Both limits are at least 1. */
bool sq_pool_create(int max_threads, int max_waiting, struct sq_pool **out,
                    struct sq_err *err);

/*
 * Have a thread call run(context). SQ_ERR_LIMIT if the line is full,
 * SQ_ERR_CANCELLED once the pool is stopping; the job is then not done.
 */
bool sq_pool_submit(struct sq_pool *pool, void (*run)(void *context),
                    void *context, struct sq_err *err);

/*
 * Take no more jobs, finish those that are there, and end the threads. The
 * pool cannot interrupt a job: call off what they wait for first. False if
 * some still run when the time is up; the pool then has to live on.
 */
bool sq_pool_stop(struct sq_pool *pool, int timeout_ms);

/* Stops the pool, however long it takes. Accepts NULL. */
void sq_pool_destroy(struct sq_pool *pool);

#endif
