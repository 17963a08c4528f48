/* uninstall: removes an app and its data. */
#include "tools/device/verb.h"
#include "tools/operations.h"

struct uninstall_args {
    struct sq_opt_text package_name;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_APP_ROW(uninstall_args, true),
    SQ_RECEIPT_ROWS(uninstall_args),
    SQ_ARGS_END,
};

static bool
uninstall_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct uninstall_args *args = raw_args;
    struct sq_verb verb = { .hand = { .verb = SQ_HAND_UNINSTALL },
                            .name = "uninstalled",
                            .shows_package = true };
    return sq_install_check(call->config, err)
        && sq_verb_package(call, &args->package_name, &verb, err)
        && sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

const struct sq_tool sq_tool_uninstall = {
    .name = "uninstall",
    .verb = "uninstall-app",
    .title = "Uninstall an app",
    .text = "Remove an app and its data, if allowed.",
    .manual =
        "Removes `packageName` and all its data. Allowed only if the person "
        "has set `tools.installFrom`. Android refuses to remove system apps.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_BY_INSTALL_FOLDER | SQ_TOOL_DESTRUCTIVE
           | SQ_TOOL_ACTION,
    SQ_ARGS(table, uninstall_args),
    .words = "packageName",
    .timeout_ms = 60000,
    .people = { .examples = { "uninstall-app com.example.app" },
                .line = "Uninstalled {uninstalled}" },
    .uses = SQ_USES_ACTS | SQ_USE_INSTALLS,
    .synonyms = "uninstall uninstall-app remove-app",
    .example = "\"packageName\": \"com.example.app\"",
    .run = uninstall_run,
};
