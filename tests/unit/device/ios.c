#include "device/ios/ios.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"

#define UDID "0A1B2C3D-0000-4000-8000-00000000CCCC"

static const struct sq_devices_options no_options;
static char saved_path[4096];

/* A program that prints the file of the given name. */
static void
put_program(const char *name, const char *script) {
    char text[1200];
    snprintf(text, sizeof(text), "#!/bin/sh\ncd %s\n%s\n", t_scratch(), script);
    t_put(t_scratch_path(name), text, strlen(text));
    T_INT(chmod(t_scratch_path(name), 0700), 0);
}

static void
put_text(const char *name, const char *text) {
    t_put(t_scratch_path(name), text, strlen(text));
}

static void
put_screen(int width, int height) {
    char text[400];
    snprintf(text, sizeof(text),
             "[{\"type\":\"Application\",\"pid\":9,\"frame\":{\"x\":0,\"y\":0,"
             "\"width\":%d,\"height\":%d}},{\"type\":\"Button\","
             "\"AXLabel\":\"Go\",\"frame\":{\"x\":10,\"y\":20,\"width\":30,"
             "\"height\":40}}]",
             width, height);
    put_text("elements", text);
}

/* Writes the header of a PNG file, which is all that is read here. */
static void
put_picture(int width, int height) {
    unsigned char png[64] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for (int i = 0; i < 4; i++) {
        png[16 + i] = (unsigned char)(width >> (24 - 8 * i));
        png[20 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    t_put(t_scratch_path("picture"), png, sizeof(png));
}

static void
start(void) {
    const char *path = getenv("PATH");
    snprintf(saved_path, sizeof(saved_path), "%s", path ? path : "");
    t_scratch_start();
    setenv("PATH", t_text("%s:/usr/bin:/bin", t_scratch()), 1);
    put_text("list",
             "{\"devices\":{\"com.apple.CoreSimulator.SimRuntime.iOS-18-2\":[{"
             "\"udid\":\"" UDID
             "\",\"state\":\"Booted\",\"name\":\"iPad\"}]}}");
    put_program("xcrun", "echo \"$@\" >>calls\n"
                         "case \"$*\" in\n"
                         "*\" list \"*) cat list ;;\n"
                         "*\" screenshot --type=png -\") cat picture ;;\n"
                         "*) exit 1 ;;\nesac");
    put_program("idb", "echo \"$@\" >>calls\n"
                       "case \"$*\" in\n"
                       "*--help*) echo usage ;;\n"
                       "*describe-all*) cat elements ;;\nesac");
    put_screen(393, 852);
    put_picture(1179, 2556);
}

static void
stop(void) {
    setenv("PATH", saved_path, 1);
    t_scratch_end();
}

static struct sq_device *
open_simulator(struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    struct sq_device *device = NULL;
    if (sq_ios_list(&no_options, &list, &deadline, err) && list.count > 0) {
        sq_ios_open(&no_options, &list.items[0], &device, &deadline, err);
    }
    return device;
}

static bool
shoot(struct sq_device *device, struct sq_screen *screen, struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    sq_buf_init(&capture.bytes, (size_t)1 << 20);
    bool ok = sq_device_capture(device, NULL, &capture, &deadline, err);
    T_INT(capture.bytes.len, ok ? 64 : 0);
    *screen = capture.screen;
    return ok;
}

T_FIXTURE(start, stop);

T_BARE_CASE(app_gives_points_and_picture_gives_pixels) {
    static const struct {
        int width; /* points */
        int height;
        int pixel_width;
        int pixel_height;
        double scale;
    } rows[] = {
        { 393, 852, 1179, 2556, 3 },
        { 852, 393, 2556, 1179, 3 }, /* rotated */
        { 1024, 1366, 2048, 2732, 2 },
        { 375, 667, 750, 1334, 2 },
        { 414, 736, 1080, 1920, 1080 / 414.0 }, /* not an integer */
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_screen screen = { 0 };
        start();
        put_screen(rows[i].width, rows[i].height);
        put_picture(rows[i].pixel_width, rows[i].pixel_height);
        struct sq_device *device = open_simulator(&t_err);
        if (T(device != NULL) && T_OK(shoot(device, &screen, &t_err))) {
            T_INT(screen.size.width, rows[i].width);
            T_INT(screen.size.height, rows[i].height);
            T_INT(screen.pixels.width, rows[i].pixel_width);
            T(screen.density == rows[i].scale);
            T_INT(screen.rotation, rows[i].width > rows[i].height);
        }
        sq_device_destroy(device);
        stop();
    }
}

/* Elements are not read again: the picture shows the rotation. */
T_CASE(rotation_is_detected_from_the_picture) {
    struct sq_screen screen = { 0 };
    struct sq_device *device = open_simulator(&t_err);
    T_OK(shoot(device, &screen, &t_err));
    put_program("idb", "exit 1");
    put_picture(2556, 1179);
    T_OK(shoot(device, &screen, &t_err));
    T_INT(screen.size.width, 852);
    T_INT(screen.size.height, 393);
    T_INT(screen.rotation, 1);
    sq_device_destroy(device);
}

T_CASE(capture_works_without_elements) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_screen screen = { 0 };
    put_program("idb", "echo Nothing works >&2; exit 1");
    struct sq_device *device = open_simulator(&t_err);
    T_OK(shoot(device, &screen, &t_err));
    T_INT(screen.size.width, 1179); /* pixels: idb reports no points */
    T(!sq_device_screen(device, &screen, &deadline, &t_err));
    T_HAS(t_err.message, "Nothing works");
    T(t_err.hint[0] != '\0');
    sq_device_destroy(device);
}

/* simctl's environment of the simulator, as two branches of a shell case. */
static void
put_xcrun(const char *scale, const char *width) {
    char script[600];
    snprintf(script, sizeof(script),
             "echo \"$@\" >>calls\ncase \"$*\" in\n"
             "*\" list \"*) cat list ;;\n"
             "*\" screenshot --type=png -\") cat picture ;;\n"
             "*\" SIMULATOR_MAINSCREEN_SCALE\") echo %s ;;\n"
             "*\" SIMULATOR_MAINSCREEN_WIDTH\") echo %s ;;\n"
             "*) exit 1 ;;\nesac",
             scale, width);
    put_program("xcrun", script);
}

/* Whether the log of both programs has a call with these words. */
static bool
was_called(const char *words) {
    char text[8192] = "";
    FILE *file = fopen(t_scratch_path("calls"), "re");
    if (file) {
        size_t len = fread(text, 1, sizeof(text) - 1, file);
        text[len] = '\0';
        fclose(file);
    }
    return strstr(text, words) != NULL;
}

static bool
shoot_only(struct sq_device *device, struct sq_screen *screen,
           struct sq_err *err) {
    const struct sq_capture_request request = { .picture_only = true };
    struct sq_deadline deadline = sq_deadline_in(20000, NULL);
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    sq_buf_init(&capture.bytes, (size_t)1 << 20);
    bool ok = sq_device_capture(device, &request, &capture, &deadline, err);
    *screen = capture.screen;
    return ok;
}

T_BARE_CASE(simctl_gives_the_points_if_idb_does_not) {
    static const struct {
        const char *scale;
        const char *width;
        int points; /* for a width of 1179 pixels */
    } rows[] = {
        { "3.000000", "1179", 393 },
        { "3", "1179", 393 },
        { "3.000000", "2556", 393 }, /* a screen that is wide by design */
        { "2.000000", "1179", 590 },
        /* Implausible values are not used. */
        { "3.000000", "750", 1179 },
        { "3.000000", "", 1179 },
        { "", "1179", 1179 },
        { "0", "1179", 1179 },
        { "-3", "1179", 1179 },
        { "1000", "1179", 1179 },
        { "nan", "1179", 1179 },
        { "three", "1179", 1179 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_screen screen = { 0 };
        start();
        put_program("idb", "exit 1");
        put_xcrun(rows[i].scale, rows[i].width);
        struct sq_device *device = open_simulator(&t_err);
        T_OK(shoot(device, &screen, &t_err));
        T_INT(screen.size.width, rows[i].points);
        T_INT(screen.pixels.width, 1179);
        sq_device_destroy(device);
        stop();
    }
}

T_CASE(capture_alone_does_not_run_idb) {
    struct sq_screen screen = { 0 };
    put_xcrun("3.000000", "1179");
    struct sq_device *device = open_simulator(&t_err);
    for (int i = 0; i < 2; i++) {
        T_OK(shoot_only(device, &screen, &t_err));
        T_INT(screen.size.width, 393);
    }
    T(!was_called("describe-all"));
    /* simctl is asked once. */
    put_xcrun("2.000000", "1179");
    put_picture(2556, 1179);
    T_OK(shoot_only(device, &screen, &t_err));
    T_INT(screen.size.width, 852);
    T(!was_called("describe-all"));
    sq_device_destroy(device);
}

/* Touches use the coordinates of the app's own frame. */
T_CASE(idb_replaces_the_points_of_simctl) {
    struct sq_screen screen = { 0 };
    put_xcrun("2.880000", "1179");
    struct sq_device *device = open_simulator(&t_err);
    T_OK(shoot_only(device, &screen, &t_err));
    T_INT(screen.size.width, 409);
    T_OK(shoot(device, &screen, &t_err));
    T_INT(screen.size.width, 393);
    T_OK(shoot_only(device, &screen, &t_err));
    T_INT(screen.size.width, 393);
    sq_device_destroy(device);
}

/* At most half of the time, and only once: later captures do not use it. */
T_CASE(hanging_idb_leaves_time_for_the_rest) {
    struct sq_deadline deadline = sq_deadline_in(10000, NULL);
    struct sq_tree tree = { 0 };
    struct sq_screen screen = { 0 };
    struct stat asked;
    put_xcrun("3.000000", "1179");
    put_program("idb", "printf x >>asked; exec sleep 600");
    struct sq_device *device = open_simulator(&t_err);
    for (int i = 0; i < 3; i++) {
        T_FAILS(sq_device_tree(device, &tree, &deadline, &t_err),
                SQ_ERR_TIMEOUT);
        T_OK(shoot(device, &screen, &t_err));
        T_INT(screen.size.width, 393);
    }
    T(sq_deadline_left_ms(&deadline) > 0);
    /* The second call is not waited for. */
    T(stat(t_scratch_path("asked"), &asked) == 0 && asked.st_size <= 2);
    sq_device_destroy(device);
}

T_CASE(app_that_does_not_fill_the_screen_is_detected) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_screen screen = { 0 };
    put_screen(507, 1024); /* half of an iPad */
    put_picture(2048, 2732);
    struct sq_device *device = open_simulator(&t_err);
    T_OK(shoot(device, &screen, &t_err));
    T_FAILS(sq_device_screen(device, &screen, &deadline, &t_err),
            SQ_ERR_UNSUPPORTED);
    T_HAS(t_err.message, "507x1024");
    sq_device_destroy(device);
}

/* Some versions of simctl refuse "-", or create a file of that name. */
T_CASE(file_is_used_if_standard_output_is_not_supported) {
    struct sq_screen screen = { 0 };
    setenv("TMPDIR", t_scratch(), 1);
    put_program("xcrun", "case \"$*\" in\n*\" list \"*) cat list ;;\n"
                         "*\" -\") echo no >&2; exit 1 ;;\n"
                         "*) for last; do :; done; cat picture >\"$last\" ;;\n"
                         "esac");
    struct sq_device *device = open_simulator(&t_err);
    int before = t_count_entries(t_scratch());
    for (int i = 0; i < 2; i++) {
        T_OK(shoot(device, &screen, &t_err));
        T_INT(screen.pixels.width, 1179);
    }
    T(t_count_entries(t_scratch()) <= before + 1); /* the log of calls */
    sq_device_destroy(device);
    unsetenv("TMPDIR");
}

T_CASE(missing_xcrun_gives_no_devices_and_no_error) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_device_list list = { 0 };
    struct sq_err err = { 0 };
    T_INT(unlink(t_scratch_path("xcrun")), 0);
    T_OK(sq_ios_list(&no_options, &list, &deadline, &err), &err);
    T_INT(list.count, 0);
    T_INT(err.code, SQ_ERR_NONE);
}

T_BARE_CASE(missing_tools_are_reported_with_a_hint) {
    static const struct {
        const char *complaint;
        enum sq_err_code code;
        const char *message;
        const char *hint;
    } rows[] = {
        { "xcrun: error: unable to find utility \"simctl\", not a developer "
          "tool or in PATH",
          SQ_ERR_NOT_FOUND, "Xcode is not installed", "xcode-select" },
        { "xcrun: error: invalid active developer path "
          "(/Library/Developer/CommandLineTools)",
          SQ_ERR_NOT_FOUND, "no Xcode is selected", "xcode-select" },
        { "You have not agreed to the Xcode license agreements", SQ_ERR_IO,
          "license", "xcodebuild -license" },
        { "Invalid device: X", SQ_ERR_DEVICE_NOT_FOUND, "no longer exists",
          "devices" },
        { "Unable to lookup in current state: Shutdown", SQ_ERR_DEVICE_OFFLINE,
          "not booted", "simctl boot" },
        { "first\nsecond, and what went wrong\n\n", SQ_ERR_IO,
          "simctl failed (5): second, and what went wrong", "" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        T_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
        start();
        put_text("complaint", rows[i].complaint);
        put_program("xcrun", "cat complaint >&2; exit 5");
        T_FAILS(sq_ios_list(&no_options, &list, &deadline, &t_err),
                rows[i].code);
        T_HAS(t_err.message, rows[i].message);
        T_HAS(t_err.hint, rows[i].hint);
        stop();
    }
}

T_CASE(without_idb_touch_errors_say_how_to_install_it) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_touch touch = { .at = { 1, 1 }, .count = 1 };
    struct sq_screen screen = { 0 };
    T_INT(unlink(t_scratch_path("idb")), 0);
    struct sq_device *device = open_simulator(&t_err);
    T_OK(shoot(device, &screen, &t_err));
    T_FAILS(sq_device_tap(device, &touch, &deadline, &t_err), SQ_ERR_NOT_FOUND);
    T_HAS(t_err.message, "idb");
    T_HAS(t_err.hint, "brew");
    sq_device_destroy(device);
}

T_ALLOC_CASE(every_allocation_can_fail, 6) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_touch touch = { .at = { 1, 1 }, .count = 1 };
    struct sq_screen screen;
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_device *device = open_simulator(err);
    bool ok = device && shoot(device, &screen, err)
           && sq_device_screen(device, &screen, &deadline, err)
           && sq_device_tree(device, &tree, &deadline, err)
           && sq_device_tap(device, &touch, &deadline, err);
    T(!ok || tree.count == 2);
    sq_device_destroy(device);
    return ok;
}
