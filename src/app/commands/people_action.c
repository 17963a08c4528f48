/* Shows people what an action did, and whether the screen changed. */
#include "app/commands/people_private.h"

/* Prints where a point is: "200,500 (480,1200 on the device)". */
static bool
put_point(struct sq_people *people, const struct sq_json *point,
          struct sq_err *err) {
    struct sq_span x = { 0 }; /* as it was given; may have a fraction */
    struct sq_span y = { 0 };
    int device_x = sq_json_int_of(point, "deviceX");
    int device_y = sq_json_int_of(point, "deviceY");
    sq_json_number(sq_json_get(point, "x"), &x);
    sq_json_number(sq_json_get(point, "y"), &y);
    bool converted = device_x != sq_json_int_of(point, "x")
                  || device_y != sq_json_int_of(point, "y");
    return sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%.*s,%.*s",
                          SQ_SPAN_ARGS(x), SQ_SPAN_ARGS(y))
        && (!converted
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              " (%d,%d on the device)", device_x, device_y));
}

/* Prints what changed; nothing if it was not compared. */
static bool
put_change(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *changed = sq_json_get(reply, "changed");
    struct sq_span reason = sq_json_text_of(reply, "reason");
    struct sq_page *page = &people->page;
    if (sq_json_is(changed, SQ_JSON_NULL)) {
        int ms = sq_json_int_of(reply, "watchedMs")
               + sq_json_int_of(reply, "lookedAfterMs"); /* one of them */
        return sq_page_printf(page, SQ_INK_DOUBT, err, "; nothing changed")
            && (ms == 0
                || sq_page_printf(page, SQ_INK_DOUBT, err, " in %.1f s",
                                  ms / 1000.0));
    }
    if (changed) {
        return sq_page_printf(
            page, SQ_INK_GOOD, err, "; the screen changed (%dx%d at %d,%d)",
            sq_json_int_of(changed, "width"), sq_json_int_of(changed, "height"),
            sq_json_int_of(changed, "x"), sq_json_int_of(changed, "y"));
    }
    return reason.len == 0
        || sq_page_printf(page, SQ_INK_DOUBT, err, "; not compared: %.*s",
                          SQ_SPAN_ARGS(reason));
}

bool
sq_people_put_receipt(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *picture = sq_json_get(reply, "picture");
    bool moving =
        sq_json_get(reply, "settled") && !sq_reply_is_true(reply, "settled");
    return put_change(people, err)
        && (!moving
            || sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                              "; it is still changing"))
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n")
        && sq_people_put_elements(people, err)
        && sq_people_put_written(people, picture, err)
        && sq_people_put_usage(people, picture, err);
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

bool
sq_show_tap(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *tapped = sq_json_get(reply, "tapped");
    bool twice = sq_json_int_of(tapped, "numberOfTaps") == 2;
    int ms = sq_json_int_of(tapped, "durationMs");
    return put_target(people,
                      twice    ? "Tapped twice on"
                      : ms > 0 ? "Pressed"
                               : "Tapped",
                      sq_json_get(reply, "element"), "label", err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, " at ")
        && put_point(people, tapped, err)
        && (ms == 0
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err, " for %.1f s",
                              ms / 1000.0))
        && sq_people_put_receipt(people, err);
}

bool
sq_show_input(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *reply = people->reply;
    const struct sq_json *typed = sq_json_get(reply, "typed");
    const struct sq_json *field = sq_json_get(reply, "field");
    int count = sq_json_int_of(typed, "characters");
    bool submitted = sq_reply_is_true(typed, "submitted");
    struct sq_span label = sq_json_text_of(field, "hint");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err,
                          "Typed %d character%s", count, sq_plural(count))
        && (label.len == 0
            || sq_page_printf(&people->page, SQ_INK_STRONG, err,
                              " into \"%.*s\"", SQ_SPAN_ARGS(label)))
        && (!submitted
            || sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                              " and pressed enter"))
        && sq_people_put_receipt(people, err);
}

static bool
show_gesture(struct sq_people *people, const struct sq_json *gesture,
             struct sq_err *err) {
    return sq_page_printf(&people->page, SQ_INK_PLAIN, err, " from ")
        && put_point(people, sq_json_get(gesture, "from"), err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, " to ")
        && put_point(people, sq_json_get(gesture, "to"), err)
        && sq_people_put_receipt(people, err);
}

bool
sq_show_scroll(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *scrolled = sq_json_get(people->reply, "scrolled");
    struct sq_span direction = sq_json_text_of(scrolled, "direction");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Scrolled %.*s",
                          SQ_SPAN_ARGS(direction))
        && sq_people_put_receipt(people, err);
}

bool
sq_show_swipe(struct sq_people *people, struct sq_err *err) {
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "Swiped")
        && show_gesture(people, sq_json_get(people->reply, "swiped"), err);
}

bool
sq_show_pinch(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *pinched = sq_json_get(people->reply, "pinched");
    return sq_page_printf(&people->page, SQ_INK_STRONG, err,
                          "Moved %d fingers around ",
                          sq_json_int_of(pinched, "fingers"))
        && put_point(people, pinched, err)
        && sq_people_put_receipt(people, err);
}

/* Shows an action that has only a name: a key or an app. */
static bool
show_named(struct sq_people *people, const char *verb, const char *member,
           struct sq_err *err) {
    struct sq_span name = sq_json_text_of(people->reply, member);
    return sq_page_printf(&people->page, SQ_INK_STRONG, err, "%s %.*s", verb,
                          SQ_SPAN_ARGS(name))
        && sq_people_put_receipt(people, err);
}

bool
sq_show_key(struct sq_people *people, struct sq_err *err) {
    return show_named(people, "Pressed", "pressed", err);
}

bool
sq_show_launch(struct sq_people *people, struct sq_err *err) {
    return show_named(people, "Launched", "launched", err);
}

bool
sq_show_stop(struct sq_people *people, struct sq_err *err) {
    return show_named(people, "Stopped", "stopped", err);
}
