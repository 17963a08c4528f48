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
    bool follows;
    int fd;             /* valid while following */
    struct sq_buf list; /* the last complete list */
    struct sq_buf next; /* the list being received */
};

bool
sq_adb_device_list_create(struct sq_adb_device_list **out, struct sq_err *err) {
    struct sq_adb_device_list *roster = sq_mem_zalloc(1, sizeof(*roster));
    if (!roster) {
        return sq_fail_nomem(err);
    }
    sq_buf_init(&roster->list, SQ_ADB_MAX_REQUEST);
    sq_buf_init(&roster->next, SQ_ADB_MAX_REQUEST);
    if (!sq_lock_create(&roster->lock, err)) {
        sq_adb_device_list_destroy(roster);
        return false;
    }
    *out = roster;
    return true;
}

static void
hang_up(struct sq_adb_device_list *roster) {
    if (roster->follows) {
        sq_socket_close(roster->fd);
        roster->follows = false;
    }
}

void
sq_adb_device_list_destroy(struct sq_adb_device_list *roster) {
    if (roster) {
        hang_up(roster);
        sq_buf_finish(&roster->list);
        sq_buf_finish(&roster->next);
        sq_lock_destroy(roster->lock);
        sq_mem_free(roster);
    }
}

/* Waits for a list. The last one is kept until the new one is complete. */
static bool
hear(struct sq_adb_device_list *roster, const struct sq_deadline *deadline) {
    sq_buf_clear(&roster->next);
    if (!sq_adb_hear(roster->fd, &roster->next, deadline, NULL)) {
        hang_up(roster);
        return false;
    }
    struct sq_buf last = roster->list;
    roster->list = roster->next;
    roster->next = last;
    return true;
}

/* Reads pending lists. Returns false if the connection has ended. */
static bool
catch_up(struct sq_adb_device_list *roster,
         const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, REST_MS);
    while (roster->follows && !sq_socket_is_quiet(roster->fd)) {
        hear(roster, &limit);
    }
    return roster->follows;
}

static bool
begin(struct sq_adb_device_list *roster, const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, FIRST_MS);
    bool ok = sq_adb_request(roster->fd, "host:track-devices-l", &limit, NULL)
           && hear(roster, &limit);
    if (!ok) {
        hang_up(roster);
        roster->pause_ends_ns = sq_clock_monotonic_ns() + PAUSE_NS;
    }
    return ok;
}

static bool
follow(struct sq_adb_device_list *roster, struct sq_adb *adb,
       const struct sq_deadline *deadline) {
    if (sq_clock_monotonic_ns() < roster->pause_ends_ns) {
        return false;
    }
    roster->follows = sq_adb_connect(adb, deadline, &roster->fd, NULL);
    return roster->follows && begin(roster, deadline);
}

/* Appends the tracked list. Returns false if it must be requested instead. */
static bool
read_told(struct sq_adb *adb, struct sq_buf *out,
          const struct sq_deadline *deadline) {
    struct sq_adb_device_list *roster = sq_adb_device_list(adb);
    if (!sq_lock_acquire(roster->lock, deadline, NULL)) {
        return false;
    }
    bool ok = (catch_up(roster, deadline) || follow(roster, adb, deadline))
           && sq_buf_append(out, roster->list.data, roster->list.len, NULL);
    sq_lock_unlock(roster->lock);
    return ok;
}

bool
sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    return (sq_adb_keeps_connections(adb) && read_told(adb, out, deadline))
        || sq_adb_ask(adb, "host:devices-l", out, deadline, err);
}
