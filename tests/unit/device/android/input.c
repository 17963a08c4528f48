/* Touches, swipes and keys, and the commands that are sent for them. */
#include "device/android/command.h"
#include "device/android/link.h"
#include "sys/clock.h"
#include "sys/process.h"
#include "unit/device/android/scripted.h"

static const struct rule fine[] = { { .words = "input", .out = "" },
                                    { .words = "getprop ro.build.version.sdk",
                                      .out = "34\n" },
                                    { 0 } };

static bool
tap(int x, int y, int count, int duration_ms, struct sq_err *err) {
    struct sq_deadline deadline = test_deadline();
    const struct sq_touch touch = { .at = { x, y },
                                    .count = count,
                                    .duration_ms = duration_ms };
    return sq_device_tap(phone, &touch, &deadline, err);
}

T_FIXTURE(NULL, phone_end);

T_CASE(touches_are_sent_as_commands) {
    struct sq_deadline deadline = test_deadline();
    const struct sq_swipe swipe = { .from = { 1, 2 },
                                    .to = { 30, 40 },
                                    .duration_ms = 250 };
    const struct sq_swipe quick = { .from = { 1, 2 },
                                    .to = { 3, 4 },
                                    .duration_ms = 0 };
    phone_start(fine);
    T_OK(tap(3, 7, 1, 0, &t_err));
    T_STR(last_command(), "input tap 3 7");
    T_INT(server.connections, 1);
    T_OK(tap(3, 7, 1, 800, &t_err));
    T_STR(last_command(), "input swipe 3 7 3 7 800");
    T_OK(sq_device_swipe(phone, &swipe, &deadline, &t_err));
    T_STR(last_command(), "input swipe 1 2 30 40 250");
    T_OK(sq_device_swipe(phone, &quick, &deadline, &t_err));
    T_STR(last_command(), "input swipe 1 2 3 4 1");
    T_OK(sq_device_key(phone, "back", &deadline, &t_err));
    T_STR(last_command(), "input keyevent 4");
}

T_CASE(double_tap_is_one_command) {
    static const struct rule old[] = {
        { .words = "input", .out = "" },
        { .words = "getprop ro.build.version.sdk", .out = "28\n" },
        { 0 }
    };
    phone_start(fine);
    T_OK(tap(3, 7, 2, 0, &t_err));
    T_STR(last_command(), "input tap 3 7&&input tap 3 7");
    T_OK(tap(4, 7, 2, 0, &t_err));
    T_INT(server.log_count, 3); /* its version is read once */
    phone_end();
    phone_start(old);
    T_OK(tap(3, 7, 2, 0, &t_err));
    T_STR(last_command(), "input tap 3 7& p=$!;s=true;sleep 0.1;"
                          "input tap 3 7||s=false;wait $p&&$s");
}

/* Runs it like an old phone, on which `input` fails as given. */
static int
status_in_shell(const char *command, int first, int second) {
    static char script[1024];
    const char *const argv[] = { "/bin/sh", "-c", script, NULL };
    const struct sq_process process = {
        .argv = argv,
        .max_output = 100,
        .max_errors = 1000,
    };
    const struct sq_deadline deadline = test_deadline();
    T_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    struct sq_adb_output output = { 0 };
    /* The background tap is started before p is set. */
    snprintf(script, sizeof(script),
             "input() { case $p in ?*) return %d;; *) return %d;; esac; }\n"
             "%s" SQ_ADB_END_COMMAND,
             second, first, command);
    T_OK(sq_process_run(&process, &deadline, &end, &t_err));
    output.out = end.output;
    T_OK(sq_adb_cut_end(&output, 0, &t_err));
    return output.status;
}

T_CASE(failure_of_either_tap_is_reported) {
    static const struct rule old[] = {
        { .words = "input", .out = "" },
        { .words = "getprop ro.build.version.sdk", .out = "30\n" },
        { 0 }
    };
    phone_start(old);
    T_OK(tap(3, 7, 2, 0, &t_err));
    T_INT(status_in_shell(last_command(), 0, 0), 0);
    T_INT(status_in_shell(last_command(), 3, 0), 3);
    T_INT(status_in_shell(last_command(), 0, 4), 1);
}

T_CASE(invalid_input_is_not_sent) {
    struct sq_deadline deadline = test_deadline();
    const struct sq_swipe outside = { .from = { 1, 2 },
                                      .to = { -3, 4 },
                                      .duration_ms = 5 };
    phone_start(fine);
    T_FAILS(tap(-1, 3, 1, 0, &t_err), SQ_ERR_ARGUMENT);
    T_FAILS(tap(1, 3, 3, 0, &t_err), SQ_ERR_ARGUMENT);
    T(!sq_device_swipe(phone, &outside, &deadline, &t_err));
    T_FAILS(sq_device_key(phone, "any", &deadline, &t_err), SQ_ERR_ARGUMENT);
    T_HAS(t_err.hint, "back");
    T_INT(server.log_count, 0);
}

T_BARE_CASE(keys_have_several_names) {
    static const struct {
        const char *name;
        int code; /* 0: none */
    } cases[] = {
        { "home", 3 },       { "back", 4 },         { "enter", 66 },
        { "delete", 67 },    { "backspace", 67 },   { "recents", 187 },
        { "wakeup", 224 },   { "66", 66 },          { "0", 0 },
        { "-4", 0 },         { "4000", 0 },         { "", 0 },
        { "back;id", 0 },    { "BACK", 0 },         { "volume_up", 24 },
        { "volume-up", 24 }, { "app-switch", 187 }, { "page-down", 93 },
        { "-", 0 },          { "back-", 0 },        { "volume--up", 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        int code = 0;
        T_INT(sq_android_key_code(cases[i].name, &code, &t_err),
              cases[i].code != 0);
        T_INT(code, cases[i].code);
    }
}

T_BARE_CASE(unknown_key_is_answered_with_a_similar_one) {
    int code;
    T(!sq_android_key_code("bakc", &code, &t_err));
    T_STR(t_err.message, "no key \"bakc\"; did you mean back?");
    T(!sq_android_key_code("volume_upp", &code, &t_err));
    T_STR(t_err.message, "no key \"volume_upp\"; did you mean volume_up?");
    T(!sq_android_key_code("zzz", &code, &t_err));
    T_STR(t_err.message, "no key \"zzz\"");
}

/* MIUI prints this in every program that loads a theme. */
#define NOISE                                                                  \
    "java.io.FileNotFoundException: /data/system/theme_config/"                \
    "theme_compatibility.xml: open failed: EACCES (Permission denied)\n"       \
    "\tat libcore.io.IoBridge.open(IoBridge.java:574)\n"                       \
    "\tat java.io.FileInputStream.<init>(FileInputStream.java:160)\n"          \
    "Caused by: android.system.ErrnoException: open failed: EACCES\n"          \
    "\t... 19 more\n"

T_CASE(unrelated_output_is_not_an_error) {
    static const struct rule both[] = {
        { .words = "input", .out = NOISE, .errors = NOISE NOISE }, { 0 }
    };
    static const struct rule failed[] = {
        { .words = "input", .errors = NOISE, .status = 1 }, { 0 }
    };
    phone_start(both);
    T_OK(tap(1, 1, 1, 0, &t_err));
    set_rules(failed);
    T_FAILS(tap(1, 1, 1, 0, &t_err), SQ_ERR_IO);
}

T_CASE(errors_of_input_are_reported) {
    static const struct {
        struct rule rule;
        const char *says;
    } cases[] = {
        { { .words = "input",
            .errors = "java.lang.SecurityException: Injecting to another "
                      "application requires INJECT_EVENTS permission\n" },
          "does not allow" },
        { { .words = "input",
            .errors = NOISE "java.lang.SecurityException: Injecting to another "
                            "application requires INJECT_EVENTS permission\n"
                            "\tat android.os.Parcel.x(Parcel.java:1)\n" },
          "does not allow" },
        { { .words = "input",
            .errors = "java.lang.SecurityException: requires INJECT_EVENTS\n"
                      "\tat android.os.Parcel.x(Parcel.java:1)\n" NOISE },
          "does not allow" },
        { { .words = "input",
            .errors = NOISE "java.lang.SecurityException: not you\n" },
          "SecurityException: not you" },
        { { .words = "input",
            .errors = NOISE "Caused by: java.lang.SecurityException: no\n" },
          "SecurityException: no" },
        { { .words = "input",
            .errors = NOISE,
            .out = "Error: Invalid arguments\n" },
          "Invalid arguments" },
        { { .words = "input", .out = "Error: Invalid arguments\n" },
          "Invalid arguments" },
        { { .words = "input", .status = 255 }, "255" },
        { { .words = "input",
            .errors = "/system/bin/sh: input: not found\n",
            .status = 127 },
          "not found" },
    };
    phone_start(fine);
    T_EACH(i, cases) {
        const struct rule table[] = { cases[i].rule, { 0 } };
        set_rules(table);
        T_FAILS(tap(1, 1, 1, 0, &t_err), SQ_ERR_IO);
        T(t_err.hint[0]);
        T_HAS(t_err.message, cases[i].says);
    }
}

T_CASE(action_invalidates_the_screen_state) {
    static const struct rule table[] = { { .words = "window displays",
                                           .out = DISPLAYS("8x16", "0") },
                                         { .words = "input", .out = "" },
                                         { 0 } };
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen;
    phone_start(table);
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_OK(tap(1, 1, 1, 0, &t_err));
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(server.log_count, 3);
}

/* The duration of a gesture is added to the limit of a device. */
T_BARE_CASE(hanging_device_ends_with_the_deadline) {
    static const struct {
        int duration_ms;
        int least_ms;
    } cases[] = { { 0, 50 }, { 100, 150 } };
    sq_clock_slow_down(20); /* the server itself answers in time */
    phone_start(fine);
    const char *address = t_text("tcp:127.0.0.1:%d", server.port);
    const struct sq_adb_options options = { .server = address,
                                            .never_start = true,
                                            .answer_ms = 50 };
    struct sq_adb *hasty = NULL;
    T_OK(sq_adb_create(&options, &hasty, &t_err));
    struct sq_device *usual = phone;
    phone = fake_adb_device(hasty);
    server.device_hangs = true;
    for (size_t i = 0; i < 2; i++) {
        struct sq_deadline deadline = test_deadline();
        const struct sq_touch touch = { .at = { 1, 1 },
                                        .count = 1,
                                        .duration_ms = cases[i].duration_ms };
        T_FAILS(sq_device_tap(phone, &touch, &deadline, &t_err),
                SQ_ERR_TIMEOUT);
        T_HAS(t_err.hint, "may have been performed");
        int took_ms = LONG_MS - sq_deadline_left_ms(&deadline);
        T(took_ms >= cases[i].least_ms && took_ms < 5000);
    }
    struct sq_screen screen;
    struct sq_deadline deadline = test_deadline();
    T_FAILS(sq_device_screen(phone, &screen, &deadline, &t_err),
            SQ_ERR_TIMEOUT);
    T_LACKS(t_err.hint, "may have been performed");
    T(sq_deadline_left_ms(&deadline) > LONG_MS - 5000);
    sq_device_destroy(phone);
    sq_adb_destroy(hasty);
    phone = usual;
    phone_end();
    sq_clock_slow_down(1);
}

static bool
touch_all(void *context, struct sq_err *err) {
    return tap(1, 1, 1, 0, err) && tap(1, 1, 2, 0, err);
}

T_CASE(out_of_memory_is_reported) {
    phone_start(fine);
    T(t_alloc_torture(touch_all, NULL) > 3);
}
