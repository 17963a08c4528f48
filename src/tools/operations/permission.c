/* permission: grants, revokes or resets a permission of an app. */
#include "tools/device/verb.h"
#include "tools/operations.h"

#define MAX_NAME 200

struct permission_args {
    struct sq_opt_text package_name;
    struct sq_opt_text permission;
    struct sq_opt_int change;
    SQ_RECEIPT_FIELDS;
};

static const char *const changes[] = { "grant", "revoke", "reset", NULL };

static const struct sq_arg table[] = {
    SQ_APP_ROW(permission_args, true),
    SQ_TEXT(permission_args, permission, "permission", MAX_NAME, "",
            .required = true, .is_printable = true,
            .help = "camera, microphone, location, photos, ... or a full name"),
    SQ_CHOICE(permission_args, change, "change", changes, "", .required = true,
              .help = "what to do with it"),
    SQ_RECEIPT_ROWS(permission_args),
    SQ_ARGS_END,
};

static bool
permission_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    static const char *const done[] = { "granted", "revoked", "reset" };
    const struct permission_args *args = raw_args;
    struct sq_verb verb = { .is_off_screen = true,
                            .hand = { .verb = SQ_HAND_PERMISSION,
                                      .text = args->permission.value,
                                      .choice = args->change.value },
                            .name = done[args->change.value],
                            .is_given = true };
    verb.value = sq_arena_strdup(call->arena, args->permission.value, err);
    return verb.value && sq_verb_package(call, &args->package_name, &verb, err)
        && sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const char *line =
        sq_json_get(people->reply, "granted")   ? "Granted {granted}"
        : sq_json_get(people->reply, "revoked") ? "Revoked {revoked}"
                                                : "Reset {reset}";
    return sq_people_put_action(people, line, err);
}

const struct sq_tool sq_tool_permission = {
    .name = "permission",
    .title = "Change a permission",
    .text = "Grant, revoke or reset a permission of an app.",
    .manual =
        "`permission` is `camera`, `microphone`, `location`, `contacts`, "
        "`calendar`, `phone`, `sms`, `photos`, `notifications` or a full name "
        "such as `android.permission.CAMERA`; on simulators a service of "
        "simctl privacy. `reset` makes the app ask again (Android 11 and "
        "newer). Android stops an app whose permission is revoked. Before "
        "Android 13, `photos` is READ_EXTERNAL_STORAGE, and `notifications` "
        "is an app operation.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, permission_args),
    .words = "packageName permission change",
    .timeout_ms = 30000,
    .people = { .examples = { "permission Shop camera grant" }, .show = show },
    .uses = SQ_USES_ACTS,
    .synonyms = "permission grant revoke grant-permission set-permission",
    .example = "\"packageName\": \"Shop\", \"permission\": \"camera\", "
               "\"change\": \"grant\"",
    .run = permission_run,
};
