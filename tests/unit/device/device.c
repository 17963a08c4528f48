#include "device/device.h"

#include "support/test.h"

static int destroyed;

static void
count_destroy(struct sq_device *device) {
    destroyed++;
}

static const struct sq_device_ops nothing = { .kind = "brick",
                                              .destroy = count_destroy };

T_CASE(unsupported_operations_return_an_error) {
    struct sq_device device = { .ops = &nothing };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_screen screen;
    struct sq_capture capture = { 0 };
    struct sq_tree tree = { 0 };
    struct sq_app app;
    struct sq_app_list apps = { 0 };
    struct sq_touch touch = { .at = { 0, 0 }, .count = 1 };
    struct sq_swipe swipe = { .from = { 0, 0 },
                              .to = { 1, 1 },
                              .duration_ms = 10 };
    for (int op = 0; op < 11; op++) {
        bool done[] = {
            op == 0 && sq_device_screen(&device, &screen, &deadline, &t_err),
            op == 1
                && sq_device_capture(&device, NULL, &capture, &deadline,
                                     &t_err),
            op == 2 && sq_device_tree(&device, &tree, &deadline, &t_err),
            op == 3 && sq_device_current_app(&device, &app, &deadline, &t_err),
            op == 4 && sq_device_tap(&device, &touch, &deadline, &t_err),
            op == 5 && sq_device_swipe(&device, &swipe, &deadline, &t_err),
            op == 6 && sq_device_text(&device, SQ_SPAN("x"), &deadline, &t_err),
            op == 7 && sq_device_key(&device, "home", &deadline, &t_err),
            op == 8 && sq_device_launch(&device, "a", &deadline, &t_err),
            op == 9 && sq_device_stop(&device, "a", &deadline, &t_err),
            op == 10 && sq_device_apps(&device, &apps, &deadline, &t_err),
        };
        T(!done[op]);
        T_INT(t_err.code, SQ_ERR_UNSUPPORTED);
        T_HAS(t_err.message, "brick");
        T(t_err.hint[0]);
    }
}

T_CASE(every_state_has_a_name) {
    T_STR(sq_device_state_name(SQ_DEVICE_ONLINE), "online");
    T_STR(sq_device_state_name(SQ_DEVICE_OFFLINE), "offline");
    T_STR(sq_device_state_name(SQ_DEVICE_UNAUTHORIZED), "unauthorized");
    T_STR(sq_device_state_name(SQ_DEVICE_BOOTING), "booting");
    T_STR(sq_device_state_name(SQ_DEVICE_UNUSABLE), "unusable");
}

T_CASE(null_can_be_destroyed) {
    struct sq_device device = { .ops = &nothing };
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    struct sq_app_list apps = { 0 };
    sq_device_destroy(NULL);
    sq_device_destroy(&device);
    T_INT(destroyed, 1);
    sq_app_list_finish(&apps);
    sq_app_list_finish(&apps);
}

/* What came back after a different picture may be another screen. */
T_CASE(view_is_the_same_between_equal_captures) {
    struct sq_device device = { .ops = &nothing };
    sq_device_changed(&device);
    uint64_t first = device.view;
    T(first == device.change);
    sq_device_saw(&device, 77);
    uint64_t seen = device.view;
    T(seen != first && device.change == first);
    sq_device_saw(&device, 77);
    T(device.view == seen);
    sq_device_saw(&device, 78);
    sq_device_saw(&device, 77);
    T(device.view != seen);
    seen = device.view;
    sq_device_changed(&device);
    sq_device_saw(&device, 77);
    T(device.view != seen && device.view != device.change);
}
