/* rotate: turns the screen, or lets the sensor turn it. */
#include "tools/device/verb.h"
#include "tools/operations.h"

struct rotate_args {
    struct sq_opt_int orientation;
    SQ_RECEIPT_FIELDS;
};

/* In the order of enum sq_turn. */
static const char *const turns[] = {
    "portrait",          "landscape", "portraitReversed",
    "landscapeReversed", "auto",      NULL,
};

static const struct sq_arg table[] = {
    SQ_CHOICE(rotate_args, orientation, "orientation", turns, "",
              .required = true, .help = "where the top of the screen is"),
    SQ_RECEIPT_ROWS(rotate_args),
    SQ_ARGS_END,
};

static bool
rotate_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct rotate_args *args = raw_args;
    struct sq_verb verb = {
        .hand = { .verb = SQ_HAND_ROTATE, .choice = args->orientation.value },
        .name = "orientation",
        .value = turns[args->orientation.value],
    };
    return sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

const struct sq_tool sq_tool_rotate = {
    .name = "rotate",
    .title = "Rotate the screen",
    .text = "Turn the screen.",
    .manual =
        "Turns the screen and keeps it so; `auto` lets the sensor decide "
        "again. `orientation` of the answer is how the display is turned "
        "then, or `unknown`: an app that allows one orientation only is not "
        "turned. Every version of Android; simulators cannot be turned by a "
        "program.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, rotate_args),
    .words = "orientation",
    .timeout_ms = 30000,
    .people = { .examples = { "rotate landscape" },
                .line = "Rotated: {orientation}" },
    .uses = SQ_USES_ACTS,
    .synonyms =
        "rotate orientation set-orientation rotate-device rotate-screen",
    .example = "\"orientation\": \"landscape\"",
    .run = rotate_run,
};
