/* Screens that never stand still: remembered until something may have changed.
 */
#include "unit/device/android/dumping.h"

/* A screen that keeps changing at first, and another app if requested. */
static void
start_changing(const char *displays) {
    static const char package[] = "package:/data/app/base.apk\n";
    const struct rule table[] = {
        { .words = "uiautomator", .errors = IDLE, .times = 1 },
        { .words = "uiautomator", .out = XML, .errors = DONE },
        { .words = "resolve", .out = "com.example/.Main\n" },
        { .words = "am start", .out = "Starting: Intent { }\n" },
        { .words = "pm path", .out = package },
        { .words = "input ", .out = "" },
        { .words = DISPLAY_COMMAND, .out = DISPLAYS("8x16", "0"), .times = 2 },
        { .words = DISPLAY_COMMAND, .out = displays },
        { 0 }
    };
    phone_start(table);
    T_FAILS(list(&t_err), SQ_ERR_UNSUPPORTED);
    T(sq_idle_is_set(idle()));
}

/* Android's own message, so that users can search for it. */
T_CASE(screen_that_keeps_changing_is_remembered) {
    start_changing(DISPLAYS("8x16", "0"));
    for (int i = 0; i < 3; i++) {
        ((struct sq_android *)phone)->display_cache.at_ns = 0;
        T_FAILS(list(&t_err), SQ_ERR_UNSUPPORTED);
        T_HAS(t_err.message, "could not get idle state");
        T_HAS(t_err.hint, "read again after any action");
        T_INT(dumps(), 1);
    }
    end();
}

static bool
tap(const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_touch touch = { .at = { 1, 1 }, .count = 1 };
    return sq_device_tap(phone, &touch, deadline, err);
}

static bool
swipe(const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_swipe swipe = { .from = { 1, 1 },
                                    .to = { 2, 2 },
                                    .duration_ms = 10 };
    return sq_device_swipe(phone, &swipe, deadline, err);
}

static bool
type(const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_text(phone, SQ_SPAN("a"), deadline, err);
}

static bool
press(const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_key(phone, "home", deadline, err);
}

static bool
launch(const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_launch(phone, "com.example", deadline, err);
}

static bool
stop(const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_device_stop(phone, "com.example", deadline, err);
}

T_CASE(action_ends_the_memory_of_a_changing_screen) {
    static bool (*const actions[])(const struct sq_deadline *,
                                   struct sq_err *) = { tap,   swipe,  type,
                                                        press, launch, stop };
    for (size_t i = 0; i < SQ_COUNT(actions); i++) {
        struct sq_deadline deadline = test_deadline();
        start_changing(DISPLAYS("8x16", "0"));
        T_OK(actions[i](&deadline, &t_err));
        T_OK(list(&t_err));
        T_INT(dumps(), 2);
        end();
    }
}

/* The action may have been performed, whatever its result. */
T_CASE(failed_action_ends_the_memory_of_a_changing_screen) {
    struct sq_deadline deadline = test_deadline();
    start_changing(DISPLAYS("8x16", "0"));
    fake_adb_clear_log(&server);
    server.cut_at = 10;
    server.cut_connection = 0;
    T(!tap(&deadline, &t_err));
    T_OK(list(&t_err));
    end();
}

T_CASE(other_app_ends_the_memory_of_a_changing_screen) {
    static const char *const others[] = {
        "  Display: mDisplayId=0\n"
        "    init=8x16 320dpi cur=8x16 app=8x16 rng=8x8-16x16\n"
        "  mCurrentFocus=Window{1 u0 com.other/com.other.Main}\n"
        "  mFocusedApp=ActivityRecord{2 u0 com.other/.Main t7}\n"
        "  DisplayRotation\n    mRotation=0\n",
        "  Display: mDisplayId=0\n"
        "    init=8x16 320dpi cur=8x16 app=8x16 rng=8x8-16x16\n"
        "  mCurrentFocus=Window{1 u0 com.example/com.example.Next}\n"
        "  mFocusedApp=ActivityRecord{2 u0 com.example/.Next t7}\n"
        "  DisplayRotation\n    mRotation=0\n",
    };
    for (size_t i = 0; i < 2; i++) {
        start_changing(others[i]);
        ((struct sq_android *)phone)->display_cache.at_ns = 0;
        T_OK(list(&t_err));
        end();
    }
}

/* A capture in which `changed` of the 128 pixels differ. */
static void
show(int changed) {
    static unsigned char frame[FRAME_BYTES];
    struct sq_buf picture = { .data = frame, .len = sizeof(frame) };
    make_frame(frame, 8, 16, 200);
    for (int i = 0; i < changed; i++) {
        frame[16 + 4 * i] = 7;
    }
    sq_idle_check_picture(idle(), &picture);
}

T_CASE(other_picture_ends_the_memory_of_a_changing_screen) {
    start_changing(DISPLAYS("8x16", "0"));
    show(0);
    show(0);
    show(16); /* an animation in an eighth of the screen */
    show(3);
    T(sq_idle_is_set(idle()));
    show(17);
    T(!sq_idle_is_set(idle()));
    end();
}

T_CASE(captures_are_compared) {
    unsigned char frames[2][FRAME_BYTES];
    struct sq_deadline deadline = test_deadline();
    start_changing(DISPLAYS("8x16", "0"));
    for (int i = 0; i < 3; i++) {
        T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
        make_frame(frames[i / 2], 8, 16, 100 + i / 2);
        const struct rule table[] = { { .words = "screencap",
                                        .bytes = frames[i / 2],
                                        .count = FRAME_BYTES },
                                      { 0 } };
        set_rules(table);
        sq_buf_init(&capture.bytes, (size_t)1 << 20);
        T_OK(sq_device_capture(phone, NULL, &capture, &deadline, &t_err));
        T(sq_idle_is_set(idle()) == (i < 2));
    }
    end();
}
