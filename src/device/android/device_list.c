/* Watches the adb server for device changes. */
#include "device/android/adb.h"
#include "device/android/link.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "sys/sockets.h"
#include "util/mem.h"

/* The connection is renewed this often; is_wanted is checked then. */
#define LISTEN_MS (10 * 60 * 1000)
/* A new device passes through several states within this time. */
#define SETTLE_MS 100
#define FIRST_PAUSE_MS 500
#define LONGEST_PAUSE_MS 30000

struct sq_adb_watcher {
    struct sq_adb *adb;
    struct sq_adb_listener listener;

    struct sq_lock *lock; /* guards the fields below */
    bool is_running;
    struct sq_side_thread thread; /* zero: not started, or stopped */

    /* Used only by the watcher's thread. */
    bool has_list;       /* received a list on this connection */
    bool is_known;       /* the fields below are valid */
    bool is_reachable;   /* the server is reachable */
    struct sq_buf known; /* the last device list */
};

bool
sq_adb_watcher_create(struct sq_adb *adb,
                      const struct sq_adb_listener *listener,
                      struct sq_adb_watcher **out, struct sq_err *err) {
    struct sq_adb_watcher *watcher = sq_mem_zalloc(1, sizeof(*watcher));
    if (!watcher) {
        return sq_fail_nomem(err);
    }
    watcher->adb = adb;
    watcher->listener = *listener;
    sq_buf_init(&watcher->known, SQ_ADB_MAX_REQUEST);
    if (!sq_lock_create(&watcher->lock, err)) {
        sq_adb_watcher_destroy(watcher);
        return false;
    }
    *out = watcher;
    return true;
}

void
sq_adb_watcher_destroy(struct sq_adb_watcher *watcher) {
    if (watcher) {
        sq_adb_watcher_stop(watcher);
        sq_buf_finish(&watcher->known);
        sq_lock_destroy(watcher->lock);
        sq_mem_free(watcher);
    }
}

static void
update(struct sq_adb_watcher *watcher, bool is_reachable, struct sq_span list) {
    bool changed = watcher->is_known
                && (watcher->is_reachable != is_reachable
                    || !sq_span_equal(sq_buf_span(&watcher->known), list));
    sq_buf_clear(&watcher->known);
    /* If this fails, the next list counts as a change, which is harmless. */
    sq_buf_append(&watcher->known, list.ptr, list.len, NULL);
    watcher->is_reachable = is_reachable;
    watcher->is_known = true;
    if (changed) {
        watcher->listener.changed(watcher->listener.context);
    }
}

/*
 * Subscribes to a request such as "host:track-devices". Does not start a
 * server. Returns true once no changes are wanted. Fails if the connection ends
 * before that.
 */
static bool
subscribe(struct sq_adb_watcher *watcher, const char *request,
          const struct sq_deadline *deadline, struct sq_err *err) {
    int fd = -1;
    bool more = true;
    SQ_BUF(answer, SQ_ADB_MAX_REQUEST);
    bool ok = sq_adb_connect_if_running(watcher->adb, deadline, &fd, err)
           && sq_adb_request(fd, request, deadline, err);
    while (ok && more) {
        sq_buf_clear(&answer);
        ok = sq_adb_read_answer(fd, &answer, deadline, err);
        if (ok) {
            const struct sq_deadline settle =
                sq_deadline_in(2 * SETTLE_MS, watcher->thread.cancel);
            update(watcher, true, sq_buf_span(&answer));
            watcher->has_list = true;
            more = sq_wait_ms(SETTLE_MS, &settle, NULL)
                && watcher->listener.is_wanted(watcher->listener.context);
        }
    }
    sq_socket_close(fd);
    return ok;
}

/* Follows until the connection ends. Returns true if we ended it. */
static bool
follow(struct sq_adb_watcher *watcher) {
    static const char *const requests[] = { "host:track-devices-l",
                                            "host:track-devices" };
    struct sq_err err = { .code = SQ_ERR_UNSUPPORTED };
    for (size_t i = 0; i < 2 && err.code == SQ_ERR_UNSUPPORTED; i++) {
        const struct sq_deadline deadline =
            sq_deadline_in(LISTEN_MS, watcher->thread.cancel);
        err = (struct sq_err){ 0 };
        if (subscribe(watcher, requests[i], &deadline, &err)) {
            return true;
        }
    }
    return err.code == SQ_ERR_CANCELLED
        || (err.code == SQ_ERR_TIMEOUT && watcher->has_list);
}

/*
 * Returns whether to continue. Decides under the lock, so that start never sees
 * a thread that is about to end.
 */
static bool
should_continue(struct sq_adb_watcher *watcher) {
    sq_lock_lock(watcher->lock);
    watcher->is_running =
        !sq_cancel_is_set(watcher->thread.cancel)
        && watcher->listener.is_wanted(watcher->listener.context);
    bool is_running = watcher->is_running;
    sq_lock_unlock(watcher->lock);
    return is_running;
}

static void
watch(void *context) {
    struct sq_adb_watcher *watcher = context;
    int pause_ms = FIRST_PAUSE_MS;
    watcher->is_known = false;
    while (should_continue(watcher)) {
        watcher->has_list = false;
        if (follow(watcher)) {
            continue;
        }
        pause_ms = watcher->has_list ? FIRST_PAUSE_MS : pause_ms;
        update(watcher, false, (struct sq_span){ 0 });
        const struct sq_deadline pause =
            sq_deadline_in(2 * pause_ms, watcher->thread.cancel);
        sq_wait_ms(pause_ms, &pause, NULL);
        pause_ms =
            pause_ms < LONGEST_PAUSE_MS / 2 ? 2 * pause_ms : LONGEST_PAUSE_MS;
    }
}

void
sq_adb_watcher_start(struct sq_adb_watcher *watcher) {
    sq_lock_lock(watcher->lock);
    if (!watcher->is_running
        && (watcher->thread.pool
            || sq_side_thread_create(&watcher->thread, NULL))) {
        watcher->is_running =
            sq_pool_submit(watcher->thread.pool, watch, watcher, NULL);
    }
    sq_lock_unlock(watcher->lock);
}

void
sq_adb_watcher_stop(struct sq_adb_watcher *watcher) {
    if (watcher) {
        sq_side_thread_end(&watcher->thread);
        watcher->is_running = false;
    }
}

#define NS_PER_MS 1000000
/* Timeouts for the first byte and for the rest of an answer. */
#define FIRST_MS 3000
#define REST_MS 1000
/* How long not to try again after a failure, e.g. with an old server. */
#define PAUSE_NS ((int64_t)30000 * NS_PER_MS)

struct sq_adb_device_list {
    struct sq_lock *lock; /* guards the fields below */
    int64_t pause_ends_ns;
    bool is_tracking;
    int fd;                /* valid while tracking */
    struct sq_buf current; /* the last complete list */
    struct sq_buf next;    /* the list being received */
};

bool
sq_adb_device_list_create(struct sq_adb_device_list **out, struct sq_err *err) {
    struct sq_adb_device_list *list = sq_mem_zalloc(1, sizeof(*list));
    if (!list) {
        return sq_fail_nomem(err);
    }
    sq_buf_init(&list->current, SQ_ADB_MAX_REQUEST);
    sq_buf_init(&list->next, SQ_ADB_MAX_REQUEST);
    if (!sq_lock_create(&list->lock, err)) {
        sq_adb_device_list_destroy(list);
        return false;
    }
    *out = list;
    return true;
}

static void
stop_tracking(struct sq_adb_device_list *list) {
    if (list->is_tracking) {
        sq_socket_close(list->fd);
        list->is_tracking = false;
    }
}

void
sq_adb_device_list_destroy(struct sq_adb_device_list *list) {
    if (list) {
        stop_tracking(list);
        sq_buf_finish(&list->current);
        sq_buf_finish(&list->next);
        sq_lock_destroy(list->lock);
        sq_mem_free(list);
    }
}

/* Waits for a list. The last one is kept until the new one is complete. */
static bool
read_list(struct sq_adb_device_list *list, const struct sq_deadline *deadline) {
    sq_buf_clear(&list->next);
    if (!sq_adb_read_answer(list->fd, &list->next, deadline, NULL)) {
        stop_tracking(list);
        return false;
    }
    struct sq_buf last = list->current;
    list->current = list->next;
    list->next = last;
    return true;
}

static bool
start_tracking(struct sq_adb_device_list *list, struct sq_adb *adb,
               const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, FIRST_MS);
    if (sq_clock_monotonic_ns() < list->pause_ends_ns
        || !sq_adb_connect(adb, deadline, &list->fd, NULL)) {
        return false;
    }
    list->is_tracking = true;
    if (sq_adb_request(list->fd, "host:track-devices-l", &limit, NULL)
        && read_list(list, &limit)) {
        return true;
    }
    stop_tracking(list);
    list->pause_ends_ns = sq_clock_monotonic_ns() + PAUSE_NS;
    return false;
}

/* If the list is not tracked, or that fails, it is requested. */
bool
sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_device_list *list = adb->device_list;
    bool ok = false;
    if (adb->keeps_connections && sq_lock_acquire(list->lock, deadline, NULL)) {
        const struct sq_deadline limit = sq_deadline_within(deadline, REST_MS);
        while (list->is_tracking && !sq_socket_is_quiet(list->fd)) {
            read_list(list, &limit);
        }
        ok = (list->is_tracking || start_tracking(list, adb, deadline))
          && sq_buf_append(out, list->current.data, list->current.len, NULL);
        sq_lock_unlock(list->lock);
    }
    return ok || sq_adb_ask(adb, "host:devices-l", out, deadline, err);
}
