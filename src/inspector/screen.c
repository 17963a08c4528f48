/*
 * The live screen. The page asks again and again; each answer has the parts
 * that differ from what the page has, and waits until something differs. So
 * nothing runs while no page asks, and a slow page gets fewer pictures.
 */
#include <stdio.h>

#include "image/pipeline/picture.h"
#include "inspector/private.h"
#include "sys/clock.h"
#include "tools/reply.h"
#include "tools/screen/redacted_capture.h"

/* Makes a part one row taller if it has these columns and ends at this row. */
static bool
extend(struct sq_region *parts, size_t count, int from, int to, int row) {
    for (size_t i = 0; i < count; i++) {
        struct sq_region *part = &parts[i];
        if (part->x == from && part->width == to - from
            && part->y + part->height == row) {
            part->height++;
            return true;
        }
    }
    return false;
}

static struct sq_region
to_pixels(struct sq_region tiles, struct sq_size size) {
    struct sq_region pixels = { tiles.x * SQ_DIFF_TILE, tiles.y * SQ_DIFF_TILE,
                                tiles.width * SQ_DIFF_TILE,
                                tiles.height * SQ_DIFF_TILE };
    int right = size.width - pixels.x;
    int bottom = size.height - pixels.y;
    pixels.width = pixels.width < right ? pixels.width : right;
    pixels.height = pixels.height < bottom ? pixels.height : bottom;
    return pixels;
}

/* Adds the runs of a row. Returns false if there are too many parts. */
static bool
add_row(const struct sq_diff *diff, int row, struct sq_region *parts,
        size_t *count) {
    const uint8_t *tiles = diff->tiles + (size_t)row * (size_t)diff->columns;
    int from = 0;
    while (from < diff->columns) {
        int to = from;
        while (to < diff->columns && tiles[to]) {
            to++;
        }
        if (to > from && !extend(parts, *count, from, to, row)) {
            if (*count == SQ_INSPECTOR_MAX_PARTS) {
                return false;
            }
            parts[(*count)++] = (struct sq_region){ from, row, to - from, 1 };
        }
        from = to + 1;
    }
    return true;
}

size_t
sq_inspector_parts(const struct sq_diff *diff, struct sq_size size,
                   struct sq_region out[SQ_INSPECTOR_MAX_PARTS]) {
    size_t count = 0;
    for (int row = 0; row < diff->rows; row++) {
        if (!add_row(diff, row, out, &count)) {
            out[0] = diff->rect;
            return 1;
        }
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = to_pixels(out[i], size);
    }
    return count;
}

#define NS_PER_MS 1000000
#define QUALITY 80
#define MIN_MAX_DIMENSION 100
#define MAX_MAX_DIMENSION 2000
#define DEFAULT_MAX_DIMENSION 1000

/* Times between two captures while the screen changes, and while it rests. */
#define QUICK_MS 50
#define SLOW_MS 400
/* Looking that takes less does not disturb the calls of agents. */
#define CHEAP_MS 60
/* While agents call all the time, a page still gets its turn after this. */
#define MIN_STILL_MS 3000
#define MAX_STILL_MS 15000
#define GIVE_WAY_MS 20
/* A page that sees no change asks again after this time. */
#define MAX_WAIT_MS 5000

/* Returns the viewer of that name, or the one that was unused for longest. */
static struct sq_inspector_viewer *
acquire(struct sq_inspector *inspector, struct sq_span name) {
    struct sq_inspector_viewer *found = NULL;
    SQ_LOCKED(inspector->viewers_lock);
    for (int i = 0; i < SQ_INSPECTOR_MAX_VIEWERS; i++) {
        struct sq_inspector_viewer *viewer = &inspector->viewers[i];
        if (sq_span_is(name, viewer->name)) {
            found = viewer->is_busy ? NULL : viewer;
            break;
        }
        if (!viewer->is_busy && (!found || viewer->used_ns < found->used_ns)) {
            found = viewer;
        }
    }
    if (found && !sq_span_is(name, found->name)) {
        sq_image_finish(&found->image);
        *found = (struct sq_inspector_viewer){ .interval_ms = QUICK_MS };
        memcpy(found->name, name.ptr, name.len);
    }
    if (found) {
        found->is_busy = true;
    }
    return found;
}

/* A picture of the screen as the page wants it. */
struct shot {
    struct sq_image image;
    struct sq_screen screen;
    char device[SQ_DEVICE_ID_SIZE];
    int took_ms; /* by the device */
};

bool
sq_inspector_capture(const struct sq_inspector_request *request,
                     struct sq_device *device, struct sq_capture *out,
                     struct sq_err *err) {
    int hidden;
    const struct sq_capture_request picture = { .picture_only = true };
    const struct sq_redacted_request redacted = {
        .device = device,
        .redactor = request->inspector->options.redactor,
        .capture = &picture,
        .deadline = &request->deadline,
    };
    if (!sq_redacted_capture(&redacted, out, &hidden, err)) {
        return false;
    }
    return !out->secure
        || sq_fail(err, SQ_ERR_SECURE_SCREEN,
                   "the foreground app does not allow its screen to be "
                   "captured");
}

static bool
take_shot(const struct sq_inspector_request *request, int max_dimension,
          struct shot *out, struct sq_err *err) {
    struct sq_capture capture = { 0 };
    struct sq_device *device = NULL;
    int64_t start_ns = sq_clock_monotonic_ns();
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_inspector_open_device(request, &device, err);
    if (ok) {
        start_ns = sq_clock_monotonic_ns();
        snprintf(out->device, sizeof(out->device), "%s", device->info.id);
        ok = sq_inspector_capture(request, device, &capture, err);
    }
    sq_devices_release(request->inspector->options.devices, device);
    out->took_ms = (int)((sq_clock_monotonic_ns() - start_ns) / NS_PER_MS);
    out->screen = capture.screen;
    ok = ok
      && sq_picture_decode(capture.bytes.data, capture.bytes.len, max_dimension,
                           &sq_limits_default, &out->image, err);
    sq_capture_finish(&capture);
    return ok;
}

static bool
put_part(struct sq_json_writer *w, const struct sq_image *image,
         struct sq_region part, struct sq_err *err) {
    const struct sq_jpeg_opts opts = { .quality = QUALITY };
    struct sq_rows *rows = NULL;
    struct sq_rows *cropped = NULL;
    struct sq_buf bytes;
    sq_buf_init(&bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_rows_from_image(image, &rows, err)
           && sq_rows_crop(rows, part, &cropped, err)
           && sq_jpeg_encode(cropped, &opts, &bytes, err);
    if (ok) {
        sq_json_begin_object(w);
        sq_put_int(w, "x", part.x);
        sq_put_int(w, "y", part.y);
        sq_json_put_base64(sq_json_at(w, "data"), bytes.data, bytes.len);
        sq_json_end_object(w);
    }
    sq_rows_destroy(cropped);
    sq_buf_finish(&bytes);
    return ok;
}

/* Writes what differs. Sets *count to 0 if nothing does. */
static bool
find_parts(const struct sq_inspector_viewer *viewer, const struct shot *shot,
           bool is_whole, struct sq_region parts[SQ_INSPECTOR_MAX_PARTS],
           size_t *count, struct sq_err *err) {
    struct sq_diff diff = { 0 };
    struct sq_size size = sq_image_size(&shot->image);
    if (!is_whole && !sq_diff_init(&diff, &viewer->image, &shot->image, err)) {
        return false;
    }
    if (is_whole || diff.resized) {
        parts[0] = (struct sq_region){ 0, 0, size.width, size.height };
        *count = 1;
    } else {
        *count = sq_inspector_parts(&diff, size, parts);
    }
    sq_diff_finish(&diff);
    return true;
}

static bool
put_shot(struct sq_json_writer *w, const struct shot *shot,
         const struct sq_region *parts, size_t count, struct sq_err *err) {
    sq_put_untrusted(w, "device", sq_span_of(shot->device));
    sq_put_size(w, "image", sq_image_size(&shot->image));
    sq_put_size(w, "screen", shot->screen.size);
    sq_put_int(w, "rotation", shot->screen.rotation);
    sq_put_untrusted(w, "app", sq_span_of(shot->screen.app));
    sq_put_int(w, "captureMs", shot->took_ms);
    bool ok = true;
    sq_json_begin_array_of(w, "parts");
    for (size_t i = 0; ok && i < count; i++) {
        ok = put_part(w, &shot->image, parts[i], err);
    }
    sq_json_end_array(w);
    return ok;
}

/* Captures once. *is_sent: something differed and was written. */
static bool
look(const struct sq_inspector_request *request,
     struct sq_inspector_viewer *viewer, struct sq_json_writer *w,
     bool *is_sent, struct sq_err *err) {
    struct shot shot = { 0 };
    struct sq_region parts[SQ_INSPECTOR_MAX_PARTS];
    size_t count = 0;
    int64_t has = sq_json_int_of(request->arguments, "sequence");
    int max = sq_json_int_of(request->arguments, "maxDimension");
    max = max < MIN_MAX_DIMENSION ? DEFAULT_MAX_DIMENSION
        : max > MAX_MAX_DIMENSION ? MAX_MAX_DIMENSION
                                  : max;
    bool ok = take_shot(request, max, &shot, err);
    bool is_whole = ok
                 && (!viewer->image.pixels || has != viewer->sequence
                     || strcmp(viewer->device, shot.device) != 0);
    ok = ok && find_parts(viewer, &shot, is_whole, parts, &count, err)
      && (count == 0 || put_shot(w, &shot, parts, count, err));
    *is_sent = ok && count > 0;
    viewer->captured_ns = sq_clock_monotonic_ns();
    if (*is_sent) {
        sq_image_finish(&viewer->image);
        viewer->image = shot.image;
        memcpy(viewer->device, shot.device, sizeof(viewer->device));
        viewer->sequence = has + 1;
        viewer->interval_ms = QUICK_MS;
    } else {
        sq_image_finish(&shot.image);
        int slower = viewer->interval_ms + viewer->interval_ms / 4;
        viewer->interval_ms = slower < SLOW_MS ? slower : SLOW_MS;
    }
    /* Most of the time is left for the calls of others. */
    int rest_ms = shot.took_ms < CHEAP_MS ? shot.took_ms : 4 * shot.took_ms;
    viewer->took_ms = shot.took_ms;
    viewer->interval_ms =
        viewer->interval_ms > rest_ms ? viewer->interval_ms : rest_ms;
    return ok;
}

bool
sq_inspector_give_way(const struct sq_inspector_request *request, int cost_ms,
                      int64_t since_ns, struct sq_err *err) {
    const struct sq_call_gate *gate = request->inspector->options.gate;
    const int64_t share_ms = 10 * (int64_t)cost_ms;
    const int64_t limit_ms = share_ms < MIN_STILL_MS ? MIN_STILL_MS
                           : share_ms > MAX_STILL_MS ? MAX_STILL_MS
                                                     : share_ms;
    const int64_t end_ns = since_ns + limit_ms * NS_PER_MS;
    const int64_t rest_ns = 3 * (int64_t)cost_ms * NS_PER_MS;
    bool ok = true;
    while (ok && cost_ms >= CHEAP_MS && sq_call_gate_idle_ns(gate) < rest_ns
           && sq_clock_monotonic_ns() < end_ns) {
        ok = sq_wait_ms(GIVE_WAY_MS, &request->deadline, err);
    }
    return ok;
}

static bool
look_until_changed(const struct sq_inspector_request *request,
                   struct sq_inspector_viewer *viewer, struct sq_json_writer *w,
                   struct sq_err *err) {
    const int given_ms = sq_json_int_of(request->arguments, "waitMs");
    struct sq_deadline end = sq_deadline_within(
        &request->deadline, given_ms > 0 ? given_ms : MAX_WAIT_MS);
    bool is_sent = false;
    bool ok;
    do {
        int64_t since_ns = sq_clock_monotonic_ns() - viewer->captured_ns;
        int64_t left_ms = viewer->interval_ms - since_ns / NS_PER_MS;
        ok = (left_ms <= 0 || sq_wait_ms((int)left_ms, &request->deadline, err))
          && sq_inspector_give_way(request, viewer->took_ms,
                                   viewer->captured_ns, err)
          && look(request, viewer, w, &is_sent, err);
    } while (ok && !is_sent && sq_deadline_left_ms(&end) > 0);
    if (ok) {
        sq_put_int(w, "sequence", viewer->sequence);
    }
    return ok;
}

bool
sq_inspector_screen(const struct sq_inspector_request *request,
                    struct sq_json_writer *w, struct sq_err *err) {
    struct sq_inspector *inspector = request->inspector;
    struct sq_span name = sq_json_text_of(request->arguments, "viewer");
    if (name.len == 0 || name.len >= SQ_INSPECTOR_VIEWER_SIZE
        || sq_span_contains(name, '\0')) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "viewer must have 1 to %d characters",
                       SQ_INSPECTOR_VIEWER_SIZE - 1);
    }
    struct sq_inspector_viewer *viewer = acquire(inspector, name);
    if (!viewer) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "too many pages show the screen at the same time");
    }
    bool ok = look_until_changed(request, viewer, w, err);
    SQ_LOCKED(inspector->viewers_lock);
    viewer->is_busy = false;
    viewer->used_ns = sq_clock_monotonic_ns();
    return ok;
}
