/* Captures a simulator, reads its elements and relates points to pixels. */
#include <math.h>

#include "device/ios/simulator.h"
#include "sys/file.h"
#include "util/bytes.h"
#include "util/limits.h"

#define CAPTURE_MS 15000
#define TREE_MS 2000

#define PNG_WIDTH_AT 16
#define PNG_HEIGHT_AT 20

/* If the scales of the axes differ by more, the sizes do not match. */
#define MAX_SKEW 0.02

static bool
is_same(struct sq_size a, struct sq_size b) {
    return a.width == b.width && a.height == b.height;
}

static struct sq_size
rotate(struct sq_size size) {
    return (struct sq_size){ size.height, size.width };
}

static bool
describe(struct sq_simulator *simulator, struct sq_idb_screen *out,
         const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_ios_call call = {
        .words = SQ_WORDS("ui", "describe-all", "--json",
                          simulator->is_flat ? NULL : "--nested"),
        .max_output = SQ_MAX_JSON_BYTES,
        .timeout_ms = TREE_MS,
    };
    struct sq_buf *elements = &simulator->elements;
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    if (elements->len == 0
        || simulator->elements_change != simulator->base.change) {
        if (!sq_idb_run(simulator, &call, deadline, &end, err)) {
            /* An older idb does not know this option. */
            simulator->is_flat =
                simulator->is_flat
                || sq_span_find(sq_buf_span(&end.errors), "--nested");
            return sq_idb_is_late(simulator) && sq_idb_fail_late(err);
        }
        sq_buf_finish(elements);
        *elements = end.output;
        simulator->elements_change = simulator->base.change;
        end.output = (struct sq_buf){ 0 };
    }
    if (sq_idb_parse_elements(sq_buf_span(elements), out, err)) {
        return true;
    }
    sq_simulator_forget_elements(simulator);
    return sq_fail_in(err, "the elements listed by idb");
}

void
sq_simulator_forget_elements(struct sq_simulator *simulator) {
    sq_buf_finish(&simulator->elements);
}

bool
sq_simulator_elements(struct sq_simulator *simulator, struct sq_idb_screen *out,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, sq_deadline_left_ms(deadline) / 2);
    struct sq_err local_err = { 0 };
    bool was_flat = simulator->is_flat;
    if (describe(simulator, out, &limit, &local_err)) {
        return true;
    }
    /* Nested elements may also be nested too deeply. */
    simulator->is_flat = simulator->is_flat || local_err.code == SQ_ERR_LIMIT;
    return simulator->is_flat && !was_flat
             ? describe(simulator, out, &limit, err)
             : sq_fail_with(err, &local_err);
}

static bool
is_png(const struct sq_buf *bytes) {
    static const char signature[] = "\x89PNG\r\n\x1a\n";
    struct sq_span start = sq_buf_span(bytes);
    return sq_span_starts_with(start, signature);
}

/* The display to capture, and the output path. */
struct target {
    const char *display; /* simctl's option; NULL: the main display */
    const char *to;
};

static bool
run_screenshot(struct sq_simulator *simulator, const struct target *target,
               const struct sq_deadline *deadline, struct sq_process_end *end,
               struct sq_err *err) {
    const char *first = target->display ? target->display : target->to;
    const struct sq_ios_call call = {
        .words =
            SQ_WORDS("io", simulator->base.info.id, "screenshot", "--type=png",
                     first, target->display ? target->to : NULL),
        .max_output = SQ_MAX_CAPTURE_BYTES,
        .timeout_ms = CAPTURE_MS,
    };
    return sq_simctl_run(simulator->xcrun, &call, deadline, end, err);
}

static bool
capture_by_file(struct sq_simulator *simulator, const char *display,
                struct sq_buf *out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    struct sq_temp temp = { 0 };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    bool ok = sq_temp_make(&temp, "screenshot.png", err)
           && run_screenshot(simulator, &(struct target){ display, temp.file },
                             deadline, &end, err)
           && sq_file_read(temp.file, SQ_MAX_CAPTURE_BYTES, &bytes, err)
           && sq_buf_append(out, bytes.data, bytes.len, err);
    sq_temp_remove(&temp);
    return ok;
}

static bool
fail_capture(struct sq_err *err, const struct sq_err *other_err) {
    if (!err) {
        return false;
    }
    *err = *other_err;
    if (err->code == SQ_ERR_IO || err->code == SQ_ERR_FORMAT) {
        err->code = SQ_ERR_SCREENSHOT_FAILED;
    }
    if (!err->hint[0]) {
        sq_fail_hint(err,
                     "Check that the simulator has booted, then try again.");
    }
    return false;
}

/* Some versions of simctl refuse "-" or use it as a file name. */
static bool
take_picture(struct sq_simulator *simulator, const char *display,
             struct sq_buf *out, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    sq_simulator_forget_elements(simulator);
    if (simulator->to_file) {
        return capture_by_file(simulator, display, out, deadline, &local_err)
            || fail_capture(err, &local_err);
    }
    bool ran = run_screenshot(simulator, &(struct target){ display, "-" },
                              deadline, &end, &local_err);
    bool ok = ran && is_png(&end.output)
           && sq_buf_append(out, end.output.data, end.output.len, &local_err);
    if (ok) {
        return true;
    }
    if ((!ran && local_err.code != SQ_ERR_IO)
        || local_err.code == SQ_ERR_NOMEM) {
        return fail_capture(err, &local_err);
    }
    simulator->to_file =
        capture_by_file(simulator, display, out, deadline, &local_err);
    return simulator->to_file || fail_capture(err, &local_err);
}

static int
side_at(const struct sq_buf *png, size_t at) {
    uint32_t side = sq_load_be32(png->data + at);
    return side <= SQ_MAX_SIDE ? (int)side : 0;
}

/* Reads the size from the PNG header; the rest is left to the decoder. */
static bool
measure(const struct sq_buf *picture, struct sq_size *out, struct sq_err *err) {
    struct sq_size size = { 0 };
    if (is_png(picture) && picture->len > PNG_HEIGHT_AT + 4) {
        size.width = side_at(picture, PNG_WIDTH_AT);
        size.height = side_at(picture, PNG_HEIGHT_AT);
    }
    if (size.width == 0 || size.height == 0) {
        sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                "simctl sent an invalid picture");
        return sq_fail_hint(
            err, "Check that the simulator has booted, then try again.");
    }
    *out = size;
    return true;
}

static bool
fills(struct sq_size points, struct sq_size pixels) {
    double x = (double)pixels.width / points.width;
    double y = (double)pixels.height / points.height;
    return points.width > 0 && points.height > 0
        && fabs(x - y) <= MAX_SKEW * fmin(x, y);
}

/* Makes the screen from both sizes. Uses pixels if points are not known. */
static struct sq_screen
screen_of(struct sq_size points, struct sq_size pixels) {
    bool known = points.width > 0;
    struct sq_size size = known ? points : pixels;
    return (struct sq_screen){
        .size = size,
        .rotation = size.width > size.height,
        .density = known ? (double)pixels.width / points.width : 1,
        .pixels = pixels,
    };
}

/*
 * Returns whether the size in points is already known. Rotates it if the
 * picture is rotated.
 */
static bool
apply_known_size(struct sq_simulator *simulator, struct sq_size pixels) {
    if (simulator->points.width == 0) {
        return false;
    }
    if (is_same(pixels, rotate(simulator->pixels))
        && !is_same(pixels, simulator->pixels)) {
        simulator->points = rotate(simulator->points);
        simulator->pixels = pixels;
    }
    return is_same(pixels, simulator->pixels);
}

static void
remember_size(struct sq_simulator *simulator, struct sq_size points,
              struct sq_size pixels) {
    simulator->points = (struct sq_size){ 0 };
    simulator->pixels = (struct sq_size){ 0 };
    simulator->points_by_idb = false;
    if (points.width > 0 && fills(points, pixels)) {
        simulator->points = points;
        simulator->pixels = pixels;
    }
}

/* Reads the size of the app in points. Fails if idb does not report it. */
static bool
query_points(struct sq_simulator *simulator, struct sq_size *out,
             const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_idb_screen_finish) struct sq_idb_screen screen = { 0 };
    bool ok = sq_simulator_elements(simulator, &screen, deadline, err);
    if (ok && screen.points.width == 0) {
        ok = sq_fail(err, SQ_ERR_UNSUPPORTED,
                     "idb does not report the size of the screen");
    }
    if (ok) {
        *out = screen.points;
    }
    return ok;
}

/* Uses simctl's scale, which idb may correct later. */
static bool
measure_by_simctl(struct sq_simulator *simulator, struct sq_size pixels,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_size points;
    if (!sq_simulator_measure(simulator, pixels, &points, deadline, err)) {
        return false;
    }
    remember_size(simulator, points, pixels);
    return true;
}

/*
 * Determines the size of a picture in points. Prefers idb, unless only the
 * picture is needed or idb timed out recently. A capture succeeds even without
 * elements.
 */
static bool
find_points(struct sq_simulator *simulator, struct sq_size pixels,
            bool picture_only, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_size points;
    struct sq_err local_err = { 0 };
    bool known = apply_known_size(simulator, pixels);
    bool may_ask = !picture_only && !sq_idb_is_late(simulator);
    if (known && (simulator->points_by_idb || !may_ask)) {
        return true;
    }
    if (may_ask && query_points(simulator, &points, deadline, &local_err)
        && fills(points, pixels)) {
        remember_size(simulator, points, pixels);
        simulator->points_by_idb = true;
        return true;
    }
    if (sq_is_fatal(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    return known || measure_by_simctl(simulator, pixels, deadline, err);
}

bool
sq_simulator_capture(struct sq_device *device,
                     const struct sq_capture_request *request,
                     struct sq_capture *out, const struct sq_deadline *deadline,
                     struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    struct sq_span display =
        sq_span_of(request->display ? request->display : "internal");
    bool is_other = sq_span_is(display, "external");
    struct sq_size pixels;
    if (!is_other && display.len > 0 && !sq_span_is(display, "internal")) {
        return sq_fail_display(err, request->display, "internal, external");
    }
    if (!take_picture(simulator, is_other ? "--display=external" : NULL,
                      &out->bytes, deadline, err)
        || !measure(&out->bytes, &pixels, err)
        || (!is_other
            && !find_points(simulator, pixels, request->picture_only, deadline,
                            err))) {
        sq_buf_clear(&out->bytes);
        return false;
    }
    /* The other display has no touch input; only its pixels are known. */
    out->screen = is_other ? (struct sq_screen){ .size = pixels, .density = 1 }
                           : screen_of(simulator->points, pixels);
    out->other_display = is_other;
    return true;
}

static bool
measure_screen(struct sq_simulator *simulator, struct sq_size *pixels,
               const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_BUF(bytes, SQ_MAX_CAPTURE_BYTES);
    return take_picture(simulator, NULL, &bytes, deadline, err)
        && measure(&bytes, pixels, err);
}

/* Without elements, uses the picture if its scale is known. */
static bool
screen_by_picture(struct sq_simulator *simulator, struct sq_screen *out,
                  const struct sq_err *other_err,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_size pixels;
    bool has_idb = simulator->idb[0];
    if (!measure_screen(simulator, &pixels, deadline, err)) {
        return false;
    }
    if (!apply_known_size(simulator, pixels)
        && !measure_by_simctl(simulator, pixels, deadline, err)) {
        return false;
    }
    if (simulator->points.width == 0 && has_idb) {
        if (err) {
            *err = *other_err;
        }
        return false;
    }
    *out = screen_of(simulator->points, pixels);
    return true;
}

bool
sq_simulator_screen(struct sq_device *device, struct sq_screen *out,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_simulator *simulator = sq_simulator_of(device);
    struct sq_size points;
    struct sq_size pixels;
    struct sq_err local_err = { 0 };
    if (!query_points(simulator, &points, deadline, &local_err)) {
        if (sq_is_fatal(local_err.code)) {
            return sq_fail_with(err, &local_err);
        }
        return screen_by_picture(simulator, out, &local_err, deadline, err);
    }
    if (is_same(points, rotate(simulator->points))) {
        apply_known_size(simulator, rotate(simulator->pixels));
    }
    if (!is_same(points, simulator->points)) {
        if (!measure_screen(simulator, &pixels, deadline, err)) {
            return false;
        }
        if (!fills(points, pixels)) {
            sq_fail(err, SQ_ERR_UNSUPPORTED,
                    "the foreground app is %dx%d points and does not fill the "
                    "screen of %dx%d pixels, so coordinates cannot be "
                    "converted",
                    points.width, points.height, pixels.width, pixels.height);
            return sq_fail_hint(err, "Make the app fill the screen, or rotate "
                                     "the simulator like the app.");
        }
        remember_size(simulator, points, pixels);
    }
    simulator->points_by_idb = true;
    *out = screen_of(simulator->points, simulator->pixels);
    return true;
}

bool
sq_simulator_tree(struct sq_device *device, struct sq_tree *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_idb_screen screen = { 0 };
    if (!sq_simulator_elements(sq_simulator_of(device), &screen, deadline,
                               err)) {
        return false;
    }
    *out = screen.tree;
    return true;
}
