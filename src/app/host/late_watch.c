/* Watches a device after an answer. */
#include "app/host/private.h"

#include <stdio.h>

#include "sys/clock.h"
#include "tools/screen/late_change.h"
#include "util/mem.h"

#define NS_PER_MS 1000000
#define WATCH_MS 3000
#define POLL_MS 100
#define LOOK_MS 1000 /* a look takes at most this long */
#define PAUSE_SHARE                                                            \
    3 /* after a look the device rests that many times longer                  \
       */

/* What is watched: a plain value. */
struct subject {
    char device_id[SQ_DEVICE_ID_SIZE]; /* empty: nothing */
    uint64_t client;
    int64_t until_ns;
    struct sq_cancel *cancel; /* of the look that is under way, or NULL */
};

struct sq_late_watch {
    struct sq_devices *devices;
    struct sq_side_thread thread;
    struct sq_lock *lock;
    /* Guarded by the lock: */
    struct subject subject;
    bool is_running; /* the thread has a job */
};

/*
 * Looks once, unless another call wants the device. Returns whether to look
 * again; not if anything fails.
 */
static bool
look(struct sq_late_watch *watch, const struct subject *subject) {
    const struct sq_deadline deadline =
        sq_deadline_in(LOOK_MS, subject->cancel);
    struct sq_ticket *ticket = NULL;
    struct sq_device *device;
    bool more =
        sq_devices_queue(watch->devices, subject->device_id, 0, &ticket, NULL)
        && sq_devices_open_in_turn(watch->devices, ticket, &deadline, &device,
                                   NULL, NULL)
        && !sq_ticket_is_wanted(ticket) && sq_deadline_check(&deadline, NULL);
    if (more) {
        sq_device_begin(device, SQ_NO_CALL);
        more = sq_late_change_look_again(device, subject->client, &deadline);
    }
    sq_ticket_leave(ticket);
    return more;
}

/* Called with the lock held, which is released while it looks. */
static void
look_unlocked(struct sq_late_watch *watch) {
    struct subject *subject = &watch->subject;
    struct sq_cancel *cancel;
    if (!sq_cancel_create(&cancel, NULL)) {
        subject->device_id[0] = '\0';
        return;
    }
    subject->cancel = cancel;
    const struct subject now = *subject;
    sq_lock_unlock(watch->lock);
    bool more = look(watch, &now);
    sq_lock_lock(watch->lock);
    /* Otherwise it was ended, and perhaps another one has begun. */
    if (subject->cancel == cancel) {
        subject->cancel = NULL;
        subject->device_id[more ? strlen(subject->device_id) : 0] = '\0';
    }
    sq_cancel_destroy(cancel);
}

/* Returns whether to look after a pause; called with the lock held. */
static bool
pause_unlocked(struct sq_late_watch *watch, int ms) {
    struct sq_cancel *stop = watch->thread.cancel;
    sq_lock_unlock(watch->lock);
    const struct sq_deadline pause = sq_deadline_in(2 * ms, stop);
    sq_wait_ms(ms, &pause, NULL);
    sq_lock_lock(watch->lock);
    return watch->subject.device_id[0] && !sq_cancel_is_set(stop);
}

static void
run(void *context) {
    struct sq_late_watch *watch = context;
    int pause_ms = POLL_MS;
    sq_lock_lock(watch->lock);
    while (watch->subject.device_id[0]
           && sq_clock_monotonic_ns() < watch->subject.until_ns
           && pause_unlocked(watch, pause_ms)) {
        const int64_t start_ns = sq_clock_monotonic_ns();
        look_unlocked(watch);
        const int64_t ns = sq_clock_monotonic_ns() - start_ns;
        pause_ms = POLL_MS + (int)(PAUSE_SHARE * ns / NS_PER_MS);
    }
    watch->subject = (struct subject){ .client = 0 };
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
        || !sq_side_thread_create(&watch->thread, err)) {
        sq_late_watch_stop(watch);
        return false;
    }
    *out = watch;
    return true;
}

/* Called with the lock held. */
static void
end(struct subject *subject) {
    if (subject->cancel) {
        sq_cancel_set(subject->cancel);
    }
    *subject = (struct subject){ .client = 0 };
}

void
sq_late_watch_stop(struct sq_late_watch *watch) {
    if (watch) {
        sq_late_watch_end(watch, "");
        sq_side_thread_end(&watch->thread);
        sq_lock_destroy(watch->lock);
        sq_mem_free(watch);
    }
}

void
sq_late_watch_begin(struct sq_late_watch *watch, const char *device_id,
                    uint64_t client) {
    if (!watch) {
        return;
    }
    sq_lock_lock(watch->lock);
    end(&watch->subject);
    watch->subject.client = client;
    watch->subject.until_ns =
        sq_clock_monotonic_ns() + (int64_t)WATCH_MS * NS_PER_MS;
    snprintf(watch->subject.device_id, sizeof(watch->subject.device_id), "%s",
             device_id);
    if (!watch->is_running) {
        watch->is_running =
            sq_pool_submit(watch->thread.pool, run, watch, NULL);
    }
    sq_lock_unlock(watch->lock);
}

void
sq_late_watch_end(struct sq_late_watch *watch, const char *device_id) {
    if (watch && watch->lock) {
        sq_lock_lock(watch->lock);
        if (!device_id[0]
            || sq_device_id_equal(device_id, watch->subject.device_id)) {
            end(&watch->subject);
        }
        sq_lock_unlock(watch->lock);
    }
}
