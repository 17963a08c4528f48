/* The steps of the tour. */
#include "demo/tour/private.h"

#define PICTURE "a picture of {image.width}x{image.height}"
#define FOUND                                                                  \
    "{count} found: \"{elements.0.text}\" at "                                 \
    "{elements.0.centerX},{elements.0.centerY}"
#define CHANGED                                                                \
    "[elements.0:; the elements of the new screen][now.0:; now: {now.0}]"
#define TAPPED                                                                 \
    "{tapped.x},{tapped.y} became {tapped.deviceX},{tapped.deviceY} on the "   \
    "device[element.label: and hit \"{element.label}\"]" CHANGED
#define TYPED                                                                  \
    "[field.text:the field now reads \"{field.text}\"][!field.text:"           \
    "{field.characters} characters typed; a password is counted, never read "  \
    "back]"
#define LAUNCHED "{launched} was launched" CHANGED
#define PACKAGE "\"packageName\":\"com.squint.demo."

const struct sq_tour_step sq_tour_steps[] = {
    { .part = "Look, act, verify",
      .operation = "screenshot",
      .arguments = "",
      .why = "Look once. The model gets a picture that is small enough to be "
             "cheap and large enough to be read.",
      .says = PICTURE,
      .picture = SQ_TOUR_GIVEN,
      .file = "01-screenshot.jpg",
      .given = "01-given.jpg" },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Ask for an element by its text: no picture, hardly any tokens.",
      .says = FOUND,
      .picture = SQ_TOUR_AFTER,
      .file = "02-find.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Touch it. The receipt says what was hit and what changed, so "
             "the model need not look again.",
      .says = TAPPED,
      .picture = SQ_TOUR_BEFORE,
      .file = "03-tap.jpg" },
    { .operation = "dump",
      .arguments = "",
      .why = "List the new screen: one short line per element.",
      .says = "{count} elements with their positions",
      .picture = SQ_TOUR_AFTER,
      .file = "04-dump.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"Ada Lovelace\","
                   "\"selector\":{\"resourceId\":\"username\"}",
      .why = "Focus the field and type, in one call. The field is read back.",
      .says = TYPED,
      .picture = SQ_TOUR_AFTER,
      .file = "05-name.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"correct horse\","
                   "\"selector\":{\"resourceId\":\"password\"}",
      .why = "The same for the password, which never comes back in text.",
      .says = TYPED,
      .picture = SQ_TOUR_AFTER,
      .file = "06-password.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Sign in\"}",
      .why = "Sign in.",
      .says = TAPPED,
      .picture = SQ_TOUR_BEFORE,
      .file = "07-sign-in.jpg" },
    { .operation = "wait",
      .arguments = "\"text\":\"Welcome\"",
      .why = "Wait for what should come next, instead of sleeping.",
      .says = "[count:found][!count:not found]" },
    { .operation = "find",
      .arguments = "\"selector\":{\"textContains\":\"Welcome\"}",
      .why = "Verify: the greeting is there, with the name that was typed.",
      .says = FOUND,
      .picture = SQ_TOUR_AFTER,
      .file = "09-greeting.jpg" },
    { .part = "Find, or fall back",
      .operation = "launch",
      .arguments = PACKAGE "game\",\"receipt\":\"none\"",
      .why = "Now a game. It is pixels only: it has no elements.",
      .says = LAUNCHED },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"red disc\"}",
      .why = "A game has no such element. Instead of an empty "
             "list the model gets the picture, in the same answer.",
      .says = "{count} elements match, so a picture of "
              "{visualFallback.image.width}x{visualFallback.image.height} came "
              "in the same answer",
      .picture = SQ_TOUR_GIVEN,
      .file = "11-fallback.jpg",
      .given = "11-given.jpg" },
    { .operation = "tap",
      .target = SQ_TOUR_DISC,
      .why = "A model sees the red disc and taps where it is in its picture; "
             "squint converts. (Here a few lines look for the colour.)",
      .says = TAPPED,
      .picture = SQ_TOUR_BEFORE,
      .file = "12-tap.jpg" },
    { .operation = "screenshot",
      .target = SQ_TOUR_SCORE,
      .why = "Did it count? A picture of one corner, at full "
             "sharpness, costs a fraction of the screen.",
      .says = PICTURE,
      .picture = SQ_TOUR_GIVEN,
      .file = "13-score.jpg",
      .given = "13-given.jpg" },
    { .part = "Screens that forbid pictures",
      .operation = "launch",
      .arguments = PACKAGE "secure\",\"receipt\":\"none\"",
      .why = "An app that forbids screenshots, as banks do.",
      .says = LAUNCHED },
    { .operation = "screenshot",
      .arguments = "",
      .fails = true,
      .why = "The device would return a black picture, which would cost "
             "tokens. The answer says why there is none, and what works.",
      .says = "{error}: {message}" },
    { .operation = "find",
      .arguments = "\"selector\":{\"text\":\"Balance\"}",
      .why = "What works: the elements can be read without a picture.",
      .says = FOUND },
};
const size_t sq_tour_step_count =
    sizeof(sq_tour_steps) / sizeof(sq_tour_steps[0]);
