/* Hearing of devices that come and go, from a server that may go itself. */
#include "device/android/watcher.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "support/fake_adb.h"
#include "support/test.h"
#include "sys/clock.h"

#define ONE "emulator-5554\tdevice\n"
#define TWO ONE "R5CT30\tunauthorized\n"

/* The shortest it makes before it tries again. */
#define PAUSE_NS ((int64_t)500 * 1000000)

static struct fake_adb fake;
static struct sq_adb *adb;
static struct sq_adb_watcher *watcher;
static atomic_int changes;
static atomic_int asked;
static atomic_bool wanted;

static void
changed(void *context) {
    (void)context;
    atomic_fetch_add(&changes, 1);
}

static bool
is_wanted(void *context) {
    (void)context;
    atomic_fetch_add(&asked, 1);
    return atomic_load(&wanted);
}

static const struct sq_adb_listener listener = { changed, is_wanted, NULL };

/* Wait for what another thread does; it never takes that long. */
static bool
comes(atomic_int *count, int value) {
    for (int i = 0; i < T_PATIENCE_MS / 5 && atomic_load(count) < value; i++) {
        usleep(5000);
    }
    return atomic_load(count) >= value;
}

static void
create(void) {
    struct sq_err err = { 0 };
    atomic_store(&changes, 0);
    atomic_store(&asked, 0);
    atomic_store(&wanted, true);
    T_OK(sq_adb_watcher_create(adb, &listener, &watcher, &err), &err);
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
    /* Once to begin, once with the first list. */
    T(comes(&asked, before + 2));
}

static void
each_change_is_told(void) {
    begin();
    start();
    T_INT(atomic_load(&changes), 0); /* how it is at first is no change */
    atomic_store(&fake.tracked, ONE);
    T(comes(&changes, 1));
    atomic_store(&fake.tracked, TWO);
    T(comes(&changes, 2));
    atomic_store(&fake.tracked, "");
    T(comes(&changes, 3));
    sq_adb_watcher_stop(watcher);
    T_INT(atomic_load(&changes), 3);
    T(fake_adb_received(&fake, "host:track-devices-l"));
    T_INT(fake.connections, 1);
    end();
}

static void
the_same_again_is_no_change(void) {
    static char copy[] = ONE; /* const, it may be the same bytes */
    begin();
    atomic_store(&fake.tracked, ONE);
    start();
    int before = atomic_load(&asked);
    atomic_store(&fake.tracked, copy);
    T(comes(&asked, before + 1));
    T_INT(atomic_load(&changes), 0);
    end();
}

static void
an_old_server_is_asked_in_its_words(void) {
    begin();
    fake.tracks_short = true;
    start();
    atomic_store(&fake.tracked, ONE);
    T(comes(&changes, 1));
    end();
}

static void
a_server_that_goes_and_comes_is_told(void) {
    begin();
    atomic_store(&fake.tracked, ONE);
    start();
    atomic_store(&fake.tracked, NULL);
    T(comes(&changes, 1));
    atomic_store(&fake.tracked, ONE);
    T(comes(&changes, 2));
    end();
}

static void
it_goes_on_only_while_it_is_wanted(void) {
    begin();
    start();
    int before = atomic_load(&asked);
    atomic_store(&wanted, false);
    atomic_store(&fake.tracked, ONE);
    T(comes(&changes, 1));
    T(comes(&asked, before + 2));
    /* The connection has gone, so others are served. */
    atomic_store(&wanted, true);
    start();
    atomic_store(&fake.tracked, TWO);
    T(comes(&changes, 2));
    end();
}

static void
it_may_be_started_often_and_again(void) {
    begin();
    sq_adb_watcher_stop(watcher);
    for (int i = 0; i < 5; i++) {
        sq_adb_watcher_start(watcher);
    }
    T(comes(&asked, 2));
    sq_adb_watcher_stop(watcher);
    T_INT(fake.connections, 1);
    start();
    sq_adb_watcher_stop(watcher);
    T_INT(fake.connections, 2);
    T_INT(atomic_load(&changes), 0);
    end();
}

static void
it_ends_at_once_whatever_it_waits_for(void) {
    /* For a list, for an answer, for a server: none of them comes. */
    for (int round = 0; round < 3; round++) {
        begin();
        fake.hangs = round == 1;
        if (round == 2) {
            fake_adb_stop(&fake);
        }
        sq_adb_watcher_start(watcher);
        T(comes(&asked, 1));
        usleep(20 * 1000);
        int64_t before = sq_clock_monotonic_ns();
        sq_adb_watcher_stop(watcher);
        /* Far from what any of its waits would take by itself. */
        T(sq_clock_monotonic_ns() - before < (int64_t)T_PATIENCE_MS * 1000000);
        sq_adb_watcher_destroy(watcher);
        sq_adb_destroy(adb);
        if (round < 2) {
            fake_adb_stop(&fake);
        }
    }
}

static void
nobody_who_is_not_there_is_started(void) {
    const struct sq_adb_options options = { .server = "tcp:127.0.0.1:1",
                                            .program = "/bin/false" };
    struct sq_err err = { 0 };
    T_OK(sq_adb_create(&options, &adb, &err), &err);
    create();
    start();
    T_INT(atomic_load(&changes), 0);
    sq_adb_watcher_destroy(watcher);
    sq_adb_destroy(adb);
}

static void
garbage_does_not_make_it_run_wild(void) {
    static const char *const garbage[] = { "HTTP/1.1 400 Bad Request\r\n\r\n",
                                           "OKAYzzzz", "OKAY00ffshort", "" };
    for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
        begin();
        fake.garbage = garbage[i];
        fake.garbage_len = strlen(garbage[i]);
        int64_t before = sq_clock_monotonic_ns();
        sq_adb_watcher_start(watcher);
        T(comes(&asked, 1));
        usleep(100 * 1000);
        sq_adb_watcher_stop(watcher);
        /* It tries again after a pause, more often on a slow machine. */
        int64_t pauses = (sq_clock_monotonic_ns() - before) / PAUSE_NS;
        T(fake.connections <= 2 + pauses);
        T_INT(atomic_load(&changes), 0);
        end();
    }
}

static bool
create_one(void *context, struct sq_err *err) {
    struct sq_adb_watcher *one = NULL;
    (void)context;
    bool ok = sq_adb_watcher_create(NULL, &listener, &one, err);
    sq_adb_watcher_destroy(one);
    return ok;
}

static void
without_memory_it_says_so(void) {
    T(t_alloc_torture(create_one, NULL) >= 2);
    sq_adb_watcher_destroy(NULL);
    sq_adb_watcher_stop(NULL);
}

T_MAIN(T_CASE(each_change_is_told), T_CASE(the_same_again_is_no_change),
       T_CASE(an_old_server_is_asked_in_its_words),
       T_CASE(a_server_that_goes_and_comes_is_told),
       T_CASE(it_goes_on_only_while_it_is_wanted),
       T_CASE(it_may_be_started_often_and_again),
       T_CASE(it_ends_at_once_whatever_it_waits_for),
       T_CASE(nobody_who_is_not_there_is_started),
       T_CASE(garbage_does_not_make_it_run_wild),
       T_CASE(without_memory_it_says_so))
