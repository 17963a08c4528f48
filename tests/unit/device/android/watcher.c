/*
 * Notifications of devices that connect and disconnect, also if the server
 * restarts.
 */
#include "device/android/adb.h"

#include <stdatomic.h>
#include <unistd.h>

#include "support/fake_adb.h"
#include "support/test.h"
#include "sys/clock.h"

#define ONE "emulator-5554\tdevice\n"
#define TWO ONE "R5CT30\tunauthorized\n"

/* The shortest pause before it tries again. */
#define PAUSE_NS ((int64_t)500 * 1000000)

static struct fake_adb fake;
static struct sq_adb *adb;
static struct sq_adb_watcher *watcher;
static atomic_int changes;
static atomic_int asked;
static atomic_bool wanted;

static void
changed(void *context) {
    atomic_fetch_add(&changes, 1);
}

static bool
is_wanted(void *context) {
    atomic_fetch_add(&asked, 1);
    return atomic_load(&wanted);
}

static const struct sq_adb_listener listener = { changed, is_wanted, NULL };

/* Waits for a change by another thread; it never takes that long. */
static bool
reaches(atomic_int *count, int value) {
    for (int i = 0; i < T_PATIENCE_MS / 5 && atomic_load(count) < value; i++) {
        usleep(5000);
    }
    return atomic_load(count) >= value;
}

static void
create(void) {
    atomic_store(&changes, 0);
    atomic_store(&asked, 0);
    atomic_store(&wanted, true);
    T_OK(sq_adb_watcher_create(adb, &listener, &watcher, &t_err));
}

static void
begin(void) {
    fake_adb_start(&fake);
    atomic_store(&fake.tracked, "");
    adb = fake_adb_client(&fake);
    create();
}

static void
end(void) {
    sq_adb_watcher_destroy(watcher);
    sq_adb_destroy(adb);
    fake_adb_stop(&fake);
}

static void
start(void) {
    int before = atomic_load(&asked);
    sq_adb_watcher_start(watcher);
    /* Once at the start, once with the first list. */
    T(reaches(&asked, before + 2));
}

T_FIXTURE(begin, end);

T_CASE(each_change_is_reported) {
    start();
    T_INT(atomic_load(&changes), 0); /* the first list is not a change */
    atomic_store(&fake.tracked, ONE);
    T(reaches(&changes, 1));
    atomic_store(&fake.tracked, TWO);
    T(reaches(&changes, 2));
    atomic_store(&fake.tracked, "");
    T(reaches(&changes, 3));
    sq_adb_watcher_stop(watcher);
    T_INT(atomic_load(&changes), 3);
    T(fake_adb_received(&fake, "host:track-devices-l"));
    T_INT(fake.connections, 1);
}

T_CASE(same_list_is_not_a_change) {
    static char copy[] =
        ONE; /* not a literal, which could have the same address */
    atomic_store(&fake.tracked, ONE);
    start();
    int before = atomic_load(&asked);
    atomic_store(&fake.tracked, copy);
    T(reaches(&asked, before + 1));
    T_INT(atomic_load(&changes), 0);
}

T_CASE(old_server_gets_the_old_request) {
    fake.tracks_short = true;
    start();
    atomic_store(&fake.tracked, ONE);
    T(reaches(&changes, 1));
}

T_CASE(server_stop_and_restart_are_reported) {
    atomic_store(&fake.tracked, ONE);
    start();
    atomic_store(&fake.tracked, NULL);
    T(reaches(&changes, 1));
    atomic_store(&fake.tracked, ONE);
    T(reaches(&changes, 2));
}

T_CASE(watching_ends_when_it_is_not_wanted) {
    start();
    int before = atomic_load(&asked);
    atomic_store(&wanted, false);
    atomic_store(&fake.tracked, ONE);
    T(reaches(&changes, 1));
    T(reaches(&asked, before + 2));
    /* The connection is closed, so other clients are served. */
    atomic_store(&wanted, true);
    start();
    atomic_store(&fake.tracked, TWO);
    T(reaches(&changes, 2));
}

T_CASE(watcher_can_be_started_repeatedly) {
    sq_adb_watcher_stop(watcher);
    for (int i = 0; i < 5; i++) {
        sq_adb_watcher_start(watcher);
    }
    T(reaches(&asked, 2));
    sq_adb_watcher_stop(watcher);
    T_INT(fake.connections, 1);
    start();
    sq_adb_watcher_stop(watcher);
    T_INT(fake.connections, 2);
    T_INT(atomic_load(&changes), 0);
}

T_BARE_CASE(destroy_ends_every_wait_immediately) {
    /* Waits for a list, for an answer, for a server: none of them arrives. */
    for (int round = 0; round < 3; round++) {
        begin();
        fake.hangs = round == 1;
        if (round == 2) {
            fake_adb_stop(&fake);
        }
        sq_adb_watcher_start(watcher);
        T(reaches(&asked, 1));
        usleep(20 * 1000);
        int64_t before = sq_clock_monotonic_ns();
        sq_adb_watcher_stop(watcher);
        /* Much shorter than any of its waits. */
        T(sq_clock_monotonic_ns() - before < (int64_t)T_PATIENCE_MS * 1000000);
        sq_adb_watcher_destroy(watcher);
        sq_adb_destroy(adb);
        if (round < 2) {
            fake_adb_stop(&fake);
        }
    }
}

T_BARE_CASE(missing_server_is_not_started) {
    const struct sq_adb_options options = { .server = "tcp:127.0.0.1:1",
                                            .program = "/bin/false" };
    T_OK(sq_adb_create(&options, &adb, &t_err));
    create();
    start();
    T_INT(atomic_load(&changes), 0);
    sq_adb_watcher_destroy(watcher);
    sq_adb_destroy(adb);
}

T_BARE_CASE(garbage_does_not_cause_a_busy_loop) {
    static const char *const garbage[] = { "HTTP/1.1 400 Bad Request\r\n\r\n",
                                           "OKAYzzzz", "OKAY00ffshort", "" };
    for (size_t i = 0; i < SQ_COUNT(garbage); i++) {
        begin();
        fake.garbage = garbage[i];
        fake.garbage_len = strlen(garbage[i]);
        int64_t before = sq_clock_monotonic_ns();
        sq_adb_watcher_start(watcher);
        T(reaches(&asked, 1));
        usleep(100 * 1000);
        sq_adb_watcher_stop(watcher);
        /* It tries again after a pause; on a slow machine more pauses pass. */
        int64_t pauses = (sq_clock_monotonic_ns() - before) / PAUSE_NS;
        T(fake.connections <= 2 + pauses);
        T_INT(atomic_load(&changes), 0);
        end();
    }
}

static bool
create_one(void *context, struct sq_err *err) {
    struct sq_adb_watcher *one = NULL;
    bool ok = sq_adb_watcher_create(NULL, &listener, &one, err);
    sq_adb_watcher_destroy(one);
    return ok;
}

T_BARE_CASE(out_of_memory_is_reported) {
    T(t_alloc_torture(create_one, NULL) >= 2);
    sq_adb_watcher_destroy(NULL);
    sq_adb_watcher_stop(NULL);
}
