/* Captures the screen and encodes it within the limits of a reply. */
#include "tools/screen/screen_picture.h"

#include <stdio.h>
#include <string.h>

#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "tool/work.h"
#include "tools/reply.h"
#include "tools/screen/late_change.h"
#include "tools/screen/redacted_capture.h"
#include "tools/screen/screen_picture_private.h"
#include "tools/screen/watch.h"

/*
 * A picture of one colour needs far less than one byte per this many pixels
 * (and a few bytes of header); only such pictures are checked for being blank.
 */
#define BLANK_PIXELS_PER_BYTE 40
#define BLANK_BASE_BYTES 2048
#define MIN_BLANK_PIXELS 256

#define SHAPE_WARNING                                                          \
    "The picture has another shape than the screen that taps reach: x,y may "  \
    "miss. Take another screenshot, or use selectors."

static bool
check_capture(const struct sq_capture *capture, struct sq_err *err) {
    if (capture->secure) {
        sq_fail(err, SQ_ERR_SECURE_SCREEN,
                "the foreground app does not allow its screen to be captured");
        return sq_fail_hint(err, "@dump and @find may still list its elements. "
                                 "Otherwise leave this screen with @key back.");
    }
    if (capture->bytes.len == 0) {
        sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                "the device returned no picture");
        return sq_fail_hint(err, "Make sure the screen is on and unlocked.");
    }
    return true;
}

static void
note_blank(struct sq_screen_picture *shot, bool is_black) {
    shot->capture.passwords_unknown = false; /* it shows none */
    if (is_black && !shot->opts.has_region && !shot->redacted) {
        shot->way = SQ_SCREEN_PICTURE_NOWHERE;
    }
    sq_screen_picture_note(
        shot,
        shot->opts.has_region && shot->redacted
            ? "This part of the screen has a single colour: rules of "
              "redaction may hide what is there."
        : shot->opts.has_region ? "This part of the screen has a single colour."
        : shot->redacted        ? "Rules of redaction hide what the picture "
                                  "shows."
        : is_black ? "The picture is all black and was not sent: the display "
                     "may be off, or the app protects its content. Its "
                     "elements may still be readable."
                   : "The picture has a single colour: the app may still be "
                     "loading.");
}

/* Detects black pictures, which cost tokens and show nothing, to omit them. */
static bool
check_blank(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_size size = shot->info.image;
    size_t pixels = (size_t)size.width * (size_t)size.height;
    /* So small a picture may be of one colour by scaling. */
    if (pixels < MIN_BLANK_PIXELS
        || shot->picture.len
               > BLANK_BASE_BYTES + pixels / BLANK_PIXELS_PER_BYTE) {
        return true;
    }
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    if (!sq_image_decode(shot->picture.data, shot->picture.len,
                         &sq_limits_default, &image, err)) {
        return false;
    }
    struct sq_flatness flat;
    if (sq_image_blank(&image, &flat)) {
        note_blank(shot, flat.black);
    }
    return true;
}

static void
describe(struct sq_screen_picture *shot) {
    struct sq_frame *frame = &shot->frame;
    if (!frame->is_region) {
        frame->view = sq_view_make(shot->capture.screen.size, shot->info.image);
    }
    frame->view.image = shot->info.image;
    frame->rotation = shot->capture.screen.rotation;
    frame->other_display = shot->capture.other_display;
    frame->is_redacted = shot->redacted > 0;
    /* The decorated picture may have been scaled once more. */
    frame->has_grid =
        shot->opts.grid && sq_size_equal(shot->info.image, shot->info.source);
    if (shot->opts.grid && !frame->has_grid) {
        sq_screen_picture_note(
            shot, "Its cells cannot be tapped: the picture was reduced "
                  "after the grid was drawn. Ask for a smaller one.");
    }
    memcpy(frame->app, shot->capture.screen.app, sizeof(frame->app));
    snprintf(frame->device_id, sizeof(frame->device_id), "%s",
             shot->call->device->info.id);
    struct sq_size shown = sq_view_crop_size(&frame->view);
    shot->scale_factor =
        (double)sq_size_long_side(shown) / sq_size_long_side(shot->info.image);
    shot->tokens =
        sq_token_cost(sq_reply_profile(shot->call), shot->info.image).tokens;
    if (frame->is_region && shot->way == SQ_SCREEN_PICTURE_INLINE
        && shot->tokens > shot->screen_tokens) {
        char text[80];
        snprintf(text, sizeof(text),
                 "Costs %d tokens; the whole screen would cost %d.",
                 shot->tokens, shot->screen_tokens);
        sq_screen_picture_note(shot, text);
    }
}

/* State for encoding a picture while it is received. */
struct sketch {
    struct sq_screen_picture *shot;
    struct sq_picture_opts how;
};

/*
 * Encodes while the capture is received. Errors are ignored here: they occur
 * again, and are reported, when the whole capture is encoded.
 */
static void
draw_early(void *context, struct sq_incoming *incoming) {
    struct sketch *sketch = context;
    struct sq_screen_picture *shot = sketch->shot;
    struct sq_stored_frame_tee tee;
    sq_stored_frame_finish(&shot->held);
    sq_buf_clear(&shot->picture);
    sq_stored_frame_tee_init(&tee, incoming);
    shot->drawn_early = sq_picture_make_incoming(
        &tee.incoming, &sketch->how, &sq_limits_default, &shot->picture,
        &shot->info, NULL);
    shot->held_early = sq_stored_frame_tee_end(&tee, &shot->held);
}

/* Captures the screen, and encodes the picture while it is received. */
static bool
capture(struct sq_screen_picture *shot, bool may_scale, struct sq_err *err) {
    struct sq_call *call = shot->call;
    struct sketch sketch = { shot, sq_screen_picture_how(shot) };
    const struct sq_capture_observer observer = { draw_early, &sketch };
    const struct sq_scaling_chooser chooser = { sq_screen_picture_choose,
                                                shot };
    /* The size of a legible picture is known only with all of the frame. */
    const bool is_legible = sq_screen_picture_is_legible(shot);
    /* The position of a region depends on the screen's rotation. */
    const bool is_early =
        !shot->opts.has_region && !shot->opts.decoration && !is_legible;
    const bool may_observe = sq_redacted_may_observe(call->redactor);
    const struct sq_capture_request request = {
        .display = shot->opts.display,
        .picture_only = shot->opts.picture_only,
        .max_side = is_early ? sketch.how.max_dimension : 0,
        .chooser = may_scale && !is_legible && may_observe ? &chooser : NULL,
        .observer = is_early && may_observe ? &observer : NULL,
    };
    const struct sq_redacted_request redacted = {
        .device = call->device,
        .redactor = call->redactor,
        .session = call->session,
        .call = call,
        .capture = &request,
        .deadline = &call->deadline,
    };
    if (!sq_redacted_capture(&redacted, &shot->capture, &shot->redacted, err)) {
        return false;
    }
    /* The observer has seen what is hidden now, or an earlier attempt. */
    if (shot->redacted || sq_screen_picture_is_scaled(shot)) {
        shot->drawn_early = false;
        shot->held_early = false;
        sq_stored_frame_finish(&shot->held);
        sq_buf_clear(&shot->picture);
    }
    return check_capture(&shot->capture, err);
}

/* Takes over a capture whose pixels were read. */
static bool
take_seen(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_screen_text *seen = shot->opts.seen;
    sq_capture_finish(&shot->capture);
    shot->capture = seen->captured;
    shot->redacted = seen->redacted;
    seen->captured = (struct sq_capture){ 0 };
    return check_capture(&shot->capture, err);
}

/* Reports what was seen; if parts are hidden, that was done before. */
static void
report_seen(const struct sq_screen_picture *shot) {
    if (!shot->capture.other_display && !shot->redacted) {
        sq_device_saw(
            shot->call->device,
            sq_screen_picture_is_scaled(shot) ? shot->capture.scaled.hash
            : shot->held.hash                 ? shot->held.hash
                              : sq_capture_hash(&shot->capture.bytes));
    }
}

/* Makes the copy for later crops, or remembers where the frame is. */
static bool
hold_frame(struct sq_screen_picture *shot, struct sq_err *err) {
    const struct sq_scaled *scaled = &shot->capture.scaled;
    struct sq_frame_place *place = &shot->held.place;
    if (!sq_screen_picture_is_scaled(shot)) {
        return sq_stored_frame_make(&shot->capture.bytes, &shot->held, err);
    }
    snprintf(place->device_id, sizeof(place->device_id), "%s",
             shot->call->device->info.id);
    place->size = scaled->frame;
    place->hash = shot->held.hash = scaled->hash;
    return true;
}

/* Does all CPU-intensive work; nothing here waits for a device. */
static bool
work_on_picture(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_call *call = shot->call;
    if (!sq_work_begin(call->work, true, &call->deadline, err)) {
        return false;
    }
    bool ok = sq_screen_picture_encode(shot, err) && check_blank(shot, err);
    if (ok) {
        describe(shot);
        if (!shot->frame.is_region && !shot->frame.other_display) {
            sq_late_change_report(call, &shot->frame);
        }
        ok = shot->frame.is_region || shot->way == SQ_SCREEN_PICTURE_NOWHERE
          || shot->held_early || hold_frame(shot, err);
    }
    sq_work_end(call->work);
    return ok;
}

/* Returns the bytes of the capture, also of one that was scaled. */
static size_t
captured_bytes(const struct sq_screen_picture *shot) {
    struct sq_size frame = shot->capture.scaled.frame;
    return sq_screen_picture_is_scaled(shot)
             ? SQ_RAW_HEADER_BYTES
                   + (size_t)frame.width * (size_t)frame.height * SQ_PIXEL_BYTES
             : shot->capture.bytes.len;
}

static bool
make(struct sq_call *call, const struct sq_screen_picture_opts *opts,
     bool may_scale, struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_buf *const buffers[] = { &shot->capture.bytes, &shot->picture,
                                       &shot->copy, &shot->decorated };
    for (size_t i = 0; i < SQ_COUNT(buffers); i++) {
        sq_buf_init(buffers[i], SQ_MAX_IMAGE_BYTES);
    }
    shot->call = call;
    shot->opts = *opts;
    shot->way =
        opts->to_file ? SQ_SCREEN_PICTURE_FILE : SQ_SCREEN_PICTURE_INLINE;
    bool is_seen = opts->seen && opts->seen->captured.bytes.len > 0;
    if (!(is_seen ? take_seen(shot, err) : capture(shot, may_scale, err))
        || !work_on_picture(shot, err)) {
        return false;
    }
    if (shot->capture.passwords_unknown) {
        sq_screen_picture_note(shot, "Password fields could not be looked for: "
                                     "the picture may show one.");
    }
    shot->captured_bytes = captured_bytes(shot);
    report_seen(shot);
    sq_buf_finish(&shot->decorated);
    sq_buf_finish(&shot->capture.bytes);
    return sq_deadline_check(&call->deadline, err)
        && sq_session_name_frame(call->session, &shot->frame, err);
}

bool
sq_screen_picture_make(struct sq_call *call,
                       const struct sq_screen_picture_opts *opts,
                       struct sq_screen_picture *shot, struct sq_err *err) {
    bool ok = make(call, opts, true, shot, err);
    if (!ok && shot->needs_frame) {
        sq_screen_picture_finish(shot);
        *shot = (struct sq_screen_picture){ 0 };
        ok = make(call, opts, false, shot, err);
    }
    return ok;
}

/* Writes a file; a generated name has the extension of the format. */
static bool
save(struct sq_screen_picture *shot, const struct sq_output_file_name *name,
     const struct sq_buf *picture, struct sq_err *err) {
    shot->has_saved = sq_output_file_write(shot->call->config, name, picture,
                                           &shot->saved, err);
    return shot->has_saved;
}

/* Adds a block for the picture that is sent, or for a link to it. */
static bool
add_block(struct sq_screen_picture *shot, enum sq_block_kind kind, size_t max,
          struct sq_block **out, struct sq_err *err) {
    if (!sq_result_add(shot->call->result, kind, max, out, err)) {
        return false;
    }
    (*out)->mime_type = sq_format_mime(shot->info.format);
    (*out)->priority = 0.9;
    return true;
}

static bool
deliver_link(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_block *block;
    const struct sq_output_file_name name = { .is_unasked = true,
                                              .format = shot->info.format };
    if (!save(shot, &name, &shot->picture, err)
        || !add_block(shot, SQ_BLOCK_LINK, 0, &block, err)) {
        return false;
    }
    block->size = shot->info.bytes;
    snprintf(block->name, sizeof(block->name), "Screenshot %s", shot->frame.id);
    sq_output_file_uri(shot->saved.name, block->uri, sizeof(block->uri));
    shot->tokens = 0;
    return true;
}

static bool
deliver_file(struct sq_screen_picture *shot, struct sq_err *err) {
    const struct sq_output_file_name name = {
        .local_path = shot->opts.local_path,
        .is_unasked = shot->opts.is_unasked,
        .format = shot->info.format,
    };
    return save(shot, &name, &shot->picture, err);
}

/* Writes the additional file. If that fails, a note says so. */
static bool
deliver_copy(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_output_file_name name = { .is_unasked = true,
                                              .format = SQ_FORMAT_PNG };
    if (save(shot, &name, &shot->copy, &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_IO && local_err.code != SQ_ERR_NOT_FOUND
        && local_err.code != SQ_ERR_EXHAUSTED) {
        return sq_fail_with(err, &local_err);
    }
    sq_screen_picture_note(shot, "Not saved as a file:");
    sq_screen_picture_note(shot, local_err.message);
    return true;
}

static bool
deliver_inline(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_block *block;
    if (!add_block(shot, SQ_BLOCK_IMAGE, SQ_MAX_IMAGE_BYTES, &block, err)) {
        return false;
    }
    block->data = shot->picture;
    shot->picture = (struct sq_buf){ 0 };
    return !shot->opts.keep_file || deliver_copy(shot, err);
}

bool
sq_screen_picture_deliver(struct sq_screen_picture *shot, struct sq_err *err) {
    static bool (*const ways[])(struct sq_screen_picture *, struct sq_err *) = {
        [SQ_SCREEN_PICTURE_INLINE] = deliver_inline,
        [SQ_SCREEN_PICTURE_FILE] = deliver_file,
        [SQ_SCREEN_PICTURE_LINK] = deliver_link,
    };
    bool is_sent = shot->way != SQ_SCREEN_PICTURE_NOWHERE;
    shot->tokens = is_sent ? shot->tokens : 0;
    bool ok = !is_sent || ways[shot->way](shot, err);
    sq_buf_finish(&shot->picture);
    sq_buf_finish(&shot->copy);
    return ok;
}

void
sq_screen_picture_put_displays(const struct sq_screen_picture *shot,
                               struct sq_json_writer *w) {
    const struct sq_displays *displays = &shot->capture.displays;
    if (displays->count < 2) {
        return;
    }
    sq_json_begin_array_of(w, "displays");
    for (int i = 0; i < displays->count; i++) {
        sq_json_begin_object(w);
        sq_put_text(w, "id", displays->entries[i].id);
        sq_put_untrusted(w, "name", sq_span_of(displays->entries[i].name));
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

static void
put_region(const struct sq_screen_picture *shot, struct sq_json_writer *w) {
    const struct sq_img_rect *region = &shot->opts.region;
    const struct sq_dev_rect *crop = &shot->frame.view.crop;
    sq_json_begin_object_of(w, "region");
    sq_put_edges(w, region->left, region->top, region->right, region->bottom);
    if (shot->region_of[0]) {
        sq_put_text(w, "screenshotId", shot->region_of);
    }
    sq_json_end_object(w);
    sq_json_begin_object_of(w, "deviceRegion");
    sq_put_edges(w, crop->left, crop->top, crop->right, crop->bottom);
    sq_json_end_object(w);
}

void
sq_screen_picture_put(const struct sq_screen_picture *shot,
                      struct sq_json_writer *w) {
    static const char *const modes[] = {
        [SQ_SCREEN_PICTURE_NOWHERE] = "none",
        [SQ_SCREEN_PICTURE_INLINE] = "inline",
        [SQ_SCREEN_PICTURE_FILE] = "file",
        [SQ_SCREEN_PICTURE_LINK] = "link",
    };
    sq_put_text(w, "mode", modes[shot->way]);
    if (shot->way == SQ_SCREEN_PICTURE_NOWHERE) {
        sq_put_bool(w, "blank", true);
        sq_put_size(w, "device", shot->frame.view.device);
        sq_put_int(w, "tokens", 0);
        sq_put_text(w, "note", shot->note);
        return;
    }
    sq_put_text(w, "screenshotId", shot->frame.id);
    if (shot->has_saved) {
        sq_put_text(w, "path", shot->saved.path);
    }
    sq_put_size(w, "device", shot->frame.view.device);
    sq_put_size(w, "image", shot->info.image);
    if (shot->frame.is_region) {
        put_region(shot, w);
    }
    sq_put_double(w, "scaleFactor", shot->scale_factor);
    sq_put_text(w, "mimeType", sq_format_mime(shot->info.format));
    sq_put_int(w, "sizeBytes", (int64_t)shot->info.bytes);
    sq_put_int(w, "tokens", shot->tokens);
    sq_put_redacted(w, shot->redacted);
    const bool is_raw = shot->opts.raw && shot->info.scale_factor <= 1;
    if (shot->capture.other_shape || is_raw) {
        sq_put_text(w, "warning",
                    !is_raw                     ? SHAPE_WARNING
                    : shot->capture.other_shape ? SHAPE_WARNING
                        " " SQ_RAW_WARNING
                                                : SQ_RAW_WARNING);
    }
    if (shot->note[0]) {
        sq_put_text(w, "note", shot->note);
    }
}

void
sq_screen_picture_commit(struct sq_screen_picture *shot) {
    struct sq_call *call = shot->call;
    if (shot->has_saved) {
        snprintf(call->result->saved_path, sizeof(call->result->saved_path),
                 "%s", shot->saved.path);
        sq_output_file_keep(&shot->saved);
        shot->has_saved = false;
    }
    if (shot->way == SQ_SCREEN_PICTURE_NOWHERE) {
        return;
    }
    if (shot->frame.id[0]) {
        sq_session_add_frame(call->session, &shot->frame);
        shot->held.redacted = shot->redacted;
        sq_session_store_frame(call->session, shot->frame.id, &shot->held);
    }
    if (!shot->frame.is_region) {
        sq_session_set_shown(call->session, sq_span_of(shot->frame.id),
                             shot->info.image, (struct sq_region){ 0 });
    }
    if (shot->way == SQ_SCREEN_PICTURE_INLINE) {
        const struct sq_ledger cost = {
            .images = 1,
            .image_tokens = shot->tokens,
            .image_bytes = (long)shot->info.bytes,
        };
        sq_session_charge(call->session, &cost);
    }
}

void
sq_screen_picture_finish(struct sq_screen_picture *shot) {
    if (shot->has_saved) {
        sq_output_file_remove(&shot->saved);
        shot->has_saved = false;
    }
    sq_capture_finish(&shot->capture);
    sq_stored_frame_finish(&shot->held);
    sq_buf_finish(&shot->picture);
    sq_buf_finish(&shot->copy);
    sq_buf_finish(&shot->decorated);
}
