/* Writes the detailed reply of screenshot: sizes, transform, guidance,
 * elements. */
#include "tools/screen/ios_metadata.h"

#include <stdarg.h>
#include <stdio.h>

#include "config/config.h"
#include "tools/offer.h"
#include "tools/reply.h"

#define MAX_INTERACTIVE 20
#define TILE_SIDE 512      /* tile size of the token estimate */
#define MAX_LINE_BYTES 680 /* of guidance, which can contain three names */

bool
sq_counts_in_points(const struct sq_screen_picture *shot) {
    return shot->capture.screen.pixels.width > 0;
}

/* A new process assumes the default size, or the one in its arguments. */
static bool
beside_alone(const struct sq_call *call, const struct sq_screen_picture *shot,
             char out[SQ_BESIDE_SIZE]) {
    const struct sq_screen *screen = &shot->capture.screen;
    struct sq_size image = shot->info.image;
    int side = sq_size_long_side(image);
    struct sq_size assumed = sq_scaled_size(
        sq_counts_in_points(shot) ? screen->pixels : screen->size, side);
    if (shot->frame.is_region || !sq_size_equal(assumed, image)) {
        return false;
    }
    if (side != SQ_DEFAULT_MAX_DIMENSION
        || sq_reply_max_dimension(call->config) != side) {
        snprintf(out, SQ_BESIDE_SIZE, " and --max-dimension %d", side);
    }
    return true;
}

bool
sq_tap_beside(const struct sq_call *call, const struct sq_screen_picture *shot,
              char out[SQ_BESIDE_SIZE]) {
    out[0] = '\0';
    if (call->is_alone && !call->keeps_frames) {
        return beside_alone(call, shot, out);
    }
    if (shot->frame.is_region) {
        snprintf(out, SQ_BESIDE_SIZE, " and its %s",
                 SQ_SAY("screenshotId", "--screenshot-id"));
    }
    return true;
}

/* Device pixels (points of a simulator) per pixel of the picture. */
struct scale {
    double x;
    double y;
};

static struct scale
scale_of(const struct sq_screen_picture *shot) {
    struct sq_size shown = sq_view_crop_size(&shot->frame.view);
    struct sq_size image = shot->info.image;
    return (struct scale){ (double)shown.width / image.width,
                           (double)shown.height / image.height };
}

void
sq_put_usage(const struct sq_call *call, const struct sq_screen_picture *shot,
             struct sq_json_writer *w) {
    char beside[SQ_BESIDE_SIZE];
    char usage[128];
    bool is_region = shot->frame.is_region;
    const char *tap = call->config->tools.read_only ? "" : "tap with ";
    if (sq_tap_beside(call, shot, beside)) {
        snprintf(usage, sizeof(usage), "%sx,y of this picture%s%s", tap, beside,
                 is_region ? "" : ": converted for you");
    } else {
        struct scale scale = scale_of(shot);
        snprintf(usage, sizeof(usage),
                 "tap with --device-space and x times %.4g, y times %.4g%s",
                 scale.x, scale.y,
                 is_region ? ", plus x,y of deviceRegion" : "");
    }
    sq_put_text(w, "usage", usage);
}

/* Writes an example: a tap in the middle of the picture, and where it lands. */
static void
put_example(const struct sq_screen_picture *shot, struct scale scale,
            struct sq_json_writer *w) {
    const struct sq_view *view = &shot->frame.view;
    const struct sq_img_pt point = { shot->info.image.width / 2,
                                     shot->info.image.height / 2 };
    const struct sq_dev_pt lands = sq_view_to_device(view, point);
    sq_json_begin_object_of(w, "example");
    sq_put_img_pt(w, "screenshotCoordinates", point);
    sq_json_begin_object_of(w, "idbUiTapCall");
    sq_put_int(w, "x", point.x);
    sq_put_int(w, "y", point.y);
    sq_put_bool(w, "applyScreenshotScale", true);
    sq_put_double(w, "screenshotScaleX", scale.x);
    sq_put_double(w, "screenshotScaleY", scale.y);
    sq_json_end_object(w);
    sq_json_begin_object_of(w, "automaticResult");
    sq_put_int(w, "deviceX", lands.x);
    sq_put_int(w, "deviceY", lands.y);
    sq_json_end_object(w);
    sq_json_end_object(w);
}

static void
put_helper(const struct sq_ios_metadata *origin, struct scale scale,
           struct sq_json_writer *w) {
    sq_json_begin_object_of(w, "coordinateTransformHelper");
    sq_put_bool(w, "enabled", true);
    sq_put_usage(origin->call, origin->shot, w);
    if (!origin->shot->frame.is_region) {
        sq_put_words(w, "method",
                     "or $applyScreenshotScale: true with scaleX, scaleY as "
                     "$screenshotScaleX, $screenshotScaleY");
        put_example(origin->shot, scale, w);
    }
    sq_json_end_object(w);
}

static void
put_transform(const struct sq_ios_metadata *origin, struct sq_json_writer *w) {
    const struct sq_screen_picture *shot = origin->shot;
    struct sq_size shown = sq_view_crop_size(&shot->frame.view);
    struct sq_size image = shot->info.image;
    struct scale scale = scale_of(shot);
    if (sq_size_equal(shown, image)) {
        return;
    }
    sq_json_begin_object_of(w, "coordinateTransform");
    sq_put_size(w, "originalDimensions", shown);
    sq_put_size(w, "displayDimensions", image);
    sq_put_double(w, "scaleX", scale.x);
    sq_put_double(w, "scaleY", scale.y);
    sq_put_text(w, "guidance",
                shot->frame.is_region
                    ? "device = picture times scale, plus x,y of deviceRegion"
                    : "device = picture times scale");
    sq_json_end_object(w);
    put_helper(origin, scale, w);
}

/* Returns how many percent of the tokens of the full capture are saved. */
static int
percent_saved(int tokens, int whole) {
    return whole > tokens ? 100 - (int)((int64_t)tokens * 100 / whole) : 0;
}

static struct sq_size
captured_size(const struct sq_screen_picture *shot) {
    const struct sq_screen *screen = &shot->capture.screen;
    return sq_counts_in_points(shot) ? screen->pixels : screen->size;
}

static int
tiles_of(struct sq_size size) {
    return ((size.width - 1) / TILE_SIDE + 1)
         * ((size.height - 1) / TILE_SIDE + 1);
}

/* Writes the sizes in bytes of the capture and of the picture. */
static void
put_bytes(const struct sq_screen_picture *shot, const char *key,
          struct sq_json_writer *w) {
    double left = shot->captured_bytes > 0
                    ? (double)shot->info.bytes / (double)shot->captured_bytes
                    : 1;
    char ratio[24];
    snprintf(ratio, sizeof(ratio), "%.1f%%", (1 - left) * 100);
    sq_json_begin_object_of(w, key);
    sq_put_int(w, "original", (int64_t)shot->captured_bytes);
    sq_put_int(w, "optimized", (int64_t)shot->info.bytes);
    sq_put_text(w, "compressionRatio", ratio);
    sq_json_end_object(w);
}

static void
put_preset(const struct sq_ios_metadata *origin, struct sq_json_writer *w) {
    const struct sq_screen_picture *shot = origin->shot;
    const char *preset = origin->preset ? origin->preset : "default";
    int whole =
        sq_token_cost(sq_reply_profile(origin->call), captured_size(shot))
            .tokens;
    char dimensions[32];
    snprintf(dimensions, sizeof(dimensions), "%dx%d", shot->info.image.width,
             shot->info.image.height);
    sq_json_begin_object_of(w, "screenshotSize");
    sq_put_text(w, "size", preset);
    sq_put_text(w, "preset", preset);
    sq_put_text(w, "dimensions", dimensions);
    sq_put_int(w, "tiles", tiles_of(shot->info.image));
    sq_put_int(w, "estimatedTokens", shot->tokens);
    if (percent_saved(shot->tokens, whole) > 0) {
        char savings[32];
        snprintf(savings, sizeof(savings), "%d%% vs full size",
                 percent_saved(shot->tokens, whole));
        sq_put_text(w, "tokenSavings", savings);
    }
    put_bytes(shot, "fileSizes", w);
    sq_json_end_object(w);
}

static void
put_simulator(const struct sq_ios_metadata *origin, struct sq_json_writer *w) {
    const struct sq_screen *screen = &origin->shot->capture.screen;
    const struct sq_device_info *info = &origin->call->device->info;
    if (!sq_counts_in_points(origin->shot)) {
        return;
    }
    sq_json_begin_object_of(w, "screenDimensions");
    sq_put_int(w, "width", screen->size.width);
    sq_put_int(w, "height", screen->size.height);
    /* Without a size in points, that of the pixels is used: no scale. */
    if (screen->size.width != screen->pixels.width) {
        sq_put_double(w, "scale", screen->density);
    }
    sq_put_size(w, "pixels", screen->pixels);
    sq_json_end_object(w);
    sq_json_begin_object_of(w, "simulatorInfo");
    sq_put_untrusted(w, "name", sq_span_of(info->name));
    sq_put_text(w, "state", sq_device_state_name(info->state));
    sq_json_end_object(w);
}

/* Returns whether the node does more than scroll or take the focus. */
static bool
is_tappable(const struct sq_node *node) {
    return node->flags & SQ_NODE_ENABLED
        && node->flags
               & (SQ_NODE_CLICKABLE | SQ_NODE_LONG_CLICKABLE | SQ_NODE_CHECKABLE
                  | SQ_NODE_EDITABLE);
}

static void
put_element(const struct sq_listed *item, struct sq_json_writer *w) {
    const struct sq_img_rect *rect = &item->rect;
    sq_json_begin_object(w);
    if (item->index >= 0) {
        sq_put_int(w, "index", item->index);
    }
    sq_put_untrusted(w, "type", sq_node_type(item->node));
    sq_put_untrusted(w, "label", item->label);
    sq_put_untrusted(w, "identifier", sq_short_id(item->node->resource_id));
    sq_json_begin_object_of(w, "bounds");
    sq_put_edges(w, rect->left, rect->top, rect->right, rect->bottom);
    sq_json_end_object(w);
    sq_put_bool(w, "tappable", is_tappable(item->node));
    sq_json_end_object(w);
}

static void
put_elements(const struct sq_listing *list, struct sq_json_writer *w) {
    size_t shown = 0;
    sq_json_begin_object_of(w, "interactiveElements");
    sq_json_begin_array_of(w, "elements");
    for (;
         shown < list->count && shown < MAX_INTERACTIVE && sq_reply_has_room(w);
         shown++) {
        put_element(&list->items[shown], w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)shown);
    if (shown < list->count) {
        sq_put_int(w, "total", (int64_t)list->count);
    }
    sq_json_end_object(w);
}

static void put_line(const struct sq_ios_metadata *origin,
                     struct sq_json_writer *w, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes a line unless it names what the client cannot call. */
static void
put_line(const struct sq_ios_metadata *origin, struct sq_json_writer *w,
         const char *format, ...) {
    char line[MAX_LINE_BYTES];
    char named[MAX_LINE_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof(line), format, values);
    va_end(values);
    sq_offer_write(sq_offer_to(origin->call), line, named, sizeof(named));
    if (named[0]) {
        sq_json_put_clean(w, sq_span_of(named));
    }
}

static void
put_how_to_tap(const struct sq_ios_metadata *origin, struct sq_json_writer *w) {
    const struct sq_screen_picture *shot = origin->shot;
    struct scale scale = scale_of(shot);
    char beside[SQ_BESIDE_SIZE];
    if (shot->frame.other_display) {
        put_line(origin, w, "Only to look at: taps do not reach this display");
    } else if (sq_tap_beside(origin->call, shot, beside)) {
        put_line(origin, w,
                 "@Tap with x,y of this picture%s: scaled by %.2f (X) and "
                 "%.2f (Y) for you",
                 beside, scale.x, scale.y);
    } else {
        put_line(origin, w,
                 "@Tap with --device-space and x times %.2f, y times %.2f%s",
                 scale.x, scale.y,
                 shot->frame.is_region ? ", plus x,y of deviceRegion" : "");
    }
}

/* Writes the numbers above as text, with advice. */
static void
put_guidance(const struct sq_ios_metadata *origin, struct sq_json_writer *w) {
    const struct sq_screen_picture *shot = origin->shot;
    sq_json_begin_array_of(w, "guidance");
    put_line(origin, w, "Size: %s%s%dx%d, about %d tokens",
             origin->preset ? origin->preset : "", origin->preset ? ", " : "",
             shot->info.image.width, shot->info.image.height, shot->tokens);
    if (origin->app_name.len && origin->screen_name.len && origin->state.len) {
        char line[MAX_LINE_BYTES]; /* a name has no marks */
        snprintf(line, sizeof(line), "Screen: %.*s/%.*s (%.*s)",
                 SQ_SPAN_ARGS(origin->app_name),
                 SQ_SPAN_ARGS(origin->screen_name),
                 SQ_SPAN_ARGS(origin->state));
        sq_json_put_clean(w, sq_span_of(line));
    }
    put_how_to_tap(origin, w);
    if (origin->elements && origin->elements->count > 0) {
        put_line(origin, w,
                 "%zu interactive elements: give @tap an index as "
                 "elementIndex, or a selector",
                 origin->elements->count);
    } else {
        put_line(origin, w, "@dump lists the elements, @find looks for one");
    }
    sq_json_end_array(w);
}

/* Writes the format: WEBP for "image/webp". */
static void
put_format(const struct sq_screen_picture *shot, struct sq_json_writer *w) {
    static const char *const names[] = {
        [SQ_FORMAT_JPEG] = "JPEG",
        [SQ_FORMAT_WEBP] = "WEBP",
        [SQ_FORMAT_PNG] = "PNG",
    };
    sq_put_text(w, "imageFormat", names[shot->info.format]);
}

void
sq_put_ios_metadata(const struct sq_ios_metadata *origin,
                    struct sq_json_writer *w) {
    const struct sq_screen_picture *shot = origin->shot;
    if (shot->way == SQ_SCREEN_PICTURE_NOWHERE) {
        return;
    }
    sq_put_bool(w, "success", true);
    sq_put_text(w, "udid", origin->call->device->info.id);
    put_format(shot, w);
    put_preset(origin, w);
    put_bytes(shot, "imageSizes", w);
    put_simulator(origin, w);
    put_transform(origin, w);
    if (origin->elements) {
        put_elements(origin->elements, w);
    }
    if (shot->way == SQ_SCREEN_PICTURE_INLINE) {
        put_guidance(origin, w);
    }
}
