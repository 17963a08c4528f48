/* devices: lists the available devices, and why others are unavailable. */
#include "device/device.h"
#include "device/kinds.h"
#include "tool/names.h"
#include "tools/operations.h"
#include "tools/reply.h"

static void
put_device(const struct sq_device_info *info, struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_put_untrusted(w, "id", sq_span_of(info->id));
    sq_put_text(w, "kind", info->kind);
    sq_put_untrusted(w, "name", sq_span_of(info->name));
    sq_put_text(w, "state", sq_device_state_name(info->state));
    sq_put_untrusted(w, "why", sq_span_of(info->why));
    sq_put_untrusted(w, "hint", sq_span_of(info->hint));
    sq_json_end_object(w);
}

static void
put_problem(const struct sq_call *call, const struct sq_device_problem *problem,
            struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_put_text(w, "kind", problem->kind);
    sq_put_text(w, "error", sq_tool_error_name(problem->err.code));
    sq_put_message(w, "message", &problem->err);
    if (problem->err.hint[0]) {
        sq_put_advice(call, w, "suggestion", problem->err.hint);
    }
    sq_json_end_object(w);
}

static void
put_list(const struct sq_call *call, const struct sq_device_list *list,
         struct sq_json_writer *w) {
    sq_json_put_key(w, "devices");
    sq_json_begin_array(w);
    for (size_t i = 0; i < list->count; i++) {
        put_device(&list->items[i], w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)list->count);
    if (list->problem_count > 0) {
        sq_json_put_key(w, "problems");
        sq_json_begin_array(w);
        for (size_t i = 0; i < list->problem_count; i++) {
            put_problem(call, &list->problems[i], w);
        }
        sq_json_end_array(w);
    }
}

static bool
devices_run(struct sq_call *call, const void *args, struct sq_err *err) {
    (void)args;
    struct sq_device_list list = { 0 };
    struct sq_reply reply;
    bool ok = sq_devices_list(call->devices, &list, &call->deadline, err)
           && sq_reply_start(call, &reply, err);
    if (ok) {
        put_list(call, &list, &reply.w);
        ok = sq_reply_end(call, &reply, err);
    }
    sq_device_list_finish(&list);
    return ok;
}

static const struct sq_out device_output[] = {
    { "id", SQ_OUT_TEXT, true, NULL },
    { "kind", SQ_OUT_TEXT, true, NULL },
    { "name", SQ_OUT_TEXT, false, NULL },
    { "state", SQ_OUT_TEXT, true, NULL },
    { "why", SQ_OUT_TEXT, false, NULL },
    { "hint", SQ_OUT_TEXT, false, NULL },
    SQ_OUT_END,
};

static const struct sq_out output[] = {
    { "devices", SQ_OUT_OBJECTS, true, device_output },
    { "count", SQ_OUT_INT, true, NULL },
    { "problems", SQ_OUT_OBJECTS, false, NULL },
    { "untrusted", SQ_OUT_BOOL, false, NULL },
    SQ_OUT_END,
};

const struct sq_tool sq_tool_devices = {
    .name = "devices",
    .title = "List devices",
    .text = "List usable screens, and why others are not.",
    .manual =
        "Answers `devices`: one object per screen with `id` (pass it as "
        "`deviceId` to the other operations), `kind` (demo, android or "
        "ios), `name` and `state`. For a device that cannot be used, "
        "`why` is the reason and `hint` says what to do.\n\n"
        "With exactly one usable device, `deviceId` may be omitted. The "
        "built-in `demo` phone is used only if its id is given, or if no "
        "other device is attached (a simulator that is not booted does not "
        "count). If an attached device cannot be used, the device used before "
        "has disappeared, or a list of devices could not be read "
        "(`problems`), a call without `deviceId` fails and says why: squint "
        "never uses the demo phone when another device may be meant.",
    .flags = SQ_TOOL_IDEMPOTENT,
    .output = output,
    .run = devices_run,
};
