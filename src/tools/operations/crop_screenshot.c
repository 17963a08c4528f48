/* crop_screenshot: returns a part of an archived screenshot in full detail. */
#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "tools/archive/archived_shot.h"
#include "tools/operations.h"
#include "util/minmax.h"

#define CROP_QUALITY 85

struct crop_args {
    struct sq_opt_text screenshot_ref;
    struct sq_opt_double x;
    struct sq_opt_double y;
    struct sq_opt_double width;
    struct sq_opt_double height;
    struct sq_opt_int coordinate_units;
    struct sq_opt_int cell;
    struct sq_opt_int hit;
};

#define NUMBER(field)                                                          \
    {                                                                          \
        .name = #field,                                                        \
        SQ_NUMBER_FIELD(crop_args, field, -SQ_CROP_FAR, SQ_CROP_FAR),          \
        .text = "", .is_hidden = true                                          \
    }

static const struct sq_arg table[] = {
    SQ_TEXT(crop_args, screenshot_ref, "screenshotRef", 64,
            "Or a live screenshotId", .alias = "screenshotId", .flag = "ref",
            .placeholder = "REF", .help = "which one; see squint list"),
    SQ_ARCHIVED_SHOT_NUMBERS(crop_args),
    NUMBER(x),
    NUMBER(y),
    NUMBER(width),
    NUMBER(height),
    SQ_CHOICE(crop_args, coordinate_units, "coordinateUnits",
              sq_crop_rect_units,
              "Default percent; image: of the picture you saw",
              .help = "units of the part", .initial = "percent"),
    SQ_ARGS_END,
};

static void
put_part(struct sq_json_writer *w, const struct sq_crop_rect *part,
         const struct sq_region *region) {
    sq_json_begin_object_of(w, "crop");
    sq_put_double(w, "x", part->x);
    sq_put_double(w, "y", part->y);
    sq_put_double(w, "width", part->width);
    sq_put_double(w, "height", part->height);
    sq_put_text(w, "units", sq_crop_rect_units[part->units]);
    sq_json_end_object(w);
    sq_json_begin_object_of(w, "pixels");
    sq_put_int(w, "x", region->x);
    sq_put_int(w, "y", region->y);
    sq_put_int(w, "width", region->width);
    sq_put_int(w, "height", region->height);
    sq_json_end_object(w);
}

/* The picture to crop, and the reference of the request. */
struct cut {
    struct sq_span ref;
    struct sq_archived_shot_source source;
    struct sq_crop_rect part;
    struct sq_region pixels;
    struct sq_size size; /* of the shot, in which `pixels` counts */
};

/* How much a hit is widened on each side: lines of text above and below. */
#define HIT_MARGIN_LINES 6
#define HIT_MIN_MARGIN 80

/* Returns the part around the words of a hit, in pixels. */
static bool
part_of_hit(struct sq_call *call, int number, struct sq_crop_rect *out,
            struct sq_err *err) {
    struct sq_session_hit hit;
    if (!sq_session_get_hit(call->session, number, &hit, err)) {
        return false;
    }
    int margin = (hit.box.bottom - hit.box.top) * HIT_MARGIN_LINES;
    margin = margin > HIT_MIN_MARGIN ? margin : HIT_MIN_MARGIN;
    int left = sq_max_int(0, hit.box.left - 2 * margin);
    int top = sq_max_int(0, hit.box.top - margin);
    *out = (struct sq_crop_rect){
        left,
        top,
        hit.box.right + 2 * margin - left,
        hit.box.bottom + margin - top,
        SQ_CROP_PIXELS,
    };
    return true;
}

/* Returns the rectangle of the call: all four numbers, or those of a hit. */
static bool
choose_part(struct sq_call *call, const struct crop_args *args,
            struct sq_crop_rect *out, struct sq_err *err) {
    int given =
        args->x.given + args->y.given + args->width.given + args->height.given;
    if (given == 0 && args->hit.given) {
        return part_of_hit(call, args->hit.value, out, err);
    }
    *out = (struct sq_crop_rect){
        args->x.value,
        args->y.value,
        args->width.value,
        args->height.value,
        (enum sq_crop_rect_units)args->coordinate_units.value,
    };
    if (given < 4) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is missing",
                !args->x.given       ? SQ_SAY("x", "X")
                : !args->y.given     ? SQ_SAY("y", "Y")
                : !args->width.given ? SQ_SAY("width", "WIDTH")
                                     : SQ_SAY("height", "HEIGHT"));
        return sq_fail_hint(err, "Give ${x, y, width and height|X Y WIDTH "
                                 "HEIGHT} in percent of the picture.");
    }
    return true;
}

/* Returns the size of the whole picture. */
static bool
find_size(const struct sq_archived_shot_source *source, struct sq_size *out,
          struct sq_err *err) {
    *out = source->place.size;
    return source->place.device_id[0]
        || sq_codec_size(source->bytes.data, source->bytes.len, out, err);
}

static bool
add_part(struct sq_call *call, struct cut *cut, struct sq_region *region,
         struct sq_picture_info *info, struct sq_err *err) {
    struct sq_archived_shot_source *source = &cut->source;
    const struct sq_live_frame_reader reader =
        sq_archived_shot_live_reader(call);
    bool is_away = source->place.device_id[0] != '\0';
    const struct sq_archived_shot_picture how = {
        .max_side = SQ_REPLY_MAX_SIDE,
        .quality = CROP_QUALITY,
        .region = is_away ? NULL : region,
        .priority = 0.9,
    };
    struct sq_size size;
    if (!find_size(source, &size, err)) {
        return false;
    }
    cut->size = sq_archived_shot_size(source, size);
    const struct sq_crop_rect here =
        sq_archived_shot_in_file(source, size, &cut->part);
    return sq_archived_shot_part(call, cut->ref, &here, size, region, err)
        && sq_archived_shot_part(call, cut->ref, &cut->part, cut->size,
                                 &cut->pixels, err)
        && (!is_away
            || sq_live_frame_read_part(&reader, cut->ref, &source->place,
                                       *region, &source->bytes, err))
        && sq_archived_shot_add_picture(call, &source->bytes, &how, info, err);
}

static bool
reply(struct sq_call *call, const struct cut *cut,
      const struct sq_region *region, const struct sq_picture_info *info,
      struct sq_err *err) {
    const struct sq_archived_shot_source *source = &cut->source;
    const struct sq_token_profile *profile = sq_reply_profile(call);
    struct sq_reply text;
    if (!sq_reply_start(call, &text, err)) {
        return false;
    }
    if (source->is_live) {
        sq_json_put_clean(sq_json_at(&text.w, "screenshotId"), cut->ref);
    } else if (!sq_archived_shot_put(call, &source->pick, cut->size, &text.w,
                                     err)) {
        return false;
    }
    put_part(&text.w, &cut->part, &cut->pixels);
    sq_put_size(&text.w, "image", info->image);
    sq_put_int(&text.w, "tokens", sq_token_cost(profile, info->image).tokens);
    sq_put_redacted(&text.w, source->redacted);
    if (source->is_small) {
        sq_put_text(&text.w, "note",
                    source->pick.lost_full
                        ? "The original is empty (0 bytes): the part is cut "
                          "out of the thumbnail, which is all that is left."
                        : "Only a thumbnail is left of this screenshot: the "
                          "part is cut out of that.");
    } else if (info->image.width < region->width) {
        sq_put_text(&text.w, "note",
                    "Made smaller to stay within what a reply may hold: ask "
                    "for a smaller part to see more detail.");
    }
    return sq_reply_end(call, &text, err);
}

static bool
run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct crop_args *args = raw_args;
    struct cut cut = { .source.leaves_pixels = true };
    struct sq_region region;
    struct sq_picture_info info;
    bool ok = sq_archived_shot_named(call, SQ_ARCHIVED_SHOT_REQUEST(args),
                                     &cut.ref, err)
           && choose_part(call, args, &cut.part, err)
           && sq_archived_shot_open(call, cut.ref, &cut.source, err)
           && add_part(call, &cut, &region, &info, err)
           && reply(call, &cut, &region, &info, err);
    if (ok) {
        sq_archived_shot_charge(call, &info);
        if (!cut.source.is_live && !cut.source.is_small) {
            sq_session_set_shown(call->session, cut.ref, info.image, region);
        }
    }
    sq_archived_shot_source_finish(&cut.source);
    return ok;
}

const struct sq_tool sq_tool_crop_screenshot = {
    .name = "crop_screenshot",
    .verb = "crop",
    .title = "Zoom into a past screenshot",
    .text = "A part of a past screenshot in full detail.",
    .manual =
        "The last step of survey, glance, zoom. The part is cut from the full "
        "picture, even if you have seen only a small one: percentages are the "
        "same in both.\n\n- `coordinateUnits`: `percent` (0 to 100, the "
        "default), `normalized` (0 to 1), `pixels` of the full picture, or "
        "`image`: pixels of the last picture of it that you received.\n- "
        "`cell`: a number in the last contact_sheet, or `hit`: a number of "
        "the last search_screenshots, instead of `screenshotRef`. With `hit` "
        "the rectangle may be left out: the part around the words that were "
        "found.\n- A rectangle that extends beyond an edge is clipped: x -10 "
        "with width 30 is 0 to 20 percent. A rectangle entirely outside is an "
        "error.\n- `screenshotRef` may also be the `screenshotId` of a recent "
        "picture of a device, as long as squint keeps its pixels.",
    .flags = SQ_TOOL_BY_ARCHIVE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_IMAGE
           | SQ_TOOL_HEAVY | SQ_TOOL_NUMBERS,
    SQ_ARGS(table, crop_args),
    .words = "screenshotRef x y width height | screenshotRef",
    .region = "x y width height",
    .people = { .about = "Write a part of a past screenshot in full detail; X "
                         "Y WIDTH "
                         "HEIGHT are percent of it.",
                .examples = { "crop REF 0 0 50 50" },
                .show = sq_show_shot },
    .uses = SQ_USES_PAST | SQ_USE_COSTS,
    .synonyms = "crop-screenshot zoom-screenshot",
    .example = "\"screenshotRef\": \"REF\", \"x\": 50, \"y\": 0, \"width\": "
               "50, \"height\": 25",
    .run = run,
};
