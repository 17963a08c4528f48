/* Watches a screen for changes. */
#include "tools/screen/watch.h"

#include <string.h>

#include "eye/frame_hash.h"
#include "eye/rest.h"
#include "geom/rect.h"
#include "image/pipeline/picture.h"
#include "sys/clock.h"
#include "util/mem.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000
#define MAX_PIXELS (4096 * 2160)
#define RUN 8 /* pixels of a run: where a change begins and ends */

_Static_assert(SQ_MAX_RECTS == SQ_EYE_MAX_AREAS, "a rectangle for each area");

static int64_t
now_ms(void) {
    return sq_clock_monotonic_ns() / NS_PER_MS;
}

void
sq_watch_finish(struct sq_watch *watch) {
    sq_capture_finish(&watch->before);
    sq_capture_finish(&watch->after);
}

uint64_t
sq_capture_hash(const struct sq_buf *bytes) {
    struct sq_frame_hash hash = { 0 };
    return sq_frame_hash_end(&hash, bytes->data, bytes->len);
}

static bool
fail_secure(struct sq_err *err) {
    sq_fail(err, SQ_ERR_SECURE_SCREEN,
            "the device hides what is on its screen");
    return sq_fail_hint(err, "@dump, @find and @wait for a text may still read "
                             "its elements.");
}

static bool
fetch(const struct sq_watch *watch, struct sq_device *device,
      struct sq_capture *into, uint64_t *hash,
      const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_capture_request request = {
        .max_side = watch->max_side,
        .finds_password_focus = watch->finds_password_focus,
    };
    struct sq_capture fresh = { 0 };
    sq_buf_init(&fresh.bytes, SQ_MAX_IMAGE_BYTES);
    bool ok = sq_device_capture(device, &request, &fresh, deadline, err)
           && (!fresh.secure || fail_secure(err));
    sq_capture_finish(ok ? into : &fresh);
    if (ok) {
        *into = fresh;
        *hash = sq_capture_hash(&fresh.bytes);
        sq_device_saw(device, *hash);
    }
    return ok;
}

/*
 * Captures a frame that stays on the device. *kept is false if it cannot; then
 * nothing was done.
 */
static bool
keep(struct sq_watch *watch, struct sq_device *device, bool *kept,
     struct sq_kept_frame *frame, const struct sq_deadline *deadline,
     struct sq_err *err) {
    struct sq_err local_err = { 0 };
    *kept = sq_device_keep_frame(device, watch->before_hash, frame, deadline,
                                 &local_err);
    return *kept || local_err.code == SQ_ERR_UNSUPPORTED
        || sq_fail_with(err, &local_err);
}

bool
sq_watch_begin(struct sq_watch *watch, struct sq_device *device,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_kept_frame frame = { 0 };
    if (!watch->needs_pixels
        && !keep(watch, device, &watch->is_kept, &frame, deadline, err)) {
        return false;
    }
    if (!watch->is_kept) {
        /* Asked before the capture, to know it afterwards. */
        sq_device_drawn(device, deadline);
        return fetch(watch, device, &watch->before, &watch->before_hash,
                     deadline, err);
    }
    watch->before.screen = frame.screen;
    watch->before_hash = frame.hash;
    watch->kept_size = frame.size;
    return true;
}

static void
drop_after(struct sq_watch *watch) {
    sq_capture_finish(&watch->after);
    watch->has_after = false;
}

static void
take_kept(struct sq_watch *watch, const struct sq_kept_frame *frame) {
    watch->after = (struct sq_capture){ .screen = frame->screen };
    watch->after_hash = frame->hash;
    watch->has_after = watch->is_after_kept = true;
}

/* Captures the screen again. */
static bool
capture_again(struct sq_watch *watch, struct sq_device *device,
              const struct sq_deadline *deadline, struct sq_err *err) {
    const int64_t start_ms = now_ms();
    struct sq_kept_frame frame;
    drop_after(watch);
    watch->is_after_kept = false;
    if (watch->is_kept
        && !keep(watch, device, &watch->is_after_kept, &frame, deadline, err)) {
        return false;
    }
    if (watch->is_after_kept) {
        take_kept(watch, &frame);
    } else {
        watch->has_after = fetch(watch, device, &watch->after,
                                 &watch->after_hash, deadline, err);
    }
    watch->look_ms = (int)(now_ms() - start_ms);
    return watch->has_after;
}

bool
sq_watch_look(struct sq_watch *watch, struct sq_device *device,
              const struct sq_deadline *deadline, struct sq_err *err) {
    enum sq_drawn drawn = sq_device_drawn(device, deadline);
    return (watch->has_after && drawn == SQ_DRAWN_NOTHING)
        || capture_again(watch, device, deadline, err);
}

/*
 * Like sq_watch_look, but *is_inferred may be set: the screen shows the same as
 * before, which a capture must confirm. `after` may then have no pixels.
 */
static bool
glance(struct sq_watch *watch, struct sq_device *device, bool *is_inferred,
       const struct sq_deadline *deadline, struct sq_err *err) {
    enum sq_drawn drawn = sq_device_drawn(device, deadline);
    bool is_same = drawn >= SQ_DRAWN_PROBABLY_NOTHING;
    *is_inferred = drawn == SQ_DRAWN_PROBABLY_NOTHING;
    if (*is_inferred && !watch->has_after) {
        watch->after = (struct sq_capture){ .screen = watch->before.screen };
        watch->after_hash = watch->before_hash;
        watch->has_after = true;
    }
    return (is_same && watch->has_after)
        || capture_again(watch, device, deadline, err);
}

const struct sq_screen *
sq_watch_screen(const struct sq_watch *watch) {
    return watch->has_after ? &watch->after.screen : &watch->before.screen;
}

uint64_t
sq_watch_hash(const struct sq_watch *watch) {
    return watch->has_after ? watch->after_hash : watch->before_hash;
}

bool
sq_watch_on_device(struct sq_watch *watch, struct sq_device *device,
                   const struct sq_frame_watch *how,
                   enum sq_watch_outcome *outcome,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { .code = SQ_ERR_UNSUPPORTED };
    struct sq_kept_frame frame;
    bool settled;
    drop_after(watch);
    *outcome = SQ_WATCH_IMPOSSIBLE;
    if (!watch->is_kept
        || !sq_device_watch_frames(device, how, &frame, &settled, deadline,
                                   &local_err)) {
        return local_err.code == SQ_ERR_UNSUPPORTED
            || sq_fail_with(err, &local_err);
    }
    take_kept(watch, &frame);
    *outcome = settled ? SQ_WATCH_SETTLED : SQ_WATCH_UNSETTLED;
    return true;
}

/* Captures repeatedly from here. */
static bool
settle(struct sq_watch *watch, struct sq_device *device,
       const struct sq_rest_rule *rule, const struct sq_deadline *deadline,
       bool *settled, struct sq_err *err) {
    uint32_t pause_ms;
    struct sq_rest rest =
        sq_rest_begin(rule, sq_watch_hash(watch), 0, now_ms(), &pause_ms);
    while (true) {
        int64_t begun_ms = now_ms();
        bool is_inferred;
        if (!glance(watch, device, &is_inferred, deadline, err)) {
            return false;
        }
        watch->watched_ms = (int)(begun_ms - watch->start_ms);
        enum sq_rest_state state = sq_rest_look(&rest, watch->after_hash,
                                                begun_ms, now_ms(), &pause_ms);
        if (state != SQ_REST_GOES_ON && is_inferred) {
            begun_ms = now_ms();
            if (!capture_again(watch, device, deadline, err)) {
                return false;
            }
            watch->watched_ms = (int)(begun_ms - watch->start_ms);
            state = sq_rest_look(&rest, watch->after_hash, begun_ms, now_ms(),
                                 &pause_ms);
        }
        if (state != SQ_REST_GOES_ON) {
            *settled = state == SQ_REST_SETTLED;
            return true;
        }
        if (!sq_wait_ms((int)pause_ms, deadline, err)) {
            drop_after(watch);
            return false;
        }
    }
}

bool
sq_watch_settle(struct sq_watch *watch, struct sq_device *device,
                const struct sq_watch_rule *rule,
                const struct sq_deadline *deadline, bool *settled,
                struct sq_err *err) {
    bool is_first = !watch->has_after;
    watch->start_ms = is_first ? now_ms() : watch->start_ms;
    int passed_ms = (int)(now_ms() - watch->start_ms);
    const struct sq_frame_watch how = {
        .rule = { (uint32_t)rule->poll_ms, (uint32_t)rule->rest_ms,
                  (uint32_t)sq_max_int(rule->react_ms - passed_ms, 0),
                  (uint32_t)sq_max_int(rule->limit_ms - passed_ms, 0), true },
        .before = watch->before_hash,
    };
    enum sq_watch_outcome outcome = SQ_WATCH_IMPOSSIBLE;
    /* A device waits for something else than the first frame only. */
    if (is_first
        && !sq_watch_on_device(watch, device, &how, &outcome, deadline, err)) {
        return false;
    }
    *settled = outcome == SQ_WATCH_SETTLED;
    /* On the device the last look began at least this late. */
    watch->watched_ms = (int)(now_ms() - watch->start_ms);
    if (sq_watch_hash(watch) == watch->before_hash) {
        watch->watched_ms = sq_min_int(watch->watched_ms, rule->react_ms);
    }
    return outcome != SQ_WATCH_IMPOSSIBLE
        || settle(watch, device, &how.rule, deadline, settled, err);
}

bool
sq_watch_once(struct sq_watch *watch, struct sq_device *device, int react_ms,
              const struct sq_deadline *deadline, struct sq_err *err) {
    int64_t start_ms = now_ms();
    if (!sq_wait_ms(react_ms, deadline, err)) {
        return false;
    }
    watch->watched_ms = (int)(now_ms() - start_ms);
    return sq_watch_look(watch, device, deadline, err);
}

/* Decodes a capture. Two are in memory together: screens up to 4096x2160. */
static bool
decode(const struct sq_capture *capture, struct sq_image *out,
       struct sq_err *err) {
    struct sq_limits limits = sq_limits_capture;
    limits.max_pixels = MAX_PIXELS;
    return sq_image_decode(capture->bytes.data, capture->bytes.len, &limits,
                           out, err);
}

static bool
same_screen(const struct sq_screen *a, const struct sq_screen *b) {
    return sq_size_equal(a->size, b->size) && a->rotation == b->rotation;
}

/* Opens a capture as upright rows of sRGB. */
static bool
open_rows(const struct sq_buf *bytes, struct sq_region area,
          struct sq_rows **out, struct sq_err *err) {
    struct sq_rows *rows;
    return sq_picture_open(bytes->data, bytes->len, &sq_limits_capture, &rows,
                           err)
        && (area.width == 0 ? (*out = rows) != NULL
                            : sq_rows_crop(rows, area, out, err));
}

/*
 * The first picture: its rows if they are in memory anyway, else a hash of each
 * run of pixels, because two decoded pictures take too much memory.
 */
struct first_picture {
    struct sq_rows *rows; /* NULL: hashes */
    struct sq_size size;
    int per_row;
    uint32_t *items;
    uint8_t *row; /* one that differs exactly where the hashes do */
};

static uint32_t
hash_run(const uint8_t *pixels, int count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const uint8_t *p = pixels; p < pixels + (ptrdiff_t)count * 4; p += 4) {
        uint64_t colour = p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16;
        hash = (hash ^ colour) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* Hashes a row; with `other` makes a row that differs from it as they do. */
static void
hash_row(struct first_picture *hashes, int y, const uint8_t *pixels,
         bool other) {
    uint32_t *items = hashes->items + (ptrdiff_t)y * hashes->per_row;
    for (int i = 0; i < hashes->per_row; i++) {
        int count = sq_min_int(RUN, hashes->size.width - i * RUN);
        const uint8_t *run = pixels + (ptrdiff_t)i * RUN * SQ_PIXEL_BYTES;
        uint32_t hash = hash_run(run, count);
        uint8_t flip = other && hash != items[i] ? 0xff : 0;
        for (int k = 0; other && k < count * SQ_PIXEL_BYTES; k++) {
            hashes->row[i * RUN * SQ_PIXEL_BYTES + k] = run[k] ^ flip;
        }
        items[i] = hash;
    }
}

/* Hashes the runs of all rows, which are then not needed any more. */
static bool
hash_rows(struct first_picture *hashes, struct sq_err *err) {
    size_t height = (size_t)hashes->size.height;
    hashes->per_row = (hashes->size.width + RUN - 1) / RUN;
    hashes->items =
        sq_mem_alloc((size_t)hashes->per_row * height, sizeof(*hashes->items));
    hashes->row = sq_mem_alloc((size_t)hashes->size.width, SQ_PIXEL_BYTES);
    bool ok = (hashes->items && hashes->row) || sq_fail_nomem(err);
    for (int y = 0; ok && y < hashes->size.height; y++) {
        struct sq_row row;
        ok = sq_rows_next(hashes->rows, &row, err);
        if (ok) {
            hash_row(hashes, y, row.pixels, false);
        }
    }
    sq_rows_destroy(hashes->rows);
    hashes->rows = NULL;
    return ok;
}

static bool
open_first(const struct sq_buf *bytes, struct sq_region area,
           struct first_picture *out, struct sq_err *err) {
    if (!open_rows(bytes, area, &out->rows, err)) {
        return false;
    }
    out->size = (struct sq_size){ out->rows->width, out->rows->height };
    size_t all = (size_t)out->size.width * (size_t)out->size.height;
    return bytes->len >= all * SQ_PIXEL_BYTES || hash_rows(out, err);
}

static bool
compare_rows(struct first_picture *before, struct sq_rows *after,
             struct sq_eye_comparison *comparison, struct sq_err *err) {
    struct sq_row row;
    if (!sq_size_equal(before->size,
                       (struct sq_size){ after->width, after->height })) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the captures have different sizes");
    }
    comparison->width = (uint32_t)after->width;
    for (int y = 0; y < after->height; y++) {
        struct sq_row first = { .pixels = before->row };
        if (!sq_rows_next(after, &row, err)
            || (before->rows && !sq_rows_next(before->rows, &first, err))) {
            return false;
        }
        if (!before->rows) {
            hash_row(before, y, row.pixels, true);
        }
        sq_eye_compare_row(comparison, (uint32_t)y, first.pixels, row.pixels);
    }
    sq_eye_comparison_end(comparison);
    return true;
}

bool
sq_captures_compare(const struct sq_buf *before, const struct sq_buf *after,
                    struct sq_region area, struct sq_eye_areas *where,
                    struct sq_err *err) {
    struct sq_rows *rows = NULL;
    struct first_picture first = { 0 };
    struct sq_size size;
    struct sq_eye_comparison comparison = { 0 };
    bool ok = sq_codec_size(after->data, after->len, &size, err)
           && open_first(before, area, &first, err)
           && open_rows(after, area, &rows, err);
    if (ok) {
        comparison.gap =
            sq_eye_gap((uint32_t)size.width, (uint32_t)size.height);
        ok = compare_rows(&first, rows, &comparison, err);
    }
    sq_rows_destroy(rows);
    sq_rows_destroy(first.rows);
    sq_mem_free(first.items);
    sq_mem_free(first.row);
    for (uint32_t i = 0; ok && i < comparison.areas.count; i++) {
        comparison.areas.items[i].x += (uint32_t)area.x;
        comparison.areas.items[i].y += (uint32_t)area.y;
    }
    if (ok) {
        *where = comparison.areas;
    }
    return ok;
}

/* Converts an edge, which may be outside, rounded up or down. */
static int
scale_edge(uint32_t edge, int from, int to, bool rounds_up) {
    const int64_t inside = edge < (uint32_t)from ? edge : (uint32_t)from;
    return (int)((inside * to + (rounds_up ? from - 1 : 0)) / from);
}

struct sq_img_rects
sq_areas_place(const struct sq_eye_areas *areas, struct sq_size picture,
               struct sq_size size) {
    struct sq_img_rects rects = { .count = (int)areas->count };
    for (uint32_t i = 0; i < areas->count; i++) {
        const struct sq_eye_area *area = &areas->items[i];
        rects.items[i] = (struct sq_img_rect){
            scale_edge(area->x, picture.width, size.width, false),
            scale_edge(area->y, picture.height, size.height, false),
            scale_edge(area->x + area->width, picture.width, size.width, true),
            scale_edge(area->y + area->height, picture.height, size.height,
                       true),
        };
    }
    return rects;
}

struct sq_img_rect
sq_rects_around(const struct sq_img_rects *rects) {
    struct sq_img_rect all = rects->items[0];
    for (int i = 1; i < rects->count; i++) {
        all.left = sq_min_int(all.left, rects->items[i].left);
        all.top = sq_min_int(all.top, rects->items[i].top);
        all.right = sq_max_int(all.right, rects->items[i].right);
        all.bottom = sq_max_int(all.bottom, rects->items[i].bottom);
    }
    return all;
}

static bool
compare_pixels(const struct sq_watch *watch, struct sq_region area,
               struct sq_change *out, struct sq_err *err) {
    const struct sq_buf *after = &watch->after.bytes;
    struct sq_change change = { .any = true };
    struct sq_size before;
    if (!sq_codec_size(watch->before.bytes.data, watch->before.bytes.len,
                       &before, err)
        || !sq_codec_size(after->data, after->len, &change.picture, err)) {
        return false;
    }
    change.resized = !sq_size_equal(before, change.picture);
    if (!change.resized) {
        if (!sq_captures_compare(&watch->before.bytes, after, area,
                                 &change.where, err)) {
            return false;
        }
        change.any = change.where.count > 0;
    }
    *out = change;
    return true;
}

bool
sq_watch_decode(struct sq_watch *watch, struct sq_image *before,
                struct sq_image *after, struct sq_err *err) {
    bool ok = decode(&watch->before, before, err);
    sq_capture_finish(&watch->before);
    return ok && decode(&watch->after, after, err);
}

static bool
compare_on_device(const struct sq_watch *watch, struct sq_device *device,
                  struct sq_region area, struct sq_change *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_frame_pair pair = { .before = watch->before_hash,
                                        .after = watch->after_hash,
                                        .area = area };
    struct sq_change change = { .picture = watch->kept_size };
    if (!watch->is_after_kept) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the frame before the action was on the device and is "
                       "lost");
    }
    if (!sq_device_compare_frames(device, &pair, &change.where, deadline,
                                  err)) {
        return false;
    }
    change.any = change.where.count > 0;
    *out = change;
    return true;
}

bool
sq_watch_compare(struct sq_watch *watch, struct sq_device *device,
                 const struct sq_region *area, struct sq_change *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_region in = area ? *area : (struct sq_region){ 0 };
    bool resized = !same_screen(&watch->before.screen, sq_watch_screen(watch));
    bool equal = !watch->has_after || watch->before_hash == watch->after_hash;
    if (!resized && !equal) {
        return watch->is_kept
                 ? compare_on_device(watch, device, in, out, deadline, err)
                 : compare_pixels(watch, in, out, err);
    }
    *out = (struct sq_change){ .any = resized, .resized = resized };
    return true;
}
