/* The steps of the tour, and the summaries of their answers. */
#include "demo/tour/private.h"

static bool
say_screenshot(const struct sq_json *answer, struct sq_buf *out,
               struct sq_err *err) {
    const struct sq_json *image = sq_json_get(answer, "image");
    return sq_buf_printf(out, err, "a picture of %dx%d",
                         sq_json_int_of(image, "width"),
                         sq_json_int_of(image, "height"));
}

static bool
say_found(const struct sq_json *answer, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_json *first =
        sq_json_first(sq_json_get(answer, "elements"));
    struct sq_span text = sq_json_text_of(first, "text");
    return sq_buf_printf(out, err, "%d found: \"%.*s\" at %d,%d",
                         sq_json_int_of(answer, "count"), SQ_SPAN_ARGS(text),
                         sq_json_int_of(first, "centerX"),
                         sq_json_int_of(first, "centerY"));
}

static bool
say_listed(const struct sq_json *answer, struct sq_buf *out,
           struct sq_err *err) {
    return sq_buf_printf(out, err, "%d elements with their places",
                         sq_json_int_of(answer, "count"));
}

static bool
say_change(const struct sq_json *answer, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_json *changed = sq_json_get(answer, "changed");
    if (!sq_json_is(changed, SQ_JSON_OBJECT)) {
        return true;
    }
    return sq_buf_printf(
        out, err, "; %dx%d pixels changed at %d,%d",
        sq_json_int_of(changed, "width"), sq_json_int_of(changed, "height"),
        sq_json_int_of(changed, "x"), sq_json_int_of(changed, "y"));
}

static bool
say_tapped(const struct sq_json *answer, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_json *tapped = sq_json_get(answer, "tapped");
    struct sq_span label =
        sq_json_text_of(sq_json_get(answer, "element"), "label");
    return sq_buf_printf(out, err, "%d,%d became %d,%d on the device",
                         sq_json_int_of(tapped, "x"),
                         sq_json_int_of(tapped, "y"),
                         sq_json_int_of(tapped, "deviceX"),
                         sq_json_int_of(tapped, "deviceY"))
        && (label.len == 0
            || sq_buf_printf(out, err, " and hit \"%.*s\"",
                             SQ_SPAN_ARGS(label)))
        && say_change(answer, out, err);
}

static bool
say_typed(const struct sq_json *answer, struct sq_buf *out,
          struct sq_err *err) {
    const struct sq_json *field = sq_json_get(answer, "field");
    struct sq_span text = sq_json_text_of(field, "text");
    if (text.len) {
        return sq_buf_printf(out, err, "the field now reads \"%.*s\"",
                             SQ_SPAN_ARGS(text));
    }
    return sq_buf_printf(out, err,
                         "%d characters typed; a password is counted, "
                         "never read back",
                         sq_json_int_of(field, "characters"));
}

static bool
say_waited(const struct sq_json *answer, struct sq_buf *out,
           struct sq_err *err) {
    return sq_buf_printf(out, err, "%s",
                         sq_json_int_of(answer, "count") ? "it is there"
                                                         : "not there");
}

static bool
say_launched(const struct sq_json *answer, struct sq_buf *out,
             struct sq_err *err) {
    struct sq_span package = sq_json_text_of(answer, "launched");
    return sq_buf_printf(out, err, "%.*s was launched", SQ_SPAN_ARGS(package));
}

static bool
say_fallback(const struct sq_json *answer, struct sq_buf *out,
             struct sq_err *err) {
    const struct sq_json *image =
        sq_json_get(sq_json_get(answer, "visualFallback"), "image");
    return sq_buf_printf(out, err,
                         "%d elements match, so a picture of %dx%d came "
                         "in the same answer",
                         sq_json_int_of(answer, "count"),
                         sq_json_int_of(image, "width"),
                         sq_json_int_of(image, "height"));
}

static bool
say_refused(const struct sq_json *answer, struct sq_buf *out,
            struct sq_err *err) {
    struct sq_span code = sq_json_text_of(answer, "error");
    struct sq_span message = sq_json_text_of(answer, "message");
    return sq_buf_printf(out, err, "%.*s: %.*s", SQ_SPAN_ARGS(code),
                         SQ_SPAN_ARGS(message));
}

#define PACKAGE "\"packageName\":\"com.squint.demo."

const struct sq_tour_step sq_tour_steps[] = {
    { .part = "Look, act, verify",
      .operation = "screenshot",
      .arguments = "",
      .why = "Look once. The model gets a picture that is small enough to be "
             "cheap and large enough to be read.",
      .say = say_screenshot,
      .picture = SQ_TOUR_GIVEN,
      .file = "01-screenshot.jpg" },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Ask for an element by its text: no picture, hardly any tokens.",
      .say = say_found,
      .picture = SQ_TOUR_AFTER,
      .file = "02-find.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Touch it. The receipt says what was hit and what changed, so "
             "nobody has to look again.",
      .say = say_tapped,
      .picture = SQ_TOUR_BEFORE,
      .file = "03-tap.jpg" },
    { .operation = "dump",
      .arguments = "",
      .why = "List the new screen: one short line per element.",
      .say = say_listed,
      .picture = SQ_TOUR_AFTER,
      .file = "04-dump.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"Ada Lovelace\","
                   "\"selector\":{\"resourceId\":\"username\"}",
      .why = "Focus the field and type, in one call. The field is read back.",
      .say = say_typed,
      .picture = SQ_TOUR_AFTER,
      .file = "05-name.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"correct horse\","
                   "\"selector\":{\"resourceId\":\"password\"}",
      .why = "The same for the password, which never comes back in text.",
      .say = say_typed,
      .picture = SQ_TOUR_AFTER,
      .file = "06-password.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Sign in\"}",
      .why = "Sign in.",
      .say = say_tapped,
      .picture = SQ_TOUR_BEFORE,
      .file = "07-sign-in.jpg" },
    { .operation = "wait",
      .arguments = "\"text\":\"Welcome\"",
      .why = "Wait for what should come next, instead of sleeping and hoping.",
      .say = say_waited },
    { .operation = "find",
      .arguments = "\"selector\":{\"textContains\":\"Welcome\"}",
      .why = "Verify: the greeting is there, with the name that was typed.",
      .say = say_found,
      .picture = SQ_TOUR_AFTER,
      .file = "09-greeting.jpg" },
    { .part = "Find, or fall back",
      .operation = "launch",
      .arguments = PACKAGE "game\",\"receipt\":\"none\"",
      .why = "Now a game. It is pixels only: nothing tells what is on it.",
      .say = say_launched },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"red disc\"}",
      .why = "There is no such element and never will be. Instead of an empty "
             "list the model gets the picture, in the same answer.",
      .say = say_fallback,
      .picture = SQ_TOUR_GIVEN,
      .file = "11-fallback.jpg" },
    { .operation = "tap",
      .eyes = SQ_TOUR_DISC,
      .why = "A model sees the red disc and taps where it is in its picture; "
             "squint converts. (Here a few lines look for the colour.)",
      .say = say_tapped,
      .picture = SQ_TOUR_BEFORE,
      .file = "12-tap.jpg" },
    { .operation = "screenshot",
      .eyes = SQ_TOUR_SCORE,
      .why = "Did it count? A look at the corner that matters, at full "
             "sharpness, costs a fraction of the screen.",
      .say = say_screenshot,
      .picture = SQ_TOUR_GIVEN,
      .file = "13-score.jpg" },
    { .part = "What may not be seen",
      .operation = "launch",
      .arguments = PACKAGE "secure\",\"receipt\":\"none\"",
      .why = "An app that forbids screenshots, as banks do.",
      .say = say_launched },
    { .operation = "screenshot",
      .arguments = "",
      .fails = true,
      .why = "The device would hand out a black picture. Nobody pays for one: "
             "the answer says why, and what still works.",
      .say = say_refused },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"Balance\"}",
      .why = "What still works: the elements are there, without a pixel.",
      .say = say_found },
};
const size_t sq_tour_step_count =
    sizeof(sq_tour_steps) / sizeof(sq_tour_steps[0]);
