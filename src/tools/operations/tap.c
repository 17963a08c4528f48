/* tap: touches a point, an element, or the match of a selector. */
#include "tools/elements/scrolling.h"
#include "tools/elements/target.h"
#include "tools/operations.h"
#include "tools/screen/marks.h"
#include "tools/screen/receipt.h"

#define MAX_POINT 100000 /* sanity limit; frames check the exact range */
#define MAX_SCALE 100

struct tap_args {
    struct sq_opt_double x;
    struct sq_opt_double y;
    struct sq_opt_int element_index;
    struct sq_selector selector;
    struct sq_opt_bool scroll;
    struct sq_opt_text cell;
    struct sq_opt_text screenshot_id;
    struct sq_opt_bool device_space;
    struct sq_opt_int number_of_taps;
    struct sq_opt_int duration_ms;
    struct sq_opt_bool apply_scale;
    struct sq_opt_double scale_x;
    struct sq_opt_double scale_y;
    struct sq_opt_int guard;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_NUMBER(tap_args, x, "x", -MAX_POINT, MAX_POINT, "",
              .help = "pixels from the left edge of the latest picture"),
    SQ_NUMBER(tap_args, y, "y", -MAX_POINT, MAX_POINT, "",
              .help = "pixels from its top edge"),
    SQ_INT(tap_args, element_index, "elementIndex", 0, SQ_MAX_ELEMENT_INDEX,
           "Index in the latest list", .is_hidden = true),
    SQ_SELECTOR(tap_args, selector),
    SQ_BOOL(tap_args, scroll, "scroll", "",
            .help = "scroll to the element if it is not on the screen"),
    SQ_TEXT(tap_args, cell, "cell", 3, "Of the grid: C7", .is_rare = true,
            .help = "a cell of the grid that screenshot --grid draws"),
    SQ_TEXT(tap_args, screenshot_id, "screenshotId", SQ_FRAME_ID_SIZE - 1,
            SQ_LATEST_PICTURE, .placeholder = "ID",
            .help =
                "the picture that the point is in, such as s3; default: the "
                "latest"),
    SQ_BOOL(tap_args, device_space, "deviceSpace", "x, y are device pixels",
            .is_rare = true, .help = "the point is in pixels of the device"),
    SQ_INT(tap_args, number_of_taps, "numberOfTaps", 0, 2, "",
           .help = "2 is a double tap; 0 only moves the mouse there, in a "
                   "browser",
           .initial = "1"),
    SQ_INT(tap_args, duration_ms, "durationMs", 0, 10000, "Long press; swipe",
           .help = "milliseconds to hold, for a long press"),
    SQ_BOOL(tap_args, apply_scale, "applyScreenshotScale",
            "Convert by screenshotScaleX, Y", .is_rare = true,
            .help = "multiply the point by --screenshot-scale-x and -y"),
    SQ_NUMBER(tap_args, scale_x, "screenshotScaleX", 0, MAX_SCALE, "",
              .is_rare = true, .help = "factor for x"),
    SQ_NUMBER(tap_args, scale_y, "screenshotScaleY", 0, MAX_SCALE, "",
              .is_rare = true, .help = "factor for y"),
    SQ_CHOICE(tap_args, guard, "guard", sq_guard_words,
              "strict: refuse if the screen changed there", .is_rare = true,
              .help = "what to do if the screen around the point is not as in "
                      "the picture: report, or strict, which refuses",
              .initial = "report"),
    SQ_RECEIPT_ROWS(tap_args),
    SQ_ARGS_END,
};

static bool
check_where(const struct tap_args *args, struct sq_err *err) {
    bool by_point = args->x.given || args->y.given;
    int ways = by_point + args->element_index.given + args->selector.given
             + args->cell.given;
    if (ways == 0) {
        return sq_fail_argument(
            err, "tap does not say where",
            SQ_SAY("Give x and y, or elementIndex, selector or cell.",
                   "Give X and Y, or TEXT, or --cell."));
    }
    if (ways > 1) {
        return sq_fail_argument(err, "tap says in more than one way where",
                                "Give only one: ${x and y, elementIndex, "
                                "selector or cell|X and Y, TEXT or --cell}.");
    }
    if (args->x.given != args->y.given) {
        return sq_fail_argument(err, "a point needs both x and y",
                                "Give x and y in pixels of the picture.");
    }
    if (args->scroll.value && !args->selector.given) {
        return sq_fail_argument(err, "$scroll needs an element to scroll to",
                                "Give ${selector|TEXT}, or leave it out.");
    }
    if (!by_point
        && ((args->screenshot_id.given && !args->cell.given)
            || args->device_space.value || args->apply_scale.value)) {
        return sq_fail_argument(
            err,
            "$screenshotId, $deviceSpace and $applyScreenshotScale belong to a "
            "point, but none is given",
            "Leave them out, or give x and y.");
    }
    return true;
}

static bool
check_space(const struct tap_args *args, struct sq_err *err) {
    int ways = args->screenshot_id.given + args->device_space.value
             + args->apply_scale.value;
    if (ways > 1) {
        return sq_fail_argument(err,
                                "the point is given in more than one space",
                                "Give only one of $screenshotId, $deviceSpace, "
                                "$applyScreenshotScale.");
    }
    bool factors = args->scale_x.given && args->scale_y.given;
    if (args->apply_scale.value
        && !(factors && args->scale_x.value > 0 && args->scale_y.value > 0)) {
        return sq_fail_argument(
            err,
            "$applyScreenshotScale needs $screenshotScaleX and "
            "$screenshotScaleY above 0",
            "Take them from the screenshot's coordinateTransform, "
            "or leave all three out: x and y are converted anyway.");
    }
    if (!args->apply_scale.given
        && (args->scale_x.given || args->scale_y.given)) {
        return sq_fail_argument(err,
                                "$screenshotScaleX and $screenshotScaleY do "
                                "nothing without $applyScreenshotScale",
                                "Set $applyScreenshotScale: true, or leave "
                                "them out: x and y are converted anyway.");
    }
    return true;
}

static bool
check_touch(const struct tap_args *args, struct sq_err *err) {
    return !args->number_of_taps.given || args->number_of_taps.value == 1
        || args->duration_ms.value == 0
        || sq_fail_argument(err, "a double tap has no duration",
                            "Give $numberOfTaps or $durationMs, not both.");
}

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct tap_args *args = raw_args;
    return check_where(args, err) && check_space(args, err)
        && check_touch(args, err) && sq_selector_check(&args->selector, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

/* Resolves a cell of the grid on the picture that the call names. */
static bool
find_cell(struct sq_call *call, const struct tap_args *args,
          struct sq_target *out, struct sq_err *err) {
    struct sq_screen screen;
    struct sq_frame frame;
    struct sq_img_pt at;
    if (!sq_device_screen(call->device, &screen, &call->deadline, err)
        || !sq_session_grid_frame(call->session, call->device->info.id,
                                  args->screenshot_id.value, &screen, &frame,
                                  err)
        || !sq_grid_middle(frame.view.image, args->cell.value, &at, err)) {
        return false;
    }
    const struct sq_point point = { .x = at.x,
                                    .y = at.y,
                                    .space = SQ_SPACE_IMAGE,
                                    .screenshot_id = sq_span_of(frame.id) };
    return sq_target_point(call, &point, out, err);
}

/*
 * Finds the element of a selector. If it is not on the screen, scrolls to it if
 * that is wanted; the error is then that of the screen as it was before.
 */
static bool
find_element(struct sq_call *call, const struct tap_args *args,
             struct sq_scroll_search *search, struct sq_target *out,
             struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_target_selector(call, &args->selector, 0, out, &local_err)) {
        return true;
    }
    if (!args->scroll.value || local_err.code != SQ_ERR_ELEMENT_NOT_FOUND) {
        return sq_fail_with(err, &local_err);
    }
    if (!sq_scroll_to(call, &args->selector, search, err)) {
        return false;
    }
    if (search->stop == SQ_SCROLL_FOUND) {
        return sq_target_selector(call, &args->selector, 0, out, err);
    }
    sq_fail_with(err, &local_err);
    return sq_fail_in(err, "also after scrolling");
}

static bool
find_target(struct sq_call *call, const struct tap_args *args,
            struct sq_scroll_search *search, struct sq_target *out,
            struct sq_err *err) {
    if (args->element_index.given) {
        return sq_target_index(call, args->element_index.value, out, err);
    }
    if (args->selector.given) {
        return find_element(call, args, search, out, err);
    }
    if (args->cell.given) {
        return find_cell(call, args, out, err);
    }
    const struct sq_point point = {
        .x = args->x.value,
        .y = args->y.value,
        .space = args->apply_scale.value  ? SQ_SPACE_SCALED
               : args->device_space.value ? SQ_SPACE_DEVICE
                                          : SQ_SPACE_IMAGE,
        .screenshot_id = args->screenshot_id.value,
        .scale_x = args->scale_x.value,
        .scale_y = args->scale_y.value,
    };
    return sq_target_point(call, &point, out, err);
}

struct done {
    const struct sq_target *target;
    const struct sq_touch *touch;
    struct sq_scroll_search search; /* without strokes: not made */
};

static void
put_tapped(struct sq_json_writer *w, const void *context) {
    const struct done *done = context;
    sq_json_begin_object_of(w, "tapped");
    sq_put_target(w, done->target);
    if (done->touch->count != 1) {
        sq_put_int(w, "numberOfTaps", done->touch->count);
    }
    if (done->touch->duration_ms > 0) {
        sq_put_int(w, "durationMs", done->touch->duration_ms);
    }
    sq_json_end_object(w);
    if (done->target->is_revealed) {
        sq_json_begin_object_of(w, "scrolled");
        sq_put_bool(w, "toElement", true);
        sq_json_end_object(w);
    } else if (done->search.strokes > 0) {
        sq_json_begin_object_of(w, "scrolled");
        sq_put_text(w, "direction", sq_direction_words[done->search.direction]);
        sq_put_int(w, "strokes", done->search.strokes);
        sq_json_end_object(w);
    }
}

/*
 * Finds the target and looks at the screen. For a point the look comes first:
 * devices tell the size and rotation of the screen with it, which are then not
 * queried again. A list of elements takes long, so the look follows it.
 */
static bool
prepare(struct sq_call *call, const struct tap_args *args, struct sq_act *act,
        struct sq_scroll_search *search, struct sq_target *target,
        struct sq_err *err) {
    bool is_point = args->x.given;
    const struct sq_act_options *options = SQ_ACT_OPTIONS(args);
    return (!is_point || sq_act_begin(act, call, options, err))
        && find_target(call, args, search, target, err)
        && (is_point || sq_act_begin(act, call, options, err))
        && sq_act_aim(act, target, err)
        && sq_guard_check(act, target, (enum sq_guard)args->guard.value, err);
}

static bool
tap_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct tap_args *args = raw_args;
    struct sq_target target = { .has_element = false };
    struct sq_touch touch = {
        .count = args->number_of_taps.given ? args->number_of_taps.value : 1,
        .duration_ms = args->duration_ms.value,
    };
    struct done done = { .target = &target, .touch = &touch };
    SQ_FREED(sq_act_finish) struct sq_act act = { 0 };
    if (touch.count == 0 && !call->device->ops->has_mouse) {
        return sq_fail_argument(err, "the device has no mouse",
                                "Leave $numberOfTaps out, or use a browser.");
    }
    bool ok = prepare(call, args, &act, &done.search, &target, err);
    if (ok) {
        touch.at = target.at;
        touch.id = target.element.id;
        ok = sq_device_tap(call->device, &touch, &call->deadline, err)
          && sq_act_end(&act, put_tapped, NULL, &done, err);
    }
    sq_scroll_search_finish(&done.search);
    return ok;
}

/* Prints a verb and the label of the element that was hit, if known. */
static bool
put_target(struct sq_people *people, const char *verb,
           const struct sq_json *element, const char *name,
           struct sq_err *err) {
    struct sq_span label = sq_json_text_of(element, name);
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "%s", verb)
        && (label.len == 0
            || sq_page_printf(&people->page, SQ_INK_STRONG, err, " \"%.*s\"",
                              SQ_SPAN_ARGS(label)));
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *tapped = sq_json_get(reply, "tapped");
    const struct sq_json *taps = sq_json_get(tapped, "numberOfTaps");
    bool twice = sq_json_int_of(tapped, "numberOfTaps") == 2;
    int ms = sq_json_int_of(tapped, "durationMs");
    return put_target(people,
                      twice    ? "Tapped twice on"
                      : taps   ? "Moved the mouse to"
                      : ms > 0 ? "Pressed"
                               : "Tapped",
                      sq_json_get(reply, "element"), "label", err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, " at ")
        && sq_people_put_point(people, tapped, err)
        && (ms == 0
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err, " for %.1f s",
                              ms / 1000.0))
        && sq_people_put_receipt(people, err);
}

const struct sq_tool sq_tool_tap = {
    .name = "tap",
    .title = "Tap the screen",
    .text = "Tap a point of the picture, or an element.",
    .manual =
        "Give the target in exactly one way:\n\n- `x`, `y`: pixels of the "
        "latest picture. `screenshotId` names an older one or a region's "
        "picture; `deviceSpace: true` means pixels of the device; "
        "`applyScreenshotScale: true` with `screenshotScaleX` and "
        "`screenshotScaleY` multiplies by your own factors instead.\n- "
        "`elementIndex`: the `index` of an element of the latest `@dump` or "
        "`@find`. If it is no longer on the screen as it was listed, the "
        "error is STALE_ELEMENT_INDEX. In a browser it names the element for "
        "as long as that exists, and is scrolled to.\n- `selector`: must "
        "match one element. If several match equally, the error is "
        "AMBIGUOUS_MATCH with the alternatives in `details`; `nearestTo` "
        "chooses by distance. With `ui.ocrEnabled`, text that no element has "
        "is looked for in the pixels. `scroll: true` scrolls down and then up "
        "until it is seen, if it is not on the screen (`scrolled`).\n- "
        "`cell`: a cell such as `C7` of the grid that `@screenshot` draws "
        "with `grid: true`. If no grid was drawn on the latest picture, or on "
        "that of `screenshotId`, the error is STALE_SCREENSHOT.\n\nA point "
        "outside its picture is an error; it is never moved inside. For a "
        "picture taken before the screen was rotated, or while another app "
        "was in the foreground, the error is STALE_SCREENSHOT.\n\nIf the "
        "receipt looks at the screen, the area around a point, as large as a "
        "button, is compared with the picture that the point was taken from. "
        "`targetChanged: true` says that it shows something else now. `guard: "
        "\"strict\"` refuses the tap in that case (STALE_SCREENSHOT), also "
        "without a receipt.\n\nIn a browser `numberOfTaps: 0` only moves the "
        "mouse there, and `durationMs` is a click of the right button.\n\n"
        "```json\n{\"operation\": \"@tap\", \"x\": 200, \"y\": 500}\n```\n\n"
        "On a 450x1000 picture of a 1080x2400 screen the answer begins with\n"
        "\n```json\n"
        "{\"tapped\":{\"x\":200,\"y\":500,\"deviceX\":480,\"deviceY\":1200,"
        "\"coordinateSpace\":\"image\",\"screenshotId\":\"s1\"}}"
        "\n```\n",
    .flags = SQ_TOOL_ACTION,
    SQ_ARGS(table, tap_args),
    .words = "x y | selector.text",
    .timeout_ms = 40000,
    .check = check,
    .people = { .examples = { "tap 200 500", "tap Login",
                              "tap 200 500 --duration-ms 800" },
                .show = show },
    .uses = SQ_USES_ACTS | SQ_USES_FINDS,
    .other_names = SQ_SYNONYMS(
        { "tap click touch tap-element tap-on press-element select "
          "click-element tap-at click-at tap-coordinates "
          "click-on-screen-at-coordinates tap-by-text left-click "
          "mouse-click",
          "tap",
          SQ_UI_CALL(
              "tap",
              ", \"x\": 200, \"y\": 500") ", or elementIndex or selector "
                                          "instead of x and y" },
        { "double-tap double-click double-tap-on-screen "
          "double-tap-on-screen-at-coordinates",
          "tap X Y --number-of-taps 2",
          SQ_UI_CALL("tap", ", \"x\": 200, \"y\": 500, \"numberOfTaps\": 2") },
        { "hover mouse-move move-mouse hover-element",
          "tap X Y --number-of-taps 0",
          SQ_UI_CALL("tap", ", \"x\": 200, \"y\": 500, \"numberOfTaps\": 0") },
        { "long-press long-tap hold long-click right-click context-click "
          "long-press-on-screen-at-coordinates press-and-hold",
          "tap X Y --duration-ms 1000",
          SQ_UI_CALL("tap",
                     ", \"x\": 200, \"y\": 500, \"durationMs\": 1000") }),
    .run = tap_run,
};
