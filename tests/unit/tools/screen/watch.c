/* Watching with frames that stay on the device, and when that does not work. */
#include "tools/screen/watch.h"

#include <string.h>

#include "image/pipeline/rows.h"
#include "image/png/png.h"
#include "support/test.h"

/* A device that keeps frames: their hashes and failures are set by a test. */
static struct {
    struct sq_device base;
    struct sq_device_ops ops;
    uint64_t hash;
    enum sq_err_code fails;
    enum sq_err_code comparison_fails;
    uint64_t needed; /* by the last call */
    int kept;
    int captures;
    struct sq_frame_watch watched; /* the last request */
    int watches;
} fake;

static const struct sq_screen screen = { .size = { 8, 16 }, .density = 1 };

static bool
keep_frame(struct sq_device *device, uint64_t needed, struct sq_kept_frame *out,
           const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)deadline;
    fake.needed = needed;
    if (fake.fails) {
        return sq_fail(err, fake.fails, "no frame");
    }
    fake.kept++;
    *out = (struct sq_kept_frame){ fake.hash, { 8, 16 }, screen };
    return true;
}

static bool
watch_frames(struct sq_device *device, const struct sq_frame_watch *watch,
             struct sq_kept_frame *out, bool *settled,
             const struct sq_deadline *deadline, struct sq_err *err) {
    (void)device, (void)deadline;
    fake.watched = *watch;
    if (fake.fails) {
        return sq_fail(err, fake.fails, "no frame");
    }
    fake.watches++;
    *out = (struct sq_kept_frame){ fake.hash, { 8, 16 }, screen };
    *settled = true;
    return true;
}

static bool
compare_frames(struct sq_device *device, const struct sq_frame_pair *pair,
               struct sq_eye_areas *where, const struct sq_deadline *deadline,
               struct sq_err *err) {
    (void)device, (void)deadline;
    if (fake.comparison_fails) {
        return sq_fail(err, fake.comparison_fails, "no comparison");
    }
    *where = (struct sq_eye_areas){ pair->before != pair->after,
                                    { { 1, 2, 3, 4 } } };
    return true;
}

static bool
capture(struct sq_device *device, const struct sq_capture_request *request,
        struct sq_capture *out, const struct sq_deadline *deadline,
        struct sq_err *err) {
    (void)device, (void)request, (void)deadline;
    fake.captures++;
    out->screen = screen;
    return sq_buf_append(&out->bytes, &fake.hash, sizeof(fake.hash), err);
}

static struct sq_watch watch;
static struct sq_deadline deadline;

static void
start(void) {
    fake.ops = (struct sq_device_ops){ .kind = "fake",
                                       .capture = capture,
                                       .keep_frame = keep_frame,
                                       .watch_frames = watch_frames,
                                       .compare_frames = compare_frames };
    fake.base.ops = &fake.ops;
    fake.hash = 5;
    fake.fails = fake.comparison_fails = SQ_ERR_NONE;
    fake.kept = fake.captures = fake.watches = 0;
    watch = (struct sq_watch){ 0 };
    t_err = (struct sq_err){ 0 };
    deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
}

static bool
begin(void) {
    return sq_watch_begin(&watch, &fake.base, &deadline, &t_err);
}

static bool
look(void) {
    return sq_watch_look(&watch, &fake.base, &deadline, &t_err);
}

static bool
compare(struct sq_change *change) {
    return sq_watch_compare(&watch, &fake.base, NULL, change, &deadline,
                            &t_err);
}

T_FIXTURE(start, NULL);

T_CASE(no_pixels_are_fetched) {
    struct sq_change change;
    T_OK(begin());
    T_OK(look());
    T(fake.needed == 5); /* the frame before is still needed */
    T_OK(compare(&change));
    T(!change.any);
    fake.hash = 6;
    T_OK(look());
    T_OK(compare(&change));
    T(change.any && !change.resized && change.picture.height == 16);
    const struct sq_eye_area *area = &change.where.items[0];
    T(change.where.count == 1 && area->x == 1 && area->y == 2
      && area->width == 3 && area->height == 4);
    T_INT(fake.kept, 3);
    T_INT(fake.captures, 0);
    sq_watch_finish(&watch);
}

T_CASE(pixels_are_fetched_if_needed) {
    watch.needs_pixels = true;
    T_OK(begin());
    T_OK(look());
    T_INT(fake.kept, 0);
    T_INT(fake.captures, 2);
    sq_watch_finish(&watch);
    start();
    fake.fails = SQ_ERR_UNSUPPORTED;
    T_OK(begin());
    fake.fails = SQ_ERR_NONE;
    T_OK(look());
    T_INT(fake.kept, 0); /* not one of each kind */
    T_INT(fake.captures, 2);
    sq_watch_finish(&watch);
}

/* The device can no longer keep frames after the action. */
T_CASE(lost_frame_is_an_error_only_if_needed) {
    struct sq_change change;
    T_OK(begin());
    fake.fails = SQ_ERR_UNSUPPORTED;
    T_OK(look());
    T_INT(fake.captures, 1);
    T(!compare(&change));
    T_INT(t_err.code, SQ_ERR_UNSUPPORTED);
    sq_watch_finish(&watch);
}

T_CASE(failures_are_passed_on) {
    struct sq_change change;
    fake.fails = SQ_ERR_DEVICE_OFFLINE;
    T(!begin());
    T_INT(t_err.code, SQ_ERR_DEVICE_OFFLINE);
    start();
    T_OK(begin());
    fake.fails = SQ_ERR_TIMEOUT;
    T(!look());
    T_INT(t_err.code, SQ_ERR_TIMEOUT);
    T(!watch.has_after);
    start();
    T_OK(begin());
    fake.hash = 6;
    T_OK(look());
    fake.comparison_fails = SQ_ERR_UNSUPPORTED;
    T(!compare(&change));
    T_INT(fake.captures, 0);
    sq_watch_finish(&watch);
}

static bool
settle(bool *settled) {
    const struct sq_watch_rule rule = {
        .poll_ms = 1, .rest_ms = 2, .react_ms = 3, .limit_ms = 1000
    };
    return sq_watch_settle(&watch, &fake.base, &rule, &deadline, settled,
                           &t_err);
}

T_CASE(device_watches_its_own_screen) {
    struct sq_change change;
    bool settled = false;
    T_OK(begin());
    fake.hash = 6;
    T_OK(settle(&settled));
    T(settled && fake.watches == 1 && fake.kept == 1 && fake.captures == 0);
    T(fake.watched.before == 5 && fake.watched.rule.poll_ms == 1
      && fake.watched.rule.rest_ms == 2 && fake.watched.rule.react_ms == 3
      && fake.watched.rule.limit_ms == 1000 && fake.watched.rule.begins_early);
    T(sq_watch_hash(&watch) == 6);
    T_OK(compare(&change));
    T(change.any);
    sq_watch_finish(&watch);
}

T_CASE(screen_is_watched_from_here_otherwise) {
    bool settled = false;
    fake.ops.watch_frames = NULL;
    T_OK(begin());
    T_OK(settle(&settled));
    T(settled && fake.watches == 0 && fake.kept >= 3);
    sq_watch_finish(&watch);
    start();
    watch.needs_pixels = true; /* a device has none of them */
    T_OK(begin());
    T_OK(settle(&settled));
    T(settled && fake.watches == 0 && fake.captures >= 3);
    sq_watch_finish(&watch);
    start();
    T_OK(begin());
    fake.fails = SQ_ERR_TIMEOUT;
    T(!settle(&settled));
    T_INT(t_err.code, SQ_ERR_TIMEOUT);
    sq_watch_finish(&watch);
}

/* Says that nothing was drawn, which a capture must confirm. */
static int questions;

static enum sq_drawn
infer(struct sq_device *device, const struct sq_deadline *until) {
    (void)device, (void)until;
    questions++;
    return SQ_DRAWN_PROBABLY_NOTHING;
}

T_CASE(capture_confirms_that_nothing_was_drawn) {
    struct sq_change change;
    bool settled = false;
    fake.ops.keep_frame = NULL;
    fake.ops.drawn = infer;
    questions = 0;
    T_OK(begin());
    T_INT(questions, 1);
    T_OK(settle(&settled));
    T(questions > 1);
    T_INT(fake.captures, 2); /* before, and to confirm */
    T_OK(compare(&change));
    T(!change.any);
    sq_watch_finish(&watch);
    /* It was not true. */
    start();
    fake.ops.keep_frame = NULL;
    fake.ops.drawn = infer;
    T_OK(begin());
    fake.hash = 6;
    T_OK(settle(&settled));
    T(sq_watch_hash(&watch) != watch.before_hash);
    T(fake.captures > 2);
    /* A look that is not part of watching does not rely on it. */
    int captures = fake.captures;
    T_OK(look());
    T_INT(fake.captures, captures + 1);
    sq_watch_finish(&watch);
}

static void
encode(const struct sq_image *image, struct sq_buf *out) {
    struct sq_rows *rows;
    sq_buf_init(out, 1 << 20);
    T_OK(sq_rows_from_image(image, &rows, &t_err));
    T_OK(sq_png_encode(rows, out, &t_err));
    sq_rows_destroy(rows);
}

T_CASE(a_changed_pixel_of_a_png_is_found) {
    static const int places[][2] = { { 0, 0 },   { 7, 3 },   { 8, 4 },
                                     { 31, 15 }, { 42, 19 }, { 44, 19 } };
    const struct sq_region all = { 0 };
    struct sq_image image = { 0 };
    struct sq_eye_areas where;
    struct sq_buf before;
    struct sq_buf after;
    T_OK(sq_image_init(&image, 45, 20, &sq_limits_default, &t_err));
    for (int y = 0; y < 20; y++) {
        memset(sq_image_row(&image, y), 7 * y, (size_t)45 * SQ_PIXEL_BYTES);
    }
    encode(&image, &before);
    T_OK(sq_captures_compare(&before, &before, all, &where, &t_err));
    T_INT(where.count, 0);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const uint32_t x = (uint32_t)places[i][0];
        uint8_t *pixel =
            sq_image_row(&image, places[i][1]) + (size_t)x * SQ_PIXEL_BYTES;
        pixel[i % 3] ^= 1;
        encode(&image, &after);
        pixel[i % 3] ^= 1;
        T_OK(sq_captures_compare(&before, &after, all, &where, &t_err));
        const struct sq_eye_area *area = &where.items[0];
        T_INT(where.count, 1);
        T_INT(area->y, places[i][1]);
        T_INT(area->height, 1);
        T(area->x <= x && x < area->x + area->width && area->width <= 8
          && area->x + area->width <= 45);
        sq_buf_finish(&after);
    }
    sq_buf_finish(&before);
    sq_image_finish(&image);
}
