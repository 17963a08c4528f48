/* Exchanges with a device: complete, refused, and broken at every byte. */
#include "device/android/link.h"

#include "support/fake_adb.h"
#include "support/test.h"

#define LONG_MS T_PATIENCE_MS
#define STATUS_BYTES 4 /* of the first answer to a connection */

static struct fake_adb fake;
static struct sq_adb *adb;
static struct sq_adb_link to;

static struct sq_deadline
test_deadline(void) {
    return sq_deadline_in(LONG_MS, NULL);
}

static void
answer(void *context, const char *command, struct fake_output *output) {
    fake_print(output, "you said: ");
    fake_print(output, command);
    snprintf(output->errors, sizeof(output->errors), "a warning\n");
    output->status = 5;
}

static void
start(const char *features) {
    struct sq_deadline deadline = test_deadline();
    fake_adb_start(&fake);
    fake.command = answer;
    fake.features = features;
    adb = fake_adb_client(&fake);
    T_OK(sq_adb_link_init(&to, adb, FAKE_ADB_INFO, &deadline, &t_err));
    fake_adb_clear_log(&fake);
}

static void
end(void) {
    sq_adb_destroy(adb);
    fake_adb_stop(&fake);
}

static bool
run(const char *command, struct sq_adb_output *output, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    sq_adb_output_init(output, 100000);
    return sq_adb_run(&to, sq_span_of(command), output, &deadline, err);
}

T_FIXTURE(NULL, end);

T_CASE(command_has_two_streams_and_a_status) {
    struct sq_adb_output output;
    start("cmd,shell_v2");
    for (size_t bytes = 0; bytes < 4; bytes++) {
        fake.packet_bytes = bytes;
        T_OK(run("echo 'x'", &output, &t_err));
        T_BYTES(output.out.data, output.out.len, "you said: echo 'x'", 18);
        T_BYTES(output.errors.data, output.errors.len, "a warning\n", 10);
        T_INT(output.status, 5);
        sq_adb_output_finish(&output);
    }
    T(fake_adb_received(&fake, "shell,v2,raw:echo 'x'"));
    T_INT(fake.connections, 4);
}

T_CASE(old_device_uses_one_stream) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    start("cmd,stat_v2");
    T_INT(to.shell, SQ_ADB_EXEC);
    T_OK(run("id", &output, &t_err));
    T_BYTES(output.out.data, output.out.len, "a warning\nyou said: id", 22);
    T_INT(output.status, 5);
    T(fake_adb_received(&fake, "exec:id"));
}

static void
open_oldest(void) {
    struct sq_deadline deadline = test_deadline();
    start("shell_v2");
    fake.features = "";
    fake.has_no_exec = true;
    T_OK(sq_adb_link_init(&to, adb, FAKE_ADB_INFO, &deadline, &t_err));
    T_INT(to.shell, SQ_ADB_TERMINAL);
    fake_adb_clear_log(&fake);
}

T_CASE(oldest_device_uses_a_terminal) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    open_oldest();
    T_OK(run("echo\r\nid", &output, &t_err));
    T_BYTES(output.out.data, output.out.len, "a warning\nyou said: echo\r\nid",
            28);
    T(fake_adb_received(&fake, "shell:echo\r\nid"));
    T_INT(fake.connections, 1);
}

/* An incomplete answer is never used. */
static void
check_breaks(void) {
    struct sq_adb_output output;
    bool ok = false;
    fake.cut_connection = -1;
    /* The first bytes only select the device. */
    for (fake.cut_at = 8; !ok; fake.cut_at++) {
        t_err = (struct sq_err){ 0 };
        ok = run("pm list packages", &output, &t_err);
        T(ok || t_err.code == SQ_ERR_DEVICE_OFFLINE);
        sq_adb_output_finish(&output);
    }
    T(fake.cut_at > 50);
    T_INT(output.status, 5);
}

T_CASE(answer_without_its_end_is_an_error) {
    start("");
    T_INT(to.shell, SQ_ADB_EXEC);
    check_breaks();
    end();
    open_oldest();
    check_breaks();
}

T_CASE(binary_output_gets_no_end_mark) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_deadline deadline = test_deadline();
    start("");
    sq_adb_output_init(&output, 1000);
    output.is_binary = true;
    T_OK(sq_adb_run(&to, SQ_SPAN("screencap"), &output, &deadline, &t_err));
    T_STR(fake.log[0], "exec:screencap");
    T_BYTES(output.out.data, output.out.len, "a warning\nyou said: screencap",
            29);
}

T_CASE(device_without_services_is_refused) {
    struct sq_adb_link untouched = { .serial = "none" };
    struct sq_deadline deadline = test_deadline();
    start("shell_v2");
    fake.features = "";
    fake.refusal = "closed";
    T(!sq_adb_link_init(&untouched, adb, FAKE_ADB_INFO, &deadline, &t_err));
    T(t_err.hint[0]);
    fake.refusal = "device 'emulator-5554' not found";
    T_FAILS(sq_adb_link_init(&untouched, adb, FAKE_ADB_INFO, &deadline, &t_err),
            SQ_ERR_DEVICE_NOT_FOUND);
    T_STR(untouched.serial, "none");
}

static char file_bytes[200000];
static size_t file_len;

static bool
give_file(void *context, const char *path, struct fake_output *output) {
    if (strcmp(path, "/data/local/tmp/a file") != 0) {
        return false;
    }
    memcpy(output->out, file_bytes, file_len);
    output->out_len = file_len;
    return true;
}

static bool
pull_within(const char *path, struct sq_buf *out, int timeout_ms,
            struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    struct sq_adb_output output = { .out = *out };
    bool ok = sq_adb_pull(&to, path, &output, &deadline, err);
    *out = output.out;
    sq_quota_release(&output.memory);
    return ok;
}

static bool
pull(const char *path, struct sq_buf *out, struct sq_err *err) {
    return pull_within(path, out, LONG_MS, err);
}

static void
start_with_file(size_t len) {
    start("shell_v2");
    fake.file = give_file;
    file_len = len;
    for (size_t i = 0; i < len; i++) {
        file_bytes[i] = (char)t_random();
    }
}

T_BARE_CASE(complete_file_is_pulled) {
    static const size_t lens[] = { 0, 1, 65535, 65536, 65537, 200000 };
    struct sq_buf out;
    for (size_t i = 0; i < SQ_COUNT(lens); i++) {
        start_with_file(lens[i]);
        sq_buf_init(&out, lens[i]);
        T_OK(pull("/data/local/tmp/a file", &out, &t_err));
        T_BYTES(out.data, out.len, file_bytes, file_len);
        T_INT(fake.connections, 1);
        sq_buf_finish(&out);
        end();
    }
}

T_CASE(missing_or_too_large_file_is_refused_early) {
    struct sq_buf out;
    start_with_file(1000);
    sq_buf_init(&out, 1000);
    T_FAILS(pull("/data/nothing", &out, &t_err), SQ_ERR_NOT_FOUND);
    fake.file_size = 1001;
    T_FAILS(pull("/data/local/tmp/a file", &out, &t_err), SQ_ERR_LIMIT);
    T(!fake_adb_received(&fake, "RECV"));
    /* The device may also report a wrong size. */
    fake.file_size = 10;
    file_len = 1001;
    T_FAILS(pull("/data/local/tmp/a file", &out, &t_err), SQ_ERR_LIMIT);
    T_INT(out.len, 0);
    fake.max_chunk = 65537;
    fake.file_size = 0;
    file_len = 70000;
    sq_buf_finish(&out);
    sq_buf_init(&out, sizeof(file_bytes));
    T_FAILS(pull("/data/local/tmp/a file", &out, &t_err), SQ_ERR_FORMAT);
    sq_buf_finish(&out);
}

/* The server may be restarting, and the device has received nothing. */
T_CASE(request_closed_before_its_status_is_repeated) {
    start("shell_v2");
    for (long at = 0; at < STATUS_BYTES; at++) {
        struct sq_adb_output output;
        fake.cut_at = at;
        fake.cut_connection = 0;
        fake_adb_clear_log(&fake);
        T_OK(run("id", &output, &t_err));
        T_INT(fake.log_count, 1);
        sq_adb_output_finish(&output);
        fake.cut_connection = -1;
        fake_adb_clear_log(&fake);
        T_FAILS(run("id", &output, &t_err), SQ_ERR_IO);
        T(strstr(t_err.message, "closed the connection") && t_err.hint[0]);
        T_INT(fake.log_count, 0);
        sq_adb_output_finish(&output);
        fake.cut_at = -1;
    }
}

T_CASE(pull_broken_at_any_byte_is_an_error) {
    bool whole = false;
    start_with_file(100);
    fake.max_chunk = 40;
    T_BUF(out, 1000);
    for (long at = STATUS_BYTES; !whole; at++) {
        fake.cut_at = at;
        fake.cut_connection = 0;
        fake_adb_clear_log(&fake);
        whole = pull("/data/local/tmp/a file", &out, &t_err);
        T(whole || t_err.code == SQ_ERR_DEVICE_OFFLINE
          || t_err.code == SQ_ERR_IO);
        T(whole || (out.len == 0 && t_err.hint[0]));
        if (at % 9 == 0) {
            fake.cut_at = -1;
            T_OK(pull("/data/local/tmp/a file", &out, &t_err));
            sq_buf_clear(&out);
        }
    }
    T_BYTES(out.data, out.len, file_bytes, file_len);
}

T_CASE(pull_can_be_cancelled) {
    start_with_file(100);
    T_BUF(out, 1000);
    /* A piece that is announced and never arrives. */
    fake.sync_garbage = "DATA\5\0\0\0ab";
    fake.sync_garbage_len = 10;
    T_FAILS(pull_within("/data/local/tmp/a file", &out, 40, &t_err),
            SQ_ERR_TIMEOUT);
    T_INT(out.len, 0);
    fake.sync_garbage = NULL;
    T_OK(pull("/data/local/tmp/a file", &out, &t_err));
}

T_CASE(too_long_command_is_not_sent) {
    static char command[SQ_ADB_MAX_REQUEST + 10];
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    start("shell_v2");
    memset(command, 'x', sizeof(command) - 1);
    T_FAILS(run(command, &output, &t_err), SQ_ERR_LIMIT);
    T_INT(fake.log_count, 0);
}

T_CASE(errors_of_the_server_are_passed_on) {
    static const struct {
        const char *refusal;
        enum sq_err_code code;
    } cases[] = {
        { "device unauthorized.\nCheck the dialog.", SQ_ERR_DEVICE_OFFLINE },
        { "device 'emulator-5554' not found", SQ_ERR_DEVICE_NOT_FOUND },
        { "something new", SQ_ERR_IO },
    };
    struct sq_adb_output output;
    start("shell_v2");
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        fake.refusal = cases[i].refusal;
        T_FAILS(run("id", &output, &t_err), cases[i].code);
        sq_adb_output_finish(&output);
    }
    fake.refusal = NULL;
    T_OK(run("id", &output, &t_err));
    sq_adb_output_finish(&output);
}

T_CASE(offline_device_is_reconnected_once) {
    struct sq_adb_output output;
    start("shell_v2");
    fake.refusal = "device offline";
    fake.devices_back = fake.devices;
    T_OK(run("id", &output, &t_err));
    T(fake_adb_received(&fake, "host:reconnect-offline"));
    sq_adb_output_finish(&output);
    fake.devices_back = NULL;
    fake_adb_clear_log(&fake);
    T_FAILS(run("id", &output, &t_err), SQ_ERR_DEVICE_OFFLINE);
    T(!fake_adb_received(&fake, "host:reconnect-offline"));
    sq_adb_output_finish(&output);
}

T_BARE_CASE(break_at_any_byte_is_an_error_and_the_next_call_works) {
    static const char *const features[] = { "shell_v2", "cmd" };
    for (size_t f = 0; f < 2; f++) {
        struct sq_adb_output output;
        long whole = 0;
        start(features[f]);
        for (long at = STATUS_BYTES; whole == 0; at++) {
            fake.cut_at = at;
            /* Not only the first: a failure also looks for the server. */
            fake.cut_connection = -1;
            fake_adb_clear_log(&fake);
            if (run("id", &output, &t_err)) {
                /* Without packets a missing end cannot be detected. */
                whole = output.out.len >= 12 ? at : 0;
            } else {
                T(t_err.code == SQ_ERR_DEVICE_OFFLINE
                  || t_err.code == SQ_ERR_IO);
                T(t_err.message[0] && t_err.hint[0]);
            }
            sq_adb_output_finish(&output);
            if (at % 7 == 0) {
                fake.cut_at = -1;
                t_err = (struct sq_err){ 0 };
                T_OK(run("id", &output, &t_err));
                sq_adb_output_finish(&output);
            }
        }
        T(whole >= 20 && whole < 100);
        end();
    }
}

T_BARE_CASE(garbage_is_an_error) {
    static const char *const garbage[] = {
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "OKAYOKAY\7\1\0\0\0x",
        "FAILxxxx",
        "FAIL",
        "OKAYFAIL",
        "",
        "\n",
    };
    for (size_t i = 0; i < SQ_COUNT(garbage); i++) {
        struct sq_adb_output output;
        start("shell_v2");
        fake.garbage = garbage[i];
        fake.garbage_len = strlen(garbage[i]);
        T(!run("id", &output, &t_err));
        T(t_err.code == SQ_ERR_FORMAT || t_err.code == SQ_ERR_DEVICE_OFFLINE
          || t_err.code == SQ_ERR_IO);
        T(t_err.hint[0]);
        sq_adb_output_finish(&output);
        fake.garbage = NULL;
        T_OK(run("id", &output, &t_err));
        sq_adb_output_finish(&output);
        end();
    }
}

/* The bytes after both OKAY, as the device's shell sends them. */
T_CASE(wrong_lengths_are_errors_for_one_call_only) {
#define OPENED "OKAYOKAY"
    static const struct {
        const char *bytes;
        size_t len;
        enum sq_err_code code;
    } cases[] = {
        { OPENED "\1\377\377\377\377x", 14, SQ_ERR_LIMIT },
        { OPENED "\1\377\377\377\177x", 14, SQ_ERR_LIMIT },
        { OPENED "\1\2\0\0\0x", 14, SQ_ERR_DEVICE_OFFLINE },
        { OPENED "\1\1\0\0\0xyz\3\1\0\0\0\0", 22, SQ_ERR_FORMAT },
        { OPENED "\1\0\0\0\0x\3\1\0\0\0\0", 20, SQ_ERR_FORMAT },
        { OPENED "\3\0\0\0\0", 13, SQ_ERR_FORMAT },
        { OPENED "\3\2\0\0\0\0\0", 15, SQ_ERR_FORMAT },
        { OPENED "\3\377\377\377\377", 13, SQ_ERR_FORMAT },
        { "FAIL0100short", 13, SQ_ERR_IO },
        { "FAIL-001x", 9, SQ_ERR_FORMAT },
        { "OKAYFAILffffshort", 17, SQ_ERR_DEVICE_OFFLINE },
    };
    start("shell_v2");
    T_EACH(i, cases) {
        struct sq_adb_output output;
        fake.garbage = cases[i].bytes;
        fake.garbage_len = cases[i].len;
        T(!run("id", &output, &t_err));
        T_INT(t_err.code, cases[i].code);
        T(output.out.cap <= 100000);
        sq_adb_output_finish(&output);
        fake.garbage = NULL;
        t_err = (struct sq_err){ 0 };
        T_OK(run("id", &output, &t_err));
        sq_adb_output_finish(&output);
    }
}

T_CASE(silent_server_ends_with_the_deadline) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_cancel *cancel = NULL;
    start("shell_v2");
    fake.hangs = true;
    struct sq_deadline deadline = sq_deadline_in(30, NULL);
    sq_adb_output_init(&output, 1000);
    T_FAILS(sq_adb_run(&to, SQ_SPAN("id"), &output, &deadline, &t_err),
            SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_cancel_set(cancel);
    deadline = sq_deadline_in(LONG_MS, cancel);
    T_FAILS(sq_adb_run(&to, SQ_SPAN("id"), &output, &deadline, &t_err),
            SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
}

/* The error names the server; lost.c tries devices that do not answer. */
T_BARE_CASE(silent_server_error_has_a_hint) {
    for (int is_action = 0; is_action <= 1; is_action++) {
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        start("shell_v2");
        fake.hangs = true;
        struct sq_deadline deadline = sq_deadline_in(40, NULL);
        sq_adb_output_init(&output, 1000);
        output.is_action = is_action;
        T_FAILS(sq_adb_run(&to, SQ_SPAN("id"), &output, &deadline, &t_err),
                SQ_ERR_TIMEOUT);
        T_HAS(t_err.message, "the adb server at tcp:127.0.0.1:");
        T_HAS(t_err.hint, "start-server");
        end();
    }
}

T_CASE(server_has_its_own_limit) {
    start("shell_v2");
    fake.hangs = true;
    struct sq_deadline deadline = test_deadline();
    T_BUF(list, 1000);
    T_FAILS(sq_adb_ask(adb, "host:devices-l", &list, &deadline, &t_err),
            SQ_ERR_TIMEOUT);
    T(sq_deadline_left_ms(&deadline) > LONG_MS / 2);
    T_HAS(t_err.hint, "start-server");
}

static bool
run_once(void *context, struct sq_err *err) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    return run("id", &output, err)
        && pull("/data/local/tmp/a file", &output.out, err);
}

T_CASE(out_of_memory_is_reported) {
    start_with_file(100);
    T(t_alloc_torture(run_once, NULL) >= 5);
}
