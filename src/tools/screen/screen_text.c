/* Reads the text of the screen for the operations that need it. */
#include "tools/screen/screen_text.h"

#include "image/pipeline/codec.h"
#include "tool/work.h"
#include "tools/reply.h"
#include "tools/screen/redacted_capture.h"
#include "util/minmax.h"
#include "util/utf8.h"

bool
sq_screen_text_enabled(const struct sq_call *call, struct sq_err *err) {
    if (call->reader) {
        return true;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "reading text in pictures is switched off");
    return sq_fail_hint(err, SQ_SAY("Start squint with --ocr-enabled, or set "
                                    "ui.ocrEnabled: true in its configuration.",
                                    "Add --ocr-enabled, or set ui.ocrEnabled: "
                                    "true in the configuration."));
}

int
sq_count_letters(struct sq_span text) {
    uint32_t code;
    size_t used;
    int count = 0;
    while ((used = sq_utf8_decode(text, &code)) > 0) {
        bool is_ascii = (code >= '0' && code <= '9')
                     || (code >= 'A' && code <= 'Z')
                     || (code >= 'a' && code <= 'z');
        /* From U+2000 to U+2BFF there are punctuation and symbols. */
        count += is_ascii || (code >= 0xc0 && (code < 0x2000 || code > 0x2bff));
        text.ptr += used;
        text.len -= used;
    }
    return count;
}

int
sq_count_digits(struct sq_span text) {
    int digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        digits += sq_is_digit(text.ptr[i]);
    }
    return digits;
}

static bool
check_capture(const struct sq_capture *capture, struct sq_err *err) {
    if (capture->secure) {
        sq_fail(err, SQ_ERR_SECURE_SCREEN,
                "the foreground app does not allow its screen to be captured");
        return sq_fail_hint(
            err,
            SQ_SAY("There are no pixels to read: list its elements with @dump, "
                   "without vision.",
                   "There are no pixels to read: @dump lists its elements."));
    }
    return capture->bytes.len > 0
        || sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                   "the device returned no picture");
}

bool
sq_region_to_rect(const struct sq_opt_region *region, struct sq_size size,
                  struct sq_rect *out, struct sq_err *err) {
    *out = (struct sq_rect){ 0, 0, size.width, size.height };
    if (!region->given) {
        return true;
    }
    int x = region->x.value;
    int y = region->y.value;
    int width = region->width.value;
    int height = region->height.value;
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > size.width - x
        || height > size.height - y) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the region %d,%d,%d,%d is not inside the picture", x, y, width,
                height);
        return sq_fail_hint(err, "The picture has %dx%d pixels.", size.width,
                            size.height);
    }
    *out = (struct sq_rect){ x, y, x + width, y + height };
    return true;
}

bool
sq_screen_text_area(const struct sq_screen_text *screen,
                    struct sq_dev_rect rect, struct sq_rect *out) {
    struct sq_img_rect pixels;
    if (!sq_view_rect_to_image(&screen->pixels, rect, &pixels)) {
        return false;
    }
    *out = sq_img_edges(pixels);
    return true;
}

bool
sq_region_id_check(const struct sq_opt_region *region,
                   const struct sq_opt_text *id, struct sq_err *err) {
    if (region->given || !id->given) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "$screenshotId says in which picture a region is, but there is no "
            "region");
    return sq_fail_hint(
        err, SQ_SAY("Give region as well, or leave screenshotId out.",
                    "Add --region, or leave --screenshot-id out."));
}

/*
 * A crop is harmless, whatever app is shown now; but a region of another app is
 * no longer the latest picture, only that of the whole screen still is.
 */
bool
sq_region_frame(struct sq_call *call, struct sq_span id,
                const struct sq_screen *screen, struct sq_frame *out,
                struct sq_err *err) {
    const char *device_id = call->device->info.id;
    struct sq_screen any_app = *screen;
    struct sq_err local_err = { 0 };
    any_app.app[0] = '\0';
    if (sq_session_frame(call->session, device_id, id, &any_app, out,
                         &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_AMBIGUOUS_FRAME) {
        return sq_fail_with(err, &local_err);
    }
    if (sq_session_frame(call->session, device_id, id, screen, out,
                         &local_err)) {
        return true;
    }
    return local_err.code == SQ_ERR_STALE_SCREENSHOT
             ? sq_session_view(call->session, device_id, &any_app, out, err)
             : sq_fail_with(err, &local_err);
}

/* Returns the picture in whose pixels the region of a call is. */
static bool
choose_frame(struct sq_call *call, const struct sq_screen_text *screen,
             struct sq_frame *out, struct sq_err *err) {
    return screen->region_id.len > 0
             ? sq_region_frame(call, screen->region_id, &screen->screen, out,
                               err)
             : sq_session_frame(call->session, call->device->info.id,
                                (struct sq_span){ 0 }, &screen->screen, out,
                                err);
}

/* Converts the region of a picture to pixels of the capture. */
static bool
choose_area(struct sq_call *call, const struct sq_opt_region *region,
            struct sq_screen_text *screen, struct sq_err *err) {
    struct sq_frame counted;
    struct sq_rect rect;
    screen->area =
        (struct sq_rect){ 0, 0, screen->image.width, screen->image.height };
    if (!region->given) {
        return true;
    }
    if (!choose_frame(call, screen, &counted, err)
        || !sq_region_to_rect(region, counted.view.image, &rect, err)) {
        return false;
    }
    const struct sq_view *view = &counted.view;
    struct sq_dev_pt from =
        sq_view_to_device(view, (struct sq_img_pt){ rect.left, rect.top });
    struct sq_dev_pt to = sq_view_to_device(
        view, (struct sq_img_pt){ rect.right - 1, rect.bottom - 1 });
    const struct sq_dev_rect device = { from.x, from.y, to.x + 1, to.y + 1 };
    return sq_screen_text_area(screen, device, &screen->area)
        || sq_fail(err, SQ_ERR_ARGUMENT, "the region is not visible");
}

bool
sq_screen_text_capture(struct sq_call *call, const struct sq_opt_region *region,
                       struct sq_screen_text *out, struct sq_err *err) {
    struct sq_capture capture = { 0 };
    const struct sq_redacted_request redacted = {
        .device = call->device,
        .redactor = call->redactor,
        .session = call->session,
        .call = call,
        .deadline = &call->deadline,
        .original = &out->original,
    };
    sq_buf_init(&capture.bytes, SQ_MAX_CAPTURE_BYTES);
    bool ok = sq_redacted_capture(&redacted, &capture, &out->redacted, err)
           && check_capture(&capture, err)
           && sq_work_begin(call->work, true, &call->deadline, err)
           && sq_image_decode(capture.bytes.data, capture.bytes.len,
                              &sq_limits_capture, &out->image, err)
           && sq_session_view(call->session, call->device->info.id,
                              &capture.screen, &out->frame, err);
    if (ok) {
        out->screen = capture.screen;
        out->pixels =
            sq_view_make(capture.screen.size, sq_image_size(&out->image));
        ok = choose_area(call, region, out, err);
    }
    if (ok && out->keeps_capture) {
        sq_capture_finish(&out->captured);
        out->captured = capture;
        return true;
    }
    sq_capture_finish(&capture);
    return ok;
}

bool
sq_screen_text_read(struct sq_call *call, struct sq_read_plan *plan,
                    struct sq_screen_text *screen, struct sq_err *err) {
    const bool is_redacted = screen->original.boxes.count > 0;
    plan->area = screen->area;
    struct sq_read_plan own = *plan;
    if (is_redacted) {
        own.is_enough = NULL; /* what was found may be hidden */
    }
    bool ok =
        sq_reader_read(call->reader,
                       is_redacted ? &screen->original.image : &screen->image,
                       &own, &call->deadline, &screen->text, err)
        && (!is_redacted
            || sq_redact_words_in(call->redactor, &screen->original,
                                  &screen->text, err));
    sq_work_end(call->work);
    return ok;
}

bool
sq_screen_text_shapes(const struct sq_screen_text *screen, struct sq_areas *out,
                      struct sq_err *err) {
    int count = 0;
    if (!sq_areas_find(&screen->image, out, err)) {
        return false;
    }
    for (int i = 0; i < out->count; i++) {
        const struct sq_area area = out->items[i];
        if (!sq_redact_is_painted(&screen->original.boxes, area.box,
                                  area.rgb)) {
            out->items[count++] = area;
        }
    }
    out->count = count;
    return true;
}

struct sq_dev_rect
sq_screen_text_bounds(const struct sq_screen_text *screen, struct sq_rect box) {
    struct sq_dev_pt from = sq_view_to_device(
        &screen->pixels, (struct sq_img_pt){ box.left, box.top });
    struct sq_dev_pt to = sq_view_to_device(
        &screen->pixels, (struct sq_img_pt){ box.right - 1, box.bottom - 1 });
    return (struct sq_dev_rect){ from.x, from.y, to.x + 1, to.y + 1 };
}

void
sq_put_screen_place(struct sq_json_writer *w,
                    const struct sq_screen_text *screen, struct sq_rect box) {
    const struct sq_dev_rect device = sq_screen_text_bounds(screen, box);
    struct sq_img_rect rect;
    struct sq_img_pt middle;
    struct sq_dev_pt touched;
    if (sq_view_rect_to_image(&screen->frame.view, device, &rect)
        && sq_view_middle(&screen->frame.view, device, &touched, &middle)) {
        sq_put_int(w, "centerX", middle.x);
        sq_put_int(w, "centerY", middle.y);
        sq_put_int(w, "width", rect.right - rect.left);
        sq_put_int(w, "height", rect.bottom - rect.top);
    }
}

void
sq_screen_text_finish(struct sq_screen_text *screen) {
    sq_text_finish(&screen->text);
    sq_image_finish(&screen->image);
    sq_redact_original_finish(&screen->original);
    sq_capture_finish(&screen->captured);
    *screen = (struct sq_screen_text){ 0 };
}
