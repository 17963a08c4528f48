/*
 * vanish PORT SERIAL LOG [whole]: the phone disconnects at every byte of every
 * exchange of every operation; TAP.
 *
 * Operations run like a client's calls, from their JSON on, with the demo phone
 * connected to the real adb, so every byte is what adb sends. A relay between
 * squint and the adb server breaks the connection after N bytes of answers,
 * counted over all exchanges of a call. With N = 0, 1, 2, ... until the call
 * succeeds, every offset of every exchange is tried; each takes a millisecond
 * or two. Breaking the phone's own link instead simulates unplugging; adb then
 * has to connect again, which takes longer, so fewer offsets are tried.
 *
 * For every N: there is one error that says what to do, nothing is done twice,
 * points and lists keep their meaning, and the next call works. Without
 * "whole", which `make vanish` adds, a fixed selection of offsets is tried: all
 * near both ends of a call, and some between.
 */
#include "adb/vanish.h"

#include "support/test.h"
#include "sys/clock.h"
#include "util/limits.h"

/* Which offsets are tried: all within `edge` bytes of both ends, and between
 * them every `stride`-th. */
struct pace {
    long edge;
    long stride; /* a prime, so that it does not match a pattern of the bytes */
};

static const struct pace every = { 0, 1 };
static const struct pace most = { 2000, 97 };
static const struct pace some = { 16, 211 };
static const struct pace few = { 8, 499 };
static const struct pace fewer = { 2, 1999 };
static const struct pace fewest = { 1, 4999 };

#define SHORT_MS 40
#define LATE_MS T_PATIENCE_MS
#define RECEIPT_ROUNDS 8

static bool is_whole_run;

static void
prefer_png(void) {
    vanish_phone()->format.time[SQ_CAPTURE_RAW].ns = INT64_MAX;
    vanish_phone()->format.time[SQ_CAPTURE_PNG].ns = 1;
}

static bool
ask_screen(void) {
    struct sq_deadline deadline = vanish_deadline();
    struct sq_screen screen = { .density = -1 };
    bool ok = sq_device_screen(&vanish_phone()->base, &screen, &deadline,
                               vanish_error());
    T(ok ? screen.size.width == VANISH_WIDTH
               && screen.size.height == VANISH_HEIGHT
         : screen.density == -1);
    return ok;
}

static bool
ask_app(void) {
    struct sq_deadline deadline = vanish_deadline();
    struct sq_app app = { .package = "untouched" };
    bool ok = sq_device_current_app(&vanish_phone()->base, &app, &deadline,
                                    vanish_error());
    T_STR(app.package, ok ? VANISH_APP : "untouched");
    return ok;
}

/* Asks the server for its devices, and one of them for its features. */
static bool
open_anew(void) {
    vanish_close_devices();
    return vanish_run("key", "'name':'volume_up','receipt':'none'");
}

#define CLOCK "'packageName':'com.squint.demo.clock'"
#define NO_RECEIPT "'receipt':'none'"

static const struct vanish_call calls[] = {
    { .name = "devices", .run = vanish_list },
    { .name = "open", .run = open_anew, .act = "input keyevent" },
    { .name = "screen", .run = ask_screen },
    { .name = "current app", .run = ask_app },
    { .name = "screenshot",
      .arguments = "'elements':false,'maxDimension':32",
      .answer = "\"image\":{\"width\":16,\"height\":32}" },
    { .name = "screenshot",
      .arguments = "'elements':false,'maxDimension':32",
      .answer = "\"image\":{\"width\":16,\"height\":32}",
      .prepare = prefer_png },
    { .name = "dump", .arguments = "", .answer = "\"elements\":[" },
    { .name = "tap",
      .arguments = "'x':3,'y':5," NO_RECEIPT,
      .answer = "\"deviceX\":6,\"deviceY\":10",
      .act = "input tap 6 10" },
    { .name = "tap",
      .arguments = "'x':3,'y':5,'numberOfTaps':2," NO_RECEIPT,
      .answer = "\"deviceX\":6,\"deviceY\":10",
      .act = "input tap 6 10" },
    { .name = "swipe",
      .arguments = "'from':{'x':2,'y':40},'to':{'x':2,'y':30},"
                   "'durationMs':1," NO_RECEIPT,
      .answer = "\"swiped\":",
      .act = "input swipe" },
    { .name = "key",
      .arguments = "'name':'volume_up'," NO_RECEIPT,
      .answer = "\"pressed\":",
      .act = "input keyevent" },
    { .name = "input",
      .arguments = "'text':'two  words'," NO_RECEIPT,
      .answer = "\"typed\":",
      .act = "input text" },
    { .name = "input",
      .arguments = "'text':'\xe4\xbd\xa0\xe5\xa5\xbd'," NO_RECEIPT,
      .answer = "\"typed\":",
      .act = "am broadcast",
      .before = "ime set com.android.adbkeyboard/.AdbIME",
      .after = "ime reset" },
    { .name = "input",
      .arguments = "'text':'\xe4\xbd\xa0\xe5\xa5\xbd'," NO_RECEIPT,
      .answer = "\"typed\":",
      .act = "am broadcast",
      .before = "squint-fault clipboard-helper,no-clipboard",
      .after = "squint-fault none" },
    { .name = "launch",
      .arguments = CLOCK "," NO_RECEIPT,
      .answer = "\"launched\":",
      .act = "am start" },
    { .name = "stop",
      .arguments = CLOCK "," NO_RECEIPT,
      .answer = "\"stopped\":",
      .act = "am force-stop" },
    { .name = "open",
      .arguments = "'url':'https://shop.squint.example/'," NO_RECEIPT,
      .answer = "\"opened\":",
      .act = "am start" },
    { .name = "rotate",
      .arguments = "'orientation':'portrait'," NO_RECEIPT,
      .answer = "\"orientation\":",
      .act = "settings put" },
    { .name = "reset",
      .arguments = CLOCK ",'confirm':true," NO_RECEIPT,
      .answer = "\"reset\":",
      .act = "pm clear" },
    { .name = "info", .arguments = "", .answer = "\"model\":" },
    { .name = "notifications",
      .arguments = "",
      .answer = "\"notifications\":" },
    { .name = "apps", .arguments = "", .answer = VANISH_APP },
};
#define CALLS (SQ_COUNT(calls))

/*
 * The offset after this one. total is about where the call succeeds: the answer
 * may be longer than the first time, by a line or so.
 */
static long
next_offset(long at, long total, const struct pace *pace) {
    long last = total - pace->edge;
    if (at > total) {
        return at + (pace->stride > 1 ? 16 : 1);
    }
    if (at < pace->edge || at >= last) {
        return at + 1;
    }
    return at + pace->stride < last ? at + pace->stride : last;
}

/* The offsets of a whole run, or those of a normal test run. */
static const struct pace *
choose(const struct pace *whole, const struct pace *sample) {
    return is_whole_run ? whole : sample;
}

static void
break_at(const struct vanish_call *call, enum adb_relay_way way,
         const struct pace *pace) {
    long total = vanish_begin(call);
    for (long at = 0; vanish_round(call, at, way);
         at = next_offset(at, total, pace)) {
    }
    vanish_end(call);
}

T_CASE(connection_closes_at_every_byte) {
    for (size_t i = 0; i < CALLS; i++) {
        break_at(&calls[i], ADB_RELAY_CLOSES, choose(&every, &few));
    }
}

T_CASE(connection_is_reset_at_every_byte) {
    for (size_t i = 0; i < CALLS; i++) {
        break_at(&calls[i], ADB_RELAY_RESETS, choose(&some, &fewer));
    }
}

T_CASE(connection_stalls_and_call_is_cancelled) {
    for (size_t i = 0; i < CALLS; i++) {
        /* These cannot be cancelled by a client. */
        if (!calls[i].run) {
            break_at(&calls[i], ADB_RELAY_STALLS, choose(&some, &fewer));
        }
    }
}

T_CASE(phone_is_unplugged) {
    for (size_t i = 1; i < CALLS; i++) {
        const struct vanish_call *call = &calls[i];
        const struct pace *pace = choose(&most, &fewest);
        long total = vanish_begin(call);
        for (long at = 0; vanish_unplug(call, at);
             at = next_offset(at, total, pace)) {
        }
        vanish_end(call);
    }
}

/* Its answers have no marked end, or can transfer text only. */
T_CASE(older_phone_disconnects) {
    static const struct {
        const char *faults;
        enum sq_adb_shell shell;
    } phones[] = { { "old-shell,old-frame", SQ_ADB_EXEC },
                   { "old-shell,old-frame,no-exec", SQ_ADB_TERMINAL } };
    for (size_t i = 0; i < SQ_COUNT(phones); i++) {
        vanish_change_phone(phones[i].faults, phones[i].shell);
        for (size_t k = 0; k < CALLS; k++) {
            if (!calls[k].before) {
                break_at(&calls[k], ADB_RELAY_CLOSES, choose(&every, &fewer));
            }
        }
    }
    vanish_change_phone("none", SQ_ADB_SHELL_V2);
}

/* Requests to a device that never answers. */
static bool
capture(const struct sq_deadline *deadline, struct sq_err *err) {
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_device_capture(&vanish_phone()->base, NULL, &capture, deadline, err);
    T_INT(capture.bytes.len > 0, ok);
    return ok;
}

static bool
list_elements(const struct sq_deadline *deadline, struct sq_err *err) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    return sq_device_tree(&vanish_phone()->base, &tree, deadline, err);
}

static bool
tap(const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_touch touch = { .at = { 1, 1 }, .count = 1 };
    return sq_device_tap(&vanish_phone()->base, &touch, deadline, err);
}

static bool
type(const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_text(&vanish_phone()->base, SQ_SPAN("a"), deadline, err);
}

static bool
launch(const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_launch(&vanish_phone()->base, VANISH_APP, deadline, err);
}

T_CASE(connection_stalls_until_the_deadline) {
    static bool (*const asked[])(const struct sq_deadline *deadline,
                                 struct sq_err *err) = { capture, list_elements,
                                                         tap, type, launch };
    /* In both replies of the server, in a packet's header and after that. */
    static const long offsets[] = { 0, 6, 10, 13 };
    for (size_t i = 0; i < 20; i++) {
        struct sq_err err = { 0 };
        vanish_stall_at(offsets[i % 4]);
        vanish_slow_down(false);
        int64_t start = sq_clock_monotonic_ns();
        struct sq_deadline deadline = sq_deadline_in(SHORT_MS, NULL);
        T(!asked[i / 4](&deadline, &err));
        T(err.code == SQ_ERR_TIMEOUT && err.message[0]);
        T(sq_clock_monotonic_ns() - start < (int64_t)LATE_MS * 1000000);
        vanish_slow_down(true);
        vanish_stall_at(-1);
        deadline = vanish_deadline();
        T_OK(asked[i / 4](&deadline, &(struct sq_err){ 0 }), &err);
    }
}

/*
 * There are many captures before and after: some offsets in each. A busy
 * machine takes fewer of them than the first time, or more, so an offset that
 * the call did not reach is where it ends from now on.
 */
T_CASE(performed_action_is_reported_if_the_receipt_fails) {
    static const struct vanish_call call = {
        .name = "tap",
        .arguments = "'x':3,'y':5,'receipt':'fast'",
        .answer = "\"deviceX\":6,\"deviceY\":10",
        .act = "input tap 6 10",
    };
    long total = vanish_begin(&call);
    for (int i = 0; i < RECEIPT_ROUNDS; i++) {
        long at = total * i / RECEIPT_ROUNDS;
        while (!vanish_round(&call, at, ADB_RELAY_CLOSES) && T(at > 0)) {
            total = at;
            at = total * i / RECEIPT_ROUNDS;
        }
    }
    vanish_end(&call);
}

/* Runs last, because kept connections affect the cases after it. */
T_CASE(session_keeps_its_connections) {
    vanish_keep_connections();
    for (size_t i = 0; i < CALLS; i++) {
        break_at(&calls[i], ADB_RELAY_CLOSES, choose(&every, &fewer));
    }
}

/* Each takes more than a second, because a phone changes keyboards slowly. */
static void
previous_keyboard_is_restored(void) {
    static const struct vanish_call call = {
        .name = "input",
        .arguments = "'text':'\xe4\xbd\xa0\xe5\xa5\xbd'," NO_RECEIPT,
        .answer = "\"typed\":",
        .act = "am broadcast",
        .before = "squint-fault no-clipboard",
        .after = "squint-fault none",
    };
    static const char ask[] = "settings get secure default_input_method";
    char usual[100];
    char now[100];
    vanish_shell_output(ask, usual, sizeof(usual));
    long total = vanish_begin(&call);
    for (long left = 1; left < total; left = 2 * left + 5) {
        T(vanish_round(&call, total - left, ADB_RELAY_CLOSES));
        vanish_shell_output(ask, now, sizeof(now));
        T_STR(now, usual);
    }
    vanish_end(&call);
}

int
main(int argc, char **argv) {
    int64_t port;
    if (argc < 4 || !sq_span_to_int64(sq_span_of(argv[1]), &port)) {
        fprintf(stderr, "usage: vanish PORT SERIAL LOG [whole]\n");
        return 2;
    }
    is_whole_run = argc > 4 && strcmp(argv[4], "whole") == 0;
    vanish_start((int)port, argv[2], argv[3]);
    if (is_whole_run) {
        t_add("previous_keyboard_is_restored", previous_keyboard_is_restored);
    }
    int status = t_run();
    vanish_stop();
    return status;
}
