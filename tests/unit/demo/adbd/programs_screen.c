/* The phone's screen, checked with the parsers for real phones. */
#include "demo/adbd/program.h"
#include "device/android/parse.h"
#include "device/ui_xml.h"
#include "image/pipeline/codec.h"
#include "unit/demo/adbd/on_phone.h"

static bool
same_node(const struct sq_node *a, const struct sq_node *b) {
    return sq_span_equal(a->text, b->text) && sq_span_equal(a->desc, b->desc)
        && sq_span_equal(a->hint, b->hint)
        && sq_span_equal(a->resource_id, b->resource_id)
        && sq_span_equal(a->class_name, b->class_name)
        && sq_span_equal(a->package, b->package)
        && memcmp(&a->bounds, &b->bounds, sizeof(a->bounds)) == 0
        && a->flags == b->flags && a->index == b->index && a->depth == b->depth;
}

T_FIXTURE(start, finish);

/* The output of uiautomator equals the phone's own tree, on every screen. */
T_CASE(dump_equals_the_tree) {
    static const char *const apps[] = { "launcher",  "settings", "login",
                                        "shop",      "game",     "clock",
                                        "animation", "secure",   "rotate" };
    for (size_t i = 0; i < SQ_COUNT(apps); i++) {
        T_FREED(sq_tree_finish) struct sq_tree known = { 0 };
        T_FREED(sq_tree_finish) struct sq_tree read = { 0 };
        struct sq_ui_xml_info info;
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        launch(apps[i]);
        T_INT(
            sq_dump_read(
                output_of("uiautomator dump --compressed /sdcard/a.xml"), NULL),
            SQ_DUMP_DONE);
        T_OK(sq_ui_xml_parse(output_of("cat /sdcard/a.xml"), &read, &info,
                             &t_err));
        T_OK(sq_device_tree(sq_adbd_phone_device(phone), &known, &deadline,
                            &t_err));
        T_INT(read.count, known.count);
        T_INT(info.rotation, 0);
        const struct sq_node *a = known.root;
        const struct sq_node *b = read.root;
        while (a && b && T(same_node(a, b))) {
            a = sq_node_after(a);
            b = sq_node_after(b);
        }
        T(!a && !b);
    }
}

T_CASE(dumps_fail_like_on_real_phones) {
    static const struct {
        const char *fault;
        enum sq_dump_outcome outcome;
        int status;
    } rows[] = {
        { "squint-fault idle=1", SQ_DUMP_NOT_IDLE, 0 },
        { "squint-fault null-root=1", SQ_DUMP_NO_ROOT, 0 },
        { "squint-fault crash=1", SQ_DUMP_SILENT, 137 },
        { "input keyevent SLEEP", SQ_DUMP_NO_ROOT, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_INT(t_phone_status(phone, rows[i].fault), 0);
        T_INT(sq_dump_read(errors_of("uiautomator dump"), NULL),
              rows[i].outcome);
        T_INT(t_phone_run(phone, rows[i].fault)->errors.len, 0);
        T_INT(t_phone_run(phone, "uiautomator dump")->status, rows[i].status);
        T_INT(t_phone_status(phone, "cat /sdcard/window_dump.xml"), 1);
        T_INT(t_phone_status(phone, "input keyevent WAKEUP"), 0);
        T_INT(sq_dump_read(output_of("uiautomator dump; rm -f "
                                     "/sdcard/window_dump.xml"),
                           NULL),
              SQ_DUMP_DONE);
    }
    T_INT(sq_dump_read(errors_of("uiautomator dump /system/a.xml"), NULL),
          SQ_DUMP_NO_FILE);
    T_INT(t_phone_status(phone, "uiautomator"), 1);
}

/* The fourth byte of a pixel is undefined. */
static bool
same_picture(const struct sq_image *a, const struct sq_image *b) {
    int differ = 0;
    for (int y = 0; y < HEIGHT; y++) {
        const uint8_t *row_a = a->pixels + (size_t)y * a->stride;
        const uint8_t *row_b = b->pixels + (size_t)y * b->stride;
        for (int x = 0; x < WIDTH; x++) {
            differ += memcmp(row_a + 4 * x, row_b + 4 * x, 3) != 0;
        }
    }
    return differ == 0;
}

T_CASE(captures_equal_the_frame) {
    struct sq_span raw = output_of("screencap");
    T_INT(raw.len, FRAME_BYTES);
    T_FREED(sq_image_finish) struct sq_image frame = { 0 };
    T_OK(sq_image_decode((const uint8_t *)raw.ptr, raw.len, &sq_limits_default,
                         &frame, &t_err));
    static const char *const scripts[] = {
        "screencap -p",
        "screencap /sdcard/a.png; cat /sdcard/a.png",
        "screencap -p /sdcard/a; cat /sdcard/a",
        "screencap /sdcard/b; cat /sdcard/b",
        "screencap -d 4619827259835644672",
        "screencap -p | cat",
    };
    for (size_t i = 0; i < SQ_COUNT(scripts); i++) {
        struct sq_span bytes = output_of(scripts[i]);
        T_FREED(sq_image_finish) struct sq_image same = { 0 };
        T_OK(sq_image_decode((const uint8_t *)bytes.ptr, bytes.len,
                             &sq_limits_default, &same, &t_err));
        T_INT(same.width, WIDTH);
        T_INT(same.height, HEIGHT);
        T(same_picture(&frame, &same));
    }
    struct sq_span jpeg = output_of("screencap -j");
    T(jpeg.len > 2 && (uint8_t)jpeg.ptr[0] == 0xff
      && (uint8_t)jpeg.ptr[1] == 0xd8);
}

/* A phone's PNG has many IDAT chunks of libpng's size. */
T_CASE(png_has_many_chunks) {
    launch("login");
    struct sq_span png = output_of("screencap -p");
    int count = 0;
    int whole = 0;
    for (size_t at = 8; at + 12 <= png.len;) {
        const uint8_t *chunk = (const uint8_t *)png.ptr + at;
        size_t len = (size_t)chunk[0] << 24 | (size_t)chunk[1] << 16
                   | (size_t)chunk[2] << 8 | chunk[3];
        bool is_data = memcmp(chunk + 4, "IDAT", 4) == 0;
        T(!is_data || len <= 8192);
        count += is_data;
        whole += is_data && len == 8192;
        at += len + 12;
    }
    T(count > 1);
    T_INT(whole, count - 1);
}

static bool
is_black(struct sq_span frame) {
    for (size_t i = 16; i < frame.len; i++) {
        if (frame.ptr[i] && i % 4 != 3) {
            return false;
        }
    }
    return frame.len == FRAME_BYTES;
}

T_CASE(captures_fail_like_on_real_phones) {
    T(!is_black(output_of("screencap")));
    T_INT(output_of("squint-fault truncate=100; screencap").len,
          strlen("truncate=100\n") + 100);
    T_INT(output_of("screencap -p").len, 100);
    T_INT(output_of("screencap /sdcard/a; cat /sdcard/a").len, 100);
    T_INT(output_of("squint-fault truncate=7,old-frame >/dev/null; screencap")
              .len,
          7);
    T_INT(output_of("squint-fault none,old-frame >/dev/null; screencap").len,
          FRAME_BYTES - 4);
    T_INT(t_phone_status(phone, "squint-fault none,secure"), 0);
    T(is_black(output_of("screencap")));
    T_INT(t_phone_status(phone, "squint-fault none"), 0);
    T(!is_black(output_of("screencap")));
    launch("secure");
    T(is_black(output_of("screencap")));
    T_STR(t_phone_errors(phone, "screencap -d 5"), "Capturing failed.\n");
    T_STR(t_phone_errors(phone, "screencap -d x"), "Invalid display ID: x\n");
    T_INT(t_phone_status(phone, "screencap -d x"), 1);
    T_INT(t_phone_status(phone, "screencap -x"), 1);
    T_INT(t_phone_status(phone, "screencap /system/a.png"), 1);
}

T_CASE(second_display_is_dark) {
    struct sq_display_id id;
    launch("login");
    T_INT(output_of("screencap 2>&1").len, FRAME_BYTES);
    T_INT(t_phone_status(phone, "squint-fault display-warning"), 0);
    T(sq_screencap_has_displays(errors_of("screencap")));
    T_INT(sq_screencap_skip_warning(output_of("screencap 2>&1")).len,
          FRAME_BYTES);
    struct sq_span list = output_of("dumpsys SurfaceFlinger --display-id");
    T(sq_display_take_id(&list, &id));
    T(id.id == 4619827259835644672u);
    T(sq_display_take_id(&list, &id));
    T(!sq_display_take_id(&list, &id));
    T(!is_black(output_of("screencap -d 4619827259835644672")));
    T(is_black(output_of("screencap -d 4619827551948147201")));
    T_INT(errors_of("screencap -d 4619827259835644672").len, 0);
}

T_CASE(size_is_reported_and_changed) {
    struct sq_size size;
    struct sq_display_state state;
    int dpi;
    int rotation;
    bool on;
    T(sq_wm_parse_size(output_of("wm size"), &size));
    T_INT(size.width, WIDTH);
    T(sq_wm_parse_density(output_of("wm density"), &dpi));
    T_INT(dpi, 160);
    T_INT(t_phone_status(phone, "wm size 64x128; wm density 80"), 0);
    T_STR(t_phone_output(phone, "wm size; cmd window density"),
          "Physical size: 360x640\nOverride size: 64x128\n"
          "Physical density: 160\nOverride density: 80\n");
    T_INT(output_of("screencap").len, 16 + 64 * 128 * 4);
    T(sq_display_parse_state(output_of("dumpsys window displays"), &state));
    T_INT(state.size.width, 64);
    T_INT(state.size.height, 128);
    T_INT(state.dpi, 80);
    T_INT(t_phone_status(phone, "wm size 1x1"), 255);
    T_INT(t_phone_status(phone, "wm size 99999x99999"), 255);
    T_INT(t_phone_status(phone, "wm density x"), 255);
    T_INT(t_phone_status(phone, "wm size reset; wm density reset"), 0);
    T_STR(t_phone_output(phone, "wm size; wm density"),
          "Physical size: 360x640\nPhysical density: 160\n");
    T_INT(output_of("screencap").len, FRAME_BYTES);

    T_INT(t_phone_status(phone, "settings put system user_rotation 3"), 0);
    T(sq_display_parse_state(output_of("dumpsys window displays"), &state));
    T_INT(state.size.width, HEIGHT);
    T_INT(t_phone_status(phone, "settings put system user_rotation 0"), 0);
    T_INT(output_of("screencap").len, FRAME_BYTES);

    launch("rotate");
    tap("landscape");
    T(sq_display_parse_state(output_of("dumpsys window displays"), &state));
    T_INT(state.rotation, 1);
    T_INT(state.size.width, HEIGHT);
    T(sq_display_parse_rotation(output_of("dumpsys input"), &rotation));
    T_INT(rotation, 1);
    T(sq_display_parse_rotation(output_of("dumpsys display"), &rotation));
    T_INT(rotation, 1);
    T(sq_wm_parse_size(output_of("wm size"), &size));
    T_INT(size.width, WIDTH);
    T(sq_power_parse(output_of("dumpsys power"), &on) && on);
    T_INT(t_phone_status(phone, "input keyevent KEYCODE_POWER"), 0);
    T(sq_power_parse(output_of("dumpsys power"), &on) && !on);
}

/* A PNG takes longer than a raw frame. */
T_BARE_CASE(raw_and_png_have_their_own_delays) {
    static const struct {
        const char *delays;
        const char *argv[4];
        int ms;
    } rows[] = {
        { "screencap=40,screencap-p=240", { "screencap" }, 40 },
        { "screencap=40,screencap-p=240", { "screencap", "-p" }, 240 },
        { "screencap=40,screencap-p=240",
          { "screencap", "/sdcard/a.png" },
          240 },
        { "screencap=40,screencap-p=240", { "screencap", "/sdcard/a" }, 40 },
        { "screencap=40,screencap-p=240", { "screencap", "-j" }, 40 },
        { "screencap=40,screencap-p=0", { "screencap", "-p" }, 0 },
        { "screencap=40", { "screencap", "-d", "0", "-p" }, 40 },
        { "screencap-p=240", { "screencap" }, 0 },
        { "screencap-p=240", { "screencap", "-x", "-p" }, 0 },
        { "screencap-j=99", { "screencap", "--jpeg" }, 99 },
        { "sleep=5,wm=1", { "sleep", "0.1" }, 105 },
        { "sleep=5,wm=1", { "echo", "-p" }, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_adbd_delays delays = { 0 };
        int argc = 0;
        while (argc < 4 && rows[i].argv[argc]) {
            argc++;
        }
        T_OK(sq_adbd_delays_set(&delays, sq_span_of(rows[i].delays), &t_err));
        T_INT(sq_adbd_program_delay(&delays, rows[i].argv, argc).ms,
              rows[i].ms);
    }
}
