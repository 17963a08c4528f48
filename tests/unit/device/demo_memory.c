/* The demo phone without memory, at every allocation. */
#include "device/demo/demo.h"

#include "unit/device/phone.h"

static struct sq_demo_options
small_options(void) {
    struct sq_demo_options options = phone_options(1);
    options.width = 270;
    options.height = 600;
    options.density = 0.65;
    return options;
}

T_ALLOC_CASE(out_of_memory_on_creation, 6) {
    struct sq_demo_options options = small_options();
    struct sq_device *device = NULL;
    bool ok = sq_demo_create(&options, &device, err);
    T(ok == (device != NULL));
    sq_device_destroy(device);
    return ok;
}

static bool
look(struct sq_device *device, struct sq_err *err) {
    struct sq_deadline deadline = phone_deadline();
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    sq_buf_init(&capture.bytes, PHONE_BYTES);
    bool ok = sq_device_capture(device, NULL, &capture, &deadline, err);
    T(ok || capture.bytes.len == 0);
    if (ok) {
        ok = sq_device_tree(device, &tree, &deadline, err);
        T(ok || tree.root == NULL);
    }
    return ok;
}

static bool
create_and_look(void *context, struct sq_err *err) {
    struct sq_demo_options options = small_options();
    struct sq_deadline deadline = phone_deadline();
    struct sq_device *device = NULL;
    bool ok = sq_demo_create(&options, &device, err)
           && sq_device_launch(device, context, &deadline, err)
           && look(device, err);
    sq_device_destroy(device);
    return ok;
}

T_CASE(out_of_memory_on_capture_and_tree) {
    static char login[] = SQ_DEMO_PACKAGE "login";
    static char game[] = SQ_DEMO_PACKAGE "game";
    T(t_alloc_torture(create_and_look, login) > 10);
    T(t_alloc_torture(create_and_look, game) > 10);
}

static bool
list_apps(struct sq_device *device, struct sq_err *err) {
    struct sq_deadline deadline = phone_deadline();
    T_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    bool ok = sq_device_apps(device, &list, &deadline, err);
    T(ok == (list.count > 0));
    return ok;
}

/* Every action, on one phone: a failed one must leave it consistent. */
static bool
act(void *context, struct sq_err *err) {
    struct sq_device *device = context;
    struct sq_deadline deadline = phone_deadline();
    struct sq_touch field = { .at = { 135, 270 }, .count = 1 };
    struct sq_swipe swipe = { .from = { 135, 500 },
                              .to = { 135, 200 },
                              .duration_ms = 300 };
    return sq_device_stop(device, SQ_DEMO_PACKAGE "login", &deadline, err)
        && sq_device_launch(device, SQ_DEMO_PACKAGE "login", &deadline, err)
        && sq_device_key(device, "tab", &deadline, err)
        && sq_device_text(device, SQ_SPAN("Ada"), &deadline, err)
        && sq_device_tap(device, &field, &deadline, err)
        && sq_device_swipe(device, &swipe, &deadline, err)
        && sq_device_key(device, "tab", &deadline, err)
        && sq_device_key(device, "tab", &deadline, err)
        && sq_device_text(device, SQ_SPAN("x"), &deadline, err)
        && sq_device_key(device, "enter", &deadline, err)
        && sq_device_key(device, "page_down", &deadline, err)
        && list_apps(device, err) && look(device, err);
}

T_CASE(out_of_memory_on_actions) {
    struct sq_demo_options options = small_options();
    struct sq_device *device = NULL;
    T_OK(sq_demo_create(&options, &device, &t_err));
    T(t_alloc_torture(act, device) > 10);
    T_OK(act(device, &t_err));
    sq_device_destroy(device);
}

/* More glyphs than are cached: drawing still works, memory does not grow. */
T_CASE(drops_glyphs_above_the_limit) {
    phone_start();
    phone_launch("login");
    uint64_t before = phone_frame();
    for (int round = 0; round < 8; round++) {
        phone_tap("username");
        for (uint32_t i = 0; i < 150; i++) {
            char text[3];
            uint32_t code = 0xa1 + (uint32_t)round * 150 + i;
            text[0] = (char)(0xc0 | code >> 6);
            text[1] = (char)(0x80 | (code & 63));
            text[2] = '\0';
            if (code < 0x800) {
                phone_type(text);
            }
        }
        phone_frame();
        phone_stop("login");
        phone_launch("login");
        T(phone_frame() == before);
    }
    phone_end();
}
