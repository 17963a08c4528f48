/*
 * Parses any bytes as output of adb or Android. Results are inside the text, in
 * order, and within the limits of the headers.
 */
#include <assert.h>
#include <string.h>

#include "device/android/state.h"
#include "device/android/parse.h"
#include "fuzz/fuzz.h"
#include "util/limits.h"
#include "util/utf8.h"

static void
check_inside(struct sq_span part, struct sq_span text) {
    assert(part.len == 0
           || (part.ptr >= text.ptr
               && part.ptr + part.len <= text.ptr + text.len));
}

/* Every take advances, so this ends. */
static void
check_moved(struct sq_span rest, size_t *left) {
    assert(rest.len < *left);
    *left = rest.len;
}

static void
check_devices(struct sq_span text) {
    struct sq_span rest = text;
    struct sq_adb_device device;
    size_t left = text.len + 1;
    while (sq_adb_take_device(&rest, &device)) {
        struct sq_device_info info;
        check_moved(rest, &left);
        check_inside(device.serial, text);
        check_inside(device.state, text);
        check_inside(device.product, text);
        check_inside(device.model, text);
        check_inside(device.device, text);
        assert(device.serial.len > 0 && device.state.len > 0);
        if (sq_adb_describe(&device, &info)) {
            assert(sq_span_is(device.serial, info.id) && info.name[0]);
            assert((info.state == SQ_DEVICE_ONLINE)
                   == sq_span_is(device.state, "device"));
        }
    }
    (void)sq_adb_has_feature(text, "shell_v2");
}

static void
check_display(struct sq_span text) {
    struct sq_size size;
    struct sq_display_state state;
    struct sq_display_id display;
    struct sq_frame_count count;
    struct sq_span rest = text;
    size_t left = text.len + 1;
    int number;
    uint64_t id;
    bool on;
    if (sq_wm_parse_size(text, &size)) {
        assert(size.width > 0 && size.width <= SQ_MAX_SIDE);
        assert(size.height > 0 && size.height <= SQ_MAX_SIDE);
    }
    if (sq_frame_count_parse(text, &count)) {
        assert(count.is_known);
    }
    if (sq_wm_parse_density(text, &number)) {
        assert(number > 0);
    }
    if (sq_display_parse_rotation(text, &number)) {
        assert(number >= 0 && number <= 3);
    }
    if (sq_display_parse_state(text, &state)) {
        assert(state.rotation >= 0 && state.rotation <= 3 && state.dpi >= 0);
        assert(state.size.width > 0 && state.size.height > 0);
    }
    while (sq_display_take_id(&rest, &display)) {
        check_moved(rest, &left);
        check_inside(display.name, text);
    }
    (void)sq_display_parse_active(text, &id);
    (void)sq_power_parse(text, &on);
}

static void
check_windows(struct sq_span text) {
    struct sq_app app;
    bool flag;
    if (sq_focus_parse(text, &app)) {
        assert(sq_package_is_valid(sq_span_of(app.package)));
        assert(app.activity[0] && !strchr(app.activity, '/'));
    }
    (void)sq_keyguard_parse(text, &flag);
    (void)sq_secure_parse(text, &flag);
    enum sq_password_focus focus = sq_input_method_parse(text);
    assert(focus >= SQ_PASSWORD_FOCUS_UNKNOWN && focus <= SQ_PASSWORD_FOCUSED);
    assert(text.len > 0 || focus == SQ_PASSWORD_FOCUS_UNKNOWN);
}

static void
check_packages(struct sq_span text) {
    struct sq_span rest = text;
    struct sq_span part;
    struct sq_component component;
    size_t left = text.len + 1;
    while (sq_packages_take(&rest, &part)) {
        check_moved(rest, &left);
        check_inside(part, text);
        assert(sq_package_is_valid(part));
    }
    rest = text;
    left = text.len + 1;
    while (sq_activities_take(&rest, &component)) {
        check_moved(rest, &left);
        check_inside(component.activity, text);
        assert(sq_package_is_valid(component.package));
    }
    rest = text;
    left = text.len + 1;
    while (sq_keyboards_take(&rest, &part)) {
        check_moved(rest, &left);
        assert(sq_component_parse(part, &component));
    }
    (void)sq_activity_resolve(text, &component);
    if (sq_getprop_find(text, "a", &part)) {
        check_inside(part, text);
    }
}

static void
check_replies(struct sq_span text) {
    struct sq_err err = { 0 };
    struct sq_span path = { 0 };
    char excerpt[SQ_EXCERPT_SIZE];
    sq_reply_excerpt(text, excerpt);
    struct sq_span shown = sq_span_of(excerpt);
    assert(shown.len > 0 && sq_utf8_valid_len(shown) == shown.len);
    enum sq_dump_outcome dump = sq_dump_read(text, &path);
    check_inside(path, text);
    assert(dump == SQ_DUMP_DONE || !sq_dump_fail(dump, text, &err));
    enum sq_launch_outcome launch = sq_launch_read(text);
    assert(sq_launch_worked(launch)
           || !sq_launch_fail(launch, "com.x", text, &err));
    assert(!sq_screencap_fail(text, &err) && err.message[0] && err.hint[0]);
    struct sq_span picture = sq_screencap_skip_warning(text);
    check_inside(picture, text);
    (void)sq_screencap_has_displays(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    check_devices(text);
    check_display(text);
    check_windows(text);
    check_packages(text);
    check_replies(text);
    return 0;
}
