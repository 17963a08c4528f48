/* Chooses the part of the screen that a picture shows, and its size. */
#include <string.h>

#include "image/pipeline/codec.h"
#include "tools/reply.h"
#include "tools/screen/legible.h"
#include "tools/screen/screen_picture_private.h"
#include "util/minmax.h"

static const int preset_sides[SQ_SCREEN_PICTURE_SIZES] = {
    [SQ_SCREEN_PICTURE_HALF] = 512,
    [SQ_SCREEN_PICTURE_QUARTER] = 256,
    [SQ_SCREEN_PICTURE_THUMB] = 128,
};

bool
sq_screen_picture_is_native(const struct sq_screen_picture_opts *opts) {
    return opts->raw || opts->size == SQ_SCREEN_PICTURE_FULL;
}

bool
sq_screen_picture_is_legible(const struct sq_call *call,
                             const struct sq_screen_picture_opts *opts) {
    if (opts->has_region || sq_screen_picture_is_native(opts)) {
        return false;
    }
    /* Pictures of phones are scaled there, or while they arrive, and their type
       is large. */
    return opts->max_dimension == SQ_ARG_OTHER
        || (call->config->ui.max_image_dimension == SQ_ARG_OTHER
            && call->device->ops->has_mouse
            && opts->size == SQ_SCREEN_PICTURE_DEFAULT && !opts->budget_tokens
            && !opts->max_dimension);
}

bool
sq_screen_picture_choose_legible(const struct sq_call *call,
                                 const struct sq_screen_picture_opts *opts,
                                 const struct sq_screen_picture *shot,
                                 struct sq_picture_opts *how,
                                 struct sq_err *err) {
    const struct sq_legible_limits limits = {
        .profile = sq_reply_profile(call),
        .budget_tokens = opts->budget_tokens,
        .default_side = sq_reply_max_dimension(call->config),
    };
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
    how->profile = NULL;
    return (sq_picture_decode(shot->capture.bytes.data, shot->capture.bytes.len,
                              SQ_MAX_SIDE, &sq_limits_default, &image, err)
            || sq_screen_picture_fail_broken(err))
        && sq_legible_side(&image, &limits, &how->max_dimension, err);
}

struct sq_picture_opts
sq_screen_picture_how(const struct sq_call *call,
                      const struct sq_screen_picture_opts *opts) {
    struct sq_picture_opts how = {
        .format = opts->format,
        .quality = opts->quality,
    };
    if (opts->budget_tokens) {
        how.profile = sq_reply_profile(call);
        how.budget_tokens = opts->budget_tokens;
    } else if (opts->max_dimension > 0) {
        how.max_dimension = opts->max_dimension;
    } else if (opts->size == SQ_SCREEN_PICTURE_DEFAULT) {
        how.max_dimension = sq_reply_max_dimension(call->config);
    } else {
        how.max_dimension =
            sq_reply_side(call->config, preset_sides[opts->size]);
    }
    if (sq_screen_picture_is_native(opts)) {
        how.max_dimension = 0;
    }
    return how;
}

bool
sq_screen_picture_fail_broken(struct sq_err *err) {
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

/*
 * Returns the size of the captured picture in pixels; iOS screens use other
 * units.
 */
static bool
source_size(const struct sq_screen_picture *shot, struct sq_size *out,
            struct sq_err *err) {
    *out = shot->capture.scaled.frame;
    return shot->capture.scaled.hash != 0
        || sq_codec_size(shot->capture.bytes.data, shot->capture.bytes.len, out,
                         err)
        || sq_screen_picture_fail_broken(err);
}

static int
to_source(int at, int device, int source) {
    return (int)((int64_t)at * source / device);
}

/*
 * Returns the view that a region refers to, if it is still valid for this
 * screen.
 */
static bool
choose_base(struct sq_call *call, const struct sq_screen_picture_opts *opts,
            const struct sq_screen *screen, struct sq_frame *out,
            struct sq_err *err) {
    const struct sq_frame *given = opts->region_of;
    if (!given) {
        return sq_region_frame(call, opts->region_id, screen, out, err);
    }
    if (given->rotation != screen->rotation
        || !sq_size_equal(given->view.device, screen->size)) {
        return sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                       "the screen has turned or changed its size meanwhile");
    }
    *out = *given;
    return true;
}

/* The region of a call, in all ways in which it is needed. */
struct part {
    struct sq_frame base; /* the picture in whose pixels it is given */
    struct sq_view view;
    struct sq_region region; /* in pixels of the captured picture */
};

/* Converts the region of the call for a picture of this screen and size. */
static bool
find_part(struct sq_call *call, const struct sq_screen_picture_opts *opts,
          const struct sq_screen *screen, struct sq_size source,
          struct part *out, struct sq_err *err) {
    if (!choose_base(call, opts, screen, &out->base, err)
        || !sq_view_make_region(&out->base.view, opts->region,
                                SQ_REPLY_MAX_SIDE, &out->view, err)) {
        return false;
    }
    const struct sq_size device = out->view.device;
    const struct sq_dev_rect crop = out->view.crop;
    int left = to_source(crop.left, device.width, source.width);
    int top = to_source(crop.top, device.height, source.height);
    int right = to_source(crop.right, device.width, source.width);
    int bottom = to_source(crop.bottom, device.height, source.height);
    out->region =
        (struct sq_region){ left, top, right > left ? right - left : 1,
                            bottom > top ? bottom - top : 1 };
    return true;
}

/* How much larger than in its picture a region is, in short replies. */
#define REGION_PERCENT 160

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
limit_region(const struct sq_call *call,
             const struct sq_screen_picture_opts *opts, const struct part *part,
             struct sq_size source, struct sq_picture_opts *how) {
    const struct sq_token_profile *profile = sq_reply_profile(call);
    const struct sq_size shown = { part->region.width, part->region.height };
    const struct sq_size region = { opts->region.right - opts->region.left,
                                    opts->region.bottom - opts->region.top };
    if (opts->size != SQ_SCREEN_PICTURE_DEFAULT || opts->budget_tokens
        || opts->max_dimension || opts->raw || opts->to_file) {
        return;
    }
    int side = sq_min_int(how->max_dimension, sq_size_long_side(shown));
    if (call->is_short) {
        side =
            sq_min_int(side, sq_size_long_side(region) * REGION_PERCENT / 100);
    }
    const int most = screen_tokens(call, source);
    while (side > 1
           && sq_token_cost(profile, sq_scaled_size(shown, side)).tokens
                  > most) {
        side--;
    }
    how->max_dimension = side;
}

bool
sq_screen_picture_choose_region(struct sq_call *call,
                                const struct sq_screen_picture_opts *opts,
                                struct sq_screen_picture *shot,
                                struct sq_picture_opts *how,
                                struct sq_err *err) {
    struct part part;
    struct sq_size source;
    if (!source_size(shot, &source, err)
        || !find_part(call, opts, &shot->capture.screen, source, &part, err)) {
        return false;
    }
    shot->part = part.region;
    how->region = &shot->part;
    limit_region(call, opts, &part, source, how);
    shot->screen_tokens = screen_tokens(call, source);
    shot->frame.view = part.view;
    shot->frame.is_region = true;
    shot->region = opts->region;
    memcpy(shot->region_of, part.base.id, sizeof(shot->region_of));
    return true;
}

bool
sq_screen_picture_choose(void *context, const struct sq_screen *screen,
                         struct sq_size frame, struct sq_scaling *out) {
    const struct sq_screen_picture_choice *choice = context;
    const struct sq_screen_picture_opts *opts = choice->opts;
    struct sq_picture_opts how = sq_screen_picture_how(choice->call, opts);
    struct sq_scaling *chosen = &choice->shot->chosen;
    struct part part;
    memset(chosen, 0, sizeof(*chosen));
    if (opts->has_region) {
        if (!find_part(choice->call, opts, screen, frame, &part, NULL)) {
            return false;
        }
        how.region = &part.region;
        limit_region(choice->call, opts, &part, frame, &how);
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
