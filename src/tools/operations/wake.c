/* wake: turns the screen on and leaves the lock screen. */
#include "tools/device/verb.h"
#include "tools/operations.h"

struct wake_args {
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_RECEIPT_ROWS(wake_args),
    SQ_ARGS_END,
};

static bool
wake_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct wake_args *args = raw_args;
    struct sq_verb verb = { .hand = { .verb = SQ_HAND_WAKE }, .name = "awake" };
    return sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

const struct sq_tool sq_tool_wake = {
    .name = "wake",
    .title = "Wake the screen",
    .text = "Turn the screen on and unlock it without a secret.",
    .manual =
        "Turns the screen on and leaves a lock screen that has no PIN, "
        "pattern or password. With one of these it fails and says so: squint "
        "never enters a secret. `awake` is true if the device says that its "
        "screen is on, and \"unknown\" if it does not tell. Simulators have "
        "no lock that needs this.",
    .manual_example = "",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, wake_args),
    .timeout_ms = 30000,
    .people = { .examples = { "wake" },
                .line = "The screen is on and unlocked" },
    .uses = SQ_USES_ACTS,
    .synonyms = "wake unlock wake-up screen-on unlock-screen",
    .run = wake_run,
};
