/* A thread pool with a bounded queue. */
#include "sys/lock.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/clock.h"
#include "util/mem.h"

#define NS_PER_MS 1000000

/* Idle threads that are kept. */
#define KEPT_THREADS 4

struct job {
    void (*run)(void *context);
    void *context;
};

/* A slot for one thread. */
struct place {
    pthread_t thread;
    bool is_taken; /* to be joined */
    bool is_over;  /* about to end: a join does not block */
};

struct sq_pool {
    pthread_mutex_t mutex; /* guards everything below */
    pthread_cond_t work;   /* a job was added, or the pool stops */
    pthread_cond_t ended;  /* a thread is about to end */
    bool stopping;
    int max_threads;
    int live; /* threads that have not ended */
    int idle; /* of those, waiting for work */
    int max_waiting;
    int waiting;
    int first; /* index into jobs, a ring of max_waiting */
    struct job *jobs;
    struct place places[]; /* max_threads entries */
};

static void
join(struct place *place) {
    pthread_join(place->thread, NULL);
    *place = (struct place){ 0 };
}

/* Joins ended threads, which frees their stacks. */
static void
join_ended(struct sq_pool *pool) {
    for (int i = 0; i < pool->max_threads; i++) {
        if (pool->places[i].is_over) {
            join(&pool->places[i]);
        }
    }
}

static void *
work(void *context) {
    struct sq_pool *pool = context;
    pthread_mutex_lock(&pool->mutex);
    /* Extra threads of a burst end when the queue is empty. */
    while (pool->waiting > 0
           || (!pool->stopping && pool->idle < KEPT_THREADS)) {
        if (pool->waiting == 0) {
            pool->idle++;
            pthread_cond_wait(&pool->work, &pool->mutex);
            pool->idle--;
            continue;
        }
        struct job job = pool->jobs[pool->first];
        pool->first = (pool->first + 1) % pool->max_waiting;
        pool->waiting--;
        pthread_mutex_unlock(&pool->mutex);
        job.run(job.context);
        pthread_mutex_lock(&pool->mutex);
    }
    join_ended(pool);
    for (int i = 0; i < pool->max_threads; i++) {
        struct place *place = &pool->places[i];
        if (place->is_taken && pthread_equal(place->thread, pthread_self())) {
            place->is_over = true;
        }
    }
    pool->live--;
    pthread_cond_broadcast(&pool->ended);
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

bool
sq_pool_create(int max_threads, int max_waiting, struct sq_pool **out,
               struct sq_err *err) {
    assert(max_threads > 0 && max_waiting > 0);
    size_t places = (size_t)max_threads * sizeof(struct place);
    struct sq_pool *pool = sq_mem_zalloc(1, sizeof(*pool) + places);
    struct job *jobs = sq_mem_zalloc((size_t)max_waiting, sizeof(*jobs));
    /* The others fail only without memory, which glibc never lacks. */
    if (!pool || !jobs || !sq_condition_init(&pool->ended)
        || !sq_monitor_init(&pool->mutex, &pool->work)) {
        sq_mem_free(jobs);
        sq_mem_free(pool);
        return sq_fail_nomem(err);
    }
    pool->max_threads = max_threads;
    pool->max_waiting = max_waiting;
    pool->jobs = jobs;
    *out = pool;
    return true;
}

/* Returns NULL if the maximum number of threads is running. */
static struct place *
free_place(struct sq_pool *pool) {
    join_ended(pool);
    for (int i = 0; i < pool->max_threads; i++) {
        if (!pool->places[i].is_taken) {
            return &pool->places[i];
        }
    }
    return NULL;
}

/* Starts a thread if all are busy. Returns whether any thread exists. */
static bool
ensure_thread(struct sq_pool *pool) {
    struct place *place = pool->waiting >= pool->idle ? free_place(pool) : NULL;
    if (place && pthread_create(&place->thread, NULL, work, pool) == 0) {
        place->is_taken = true;
        pool->live++;
    }
    return pool->live > 0;
}

static bool
add_job(struct sq_pool *pool, struct job job, struct sq_err *err) {
    if (pool->stopping) {
        return sq_fail(err, SQ_ERR_CANCELLED, "the server is stopping");
    }
    if (pool->waiting == pool->max_waiting) {
        return sq_fail(err, SQ_ERR_LIMIT, "%d calls are already waiting",
                       pool->max_waiting);
    }
    if (!ensure_thread(pool)) {
        return sq_fail(err, SQ_ERR_NOMEM, "cannot start a thread");
    }
    int last = (pool->first + pool->waiting) % pool->max_waiting;
    pool->jobs[last] = job;
    pool->waiting++;
    return true;
}

bool
sq_pool_submit(struct sq_pool *pool, void (*run)(void *context), void *context,
               struct sq_err *err) {
    pthread_mutex_lock(&pool->mutex);
    bool ok = add_job(pool, (struct job){ run, context }, err);
    pthread_mutex_unlock(&pool->mutex);
    if (ok) {
        /* After unlocking: otherwise the thread wakes up to wait for the mutex.
         */
        pthread_cond_signal(&pool->work);
    }
    return ok;
}

/* Waits until all threads have ended. Negative timeout_ms: no limit. */
static bool
wait_for_end(struct sq_pool *pool, int timeout_ms) {
    int64_t at = sq_clock_monotonic_ns() + (int64_t)timeout_ms * NS_PER_MS;
    const struct timespec until = sq_condition_time(at);
    int failed = 0;
    SQ_MUTEX(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    while (pool->live > 0 && !failed) {
        failed = timeout_ms < 0
                   ? pthread_cond_wait(&pool->ended, &pool->mutex)
                   : pthread_cond_timedwait(&pool->ended, &pool->mutex, &until);
    }
    return pool->live == 0;
}

bool
sq_pool_stop(struct sq_pool *pool, int timeout_ms) {
    if (!wait_for_end(pool, timeout_ms)) {
        return false;
    }
    /* Each has released the mutex or is about to, so joins are short. */
    for (int i = 0; i < pool->max_threads; i++) {
        if (pool->places[i].is_taken) {
            join(&pool->places[i]);
        }
    }
    return true;
}

void
sq_pool_destroy(struct sq_pool *pool) {
    if (pool) {
        sq_pool_stop(pool, -1);
        pthread_cond_destroy(&pool->ended);
        sq_monitor_finish(&pool->mutex, &pool->work);
        sq_mem_free(pool->jobs);
        sq_mem_free(pool);
    }
}

bool
sq_side_thread_create(struct sq_side_thread *out, struct sq_err *err) {
    struct sq_side_thread made = { 0 };
    if (!sq_pool_create(1, 1, &made.pool, err)
        || !sq_cancel_create(&made.cancel, err)) {
        sq_side_thread_end(&made);
        return false;
    }
    *out = made;
    return true;
}

void
sq_side_thread_end(struct sq_side_thread *thread) {
    if (thread->cancel) {
        sq_cancel_set(thread->cancel);
    }
    sq_pool_destroy(thread->pool);
    sq_cancel_destroy(thread->cancel);
    *thread = (struct sq_side_thread){ NULL, NULL };
}
