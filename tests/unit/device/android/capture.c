/* Captures: complete, broken, black, of several displays. */
#include "device/android/state.h"
#include "unit/device/android/capturing.h"

T_FIXTURE(NULL, end);

T_CASE(picture_and_display_are_read_at_the_same_time) {
    static const struct rule table[] = {
        { .words = "screencap", SHOWS(bright) }, { 0 }
    };
    struct sq_deadline deadline = test_deadline();
    struct sq_screen screen = { 0 };
    struct sq_app app = { 0 };
    begin(table);
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, bright, FRAME_BYTES);
    T_INT(seen.tries, 1);
    T_BYTES(seen.bytes, FRAME_BYTES, bright, FRAME_BYTES);
    T_INT(capture.screen.size.width, 8);
    T_INT(capture.screen.size.height, 16);
    T(capture.screen.density == 2.0);
    T(!capture.secure && !capture.other_display);
    T_INT(capture.displays.count, 0);
    /* The size and the app are known. */
    T_OK(sq_device_screen(phone, &screen, &deadline, &t_err));
    T_OK(sq_device_current_app(phone, &app, &deadline, &t_err));
    T_STR(app.package, "com.example");
    T_INT(server.connections, 2);
    T_STR(last_command(), "screencap");
}

T_CASE(old_devices_use_one_stream) {
    static const struct rule table[] = {
        { .words = "screencap",
          SHOWS(bright),
          .errors = "[Warning] Multiple displays were found, but no display "
                    "id was specified! Defaulting to the first display.\n" },
        { .words = "window displays", .out = DISPLAYS("8x16", "0") },
        { .words = "SurfaceFlinger", .out = "" },
        { 0 }
    };
    begin(table);
    server.features = "cmd";
    sq_device_destroy(phone);
    phone = fake_adb_device(adb);
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, bright, FRAME_BYTES);
    T(fake_adb_received(&server, "exec:screencap"));
}

T_CASE(oldest_devices_write_a_file) {
    static const struct rule table[] = {
        { .words = "screencap -p /data/local/tmp/squint-", .out = "" },
        { .words = "screencap /data/local/tmp/squint-", .out = "" },
        { .words = "window displays", .out = DISPLAYS("8x16", "0") },
        { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
        { .words = "SurfaceFlinger", .out = "" },
        { .words = "rm /data/local/tmp/squint-", .out = "" },
        { 0 }
    };
    begin(table);
    phone_is_oldest();
    written = bright;
    written_len = FRAME_BYTES;
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, bright, FRAME_BYTES);
    T_INT(capture.screen.size.height, 16);
    written = png;
    written_len = PNG_BYTES;
    ((struct sq_android *)phone)->format.time[SQ_CAPTURE_RAW].ns =
        900 * (int64_t)1000000;
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, png, PNG_BYTES);
    written_len = PNG_BYTES - 3;
    T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    written = NULL;
    T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    T(t_err.hint[0]);
}

T_CASE(missing_picture_is_an_error) {
    static const struct {
        struct rule rule;
        const char *says;
    } cases[] = {
        { { .words = "screencap" }, "" },
        { { .words = "screencap",
            .errors = "Failed to take screenshot. Status: -2\n",
            .status = 1 },
          "Failed to take" },
        { { .words = "screencap",
            .out = "screencap: not found\n",
            .status = 127 },
          "not found" },
        { { .words = "screencap", .out = "gibberish" }, "" },
        { { .words = "screencap", SHOWS(bright), .status = 1 }, "" },
    };
    begin((const struct rule[]){ { 0 } });
    T_EACH(i, cases) {
        const struct rule table[] = { cases[i].rule, { 0 } };
        set_rules(table);
        T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
        T(t_err.hint[0]);
        T_HAS(t_err.message, cases[i].says);
        T_INT(capture.bytes.len, 0);
    }
}

T_CASE(incomplete_picture_is_an_error) {
    begin((const struct rule[]){ { 0 } });
    for (size_t len = 1; len < FRAME_BYTES; len += len < 32 ? 1 : 37) {
        if (len == FRAME_BYTES - 4) {
            continue; /* the header of 12 bytes has that length */
        }
        const struct rule table[] = {
            { .words = "screencap", .bytes = bright, .count = len }, { 0 }
        };
        set_rules(table);
        T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    }
}

T_CASE(black_picture_is_explained) {
    static const struct rule off[] = { { .words = "dumpsys power",
                                         .out = "mWakefulness=Asleep\n" },
                                       { .words = "screencap", SHOWS(black) },
                                       { 0 } };
    static const struct rule secure[] = {
        { .words = "dumpsys power",
          .out = "mWakefulness=Awake\n" DISPLAYS(
              "8x16",
              "0") "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
                   "  Window #1 Window{1 u0 com.example/com.example.Main}:\n"
                   "    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION\n"
                   "      fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH}\n" },
        { .words = "screencap", SHOWS(black) },
        { 0 }
    };
    static const struct rule dark[] = {
        { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
        { .words = "SurfaceFlinger", .out = "Display 7 (HWC display 0): x\n" },
        { .words = "screencap", SHOWS(black) },
        { 0 }
    };
    begin(off);
    T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    T_HAS(t_err.message, "off");
    T_HAS(t_err.hint, "@wake");
    set_rules(secure);
    t_err = (struct sq_err){ 0 };
    T_OK(take(NULL, &t_err));
    T(capture.secure);
    set_rules(dark);
    T_OK(take(NULL, &t_err));
    T(!capture.secure);
    T_INT(capture.bytes.len, FRAME_BYTES);
}

#define TWO_PANELS                                                             \
    "Display 11 (HWC display 0): port=0 displayName=\"Inner\"\n"               \
    "Display 22 (HWC display 1): port=1 displayName=\"Cover\"\n"
#define LIT(id)                                                                \
    "--squint--\nmViewports=[DisplayViewport{type=INTERNAL, isActive=true, "   \
    "displayId=0, uniqueId='local:" id "', orientation=0}]\n"

/* Checks the displays that the last capture listed. */
static void
displays_are(const char *want) {
    char text[400] = "";
    for (int i = 0; i < capture.displays.count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, "%s%s %s", i ? ", " : "",
                 capture.displays.entries[i].id,
                 capture.displays.entries[i].name);
    }
    T_STR(text, want);
}

T_CASE(foldable_shows_the_lit_panel) {
    static const struct rule table[] = {
        { .words = "screencap -d 22", SHOWS(bright) },
        { .words = "screencap -d",
          .errors = "Invalid display ID\n",
          .status = 1 },
        { .words = "screencap",
          SHOWS(black),
          .errors = "[Warning] Multiple displays were found, but no "
                    "display id was specified!\n" },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("22") },
        { 0 }
    };
    static const struct rule unfolded[] = {
        { .words = "screencap -d 11", SHOWS(bright) },
        { .words = "screencap -d",
          .errors = "Invalid display ID: 22\n",
          .status = 1 },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("11") },
        { 0 }
    };
    begin(table);
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, bright, FRAME_BYTES);
    T_INT(server.connections, 5); /* two captures, and SurfaceFlinger */
    /* The dark one was seen, too; the last is what counts. */
    T_INT(seen.tries, 2);
    T_BYTES(seen.bytes, FRAME_BYTES, bright, FRAME_BYTES);
    displays_are("0 Cover, 11 Inner");
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &t_err));
    T_INT(server.connections, 2);
    displays_are("0 Cover, 11 Inner");
    set_rules(unfolded);
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, bright, FRAME_BYTES);
    displays_are("0 Inner, 22 Cover");
}

/* A second display was disconnected: screencap needs no id any more. */
T_CASE(only_remaining_display_is_shown) {
    static const struct rule two[] = {
        { .words = "screencap -d 11", SHOWS(bright) },
        { .words = "screencap",
          SHOWS(bright),
          .errors = "[Warning] Multiple displays were found\n" },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("11") },
        { 0 }
    };
    static const struct rule one[] = {
        { .words = "screencap -d",
          .errors = "Invalid display ID\n",
          .status = 1 },
        { .words = "screencap", SHOWS(bright) },
        { .words = "SurfaceFlinger", .out = "Display 33 (HWC display 0): x\n" },
        { 0 }
    };
    begin(two);
    T_OK(take(NULL, &t_err));
    displays_are("0 Inner, 22 Cover");
    set_rules(one);
    T_OK(take(NULL, &t_err));
    displays_are("");
}

#define NARROW_STATE                                                           \
    { .words = DISPLAY_COMMAND, .out = DISPLAYS("4x32", "0") }
#define MANY "[Warning] Multiple displays were found\n"

/* Both panels give pictures, lit or not. */
T_CASE(foldable_shows_the_panel_of_matching_shape) {
    static const struct rule folded[] = {
        { .words = "screencap -d 22", SHOWS(bright) },
        { .words = "screencap", SHOWS(bright), .errors = MANY },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("22") },
        { 0 }
    };
    static const struct rule unfolded[] = {
        NARROW_STATE,
        { .words = "screencap -d 22", SHOWS(bright) },
        { .words = "screencap -d 11", SHOWS(narrow) },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("11") },
        { 0 }
    };
    begin(folded);
    T_OK(take(NULL, &t_err));
    set_rules(unfolded);
    T_OK(take(NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, narrow, FRAME_BYTES);
    T_BYTES(seen.bytes, FRAME_BYTES, narrow, FRAME_BYTES);
    T_INT(capture.screen.size.width, 4);
    T(!capture.other_shape && !capture.other_display);
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &t_err));
    T_INT(server.connections, 2);
}

T_CASE(picture_of_another_shape_is_reported) {
    static const struct rule stays[] = {
        NARROW_STATE,
        { .words = "screencap -d 22", SHOWS(bright) },
        { .words = "screencap", SHOWS(bright), .errors = MANY },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("22") },
        { 0 }
    };
    static const struct rule one_panel[] = {
        NARROW_STATE,
        { .words = "screencap", SHOWS(bright) },
        { .words = "SurfaceFlinger", .out = "Display 7 (HWC display 0): x\n" },
        { 0 }
    };
    static const struct rule override[] = {
        { .words = "screencap", SHOWS(bright) },
        { .words = DISPLAY_COMMAND, .out = DISPLAYS("540x1077", "0") },
        { 0 }
    };
    begin(stays);
    T_OK(take(NULL, &t_err));
    T(capture.other_shape);
    T_INT(capture.screen.size.width, 4);
    end();
    begin(one_panel);
    T_OK(take(NULL, &t_err));
    T(capture.other_shape);
    /* There is no other panel, so there is no second capture. */
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &t_err));
    T(capture.other_shape);
    T_INT(server.connections, 2);
    /* Another size of the same shape, but for rounding, is usual. */
    set_rules(override);
    T_OK(take(NULL, &t_err));
    T(!capture.other_shape);
    T_INT(server.connections, 2);
}

T_CASE(display_can_be_selected) {
    static const struct rule table[] = {
        { .words = "screencap -d 22", SHOWS(turned) },
        { .words = "screencap", SHOWS(bright) },
        { .words = "SurfaceFlinger", .out = TWO_PANELS LIT("11") },
        { 0 }
    };
    begin(table);
    T_OK(take("22", &t_err));
    displays_are("0 Inner, 22 Cover");
    T(capture.other_display);
    T_INT(capture.screen.size.width, 16);
    T_OK(take("11", &t_err));
    T(!capture.other_display);
    T_OK(take("0", &t_err));
    T(!capture.other_display);
    static const char *const wrong[] = {
        "33", "", "x", "-1", "1;id", "99999999999999999999999"
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        fake_adb_clear_log(&server);
        T_FAILS(take(wrong[i], &t_err), SQ_ERR_ARGUMENT);
        T_HAS(t_err.hint, "0, 22");
        T(!fake_adb_received(&server, "screencap"));
    }
}

T_CASE(rotation_during_the_capture_is_noticed) {
    static const struct rule table[] = {
        { .words = "screencap", SHOWS(turned) },
        { .words = "window displays", .out = DISPLAYS("16x8", "1") },
        { 0 }
    };
    begin(table);
    T_OK(take(NULL, &t_err));
    T_INT(capture.screen.rotation, 1);
    T_INT(capture.screen.size.width, 16);
}

T_CASE(png_without_its_end_is_refused) {
    begin((const struct rule[]){ { 0 } });
    for (size_t len = 1; len < PNG_BYTES; len++) {
        const struct rule table[] = {
            { .words = "screencap -p", .bytes = png, .count = len }, { 0 }
        };
        set_rules(table);
        ((struct sq_android *)phone)->format.time[SQ_CAPTURE_RAW].ns =
            900 * (int64_t)1000000;
        T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    }
}

static bool
take_one(void *context, struct sq_err *err) {
    return take(NULL, err);
}

T_CASE(out_of_memory_is_reported) {
    static const struct rule table[] = {
        { .words = "screencap", SHOWS(bright) },
        { .words = "window displays", .out = DISPLAYS("8x16", "0") },
        { 0 }
    };
    begin(table);
    T(t_alloc_torture(take_one, NULL) > 3);
}
