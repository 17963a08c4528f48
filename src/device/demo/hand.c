/*
 * What can be done to the demo phone besides touching it. What it lacks, such
 * as permissions, the same phone has with adb (squint demo --adb).
 */
#include "device/demo/demo.h"

#include <stdio.h>

static struct sq_phone *
phone_of(struct sq_device *device) {
    return (struct sq_phone *)device;
}

static bool
open_url(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    enum sq_app_id app = sq_phone_app_of_url(hand->text);
    enum sq_app_id wanted = app;
    if (hand->package && !sq_demo_find_app(hand->package, &wanted, err)) {
        return false;
    }
    if (app == SQ_APPS || wanted != app) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no app opens this URL");
        return sq_fail_hint(err, "Check its scheme and host. The operation "
                                 "@apps lists what is installed.");
    }
    sq_phone_open(phone, app);
    return true;
}

static bool
start(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    enum sq_app_id app;
    if (!sq_demo_find_app(hand->package, &app, err)) {
        return false;
    }
    if (hand->text.len > 0
        && !sq_span_is(hand->text, sq_demo_apps[app]->activity)) {
        return sq_fail(err, SQ_ERR_PACKAGE_NOT_FOUND,
                       "%.100s has no such activity", hand->package);
    }
    sq_phone_open(phone, app);
    return true;
}

static bool
reset(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    enum sq_app_id app;
    if (!sq_demo_find_app(hand->package, &app, err)) {
        return false;
    }
    sq_phone_stop(phone, app);
    return true;
}

static bool
rotate(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    (void)err;
    if (hand->choice != SQ_TURN_AUTO) {
        phone->landscape = hand->choice == SQ_TURN_LANDSCAPE
                        || hand->choice == SQ_TURN_LANDSCAPE_REVERSED;
    }
    return true;
}

static bool
wake(struct sq_phone *phone, const void *what, struct sq_err *err) {
    (void)what;
    (void)err;
    phone->asleep = false;
    return true;
}

static bool
clear_field(struct sq_phone *phone, const void *what, struct sq_err *err) {
    (void)what;
    (void)err;
    if (phone->focus != SQ_NO_FIELD) {
        sq_buf_clear(&phone->fields[phone->focus]);
    }
    return true;
}

static bool
hide_keyboard(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    (void)err;
    if (phone->focus == SQ_NO_FIELD) {
        *hand->remark = "The keyboard was not shown.";
    }
    phone->focus = SQ_NO_FIELD;
    return true;
}

static bool
copy(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    sq_buf_clear(&phone->clipboard);
    return sq_buf_append(&phone->clipboard, hand->text.ptr, hand->text.len,
                         err);
}

static bool
is_on_screen(const struct sq_phone *phone,
             const struct sq_finger_paths *paths) {
    struct sq_size size = sq_phone_size(phone);
    struct sq_rect screen = { 0, 0, size.width, size.height };
    bool ok = true;
    for (int i = 0; i < paths->step_count; i++) {
        for (int finger = 0; finger < paths->finger_count; finger++) {
            struct sq_dev_pt at = paths->steps[i].fingers[finger];
            ok = ok && sq_rect_contains(screen, at.x, at.y);
        }
    }
    return ok;
}

static bool
gesture(struct sq_phone *phone, const void *what, struct sq_err *err) {
    const struct sq_hand *hand = what;
    if (!is_on_screen(phone, hand->paths)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "a finger would leave the screen");
    }
    return sq_phone_gesture(phone, hand->paths, err);
}

SQ_DEMO_ACTION(open_url, const struct sq_hand *)
SQ_DEMO_ACTION(start, const struct sq_hand *)
SQ_DEMO_ACTION(reset, const struct sq_hand *)
SQ_DEMO_ACTION(rotate, const struct sq_hand *)
SQ_DEMO_ACTION(wake, const struct sq_hand *)
SQ_DEMO_ACTION(clear_field, const struct sq_hand *)
SQ_DEMO_ACTION(hide_keyboard, const struct sq_hand *)
SQ_DEMO_ACTION(copy, const struct sq_hand *)
SQ_DEMO_ACTION(gesture, const struct sq_hand *)

static bool
read_clipboard(struct sq_device *device,
               const struct sq_reading_request *request, struct sq_reading *out,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_phone *phone = phone_of(device);
    (void)request;
    if (!sq_deadline_check(deadline, err)
        || !sq_demo_refresh(phone, deadline, err)) {
        return false;
    }
    out->text = sq_buf_span(&phone->clipboard);
    out->has_text = phone->clipboard.len > 0;
    return !out->has_text || sq_arena_keep(&out->arena, &out->text, err);
}

static bool
read_info(struct sq_device *device, const struct sq_reading_request *request,
          struct sq_reading *out, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_size size = sq_phone_size(phone_of(device));
    char screen[40];
    enum sq_app_id app;
    snprintf(screen, sizeof(screen), "%dx%d", size.width, size.height);
    return sq_deadline_check(deadline, err)
        && (!request->package || sq_demo_find_app(request->package, &app, err))
        && sq_reading_add(out, "model", SQ_SPAN("squint demo phone"), false,
                          err)
        && sq_reading_add(out, "screen", sq_span_of(screen), false, err)
        && sq_reading_add(out, "batteryPercent", SQ_SPAN("100"), true, err);
}

const struct sq_hand_ops sq_demo_hand = {
    .act = {
        [SQ_HAND_OPEN] = demo_open_url,
        [SQ_HAND_START] = demo_start,
        [SQ_HAND_RESET] = demo_reset,
        [SQ_HAND_ROTATE] = demo_rotate,
        [SQ_HAND_COPY] = demo_copy,
        [SQ_HAND_WAKE] = demo_wake,
        [SQ_HAND_CLEAR_FIELD] = demo_clear_field,
        [SQ_HAND_HIDE_KEYBOARD] = demo_hide_keyboard,
        [SQ_HAND_GESTURE] = demo_gesture,
    },
    .read = {
        [SQ_READ_INFO] = read_info,
        [SQ_READ_CLIPBOARD] = read_clipboard,
    },
};
