/*
 * Captures with the eye, squint's program on the phone, and looks at the screen
 * without fetching pixels: only what they hash to, and where two frames differ.
 */
#include "device/android/capture.h"
#include "device/android/eye.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "util/limits.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000
#define MEBIBYTE ((int64_t)1 << 20)
#define PIXEL_BYTES 4
/* How long a whole frame may take: to be coded, transferred and decoded. */
#define PATIENCE_NS ((int64_t)100 * NS_PER_MS)
/* Of that, what a mebibyte takes to be coded and decoded. */
#define CODING_NS ((int64_t)15 * NS_PER_MS)
/* Assumed as long as nothing was measured: about 10 MB/s, a good Wi-Fi. */
#define UNKNOWN_NS ((int64_t)100 * NS_PER_MS)
/* Fewer bytes may have been in the buffers of sockets. */
#define LEAST_BYTES ((size_t)128 << 10)
/* Bytes that take longer than screencap takes to write its frame. */
#define LEAST_UNREADY_BYTES ((size_t)1 << 20)
/* Below this, a scaled picture would not be faster. */
#define LEAST_LIMIT ((int64_t)64 << 10)
/* Above this it is always faster, since the coding itself takes long. */
#define MOST_LIMIT ((int64_t)2 << 20)

void
sq_eye_pace_add(struct sq_eye_pace *pace, size_t bytes, int64_t ns,
                bool is_ready) {
    if (bytes >= (is_ready ? LEAST_BYTES : LEAST_UNREADY_BYTES)) {
        int64_t each_ns =
            (int64_t)((double)ns * (double)MEBIBYTE / (double)bytes);
        sq_estimate_add(&pace->mebibyte, each_ns > 0 ? each_ns : 1);
    }
}

uint32_t
sq_eye_pace_limit(const struct sq_eye_pace *pace, struct sq_size frame,
                  struct sq_size picture) {
    int64_t each_ns = pace->mebibyte.ns > 0 ? pace->mebibyte.ns : UNKNOWN_NS;
    int64_t limit = sq_min_int64(PATIENCE_NS * MEBIBYTE / (each_ns + CODING_NS),
                                 MOST_LIMIT);
    int64_t frame_pixels = (int64_t)frame.width * frame.height;
    int64_t pixels = (int64_t)picture.width * picture.height;
    if (pixels * 2 > frame_pixels || limit >= frame_pixels * PIXEL_BYTES) {
        return 0;
    }
    return (uint32_t)sq_max_int64(limit, LEAST_LIMIT);
}

/* Returns false if the eye cannot scale like this. */
static bool
convert_scaling(const struct sq_scaling *from, struct sq_eye_scaling *out) {
    static const struct {
        bool is_known;
        enum sq_eye_kernel kernel;
    } kernels[SQ_KERNELS] = {
        [SQ_KERNEL_CATMULL_ROM] = { true, SQ_EYE_CATMULL_ROM },
        [SQ_KERNEL_AREA] = { true, SQ_EYE_BOX },
    };
    const struct sq_region *part = &from->part;
    if (!kernels[from->kernel].is_known || part->x < 0 || part->y < 0
        || from->size.width < 1 || from->size.height < 1
        || from->size.width > part->width || from->size.height > part->height
        || part->width > from->frame.width - part->x
        || part->height > from->frame.height - part->y) {
        return false;
    }
    *out = (struct sq_eye_scaling){
        .width = (uint32_t)from->frame.width,
        .height = (uint32_t)from->frame.height,
        .part = { (uint32_t)part->x, (uint32_t)part->y, (uint32_t)part->width,
                  (uint32_t)part->height },
        .out_width = (uint32_t)from->size.width,
        .out_height = (uint32_t)from->size.height,
        .kernel = kernels[from->kernel].kernel,
    };
    return true;
}

/* Sets the scaling of the request, if it is faster than the whole frame. */
static void
choose_scaling(const struct sq_android *android,
               const struct sq_scaling_chooser *chooser,
               struct sq_eye_capture *request) {
    const struct sq_screen *screen = &android->display_cache.screen;
    struct sq_scaling scaling;
    struct sq_eye_scaling converted;
    if (!chooser || android->frame_size.width == 0 || screen->size.width == 0
        || sq_idle_is_set(&android->idle)
        || !chooser->choose(chooser->context, screen, android->frame_size,
                            &scaling)
        || !convert_scaling(&scaling, &converted)) {
        return;
    }
    request->limit = sq_eye_pace_limit(&android->eye.pace, android->frame_size,
                                       scaling.size);
    if (request->limit > 0) {
        request->scaling = converted;
    }
}

bool
sq_android_capture_by_eye(struct sq_android *android,
                          const struct sq_eye_request *request,
                          struct sq_adb_output *output,
                          struct sq_eye_scaled *scaled,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    struct sq_eye_capture capture = { .has_display = request->has_panel,
                                      .display = request->panel };
    scaled->expected = android->display_cache.screen;
    choose_scaling(android, request->chooser, &capture);
    bool ok = sq_eye_capture(&android->eye, &capture, output, deadline, err);
    if (android->eye.has_failed) {
        android->format.has_eye = false;
    }
    const struct sq_eye_begin *begin = &android->eye.begin;
    if (ok && begin->is_scaled) {
        scaled->frame =
            (struct sq_scaled){ begin->hash,
                                { (int)begin->width, (int)begin->height } };
        scaled->is_black = begin->is_black;
    }
    return ok;
}

bool
sq_android_fetch_part(struct sq_device *device, uint64_t hash,
                      const struct sq_scaling *scaling, struct sq_buf *out,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    struct sq_eye_crop crop = { .hash = hash,
                                .max_bytes = SQ_MAX_CAPTURE_BYTES };
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    if (!convert_scaling(scaling, &crop.scaling)) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the eye cannot scale like this");
    }
    sq_adb_output_init(&output, SQ_MAX_CAPTURE_BYTES);
    return sq_eye_crop(&android->eye, &crop, &output, deadline, err)
        && sq_buf_append(out, output.out.data, output.out.len, err);
}

bool
sq_android_can_look(const struct sq_android *android) {
    const struct sq_emulator *emulator = &android->emulator;
    /* Pictures come, or may come, from an emulator itself. */
    bool is_emulator =
        emulator->is_possible
        && (emulator->channel || emulator->last_err.code == SQ_ERR_NONE);
    return sq_capture_format_can_look(&android->format)
        && !android->eye.has_failed && !is_emulator
        && !sq_idle_is_set(&android->idle);
}

bool
sq_android_keeps_frames(const struct sq_android *android) {
    return sq_android_can_look(android)
        && sq_capture_format_preferred(&android->format) == SQ_CAPTURE_EYE;
}

struct sq_eye_look
sq_android_look(const struct sq_android *android, uint64_t needed) {
    return (struct sq_eye_look){
        .max_bytes = SQ_MAX_CAPTURE_BYTES,
        .has_display = android->panels.count > 1,
        .display = android->panels.active,
        .keep = needed,
    };
}

/*
 * Describes the frame of a look, with the screen at that moment. Fails if a
 * capture would have more to find out.
 */
static bool
describe(struct sq_android *android, const struct sq_eye_seen *seen,
         struct sq_kept_frame *out, const struct sq_deadline *deadline,
         struct sq_err *err) {
    struct sq_kept_frame made = {
        .hash = seen->hash,
        .size = { (int)seen->width, (int)seen->height },
    };
    const struct sq_size *size = &made.screen.size;
    bool is_plain = seen->hash != 0 && !seen->is_black
                 && (android->panels.count > 1
                     || !sq_screencap_has_displays(android->eye.talk.messages));
    if (is_plain
        && !sq_android_screen(&android->base, &made.screen, deadline, err)) {
        return false;
    }
    /* Another size: it was turned, or is of another panel. */
    if (!is_plain || made.size.width != size->width
        || made.size.height != size->height) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the pixels are needed to know what the screen shows");
    }
    *out = made;
    return true;
}

static bool
check_kept(const struct sq_android *android, struct sq_err *err) {
    return sq_android_keeps_frames(android)
        || sq_fail(err, SQ_ERR_UNSUPPORTED, "frames are not kept");
}

/* Looks, and queries the display state at the same time. */
bool
sq_android_keep_frame(struct sq_device *device, uint64_t needed,
                      struct sq_kept_frame *out,
                      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    const struct sq_eye_look look = sq_android_look(android, needed);
    struct sq_display_query display;
    struct sq_eye_seen seen;
    if (!check_kept(android, err)) {
        return false;
    }
    sq_android_start_display(android, false, &display, deadline);
    bool ok = sq_eye_look(&android->eye, &look, &seen, deadline, err);
    if (ok) {
        sq_android_collect_display(android, &display, deadline);
    }
    sq_android_abandon_display(&display);
    if (android->eye.has_failed) {
        android->format.has_eye = false;
    }
    return ok && describe(android, &seen, out, deadline, err);
}

/*
 * Reads looks until the last. The display state is queried from the start and
 * again after each change, so that in the end it is that of the last frame.
 */
static bool
read_looks(struct sq_android *android, const struct sq_frame_watch *watch,
           struct sq_eye_watched *watched, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_display_query display;
    uint64_t last = 0;
    bool ok = true;
    bool is_last = false;
    sq_android_start_display(android, false, &display, deadline);
    while (!is_last
           && (ok = sq_eye_next_look(&android->eye, watched, deadline, err))) {
        is_last = watched->state != SQ_REST_GOES_ON || watched->seen.hash == 0;
        if (last != 0 && watched->seen.hash != last) {
            sq_android_abandon_display(&display);
            sq_android_start_display(android, false, &display, deadline);
        }
        last = watched->seen.hash;
        if (!is_last && watch->progress) {
            watch->progress(watch->context);
        }
    }
    if (ok) {
        sq_android_collect_display(android, &display, deadline);
    }
    sq_android_abandon_display(&display);
    return ok;
}

bool
sq_android_watch_frames(struct sq_device *device,
                        const struct sq_frame_watch *watch,
                        struct sq_kept_frame *out, bool *settled,
                        const struct sq_deadline *deadline,
                        struct sq_err *err) {
    struct sq_android *android = sq_android_of(device);
    const struct sq_eye_watch request = {
        .look = sq_android_look(android, watch->before),
        .before = watch->before,
        .quiet_ms = watch->quiet_ms,
        .rule = watch->rule,
    };
    struct sq_eye_watched watched = { 0 };
    if (!check_kept(android, err)) {
        return false;
    }
    bool ok = sq_eye_watch(&android->eye, &request, deadline, err)
           && read_looks(android, watch, &watched, deadline, err)
           && describe(android, &watched.seen, out, deadline, err);
    if (android->eye.has_failed) {
        android->format.has_eye = false;
    }
    *settled = ok && watched.state == SQ_REST_SETTLED;
    return ok;
}

bool
sq_android_compare_frames(struct sq_device *device,
                          const struct sq_frame_pair *pair,
                          struct sq_eye_areas *where,
                          const struct sq_deadline *deadline,
                          struct sq_err *err) {
    const struct sq_region *area = &pair->area;
    const struct sq_eye_compare request = {
        .before = pair->before,
        .after = pair->after,
        .area = { (uint32_t)area->x, (uint32_t)area->y, (uint32_t)area->width,
                  (uint32_t)area->height },
    };
    struct sq_eye_compared compared;
    if (area->x < 0 || area->y < 0 || area->width < 0 || area->height < 0) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the area is not on the screen");
    }
    if (!sq_eye_compare(&sq_android_of(device)->eye, &request, &compared,
                        deadline, err)) {
        return false;
    }
    if (compared.outcome == SQ_EYE_UNKNOWN) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "a frame is no longer on the phone");
    }
    *where = compared.where;
    return true;
}
