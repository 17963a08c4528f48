/* The answers of xcrun simctl, in the formats of Xcode 15 and 16. */
#include <fcntl.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/demo/demo.h"
#include "fake/fake.h"
#include "util/bytes.h"

#define RAW_HEADER 16
#define PIXEL_BYTES 4
#define UNKNOWN 72
#define INVALID_DEVICE 148
#define NO_SUCH_PROCESS 3

#define HOME "\\/Users\\/ada\\/Library\\/Developer\\/CoreSimulator\\/Devices\\/"
#define LOGS "\\/Users\\/ada\\/Library\\/Logs\\/CoreSimulator\\/"

/* As simctl prints it: escaped slashes, empty runtimes, other systems. */
static const char devices[] =
    "{\n  \"devices\" : {\n"
    "    \"com.apple.CoreSimulator.SimRuntime.watchOS-10-2\" : [\n"
    "      {\n"
    "        \"dataPath\" : \"" HOME "AAAA\\/data\",\n"
    "        \"logPath\" : \"" LOGS "AAAA\",\n"
    "        \"udid\" : \"0A1B2C3D-0000-4000-8000-00000000AAAA\",\n"
    "        \"isAvailable\" : true,\n"
    "        \"deviceTypeIdentifier\" : "
    "\"com.apple.CoreSimulator.SimDeviceType.Apple-Watch-Series-9-45mm\",\n"
    "        \"state\" : \"Booted\",\n"
    "        \"name\" : \"Apple Watch Series 9 (45mm)\"\n"
    "      }\n    ],\n"
    "    \"com.apple.CoreSimulator.SimRuntime.tvOS-17-2\" : [\n\n    ],\n"
    "    \"com.apple.CoreSimulator.SimRuntime.iOS-16-4\" : [\n"
    "      {\n"
    "        \"availabilityError\" : \"runtime profile not found using "
    "\\\"System\\\" match policy\",\n"
    "        \"dataPath\" : \"" HOME "BBBB\\/data\",\n"
    "        \"dataPathSize\" : 13316096,\n"
    "        \"logPath\" : \"" LOGS "BBBB\",\n"
    "        \"udid\" : \"0A1B2C3D-0000-4000-8000-00000000BBBB\",\n"
    "        \"isAvailable\" : false,\n"
    "        \"deviceTypeIdentifier\" : "
    "\"com.apple.CoreSimulator.SimDeviceType.iPhone-14\",\n"
    "        \"state\" : \"Shutdown\",\n"
    "        \"name\" : \"iPhone 14\"\n"
    "      }\n    ],\n"
    "    \"com.apple.CoreSimulator.SimRuntime.iOS-17-2\" : [\n"
    "      {\n"
    "        \"lastBootedAt\" : \"2026-05-04T10:00:00Z\",\n"
    "        \"dataPath\" : \"" HOME "CCCC\\/data\",\n"
    "        \"dataPathSize\" : 1858547712,\n"
    "        \"logPath\" : \"" LOGS "CCCC\",\n"
    "        \"udid\" : \"0A1B2C3D-0000-4000-8000-00000000CCCC\",\n"
    "        \"isAvailable\" : true,\n"
    "        \"deviceTypeIdentifier\" : "
    "\"com.apple.CoreSimulator.SimDeviceType.iPad-Pro-12-9-inch-6th\",\n"
    "        \"state\" : \"Shutdown\",\n"
    "        \"name\" : \"iPad Pro (12.9-inch) (6th generation)\"\n"
    "      },\n      {\n"
    "        \"lastBootedAt\" : \"2026-05-04T11:00:00Z\",\n"
    "        \"dataPath\" : \"" HOME FAKE_UDID "\\/data\",\n"
    "        \"dataPathSize\" : 1858547712,\n"
    "        \"logPath\" : \"" LOGS FAKE_UDID "\",\n"
    "        \"udid\" : \"" FAKE_UDID "\",\n"
    "        \"isAvailable\" : true,\n"
    "        \"logPathSize\" : 163840,\n"
    "        \"deviceTypeIdentifier\" : "
    "\"com.apple.CoreSimulator.SimDeviceType.iPhone-15\",\n"
    "        \"state\" : \"Booted\",\n"
    "        \"name\" : \"iPhone 15\"\n"
    "      }\n    ]\n  }\n}\n";

static bool
is(const struct fake_request *request, int at, const char *word) {
    return at < request->count && strcmp(request->words[at], word) == 0;
}

static bool
check_device(const struct fake_request *request, struct fake_reply *reply) {
    if (!is(request, 3, FAKE_UDID)) {
        fake_fail(reply, INVALID_DEVICE, "Invalid device: %s",
                  request->count > 3 ? request->words[3] : "");
        return false;
    }
    return true;
}

static void
append_to_png(png_structp png, png_bytep bytes, size_t count) {
    struct fake *fake = png_get_io_ptr(png);
    if (!sq_buf_append(&fake->png, bytes, count, NULL)) {
        png_error(png, "the picture is too large");
    }
}

static void
flush_nothing(png_structp png) {
    (void)png;
}

/* Writes a raw frame as PNG, with libpng, as Apple's programs do. */
static void
write_png(struct fake *fake, const struct sq_buf *frame, png_structp png,
          png_infop info) {
    uint32_t width = sq_load_le32(frame->data);
    uint32_t height = sq_load_le32(frame->data + 4);
    png_set_write_fn(png, fake, append_to_png, flush_nothing);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_UP);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (uint32_t y = 0; y < height; y++) {
        png_write_row(png, frame->data + RAW_HEADER
                               + (size_t)y * width * PIXEL_BYTES);
    }
    png_write_end(png, info);
}

static bool
encode(struct fake *fake, const struct sq_buf *frame, struct sq_err *err) {
    if (frame->len == fake->frame.len
        && memcmp(frame->data, fake->frame.data, frame->len) == 0) {
        return true;
    }
    sq_buf_clear(&fake->png);
    sq_buf_clear(&fake->frame);
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return sq_fail_nomem(err);
    }
    write_png(fake, frame, png, info);
    png_destroy_write_struct(&png, &info);
    return sq_buf_append(&fake->frame, frame->data, frame->len, err);
}

static void
write_file(const char *path, const struct sq_buf *png,
           struct fake_reply *reply) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, png->data, png->len) != (ssize_t)png->len) {
        fake_fail(reply, 1, "You don't have permission to save the file \"%s\"",
                  path);
    }
    if (fd >= 0) {
        close(fd);
    }
}

/* simctl io UDID screenshot [--type=png] FILE */
static void
io(struct fake *fake, const struct fake_request *request,
   struct fake_reply *reply) {
    const char *path = request->words[request->count - 1];
    struct sq_capture capture = { 0 };
    struct sq_err err = { 0 };
    if (!is(request, 4, "screenshot") || request->count < 6
        || request->count > 8
        || (request->count > 6 && !is(request, 5, "--type=png"))) {
        fake_fail(reply, 22, "Usage: simctl io <device> screenshot <file>");
        return;
    }
    if (request->count == 8 && is(request, 6, "--display=external")) {
        fake_fail(reply, 1, "No external display is connected");
        return;
    }
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    if (!sq_device_capture(fake->phone, NULL, &capture, &fake->deadline, &err)
        || !encode(fake, &capture.bytes, &err)) {
        fake_fail(reply, 1, "%s", err.message);
    } else if (strcmp(path, "-") == 0) {
        sq_buf_append(&reply->output, fake->png.data, fake->png.len, NULL);
    } else {
        write_file(path, &fake->png, reply);
    }
    sq_buf_printf(&reply->errors, NULL,
                  "Note: No display specified. Defaulting to display: LCD\n");
    sq_capture_finish(&capture);
}

static void
listapps(struct fake *fake, struct fake_reply *reply) {
    struct sq_app_list list = { 0 };
    struct sq_err err = { 0 };
    if (!sq_device_apps(fake->phone, &list, &fake->deadline, &err)) {
        fake_fail(reply, 1, "%s", err.message);
        return;
    }
    sq_buf_printf(&reply->output, NULL, "{\n");
    for (size_t i = 0; i < list.count; i++) {
        const struct sq_app_entry *app = &list.entries[i];
        sq_buf_printf(
            &reply->output, NULL,
            "    \"%.*s\" =     {\n"
            "        ApplicationType = User;\n"
            "        Bundle = \"file:///private/demo/%.*s.app/\";\n"
            "        CFBundleDisplayName = %.*s;\n"
            "        CFBundleExecutable = %.*s;\n"
            "        CFBundleIdentifier = \"%.*s\";\n"
            "        CFBundleName = \"%.*s \\\"demo\\\" \\U00e4\";\n"
            "        CFBundleVersion = 1;\n"
            "        GroupContainers =         {\n"
            "            \"group.demo\" = \"file:///private/demo/group/\";\n"
            "        };\n"
            "        SBAppTags =         (\n        );\n"
            "    };\n",
            SQ_SPAN_ARGS(app->package), SQ_SPAN_ARGS(app->label),
            SQ_SPAN_ARGS(app->label), SQ_SPAN_ARGS(app->label),
            SQ_SPAN_ARGS(app->package), SQ_SPAN_ARGS(app->label));
    }
    for (size_t i = 0; i < FAKE_MAX_APPS; i++) {
        if (fake->installed[i][0]) {
            sq_buf_printf(&reply->output, NULL,
                          "    \"%s\" =     {\n"
                          "        ApplicationType = User;\n"
                          "        CFBundleDisplayName = Installed;\n"
                          "        CFBundleIdentifier = \"%s\";\n"
                          "    };\n",
                          fake->installed[i], fake->installed[i]);
        }
    }
    sq_buf_printf(&reply->output, NULL, "}\n");
    sq_app_list_finish(&list);
}

static void
launch(struct fake *fake, const struct fake_request *request,
       struct fake_reply *reply) {
    struct sq_err err = { 0 };
    const char *package = request->count > 4 ? request->words[4] : "";
    if (sq_device_launch(fake->phone, package, &fake->deadline, &err)) {
        sq_buf_printf(&reply->output, NULL, "%s: %d\n", package,
                      fake_pid(package));
        return;
    }
    fake_fail(reply, 4,
              "An error was encountered processing the command "
              "(domain=FBSOpenApplicationServiceErrorDomain, code=4):\n"
              "Simulator device failed to launch %s.",
              package);
}

static void
terminate(struct fake *fake, const struct fake_request *request,
          struct fake_reply *reply) {
    const char *package = request->count > 4 ? request->words[4] : "";
    if (!sq_device_stop(fake->phone, package, &fake->deadline, NULL)) {
        fake_fail(reply, NO_SUCH_PROCESS,
                  "An error was encountered processing the command "
                  "(domain=NSPOSIXErrorDomain, code=3):\n"
                  "found nothing to terminate");
    }
}

/*
 * simctl spawn UDID log show --style compact --last TIME [--predicate
 * "processID == N"]
 */
static void
show_log(struct fake *fake, const struct fake_request *request,
         struct fake_reply *reply) {
    static const char *const messages[] = {
        "[com.apple.UIKit:scene] Scene is active",
        "[com.squint.demo:net] GET /cart Authorization: Bearer "
        "eyJhbGciOiJIUzI1NiJ9.e30.abcdefghijk",
        "[com.squint.demo:login] user=ada password=hunter2",
        "first line of a message\n\tand its second",
    };
    struct sq_app app = { 0 };
    char wanted[64] = "";
    sq_device_current_app(fake->phone, &app, &fake->deadline, NULL);
    int pid = fake_pid(app.package);
    if (is(request, 10, "--predicate") && request->count == 12) {
        snprintf(wanted, sizeof(wanted), "processID == %d", pid);
        sq_buf_printf(&reply->output, NULL,
                      "Filtering the log data using \"%s\"\n",
                      request->words[11]);
    }
    if (!is(request, 6, "--style") || !is(request, 7, "compact")
        || !is(request, 8, "--last")
        || (wanted[0] && !is(request, 11, wanted))) {
        fake_fail(reply, 64, "log: Cannot run while sandboxed");
        return;
    }
    sq_buf_printf(&reply->output, NULL,
                  "Timestamp               Ty Process[PID:TID]\n");
    if (!wanted[0]) {
        sq_buf_printf(&reply->output, NULL,
                      "2026-11-15 10:00:00.001 Df SpringBoard[312:aa] "
                      "[com.apple.SpringBoard:Icon] laid out\n");
    }
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
        sq_buf_printf(&reply->output, NULL,
                      "2026-11-15 10:00:0%zu.123 Df Shop[%d:1a2b] %s\n", i + 1,
                      pid, messages[i]);
    }
}

static void
spawn(struct fake *fake, const struct fake_request *request,
      struct fake_reply *reply) {
    struct sq_app app = { 0 };
    if (is(request, 4, "log") && is(request, 5, "show")) {
        show_log(fake, request, reply);
        return;
    }
    if (!is(request, 4, "launchctl") || !is(request, 5, "list")) {
        fake_fail(reply, 1, "no such program");
        return;
    }
    sq_device_current_app(fake->phone, &app, &fake->deadline, NULL);
    sq_buf_printf(&reply->output, NULL,
                  "PID\tStatus\tLabel\n"
                  "-\t0\tcom.apple.cfprefsd.xpc.daemon\n"
                  "312\t0\tcom.apple.backboardd\n"
                  "%d\t0\tUIKitApplication:%s[3f32][rb-legacy]\n"
                  "77\t-9\tUIKitApplication:com.apple.Preferences[0a1b]\n",
                  fake_pid(app.package), app.package);
}

/* simctl getenv UDID NAME: prints nothing for what is not set. */
static void
get_environment(const struct fake_request *request, struct fake_reply *reply) {
    if (is(request, 4, "SIMULATOR_MAINSCREEN_SCALE")) {
        sq_buf_printf(&reply->output, NULL, "%d.000000\n", FAKE_SCALE);
    } else if (is(request, 4, "SIMULATOR_MAINSCREEN_WIDTH")) {
        sq_buf_printf(&reply->output, NULL, "%d\n", FAKE_WIDTH);
    }
}

/* simctl openurl UDID URL */
static void
openurl(struct fake *fake, const struct fake_request *request,
        struct fake_reply *reply) {
    const struct sq_hand hand = {
        .verb = SQ_HAND_OPEN,
        .text = sq_span_of(request->count > 4 ? request->words[4] : ""),
    };
    if (!sq_device_hand(fake->phone, &hand, &fake->deadline, NULL)) {
        fake_fail(reply, 194,
                  "An error was encountered processing the command "
                  "(domain=NSOSStatusErrorDomain, code=-10814):\n"
                  "Simulator device failed to open %s.",
                  request->words[4]);
    }
}

/* simctl privacy UDID grant|revoke|reset SERVICE BUNDLE */
static void
privacy(const struct fake_request *request, struct fake_reply *reply) {
    bool known = is(request, 5, "camera") || is(request, 5, "photos")
              || is(request, 5, "location");
    if (request->count != 7 || !known) {
        fake_fail(reply, 64, "Invalid service: %s",
                  request->count > 5 ? request->words[5] : "");
    }
}

/* simctl location UDID set LATITUDE,LONGITUDE */
static void
locate(const struct fake_request *request, struct fake_reply *reply) {
    if (!is(request, 4, "set") || request->count != 6
        || !strchr(request->words[5], ',')) {
        fake_fail(reply, 64, "Usage: simctl location <device> set <lat>,<lon>");
    }
}

/* simctl ui UDID appearance light|dark */
static void
appear(const struct fake_request *request, struct fake_reply *reply) {
    if (!is(request, 4, "appearance")
        || (!is(request, 5, "light") && !is(request, 5, "dark"))) {
        fake_fail(reply, 64, "Invalid appearance");
    }
}

/* The place of an app that was installed, or an empty one; else NULL. */
static char *
installed_at(struct fake *fake, const char *bundle) {
    for (size_t i = 0; i < FAKE_MAX_APPS; i++) {
        if (strcmp(fake->installed[i], bundle) == 0) {
            return fake->installed[i];
        }
    }
    return NULL;
}

/* Reads the bundle id of an app's Info.plist, an XML file. */
static bool
read_bundle(const char *app, char out[FAKE_BUNDLE_SIZE]) {
    static const char key[] = "<key>CFBundleIdentifier</key><string>";
    char path[600];
    char text[4000] = "";
    snprintf(path, sizeof(path), "%.500s/Info.plist", app);
    FILE *file = fopen(path, "re");
    size_t len = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
    text[len] = '\0';
    if (file) {
        fclose(file);
    }
    const char *at = strstr(text, key);
    const char *name = at ? at + sizeof(key) - 1 : "";
    snprintf(out, FAKE_BUNDLE_SIZE, "%.*s", (int)strcspn(name, "<"), name);
    return out[0] != '\0';
}

/* simctl install UDID APP */
static void
install(struct fake *fake, const struct fake_request *request,
        struct fake_reply *reply) {
    char bundle[FAKE_BUNDLE_SIZE] = "";
    bool known = request->count == 5 && read_bundle(request->words[4], bundle);
    char *place = known ? installed_at(fake, bundle) : NULL;
    place = place || !known ? place : installed_at(fake, "");
    if (!place) {
        fake_fail(reply, 13,
                  "An error was encountered processing the command "
                  "(domain=IXErrorDomain, code=13):\n"
                  "Simulator device failed to install the application.\n"
                  "Missing bundle ID.");
        return;
    }
    snprintf(place, FAKE_BUNDLE_SIZE, "%s", bundle);
}

/* simctl uninstall UDID BUNDLE */
static void
uninstall(struct fake *fake, const struct fake_request *request,
          struct fake_reply *reply) {
    char *place =
        request->count == 5 ? installed_at(fake, request->words[4]) : NULL;
    if (!place || !place[0]) {
        fake_fail(reply, 22, "Failed to uninstall the requested application");
        return;
    }
    place[0] = '\0';
}

/* simctl pbpaste UDID */
static void
paste(const struct fake_request *request, struct fake_reply *reply) {
    (void)request;
    sq_buf_printf(&reply->output, NULL, "from the Mac");
}

/* The subcommands that need only their words. */
static const struct {
    const char *name;
    void (*run)(const struct fake_request *request, struct fake_reply *reply);
} plain[] = { { "privacy", privacy },
              { "location", locate },
              { "ui", appear },
              { "pbpaste", paste } };

static bool
run_plain(const struct fake_request *request, struct fake_reply *reply) {
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (is(request, 2, plain[i].name)) {
            plain[i].run(request, reply);
            return true;
        }
    }
    return is(request, 2, "pbcopy");
}

/* install and uninstall */
static bool
run_app_command(struct fake *fake, const struct fake_request *request,
                struct fake_reply *reply) {
    if (is(request, 2, "install")) {
        install(fake, request, reply);
        return true;
    }
    if (is(request, 2, "uninstall")) {
        uninstall(fake, request, reply);
        return true;
    }
    return false;
}

void
fake_xcrun(struct fake *fake, const struct fake_request *request,
           struct fake_reply *reply) {
    if (!is(request, 1, "simctl")) {
        fake_fail(reply, UNKNOWN,
                  "xcrun: error: unable to find utility \"%s\", not a "
                  "developer tool or in PATH",
                  request->count > 1 ? request->words[1] : "");
    } else if (is(request, 2, "list")) {
        sq_buf_append(&reply->output, devices, sizeof(devices) - 1, NULL);
    } else if (!check_device(request, reply)) {
        return;
    } else if (is(request, 2, "io")) {
        io(fake, request, reply);
    } else if (is(request, 2, "listapps")) {
        listapps(fake, reply);
    } else if (is(request, 2, "launch")) {
        launch(fake, request, reply);
    } else if (is(request, 2, "terminate")) {
        terminate(fake, request, reply);
    } else if (is(request, 2, "spawn")) {
        spawn(fake, request, reply);
    } else if (run_app_command(fake, request, reply)) {
        return;
    } else if (is(request, 2, "openurl")) {
        openurl(fake, request, reply);
    } else if (run_plain(request, reply)) {
        return;
    } else if (is(request, 2, "getenv")) {
        get_environment(request, reply);
    } else {
        fake_fail(reply, 1, "Unrecognized subcommand: %s",
                  request->count > 2 ? request->words[2] : "");
    }
}
