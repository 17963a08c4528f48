/*
 * Ends sessions that start after their calls have ended: a server may need
 * a minute to start a phone or a browser, and keeps it if it is not told.
 */
#include <pthread.h>
#include <string.h>

#include "device/webdriver/private.h"

#define LATE_MS 120000 /* as long as a session may take to start */
#define LOOK_MS 3000
#define END_MS 10000 /* for all of them at the end of the process */
#define CHECK_MS 50
#define MAX_THREADS 8
#define MAX_WAITING 56

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sq_side_thread threads; /* guarded by the mutex, as the list */
static struct sq_webdriver *list;

static void
unlist(const struct sq_webdriver *wd) {
    pthread_mutex_lock(&mutex);
    struct sq_webdriver **at = &list;
    while (*at != wd) {
        at = &(*at)->next_late;
    }
    *at = wd->next_late;
    pthread_mutex_unlock(&mutex);
}

static bool
is_listed(const char *id) {
    pthread_mutex_lock(&mutex);
    const struct sq_webdriver *wd = list;
    while (wd && strcmp(wd->base.info.id, id) != 0) {
        wd = wd->next_late;
    }
    pthread_mutex_unlock(&mutex);
    return wd != NULL;
}

static void
await_session(void *context) {
    struct sq_webdriver *wd = context;
    const struct sq_deadline look = sq_deadline_in(LOOK_MS, wd->late_cancel);
    const struct sq_deadline limit = sq_deadline_in(LATE_MS, wd->late_cancel);
    int status;
    if (!wd->endpoint.is_grid) {
        sq_wd_endpoint_look(&wd->endpoint, &look);
    }
    /* A Grid forgets a request whose connection ends, and its session. */
    if (!wd->endpoint.is_grid && sq_wd_await(&wd->client, &status, &limit, NULL)
        && sq_wd_take_session(wd, status, NULL)) {
        sq_wd_end(wd);
    }
    unlist(wd);
    sq_device_destroy(&wd->base);
}

static bool
submit(struct sq_webdriver *wd) {
    pthread_mutex_lock(&mutex);
    bool ok =
        (threads.cancel || sq_cancel_create(&threads.cancel, NULL))
        && (threads.pool
            || sq_pool_create(MAX_THREADS, MAX_WAITING, &threads.pool, NULL));
    wd->late_cancel = threads.cancel;
    if (ok && (ok = sq_pool_submit(threads.pool, await_session, wd, NULL))) {
        wd->next_late = list;
        list = wd;
    }
    pthread_mutex_unlock(&mutex);
    return ok;
}

void
sq_wd_give_up(struct sq_webdriver *wd) {
    if (!wd->client.is_waiting || !submit(wd)) {
        sq_device_destroy(&wd->base);
    }
}

bool
sq_wd_await_late(const char *id, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    while (is_listed(id)) {
        if (!sq_wait_ms(CHECK_MS, deadline, err)) {
            return sq_fail_in(err, "waiting for an earlier session of %s", id);
        }
    }
    return true;
}

void
sq_webdriver_finish(void) {
    pthread_mutex_lock(&mutex);
    struct sq_side_thread ending = threads;
    threads = (struct sq_side_thread){ NULL, NULL };
    pthread_mutex_unlock(&mutex);
    if (ending.pool) {
        (void)sq_pool_stop(ending.pool, END_MS);
    }
    sq_side_thread_end(&ending);
}
