/* Chooses the part and size of a picture, and encodes it within the limits. */
#include <stdio.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "tools/reply.h"
#include "tools/screen/legible.h"
#include "tools/screen/screen_picture_private.h"
#include "util/minmax.h"

/* Below this, pictures are not scaled: if still too large, a link is sent. */
#define MIN_SHRUNK_SIDE 256
/* How much larger than in its picture a region is, in short replies. */
#define REGION_PERCENT 160

static const int preset_sides[SQ_SCREEN_PICTURE_SIZES] = {
    [SQ_SCREEN_PICTURE_HALF] = 512,
    [SQ_SCREEN_PICTURE_QUARTER] = 256,
    [SQ_SCREEN_PICTURE_THUMB] = 128,
};

void
sq_screen_picture_note(struct sq_screen_picture *shot, const char *text) {
    size_t used = strlen(shot->note);
    snprintf(shot->note + used, sizeof(shot->note) - used, "%s%s",
             used ? " " : "", text);
}

/* Returns whether the pixels of the screen are wanted, not scaled. */
static bool
is_native(const struct sq_screen_picture *shot) {
    return shot->opts.raw || shot->opts.size == SQ_SCREEN_PICTURE_FULL;
}

bool
sq_screen_picture_is_scaled(const struct sq_screen_picture *shot) {
    return shot->capture.scaled.hash != 0;
}

bool
sq_screen_picture_is_legible(const struct sq_screen_picture *shot) {
    const struct sq_screen_picture_opts *opts = &shot->opts;
    if (opts->has_region || is_native(shot)) {
        return false;
    }
    /* Pictures of phones are scaled there, or while they arrive, and their type
       is large. */
    return opts->max_dimension == SQ_ARG_OTHER
        || (shot->call->config->ui.max_image_dimension == SQ_ARG_OTHER
            && shot->call->device->ops->has_mouse
            && opts->size == SQ_SCREEN_PICTURE_DEFAULT && !opts->budget_tokens
            && !opts->max_dimension);
}

struct sq_picture_opts
sq_screen_picture_how(const struct sq_screen_picture *shot) {
    const struct sq_screen_picture_opts *opts = &shot->opts;
    const struct sq_config *config = shot->call->config;
    struct sq_picture_opts how = {
        .format = opts->format,
        .quality = opts->quality,
    };
    if (opts->budget_tokens) {
        how.profile = sq_reply_profile(shot->call);
        how.budget_tokens = opts->budget_tokens;
    } else if (!is_native(shot)) {
        how.max_dimension = opts->max_dimension > 0 ? opts->max_dimension
                          : opts->size == SQ_SCREEN_PICTURE_DEFAULT
                              ? sq_reply_max_dimension(config)
                              : sq_reply_side(config, preset_sides[opts->size]);
    }
    return how;
}

/* Explains an error of decoding. Returns false. */
static bool
fail_broken(struct sq_err *err) {
    if (err
        && (err->code == SQ_ERR_FORMAT || err->code == SQ_ERR_TRUNCATED
            || err->code == SQ_ERR_UNSUPPORTED)) {
        err->code = SQ_ERR_SCREENSHOT_FAILED;
        sq_fail_in(err, "the device returned an invalid picture");
        sq_fail_hint(err, "Try again; make sure the screen is on and "
                          "unlocked.");
    }
    return false;
}

/* Replaces the size in *how by the one at which small text is legible. */
static bool
choose_legible(const struct sq_screen_picture *shot,
               struct sq_picture_opts *how, struct sq_err *err) {
    const struct sq_buf *bytes = &shot->capture.bytes;
    const struct sq_legible_limits limits = {
        .profile = sq_reply_profile(shot->call),
        .budget_tokens = shot->opts.budget_tokens,
        .default_side = sq_reply_max_dimension(shot->call->config),
    };
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    how->profile = NULL;
    return (sq_picture_decode(bytes->data, bytes->len, SQ_MAX_SIDE,
                              &sq_limits_default, &image, err)
            || fail_broken(err))
        && sq_legible_side(&image, &limits, &how->max_dimension, err);
}

/* The region of a call, in all ways in which it is needed. */
struct part {
    struct sq_frame base; /* the picture in whose pixels it is given */
    struct sq_view view;
    struct sq_region region; /* in pixels of the captured picture */
};

/* Returns the view that a region refers to, if it is valid for this screen. */
static bool
choose_base(const struct sq_screen_picture *shot,
            const struct sq_screen *screen, struct sq_frame *out,
            struct sq_err *err) {
    const struct sq_frame *given = shot->opts.region_of;
    if (!given) {
        return sq_region_frame(shot->call, shot->opts.region_id, screen, out,
                               err);
    }
    if (given->rotation != screen->rotation
        || !sq_size_equal(given->view.device, screen->size)) {
        return sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                       "the screen has turned or changed its size meanwhile");
    }
    *out = *given;
    return true;
}

static int
to_source(int at, int device, int source) {
    return (int)((int64_t)at * source / device);
}

/* Converts the region of the call for a picture of this screen and size. */
static bool
find_part(const struct sq_screen_picture *shot, const struct sq_screen *screen,
          struct sq_size source, struct part *out, struct sq_err *err) {
    if (!choose_base(shot, screen, &out->base, err)
        || !sq_view_make_region(&out->base.view, shot->opts.region,
                                SQ_REPLY_MAX_SIDE, &out->view, err)) {
        return false;
    }
    const struct sq_size device = out->view.device;
    const struct sq_dev_rect crop = out->view.crop;
    int left = to_source(crop.left, device.width, source.width);
    int top = to_source(crop.top, device.height, source.height);
    int right = to_source(crop.right, device.width, source.width);
    int bottom = to_source(crop.bottom, device.height, source.height);
    out->region = (struct sq_region){ left, top, sq_max_int(right - left, 1),
                                      sq_max_int(bottom - top, 1) };
    return true;
}

/* Returns the cost of the whole screen, in the default size. */
static int
screen_tokens(const struct sq_call *call, struct sq_size source) {
    const int side = sq_reply_max_dimension(call->config);
    return sq_token_cost(sq_reply_profile(call), sq_scaled_size(source, side))
        .tokens;
}

/*
 * Limits a region whose size is not given to the cost of the whole screen, in
 * short replies also to what makes it legible.
 */
static void
limit_region(const struct sq_screen_picture *shot, const struct part *part,
             struct sq_size source, struct sq_picture_opts *how) {
    const struct sq_screen_picture_opts *opts = &shot->opts;
    const struct sq_token_profile *profile = sq_reply_profile(shot->call);
    const struct sq_size shown = { part->region.width, part->region.height };
    const struct sq_rect region = sq_img_edges(opts->region);
    if (opts->size != SQ_SCREEN_PICTURE_DEFAULT || opts->budget_tokens
        || opts->max_dimension || opts->raw || opts->to_file) {
        return;
    }
    int side = sq_min_int(how->max_dimension, sq_size_long_side(shown));
    if (shot->call->is_short) {
        const int longest =
            sq_max_int(sq_rect_width(region), sq_rect_height(region));
        side = sq_min_int(side, longest * REGION_PERCENT / 100);
    }
    const int most = screen_tokens(shot->call, source);
    while (side > 1
           && sq_token_cost(profile, sq_scaled_size(shown, side)).tokens
                  > most) {
        side--;
    }
    how->max_dimension = side;
}

/* Converts the region to one of the captured picture, and limits its size. */
static bool
choose_region(struct sq_screen_picture *shot, struct sq_picture_opts *how,
              struct sq_err *err) {
    const struct sq_buf *bytes = &shot->capture.bytes;
    struct sq_size source = shot->capture.scaled.frame;
    struct part part;
    /* In pixels: iOS screens use other units. */
    if ((!sq_screen_picture_is_scaled(shot)
         && !sq_codec_size(bytes->data, bytes->len, &source, err)
         && !fail_broken(err))
        || !find_part(shot, &shot->capture.screen, source, &part, err)) {
        return false;
    }
    shot->part = part.region;
    how->region = &shot->part;
    limit_region(shot, &part, source, how);
    shot->screen_tokens = screen_tokens(shot->call, source);
    shot->frame.view = part.view;
    shot->frame.is_region = true;
    memcpy(shot->region_of, part.base.id, sizeof(shot->region_of));
    return true;
}

bool
sq_screen_picture_choose(void *context, const struct sq_screen *screen,
                         struct sq_size frame, struct sq_scaling *out) {
    struct sq_screen_picture *shot = context;
    struct sq_picture_opts how = sq_screen_picture_how(shot);
    struct sq_scaling *chosen = &shot->chosen;
    struct part part;
    memset(chosen, 0, sizeof(*chosen));
    if (shot->opts.has_region) {
        if (!find_part(shot, screen, frame, &part, NULL)) {
            return false;
        }
        how.region = &part.region;
        limit_region(shot, &part, frame, &how);
    }
    chosen->frame = frame;
    chosen->kernel = how.kernel;
    if (!sq_picture_plan(&how, frame, &chosen->part, &chosen->size, NULL)
        || sq_size_long_side(chosen->size) > SQ_REPLY_MAX_SIDE) {
        return false;
    }
    *out = *chosen;
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
        || fail_broken(err);
}

/*
 * Draws the decoration on the scaled picture, which is then encoded instead of
 * the capture: *how changes accordingly.
 */
static bool
decorate(struct sq_screen_picture *shot, struct sq_picture_opts *how,
         struct sq_err *err) {
    const struct sq_decoration *decoration = shot->opts.decoration;
    struct sq_picture_opts plain = *how;
    struct sq_picture_info info;
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    plain.format = SQ_FORMAT_PNG;
    SQ_BUF(scaled, SQ_MAX_IMAGE_BYTES);
    bool ok =
        (sq_picture_make(shot->capture.bytes.data, shot->capture.bytes.len,
                         &plain, &sq_limits_default, &scaled, &info, err)
         || fail_broken(err))
        && sq_image_decode(scaled.data, scaled.len, &sq_limits_default, &image,
                           err);
    if (ok) {
        struct sq_view view =
            shot->frame.is_region
                ? shot->frame.view
                : sq_view_make(shot->capture.screen.size, info.image);
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

/* Reduces the quality, then the size; *fits is false if neither is enough. */
static bool
reduce(struct sq_screen_picture *shot, struct sq_picture_opts how, size_t most,
       bool may_shrink, bool *fits, struct sq_err *err) {
    static const int qualities[] = { 60, 45, 30 };
    bool ok = true;
    how.profile = NULL;
    how.max_dimension = sq_size_long_side(shot->info.image);
    if (shot->info.format == SQ_FORMAT_PNG) {
        how.format = SQ_FORMAT_JPEG;
    }
    for (size_t i = 0;
         ok && i < SQ_COUNT(qualities) && shot->picture.len > most; i++) {
        how.quality = qualities[i];
        ok = encode(shot, &how, err);
    }
    while (ok && may_shrink && shot->picture.len > most
           && how.max_dimension > MIN_SHRUNK_SIDE) {
        how.max_dimension = how.max_dimension * 3 / 4;
        ok = encode(shot, &how, err);
    }
    *fits = shot->picture.len <= most;
    return ok;
}

/* Limits the longest side. Hosts limit pictures in replies, not in files. */
static bool
keep_under_side(struct sq_screen_picture *shot, struct sq_picture_opts *how,
                struct sq_err *err) {
    if (shot->opts.to_file || is_native(shot)
        || sq_size_long_side(shot->info.image) <= SQ_REPLY_MAX_SIDE) {
        return true;
    }
    how->profile = NULL;
    how->max_dimension = SQ_REPLY_MAX_SIDE;
    sq_screen_picture_note(
        shot, "Limited to 2000 pixels a side, the most that hosts accept; "
              "raw or size full lift this.");
    return encode(shot, how, err);
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
keep_under_bytes(struct sq_screen_picture *shot,
                 const struct sq_picture_opts *how, struct sq_err *err) {
    const struct sq_config *config = shot->call->config;
    const size_t most =
        sq_reply_picture_bytes((size_t)config->limits.max_result_bytes);
    if (shot->opts.to_file || shot->picture.len <= most) {
        return true;
    }
    if (sq_screen_picture_is_scaled(shot)) {
        return fail_scaled(shot, err);
    }
    bool fits;
    bool was_png = shot->info.format == SQ_FORMAT_PNG;
    bool no_files = config->tools.read_only;
    if (!reduce(shot, *how, most, no_files || !is_native(shot), &fits, err)) {
        return false;
    }
    if (fits) {
        sq_screen_picture_note(
            shot, was_png ? "PNG would be too large for a reply: sent as JPEG. "
                            "Reduced to stay below the reply limit."
                          : "Reduced to stay below the reply limit.");
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
    sq_screen_picture_note(shot, "Too large for a reply even at lower quality: "
                                 "saved as a file instead.");
    return encode(shot, how, err);
}

bool
sq_screen_picture_encode(struct sq_screen_picture *shot, struct sq_err *err) {
    struct sq_picture_opts how = sq_screen_picture_how(shot);
    if ((shot->opts.has_region && !choose_region(shot, &how, err))
        || (sq_screen_picture_is_scaled(shot) && !use_scaled(shot, &how, err))
        || (sq_screen_picture_is_legible(shot)
            && !choose_legible(shot, &how, err))
        || (shot->opts.decoration && !decorate(shot, &how, err))
        || (!shot->drawn_early && !encode(shot, &how, err))
        || !keep_under_side(shot, &how, err)
        || !keep_under_bytes(shot, &how, err)) {
        return false;
    }
    struct sq_picture_info info;
    const struct sq_picture_opts same = {
        .format = SQ_FORMAT_PNG,
        .max_dimension = sq_size_long_side(shot->info.image),
        .region = how.region,
    };
    const struct sq_buf *source = source_of(shot);
    return !shot->opts.keep_file
        || sq_picture_make(source->data, source->len, &same, &sq_limits_default,
                           &shot->copy, &info, err);
}
