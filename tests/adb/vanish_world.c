#include "adb/vanish.h"
#include "support/fake_device.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/file.h"

#define LONG_MS T_PATIENCE_MS
#define CONNECT_MS 5
#define MAX_LOG ((size_t)256 << 20)
/* Rounds between two taps. */
#define TAP_ROUNDS 16

/* What must not change while calls fail. */
struct state {
    struct sq_frame frame;
    char label[100]; /* of the first element of the latest list */
};

/* A call and its results since vanish_begin. */
struct walk {
    struct sq_buf picture; /* of a complete answer; empty: it has none */
    int exchanges;
    long bytes;
    long rounds;
    long sent;      /* commands that act */
    long logged;    /* how many the phone had logged before */
    long successes; /* calls */
    int64_t start_ns;
};

static struct fake_world world;
static struct adb_relay *relay;
static struct sq_adb *through; /* the relay */
static struct sq_adb *direct;
static struct sq_adb_link to_phone; /* by direct */
static struct sq_android *phone;
static const char *serial;
static const char *log_path;

static struct state state;
static char healthy_tap[sizeof(world.json)];
static struct walk walk;

struct sq_deadline
vanish_deadline(void) {
    return sq_deadline_in(LONG_MS, NULL);
}

void
vanish_slow_down(bool is_slow) {
    sq_clock_slow_down(is_slow ? FAKE_SLOWNESS : 1);
}

struct sq_android *
vanish_phone(void) {
    return phone;
}

struct sq_err *
vanish_error(void) {
    return &world.err;
}

void
vanish_shell_output(const char *command, char *out, size_t size) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_deadline deadline = vanish_deadline();
    sq_adb_output_init(&output, (size_t)1 << 20);
    T_OK(
        sq_adb_run(&to_phone, sq_span_of(command), &output, &deadline, &t_err));
    T_INT(output.status, 0);
    snprintf(out, size, "%.*s", (int)output.out.len,
             output.out.len ? (const char *)output.out.data : "");
}

static void
tell(const char *command) {
    char ignored[1];
    vanish_shell_output(command, ignored, sizeof(ignored));
}

/* Sends a request about the phone; the answer is ignored. */
static void
ask_server(const char *request) {
    char all[200];
    struct sq_deadline deadline = vanish_deadline();
    T_BUF(answer, 10000);
    snprintf(all, sizeof(all), "%s:%s", request, serial);
    sq_adb_ask(direct, all, &answer, &deadline, NULL);
}

/*
 * The server may still be busy with the broken connection. In one of 20,000
 * cases version 29 exits there ("failed to unregister fd -1 with epoll"), and
 * is started again.
 */
static void
connect_anew(void) {
    struct sq_err err = { 0 };
    struct sq_deadline deadline = vanish_deadline();
    struct sq_device_info info = { 0 };
    snprintf(info.id, sizeof(info.id), "%s", serial);
    do {
        ask_server("host:disconnect");
        ask_server("host:connect");
        err = (struct sq_err){ 0 };
    } while (!sq_adb_link_init(&to_phone, direct, &info, &deadline, &err)
             && sq_wait_ms(CONNECT_MS, &deadline, NULL));
    T_OK(err.code == SQ_ERR_NONE, &err);
}

bool
vanish_run(const char *name, const char *arguments) {
    char all[1000];
    snprintf(all, sizeof(all), "{'deviceId':'%s'%s%s}", serial,
             arguments[0] ? "," : "", arguments);
    return fake_run(&world, name, all);
}

bool
vanish_list(void) {
    T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    struct sq_deadline deadline = vanish_deadline();
    bool found = false;
    bool ok = T_OK(sq_devices_list(world.devices, &list, &deadline, &world.err),
                   &world.err);
    for (size_t i = 0; ok && i < list.count; i++) {
        found = found || strcmp(list.items[i].id, serial) == 0;
    }
    if (list.problem_count > 0) {
        world.err = list.problems[0].err;
    }
    T_INT(found, list.problem_count == 0);
    return found;
}

/* Opens it again even if it is open: after a reconnect it is another device. */
static void
open_phone(void) {
    struct sq_device *device = NULL;
    struct sq_deadline deadline = vanish_deadline();
    if (T_OK(sq_devices_open(world.devices, serial, &deadline, &device, NULL,
                             &t_err))) {
        phone = (struct sq_android *)device;
        sq_devices_release(world.devices, device);
    }
}

void
vanish_close_devices(void) {
    const struct sq_devices_options options = { .adb = through };
    sq_devices_destroy(world.devices);
    world.devices = NULL;
    T_OK(sq_devices_create(NULL, &options, &world.devices, &t_err));
    phone = NULL;
}

static void
follow(long cut_at, enum adb_relay_way way, const char *watched) {
    const struct adb_relay_plan plan = { cut_at, way, world.cancel, watched };
    adb_relay_follow(relay, &plan);
}

static void
follow_nothing(void) {
    follow(-1, ADB_RELAY_CLOSES, NULL);
}

void
vanish_stall_at(long at) {
    follow(at, at < 0 ? ADB_RELAY_CLOSES : ADB_RELAY_STALLS, NULL);
}

static struct sq_adb *
client_of(int port, char address[64], bool may_start) {
    struct sq_adb *adb = NULL;
    snprintf(address, 64, "tcp:127.0.0.1:%d", port);
    const struct sq_adb_options options = { .server = address,
                                            .never_start = !may_start };
    T_OK(sq_adb_create(&options, &adb, &t_err));
    return adb;
}

void
vanish_change_phone(const char *faults, enum sq_adb_shell shell) {
    char command[100];
    snprintf(command, sizeof(command), "squint-fault none,%s", faults);
    tell(command);
    connect_anew();
    T_INT(to_phone.shell, shell);
    vanish_close_devices();
    open_phone();
}

void
vanish_start(int port, const char *phone_serial, const char *phone_log) {
    static char addresses[2][64];
    char size[40];
    int relay_port;
    vanish_slow_down(true);
    serial = phone_serial;
    log_path = phone_log;
    t_scratch_start();
    relay = adb_relay_start(port, &relay_port);
    through = client_of(relay_port, addresses[0], false);
    direct = client_of(port, addresses[1], true);
    connect_anew();
    snprintf(size, sizeof(size), "wm size %dx%d", VANISH_WIDTH, VANISH_HEIGHT);
    tell(size);
    fake_world_start(&world, t_scratch());
    vanish_close_devices();
    open_phone();
}

void
vanish_stop(void) {
    sq_buf_finish(&walk.picture);
    fake_world_end(&world);
    sq_adb_destroy(through);
    sq_adb_destroy(direct);
    adb_relay_stop(relay);
    t_scratch_end();
}

void
vanish_keep_connections(void) {
    sq_adb_keep_connections(through);
}

/* How often the phone has run a command that contains this text. */
static long
count_logged(const char *words) {
    T_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    long count = 0;
    tell("true"); /* commands sent before have started by now */
    if (!words || !T_OK(sq_file_read(log_path, MAX_LOG, &text, &t_err))) {
        return 0;
    }
    struct sq_span rest = { (const char *)text.data, text.len };
    struct sq_span line;
    while (sq_span_take_line(&rest, &line)) {
        char copy[1000];
        snprintf(copy, sizeof(copy), "%.*s", SQ_SPAN_ARGS(line));
        count += strstr(copy, words) != NULL;
    }
    return count;
}

static struct state
read_state(void) {
    struct state now = { 0 };
    struct sq_element element = { 0 };
    const struct sq_screen screen = { .size = { VANISH_WIDTH, VANISH_HEIGHT } };
    T_ARENA(arena, 10000);
    T_OK(sq_session_frame(world.session, serial, (struct sq_span){ 0 }, &screen,
                          &now.frame, &t_err));
    T_OK(
        sq_session_element(world.session, serial, 0, &arena, &element, &t_err));
    snprintf(now.label, sizeof(now.label), "%.*s %d",
             SQ_SPAN_ARGS(element.label), element.bounds.top);
    return now;
}

static bool
tap_healthy(void) {
    return T_OK(vanish_run("tap", "'x':1,'y':1,'receipt':'none'"), &world.err);
}

/* Takes a list and a picture, to which the calls refer. */
static void
take_state(void) {
    T_OK(vanish_run("dump", ""), &world.err);
    T_OK(vanish_run("screenshot", "'elements':false,'maxDimension':64"),
         &world.err);
    state = read_state();
    tap_healthy();
    snprintf(healthy_tap, sizeof(healthy_tap), "%s", world.json);
}

/* Clears caches that would save an exchange. */
static void
prepare(const struct vanish_call *call) {
    open_phone();
    phone->display_cache.at_ns = 0;
    sq_idle_forget(&phone->idle);
    phone->android_version = 0;
    phone->format.time[SQ_CAPTURE_RAW].ns = 1;
    phone->format.time[SQ_CAPTURE_PNG].ns = 0;
    phone->format.since_retry = 0;
    phone->ops.elements_are_cheap = false;
    if (call->prepare) {
        call->prepare();
    }
}

/* Runs a call with a plan of the relay; *report is the relay's report. */
static bool
run(const struct vanish_call *call, long cut_at, enum adb_relay_way way,
    struct adb_relay_report *report) {
    prepare(call);
    sq_result_finish(&world.result);
    world.err = (struct sq_err){ 0 };
    follow(cut_at, way, call->act);
    bool ok = call->run ? call->run() : vanish_run(call->name, call->arguments);
    *report = adb_relay_get_report(relay);
    follow_nothing();
    T(report->watched <= 1);
    walk.sent += report->watched;
    return ok;
}

/* The picture of the last answer, empty if it has none. */
static struct sq_span
picture_now(void) {
    for (int i = 0; i < world.result.count; i++) {
        const struct sq_block *block = &world.result.blocks[i];
        if (block->kind == SQ_BLOCK_IMAGE) {
            return (struct sq_span){ (const char *)block->data.data,
                                     block->data.len };
        }
    }
    return (struct sq_span){ 0 };
}

static void
check_success(const struct vanish_call *call) {
    struct sq_span picture = picture_now();
    walk.successes++;
    T_BYTES(picture.ptr, picture.len, walk.picture.data, walk.picture.len);
    if (!T(!call->answer || strstr(world.json, call->answer))) {
        printf("# %s: %s\n", call->name, world.json);
    }
}

long
vanish_begin(const struct vanish_call *call) {
    struct adb_relay_report report;
    sq_buf_finish(&walk.picture);
    walk = (struct walk){ .start_ns = sq_clock_real_ns() };
    sq_buf_init(&walk.picture, (size_t)1 << 20);
    tell("am start -p " VANISH_APP);
    tell(call->before ? call->before : "true");
    walk.logged = count_logged(call->act);
    if (T_OK(run(call, -1, ADB_RELAY_CLOSES, &report), &world.err)) {
        struct sq_span picture = picture_now();
        T_OK(sq_buf_append(&walk.picture, picture.ptr, picture.len, &t_err));
        check_success(call);
    }
    walk.exchanges = report.connections;
    walk.bytes = report.passed;
    open_phone();
    take_state();
    return walk.bytes;
}

static bool
has_fitting_code(const struct sq_err *err) {
    static const enum sq_err_code codes[] = { SQ_ERR_DEVICE_OFFLINE,
                                              SQ_ERR_DEVICE_NOT_FOUND,
                                              SQ_ERR_SCREENSHOT_FAILED,
                                              SQ_ERR_IO };
    for (size_t i = 0; i < SQ_COUNT(codes); i++) {
        if (err->code == codes[i]) {
            return true;
        }
    }
    return false;
}

/* The error has a hint, and no other phone is used instead. */
static void
check_error(const struct vanish_call *call, long at) {
    const struct sq_err *err = &world.err;
    bool right = world.cancel ? T_INT(err->code, SQ_ERR_CANCELLED)
                              : T(has_fitting_code(err)) && T(err->hint[0])
                                    && T(!strstr(err->hint, "demo"));
    if (!T(right && err->message[0] && world.result.count == 0)) {
        printf("# %s at %ld: %s: %s (%s)\n", call->name, at,
               sq_err_name(err->code), err->message, err->hint);
    }
}

/* The next call works: sometimes a tap, otherwise a cheaper one. */
static void
check_next(void) {
    struct sq_screen screen;
    struct sq_deadline deadline = vanish_deadline();
    if (walk.rounds % TAP_ROUNDS == 0) {
        if (tap_healthy()) {
            T_STR(world.json, healthy_tap);
        }
    } else {
        open_phone();
        phone->display_cache.at_ns = 0;
        T_OK(sq_device_screen(&phone->base, &screen, &deadline, &t_err));
    }
}

static void
check_state(void) {
    struct state now = read_state();
    T_STR(now.frame.id, state.frame.id);
    T(memcmp(&now.frame.view, &state.frame.view, sizeof(now.frame.view)) == 0);
    T_STR(now.label, state.label);
}

/*
 * A call succeeds if only an optional part failed, such as the query of the
 * display, which is repeated. If connections are kept, the
 * broken one may not be the call's. If the server closes a connection before
 * its first status, the request is sent a second time.
 */
static bool
may_succeed(const struct vanish_call *call,
            const struct adb_relay_report *report) {
    return through->keeps_connections || report->broke_early
        || !report->broke_main || (call->act && !report->broke_watched);
}

static void
check_broken(const struct vanish_call *call, long at, bool ok,
             const struct adb_relay_report *report) {
    bool was_done = report->broke && report->watched && !report->broke_watched;
    walk.rounds++;
    if (!ok) {
        T(!was_done);
        check_error(call, at);
    } else if (T(may_succeed(call, report))) {
        check_success(call);
    } else {
        printf("# %s at %ld: %s\n", call->name, at, world.json);
    }
    world.cancel = NULL;
    open_phone();
    if (!ok) {
        check_state();
    } else {
        take_state();
    }
    check_next();
}

bool
vanish_round(const struct vanish_call *call, long at, enum adb_relay_way way) {
    struct adb_relay_report report;
    struct sq_cancel *cancel = NULL;
    if (way == ADB_RELAY_STALLS) {
        T_OK(sq_cancel_create(&cancel, &t_err));
        world.cancel = cancel;
    }
    bool ok = run(call, at, way, &report);
    if (report.broke) {
        check_broken(call, at, ok, &report);
    } else if (T_OK(ok, &world.err)) {
        check_success(call);
    }
    world.cancel = NULL;
    sq_cancel_destroy(cancel);
    open_phone();
    return report.broke;
}

bool
vanish_unplug(const struct vanish_call *call, long at) {
    char command[100];
    struct adb_relay_report report;
    snprintf(command, sizeof(command), "squint-fault disconnect=%ld", at);
    tell(command);
    bool ok = run(call, -1, ADB_RELAY_CLOSES, &report);
    connect_anew();
    tell("squint-fault disconnect=off");
    if (!ok) {
        check_broken(call, at, ok, &report);
    } else {
        check_success(call);
        open_phone();
    }
    return !ok;
}

void
vanish_end(const struct vanish_call *call) {
    double seconds = (double)(sq_clock_real_ns() - walk.start_ns) / 1e9;
    printf("# %s: %ld bytes in %d exchanges, broken %ld times, %.1f s\n",
           call->name, walk.bytes, walk.exchanges, walk.rounds, seconds);
    if (call->act) {
        long now = count_logged(call->act) - walk.logged;
        T(now <= walk.sent && now >= walk.successes);
        printf("# %s: sent %ld times, run %ld times, %ld times answered\n",
               call->act, walk.sent, now, walk.successes);
    }
    tell(call->after ? call->after : "true");
}
