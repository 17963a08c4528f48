/*
 * The list of devices that the server sends on changes, and servers that do
 * not.
 */
#include "device/android/adb.h"

#include <pthread.h>
#include <unistd.h>

#include "device/android/link.h"
#include "support/fake_adb.h"
#include "support/test.h"

#define LONG_MS T_PATIENCE_MS
#define ASKED "asked                  device transport_id:9\n"
#define ONE "emulator-5554          device transport_id:1\n"
#define TWO ONE "R5CT30                 unauthorized transport_id:2\n"
#define MAX_LIST SQ_ADB_MAX_REQUEST

static struct fake_adb fake;
static struct sq_adb *adb;

/* The list on request and the tracked list are different. */
static void
start(void) {
    fake_adb_start(&fake);
    fake.devices = ASKED;
    atomic_store(&fake.tracked, ONE);
    adb = fake_adb_client(&fake);
    sq_adb_keep_connections(adb);
}

static void
end(void) {
    sq_adb_destroy(adb);
    fake_adb_stop(&fake);
}

static bool
lists_within(int timeout_ms, const char *want, struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    T_BUF(list, MAX_LIST);
    return sq_adb_list(adb, &list, &deadline, err) && list.len == strlen(want)
        && (list.len == 0 || memcmp(list.data, want, list.len) == 0);
}

static bool
lists(const char *want) {
    return lists_within(LONG_MS, want, &t_err);
}

/* The server needs some time to send; it never takes that long. */
static bool
becomes_listed(const char *want) {
    for (int i = 0; i < LONG_MS / 2; i++) {
        if (lists(want)) {
            return true;
        }
        usleep(2000);
    }
    return false;
}

T_FIXTURE(start, NULL);

T_CASE(list_is_received_by_tracking) {
    for (int i = 0; i < 20; i++) {
        T(lists(ONE));
    }
    atomic_store(&fake.tracked, TWO);
    T(becomes_listed(TWO));
    atomic_store(&fake.tracked, "");
    T(becomes_listed(""));
    atomic_store(&fake.tracked, ONE);
    T(becomes_listed(ONE));
    T(fake_adb_received(&fake, "host:track-devices-l"));
    T(!fake_adb_received(&fake, "host:devices-l"));
    T_INT(fake.connections, 1);
    end();
}

T_CASE(single_request_does_not_track) {
    struct sq_adb *once;
    once = adb;
    adb = fake_adb_client(&fake);
    T(lists(ASKED));
    T(lists(ASKED));
    T_INT(fake.connections, 2);
    T(!fake_adb_received(&fake, "track"));
    sq_adb_destroy(once);
    end();
}

T_BARE_CASE(only_a_local_server_is_tracked) {
    static const struct {
        const char *server;
        bool kept;
    } cases[] = {
        { "tcp:127.0.0.1:5", true },     { "tcp:localhost:5", true },
        { "tcp:192.0.2.7:5037", false }, { "tcp:host.example:5037", false },
        { "localfilesystem:/x", true },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const struct sq_adb_options options = { .server = cases[i].server };
        T_OK(sq_adb_create(&options, &adb, &t_err));
        T(!adb->keeps_connections);
        sq_adb_keep_connections(adb);
        T_INT(adb->keeps_connections, cases[i].kept);
        sq_adb_destroy(adb);
    }
}

T_CASE(last_of_several_lists_is_used) {
    static const char many[] = "0000"
                               "0004old\n"
                               "0004new\n";
    T(lists(ONE));
    atomic_store(&fake.tracked_raw, many);
    T(becomes_listed("new\n"));
    T_INT(fake.connections, 1);
    end();
}

static void *
send_rest(void *rest) {
    usleep(20 * 1000);
    atomic_store(&fake.tracked_raw, rest);
    return NULL;
}

static void
await_sent(void) {
    while (atomic_load(&fake.tracked_raw)) {
        usleep(1000);
    }
}

T_BARE_CASE(list_in_pieces_is_awaited) {
    static char whole[] = "0006later\n";
    for (size_t cut = 1; cut < strlen(whole); cut += 2) {
        pthread_t rest;
        start();
        T(lists(ONE));
        atomic_store(&fake.tracked_raw, t_text("%.*s", (int)cut, whole));
        await_sent();
        T(pthread_create(&rest, NULL, send_rest, whole + cut) == 0);
        T(lists("later\n"));
        pthread_join(rest, NULL);
        T_INT(fake.connections, 1);
        end();
    }
}

T_CASE(incomplete_list_is_not_awaited) {
    T(lists(ONE));
    atomic_store(&fake.tracked_raw, "0006lat");
    await_sent();
    T_FAILS(lists_within(30, ONE, &t_err), SQ_ERR_TIMEOUT);
    T(lists(ONE));
    T_INT(fake.connections, 2);
    /* With time left, the server is asked again immediately. */
    atomic_store(&fake.tracked_raw, "0006lat");
    await_sent();
    T(lists(ONE));
    T_INT(fake.connections, 3);
    end();
}

T_CASE(invalid_list_restarts_tracking) {
    static const char *const wrong[] = { "zzzz", "-001x", "HTTP/1.1 400\r\n" };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T(lists(ONE));
        fake_adb_clear_log(&fake);
        atomic_store(&fake.tracked_raw, wrong[i]);
        await_sent();
        T(lists(ONE));
        T_INT(fake.connections, 1);
    }
    T(!fake_adb_received(&fake, "host:devices-l"));
    end();
}

T_BARE_CASE(longest_list_fits) {
    char *longest = malloc(MAX_LIST + 1);
    memset(longest, 'x', MAX_LIST);
    longest[MAX_LIST] = '\0';
    start();
    T(lists(ONE));
    atomic_store(&fake.tracked, longest);
    T(becomes_listed(longest));
    T_INT(fake.connections, 1);
    atomic_store(&fake.tracked, ONE);
    T(becomes_listed(ONE));
    end();
    free(longest);
}

T_CASE(restarted_server_is_asked_again) {
    T(lists(ONE));
    for (int i = 0; i < 3; i++) {
        atomic_store(&fake.tracked, i % 2 ? ONE : TWO);
        fake_adb_close_connections(&fake);
        T(becomes_listed(i % 2 ? ONE : TWO));
        T_INT(fake.connections, i + 2);
    }
    T(!fake_adb_received(&fake, "host:devices-l"));
    end();
}

T_CASE(stopped_server_is_reported) {
    T(lists(ONE));
    fake_adb_stop(&fake);
    T_FAILS(lists_within(LONG_MS, ONE, &t_err), SQ_ERR_NOT_FOUND);
    T(t_err.hint[0]);
    sq_adb_destroy(adb);
}

T_CASE(old_server_is_asked_each_time) {
    fake.tracks_short = true;
    T(lists(ASKED));
    T(lists(ASKED));
    T(lists(ASKED));
    /* The server has replied once that it does not know the request. */
    T_INT(fake.connections, 4);
    end();
}

T_CASE(broken_tracking_connection_falls_back_to_a_request) {
    atomic_store(&fake.tracked, NULL);
    T(lists(ASKED));
    T(lists(ASKED));
    T_INT(fake.connections, 3);
    end();
}

T_CASE(silent_server_ends_with_the_deadline_or_a_cancel) {
    struct sq_cancel *cancel = NULL;
    struct sq_buf list;
    fake.hangs = true;
    T_FAILS(lists_within(30, "", &t_err), SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &t_err));
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
    sq_cancel_set(cancel);
    sq_buf_init(&list, MAX_LIST);
    T_FAILS(sq_adb_list(adb, &list, &deadline, &t_err), SQ_ERR_CANCELLED);
    T_INT(list.len, 0);
    sq_cancel_destroy(cancel);
    end();
}

#define THREADS 4
#define CHANGES 100

static atomic_bool is_over;

/* Each list has one letter, so a mixture of two is visible. */
static void *
list_often(void *context) {
    int *wrong = context;
    T_BUF(list, MAX_LIST);
    while (!atomic_load(&is_over)) {
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
        sq_buf_clear(&list);
        bool ok = sq_adb_list(adb, &list, &deadline, NULL) && list.len > 0;
        for (size_t i = 1; ok && i < list.len; i++) {
            ok = list.data[i] == list.data[0];
        }
        *wrong += !ok;
    }
    return NULL;
}

T_CASE(threads_can_share_the_list) {
    static char letters[2][MAX_LIST];
    pthread_t threads[THREADS];
    int wrong[THREADS] = { 0 };
    memset(letters[0], 'a', MAX_LIST - 1);
    memset(letters[1], 'b', MAX_LIST / 2);
    atomic_store(&fake.tracked, letters[0]);
    atomic_store(&is_over, false);
    for (size_t i = 0; i < THREADS; i++) {
        T(pthread_create(&threads[i], NULL, list_often, &wrong[i]) == 0);
    }
    for (int i = 0; i < CHANGES; i++) {
        usleep(3000);
        atomic_store(&fake.tracked, letters[i % 2]);
    }
    atomic_store(&is_over, true);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        T_INT(wrong[i], 0);
    }
    T_INT(fake.connections, 1);
    end();
}

static bool
list_after_reconnect(void *address, struct sq_err *err) {
    const struct sq_adb_options options = { .server = address,
                                            .never_start = true };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    sq_adb_destroy(adb);
    adb = NULL;
    if (!sq_adb_create(&options, &adb, err)) {
        return false;
    }
    sq_adb_keep_connections(adb);
    T_BUF(list, MAX_LIST);
    bool ok = sq_adb_list(adb, &list, &deadline, err);
    T(!ok || list.len == strlen(ONE) || list.len == strlen(ASKED));
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    char address[64];
    snprintf(address, sizeof(address), "tcp:127.0.0.1:%d", fake.port);
    T(t_alloc_torture(list_after_reconnect, address) >= 5);
    T(lists(ONE));
    sq_adb_device_list_destroy(NULL);
    end();
}
