/* Pictures, elements and the foreground app of a session. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/ui_xml.h"
#include "device/webdriver/private.h"
#include "sys/clock.h"
#include "util/bytes.h"
#include "util/limits.h"
#include "util/minmax.h"

#define ONLY_DISPLAY "0"
#define CAPTURE_TRIES 3
#define CHEAP_CAPTURE_MS 500
#define MAX_SKEW 0.02 /* between the scales of the two axes */
#define PNG_SIZE_AT 16

/* What a page tells about itself; the last makes documents distinct. */
static const char about_page[] =
    "[innerWidth, innerHeight, devicePixelRatio, location.origin, "
    "Math.floor(performance.timeOrigin) % 10000000]";

static int
take_int(const struct sq_json **item) {
    double number = 0;
    sq_json_double(*item, &number);
    *item = sq_json_next(*item);
    return number > 0 && number < SQ_MAX_SIDE * 1000.0 ? (int)(number + 0.5)
                                                       : 0;
}

/* Device space of a page is CSS pixels. */
static bool
read_page(struct sq_webdriver *wd, const struct sq_deadline *deadline,
          struct sq_err *err) {
    struct sq_screen screen = { .density = 1 };
    const struct sq_json *value;
    struct sq_span origin = { 0 };
    if (!sq_wd_evaluate(wd, sq_span_of(about_page), &value, deadline, err)) {
        return false;
    }
    const struct sq_json *item = sq_json_first(value);
    screen.size.width = take_int(&item);
    screen.size.height = take_int(&item);
    sq_json_double(item, &screen.density);
    item = sq_json_next(item);
    sq_json_string(item, &origin);
    item = sq_json_next(item);
    snprintf(screen.app, sizeof(screen.app), "%.*s#%d",
             (int)(origin.len < 150 ? origin.len : 150), origin.ptr,
             take_int(&item));
    if (screen.size.width <= 0 || screen.size.height <= 0
        || !(screen.density > 0 && screen.density < 100)) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "%s does not tell the size of the "
                       "page",
                       wd->endpoint.name);
    }
    screen.pixels = (struct sq_size){
        (int)(screen.size.width * screen.density + 0.5),
        (int)(screen.size.height * screen.density + 0.5),
    };
    wd->screen = screen;
    return true;
}

/* Device space of an iPhone is points, which the server calls the window. */
static bool
read_window(struct sq_webdriver *wd, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_json *value = NULL;
    struct sq_err local_err = { 0 };
    /* A server that does not tell it: the picture has to. */
    if (!SQ_WD_GET(wd, wd->endpoint.is_agent ? "/window/size" : "/window/rect",
                   &value, deadline, &local_err)
        && (sq_is_fatal(local_err.code) || local_err.code == SQ_ERR_TIMEOUT
            || local_err.code == SQ_ERR_DEVICE_OFFLINE)) {
        return sq_fail_with(err, &local_err);
    }
    const struct sq_json *width = sq_json_get(value, "width");
    const struct sq_json *height = sq_json_get(value, "height");
    wd->screen = (struct sq_screen){
        .size = { take_int(&width), take_int(&height) },
        .rotation_is_unknown = true,
        .density = 1,
    };
    return true;
}

static bool
png_size(const struct sq_buf *bytes, struct sq_size *out, struct sq_err *err) {
    if (bytes->len < PNG_SIZE_AT + 8
        || memcmp(bytes->data, "\x89PNG\r\n\x1a\n", 8) != 0) {
        return sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                       "the server sent a picture that is no PNG");
    }
    uint32_t width = sq_load_be32(bytes->data + PNG_SIZE_AT);
    uint32_t height = sq_load_be32(bytes->data + PNG_SIZE_AT + 4);
    if (width == 0 || height == 0 || width > SQ_MAX_SIDE
        || height > SQ_MAX_SIDE) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the server sent a picture of "
                       "%ux%u",
                       (unsigned)width, (unsigned)height);
    }
    *out = (struct sq_size){ (int)width, (int)height };
    return true;
}

/* Relates the picture to the screen that was read. */
static bool
relate(struct sq_webdriver *wd, struct sq_capture *out, struct sq_err *err) {
    struct sq_size picture;
    if (!png_size(&out->bytes, &picture, err)) {
        return false;
    }
    struct sq_screen *screen = &wd->screen;
    if (screen->size.width <= 0 || screen->size.height <= 0
        || (wd->platform != SQ_WD_IOS && !sq_wd_is_browser(wd))) {
        screen->size = picture;
    }
    double across = (double)picture.width / screen->size.width;
    double down = (double)picture.height / screen->size.height;
    out->other_shape = fabs(across / down - 1) > MAX_SKEW;
    screen->pixels = picture;
    screen->density = sq_wd_is_browser(wd) ? screen->density : across;
    out->screen = *screen;
    return true;
}

static bool
capture_by(struct sq_webdriver *wd, struct sq_buf *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    static const struct sq_span fast = SQ_SPAN_INIT(
        "{\"cmd\":\"Page.captureScreenshot\",\"params\":{\"format\":\"png\","
        "\"optimizeForSpeed\":true}}");
    struct sq_err local_err = { 0 };
    if (wd->platform == SQ_WD_CHROME) {
        if (sq_wd_fetch(wd, SQ_WD_REQUEST("POST", "/goog/cdp/execute", fast),
                        out, deadline, &local_err)) {
            return true;
        }
        if (local_err.code != SQ_ERR_UNSUPPORTED) {
            return sq_fail_with(err, &local_err);
        }
        wd->platform = SQ_WD_BROWSER;
    }
    return sq_wd_fetch(wd, SQ_WD_REQUEST("GET", "/screenshot", { 0 }), out,
                       deadline, err);
}

bool
sq_wd_screen(struct sq_device *device, struct sq_screen *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    struct sq_capture capture = { 0 };
    if (!(sq_wd_is_browser(wd) ? read_page(wd, deadline, err)
                               : read_window(wd, deadline, err))) {
        return false;
    }
    if (wd->screen.size.width > 0 && wd->screen.size.height > 0) {
        *out = wd->screen;
        return true;
    }
    sq_buf_init(&capture.bytes, SQ_MAX_CAPTURE_BYTES);
    bool ok = capture_by(wd, &capture.bytes, deadline, err)
           && relate(wd, &capture, err);
    sq_capture_finish(&capture);
    if (ok) {
        *out = wd->screen;
    }
    return ok;
}

/* A picture of a page belongs to one document, and one size of the window. */
static bool
capture_page(struct sq_webdriver *wd, struct sq_capture *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    for (int i = 0; i < CAPTURE_TRIES; i++) {
        sq_buf_clear(&out->bytes);
        if (!read_page(wd, deadline, err)) {
            return false;
        }
        const struct sq_screen before = wd->screen;
        if (!capture_by(wd, &out->bytes, deadline, err)
            || !read_page(wd, deadline, err)) {
            return false;
        }
        if (strcmp(before.app, wd->screen.app) == 0
            && before.size.width == wd->screen.size.width
            && before.size.height == wd->screen.size.height) {
            return relate(wd, out, err);
        }
    }
    return sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                   "the page was replaced during each of %d captures",
                   CAPTURE_TRIES);
}

bool
sq_wd_capture(struct sq_device *device,
              const struct sq_capture_request *request, struct sq_capture *out,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const int64_t start = sq_clock_monotonic_ns();
    if (request->display && strcmp(request->display, ONLY_DISPLAY) != 0) {
        return sq_fail_display(err, request->display, ONLY_DISPLAY);
    }
    bool ok = sq_wd_is_browser(wd)
                ? capture_page(wd, out, deadline, err)
                : (wd->platform != SQ_WD_IOS || read_window(wd, deadline, err))
                      && capture_by(wd, &out->bytes, deadline, err)
                      && relate(wd, out, err);
    if (!ok) {
        sq_buf_clear(&out->bytes);
    }
    /* One slow capture does not end receipts: the server may have been busy. */
    wd->ops.capture_is_cheap = wd->ops.capture_ms <= CHEAP_CAPTURE_MS;
    wd->ops.capture_ms = 1 + (int)((sq_clock_monotonic_ns() - start) / 1000000);
    wd->ops.capture_is_cheap |= wd->ops.capture_ms <= CHEAP_CAPTURE_MS;
    return ok;
}

static bool
read_tree(struct sq_webdriver *wd, bool all, struct sq_tree *out,
          const struct sq_deadline *deadline, struct sq_err *err) {
    const int64_t start = sq_clock_monotonic_ns();
    const struct sq_json *value;
    struct sq_span xml = { 0 };
    bool ok;
    if (sq_wd_is_browser(wd)) {
        ok = read_page(wd, deadline, err)
          && sq_wd_list_page(wd, all, out, deadline, err);
    } else {
        ok = SQ_WD_GET(wd,
                       wd->endpoint.is_agent
                           ? "/source?format=xml&excluded_attributes=accessible"
                           : "/source",
                       &value, deadline, err)
          && (sq_json_string(value, &xml)
              || sq_fail(err, SQ_ERR_FORMAT, "%s sends no page source",
                         wd->endpoint.name))
          && sq_ui_xml_parse(xml, out, NULL, err);
    }
    const int ms = 1 + (int)((sq_clock_monotonic_ns() - start) / 1000000);
    /* One that a busy machine has delayed says nothing about the others. */
    wd->ops.tree_ms = wd->last_tree_ms ? sq_min_int(ms, wd->last_tree_ms) : ms;
    wd->last_tree_ms = ms;
    return ok;
}

bool
sq_wd_tree(struct sq_device *device, struct sq_tree *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    return read_tree(sq_webdriver_of(device), false, out, deadline, err);
}

bool
sq_wd_whole_tree(struct sq_device *device, struct sq_tree *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    return read_tree(sq_webdriver_of(device), true, out, deadline, err);
}

bool
sq_wd_current_app(struct sq_device *device, struct sq_app *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_webdriver *wd = sq_webdriver_of(device);
    const struct sq_json *value;
    struct sq_span name = { 0 };
    *out = (struct sq_app){ .locked = false };
    if (sq_wd_is_browser(wd)) {
        if (!read_page(wd, deadline, err)) {
            return false;
        }
        snprintf(out->package, sizeof(out->package), "%s", wd->screen.app);
        return true;
    }
    if (!sq_wd_mobile(wd,
                      SQ_WD_MOBILE(.command = wd->platform == SQ_WD_IOS
                                                ? "activeAppInfo"
                                                : "getCurrentPackage"),
                      &value, deadline, err)) {
        return false;
    }
    if (!sq_json_string(value, &name)) {
        name = sq_json_text_of(value, "bundleId");
    }
    snprintf(out->package, sizeof(out->package), "%.*s", SQ_SPAN_ARGS(name));
    return true;
}
