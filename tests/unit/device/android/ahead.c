/*
 * Connections that are prepared before they are needed; and lost, refused, or
 * late ones.
 */
#include <unistd.h>

#include "device/android/link.h"
#include "support/fake_adb.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/sockets.h"

#define LONG_MS T_PATIENCE_MS

static struct fake_adb fake;
static struct sq_adb *adb;
static struct sq_adb_link to;
static atomic_int commands;

static struct sq_deadline
test_deadline(void) {
    return sq_deadline_in(LONG_MS, NULL);
}

static void
answer(void *context, const char *command, struct fake_output *output) {
    atomic_fetch_add(&commands, 1);
    fake_print(output, command);
}

static void
start(void) {
    struct sq_deadline deadline = test_deadline();
    fake_adb_start(&fake);
    fake.command = answer;
    atomic_store(&commands, 0);
    adb = fake_adb_client(&fake);
    sq_adb_keep_connections(adb);
    T_OK(sq_adb_link_init(&to, adb, FAKE_ADB_INFO, &deadline, &t_err));
    fake_adb_clear_log(&fake);
}

static void
end(void) {
    sq_adb_link_finish(&to);
    sq_adb_destroy(adb);
    fake_adb_stop(&fake);
}

/* Runs a command that prints its own text. */
static bool
runs(const char *command, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    *err = (struct sq_err){ 0 };
    sq_adb_output_init(&output, 1000);
    bool ok = sq_adb_run(&to, sq_span_of(command), &output, &deadline, err);
    if (ok) {
        T_BYTES(output.out.data, output.out.len, command, strlen(command));
    }
    return ok;
}

/* The server notices a connection some time after it was made. */
static bool
becomes(int (*count)(void), int want) {
    for (int i = 0; i < LONG_MS && count() != want; i++) {
        usleep(1000);
    }
    return count() == want;
}

static int
made(void) {
    return atomic_load(&fake.connections);
}

static int
unanswered(void) {
    return atomic_load(&fake.unanswered);
}

static int
left_open(void) {
    return fake_adb_open(&fake);
}

static int
is_answered(void) {
    return to.next.is_open && !sq_socket_is_quiet(to.next.fd);
}

/*
 * The server has finished the last exchange and accepted the next connection.
 */
static void
settle(void) {
    T(becomes(is_answered, 1));
    T(becomes(left_open, 1));
}

T_FIXTURE(start, end);

T_CASE(each_exchange_uses_one_connection) {
    struct sq_err err;
    T(becomes(left_open, 0)); /* start() has left no connection open */
    for (int i = 1; i <= 20; i++) {
        T_OK(runs("id", &err), &err);
        settle();
        T_INT(made(), i + 1);
    }
    T_INT(commands, 20);
    sq_adb_link_finish(&to);
    T(becomes(left_open, 0));
}

T_CASE(finished_connection_is_closed_during_the_next_exchange) {
    struct sq_err err;
    sq_adb_link_finish(&to);
    T(becomes(left_open, 0));
    int before = t_count_open_files();
    for (int i = 0; i < 20; i++) {
        T_OK(runs("id", &err), &err);
        settle();
        T(to.last.is_open && to.next.is_open);
        /*
         * Both ends of the prepared connection, and ours of the finished one.
         */
        T_INT(t_count_open_files(), before + 3);
    }
    fake_adb_clear_log(&fake);
    fake.cut_at = 10;
    fake.cut_connection = 0;
    T_OK(runs("id", &err), &err);
    T(!runs("this breaks off", &err));
    T(!to.last.is_open);
    fake.cut_at = -1;
    sq_adb_link_finish(&to);
    T(becomes(left_open, 0));
    /* The server may not have accepted the last connection yet. */
    T(becomes(t_count_open_files, before));
}

T_CASE(prepared_connection_has_selected_the_device) {
    struct sq_err err;
    T_OK(runs("one", &err), &err);
    settle();
    /* New connections to the device are refused from now on. */
    fake.refusal = "device 'emulator-5554' not found";
    T_OK(runs("two", &err), &err);
    T(!runs("three", &err));
    T_INT(err.code, SQ_ERR_DEVICE_NOT_FOUND);
    T_INT(commands, 2);
    fake.refusal = NULL;
    T_OK(runs("four", &err), &err);
}

T_CASE(single_exchange_prepares_no_connection) {
    struct sq_err err;
    struct sq_deadline deadline = test_deadline();
    struct sq_adb *kept = adb;
    adb = fake_adb_client(&fake);
    T_OK(sq_adb_link_init(&to, adb, FAKE_ADB_INFO, &deadline, &err), &err);
    fake_adb_clear_log(&fake);
    T_OK(runs("one", &err), &err);
    T(!to.next.is_open);
    T(becomes(left_open, 0));
    T_INT(made(), 1);
    sq_adb_destroy(kept);
}

T_CASE(closed_connection_is_replaced) {
    struct sq_err err;
    T_OK(runs("id", &err), &err);
    for (int i = 0; i < 10; i++) {
        settle();
        fake_adb_close_connections(&fake);
        fake_adb_clear_log(&fake);
        T_OK(runs("id", &err), &err);
        /* One connection for the command, one prepared for the next. */
        T(becomes(made, 2));
    }
    T_INT(commands, 11);
}

T_BARE_CASE(stopped_server_is_reported) {
    struct sq_err err;
    start();
    T_OK(runs("id", &err), &err);
    T(to.next.is_open);
    fake_adb_stop(&fake);
    T(!runs("id", &err));
    T_INT(err.code, SQ_ERR_NOT_FOUND);
    T(err.hint[0]);
    T(!to.next.is_open);
    sq_adb_link_finish(&to);
    sq_adb_destroy(adb);
}

T_CASE(offline_device_is_reconnected) {
    struct sq_err err;
    T_OK(runs("one", &err), &err);
    settle();
    fake_adb_close_connections(&fake);
    fake.refusal = "device offline";
    fake.devices_back = fake.devices;
    T_OK(runs("two", &err), &err);
    T(fake_adb_received(&fake, "host:reconnect-offline"));
    T_INT(commands, 2);
}

/* The next connection is the prepared one. */
static void
breaks_at(long at) {
    struct sq_err err;
    int before = atomic_load(&commands);
    fake_adb_clear_log(&fake);
    fake.cut_at = at;
    fake.cut_connection = 0;
    T_OK(runs("one", &err), &err);
    T(becomes(is_answered, 1));
    bool ok = runs("two", &err);
    int times = atomic_load(&commands) - before - 1;
    if (at < 4) {
        /* It broke before the device received a request. */
        T_OK(ok, &err);
        T_INT(times, 1);
    } else {
        T(ok || err.code == SQ_ERR_DEVICE_OFFLINE);
        T(times <= 1);
    }
    T(ok == (at < 4 || at >= 4 + 4 + 5 + 3 + 6));
    fake.cut_at = -1;
    T_OK(runs("three", &err), &err);
    T_INT(atomic_load(&commands) - before, 2 + times);
}

T_CASE(break_at_any_byte_never_runs_a_command_twice) {
    struct sq_err err;
    T_OK(runs("zero", &err), &err);
    for (long at = 0; at < 30; at++) {
        settle();
        breaks_at(at);
    }
}

static void
answer_and_hang(void *context, const char *command,
                struct fake_output *output) {
    answer(context, command, output);
    fake.hangs = true;
}

T_BARE_CASE(unanswered_connection_delays_no_call) {
    struct sq_err err;
    struct sq_cancel *cancel = NULL;
    struct sq_adb_output output;
    for (int round = 0; round < 2; round++) {
        start();
        fake.command = answer_and_hang;
        T_OK(runs("one", &err), &err);
        T(becomes(unanswered, 1) && becomes(left_open, 1));
        fake.hangs = false;
        fake.command = answer;
        if (round == 0) {
            T_OK(sq_cancel_create(&cancel, &err), &err);
            sq_cancel_set(cancel);
            struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
            sq_adb_output_init(&output, 1000);
            T(!sq_adb_run(&to, SQ_SPAN("two"), &output, &deadline, &err));
            T_INT(err.code, SQ_ERR_CANCELLED);
            sq_adb_output_finish(&output);
            sq_cancel_destroy(cancel);
        }
        T_OK(runs("three", &err), &err);
        T_INT(commands, 2);
        end();
    }
}

T_CASE(invalid_answer_replaces_the_connection) {
    static const char *const garbage[] = { "HTTP/1.1 400\r\n", "FAILzzzz",
                                           "OKAYmore", "FAIL", "" };
    struct sq_err err;
    T_OK(runs("zero", &err), &err);
    for (size_t i = 0; i < SQ_COUNT(garbage); i++) {
        settle();
        fake_adb_clear_log(&fake);
        fake.garbage = garbage[i];
        fake.garbage_len = strlen(garbage[i]);
        T_OK(runs("one", &err), &err);
        T(becomes(is_answered, 1));
        T(becomes(left_open, 0));
        fake.garbage = NULL;
        T_OK(runs("two", &err), &err);
    }
    T_INT(commands, 11);
}

static bool
give_file(void *context, const char *path, struct fake_output *output) {
    fake_print(output, path);
    return true;
}

T_CASE(file_transfers_use_prepared_connections) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_deadline deadline = test_deadline();
    fake.file = give_file;
    sq_adb_output_init(&output, 1000);
    T_OK(runs("one", &t_err));
    T_OK(sq_adb_pull(&to, "/a", &output, &deadline, &t_err));
    T_OK(runs("two", &t_err));
    T(becomes(made, 4));
    T_BYTES(output.out.data, output.out.len, "/a", 2);
}

static bool
run_twice(void *context, struct sq_err *err) {
    struct sq_err second;
    if (!runs("one", err)) {
        return false;
    }
    bool ok = runs("two", &second);
    *err = second;
    return ok;
}

T_BARE_CASE(out_of_memory_is_reported) {
    struct sq_err err;
    start();
    T(t_alloc_torture(run_twice, NULL) >= 5);
    T_OK(runs("id", &err), &err);
    end();
    sq_adb_link_finish(&(struct sq_adb_link){ 0 });
}
