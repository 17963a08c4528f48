/* Behaviour of the demo phone: apps, screens, keys. */
#include "device/demo/demo.h"

#include "image/measure/measure.h"
#include "unit/device/phone.h"

static const char *const apps[] = {
    "settings", "login",     "shop",   "game",
    "clock",    "animation", "secure", "rotate"
};
#define APPS (SQ_COUNT(apps))

T_FIXTURE(phone_start, phone_end);

T_BARE_CASE(starts_with_its_launcher) {
    struct sq_demo_options defaults = { 0 };
    struct sq_device *device = NULL;
    struct sq_screen screen = { 0 };
    struct sq_deadline deadline = phone_deadline();
    T_OK(sq_demo_create(&defaults, &device, &t_err));
    T_STR(device->info.id, "demo");
    T_STR(device->info.kind, "demo");
    T(device->ops->capture_is_cheap && device->ops->elements_are_cheap);
    T_OK(sq_device_screen(device, &screen, &deadline, &t_err));
    T_INT(screen.size.width, 1080);
    T_INT(screen.size.height, 2400);
    T_INT(screen.rotation, 0);
    T(screen.density == 2.625);
    phone = device;
    T(phone_app_is("launcher", ".LauncherActivity"));
    struct sq_capture capture = phone_capture(device);
    T_INT(capture.bytes.len, 16 + 1080 * 2400 * 4);
    T_INT(capture.screen.size.width, 1080);
    T(!capture.secure);
    sq_capture_finish(&capture);
    phone_end();
}

T_CASE(opens_every_app_from_its_icon) {
    struct sq_deadline deadline = phone_deadline();
    T_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    T_OK(sq_device_apps(phone, &list, &deadline, &t_err));
    T_INT(list.count, APPS);
    for (size_t i = 0; i < list.count && i < APPS; i++) {
        char label[64];
        struct sq_app app = { 0 };
        const char *package = t_text(SQ_DEMO_PACKAGE "%s", apps[i]);
        T(sq_span_is(list.entries[i].package, package));
        snprintf(label, sizeof(label), "%.*s",
                 SQ_SPAN_ARGS(list.entries[i].label));
        phone_key("home");
        phone_tap(label);
        T_OK(sq_device_current_app(phone, &app, &deadline, &t_err));
        T_STR(app.package, package);
    }
}

T_CASE(keeps_the_state_of_an_app_until_it_is_stopped) {
    phone_launch("settings");
    phone_tap("Hotspot");
    uint64_t changed = phone_frame();
    phone_key("home");
    T(phone_app_is("launcher", ".LauncherActivity"));
    phone_launch("settings");
    T(phone_frame() == changed);
    phone_stop("settings");
    T(phone_app_is("launcher", ".LauncherActivity"));
    phone_launch("settings");
    T(phone_frame() != changed);
}

T_CASE(refuses_packages_it_does_not_have) {
    static const char *const packages[] = { "",
                                            "com.squint.demo.",
                                            "com.squint.demo.setting",
                                            "com.squint.demo.settingsx",
                                            "settings",
                                            "com.example" };
    struct sq_deadline deadline = phone_deadline();
    for (size_t i = 0; i < SQ_COUNT(packages); i++) {
        T_FAILS(sq_device_launch(phone, packages[i], &deadline, &t_err),
                SQ_ERR_PACKAGE_NOT_FOUND);
        T(t_err.hint[0]);
        T_FAILS(sq_device_stop(phone, packages[i], &deadline, &t_err),
                SQ_ERR_PACKAGE_NOT_FOUND);
    }
}

T_CASE(goes_back_inside_an_app_before_leaving_it) {
    phone_launch("settings");
    for (int i = 0; i < 20; i++) {
        phone_key("page_down");
    }
    phone_tap("About phone");
    T(phone_shows("Serial number"));
    phone_key("back");
    T(phone_app_is("settings", ".SettingsActivity"));
    T(!phone_shows("Serial number"));
    phone_key("back");
    T(phone_app_is("launcher", ".LauncherActivity"));
    phone_key("back");
    T(phone_app_is("launcher", ".LauncherActivity"));
}

T_CASE(shows_the_running_apps) {
    phone_key("app_switch");
    T(phone_shows("Nothing is running"));
    phone_launch("shop");
    phone_launch("clock");
    phone_key("app_switch");
    T(phone_app_is("launcher", ".LauncherActivity"));
    T(phone_shows("Shop") && phone_shows("Clock") && !phone_shows("Login"));
    phone_tap("Shop");
    T(phone_app_is("shop", ".ShopActivity"));
    phone_key("app_switch");
    phone_tap("Clear all");
    phone_key("app_switch");
    T(phone_shows("Nothing is running"));
}

T_CASE(rotates_to_landscape) {
    struct sq_screen screen = { 0 };
    struct sq_deadline deadline = phone_deadline();
    phone_launch("rotate");
    T(!(phone_flags("landscape") & SQ_NODE_CHECKED));
    phone_tap("Landscape");
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(screen.size.width, PHONE_HEIGHT);
    T_INT(screen.size.height, PHONE_WIDTH);
    T_INT(screen.rotation, 1);
    T(phone_flags("landscape") & SQ_NODE_CHECKED);
    for (size_t i = 0; i < APPS; i++) {
        phone_launch(apps[i]);
        T_FREED(sq_capture_finish)
        struct sq_capture capture = phone_capture(phone);
        T_INT(capture.screen.rotation, 1);
        T_INT(capture.bytes.data[0] | capture.bytes.data[1] << 8, PHONE_HEIGHT);
        T_INT(capture.bytes.data[4] | capture.bytes.data[5] << 8, PHONE_WIDTH);
    }
    phone_launch("rotate");
    phone_tap("Landscape");
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_INT(screen.rotation, 0);
}

static bool
is_black(const struct sq_capture *capture) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_flatness flatness = { 0 };
    T_OK(sq_image_decode(capture->bytes.data, capture->bytes.len,
                         &sq_limits_default, &image, &t_err));
    bool blank = sq_image_blank(&image, &flatness);
    return blank && flatness.black && flatness.single;
}

T_CASE(secure_app_is_not_captured) {
    phone_launch("secure");
    struct sq_capture capture = phone_capture(phone);
    T(capture.secure);
    T(is_black(&capture));
    sq_capture_finish(&capture);
    T(phone_text_is("balance", "$12,480.50"));
    phone_tap("Hide amounts");
    T(phone_text_is("balance", "Hidden"));
    phone_key("home");
    capture = phone_capture(phone);
    T(!capture.secure && !is_black(&capture));
    sq_capture_finish(&capture);
}

T_CASE(screen_is_black_while_asleep) {
    struct sq_deadline deadline = phone_deadline();
    uint64_t before = phone_frame();
    phone_key("power");
    struct sq_capture capture = phone_capture(phone);
    T(!capture.secure && is_black(&capture));
    sq_capture_finish(&capture);
    struct sq_tree tree = phone_tree();
    T(tree.root == NULL);
    sq_tree_finish(&tree);
    T_FAILS(sq_device_key(phone, "back", &deadline, &t_err),
            SQ_ERR_INVALID_OPERATION);
    T(t_err.hint[0]);
    phone_key("wakeup");
    T(phone_frame() == before);
}

/* The game has no elements: discs are found by their colour. */
static bool
find_disc(struct sq_dev_pt *out) {
    struct sq_capture capture = phone_capture(phone);
    const uint8_t *pixels = capture.bytes.data + 16;
    long count = 0;
    long x = 0;
    long y = 0;
    for (int i = 0; i < PHONE_WIDTH * PHONE_HEIGHT; i++) {
        static const uint8_t teal[] = { 0x4e, 0xcd, 0xc4 };
        if (memcmp(pixels + (size_t)i * 4, teal, sizeof(teal)) == 0) {
            x += i % PHONE_WIDTH;
            y += i / PHONE_WIDTH;
            count++;
        }
    }
    sq_capture_finish(&capture);
    if (count) {
        *out = (struct sq_dev_pt){ (int)(x / count), (int)(y / count) };
    }
    return count > 0;
}

T_CASE(game_has_no_elements) {
    phone_launch("game");
    struct sq_tree tree = phone_tree();
    T_INT(tree.count, 1);
    T(tree.root->text.len == 0 && tree.root->desc.len == 0);
    T(!(tree.root->flags & SQ_NODE_CLICKABLE));
    sq_tree_finish(&tree);
    uint64_t before = phone_frame();
    phone_touch((struct sq_dev_pt){ 5, 100 }, 1, 0);
    T(phone_frame() == before);
    for (int i = 0; i < 5; i++) {
        struct sq_dev_pt disc;
        if (!T(find_disc(&disc))) {
            break;
        }
        uint64_t frame = phone_frame();
        phone_touch(disc, 1, 0);
        T(phone_frame() != frame);
    }
    phone_stop("game");
    phone_launch("game");
    T(phone_frame() == before);
}

T_CASE(shows_the_time_of_its_clock) {
    phone_launch("clock");
    T(phone_text_is("time", "14:05:09"));
    T(phone_text_is("date", "Saturday, 14 November"));
    uint64_t before = phone_frame();
    T(phone_frame() == before);
    phone_clock_ns += 1000000000;
    T(phone_text_is("time", "14:05:10"));
    T(phone_frame() != before);
    phone_clock_ns = INT64_C(951782400) * 1000000000 - 1;
    T(phone_text_is("date", "Monday, 28 February"));
    phone_clock_ns += 1;
    T(phone_text_is("date", "Tuesday, 29 February"));
    T(phone_text_is("time", "00:00:00"));
    phone_clock_ns = -1;
    T(phone_text_is("time", "23:59:59"));
    T(phone_text_is("date", "Wednesday, 31 December"));
}

T_CASE(animation_never_settles) {
    phone_launch("animation");
    uint64_t before = phone_frame();
    for (int i = 0; i < 10; i++) {
        phone_clock_ns += 30 * 1000000;
        uint64_t now = phone_frame();
        T(now != before);
        before = now;
    }
}

T_CASE(keeps_deadlines) {
    struct sq_cancel *cancel = NULL;
    struct sq_screen screen;
    struct sq_tree tree = { 0 };
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    struct sq_deadline over = { .at_ns = 1 };
    sq_buf_init(&capture.bytes, PHONE_BYTES);
    T_FAILS(sq_device_screen(phone, &screen, &over, &t_err), SQ_ERR_TIMEOUT);
    T_FAILS(sq_device_capture(phone, NULL, &capture, &over, &t_err),
            SQ_ERR_TIMEOUT);
    T_INT(capture.bytes.len, 0);
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_cancel_set(cancel);
    over = sq_deadline_in(1000, cancel);
    T_FAILS(sq_device_tree(phone, &tree, &over, &t_err), SQ_ERR_CANCELLED);
    T(tree.root == NULL);
    T_FAILS(sq_device_key(phone, "home", &over, &t_err), SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
}

T_BARE_CASE(supports_other_sizes) {
    static const struct {
        int width, height;
        double density;
        bool ok;
    } sizes[] = {
        { 720, 1280, 2.0, true },   { 1440, 3120, 3.5, true },
        { 320, 480, 1.0, true },    { 1600, 2560, 2.0, true },
        { 200, 200, 8.0, true },    { 199, 400, 1.0, false },
        { 20000, 400, 1.0, false }, { 400, 400, 0.1, false },
        { 400, 400, 9.0, false },   { -1, 400, 1.0, false },
    };
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        struct sq_demo_options options = {
            .width = sizes[i].width,
            .height = sizes[i].height,
            .density = sizes[i].density,
        };
        phone = NULL;
        T(sq_demo_create(&options, &phone, &t_err) == sizes[i].ok);
        if (!sizes[i].ok) {
            T(t_err.code == SQ_ERR_ARGUMENT || t_err.code == SQ_ERR_LIMIT);
            continue;
        }
        for (size_t app = 0; app < APPS; app++) {
            phone_launch(apps[app]);
            T_FREED(sq_capture_finish)
            struct sq_capture capture = phone_capture(phone);
            T_INT(capture.bytes.len, 16 + sizes[i].width * sizes[i].height * 4);
        }
        phone_end();
    }
}
