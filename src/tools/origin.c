#include "tools/origin.h"

#include <stdio.h>

#include "config/config.h"
#include "tools/reply.h"

/* Whether taps count in points while pictures are made of pixels. */
static bool
in_points(const struct sq_look *shot) {
    return shot->capture.screen.pixels.width > 0;
}

/* Another process assumes the default size, or the one it is told. */
static bool
beside_alone(const struct sq_call *call, const struct sq_look *shot,
             char out[SQ_BESIDE_SIZE]) {
    const struct sq_screen *screen = &shot->capture.screen;
    struct sq_size image = shot->info.image;
    int side = image.width > image.height ? image.width : image.height;
    struct sq_size assumed =
        sq_scaled_size(in_points(shot) ? screen->pixels : screen->size, side);
    if (shot->frame.is_region || assumed.width != image.width
        || assumed.height != image.height) {
        return false;
    }
    if (side != SQ_DEFAULT_MAX_DIMENSION
        || call->config->ui.max_image_dimension != side) {
        snprintf(out, SQ_BESIDE_SIZE, " and --max-image-dimension %d", side);
    }
    return true;
}

bool
sq_tap_beside(const struct sq_call *call, const struct sq_look *shot,
              char out[SQ_BESIDE_SIZE]) {
    out[0] = '\0';
    if (call->is_alone) {
        return beside_alone(call, shot, out);
    }
    if (shot->frame.is_region) {
        snprintf(out, SQ_BESIDE_SIZE, " and its screenshotId");
    }
    return true;
}

static void
put_usage(const struct sq_call *call, const struct sq_look *shot,
          struct sq_json_writer *w) {
    char beside[SQ_BESIDE_SIZE];
    char usage[128];
    bool is_region = shot->frame.is_region;
    if (sq_tap_beside(call, shot, beside)) {
        snprintf(usage, sizeof(usage), "tap with x,y of this picture%s%s",
                 beside, is_region ? "" : ": converted for you");
    } else {
        snprintf(usage, sizeof(usage),
                 "tap with --device-space and x,y times scaleX,scaleY%s",
                 is_region ? ", plus x,y of deviceRegion" : "");
    }
    sq_put_text(w, "usage", usage);
}

static void
put_transform(const struct sq_call *call, const struct sq_look *shot,
              struct sq_json_writer *w) {
    struct sq_size shown = sq_view_crop_size(&shot->frame.view);
    struct sq_size image = shot->info.image;
    if (shot->way == SQ_LOOK_NOWHERE
        || (shown.width == image.width && shown.height == image.height)) {
        return;
    }
    sq_json_put_key(w, "coordinateTransform");
    sq_json_begin_object(w);
    sq_put_double(w, "scaleX", (double)shown.width / image.width);
    sq_put_double(w, "scaleY", (double)shown.height / image.height);
    sq_json_end_object(w);
    sq_json_put_key(w, "coordinateTransformHelper");
    sq_json_begin_object(w);
    sq_put_bool(w, "enabled", true);
    put_usage(call, shot, w);
    if (in_points(shot) && !shot->frame.is_region) {
        sq_put_text(w, "method",
                    "or applyScreenshotScale: true with scaleX, scaleY as "
                    "screenshotScaleX, screenshotScaleY");
    }
    sq_json_end_object(w);
}

/* What the tokens are less than those of the whole capture. */
static int
percent_saved(int tokens, int whole) {
    return whole > tokens ? 100 - (int)((int64_t)tokens * 100 / whole) : 0;
}

static void
put_preset(const struct sq_call *call, const struct sq_look *shot,
           const char *preset, struct sq_json_writer *w) {
    const struct sq_screen *screen = &shot->capture.screen;
    const struct sq_token_profile *profile = sq_reply_profile(call);
    char dimensions[32];
    char savings[32];
    int whole = profile
                  ? sq_token_cost(profile, in_points(shot) ? screen->pixels
                                                           : screen->size)
                        .tokens
                  : 0;
    snprintf(dimensions, sizeof(dimensions), "%dx%d", shot->info.image.width,
             shot->info.image.height);
    snprintf(savings, sizeof(savings), "%d%% vs full size",
             percent_saved(shot->tokens, whole));
    sq_json_put_key(w, "screenshotSize");
    sq_json_begin_object(w);
    sq_put_text(w, "preset", preset);
    sq_put_text(w, "dimensions", dimensions);
    sq_put_int(w, "estimatedTokens", shot->tokens);
    if (percent_saved(shot->tokens, whole) > 0) {
        sq_put_text(w, "tokenSavings", savings);
    }
    sq_json_end_object(w);
}

static void
put_source(const struct sq_call *call, const struct sq_look *shot,
           struct sq_json_writer *w) {
    const struct sq_screen *screen = &shot->capture.screen;
    double left = shot->captured_bytes > 0
                    ? (double)shot->info.bytes / (double)shot->captured_bytes
                    : 1;
    char ratio[24];
    snprintf(ratio, sizeof(ratio), "%.1f%%", (1 - left) * 100);
    sq_json_put_key(w, "imageSizes");
    sq_json_begin_object(w);
    sq_put_int(w, "original", (int64_t)shot->captured_bytes);
    sq_put_int(w, "optimized", (int64_t)shot->info.bytes);
    sq_put_text(w, "compressionRatio", ratio);
    sq_json_end_object(w);
    if (!in_points(shot)) {
        return;
    }
    sq_json_put_key(w, "screenDimensions");
    sq_json_begin_object(w);
    sq_put_int(w, "width", screen->size.width);
    sq_put_int(w, "height", screen->size.height);
    sq_put_double(w, "scale", screen->density);
    sq_put_size(w, "pixels", screen->pixels);
    sq_json_end_object(w);
    sq_json_put_key(w, "simulatorInfo");
    sq_json_begin_object(w);
    sq_put_untrusted(w, "name", sq_span_of(call->device->info.name));
    sq_put_text(w, "state", sq_device_state_name(call->device->info.state));
    sq_json_end_object(w);
}

void
sq_put_origin(const struct sq_call *call, const struct sq_look *shot,
              const char *preset, struct sq_json_writer *w) {
    if (shot->way == SQ_LOOK_NOWHERE) {
        return;
    }
    put_transform(call, shot, w);
    if (preset) {
        put_preset(call, shot, preset, w);
    }
    if (preset || in_points(shot)) {
        put_source(call, shot, w);
    }
}
