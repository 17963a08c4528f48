/* reset: deletes the data of an app. */
#include "tools/device/verb.h"
#include "tools/operations.h"

struct reset_args {
    struct sq_opt_text package_name;
    struct sq_opt_bool confirm;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_APP_ROW(reset_args, true),
    SQ_BOOL(reset_args, confirm, "confirm", "true: it cannot be undone",
            .help = "required: this cannot be undone"),
    SQ_RECEIPT_ROWS(reset_args),
    SQ_ARGS_END,
};

static bool
reset_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct reset_args *args = raw_args;
    struct sq_verb verb = { .hand = { .verb = SQ_HAND_RESET },
                            .name = "reset",
                            .shows_package = true };
    if (!args->confirm.value) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION,
                "this deletes all data of the app, and ${confirm is not "
                "true|--confirm was not given}");
        return sq_fail_hint(err,
                            "Nothing was done. ${Set confirm: true if the "
                            "person wants|Add --confirm if you want} this.");
    }
    return sq_verb_package(call, &args->package_name, &verb, err)
        && sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

const struct sq_tool sq_tool_reset = {
    .name = "reset",
    .title = "Delete the data of an app",
    .text = "Delete all data of an app.",
    .manual =
        "Deletes the data, accounts and settings of `packageName`, as if it "
        "had just been installed, and stops it. Needs `confirm: true`. "
        "Simulators cannot do this.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_DESTRUCTIVE | SQ_TOOL_ACTION,
    SQ_ARGS(table, reset_args),
    .words = "packageName",
    .timeout_ms = 30000,
    .people = { .examples = { "reset Shop --confirm" },
                .line = "Deleted the data of {reset}" },
    .uses = SQ_USES_ACTS,
    .synonyms = "reset clear-data clear-state reset-app clear-app-data",
    .example = "\"packageName\": \"Shop\", \"confirm\": true",
    .run = reset_run,
};
