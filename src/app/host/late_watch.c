/* Watches a device after an answer. */
#include "app/host/late_watch.h"

#include <string.h>

#include "sys/clock.h"
#include "sys/lock.h"
#include "sys/pool.h"
#include "tools/screen/late_change.h"
#include "util/mem.h"

#define NS_PER_MS 1000000
#define WATCH_MS 3000
#define POLL_MS 100
#define LOOK_MS 1000 /* a look takes at most this long */

struct sq_late_watch {
    struct sq_devices *devices;
    struct sq_pool *pool;
    struct sq_cancel *cancel;
    struct sq_lock *lock;
    /* Guarded by the lock: */
    struct sq_session *session; /* NULL: nothing to watch */
    char device_id[SQ_DEVICE_ID_SIZE];
    int64_t until_ns;
    uint64_t number;                  /* of this watch */
    bool is_running;                  /* the thread has a job */
    const struct sq_session *looking; /* it uses this without the lock */
};

static bool
is_current(struct sq_late_watch *watch, uint64_t number) {
    sq_lock_lock(watch->lock);
    bool is = watch->session && watch->number == number;
    sq_lock_unlock(watch->lock);
    return is;
}

/*
 * Looks once, unless another call wants the device. Returns whether to look
 * again; not if anything fails.
 */
static bool
look(struct sq_late_watch *watch, struct sq_session *session,
     const char *device_id, uint64_t number) {
    const struct sq_deadline deadline = sq_deadline_in(LOOK_MS, watch->cancel);
    struct sq_ticket *ticket = NULL;
    struct sq_device *device;
    bool more = sq_devices_queue(watch->devices, device_id, 0, &ticket, NULL)
             && sq_devices_open_in_turn(watch->devices, ticket, &deadline,
                                        &device, NULL, NULL)
             && !sq_ticket_is_wanted(ticket) && is_current(watch, number);
    if (more) {
        sq_device_begin(device, 0);
        more = sq_late_change_look_again(session, device, &deadline);
    }
    sq_ticket_leave(ticket);
    return more;
}

/* Called with the lock held, which is released while it looks. */
static void
look_unlocked(struct sq_late_watch *watch) {
    struct sq_session *session = watch->session;
    const uint64_t number = watch->number;
    char device_id[SQ_DEVICE_ID_SIZE];
    memcpy(device_id, watch->device_id, sizeof(device_id));
    watch->looking = session;
    sq_lock_unlock(watch->lock);
    bool more = look(watch, session, device_id, number);
    sq_lock_lock(watch->lock);
    watch->looking = NULL;
    if (!more && watch->number == number) {
        watch->session = NULL;
    }
    sq_lock_broadcast(watch->lock);
}

static void
run(void *context) {
    struct sq_late_watch *watch = context;
    sq_lock_lock(watch->lock);
    while (watch->session && sq_clock_monotonic_ns() < watch->until_ns
           && !sq_cancel_is_set(watch->cancel)) {
        sq_lock_unlock(watch->lock);
        const struct sq_deadline pause =
            sq_deadline_in(2 * POLL_MS, watch->cancel);
        sq_wait_ms(POLL_MS, &pause, NULL);
        sq_lock_lock(watch->lock);
        if (watch->session && !sq_cancel_is_set(watch->cancel)) {
            look_unlocked(watch);
        }
    }
    watch->session = NULL;
    watch->is_running = false;
    sq_lock_unlock(watch->lock);
}

bool
sq_late_watch_create(struct sq_devices *devices, struct sq_late_watch **out,
                     struct sq_err *err) {
    struct sq_late_watch *watch = sq_mem_zalloc(1, sizeof(*watch));
    if (!watch) {
        return sq_fail_nomem(err);
    }
    watch->devices = devices;
    if (!sq_lock_create(&watch->lock, err)
        || !sq_cancel_create(&watch->cancel, err)
        || !sq_pool_create(1, 1, &watch->pool, err)) {
        sq_late_watch_stop(watch);
        return false;
    }
    *out = watch;
    return true;
}

void
sq_late_watch_stop(struct sq_late_watch *watch) {
    if (!watch) {
        return;
    }
    if (watch->cancel) {
        sq_cancel_set(watch->cancel);
    }
    sq_pool_destroy(watch->pool);
    sq_cancel_destroy(watch->cancel);
    sq_lock_destroy(watch->lock);
    sq_mem_free(watch);
}

void
sq_late_watch_begin(struct sq_late_watch *watch, struct sq_session *session) {
    struct sq_last_look_facts last;
    if (!watch || !sq_session_last_look(session, &last) || !last.is_cheap) {
        return;
    }
    sq_lock_lock(watch->lock);
    watch->session = session;
    memcpy(watch->device_id, last.device_id, sizeof(watch->device_id));
    watch->until_ns = sq_clock_monotonic_ns() + (int64_t)WATCH_MS * NS_PER_MS;
    watch->number++;
    if (!watch->is_running) {
        watch->is_running = sq_pool_submit(watch->pool, run, watch, NULL);
    }
    sq_lock_unlock(watch->lock);
}

void
sq_late_watch_end(struct sq_late_watch *watch, const char *device_id) {
    if (watch) {
        sq_lock_lock(watch->lock);
        if (!device_id[0] || sq_device_id_equal(device_id, watch->device_id)) {
            watch->session = NULL;
        }
        sq_lock_unlock(watch->lock);
    }
}

void
sq_late_watch_forget(struct sq_late_watch *watch,
                     const struct sq_session *session) {
    if (!watch) {
        return;
    }
    sq_lock_lock(watch->lock);
    if (watch->session == session) {
        watch->session = NULL;
    }
    while (watch->looking == session) {
        sq_lock_wait(watch->lock);
    }
    sq_lock_unlock(watch->lock);
}
