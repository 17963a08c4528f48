/* Caches the adb server's device list from one tracking connection. */
#include "device/android/device_list.h"

#include "device/android/link.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "sys/sockets.h"
#include "util/mem.h"

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

/* Reads pending lists. Returns false if the connection has ended. */
static bool
read_pending(struct sq_adb_device_list *list,
             const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, REST_MS);
    while (list->is_tracking && !sq_socket_is_quiet(list->fd)) {
        read_list(list, &limit);
    }
    return list->is_tracking;
}

static bool
request_tracking(struct sq_adb_device_list *list,
                 const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, FIRST_MS);
    bool ok = sq_adb_request(list->fd, "host:track-devices-l", &limit, NULL)
           && read_list(list, &limit);
    if (!ok) {
        stop_tracking(list);
        list->pause_ends_ns = sq_clock_monotonic_ns() + PAUSE_NS;
    }
    return ok;
}

static bool
start_tracking(struct sq_adb_device_list *list, struct sq_adb *adb,
               const struct sq_deadline *deadline) {
    if (sq_clock_monotonic_ns() < list->pause_ends_ns) {
        return false;
    }
    list->is_tracking = sq_adb_connect(adb, deadline, &list->fd, NULL);
    return list->is_tracking && request_tracking(list, deadline);
}

/* Appends the tracked list. Returns false if it must be requested instead. */
static bool
append_tracked(struct sq_adb *adb, struct sq_buf *out,
               const struct sq_deadline *deadline) {
    struct sq_adb_device_list *list = sq_adb_device_list(adb);
    if (!sq_lock_acquire(list->lock, deadline, NULL)) {
        return false;
    }
    bool ok =
        (read_pending(list, deadline) || start_tracking(list, adb, deadline))
        && sq_buf_append(out, list->current.data, list->current.len, NULL);
    sq_lock_unlock(list->lock);
    return ok;
}

bool
sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    return (sq_adb_keeps_connections(adb) && append_tracked(adb, out, deadline))
        || sq_adb_ask(adb, "host:devices-l", out, deadline, err);
}
