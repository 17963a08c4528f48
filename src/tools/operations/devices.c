/* devices: lists the available devices, and why others are unavailable. */
#include "device/device.h"
#include "device/kinds.h"
#include "tools/operations.h"

static bool
is_default(const struct sq_call *call, const struct sq_device_info *info) {
    const char *id = call->config->devices.default_id;
    return id && id[0] && sq_device_id_equal(info->id, id);
}

static void
put_device(const struct sq_call *call, const struct sq_device_info *info,
           struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_put_untrusted(w, "id", sq_span_of(info->id));
    sq_put_text(w, "kind", info->kind);
    sq_put_untrusted(w, "name", sq_span_of(info->name));
    sq_put_text(w, "state", sq_device_state_name(info->state));
    sq_put_untrusted(w, "why", sq_span_of(info->why));
    sq_put_untrusted(w, "hint", sq_span_of(info->hint));
    sq_put_if_true(w, "default", is_default(call, info));
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

/* Returns whether the configured device can be used, or none is configured. */
static bool
check_default(const struct sq_call *call, const struct sq_device_list *list,
              struct sq_err *err) {
    const char *id = call->config->devices.default_id;
    const struct sq_device_info *info;
    return !id || !id[0] || sq_devices_choose(list, id, &info, NULL, err)
        || sq_fail_in(err, SQ_DEFAULT_DEVICE);
}

static void
put_list(const struct sq_call *call, const struct sq_device_list *list,
         struct sq_json_writer *w) {
    sq_json_begin_array_of(w, "devices");
    for (size_t i = 0; i < list->count; i++) {
        put_device(call, &list->items[i], w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)list->count);
    struct sq_device_problem wrong_default = { .kind = "default" };
    bool is_wrong = !check_default(call, list, &wrong_default.err);
    if (list->problem_count > 0 || is_wrong) {
        sq_json_begin_array_of(w, "problems");
        if (is_wrong) {
            put_problem(call, &wrong_default, w);
        }
        for (size_t i = 0; i < list->problem_count; i++) {
            put_problem(call, &list->problems[i], w);
        }
        sq_json_end_array(w);
    }
}

static bool
devices_run(struct sq_call *call, const void *args, struct sq_err *err) {
    (void)args;
    SQ_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    struct sq_reply reply;
    bool ok = sq_devices_list(call->devices, &list, &call->deadline, err)
           && sq_reply_start(call, &reply, err);
    if (ok) {
        put_list(call, &list, &reply.w);
        ok = sq_reply_end(call, &reply, err);
    }
    return ok;
}

/* Prints what to do about devices that cannot be used. */
static bool
put_device_hints(struct sq_people *people, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_json *device =
             sq_json_first(sq_json_get(people->reply, "devices"));
         ok && device; device = sq_json_next(device)) {
        struct sq_span id = sq_json_text_of(device, "id");
        struct sq_span hint = sq_json_text_of(device, "hint");
        ok = hint.len == 0
          || (sq_page_printf(&people->page, SQ_INK_DOUBT, err,
                             "%.*s: ", SQ_SPAN_ARGS(id))
              && sq_people_put_remark(people, hint, err));
    }
    return ok;
}

/*
 * Reports the lists that could not be read, on standard error. A program that
 * is not installed is not reported: squint doctor does that.
 */
static bool
report_problems(struct sq_people *people, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_json *problem =
             sq_json_first(sq_json_get(people->reply, "problems"));
         ok && problem; problem = sq_json_next(problem)) {
        struct sq_span kind = sq_json_text_of(problem, "kind");
        struct sq_span message = sq_json_text_of(problem, "message");
        struct sq_span hint = sq_json_text_of(problem, "suggestion");
        if (sq_span_is(sq_json_text_of(problem, "error"), "NOT_FOUND")) {
            continue;
        }
        ok = sq_buf_printf(people->aside, err, "squint: %.*s: %.*s\n",
                           SQ_SPAN_ARGS(kind), SQ_SPAN_ARGS(message))
          && (hint.len == 0
              || sq_buf_printf(people->aside, err, "  %.*s\n",
                               SQ_SPAN_ARGS(hint)));
    }
    return ok;
}

static const struct sq_column device_columns[] = {
    { "ID", false },    { "KIND", false }, { "NAME", false },
    { "STATE", false }, { "NOTE", false }, { NULL, false },
};

static bool
show(struct sq_people *people, struct sq_err *err) {
    struct sq_table table = { .arena = people->arena,
                              .columns = device_columns };
    const struct sq_json *devices = sq_json_get(people->reply, "devices");
    size_t count = sq_json_count(devices);
    bool ok =
        sq_page_printf(&people->page, SQ_INK_STRONG, err, "%zu device%s\n",
                       count, sq_plural((int64_t)count));
    for (const struct sq_json *device = sq_json_first(devices); ok && device;
         device = sq_json_next(device)) {
        struct sq_span state = sq_json_text_of(device, "state");
        enum sq_ink ink =
            sq_span_is(state, "online") ? SQ_INK_GOOD : SQ_INK_DOUBT;
        const struct sq_json *why = sq_json_get(device, "why");
        const struct sq_json *cells[] = {
            sq_json_get(device, "id"),
            sq_json_get(device, "kind"),
            sq_json_get(device, "name"),
            sq_json_get(device, "state"),
            why ? why : sq_json_get(device, "default"),
        };
        for (size_t i = 0; ok && i < SQ_COUNT(cells); i++) {
            ok = sq_table_add_value(&table,
                                    i == 0   ? SQ_INK_STRONG
                                    : i == 3 ? ink
                                             : SQ_INK_PLAIN,
                                    cells[i], err);
        }
    }
    return ok && report_problems(people, err)
        && sq_table_print(&table, &people->page, err)
        && put_device_hints(people, err);
}

const struct sq_tool sq_tool_devices = {
    .name = "devices",
    .title = "List devices",
    .text = "List usable screens, and why others are not.",
    .manual =
        "Answers `devices`: one object per screen with `id` (pass it as "
        "`deviceId` to the other operations), `kind` (demo, android or ios), "
        "`name` and `state`. For a device that cannot be used, `why` is the "
        "reason and `hint` says what to do. `default` marks the one that "
        "`devices.default`, ANDROID_SERIAL or `-s` names; if it cannot be "
        "used, `problems` says so.\n\nWith exactly one usable device, "
        "`deviceId` may be omitted. The built-in `demo` phone is used only if "
        "its id is given, or if no other device is attached (a simulator that "
        "is not booted does not count). If an attached device cannot be used, "
        "the device used before has disappeared, or a list of devices could "
        "not be read (`problems`), a call without `deviceId` fails and says "
        "why: squint never uses the demo phone when another device may be "
        "meant.",
    .flags = SQ_TOOL_IDEMPOTENT,
    .output =
        "devices:objects(id:text kind:text name?:text state:text why?:text "
        "hint?:text default?:bool) count:int problems?:objects untrusted?:bool",
    .people = { .examples = { "devices" }, .show = show },
    .uses = SQ_USE_DEVICES,
    .synonyms = "devices list-devices list-available-devices get-devices "
                "list-simulators device-list",
    .run = devices_run,
};
