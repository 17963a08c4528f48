/* The steps of the tour. */
#include "demo/tour/private.h"

#define PICTURE "a picture of {image.width}x{image.height}"
#define FOUND                                                                  \
    "{count} found: \"{elements.0.text}\" at "                                 \
    "{elements.0.centerX},{elements.0.centerY}"
#define CHANGED                                                                \
    "[elements.0:; the new screen has: {elements.0}; {elements.1}; "           \
    "{elements.2} ...][now.0:; {now.0}][now.1:; {now.1}][now.2:; {now.2}]"
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
      .file = "01-given.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Login\"}",
      .why = "Touch something by its text. The answer lists the new screen, "
             "one short line per element, so the model need not look again.",
      .says = TAPPED,
      .picture = SQ_TOUR_ACTED,
      .file = "02-tap.jpg",
      .before = "02-before.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"Ada Lovelace\","
                   "\"selector\":{\"resourceId\":\"username\"}",
      .why = "Focus the field and type, in one call. The field is read back.",
      .says = TYPED,
      .picture = SQ_TOUR_ACTED,
      .file = "03-name.jpg",
      .before = "03-before.jpg" },
    { .operation = "input",
      .arguments = "\"text\":\"correct horse\","
                   "\"selector\":{\"resourceId\":\"password\"}",
      .why = "The same for the password, which never comes back in text.",
      .says = TYPED,
      .picture = SQ_TOUR_ACTED,
      .file = "04-password.jpg",
      .before = "04-before.jpg" },
    { .operation = "tap",
      .arguments = "\"selector\":{\"text\":\"Sign in\"}",
      .why = "Sign in. The receipt names what appeared (+) and what went (-): "
             "the greeting has the name that was typed.",
      .says = TAPPED,
      .picture = SQ_TOUR_ACTED,
      .file = "05-sign-in.jpg",
      .before = "05-before.jpg" },
    { .part = "Words instead of pictures",
      .operation = "launch",
      .arguments = PACKAGE "settings\",\"receipt\":\"none\"",
      .why = "A list that is longer than the screen.",
      .says = LAUNCHED },
    { .operation = "tap",
      .arguments = "\"textContains\":\"Dark theme\",\"scroll\":true",
      .why = "Scroll to a row and touch it, in one call. The receipt has the "
             "new state of the switch.",
      .says = TAPPED,
      .picture = SQ_TOUR_ACTED,
      .file = "07-switch.jpg",
      .before = "07-before.jpg" },
    { .operation = "tap",
      .arguments = "\"textContains\":\"Storage\",\"scroll\":true",
      .why = "A dialog opens: its title and buttons are in the answer.",
      .says = TAPPED,
      .picture = SQ_TOUR_ACTED,
      .file = "08-dialog.jpg",
      .before = "08-before.jpg" },
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
      .file = "10-given.jpg" },
    { .operation = "tap",
      .target = SQ_TOUR_DISC,
      .why = "A model sees the red disc and taps where it is in its picture; "
             "squint converts. (Here a few lines look for the colour.)",
      .says = TAPPED,
      .picture = SQ_TOUR_ACTED,
      .file = "11-tap.jpg",
      .before = "11-before.jpg" },
    { .operation = "screenshot",
      .target = SQ_TOUR_SCORE,
      .why = "Did it count? A picture of one corner, at full "
             "sharpness, costs a fraction of the screen.",
      .says = PICTURE,
      .picture = SQ_TOUR_GIVEN,
      .file = "12-given.jpg" },
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
const size_t sq_tour_step_count = SQ_COUNT(sq_tour_steps);
