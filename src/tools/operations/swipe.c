/* swipe: moves a finger from one point of the picture to another. */
#include "tools/elements/target.h"
#include "tools/operations.h"
#include "tools/screen/gesture.h"
#include "tools/screen/receipt.h"

#define DEFAULT_MS 300
#define DRAG_MS 500

struct swipe_args {
    struct sq_point_args from;
    struct sq_point_args to;
    struct sq_opt_int duration_ms;
    struct sq_opt_text screenshot_id;
    struct sq_opt_bool device_space;
    SQ_RECEIPT_FIELDS;
};

#define END(field, words)                                                      \
    {                                                                          \
        .name = #field,                                                        \
        SQ_OBJECT_FIELD(swipe_args, field, sq_point_args, sq_point_table),     \
        .required = true, .text = "", .placeholder = "X,Y", .help = (words)    \
    }

static const struct sq_arg table[] = {
    END(from, "where the finger goes down, in pixels of the latest picture"),
    END(to, "where it goes up"),
    SQ_INT(swipe_args, duration_ms, "durationMs", 0, 10000, "Long press; swipe",
           .help = "milliseconds it takes: short is a flick, long a drag",
           .initial = "300"),
    SQ_TEXT(swipe_args, screenshot_id, "screenshotId", SQ_FRAME_ID_SIZE - 1,
            SQ_LATEST_PICTURE, .placeholder = "ID",
            .help =
                "the picture that the points are in, such as s3; default: the "
                "latest"),
    SQ_BOOL(swipe_args, device_space, "deviceSpace", "x, y are device pixels",
            .is_rare = true, .help = "the points are in pixels of the device"),
    SQ_RECEIPT_ROWS(swipe_args),
    SQ_ARGS_END,
};

static bool
find_end(struct sq_call *call, const struct swipe_args *args,
         const struct sq_point_args *end, struct sq_target *out,
         struct sq_err *err) {
    const struct sq_point point = {
        .x = end->x.value,
        .y = end->y.value,
        .space = args->device_space.value ? SQ_SPACE_DEVICE : SQ_SPACE_IMAGE,
        .screenshot_id = args->screenshot_id.value,
    };
    return sq_target_point(call, &point, out, err)
        || sq_fail_in(err, "%s", end == &args->from ? "from" : "to");
}

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct swipe_args *args = raw_args;
    if (args->screenshot_id.given && args->device_space.value) {
        return sq_fail_argument(
            err, "the points are given in more than one space",
            "Give $screenshotId or $deviceSpace, not both.");
    }
    return sq_act_check(SQ_ACT_OPTIONS(args), err);
}

static void
put_swiped(struct sq_json_writer *w, const void *context) {
    sq_json_begin_object_of(w, "swiped");
    sq_put_gesture(w, context);
    sq_json_end_object(w);
}

static bool
swipe_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct swipe_args *args = raw_args;
    struct sq_gesture gesture = {
        .duration_ms =
            args->duration_ms.value ? args->duration_ms.value : DEFAULT_MS,
        .is_drag = args->duration_ms.value >= DRAG_MS,
    };
    SQ_FREED(sq_act_finish) struct sq_act act = { 0 };
    return find_end(call, args, &args->from, &gesture.from, err)
        && find_end(call, args, &args->to, &gesture.to, err)
        && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
        && sq_gesture_make(call, &gesture, err)
        && sq_act_end(&act, put_swiped, NULL, &gesture, err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *swiped = sq_json_get(people->reply, "swiped");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Swiped")
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, " from ")
        && sq_people_put_point(people, sq_json_get(swiped, "from"), err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, " to ")
        && sq_people_put_point(people, sq_json_get(swiped, "to"), err)
        && sq_people_put_receipt(people, err);
}

const struct sq_tool sq_tool_swipe = {
    .name = "swipe",
    .title = "Swipe",
    .text = "From one point to another.",
    .manual =
        "`from` and `to` are points of the latest picture, or of the one "
        "`screenshotId` names, or of the device with `deviceSpace: true`. "
        "`durationMs` (300 if omitted) decides between a flick and a drag. To "
        "move through a list, `@scroll` is simpler.",
    .manual_example =
        "\"from\": {\"x\": 400, \"y\": 500}, \"to\": {\"x\": 50, \"y\": 500}, "
        "\"durationMs\": 200",
    .flags = SQ_TOOL_ACTION,
    SQ_ARGS(table, swipe_args),
    .words = "from.x from.y to.x to.y",
    .timeout_ms = 40000,
    .check = check,
    .people = { .about = "Move a finger from one point to another, in the "
                         "pixels of the "
                         "latest picture.",
                .examples = { "swipe 400 500 50 500" },
                .show = show },
    .uses = SQ_USES_ACTS | SQ_USES_FINDS,
    .synonyms =
        "swipe drag fling flick drag-and-drop swipe-on-screen swipe-gesture",
    .example =
        "\"from\": {\"x\": 400, \"y\": 500}, \"to\": {\"x\": 50, \"y\": 500}",
    .other_arguments =
        SQ_SYNONYMS({ "direction amount", NULL,
                      SQ_UI_CALL("scroll", ", \"direction\": \"down\"") }),
    .run = swipe_run,
};
