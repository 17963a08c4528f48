/* Takes pictures with the eye, which scales them where that is faster. */
#include "device/android/capture_format.h"
#include "device/android/state.h"
#include "util/limits.h"

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
        sq_capture_format_add_no_eye(&android->format);
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
    struct sq_adb_output output;
    if (!convert_scaling(scaling, &crop.scaling)) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the eye cannot scale like this");
    }
    sq_adb_output_init(&output, SQ_MAX_CAPTURE_BYTES);
    bool ok = sq_eye_crop(&android->eye, &android->link, &crop, &output,
                          deadline, err)
           && sq_buf_append(out, output.out.data, output.out.len, err);
    sq_adb_output_finish(&output);
    return ok;
}
