/* pinch: moves several fingers apart, together, around or along. */
#include "tools/device/verb.h"
#include "tools/elements/target.h"
#include "tools/operations.h"
#include "tools/screen/gesture.h"

#define DEFAULT_MS 400

struct pinch_args {
    struct sq_opt_double x;
    struct sq_opt_double y;
    struct sq_selector selector;
    struct sq_opt_double scale;
    struct sq_opt_double degrees;
    struct sq_point_args to;
    struct sq_opt_int fingers;
    struct sq_opt_int duration_ms;
    struct sq_opt_text screenshot_id;
    struct sq_opt_bool device_space;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_NUMBER(pinch_args, x, "x", -SQ_MAX_POINT, SQ_MAX_POINT, "",
              .help = "the middle of the fingers, in pixels of the latest "
                      "picture"),
    SQ_NUMBER(pinch_args, y, "y", -SQ_MAX_POINT, SQ_MAX_POINT, "",
              .help = "pixels from its top edge"),
    SQ_SELECTOR(pinch_args, selector),
    SQ_NUMBER(pinch_args, scale, "scale", SQ_MIN_PINCH_SCALE,
              SQ_MAX_PINCH_SCALE, "", .is_rare = true,
              .help = "2 moves the fingers apart to twice their distance, 0.5 "
                      "together",
              .initial = "1"),
    SQ_NUMBER(pinch_args, degrees, "degrees", -360, 360, "", .is_rare = true,
              .help = "turn them clockwise", .initial = "0"),
    SQ_OBJECT(pinch_args, to, "to", sq_point_args, sq_point_table, "",
              .placeholder = "X,Y",
              .help = "where the middle of the fingers goes"),
    SQ_INT(pinch_args, fingers, "fingers", SQ_MIN_FINGERS, SQ_MAX_FINGERS, "",
           .is_rare = true, .help = "how many", .initial = "2"),
    SQ_INT(pinch_args, duration_ms, "durationMs", 0, 10000, "Long press; swipe",
           .help = "milliseconds it takes", .initial = "400"),
    SQ_TEXT(pinch_args, screenshot_id, "screenshotId", SQ_FRAME_ID_SIZE - 1,
            SQ_LATEST_PICTURE, .placeholder = "ID",
            .help =
                "the picture that the points are in, such as s3; default: the "
                "latest"),
    SQ_BOOL(pinch_args, device_space, "deviceSpace", "x, y are device pixels",
            .is_rare = true, .help = "the points are in pixels of the device"),
    SQ_RECEIPT_ROWS(pinch_args),
    SQ_ARGS_END,
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct pinch_args *args = raw_args;
    bool by_point = args->x.given || args->y.given;
    if (!args->scale.given && !args->degrees.given && !args->to.given
        && !args->fingers.given) {
        return sq_fail_argument(err, "pinch does not say what the fingers do",
                                "Give $scale, $degrees or $to, or several of "
                                "them; only $fingers for a tap with several.");
    }
    if (by_point == args->selector.given || args->x.given != args->y.given) {
        return sq_fail_argument(err,
                                "pinch does not say where, or says it twice",
                                "Give x and y, the middle of the fingers, or "
                                "${a selector|the TEXT of an element}.");
    }
    if (args->screenshot_id.given && args->device_space.value) {
        return sq_fail_argument(
            err, "the points are given in more than one space",
            "Give $screenshotId or $deviceSpace, not both.");
    }
    return sq_selector_check(&args->selector, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

/* The middle of the fingers at first and at last. */
struct way {
    struct sq_target from;
    struct sq_target to;
    struct sq_pinch pinch;
    bool moves;
};

static bool
find_point(struct sq_call *call, const struct pinch_args *args, double x,
           double y, struct sq_target *out, struct sq_err *err) {
    const struct sq_point point = {
        .x = x,
        .y = y,
        .space = args->device_space.value ? SQ_SPACE_DEVICE : SQ_SPACE_IMAGE,
        .screenshot_id = args->screenshot_id.value,
    };
    return sq_target_point(call, &point, out, err);
}

static bool
find_way(struct sq_call *call, const struct pinch_args *args, struct way *way,
         struct sq_err *err) {
    bool ok = args->selector.given
                ? sq_target_selector(call, &args->selector, 0, &way->from, err)
                : find_point(call, args, args->x.value, args->y.value,
                             &way->from, err);
    way->to = way->from;
    way->moves = args->to.given;
    return ok
        && (!way->moves
            || find_point(call, args, args->to.x.value, args->to.y.value,
                          &way->to, err)
            || sq_fail_in(err, "to"));
}

static bool
plan(const struct pinch_args *args, struct way *way,
     struct sq_finger_paths *paths, struct sq_err *err) {
    const struct sq_screen *screen = &way->from.screen;
    way->pinch = (struct sq_pinch){
        .from = way->from.at,
        .to = way->to.at,
        .scale = args->scale.given ? args->scale.value : 1,
        .degrees = args->degrees.value,
        .fingers = args->fingers.given ? args->fingers.value : 2,
        .duration_ms =
            args->duration_ms.given ? args->duration_ms.value : DEFAULT_MS,
    };
    return sq_pinch_plan(&way->pinch, screen->size, screen->density, paths,
                         err);
}

static void
put_pinched(struct sq_json_writer *w, const void *context) {
    const struct way *way = context;
    sq_json_begin_object_of(w, "pinched");
    sq_put_target(w, &way->from);
    if (way->moves) {
        sq_json_begin_object_of(w, "to");
        sq_put_point(w, &way->to);
        sq_json_end_object(w);
    }
    sq_json_put_double(sq_json_at(w, "scale"), way->pinch.scale);
    sq_json_put_double(sq_json_at(w, "degrees"), way->pinch.degrees);
    sq_put_int(w, "fingers", way->pinch.fingers);
    sq_put_int(w, "durationMs", way->pinch.duration_ms);
    sq_json_end_object(w);
}

static bool
act_on(struct sq_call *call, const struct pinch_args *args,
       const struct way *way, const struct sq_finger_paths *paths,
       struct sq_err *err) {
    const char *remark = NULL;
    const struct sq_hand hand = { .verb = SQ_HAND_GESTURE,
                                  .paths = paths,
                                  .remark = &remark };
    SQ_FREED(sq_act_finish) struct sq_act act = { 0 };
    bool ok = sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
           && sq_act_aim(&act, &way->from, err)
           && sq_device_hand(call->device, &hand, &call->deadline, err);
    if (ok && remark) {
        sq_act_note(&act, "%s", remark);
    }
    return ok && sq_act_end(&act, put_pinched, NULL, way, err);
}

static bool
pinch_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct pinch_args *args = raw_args;
    struct sq_finger_paths paths;
    struct way way;
    return sq_device_can(call->device, SQ_HAND_GESTURE, err)
        && find_way(call, args, &way, err) && plan(args, &way, &paths, err)
        && act_on(call, args, &way, &paths, err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *pinched = sq_json_get(people->reply, "pinched");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err,
                          "Moved %d fingers around ",
                          sq_json_int_of(pinched, "fingers"))
        && sq_people_put_point(people, pinched, err)
        && sq_people_put_receipt(people, err);
}

const struct sq_tool sq_tool_pinch = {
    .name = "pinch",
    .title = "Pinch with several fingers",
    .text = "Zoom, turn or move with several fingers.",
    .manual =
        "Puts `fingers` (2 to 5; 2 if omitted) down around `x`, `y` of the "
        "latest picture, or around the element of a `selector`, and moves "
        "them: `scale: 2` apart to twice their distance (zooms in), `scale: "
        "0.5` together, `degrees: 90` clockwise around their middle, `to` "
        "their middle to another point; several of these together. With "
        "`fingers` alone it is a tap with several fingers. An app may zoom by "
        "another factor, and ignores fingers that begin outside of what it "
        "zooms.\n\nWorks on the demo phone; on emulators on this machine, any "
        "version, through their gRPC interface; on an Android device on which "
        "adb has root (`adb root`, emulators and development builds) or whose "
        "version is 12 or newer and whose maker lets adb use /dev/uinput; "
        "else it is refused before anything is done. Not on simulators: idb "
        "has one finger.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, pinch_args),
    .words = "x y | selector.text",
    .timeout_ms = 60000,
    .check = check,
    .people = { .examples = { "pinch 200 500 --scale 2",
                              "pinch Map --degrees 90 --scale 0.5" },
                .show = show },
    .uses = SQ_USES_ACTS | SQ_USES_FINDS,
    .synonyms = "pinch zoom zoom-in zoom-out pinch-zoom pinch-in pinch-out "
                "two-finger multi-touch rotate-gesture",
    .example = "\"x\": 200, \"y\": 500, \"scale\": 2",
    .run = pinch_run,
};
