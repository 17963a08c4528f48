/* screenshot: a small, legible picture of the screen, and what is on it. */
#include <stdarg.h>
#include <stdio.h>

#include "config/config.h"
#include "tools/fingerprint.h"
#include "tools/listing.h"
#include "tools/operations.h"
#include "tools/origin.h"
#include "tools/reply.h"
#include "tools/look.h"

#define MAX_NAME_BYTES 200
#define MAX_DISPLAY_BYTES 40
/* Of the guidance, which may hold three names. */
#define MAX_LINE_BYTES (3 * MAX_NAME_BYTES + 64)
#define MAX_INTERACTIVE 20

static const char *const sizes[] = { "half", "full", "quarter", "thumb", NULL };
static const char *const formats[] = { "jpeg", "webp", "png", "auto", NULL };

struct region_args {
    int x;
    int y;
    int width;
    int height;
    bool has_x;
    bool has_y;
    bool has_width;
    bool has_height;
};

#define REGION_ROW(field, low)                                                 \
    {                                                                          \
        SQ_ARG_ROW(region_args, field, #field, SQ_ARG_INT, int, ""),           \
            .required = true, .min = (low), .max = SQ_MAX_SIDE                 \
    }

static const struct sq_arg region_args[] = {
    REGION_ROW(x, 0),      REGION_ROW(y, 0), REGION_ROW(width, 1),
    REGION_ROW(height, 1), SQ_ARGS_END,
};

struct screenshot_args {
    bool inline_image;
    int max_dimension;
    bool raw;
    int size;
    int format;
    int quality;
    int budget_tokens;
    struct sq_span local_path;
    struct region_args region;
    struct sq_span display_id;
    bool elements;
    struct sq_span app_name;
    struct sq_span screen_name;
    struct sq_span state;
    bool caching;
    bool has_inline_image;
    bool has_max_dimension;
    bool has_raw;
    bool has_size;
    bool has_format;
    bool has_quality;
    bool has_budget_tokens;
    bool has_local_path;
    bool has_region;
    bool has_display_id;
    bool has_elements;
    bool has_app_name;
    bool has_screen_name;
    bool has_state;
    bool has_caching;
};

static const struct sq_arg screenshot_args[] = {
    SQ_BOOL(screenshot_args, inline_image, "inline", "false: save a file"),
    SQ_INT(screenshot_args, max_dimension, "maxDimension", 1, SQ_MAX_SIDE,
           "Longest side"),
    SQ_BOOL(screenshot_args, raw, "raw", "Native pixels"),
    SQ_CHOICE(screenshot_args, size, "size", sizes, ""),
    SQ_CHOICE(screenshot_args, format, "format", formats, ""),
    SQ_INT(screenshot_args, quality, "quality", 1, 100, ""),
    SQ_INT(screenshot_args, budget_tokens, "budgetTokens", 1, 1000000,
           "Largest picture for so many tokens"),
    SQ_TEXT(screenshot_args, local_path, "localPath", 200,
            "File name in the output folder"),
    SQ_OBJECT(screenshot_args, region, "region", region_args, region_args,
              "Closer look at a part of the last picture"),
    SQ_TEXT(screenshot_args, display_id, "displayId", MAX_DISPLAY_BYTES,
            "Other than the main one"),
    SQ_BOOL(screenshot_args, elements, "elements", "List interactive elements"),
    SQ_TEXT(screenshot_args, app_name, "appName", MAX_NAME_BYTES, ""),
    SQ_TEXT(screenshot_args, screen_name, "screenName", MAX_NAME_BYTES, ""),
    SQ_TEXT(screenshot_args, state, "state", MAX_NAME_BYTES, ""),
    SQ_BOOL(screenshot_args, caching, "enableCoordinateCaching", ""),
    SQ_ARGS_END,
};

static bool
fail_conflict(const char *a, const char *b, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s and %s cannot be used together", a, b);
    return sq_fail_hint(err, "Leave one of them out.");
}

/* At most one of the ways to choose a size. */
static bool
check_size(const struct screenshot_args *args, struct sq_err *err) {
    const struct {
        bool given;
        const char *name;
    } ways[] = {
        { args->raw, "raw" },
        { args->has_size, "size" },
        { args->has_max_dimension, "maxDimension" },
        { args->has_budget_tokens, "budgetTokens" },
    };
    const char *first = NULL;
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (ways[i].given && first) {
            return fail_conflict(first, ways[i].name, err);
        }
        first = ways[i].given ? ways[i].name : first;
    }
    return true;
}

static bool
saves_file(const struct screenshot_args *args) {
    return args->has_inline_image ? !args->inline_image : args->has_local_path;
}

static enum sq_format
choose_format(const struct screenshot_args *args) {
    enum sq_format format = SQ_FORMAT_PNG;
    if (args->has_format) {
        return (enum sq_format)args->format;
    }
    if (saves_file(args)) {
        sq_saved_format(args->local_path, &format);
        return format;
    }
    return args->has_size ? SQ_FORMAT_WEBP : SQ_FORMAT_JPEG;
}

static bool
check_rest(const struct screenshot_args *args, struct sq_err *err) {
    enum sq_format format = choose_format(args);
    enum sq_format named = format;
    if (args->has_local_path && args->inline_image) {
        return fail_conflict("inline: true", "localPath", err);
    }
    if (args->has_region && args->has_display_id) {
        return fail_conflict("region", "displayId", err);
    }
    if (args->has_quality && format == SQ_FORMAT_PNG) {
        return fail_conflict("quality", "the format png", err);
    }
    sq_saved_format(args->local_path, &named);
    if (named != format && format != SQ_FORMAT_AUTO) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the format %s and the ending of "
                "localPath contradict each other",
                formats[args->format]);
        return sq_fail_hint(err, "Leave format out, or give the file another "
                                 "name.");
    }
    return !args->has_local_path || sq_folder_check_name(args->local_path, err)
        || sq_fail_in(err, "localPath");
}

static bool
choose_display(struct sq_call *call, const struct screenshot_args *args,
               const char **out, struct sq_err *err) {
    *out = NULL;
    if (!args->has_display_id) {
        return true;
    }
    if (args->display_id.len == 0 || sq_span_contains(args->display_id, 0)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "displayId is no id of a display");
        return sq_fail_hint(err, "Leave it out for the main display.");
    }
    *out = sq_arena_strdup(call->arena, args->display_id, err);
    return *out != NULL;
}

static struct sq_look_opts
shot_opts(const struct screenshot_args *args, const char *display) {
    const struct region_args *r = &args->region;
    return (struct sq_look_opts){
        .display = display,
        .picture_only = args->has_elements && !args->elements && !args->caching,
        .max_dimension = args->max_dimension,
        .size = args->has_size ? (enum sq_look_size)(args->size + SQ_LOOK_HALF)
                               : SQ_LOOK_DEFAULT,
        .budget_tokens = args->budget_tokens,
        .raw = args->raw,
        .format = choose_format(args),
        .quality = args->quality,
        .has_region = args->has_region,
        .region = { r->x, r->y, r->x + r->width, r->y + r->height },
        .to_file = saves_file(args),
        .local_path = args->local_path,
    };
}

/* What is known of the elements, where they were wanted. */
struct contents {
    bool wanted;
    struct sq_tree tree;
    struct sq_tree_state state;
    struct sq_err refused; /* why there are none; code NONE: there are */
    struct sq_listing list;
    struct sq_fingerprint print;
    bool known; /* this view was seen before */
};

/* The picture is what was asked for: it comes also without its elements. */
static bool
fetch(struct sq_call *call, struct contents *contents, struct sq_err *err) {
    struct sq_err why = { 0 };
    if (sq_tree_fetch(call, &contents->tree, &contents->state, &why)) {
        return true;
    }
    if (why.code == SQ_ERR_NOMEM || why.code == SQ_ERR_CANCELLED) {
        if (err) {
            *err = why;
        }
        return false;
    }
    contents->refused = why;
    return true;
}

static bool
refuse_elements(struct contents *contents) {
    sq_fail(&contents->refused, SQ_ERR_UNSUPPORTED,
            "Elements are those of the display that taps reach.");
    return true;
}

static bool
gather(struct sq_call *call, const struct screenshot_args *args,
       const struct sq_look *shot, struct contents *contents,
       struct sq_err *err) {
    contents->wanted = args->has_elements
                         ? args->elements
                         : call->device->ops->elements_are_cheap;
    if (!contents->wanted && !args->caching) {
        return true;
    }
    if (shot->frame.other_display) {
        return refuse_elements(contents);
    }
    if (!fetch(call, contents, err)
        || !sq_listing_make(&contents->tree, &shot->frame.view, true,
                            call->arena, &contents->list, err)) {
        return false;
    }
    sq_fingerprint_take(&contents->tree, &shot->capture.screen,
                        &contents->print);
    if (sq_is_passing_state(args->state)) {
        contents->print.cacheable = false;
    }
    struct sq_element *places;
    size_t count;
    contents->known =
        args->caching && contents->print.cacheable
        && sq_session_cached_view(call->session, contents->print.hash,
                                  call->arena, &places, &count);
    return true;
}

/* What only scrolls or takes the focus is interactive, too. */
static bool
is_tappable(const struct sq_node *node) {
    return node->flags & SQ_NODE_ENABLED
        && node->flags
               & (SQ_NODE_CLICKABLE | SQ_NODE_LONG_CLICKABLE | SQ_NODE_CHECKABLE
                  | SQ_NODE_EDITABLE);
}

static void
put_interactive(const struct sq_listed *item, struct sq_json_writer *w) {
    const struct sq_img_rect *rect = &item->rect;
    sq_json_begin_object(w);
    sq_put_untrusted(w, "type", sq_node_type(item->node));
    sq_put_untrusted(w, "label", item->label);
    sq_put_untrusted(w, "identifier", sq_short_id(item->node->resource_id));
    sq_json_put_key(w, "bounds");
    sq_json_begin_object(w);
    sq_put_edges(w, rect->left, rect->top, rect->right, rect->bottom);
    sq_json_end_object(w);
    sq_put_bool(w, "tappable", is_tappable(item->node));
    sq_json_end_object(w);
}

static void
put_elements(const struct contents *contents, struct sq_json_writer *w) {
    const char *why = contents->refused.code ? contents->refused.message
                                             : contents->state.text;
    if (!contents->wanted) {
        return;
    }
    if (why[0]) {
        sq_put_untrusted(w, "elementsNote", sq_span_of(why));
        return;
    }
    size_t total = contents->list.count;
    size_t shown = 0;
    sq_json_put_key(w, "interactiveElements");
    sq_json_begin_object(w);
    sq_json_put_key(w, "elements");
    sq_json_begin_array(w);
    for (; shown < total && shown < MAX_INTERACTIVE && sq_reply_has_room(w);
         shown++) {
        put_interactive(&contents->list.items[shown], w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)shown);
    if (shown < total) {
        sq_put_int(w, "total", (int64_t)total);
    }
    sq_json_end_object(w);
    sq_put_bool(w, "untrusted", true);
}

static void
put_fingerprint(const struct contents *contents, struct sq_json_writer *w) {
    const struct sq_fingerprint *print = &contents->print;
    if (contents->refused.code || contents->state.outcome != SQ_TREE_READ) {
        return;
    }
    sq_json_put_key(w, "viewFingerprint");
    sq_json_begin_object(w);
    sq_put_text(w, "hash", print->hash);
    sq_put_bool(w, "cacheable", print->cacheable);
    sq_put_int(w, "elementCount", print->element_count);
    sq_put_text(w, "orientation", print->landscape ? "landscape" : "portrait");
    sq_put_bool(w, "known", contents->known);
    sq_put_text(w, "guidance",
                print->cacheable
                    ? "Coordinates can be reused while this hash stays."
                    : "The view is still changing: do not reuse coordinates.");
    sq_json_end_object(w);
}

/* What the caller calls it, so that it finds the picture again later. */
static void
put_names(const struct screenshot_args *args, struct sq_json_writer *w) {
    if (args->app_name.len + args->screen_name.len + args->state.len == 0) {
        return;
    }
    sq_json_put_key(w, "semanticMetadata");
    sq_json_begin_object(w);
    sq_put_untrusted(w, "appName", args->app_name);
    sq_put_untrusted(w, "screenName", args->screen_name);
    sq_put_untrusted(w, "state", args->state);
    sq_json_end_object(w);
}

static void put_line(struct sq_json_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void
put_line(struct sq_json_writer *w, const char *format, ...) {
    char line[MAX_LINE_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof(line), format, values);
    va_end(values);
    sq_json_put_untrusted(w, sq_span_of(line));
}

/* The numbers above in words, and what to do with them: seed 002. */
static void
put_guidance(const struct sq_call *call, const struct screenshot_args *args,
             const struct sq_look *shot, const struct contents *contents,
             struct sq_json_writer *w) {
    struct sq_size image = shot->info.image;
    struct sq_size shown = sq_view_crop_size(&shot->frame.view);
    double scale_x = (double)shown.width / image.width;
    double scale_y = (double)shown.height / image.height;
    char beside[SQ_BESIDE_SIZE];
    size_t count = contents->wanted ? contents->list.count : 0;
    sq_json_put_key(w, "guidance");
    sq_json_begin_array(w);
    put_line(w, "Size: %s%s%dx%d, about %d tokens",
             args->has_size ? sizes[args->size] : "",
             args->has_size ? ", " : "", image.width, image.height,
             shot->tokens);
    if (args->app_name.len && args->screen_name.len && args->state.len) {
        put_line(w, "Screen: %.*s/%.*s (%.*s)", SQ_SPAN_ARGS(args->app_name),
                 SQ_SPAN_ARGS(args->screen_name), SQ_SPAN_ARGS(args->state));
    }
    if (shot->frame.other_display) {
        put_line(w, "Only to look at: taps do not reach this display");
    } else if (sq_tap_beside(call, shot, beside)) {
        put_line(w,
                 "Tap with x,y of this picture%s: scaled by %.2f (X) and "
                 "%.2f (Y) for you",
                 beside, scale_x, scale_y);
    } else {
        put_line(w, "Tap with --device-space and x times %.2f, y times %.2f%s",
                 scale_x, scale_y,
                 shot->frame.is_region ? ", plus x,y of deviceRegion" : "");
    }
    if (count > 0) {
        put_line(w,
                 "%zu interactive elements: tap the middle of their "
                 "bounds, or give tap a selector",
                 count);
    } else {
        put_line(w, "dump lists the elements, find looks for one");
    }
    sq_json_end_array(w);
}

static void
put_displays(const struct sq_displays *displays, struct sq_json_writer *w) {
    if (displays->count < 2) {
        return;
    }
    sq_json_put_key(w, "displays");
    sq_json_begin_array(w);
    for (int i = 0; i < displays->count; i++) {
        sq_json_begin_object(w);
        sq_put_text(w, "id", displays->entries[i].id);
        sq_put_untrusted(w, "name", sq_span_of(displays->entries[i].name));
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

static bool
answer(struct sq_call *call, const struct screenshot_args *args,
       const struct sq_look *shot, const struct contents *contents,
       struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_look_put(shot, &reply.w);
    sq_put_origin(call, shot, args->has_size ? sizes[args->size] : NULL,
                  &reply.w);
    if (args->has_display_id) {
        sq_put_untrusted(&reply.w, "displayId", args->display_id);
    }
    put_displays(&shot->capture.displays, &reply.w);
    put_names(args, &reply.w);
    put_elements(contents, &reply.w);
    if (args->caching) {
        put_fingerprint(contents, &reply.w);
    }
    if (shot->way == SQ_LOOK_INLINE) {
        put_guidance(call, args, shot, contents, &reply.w);
    }
    return sq_reply_end(call, &reply, err);
}

/* Opt-in: the places of a view that is at rest, for when it comes back. */
static bool
remember_view(struct sq_call *call, const struct screenshot_args *args,
              const struct contents *contents, struct sq_err *err) {
    const struct sq_listing *list = &contents->list;
    if (!args->caching || !contents->print.cacheable || contents->known) {
        return true;
    }
    struct sq_element *places =
        sq_arena_alloc(call->arena, list->count + 1, sizeof(*places), err);
    if (!places) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        places[i] =
            sq_element_of(list->items[i].node, list->items[i].label, (int)i);
    }
    return sq_session_cache_view(call->session, contents->print.hash, places,
                                 list->count, err);
}

static bool
screenshot_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct screenshot_args *args = raw_args;
    struct sq_look shot = { 0 };
    struct contents contents = { 0 };
    if (!check_size(args, err) || !check_rest(args, err)) {
        return false;
    }
    const char *display;
    if (!choose_display(call, args, &display, err)) {
        return false;
    }
    const struct sq_look_opts opts = shot_opts(args, display);
    bool ok = sq_look_make(call, &opts, &shot, err)
           && gather(call, args, &shot, &contents, err)
           && sq_look_deliver(call, &opts, &shot, err)
           && answer(call, args, &shot, &contents, err)
           && remember_view(call, args, &contents, err);
    if (ok) {
        sq_look_commit(call, &shot);
    }
    sq_look_finish(&shot);
    sq_tree_finish(&contents.tree);
    return ok;
}

const struct sq_tool sq_tool_screenshot = {
    .name = "screenshot",
    .title = "Look at the screen",
    .text = "Picture of the screen; its x,y are what tap takes.",
    .manual =
        "The picture is scaled so that its longest side has 1000 pixels "
        "(configurable), as JPEG. Coordinates of the picture are what `tap` "
        "takes and what `dump` and `find` answer: conversion is invisible. "
        "`screenshotId` names this picture in later calls.\n\n"
        "Choose at most one size: `maxDimension` (longest side), `size` (half "
        "512, quarter 256, thumb 128 pixels, full: native; as WebP), "
        "`budgetTokens` (the largest picture that costs the configured model "
        "so many tokens), `raw` (native pixels; may exceed API limits with "
        "multiple images). `format` is jpeg, webp, png or auto.\n\n"
        "`region` is a rectangle in the pixels of the last whole picture and "
        "shows that part more closely; tap in it with its `screenshotId`.\n\n"
        "`inline: false` or `localPath` saves a file (PNG unless `format` is "
        "given) below the output folder and answers its `path`.\n\n"
        "`elements` adds up to 20 elements that can be touched. `appName`, "
        "`screenName` and `state` are echoed as `semanticMetadata`. "
        "`enableCoordinateCaching` adds `viewFingerprint`: a hash of the "
        "view's structure that stays while its coordinates do.\n\n"
        "`displayId` shows another display of the device; taps go to the main "
        "one. Where a phone has several, `displays` lists their ids: `0` is "
        "the one that taps reach. `guidance` says what to do with the "
        "picture.\n\n"
        "`coordinateTransform` has the exact scale per axis, for tools that "
        "do their own arithmetic. Simulators count in points: `rtfm` with "
        "toolName `ios`.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE,
    .args = screenshot_args,
    .args_size = sizeof(struct screenshot_args),
    .run = screenshot_run,
};
