/* Runs operations: decodes arguments, locks the device, calls the handler. */
#include "tools/run.h"

#include <assert.h>
#include <string.h>

#include "args/arg.h"
#include "sys/clock.h"
#include "tool/policy.h"
#include "tool/work.h"
#include "tools/offer.h"
#include "tools/reply.h"
#include "tools/schema.h"
#include "tools/screen/late_change.h"
#include "tools/table.h"
#include "util/span.h"
#include "util/utf8.h"

#define MAX_CALL_BYTES ((size_t)64 << 20)

struct common_args {
    struct sq_opt_text device_id;
};

const struct sq_arg sq_common_args[] = {
    { .name = "deviceId",
      .alias = "udid",
      SQ_TEXT_FIELD(common_args, device_id, SQ_DEVICE_ID_SIZE - 1),
      .text = "From devices",
      .flag = "device",
      .letter = 's',
      .placeholder = "ID",
      .help = "which device; see squint devices",
      .initial = "the only one" },
    SQ_ARGS_END,
};

const struct sq_arg *
sq_tool_common_args(const struct sq_tool *tool) {
    return tool->flags & SQ_TOOL_NEEDS_DEVICE ? sq_common_args : NULL;
}

/*
 * Members that are not arguments of the operation. Only those of `ui` have the
 * last one, and only those that need a device the first.
 */
static const struct sq_arg not_own[] = {
    { .name = "deviceId", .alias = "udid", .text = "" },
    { .name = "operation" },
    SQ_ARGS_END,
};

#define LIST_OPERATIONS                                                        \
    "${Call rtfm for the list of|squint rtfm lists the} operations."

bool
sq_fail_unknown_operation(struct sq_span name, enum sq_err_code code,
                          struct sq_err *err) {
    struct sq_span shown = { name.ptr, name.len < 40 ? name.len : 40 };
    shown.len = sq_utf8_valid_len(shown);
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, name);
    for (size_t i = 0; sq_tools[i]; i++) {
        sq_nearest_try(&nearest, sq_tools[i]->name);
    }
    sq_fail(err, code, "no operation \"%.*s\"", SQ_SPAN_ARGS(shown));
    if (sq_hint_synonym(name, err)) {
        return false;
    }
    if (!nearest.found[0]) {
        return sq_fail_hint(err, LIST_OPERATIONS);
    }
    return sq_fail_hint(err,
                        SQ_SAY("Did you mean @%s? " LIST_OPERATIONS,
                               "Did you mean %s? " LIST_OPERATIONS),
                        nearest.found);
}

static bool
find_tool(const char *operation, const struct sq_config *config,
          const struct sq_tool **out, struct sq_err *err) {
    const struct sq_tool *tool = sq_tools_find(sq_span_of(operation));
    if (!tool) {
        return sq_fail_unknown_operation(sq_span_of(operation),
                                         SQ_ERR_INVALID_OPERATION, err);
    }
    *out = tool;
    return sq_tool_is_offered(sq_offer_of(config, NULL), tool)
        || sq_fail_not_offered(sq_offer_of(config, NULL), tool, err);
}

/* Decodes the common arguments from the same object. */
static bool
decode_common(const struct sq_json *arguments, struct common_args *out,
              struct sq_err *err) {
    const struct sq_json *names[2] = { sq_json_get(arguments, "deviceId"),
                                       sq_json_get(arguments, "udid") };
    const struct sq_json *given = names[0] ? names[0] : names[1];
    if (!given || sq_json_is(given, SQ_JSON_NULL)) {
        return true;
    }
    if (!sq_json_string(given, &out->device_id.value)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "$deviceId must be text");
        return sq_fail_hint(err, "Give an id that the operation @devices "
                                 "lists, or leave $deviceId out.");
    }
    if (out->device_id.value.len >= SQ_DEVICE_ID_SIZE
        || sq_span_contains(out->device_id.value, '\0')) {
        sq_fail(err, SQ_ERR_DEVICE_NOT_FOUND, "no device has such an id");
        return sq_fail_hint(err, "The operation @devices lists them.");
    }
    return true;
}

/* Names the call that is meant by an argument of another tool. Returns false.
 */
static bool
explain_arguments(const struct sq_tool *tool, const struct sq_json *arguments,
                  struct sq_err *err) {
    const struct sq_json *member = sq_json_first(arguments);
    for (; member; member = sq_json_next(member)) {
        if (sq_hint_argument(tool, sq_json_key(member), err)) {
            return false;
        }
    }
    return false;
}

static bool
decode_own(struct sq_call *call, const struct sq_json *arguments, void **out,
           struct sq_err *err) {
    size_t size = call->tool->args_size ? call->tool->args_size : 1;
    void *args = sq_arena_alloc(call->arena, 1, size, err);
    if (!args) {
        return false;
    }
    memset(args, 0, size);
    *out = args;
    const struct sq_arg *others =
        call->tool->flags & SQ_TOOL_NEEDS_DEVICE ? not_own : not_own + 1;
    return (sq_args_decode(call->tool->args, arguments, others, args, err)
            || explain_arguments(call->tool, arguments, err))
        && (!call->tool->check || call->tool->check(args, err));
}

static void
copy_id(const struct common_args *common, char out[SQ_DEVICE_ID_SIZE]) {
    memset(out, 0, SQ_DEVICE_ID_SIZE);
    if (common->device_id.value.len > 0) {
        memcpy(out, common->device_id.value.ptr, common->device_id.value.len);
    }
}

bool
sq_tools_queue(struct sq_devices *devices, const struct sq_tool *tool,
               const struct sq_json *arguments, uint64_t client,
               struct sq_ticket **out, struct sq_err *err) {
    struct common_args common = { 0 };
    char id[SQ_DEVICE_ID_SIZE];
    if (!(tool->flags & SQ_TOOL_NEEDS_DEVICE)
        || !decode_common(arguments, &common, NULL)) {
        return true;
    }
    copy_id(&common, id);
    return sq_devices_queue(devices, id, client, out, err);
}

bool
sq_tools_check_step(struct sq_call *call, const struct sq_json *arguments,
                    struct sq_err *err) {
    void *args;
    return decode_own(call, arguments, &args, err);
}

/* Fails if the configuration forbids this on this device or in this app. */
static bool
check_policy(struct sq_call *call, const struct sq_json *arguments,
             struct sq_err *err) {
    const struct sq_config *config = call->config;
    struct sq_app front = { 0 };
    struct sq_policy_act act = {
        .tool = call->tool,
        .device = call->device ? call->device->info.id : NULL,
        .front = front.package,
        .named = sq_json_text_of(arguments, "packageName"),
    };
    if (act.named.len == 0) {
        act.named = sq_json_text_of(arguments, "app");
    }
    if (call->device && act.named.len == 0
        && sq_policy_needs_app(config, call->tool)
        && !sq_device_current_app(call->device, &front, &call->deadline, err)) {
        return false;
    }
    return sq_policy_allows(config, &act, err)
        && (!call->rate
            || sq_policy_count(call->rate, call->tool,
                               config->security.max_actions_per_minute,
                               sq_clock_monotonic_ns(), err));
}

bool
sq_tools_run_step(struct sq_call *call, const struct sq_json *arguments,
                  struct sq_err *err) {
    void *args;
    if (!decode_own(call, arguments, &args, err)
        || !sq_deadline_check(&call->deadline, err)) {
        return false;
    }
    if (!check_policy(call, arguments, err)) {
        return false;
    }
    if (call->device) {
        sq_device_begin(call->device, 0);
    }
    return call->tool->run(call, args, err);
}

/* Adds a hint to an error of the device that has none. Returns false. */
static bool
explain(const struct sq_call *call, struct sq_err *err) {
    if (!err || err->hint[0] || !call->device) {
        return false;
    }
    bool acts = call->tool->flags & SQ_TOOL_ACTS;
    switch ((int)err->code) {
    case SQ_ERR_TIMEOUT:
        sq_fail_in(err, "device %s", call->device->info.id);
        return sq_fail_hint(err, "%s",
                            acts ? "Take a screenshot to see whether something "
                                   "was done, then try again."
                                 : "Nothing was changed. Try again.");
    case SQ_ERR_FORMAT:
    case SQ_ERR_TRUNCATED:
        return sq_fail_hint(err,
                            "Try again. If it fails again, restart the "
                            "device%s.",
                            acts ? "; a screenshot shows whether something was "
                                   "done"
                                 : "");
    case SQ_ERR_UNSUPPORTED:
        return sq_fail_hint(err, "Take a screenshot instead, or use another "
                                 "device: the operation @devices lists them.");
    default:
        return false;
    }
}

void
sq_tools_leave_device(struct sq_call *call) {
    if (call->device) {
        sq_device_leave(call->device);
        call->result->device_ns += call->device->busy_ns - call->busy_ns;
        if (!call->turn) {
            sq_devices_release(call->devices, call->device);
        }
        call->device = NULL;
    }
}

/* Uses this device from here on. */
static bool
enter_device(struct sq_call *call, struct sq_device *device,
             struct sq_err *err) {
    call->device = device;
    call->busy_ns = device->busy_ns;
    if (!sq_device_enter(device, call->acts, &call->deadline, err)) {
        sq_tools_leave_device(call);
        return false;
    }
    sq_device_begin(device, 0);
    return true;
}

bool
sq_tools_return_to_device(struct sq_call *call, struct sq_ticket *turn,
                          struct sq_err *err) {
    struct sq_device *device;
    bool demo_by_default;
    call->turn = turn;
    if (!sq_devices_open_in_turn(call->devices, turn, &call->deadline, &device,
                                 &demo_by_default, err)) {
        return false;
    }
    return enter_device(call, device, err);
}

/* Notes whether another client has acted since this one used the device. */
static void
note_others(struct sq_call *call) {
    call->other_acted =
        call->other_acted
        || sq_device_other_acted(call->device, call->client_number);
}

bool
sq_tools_pause(struct sq_call *call, int ms, struct sq_err *err) {
    struct sq_device *device = call->device;
    struct sq_ticket *turn = call->turn;
    sq_device_note_client(device, call->client_number, false);
    if (!turn) {
        sq_device_leave(device);
        if (!sq_wait_ms(ms, &call->deadline, err)
            || !sq_device_enter(device, call->acts, &call->deadline, err)) {
            return false;
        }
        note_others(call);
        return true;
    }
    sq_tools_leave_device(call);
    sq_ticket_yield(turn);
    if (!sq_wait_ms(ms, &call->deadline, err)
        || !sq_ticket_await(turn, sq_ticket_name(turn), &call->deadline, err)) {
        return false;
    }
    /* It may have been disconnected and opened again. */
    if (sq_ticket_was_passed(turn) ? !sq_tools_return_to_device(call, turn, err)
                                   : !enter_device(call, device, err)) {
        return false;
    }
    note_others(call);
    return true;
}

bool
sq_tools_take_turns(struct sq_call *call, struct sq_err *err) {
    return !call->turn || !sq_ticket_is_wanted(call->turn)
        || sq_tools_pause(call, 0, err);
}

static void
tell_wait(void *context, const char *what, int waited_ms, int limit_ms) {
    struct sq_call *call = context;
    call->progress(call, waited_ms / 1000, limit_ms / 1000, what);
}

/* Opens the device; what that takes longer is not time of the call. */
static bool
open_device(struct sq_call *call, const char *id, struct sq_err *err) {
    const struct sq_wait_report report = { tell_wait, call };
    struct sq_deadline deadline = call->deadline;
    deadline.report = call->progress ? &report : NULL;
    bool ok = call->turn
                ? sq_devices_open_in_turn(call->devices, call->turn, &deadline,
                                          &call->device, &call->demo_by_default,
                                          err)
                : sq_devices_open(call->devices, id, &deadline, &call->device,
                                  &call->demo_by_default, err);
    if (!ok) {
        return false;
    }
    assert(call->device);
    call->deadline.at_ns += call->device->opening_ns;
    call->device->opening_ns = 0;
    call->acts = call->tool->flags & SQ_TOOL_ACTS;
    return enter_device(call, call->device, err);
}

static void
drop_blocks(struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        sq_buf_finish(&result->blocks[i].data);
    }
    result->count = 0;
}

/*
 * Runs the operation. If the session of the device has ended, a look starts
 * another one; an action must not go to a screen that was not seen.
 */
static bool
use_device(struct sq_call *call, const char *id, const void *args,
           struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (check_policy(call, call->arguments, &local_err)
        && call->tool->run(call, args, &local_err)) {
        return true;
    }
    if (!call->device || !call->device->is_lost || !call->device->may_return
        || !call->turn || call->tool->flags & SQ_TOOL_ACTS) {
        sq_fail_with(err, &local_err);
        return explain(call, err);
    }
    drop_blocks(call->result);
    sq_tools_leave_device(call);
    if (!open_device(call, id, err)) {
        return false;
    }
    return call->tool->run(call, args, err) || explain(call, err);
}

static bool
run_on_device(struct sq_call *call, const struct common_args *common,
              const void *args, struct sq_err *err) {
    char id[SQ_DEVICE_ID_SIZE];
    copy_id(common, id);
    if (!open_device(call, id, err)) {
        return false;
    }
    note_others(call);
    sq_late_change_report(call, NULL);
    bool ok = use_device(call, id, args, err);
    if (ok && call->demo_by_default) {
        sq_session_set_notice_sent(call->session, call->device->info.id,
                                   SQ_NOTICE_DEMO);
    }
    call->result->may_change_later = sq_late_change_is_awaited(call);
    if (call->device) {
        sq_device_note_client(call->device, call->client_number,
                              !ok && call->other_acted);
    }
    sq_tools_leave_device(call);
    return ok;
}

static bool
run(struct sq_call *call, const struct sq_json *arguments, struct sq_err *err) {
    struct common_args common = { 0 };
    void *args;
    if (!decode_common(arguments, &common, err)
        || !decode_own(call, arguments, &args, err)
        || !sq_deadline_check(&call->deadline, err)
        || (call->tool->flags & SQ_TOOL_HEAVY
            && !sq_work_begin(call->work, false, &call->deadline, err))) {
        return false;
    }
    return call->tool->flags & SQ_TOOL_NEEDS_DEVICE
             ? run_on_device(call, &common, args, err)
             : check_policy(call, arguments, err)
                   && call->tool->run(call, args, err);
}

static void
charge(struct sq_session *session, const struct sq_result *result) {
    struct sq_ledger cost = { .calls = 1 };
    for (int i = 0; i < result->count; i++) {
        if (result->blocks[i].kind == SQ_BLOCK_TEXT) {
            cost.text_bytes += (long)result->blocks[i].data.len;
        }
    }
    sq_session_charge(session, &cost);
}

/*
 * Returns the time limit of a call. Android waits ten seconds for a changing
 * screen before it reports failure, which is the usual limit of a call. 16 s
 * leave time for that reply, and for a picture instead of the elements. A
 * simulator has 15 s for a picture.
 */
static int
time_for(const struct sq_tool *tool, const struct sq_config *config) {
    int usual_ms = config->limits.timeout_ms;
    if (tool->timeout_ms) {
        return tool->timeout_ms;
    }
    return tool->flags & SQ_TOOL_ELEMENTS ? usual_ms / 5 * 8 : usual_ms;
}

bool
sq_tools_run(const char *operation, const struct sq_json *arguments,
             const struct sq_call *given, struct sq_result *result,
             struct sq_err *err) {
    SQ_ARENA(arena, MAX_CALL_BYTES);
    struct sq_call call = *given;
    call.arena = &arena;
    call.result = result;
    bool ok = find_tool(operation, given->config, &call.tool, err)
           && sq_result_reserve(result, err);
    if (ok) {
        call.deadline =
            sq_deadline_in(time_for(call.tool, given->config), given->cancel);
        call.arguments = arguments;
        ok = run(&call, arguments, err);
    }
    if (!ok) {
        drop_blocks(result);
        sq_offer_hint(sq_offer_to(&call), err);
        sq_reply_hide_error(given->redactor, err);
    }
    charge(given->session, result);
    return ok;
}
