/* Touches, swipes and keys, as the device is told them. */
#include "device/android/keys.h"
#include "device/android/shell_output.h"
#include "sys/clock.h"
#include "sys/process.h"
#include "unit/device/android/scripted.h"

static const struct rule fine[] = { { .words = "input", .out = "" },
                                    { .words = "getprop ro.build.version.sdk",
                                      .out = "34\n" },
                                    { 0 } };

static bool
tap(int x, int y, int count, int duration_ms, struct sq_err *err) {
    struct sq_deadline deadline = soon();
    const struct sq_touch touch = { { x, y }, count, duration_ms };
    return sq_device_tap(phone, &touch, &deadline, err);
}

static void
touches_are_commands(void) {
    struct sq_err err = { 0 };
    struct sq_deadline deadline = soon();
    const struct sq_swipe swipe = { { 1, 2 }, { 30, 40 }, 250 };
    const struct sq_swipe quick = { { 1, 2 }, { 3, 4 }, 0 };
    phone_start(fine);
    T_OK(tap(3, 7, 1, 0, &err), &err);
    T_STR(last_command(), "input tap 3 7");
    T_INT(server.connections, 1);
    T_OK(tap(3, 7, 1, 800, &err), &err);
    T_STR(last_command(), "input swipe 3 7 3 7 800");
    T_OK(sq_device_swipe(phone, &swipe, &deadline, &err), &err);
    T_STR(last_command(), "input swipe 1 2 30 40 250");
    T_OK(sq_device_swipe(phone, &quick, &deadline, &err), &err);
    T_STR(last_command(), "input swipe 1 2 3 4 1");
    T_OK(sq_device_key(phone, "back", &deadline, &err), &err);
    T_STR(last_command(), "input keyevent 4");
    phone_end();
}

static void
two_taps_come_close_together(void) {
    static const struct rule old[] = {
        { .words = "input", .out = "" },
        { .words = "getprop ro.build.version.sdk", .out = "28\n" },
        { 0 }
    };
    struct sq_err err = { 0 };
    phone_start(fine);
    T_OK(tap(3, 7, 2, 0, &err), &err);
    T_STR(last_command(), "input tap 3 7&&input tap 3 7");
    T_OK(tap(4, 7, 2, 0, &err), &err);
    T_INT(server.log_count, 3); /* its version is asked once */
    phone_end();
    phone_start(old);
    T_OK(tap(3, 7, 2, 0, &err), &err);
    T_STR(last_command(), "input tap 3 7& p=$!;s=true;sleep 0.1;"
                          "input tap 3 7||s=false;wait $p&&$s");
    phone_end();
}

/* Run it as an old phone does, where `input` fails as given. */
static int
status_in_shell(const char *command, int first, int second) {
    static char script[1024];
    const char *const argv[] = { "/bin/sh", "-c", script, NULL };
    const struct sq_process process = {
        .argv = argv,
        .max_output = 100,
        .max_errors = 1000,
    };
    const struct sq_deadline deadline = soon();
    struct sq_process_end end = { 0 };
    struct sq_adb_output output = { 0 };
    struct sq_err err = { 0 };
    /* The one in the background is started before p is set. */
    snprintf(script, sizeof(script),
             "input() { case $p in ?*) return %d;; *) return %d;; esac; }\n"
             "%s" SQ_ADB_END_COMMAND,
             second, first, command);
    T_OK(sq_process_run(&process, &deadline, &end, &err), &err);
    output.out = end.output;
    T_OK(sq_adb_cut_end(&output, 0, &err), &err);
    sq_process_end_finish(&end);
    return output.status;
}

static void
the_tap_that_fails_is_heard(void) {
    static const struct rule old[] = {
        { .words = "input", .out = "" },
        { .words = "getprop ro.build.version.sdk", .out = "30\n" },
        { 0 }
    };
    struct sq_err err = { 0 };
    phone_start(old);
    T_OK(tap(3, 7, 2, 0, &err), &err);
    T_INT(status_in_shell(last_command(), 0, 0), 0);
    T_INT(status_in_shell(last_command(), 3, 0), 3);
    T_INT(status_in_shell(last_command(), 0, 4), 1);
    phone_end();
}

static void
nonsense_is_not_sent(void) {
    struct sq_err err = { 0 };
    struct sq_deadline deadline = soon();
    const struct sq_swipe outside = { { 1, 2 }, { -3, 4 }, 5 };
    phone_start(fine);
    T(!tap(-1, 3, 1, 0, &err));
    T_INT(err.code, SQ_ERR_ARGUMENT);
    T(!tap(1, 3, 3, 0, &err));
    T_INT(err.code, SQ_ERR_ARGUMENT);
    T(!sq_device_swipe(phone, &outside, &deadline, &err));
    T(!sq_device_key(phone, "any", &deadline, &err));
    T_INT(err.code, SQ_ERR_ARGUMENT);
    T(strstr(err.hint, "back") != NULL);
    T_INT(server.log_count, 0);
    phone_end();
}

static void
keys_have_many_names(void) {
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
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int code = 0;
        struct sq_err err = { 0 };
        T_INT(sq_android_key_code(cases[i].name, &code, &err),
              cases[i].code != 0);
        T_INT(code, cases[i].code);
    }
}

/* What MIUI prints in every program that looks for a theme. */
#define NOISE                                                                  \
    "java.io.FileNotFoundException: /data/system/theme_config/"                \
    "theme_compatibility.xml: open failed: EACCES (Permission denied)\n"       \
    "\tat libcore.io.IoBridge.open(IoBridge.java:574)\n"                       \
    "\tat java.io.FileInputStream.<init>(FileInputStream.java:160)\n"          \
    "Caused by: android.system.ErrnoException: open failed: EACCES\n"          \
    "\t... 19 more\n"

static void
noise_is_no_refusal(void) {
    static const struct rule both[] = {
        { .words = "input", .out = NOISE, .errors = NOISE NOISE }, { 0 }
    };
    static const struct rule failed[] = {
        { .words = "input", .errors = NOISE, .status = 1 }, { 0 }
    };
    struct sq_err err = { 0 };
    phone_start(both);
    T_OK(tap(1, 1, 1, 0, &err), &err);
    set_rules(failed);
    T(!tap(1, 1, 1, 0, &err));
    T_INT(err.code, SQ_ERR_IO);
    phone_end();
}

static void
refusals_are_heard(void) {
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
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct rule table[] = { cases[i].rule, { 0 } };
        struct sq_err err = { 0 };
        set_rules(table);
        T(!tap(1, 1, 1, 0, &err));
        T_INT(err.code, SQ_ERR_IO);
        T(err.hint[0]);
        if (!T(strstr(err.message, cases[i].says) != NULL)) {
            printf("# %s\n", err.message);
        }
    }
    phone_end();
}

static void
an_action_makes_old_news_of_the_screen(void) {
    static const struct rule table[] = { { .words = "window displays",
                                           .out = DISPLAYS("8x16", "0") },
                                         { .words = "input", .out = "" },
                                         { 0 } };
    struct sq_err err = { 0 };
    struct sq_deadline deadline = soon();
    struct sq_screen screen;
    phone_start(table);
    T_OK(sq_device_screen(phone, &screen, &deadline, &err), &err);
    T_OK(tap(1, 1, 1, 0, &err), &err);
    T_OK(sq_device_screen(phone, &screen, &deadline, &err), &err);
    T_INT(server.log_count, 3);
    phone_end();
}

/* A gesture has its own duration on top of what a device may take. */
static void
a_device_that_hangs_is_not_waited_for(void) {
    static const struct {
        int duration_ms;
        int least_ms;
    } cases[] = { { 0, 50 }, { 100, 150 } };
    char address[64];
    sq_clock_slow_down(20); /* the server itself answers in time */
    phone_start(fine);
    snprintf(address, sizeof(address), "tcp:127.0.0.1:%d", server.port);
    const struct sq_adb_options options = { .server = address,
                                            .never_start = true,
                                            .answer_ms = 50 };
    struct sq_err err = { 0 };
    struct sq_adb *hasty = NULL;
    T_OK(sq_adb_create(&options, &hasty, &err), &err);
    struct sq_device *usual = phone;
    phone = fake_adb_device(hasty);
    server.device_hangs = true;
    for (size_t i = 0; i < 2; i++) {
        struct sq_deadline deadline = soon();
        const struct sq_touch touch = { { 1, 1 }, 1, cases[i].duration_ms };
        T(!sq_device_tap(phone, &touch, &deadline, &err));
        T_INT(err.code, SQ_ERR_TIMEOUT);
        T(strstr(err.hint, "may have been performed") != NULL);
        int took_ms = LONG_MS - sq_deadline_left_ms(&deadline);
        T(took_ms >= cases[i].least_ms && took_ms < 5000);
    }
    struct sq_screen screen;
    struct sq_deadline deadline = soon();
    T(!sq_device_screen(phone, &screen, &deadline, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    T(strstr(err.hint, "may have been performed") == NULL);
    T(sq_deadline_left_ms(&deadline) > LONG_MS - 5000);
    sq_device_destroy(phone);
    sq_adb_destroy(hasty);
    phone = usual;
    phone_end();
    sq_clock_slow_down(1);
}

static bool
touch_all(void *context, struct sq_err *err) {
    (void)context;
    return tap(1, 1, 1, 0, err) && tap(1, 1, 2, 0, err);
}

static void
without_memory_it_says_so(void) {
    phone_start(fine);
    T(t_alloc_torture(touch_all, NULL) > 3);
    phone_end();
}

T_MAIN(T_CASE(touches_are_commands), T_CASE(two_taps_come_close_together),
       T_CASE(the_tap_that_fails_is_heard), T_CASE(nonsense_is_not_sent),
       T_CASE(keys_have_many_names), T_CASE(noise_is_no_refusal),
       T_CASE(refusals_are_heard),
       T_CASE(an_action_makes_old_news_of_the_screen),
       T_CASE(a_device_that_hangs_is_not_waited_for),
       T_CASE(without_memory_it_says_so))
