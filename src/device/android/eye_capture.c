/* Decides when the eye sends a scaled picture instead of the whole frame. */
#include "device/android/capture.h"
#include "device/android/eye.h"
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
    bool ok = sq_eye_capture(&android->eye, &android->link, &capture, output,
                             deadline, err);
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
    return sq_eye_crop(&android->eye, &android->link, &crop, &output, deadline,
                       err)
        && sq_buf_append(out, output.out.data, output.out.len, err);
}
