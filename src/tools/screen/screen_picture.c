/* Captures the screen and encodes it within the limits of a reply. */
#include "tools/screen/screen_picture.h"

#include <stdio.h>
#include <string.h>

#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "tool/work.h"
#include "tools/reply.h"
#include "tools/screen/late_change.h"
#include "tools/screen/redacted_capture.h"
#include "tools/screen/screen_picture_private.h"
#include "tools/screen/watch.h"
#include "util/base64.h"

/*
 * Pictures are not scaled below this; if still too large, a link is returned.
 */
#define MIN_SHRUNK_SIDE 256
/*
 * A picture of one colour needs far less than one byte per this many pixels
 * (and a few bytes of header); only such pictures are checked for being blank.
 */
#define BLANK_PIXELS_PER_BYTE 40
#define BLANK_BASE_BYTES 2048
#define MIN_BLANK_PIXELS 256

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

/* Returns the bytes to encode: the capture, or the decorated picture. */
static const struct sq_buf *
source_of(const struct sq_screen_picture *shot) {
    return shot->decorated.len ? &shot->decorated : &shot->capture.bytes;
}

/* Encodes the picture; replaces the bytes of the previous attempt. */
static bool
encode(struct sq_screen_picture *shot, const struct sq_picture_opts *how,
       struct sq_err *err) {
    const struct sq_buf *source = source_of(shot);
    sq_buf_clear(&shot->picture);
    return sq_picture_make(source->data, source->len, how, &sq_limits_default,
                           &shot->picture, &shot->info, err)
        || sq_screen_picture_fail_broken(err);
}

/*
 * Draws the decoration on the scaled picture, which is then encoded instead of
 * the capture: *how changes accordingly.
 */
static bool
decorate(const struct sq_decoration *decoration, struct sq_screen_picture *shot,
         struct sq_picture_opts *how, struct sq_err *err) {
    struct sq_picture_opts plain = *how;
    struct sq_picture_info info;
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    plain.format = SQ_FORMAT_PNG;
    SQ_BUF(scaled, SQ_MAX_IMAGE_BYTES);
    bool ok =
        (sq_picture_make(shot->capture.bytes.data, shot->capture.bytes.len,
                         &plain, &sq_limits_default, &scaled, &info, err)
         || sq_screen_picture_fail_broken(err))
        && sq_image_decode(scaled.data, scaled.len, &sq_limits_default, &image,
                           err);
    if (ok) {
        struct sq_view view = shot->frame.view;
        if (!shot->frame.is_region) {
            view = sq_view_make(shot->capture.screen.size, info.image);
        }
        view.image = info.image;
        ok = decoration->draw(decoration->context, &image, &view, err)
          && sq_rows_from_image(&image, &rows, err)
          && sq_png_encode(rows, &shot->decorated, err);
    }
    how->region = NULL;
    how->profile = NULL;
    how->max_dimension = ok ? sq_size_long_side(info.image) : 0;
    sq_rows_destroy(rows);
    return ok;
}

static size_t
max_inline_bytes(const struct sq_call *call) {
    return sq_reply_picture_bytes(
        (size_t)call->config->limits.max_result_bytes);
}

/* Reduces the quality, then the size; *fits is false if neither is enough. */
static bool
reduce(struct sq_screen_picture *shot, struct sq_picture_opts how, size_t most,
       bool may_shrink, bool *fits, struct sq_err *err) {
    static const int qualities[] = { 60, 45, 30 };
    how.profile = NULL;
    how.max_dimension = sq_size_long_side(shot->info.image);
    if (shot->info.format == SQ_FORMAT_PNG) {
        how.format = SQ_FORMAT_JPEG;
    }
    size_t tries = sizeof(qualities) / sizeof(qualities[0]);
    for (size_t i = 0; i < tries && shot->picture.len > most; i++) {
        how.quality = qualities[i];
        if (!encode(shot, &how, err)) {
            return false;
        }
    }
    while (may_shrink && shot->picture.len > most
           && how.max_dimension > MIN_SHRUNK_SIDE) {
        how.max_dimension = how.max_dimension * 3 / 4;
        if (!encode(shot, &how, err)) {
            return false;
        }
    }
    *fits = shot->picture.len <= most;
    return true;
}

/* Limits the longest side. Hosts limit pictures in replies, not in files. */
static bool
keep_under_side(struct sq_screen_picture *shot, struct sq_picture_opts *how,
                const struct sq_screen_picture_opts *opts, struct sq_err *err) {
    if (opts->to_file || sq_screen_picture_is_native(opts)
        || sq_size_long_side(shot->info.image) <= SQ_REPLY_MAX_SIDE) {
        return true;
    }
    how->profile = NULL;
    how->max_dimension = SQ_REPLY_MAX_SIDE;
    add_note(shot, "Limited to 2000 pixels a side, the most that hosts accept; "
                   "raw or size full lift this.");
    return encode(shot, how, err);
}

static bool
is_scaled(const struct sq_screen_picture *shot) {
    return shot->capture.scaled.hash != 0;
}

/* Fails if only a scaled picture was fetched and that is not enough. */
static bool
fail_scaled(struct sq_screen_picture *shot, struct sq_err *err) {
    shot->needs_frame = true;
    return sq_fail(err, SQ_ERR_UNSUPPORTED, "the whole frame is needed");
}

/* Makes *how fit a picture that the device has cropped and scaled already. */
static bool
use_scaled(struct sq_screen_picture *shot, struct sq_picture_opts *how,
           struct sq_err *err) {
    struct sq_scaling wanted = { .frame = shot->capture.scaled.frame,
                                 .kernel = how->kernel };
    struct sq_size got;
    if (!sq_picture_plan(how, wanted.frame, &wanted.part, &wanted.size, err)
        || !sq_codec_size(shot->capture.bytes.data, shot->capture.bytes.len,
                          &got, err)) {
        return false;
    }
    if (memcmp(&wanted, &shot->chosen, sizeof(wanted)) != 0
        || !sq_size_equal(got, wanted.size)) {
        return fail_scaled(shot, err); /* not chosen for this screen */
    }
    how->region = NULL;
    how->profile = NULL;
    how->max_dimension = 0;
    return true;
}

static bool
keep_under_bytes(struct sq_call *call, struct sq_screen_picture *shot,
                 const struct sq_picture_opts *how,
                 const struct sq_screen_picture_opts *opts,
                 struct sq_err *err) {
    size_t most = max_inline_bytes(call);
    if (opts->to_file || shot->picture.len <= most) {
        return true;
    }
    if (is_scaled(shot)) {
        return fail_scaled(shot, err);
    }
    bool fits;
    bool was_png = shot->info.format == SQ_FORMAT_PNG;
    bool no_files = call->config->tools.read_only;
    if (!reduce(shot, *how, most,
                no_files || !sq_screen_picture_is_native(opts), &fits, err)) {
        return false;
    }
    if (fits) {
        if (was_png) {
            add_note(shot, "PNG would be too large for a reply: sent as JPEG.");
        }
        add_note(shot, "Reduced to stay below the reply limit.");
        return true;
    }
    if (no_files) {
        sq_fail(err, SQ_ERR_LIMIT,
                "the picture is too large for a reply, and "
                "with --read-only no file is written");
        return sq_fail_hint(
            err, "Ask for a smaller one: $maxDimension or $budgetTokens.");
    }
    shot->way = SQ_SCREEN_PICTURE_LINK;
    add_note(shot, "Too large for a reply even at lower quality: saved as a "
                   "file instead.");
    return encode(shot, how, err);
}

static bool
make_picture(struct sq_call *call, const struct sq_screen_picture_opts *opts,
             struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_picture_opts how = sq_screen_picture_how(call, opts);
    if (opts->has_region
        && !sq_screen_picture_choose_region(call, opts, shot, &how, err)) {
        return false;
    }
    if (is_scaled(shot) && !use_scaled(shot, &how, err)) {
        return false;
    }
    if (sq_screen_picture_is_legible(call, opts)
        && !sq_screen_picture_choose_legible(call, opts, shot, &how, err)) {
        return false;
    }
    if (opts->decoration && !decorate(opts->decoration, shot, &how, err)) {
        return false;
    }
    if ((!shot->drawn_early && !encode(shot, &how, err))
        || !keep_under_side(shot, &how, opts, err)
        || !keep_under_bytes(call, shot, &how, opts, err)) {
        return false;
    }
    if (!opts->keep_file) {
        return true;
    }
    struct sq_picture_info info;
    const struct sq_picture_opts same = {
        .format = SQ_FORMAT_PNG,
        .max_dimension = sq_size_long_side(shot->info.image),
        .region = how.region,
    };
    const struct sq_buf *source = source_of(shot);
    return sq_picture_make(source->data, source->len, &same, &sq_limits_default,
                           &shot->copy, &info, err);
}

static void
note_blank(struct sq_screen_picture *shot, bool is_black, bool is_region) {
    shot->capture.passwords_unknown = false; /* it shows none */
    if (is_region) {
        add_note(shot, shot->redacted
                           ? "This part of the screen has a single colour: "
                             "rules of redaction may hide what is there."
                           : "This part of the screen has a single colour.");
    } else if (shot->redacted) {
        add_note(shot, "Rules of redaction hide what the picture shows.");
    } else if (is_black) {
        shot->way = SQ_SCREEN_PICTURE_NOWHERE;
        add_note(shot, "The picture is all black and was not sent: the "
                       "display may be off, or the app protects its "
                       "content. Its elements may still be readable.");
    } else {
        add_note(shot, "The picture has a single colour: the app may "
                       "still be loading.");
    }
}

/* Detects black pictures, which cost tokens and show nothing, to omit them. */
static bool
check_blank(struct sq_screen_picture *shot, bool is_region,
            struct sq_err *err) {
    struct sq_size size = shot->info.image;
    size_t pixels = (size_t)size.width * (size_t)size.height;
    if (pixels < MIN_BLANK_PIXELS) {
        return true; /* so small a picture may be of one colour by scaling */
    }
    if (shot->picture.len > BLANK_BASE_BYTES + pixels / BLANK_PIXELS_PER_BYTE) {
        return true;
    }
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    if (!sq_image_decode(shot->picture.data, shot->picture.len,
                         &sq_limits_default, &image, err)) {
        return false;
    }
    struct sq_flatness flat;
    if (sq_image_blank(&image, &flat)) {
        note_blank(shot, flat.black, is_region);
    }
    return true;
}

static void
describe(const struct sq_call *call, const struct sq_screen_picture_opts *opts,
         struct sq_screen_picture *shot) {
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
        opts->grid && sq_size_equal(shot->info.image, shot->info.source);
    if (opts->grid && !frame->has_grid) {
        add_note(shot, "Its cells cannot be tapped: the picture was reduced "
                       "after the grid was drawn. Ask for a smaller one.");
    }
    memcpy(frame->app, shot->capture.screen.app, sizeof(frame->app));
    snprintf(frame->device_id, sizeof(frame->device_id), "%s",
             call->device->info.id);
    struct sq_size shown = sq_view_crop_size(&frame->view);
    shot->scale_factor =
        (double)sq_size_long_side(shown) / sq_size_long_side(shot->info.image);
    shot->tokens =
        sq_token_cost(sq_reply_profile(call), shot->info.image).tokens;
    if (frame->is_region && shot->way == SQ_SCREEN_PICTURE_INLINE
        && shot->tokens > shot->screen_tokens) {
        char text[80];
        snprintf(text, sizeof(text),
                 "Costs %d tokens; the whole screen would cost %d.",
                 shot->tokens, shot->screen_tokens);
        add_note(shot, text);
    }
    shot->is_raw = opts->raw && shot->info.scale_factor <= 1;
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

/*
 * Captures the screen; if that is slow, encodes the picture at the same time.
 */
static bool
capture(struct sq_call *call, const struct sq_screen_picture_opts *opts,
        bool may_scale, struct sq_screen_picture *shot, struct sq_err *err) {
    struct sketch sketch = { shot, sq_screen_picture_how(call, opts) };
    const struct sq_capture_observer observer = { draw_early, &sketch };
    struct sq_screen_picture_choice choice = { call, opts, shot };
    /* The size of a legible picture is known only with all of the frame. */
    const bool is_early = !opts->has_region && !opts->decoration
                       && !sq_screen_picture_is_legible(call, opts);
    const struct sq_scaling_chooser chooser = { sq_screen_picture_choose,
                                                &choice };
    const struct sq_capture_request request = {
        .display = opts->display,
        .picture_only = opts->picture_only,
        .max_side = is_early ? sketch.how.max_dimension : 0,
        .chooser = may_scale && !sq_screen_picture_is_legible(call, opts)
                        && sq_redacted_may_observe(call->redactor)
                     ? &chooser
                     : NULL,
        /* The position of a region depends on the screen's rotation. */
        .observer = is_early && sq_redacted_may_observe(call->redactor)
                      ? &observer
                      : NULL,
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
    if (shot->redacted || is_scaled(shot)) {
        shot->drawn_early = false;
        shot->held_early = false;
        sq_stored_frame_finish(&shot->held);
        sq_buf_clear(&shot->picture);
    }
    return check_capture(&shot->capture, err);
}

/* Takes over a capture whose pixels were read. */
static bool
take_seen(struct sq_screen_text *seen, struct sq_screen_picture *shot,
          struct sq_err *err) {
    sq_capture_finish(&shot->capture);
    shot->capture = seen->captured;
    shot->redacted = seen->redacted;
    seen->captured = (struct sq_capture){ 0 };
    return check_capture(&shot->capture, err);
}

/*
 * Reports what was seen. If parts are hidden, the capture was reported before
 * that.
 */
static void
report_seen(const struct sq_call *call, const struct sq_screen_picture *shot) {
    if (!shot->capture.other_display && !shot->redacted) {
        sq_device_saw(call->device,
                      is_scaled(shot) ? shot->capture.scaled.hash
                      : shot->held.hash
                          ? shot->held.hash
                          : sq_capture_hash(&shot->capture.bytes));
    }
}

/* Makes the copy for later crops, or remembers where the frame is. */
static bool
hold_frame(const struct sq_call *call, struct sq_screen_picture *shot,
           struct sq_err *err) {
    const struct sq_scaled *scaled = &shot->capture.scaled;
    struct sq_frame_place *place = &shot->held.place;
    if (!is_scaled(shot)) {
        return sq_stored_frame_make(&shot->capture.bytes, &shot->held, err);
    }
    snprintf(place->device_id, sizeof(place->device_id), "%s",
             call->device->info.id);
    place->size = scaled->frame;
    place->hash = shot->held.hash = scaled->hash;
    return true;
}

/* Does all CPU-intensive work; nothing here waits for a device. */
static bool
work_on_picture(struct sq_call *call, const struct sq_screen_picture_opts *opts,
                struct sq_screen_picture *shot, struct sq_err *err) {
    if (!sq_work_begin(call->work, true, &call->deadline, err)) {
        return false;
    }
    bool ok = make_picture(call, opts, shot, err)
           && check_blank(shot, opts->has_region, err);
    if (ok) {
        describe(call, opts, shot);
        if (!shot->frame.is_region && !shot->frame.other_display) {
            sq_late_change_report(call, &shot->frame);
        }
        ok = shot->frame.is_region || shot->way == SQ_SCREEN_PICTURE_NOWHERE
          || shot->held_early || hold_frame(call, shot, err);
    }
    sq_work_end(call->work);
    return ok;
}

/* Returns the bytes of the capture, also of one that was scaled. */
static size_t
captured_bytes(const struct sq_screen_picture *shot) {
    struct sq_size frame = shot->capture.scaled.frame;
    return is_scaled(shot)
             ? SQ_RAW_HEADER_BYTES
                   + (size_t)frame.width * (size_t)frame.height * SQ_PIXEL_BYTES
             : shot->capture.bytes.len;
}

static bool
make(struct sq_call *call, const struct sq_screen_picture_opts *opts,
     bool may_scale, struct sq_screen_picture *shot, struct sq_err *err) {
    sq_buf_init(&shot->capture.bytes, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&shot->picture, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&shot->copy, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&shot->decorated, SQ_MAX_IMAGE_BYTES);
    shot->way =
        opts->to_file ? SQ_SCREEN_PICTURE_FILE : SQ_SCREEN_PICTURE_INLINE;
    bool is_seen = opts->seen && opts->seen->captured.bytes.len > 0;
    bool is_captured = is_seen ? take_seen(opts->seen, shot, err)
                               : capture(call, opts, may_scale, shot, err);
    if (!is_captured || !work_on_picture(call, opts, shot, err)) {
        return false;
    }
    if (shot->capture.passwords_unknown) {
        add_note(shot, "Password fields could not be looked for: the picture "
                       "may show one.");
    }
    shot->captured_bytes = captured_bytes(shot);
    report_seen(call, shot);
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

void
sq_screen_picture_commit(struct sq_call *call, struct sq_screen_picture *shot) {
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
