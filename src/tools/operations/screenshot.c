/* screenshot: a small, legible picture of the screen, and its elements. */
#include "config/config.h"
#include "config/option.h"
#include "tools/elements/listing.h"
#include "tools/operations.h"
#include "tools/screen/fingerprint.h"
#include "tools/screen/ios_metadata.h"
#include "tools/screen/marks.h"
#include "tools/screen/pixel_search.h"
#include "tools/screen/screen_picture.h"
#include "tools/screen/show.h"
#include "util/minmax.h"

#define MAX_NAME_BYTES 200
#define MAX_DISPLAY_BYTES 40
#define MAX_LISTED 60 /* same as the default of dump */

#define HALF 0 /* also any other size: SQ_ARG_OTHER is less */
static const char *const sizes[] = { "half", "full", "quarter", "thumb", NULL };

struct screenshot_args {
    struct sq_opt_bool inline_image;
    struct sq_opt_int max_dimension;
    struct sq_opt_bool raw;
    struct sq_opt_int size;
    struct sq_opt_int format;
    struct sq_opt_int quality;
    struct sq_opt_int budget_tokens;
    struct sq_opt_text local_path;
    struct sq_opt_region region;
    struct sq_opt_text screenshot_id;
    struct sq_opt_text display_id;
    struct sq_opt_bool elements;
    struct sq_opt_bool marks;
    struct sq_opt_bool grid;
    struct sq_opt_bool vision;
    struct sq_opt_text app_name;
    struct sq_opt_text screen_name;
    struct sq_opt_text state;
    struct sq_opt_bool caching;
};

static const struct sq_arg screenshot_args[] = {
    SQ_BOOL(screenshot_args, inline_image, "inline", "false: save a file",
            .help = "give the picture; --no-inline: save it as a file in the "
                    "output folder",
            .initial = "true"),
    SQ_INT(screenshot_args, max_dimension, "maxDimension", 1, SQ_MAX_SIDE,
           "Longest side", .word = "auto", .initial = "1000",
           .help = "longest side; auto: as small text needs"),
    SQ_BOOL(screenshot_args, raw, "raw", "Native pixels",
            .help = "the native size", .is_rare = true),
    SQ_CHOICE(screenshot_args, size, "size", sizes, "", .takes_any = true,
              .help = "half is 512 pixels, quarter 256, thumb 128, full the "
                      "native size; as WebP"),
    SQ_CHOICE(screenshot_args, format, "format", sq_format_words, "",
              .help = "picture format; that of -o if it says one",
              .initial = "jpeg"),
    SQ_INT(screenshot_args, quality, "quality", 1, 100, "",
           .help = "of JPEG and WebP", .initial = "70 and 60", .is_rare = true),
    SQ_INT(screenshot_args, budget_tokens, "budgetTokens", 1, 1000000,
           "Largest picture for N tokens",
           .help = "the largest size that costs at most N tokens"),
    SQ_TEXT(screenshot_args, local_path, "localPath", 200, "File name",
            .placeholder = "NAME",
            .help = "save it under this name in the output folder"),
    SQ_OBJECT(screenshot_args, region, "region", sq_opt_region, sq_region_args,
              "Closer look at a part", .placeholder = "X,Y,W,H",
              .help = "only this part of the screen, in more detail"),
    SQ_TEXT(screenshot_args, screenshot_id, "screenshotId",
            SQ_FRAME_ID_SIZE - 1, SQ_LATEST_PICTURE, .placeholder = "ID",
            .help = "the picture that the region is in, such as s3; default: "
                    "the latest"),
    SQ_TEXT(screenshot_args, display_id, "displayId", MAX_DISPLAY_BYTES,
            "Another display", .placeholder = "ID",
            .help = "another display of the device", .is_rare = true),
    SQ_BOOL(screenshot_args, elements, "elements", "List interactive elements",
            .help = "also list the interactive elements"),
    SQ_BOOL(screenshot_args, marks, "marks", "Number what can be touched",
            .help = "draw a numbered box around what can be touched"),
    SQ_BOOL(screenshot_args, grid, "grid", "Draw named cells", .is_rare = true,
            .help = "draw a grid whose cells tap takes"),
    SQ_BOOL(screenshot_args, vision, "vision", "Also what only pixels show",
            .help = "also what only the pixels show, marked or listed"),
    SQ_TEXT(screenshot_args, app_name, "appName", MAX_NAME_BYTES, "",
            .is_rare = true, .placeholder = "NAME",
            .help = "repeated in the answer"),
    SQ_TEXT(screenshot_args, screen_name, "screenName", MAX_NAME_BYTES, "",
            .is_rare = true, .placeholder = "NAME",
            .help = "repeated in the answer"),
    SQ_TEXT(screenshot_args, state, "state", MAX_NAME_BYTES, "",
            .is_rare = true, .placeholder = "NAME",
            .help = "repeated in the answer"),
    SQ_BOOL(screenshot_args, caching, "enableCoordinateCaching", "",
            .is_rare = true,
            .help = "also give a hash of the view's structure"),
    SQ_ARGS_END,
};

/* Fails if more than one argument chooses the size. */
static bool
check_size(const struct screenshot_args *args, struct sq_err *err) {
    const struct {
        bool given;
        const char *name;
    } ways[] = {
        { args->raw.value, "$raw" },
        { args->size.given, "$size" },
        { args->max_dimension.given, "$maxDimension" },
        { args->budget_tokens.given && args->max_dimension.value >= 0,
          "$budgetTokens" },
    };
    const char *first = NULL;
    for (size_t i = 0; i < SQ_COUNT(ways); i++) {
        if (ways[i].given && first) {
            return sq_fail_conflict(first, ways[i].name, err);
        }
        first = ways[i].given ? ways[i].name : first;
    }
    return true;
}

static bool
saves_file(const struct screenshot_args *args) {
    return args->inline_image.given ? !args->inline_image.value
                                    : args->local_path.given;
}

static enum sq_format
choose_format(const struct screenshot_args *args, enum sq_format usual) {
    enum sq_format format = SQ_FORMAT_PNG;
    if (args->format.given) {
        return (enum sq_format)args->format.value;
    }
    if (!saves_file(args)) {
        return args->size.given ? SQ_FORMAT_WEBP : usual;
    }
    sq_output_file_format(args->local_path.value, &format);
    return format;
}

static bool
check_file(const struct sq_call *call, const struct screenshot_args *args,
           struct sq_err *err) {
    if (!call->config->tools.read_only || !saves_file(args)) {
        return true;
    }
    sq_fail(
        err, SQ_ERR_INVALID_OPERATION,
        "${this server is read-only|--read-only is set} and writes no files");
    return sq_fail_hint(err, "Leave $localPath and inline out: the picture "
                             "then comes with the answer.");
}

/* Fails if two arguments cannot be used together. */
static bool
check_pairs(const struct screenshot_args *args, struct sq_err *err) {
    const bool is_png = choose_format(args, SQ_FORMAT_JPEG) == SQ_FORMAT_PNG;
    const bool no_list = args->elements.given && !args->elements.value;
    const struct {
        const char *first, *second;
        bool both;
    } pairs[] = {
        { "$inline: true", "$localPath",
          args->local_path.given && args->inline_image.value },
        { "$region", "$displayId",
          args->region.given && args->display_id.given },
        { "$marks", "$displayId", args->marks.value && args->display_id.given },
        { "$vision: true", "$displayId",
          args->vision.value && args->display_id.given },
        { "$vision: true", "$elements: false",
          args->vision.value && no_list && !args->marks.value },
        { "$quality", "the format png", args->quality.given && is_png },
    };
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
        if (pairs[i].both) {
            return sq_fail_conflict(pairs[i].first, pairs[i].second, err);
        }
    }
    return true;
}

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct screenshot_args *args = raw_args;
    const enum sq_format format = choose_format(args, SQ_FORMAT_JPEG);
    enum sq_format named = format;
    if (!check_size(args, err) || !check_pairs(args, err)
        || !sq_region_id_check(&args->region, &args->screenshot_id, err)) {
        return false;
    }
    sq_output_file_format(args->local_path.value, &named);
    if (named != format && format != SQ_FORMAT_AUTO) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the format %s and the extension of $localPath contradict each "
                "other",
                sq_format_words[args->format.value]);
        return sq_fail_hint(err, "Leave $format out, or change the extension.");
    }
    return !args->local_path.given
        || sq_folder_check_name(args->local_path.value, err)
        || sq_fail_in(err, "localPath");
}

static bool
choose_display(struct sq_call *call, const struct screenshot_args *args,
               const char **out, struct sq_err *err) {
    *out = NULL;
    if (!args->display_id.given) {
        return true;
    }
    if (args->display_id.value.len == 0
        || sq_span_contains(args->display_id.value, 0)) {
        return sq_fail_argument(err, "$displayId is not the id of a display",
                                "Leave it out for the main display.");
    }
    *out = sq_arena_strdup(call->arena, args->display_id.value, err);
    return *out != NULL;
}

static struct sq_screen_picture_opts
shot_opts(const struct sq_call *call, const struct screenshot_args *args,
          const char *display) {
    const int x = args->region.x.value, y = args->region.y.value;
    return (struct sq_screen_picture_opts){
        .display = display,
        .picture_only = args->elements.given && !args->elements.value
                     && !args->caching.value,
        .max_dimension = args->max_dimension.value,
        .size = args->size.given ? (enum sq_screen_picture_size)(
                    sq_max_int(args->size.value, HALF) + SQ_SCREEN_PICTURE_HALF)
                                 : SQ_SCREEN_PICTURE_DEFAULT,
        .budget_tokens = args->budget_tokens.value,
        .raw = args->raw.value,
        .format = choose_format(args, (enum sq_format)call->config->ui.format),
        .grid = args->grid.value,
        .quality = args->quality.value,
        .has_region = args->region.given,
        .region = { x, y, x + args->region.width.value,
                    y + args->region.height.value },
        .region_id = args->screenshot_id.value,
        .to_file = saves_file(args),
        .local_path = args->local_path.value,
    };
}

/* The elements of the screen, if requested. */
struct contents {
    bool wanted;
    bool has_vision; /* with what only the pixels show */
    bool is_fetched; /* before the picture, to be drawn on it */
    struct sq_marks marks;
    struct sq_look look; /* at the pixels that the picture then shows */
    struct sq_tree tree;
    struct sq_tree_state state;
    struct sq_err tree_err; /* why there are none; code NONE: there are some */
    struct sq_listing list;
    bool has_list;
    struct sq_fingerprint print;
    bool known; /* this view was seen before */
};

/* Returns whether the reply is the detailed one. */
static bool
has_seed_form(const struct sq_call *call, const struct screenshot_args *args,
              const struct sq_screen_picture *shot) {
    return args->size.given
        || (call->device->ops->is_simulator && sq_counts_in_points(shot));
}

/* Reads the elements. The picture is returned even without them. */
static bool
fetch(struct sq_call *call, struct contents *contents, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (contents->is_fetched) {
        return true;
    }
    contents->is_fetched = true;
    if (sq_tree_fetch(call, &contents->tree, &contents->state, &local_err)) {
        return true;
    }
    if (sq_is_fatal(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    contents->tree_err = local_err;
    return true;
}

/*
 * Reads before the picture is taken what will be drawn on it. If the pixels
 * cannot be read, elementsNote says so.
 */
static bool
prepare_marks(struct sq_call *call, const struct screenshot_args *args,
              struct contents *contents, struct sq_err *err) {
    contents->marks.arena = call->arena;
    contents->marks.grid = args->grid.value;
    if (!args->marks.value && !contents->has_vision) {
        return true;
    }
    if (contents->has_vision && !sq_look_enabled(call, err)) {
        return false;
    }
    if (!fetch(call, contents, err)) {
        return false;
    }
    contents->marks.tree = args->marks.value ? &contents->tree : NULL;
    contents->look = (struct sq_look){ .call = call,
                                       .tree = &contents->tree,
                                       .screen = { .keeps_capture = true } };
    return !contents->has_vision
        || sq_look_try_merge(&contents->look, &contents->tree_err, err);
}

/* Lists the elements. */
static bool
list(struct sq_call *call, const struct screenshot_args *args,
     const struct sq_screen_picture *shot, struct contents *contents,
     struct sq_err *err) {
    bool is_seed_form = has_seed_form(call, args, shot) && !args->marks.value;
    if (!sq_listing_make(&contents->tree, &shot->frame.view, is_seed_form,
                         call->arena, &contents->list, err)) {
        return false;
    }
    sq_listing_number(call, &contents->list);
    sq_marks_number(call, &contents->marks);
    bool is_read =
        !contents->tree_err.code && contents->state.outcome == SQ_TREE_READ;
    contents->has_list = contents->has_vision || is_read;
    /* With marks they were read before the picture was taken. */
    return !args->marks.value || contents->has_vision || !is_read
        || sq_tree_remember(call, &contents->tree, err);
}

static bool
gather(struct sq_call *call, const struct screenshot_args *args,
       const struct sq_screen_picture *shot, struct contents *contents,
       struct sq_err *err) {
    if (!contents->wanted && !args->marks.value && !args->caching.value) {
        return true;
    }
    if (shot->frame.other_display) {
        sq_fail(&contents->tree_err, SQ_ERR_UNSUPPORTED,
                "Elements are those of the display that taps reach.");
        return true;
    }
    if (!fetch(call, contents, err) || !list(call, args, shot, contents, err)) {
        return false;
    }
    sq_fingerprint_take(&contents->tree, &shot->capture.screen,
                        &contents->print);
    if (sq_is_passing_state(args->state.value)) {
        contents->print.cacheable = false;
    }
    contents->known = args->caching.value && contents->print.cacheable
                   && sq_session_saw_view(call->session, contents->print.hash);
    return true;
}

/* Writes why requested elements are missing. */
static void
put_elements_note(const struct contents *contents, struct sq_json_writer *w) {
    if (!contents->wanted && !contents->marks.tree) {
        return;
    }
    if (contents->tree_err.code) {
        sq_put_message(w, "elementsNote", &contents->tree_err);
    } else if (contents->state.text[0]) {
        sq_put_untrusted(w, "elementsNote", sq_span_of(contents->state.text));
    }
}

/* Writes the names by which the caller can find the picture later. */
static void
put_names(const struct screenshot_args *args, struct sq_json_writer *w) {
    if (args->app_name.value.len + args->screen_name.value.len
            + args->state.value.len
        == 0) {
        return;
    }
    sq_json_begin_object_of(w, "semanticMetadata");
    sq_put_clean(w, "appName", args->app_name.value);
    sq_put_clean(w, "screenName", args->screen_name.value);
    sq_put_clean(w, "state", args->state.value);
    sq_json_end_object(w);
}

static void
put_seed_form(const struct sq_call *call, const struct screenshot_args *args,
              const struct sq_screen_picture *shot,
              const struct contents *contents, struct sq_json_writer *w) {
    const struct sq_ios_metadata origin = {
        .call = call,
        .shot = shot,
        .preset =
            args->size.given ? sizes[sq_max_int(args->size.value, HALF)] : NULL,
        .elements =
            contents->wanted && contents->has_list ? &contents->list : NULL,
        .app_name = args->app_name.value,
        .screen_name = args->screen_name.value,
        .state = args->state.value,
    };
    sq_put_ios_metadata(&origin, w);
}

static bool
answer(struct sq_call *call, const struct screenshot_args *args,
       const struct sq_screen_picture *shot, const struct contents *contents,
       struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    struct sq_json_writer *w = &reply.w;
    sq_screen_picture_put(shot, w);
    if (has_seed_form(call, args, shot)) {
        put_seed_form(call, args, shot, contents, w);
    } else {
        if (contents->wanted && contents->has_list) {
            size_t shown =
                sq_compact_put(&contents->list, MAX_LISTED, SIZE_MAX, w);
            if (shown < contents->list.count) {
                sq_put_int(w, "totalCount", (int64_t)contents->list.count);
            }
        }
        if (call->is_alone && shot->way == SQ_SCREEN_PICTURE_INLINE) {
            sq_put_usage(call, shot, w);
        }
    }
    if (args->display_id.given) {
        sq_put_clean(w, "displayId", args->display_id.value);
    }
    if (args->marks.value) {
        sq_marks_put(&contents->marks, w);
    }
    sq_screen_picture_put_displays(shot, w);
    put_names(args, w);
    if (args->size.value == SQ_ARG_OTHER) {
        sq_put_text(w, "sizeNote",
                    "size must be half, full, quarter or thumb: this is half.");
    }
    put_elements_note(contents, w);
    if (args->caching.value && !contents->tree_err.code
        && contents->state.outcome == SQ_TREE_READ) {
        sq_fingerprint_put(&contents->print, contents->known, w);
    }
    return sq_reply_end(call, &reply, err);
}

/*
 * Remembers a settled view for later calls (opt-in), and makes the list the one
 * that elementIndex refers to.
 */
static bool
remember(struct sq_call *call, const struct screenshot_args *args,
         const struct contents *contents, struct sq_err *err) {
    const struct sq_listing *list = &contents->list;
    bool caches = args->caching.value && contents->print.cacheable;
    bool is_shown = contents->wanted || contents->marks.tree;
    bool ok = !is_shown || !contents->has_list
           || sq_listing_remember(call, list, call->device->change, err);
    if (ok && caches) {
        sq_session_note_view(call->session, contents->print.hash);
    }
    return ok;
}

/* Returns which contents are wanted beside the picture or on it. */
static struct contents
contents_of(const struct sq_call *call, const struct screenshot_args *args) {
    return (struct contents){
        .wanted = args->elements.given
                    ? args->elements.value
                    : call->device->ops->is_simulator
                          || (args->vision.value && !args->marks.value),
        .has_vision = args->vision.given
                        ? args->vision.value
                        : args->marks.value && sq_look_is_enabled(call),
    };
}

/* Lets the device list its elements while the picture is taken. */
static void
start_elements(struct sq_call *call, const struct screenshot_args *args,
               const struct contents *contents) {
    bool is_wanted = contents->wanted || args->caching.value;
    bool is_first = args->marks.value || contents->has_vision;
    if (is_wanted && !is_first && !args->display_id.given) {
        sq_device_start_tree(call->device, &call->deadline);
    }
}

static bool
screenshot_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct screenshot_args *args = raw_args;
    SQ_FREED(sq_screen_picture_finish) struct sq_screen_picture shot = { 0 };
    struct contents contents = contents_of(call, args);
    const char *display;
    if (!check_file(call, args, err)
        || !choose_display(call, args, &display, err)) {
        return false;
    }
    struct sq_screen_picture_opts opts = shot_opts(call, args, display);
    const struct sq_decoration decoration = { sq_marks_draw, &contents.marks };
    opts.decoration =
        args->marks.value || args->grid.value ? &decoration : NULL;
    opts.seen = args->display_id.given ? NULL : &contents.look.screen;
    start_elements(call, args, &contents);
    bool ok = prepare_marks(call, args, &contents, err)
           && sq_screen_picture_make(call, &opts, &shot, err)
           && gather(call, args, &shot, &contents, err)
           && sq_screen_picture_deliver(&shot, err)
           && answer(call, args, &shot, &contents, err)
           && remember(call, args, &contents, err);
    if (ok) {
        sq_screen_picture_commit(&shot);
    }
    sq_device_abandon_tree(call->device);
    sq_look_finish(&contents.look);
    sq_tree_finish(&contents.tree);
    return ok;
}

const struct sq_tool sq_tool_screenshot = {
    .name = "screenshot",
    .title = "Look at the screen",
    .text = "Picture of the screen.",
    .manual =
        "The picture is a JPEG whose longest side has 1000 pixels "
        "(configured, more where the profile counts it alike). `@dump` and "
        "`@find` return coordinates of this picture: squint converts them. "
        "`@tap` takes them. `screenshotId` names this picture in later calls."
        "\n\nChoose at most one size: `maxDimension` (longest side; `auto`: "
        "as small text needs, for 1600 tokens or `budgetTokens`), `size` "
        "(half 512, quarter 256, thumb 128 pixels, full: native; as WebP), "
        "`budgetTokens` (the largest for at most N tokens), `raw` (native "
        "pixels). `format` is jpeg, webp, png or auto.\n\n- The default is "
        "legible on phones and cheap. `size: half` is a first look at large "
        "type for a quarter of the tokens (224x498 in short replies). Of the "
        "words of three dense pages the recogniser reads 85, 52 and 0 % in "
        "it, in the default 99, 98 and 95 %.\n- Small text: `region` first, "
        "up to native resolution; unless a size is given it costs no more "
        "than the whole screen.\n- `budgetTokens` if the conversation has a "
        "limit; `raw` for models with other limits, for agents that manage "
        "their context themselves, and to debug coordinates; it may exceed "
        "API limits with multiple images.\n\n`region` is a rectangle in the "
        "pixels of a picture: the latest one, or the one that `screenshotId` "
        "names (needed while the latest shows only a region). @Tap in it with "
        "its own `screenshotId`.\n\n`inline: false` or `localPath` saves a "
        "file (PNG unless `format` is given) below the output folder and "
        "answers its `path`.\n\n`elements: true` adds the elements, in the "
        "rows of `@dump`: their index is what `elementIndex` takes. "
        "`appName`, `screenName` and `state` are echoed as "
        "`semanticMetadata`. `enableCoordinateCaching` adds "
        "`viewFingerprint`: a hash of the view's structure. It stays the same "
        "as long as its coordinates do.\n\n`marks: true` draws a numbered box "
        "around all that can be touched; the number, or what `elementIndexes` "
        "in the answer has for it, is an `elementIndex`. `vision: true` adds "
        "what only the pixels show (see `@dump`) to the marks, or else lists "
        "the elements with it; marks have it by default if `ui.ocrEnabled` or "
        "`ui.templateMatchingEnabled`. `grid: true` draws a grid. `@tap` "
        "takes a `cell` of it, such as `C7`.\n\n`displayId` shows another "
        "display; taps go to the main one. If a phone has several, `displays` "
        "lists their ids; taps go to `0`.\n\nWith `size`, and on simulators, "
        "the answer has more: the exact scale per axis "
        "(`coordinateTransform`), sizes and guidance; `rtfm` with toolName "
        "`ios` explains it.",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE | SQ_TOOL_ELEMENTS,
    SQ_ARGS(screenshot_args, screenshot_args),
    .words = "output?",
    .check = check,
    .people = { .about = "Write a picture of the screen. squint tap X Y then "
                         "counts in "
                         "its pixels.",
                .examples = { "screenshot", "screenshot login.jpg",
                              "screenshot --region 0,0,450,200 top.png" },
                .show = sq_show_screenshot },
    .uses = SQ_USES_LOOKS | SQ_USES_FINDS | SQ_USE_COSTS | SQ_USE_OUTPUT,
    .synonyms = "screenshot shot snapshot capture look image take-screenshot "
                "see view capture-screenshot screen-capture get-screen "
                "capture-screen screencap observe get-screen-image",
    .other_names = SQ_SYNONYMS(
        { "crop zoom-region crop-image crop-region get-region",
          "screenshot --region X,Y,W,H",
          SQ_UI_CALL("screenshot", ", \"region\": {\"x\": 0, \"y\": 0, "
                                   "\"width\": 200, \"height\": 100}") }),
    .other_arguments =
        SQ_SYNONYMS({ "scale resize", NULL,
                      SQ_UI_CALL("screenshot", ", \"size\": \"half\"") }),
    .run = screenshot_run,
};
