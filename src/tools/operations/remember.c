/* remember: keeps a part of a picture under a name, or lists what is kept. */
#include "image/measure/measure.h"
#include "image/png/png.h"
#include "tools/operations.h"
#include "tools/screen/image_source.h"
#include "tools/screen/remembered.h"
#include "vision/template.h"

struct remember_args {
    struct sq_opt_text name;
    struct sq_opt_region region;
    struct sq_opt_text picture;
    struct sq_opt_int element_index;
};

static const struct sq_arg remember_args[] = {
    SQ_TEXT(remember_args, name, "name", SQ_REMEMBERED_NAME_BYTES,
            "To keep it under", .help = "the name to keep it under"),
    SQ_OBJECT(remember_args, region, "region", sq_opt_region, sq_region_args,
              "Part of the picture to keep", .placeholder = "X,Y,W,H",
              .help = "the part of the picture to keep"),
    SQ_TEXT(remember_args, picture, "screenshotId", 64,
            "Picture of the region; omitted: the screen now",
            .alias = "screenshotRef", .is_hidden = true),
    SQ_INT(remember_args, element_index, "elementIndex", 0,
           SQ_MAX_ELEMENT_INDEX, "Element to keep", .is_hidden = true),
    SQ_ARGS_END,
};

static void
put_one(const struct sq_remembered *what, struct sq_json_writer *w) {
    sq_put_clean(w, "name", what->name);
    sq_put_int(w, "width", what->width);
    sq_put_int(w, "height", what->height);
    if (what->density > 0) {
        sq_put_double(w, "density", what->density);
    }
    sq_put_untrusted(w, "app", what->app);
    sq_put_untrusted(w, "beside", what->beside);
}

static bool
answer_list(struct sq_call *call, struct sq_err *err) {
    struct sq_remembered *items;
    size_t count;
    struct sq_reply reply;
    if (!sq_remembered_list(call->arena, &items, &count, err)
        || !sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_json_begin_array_of(&reply.w, "remembered");
    for (size_t i = 0; i < count && sq_reply_has_room(&reply.w); i++) {
        sq_json_begin_object(&reply.w);
        put_one(&items[i], &reply.w);
        sq_json_end_object(&reply.w);
    }
    sq_json_end_array(&reply.w);
    sq_put_int(&reply.w, "count", (int64_t)count);
    return sq_reply_end(call, &reply, err);
}

static bool
answer_one(struct sq_call *call, const struct sq_remembered *what,
           bool is_replaced, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_json_begin_array_of(&reply.w, "remembered");
    sq_json_begin_object(&reply.w);
    put_one(what, &reply.w);
    sq_json_end_object(&reply.w);
    sq_json_end_array(&reply.w);
    sq_put_int(&reply.w, "count", 1);
    sq_put_if_true(&reply.w, "replaced", is_replaced);
    return sq_reply_end(call, &reply, err);
}

/* Fails for a picture that could never be found again. */
static bool
check_picture(const struct sq_image *image, struct sq_err *err) {
    struct sq_flatness flat;
    if (image->width < SQ_MIN_TEMPLATE_SIDE
        || image->height < SQ_MIN_TEMPLATE_SIDE
        || image->width > SQ_MAX_TEMPLATE_SIDE
        || image->height > SQ_MAX_TEMPLATE_SIDE) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the region has %dx%d pixels of the device", image->width,
                image->height);
        return sq_fail_hint(err, "Choose one with sides of %d to %d pixels.",
                            SQ_MIN_TEMPLATE_SIDE, SQ_MAX_TEMPLATE_SIDE);
    }
    if (sq_image_blank(image, &flat)) {
        return sq_fail_argument(err,
                                "the region has a single colour and could not "
                                "be found again",
                                "Choose one with all of the icon or picture "
                                "in it.");
    }
    return true;
}

static bool
store(struct sq_call *call, struct sq_span name,
      const struct sq_image_source *source, struct sq_remembered *what,
      struct sq_err *err) {
    struct sq_rows *rows = NULL;
    *what = (struct sq_remembered){
        .name = name,
        .density = source->density,
        .app = sq_span_of(source->app),
        .beside = source->beside,
        .width = source->image.width,
        .height = source->image.height,
    };
    SQ_BUF(png, SQ_MAX_IMAGE_BYTES);
    bool ok = check_picture(&source->image, err)
           && sq_rows_from_image(&source->image, &rows, err)
           && sq_png_encode(rows, &png, err)
           && sq_arena_keep(call->arena, &what->app, err)
           && sq_remembered_write(what, sq_buf_span(&png), err);
    sq_rows_destroy(rows);
    return ok;
}

/* Returns in *out whether a picture of that name is kept already. */
static bool
is_kept(struct sq_call *call, struct sq_span name, bool *out,
        struct sq_err *err) {
    struct sq_remembered *items;
    size_t count;
    *out = false;
    if (!sq_remembered_list(call->arena, &items, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        *out = *out || sq_span_equal(items[i].name, name);
    }
    return true;
}

static bool
remember_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct remember_args *args = raw_args;
    SQ_FREED(sq_image_source_finish) struct sq_image_source source = { 0 };
    struct sq_remembered what;
    const struct sq_image_request request = {
        .region = args->region,
        .picture = args->picture,
        .element = args->element_index,
        .reads_beside = true,
    };
    if (!sq_image_search_enabled(call, err)) {
        return false;
    }
    if (!args->name.given && !args->region.given
        && !args->element_index.given) {
        return answer_list(call, err);
    }
    bool is_replaced = false;
    return sq_remembered_check_name(args->name.value, err)
        && is_kept(call, args->name.value, &is_replaced, err)
        && sq_image_source_open(call, &request, &source, err)
        && store(call, args->name.value, &source, &what, err)
        && answer_one(call, &what, is_replaced, err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        { "NAME", "name", SQ_INK_STRONG, false },
        { "WIDTH", "width", SQ_INK_STRONG, true },
        { "HEIGHT", "height", SQ_INK_STRONG, true },
        { "APP", "app", SQ_INK_PLAIN, false },
        { "BESIDE", "beside", SQ_INK_PLAIN, false },
        { 0 },
    };
    return sq_people_put_count(people, "remembered picture",
                               "No picture is remembered", err)
        && sq_people_put_table(people, sq_json_get(people->reply, "remembered"),
                               columns, err);
}

const struct sq_tool sq_tool_remember = {
    .name = "remember",
    .words = "name?",
    .title = "Keep a picture by name",
    .text = "Keep a region or element by name, for @find.",
    .manual =
        "Keeps a part of a picture, for `@find` and `@visual-find-image`: "
        "`name`, and `region` of the screen now, or of the earlier picture "
        "that `screenshotId` names (a `screenshotRef` of the archive too), in "
        "the pixels of that picture; or `elementIndex`. The density, the app "
        "and the text beside it (if `ui.ocrEnabled`) are kept with it, in a "
        "file that only its owner can read. The same name again replaces it "
        "(`replaced`); a region of one colour is refused; `@forget` removes "
        "it. Without arguments: lists what is kept. Needs "
        "`ui.templateMatchingEnabled` in the configuration.",
    .flags = SQ_TOOL_BY_TEMPLATES | SQ_TOOL_BRIEF | SQ_TOOL_ACTS | SQ_TOOL_FILES
           | SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IDEMPOTENT,
    SQ_ARGS(remember_args, remember_args),
    .output = "remembered:objects count:int replaced?:bool untrusted?:bool",
    .people = { .about = "Keep a part of the screen under a name, so that "
                         "squint find "
                         "and squint visual-find-image can find it. Without a "
                         "name, list "
                         "what is kept.",
                .examples = { "remember cart --region 390,45,40,40",
                              "remember" },
                .show = show },
    .uses = SQ_USES_LOOKS | SQ_USE_TEMPLATES | SQ_USE_OUTPUT,
    .synonyms = "remember",
    .example = "\"name\": \"cart\", \"region\": {\"x\": 390, \"y\": 45, "
               "\"width\": 40, \"height\": 40}",
    .run = remember_run,
};
