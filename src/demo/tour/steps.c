/* The steps of the tour, and the summaries of their answers. */
#include "demo/tour/private.h"

static bool
describe_screenshot(const struct sq_json *answer, struct sq_buf *out,
                    struct sq_err *err) {
    const struct sq_json *image = sq_json_get(answer, "image");
    return sq_buf_printf(out, err, "a picture of %dx%d",
                         sq_json_int_of(image, "width"),
                         sq_json_int_of(image, "height"));
}

static bool
describe_found(const struct sq_json *answer, struct sq_buf *out,
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
describe_listed(const struct sq_json *answer, struct sq_buf *out,
                struct sq_err *err) {
    return sq_buf_printf(out, err, "%d elements with their positions",
                         sq_json_int_of(answer, "count"));
}

static bool
describe_change(const struct sq_json *answer, struct sq_buf *out,
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
describe_tapped(const struct sq_json *answer, struct sq_buf *out,
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
        && describe_change(answer, out, err);
}

static bool
describe_typed(const struct sq_json *answer, struct sq_buf *out,
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
describe_waited(const struct sq_json *answer, struct sq_buf *out,
                struct sq_err *err) {
    return sq_buf_printf(out, err, "%s",
                         sq_json_int_of(answer, "count") ? "found"
                                                         : "not found");
}

static bool
describe_launched(const struct sq_json *answer, struct sq_buf *out,
                  struct sq_err *err) {
    struct sq_span package = sq_json_text_of(answer, "launched");
    return sq_buf_printf(out, err, "%.*s was launched", SQ_SPAN_ARGS(package));
}

static bool
describe_fallback(const struct sq_json *answer, struct sq_buf *out,
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
describe_error(const struct sq_json *answer, struct sq_buf *out,
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
      .describe = describe_screenshot,
      .picture = SQ_TOUR_GIVEN,
      .file = "01-screenshot.jpg",
      .given = "01-given.jpg" },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Ask for an element by its text: no picture, hardly any tokens.",
      .describe = describe_found,
      .picture = SQ_TOUR_AFTER,
      .file = "02-find.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Touch it. The receipt says what was hit and what changed, so "
             "the model need not look again.",
      .describe = describe_tapped,
      .picture = SQ_TOUR_BEFORE,
      .file = "03-tap.jpg" },
    { .operation = "dump",
      .arguments = "",
      .why = "List the new screen: one short line per element.",
      .describe = describe_listed,
      .picture = SQ_TOUR_AFTER,
      .file = "04-dump.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"Ada Lovelace\","
                   "\"selector\":{\"resourceId\":\"username\"}",
      .why = "Focus the field and type, in one call. The field is read back.",
      .describe = describe_typed,
      .picture = SQ_TOUR_AFTER,
      .file = "05-name.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"correct horse\","
                   "\"selector\":{\"resourceId\":\"password\"}",
      .why = "The same for the password, which never comes back in text.",
      .describe = describe_typed,
      .picture = SQ_TOUR_AFTER,
      .file = "06-password.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Sign in\"}",
      .why = "Sign in.",
      .describe = describe_tapped,
      .picture = SQ_TOUR_BEFORE,
      .file = "07-sign-in.jpg" },
    { .operation = "wait",
      .arguments = "\"text\":\"Welcome\"",
      .why = "Wait for what should come next, instead of sleeping.",
      .describe = describe_waited },
    { .operation = "find",
      .arguments = "\"selector\":{\"textContains\":\"Welcome\"}",
      .why = "Verify: the greeting is there, with the name that was typed.",
      .describe = describe_found,
      .picture = SQ_TOUR_AFTER,
      .file = "09-greeting.jpg" },
    { .part = "Find, or fall back",
      .operation = "launch",
      .arguments = PACKAGE "game\",\"receipt\":\"none\"",
      .why = "Now a game. It is pixels only: it has no elements.",
      .describe = describe_launched },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"red disc\"}",
      .why = "A game has no such element. Instead of an empty "
             "list the model gets the picture, in the same answer.",
      .describe = describe_fallback,
      .picture = SQ_TOUR_GIVEN,
      .file = "11-fallback.jpg",
      .given = "11-given.jpg" },
    { .operation = "tap",
      .target = SQ_TOUR_DISC,
      .why = "A model sees the red disc and taps where it is in its picture; "
             "squint converts. (Here a few lines look for the colour.)",
      .describe = describe_tapped,
      .picture = SQ_TOUR_BEFORE,
      .file = "12-tap.jpg" },
    { .operation = "screenshot",
      .target = SQ_TOUR_SCORE,
      .why = "Did it count? A picture of one corner, at full "
             "sharpness, costs a fraction of the screen.",
      .describe = describe_screenshot,
      .picture = SQ_TOUR_GIVEN,
      .file = "13-score.jpg",
      .given = "13-given.jpg" },
    { .part = "Screens that forbid pictures",
      .operation = "launch",
      .arguments = PACKAGE "secure\",\"receipt\":\"none\"",
      .why = "An app that forbids screenshots, as banks do.",
      .describe = describe_launched },
    { .operation = "screenshot",
      .arguments = "",
      .fails = true,
      .why = "The device would return a black picture, which would cost "
             "tokens. The answer says why there is none, and what works.",
      .describe = describe_error },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"Balance\"}",
      .why = "What works: the elements can be read without a picture.",
      .describe = describe_found },
};
const size_t sq_tour_step_count =
    sizeof(sq_tour_steps) / sizeof(sq_tour_steps[0]);
