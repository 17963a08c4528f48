/* Records the tool calls of clients, and holds those that a person wants to. */
#include <stdio.h>
#include <string.h>

#include "app/host/private.h"
#include "tool/masked_arguments.h"
#include "tool/policy.h"
#include "tools/elements/typed_field.h"
#include "tools/reply.h"
#include "tools/run.h"
#include "tools/short_reply.h"
#include "tools/table.h"

/* Finding out where a text would be typed takes at most this long. */
#define SHOW_MS 3000
#define FORM_BYTES 300
#define SHOW_BYTES ((size_t)4 << 20)

/* The client that is the inspector's page itself, not its user. */
#define PAGE_NAME "squint inspector"

/* A call that may have to wait for a person. */
struct observed_call {
    struct sq_host *host;
    const struct sq_tool *operation; /* NULL: none, or an unknown one */
    const struct sq_json *arguments;
    struct sq_host_ticket *ticket; /* may be NULL */
    struct sq_logged_call *logged; /* NULL: not recorded */
    struct sq_session *session;
    struct sq_span client; /* as it names itself */
    bool has_waited;
    bool is_approved;  /* with all of its steps */
    bool needs_person; /* by --confirm OPERATION=person */
    bool uses_device;
    struct sq_buf shown; /* to the person who decides */
    /* While a step waits: */
    struct sq_call *running;
    char device[SQ_DEVICE_ID_SIZE];
};

/* Begins `shown` with the arguments. Returns whether a text is hidden. */
static bool
put_arguments(struct observed_call *observed, uint32_t texts,
              struct sq_json_writer *w) {
    const struct sq_argument_mask mask = {
        .may_be_typed = sq_tools_may_type,
        .harmless_texts = texts,
        .hidden = "[hidden: for a password field]",
    };
    sq_buf_clear(&observed->shown);
    sq_json_open(w, &observed->shown);
    return sq_put_masked_arguments(sq_json_at(w, "arguments"),
                                   sq_span_of(observed->operation->name),
                                   observed->arguments, &mask);
}

static void
write_shown(struct observed_call *observed, const struct sq_held_call *held,
            bool with_place) {
    const struct sq_call masked = { .redactor = &observed->host->redactor };
    struct sq_json_writer w;
    bool any = put_arguments(observed, 0, &w);
    if (any) {
        put_arguments(observed,
                      sq_typed_texts_to_show(observed->arguments, held->tree,
                                             held->arena),
                      &w);
    } else { /* the log of calls has them */
        sq_buf_clear(&observed->shown);
        sq_json_open(&w, &observed->shown);
    }
    sq_reply_mask(&masked, &w);
    any |= with_place && held->device && sq_held_put_place(held, &w);
    if (!sq_json_close(&w, NULL) || !any) {
        sq_buf_clear(&observed->shown);
    }
}

static bool
names_element(const struct sq_json *arguments) {
    return sq_json_get(arguments, "text") || sq_json_get(arguments, "steps")
        || sq_json_get(arguments, "selector");
}

/*
 * Writes what the person who decides must see: the arguments, if they contain
 * typed text, which the log of calls hides, and where the call would act. The
 * device may be NULL.
 */
static void
show(struct observed_call *observed, struct sq_device *device,
     bool with_place) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    SQ_FREED(sq_arena_finish) struct sq_arena arena = { 0 };
    const struct sq_held_call held = {
        .session = observed->session,
        .device = device,
        .arguments = observed->arguments,
        .tree = &tree,
        .arena = &arena,
        .limit = sq_deadline_in(SHOW_MS, NULL),
    };
    sq_arena_init(&arena, SHOW_BYTES);
    if (device && names_element(observed->arguments)) {
        sq_device_tree(device, &tree, &held.limit, NULL);
    }
    write_shown(observed, &held, with_place);
}

/* Leaves the queue of the device: a person must be able to use it meanwhile. */
static void
leave_queue(struct observed_call *observed) {
    observed->has_waited = true;
    if (observed->ticket) {
        sq_ticket_leave(observed->ticket->turn);
        observed->ticket->turn = NULL;
    }
    sq_call_log_hold(observed->host->calls, &observed->logged, true);
}

/* Opens the device of a call, in its turn. NULL: it has none. */
static struct sq_device *
open_device(const struct observed_call *observed) {
    const struct sq_deadline limit = sq_deadline_in(SHOW_MS, NULL);
    struct sq_ticket *turn = observed->ticket ? observed->ticket->turn : NULL;
    struct sq_device *device;
    return turn
                && sq_devices_open_in_turn(observed->host->devices, turn,
                                           &limit, &device, NULL, NULL)
             ? device
             : NULL;
}

static void
wait_in_no_queue(void *context) {
    struct observed_call *observed = context;
    show(observed, open_device(observed), true);
    leave_queue(observed);
}

static bool
join_queue(void *context, struct sq_err *err) {
    struct observed_call *observed = context;
    return !observed->ticket
        || sq_tools_queue(observed->host->devices, observed->operation,
                          observed->arguments, observed->ticket->client,
                          &observed->ticket->turn, err);
}

/* Returns whether a rule names an app or a device. */
static bool
needs_place(struct sq_call_gate *gate) {
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES];
    int count = sq_call_gate_rules(gate, rules);
    int at = 0;
    while (at < count && !rules[at].about.app[0]
           && !rules[at].about.device[0]) {
        at++;
    }
    return at < count;
}

/*
 * Finds out what a call is about, for the rules of the person. What is not
 * found stays empty. The device may be NULL.
 */
static void
describe(const struct observed_call *observed, const struct sq_tool *operation,
         const struct sq_json *arguments, struct sq_device *device,
         struct sq_policy_scope *out) {
    const struct sq_deadline limit = sq_deadline_in(SHOW_MS, NULL);
    struct sq_span named = sq_json_text_of(arguments, "packageName");
    struct sq_app front = { 0 };
    if (named.len == 0) {
        named = sq_json_text_of(arguments, "app");
    }
    snprintf(out->operation, sizeof(out->operation), "%s", operation->name);
    snprintf(out->client, sizeof(out->client), "%.*s",
             SQ_SPAN_ARGS(observed->client));
    if (!device) {
        return;
    }
    snprintf(out->device, sizeof(out->device), "%s", device->info.id);
    if (named.len > 0) {
        snprintf(out->app, sizeof(out->app), "%.*s", SQ_SPAN_ARGS(named));
    } else if (sq_device_current_app(device, &front, &limit, NULL)) {
        snprintf(out->app, sizeof(out->app), "%s", front.package);
    }
}

static bool
pass_gate(struct observed_call *observed, const struct sq_mcp_call *call,
          struct sq_err *err) {
    const struct sq_tool *operation = observed->operation;
    if (!operation || !(operation->flags & SQ_TOOL_ACTS) || call->is_person) {
        return true;
    }
    struct sq_call_gate *gate = observed->host->call_gate;
    struct sq_gate_call waiting = {
        .id = observed->logged ? observed->logged->sequence : 0,
        .name = operation->name,
        .least = observed->needs_person ? SQ_GATE_APPROVE : SQ_GATE_RUN,
        .client = sq_session_number(observed->session),
        .has_kind = strcmp(operation->name, "steps") != 0,
        .shown = &observed->shown,
        .waits = wait_in_no_queue,
        .released = join_queue,
        .context = observed,
    };
    sq_call_gate_reread(gate);
    describe(observed, operation, observed->arguments,
             needs_place(gate) ? open_device(observed) : NULL, &waiting.about);
    bool is_held = sq_call_gate_mode_of(gate, &waiting) != SQ_GATE_RUN;
    bool ok = sq_call_gate_enter(gate, &waiting, call->deadline.cancel, err);
    /* Not if all calls were let go on meanwhile. */
    observed->is_approved =
        is_held && sq_call_gate_mode_of(gate, &waiting) != SQ_GATE_RUN;
    if (ok && observed->has_waited) {
        sq_call_log_hold(observed->host->calls, &observed->logged, false);
    }
    return ok;
}

/* Replaces the error of a question that the client cannot answer. */
static bool
fail_unasked(const char *name, struct sq_err *err) {
    if (err->code != SQ_ERR_UNSUPPORTED && err->code != SQ_ERR_FORMAT) {
        return false;
    }
    sq_fail(err, SQ_ERR_REFUSED,
            "%s must be confirmed (--confirm), and this client cannot ask its "
            "user",
            name);
    return sq_fail_hint(err, "Nothing was done. Use a client with elicitation, "
                             "or leave it to the user.");
}

static bool
ask_user(struct observed_call *observed, struct sq_mcp_call *call,
         struct sq_err *err) {
    char form[FORM_BYTES];
    const struct sq_json *answer;
    const char *name = observed->operation->name;
    /* Arguments are not shown: they may be typed text, or made to mislead. */
    snprintf(form, sizeof(form),
             "{\"message\":\"May the agent do this: %s?\","
             "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}",
             name);
    const struct sq_mcp_question question = { "confirm", "elicitation/create",
                                              sq_span_of(form) };
    if (!sq_mcp_call_ask(call, &question, 1, &answer, err)) {
        return fail_unasked(name, err);
    }
    if (sq_span_is(sq_json_text_of(answer, "action"), "accept")) {
        return true;
    }
    sq_fail(err, SQ_ERR_REFUSED, "the user did not confirm %s", name);
    return sq_fail_hint(err, "Nothing was done. Ask the user what to do.");
}

static enum sq_policy_asks
who_is_asked(const struct observed_call *observed,
             const struct sq_mcp_call *call) {
    return observed->operation && !call->is_person ? sq_policy_asks(
               sq_host_config_of(observed->host, call), observed->operation)
                                                   : SQ_ASKS_NOBODY;
}

/* Asks the client whether an operation of --confirm may be done. */
static bool
confirm(struct observed_call *observed, struct sq_mcp_call *call,
        struct sq_err *err) {
    if (who_is_asked(observed, call) != SQ_ASKS_CLIENT) {
        return true;
    }
    /* Calls of others on the device would wait for the user otherwise. */
    if (observed->ticket && observed->ticket->turn) {
        sq_ticket_leave(observed->ticket->turn);
        observed->ticket->turn = NULL;
    }
    return ask_user(observed, call, err) && join_queue(observed, err);
}

/* The page for people gives way while an agent uses devices. */
static void
begin_use(struct observed_call *observed, bool is_person) {
    observed->uses_device = observed->operation && !is_person
                         && observed->operation->flags & SQ_TOOL_NEEDS_DEVICE;
    if (observed->uses_device) {
        sq_call_gate_begin_use(observed->host->call_gate);
    }
}

static void
end_use(struct observed_call *observed) {
    if (observed->uses_device) {
        sq_call_gate_end_use(observed->host->call_gate);
    }
    observed->uses_device = false;
}

/* Gives the device to the person while a step waits. */
static void
leave_device(void *context) {
    struct observed_call *observed = context;
    end_use(observed);
    snprintf(observed->device, sizeof(observed->device), "%s",
             observed->running->device->info.id);
    show(observed, observed->running->device, false);
    sq_tools_leave_device(observed->running);
    leave_queue(observed);
}

static bool
queue_again(void *context, struct sq_err *err) {
    struct observed_call *observed = context;
    begin_use(observed, false);
    return sq_devices_queue(observed->host->devices, observed->device,
                            observed->ticket->client, &observed->ticket->turn,
                            err);
}

/*
 * Waits at the gate while a person has paused the client, before a step of a
 * running call; see struct sq_call.
 */
static bool
before_step(struct sq_call *call, const struct sq_tool *tool,
            const struct sq_json *step, bool is_first, struct sq_err *err) {
    struct observed_call *observed = call->before_step_context;
    struct sq_host *host = observed->host;
    struct sq_gate_call waiting = {
        .id = observed->logged ? observed->logged->sequence : 0,
        .name = tool->name,
        .hint = is_first ? NULL
                         : "The steps before it were done, see details.done. "
                           "Wait, look at the screen, then do the rest.",
        .shown = &observed->shown,
        .waits = leave_device,
        .released = queue_again,
        .context = observed,
    };
    sq_call_gate_reread(host->call_gate);
    describe(observed, tool, step,
             needs_place(host->call_gate) ? call->device : NULL,
             &waiting.about);
    enum sq_gate_mode mode = sq_call_gate_mode_of(host->call_gate, &waiting);
    /* A call that has waited does its first step, and if approved, all. */
    if (mode == SQ_GATE_RUN
        || (observed->is_approved && (is_first || mode == SQ_GATE_APPROVE))) {
        return true;
    }
    observed->running = call;
    observed->has_waited = false;
    bool ok = sq_call_gate_enter(host->call_gate, &waiting,
                                 call->deadline.cancel, err);
    if (!observed->has_waited) {
        return ok;
    }
    if (ok) {
        sq_call_log_hold(host->calls, &observed->logged, false);
    }
    return ok && sq_tools_return_to_device(call, observed->ticket->turn, err);
}

static struct sq_logged_call *
begin(const struct observed_call *observed, const struct sq_mcp_tool *tool,
      const struct sq_mcp_call *call) {
    const struct sq_tool *operation = observed->operation;
    if (!sq_call_log_is_on(observed->host->calls)
        || (call->is_person && sq_span_is(call->client, PAGE_NAME))) {
        return NULL;
    }
    const struct sq_call_start start = {
        .client = sq_session_number(call->state),
        .client_name = call->client,
        .tool = sq_span_of(tool->name),
        .operation = operation
                       ? sq_span_of(operation->name)
                       : sq_json_text_of(observed->arguments, "operation"),
        .arguments = observed->arguments,
        .acts = operation && operation->flags & SQ_TOOL_ACTS,
        .is_person = call->is_person,
    };
    return sq_call_log_begin(observed->host->calls, &start);
}

static bool
run_tool(struct observed_call *observed, const struct sq_mcp_tool *tool,
         struct sq_mcp_call *call, struct sq_mcp_tool_result *out,
         struct sq_err *err) {
    begin_use(observed, call->is_person);
    bool ok = sq_host_run_tool(observed->host, tool, observed->arguments, call,
                               out, err);
    end_use(observed);
    return ok;
}

/* Whether the client gets the short form of the answer. */
static bool
is_short_for(const struct observed_call *observed,
             const struct sq_mcp_call *call) {
    return sq_host_is_short(observed->host, call) && observed->operation
        && observed->operation->flags & SQ_TOOL_NEEDS_DEVICE;
}

bool
sq_host_call_tool(void *context, const struct sq_mcp_tool *tool,
                  const struct sq_json *arguments, struct sq_mcp_call *call,
                  struct sq_mcp_tool_result *out, struct sq_err *err) {
    struct sq_host *host = context;
    struct observed_call observed = {
        .host = host,
        .operation = sq_host_called_operation(host, tool, arguments),
        .arguments = arguments,
        .ticket = call->ticket,
        .session = call->state,
        .client = call->client,
    };
    observed.needs_person = who_is_asked(&observed, call) == SQ_ASKS_PERSON;
    sq_hub_link_touch(host->hub, observed.needs_person);
    sq_buf_init(&observed.shown, SQ_MAX_JSON_BYTES);
    observed.logged = begin(&observed, tool, call);
    if (observed.ticket && !call->is_person) {
        observed.ticket->before_step = before_step;
        observed.ticket->before_step_context = &observed;
    }
    bool ok =
        host->recording
            ? sq_recording_answer(host->recording, tool, arguments, out, err)
            : confirm(&observed, call, err) && pass_gate(&observed, call, err)
                  && run_tool(&observed, tool, call, out, err);
    if (observed.ticket) {
        observed.ticket->before_step = NULL;
    }
    bool is_short = ok && is_short_for(&observed, call);
    const struct sq_call_end end = {
        .arguments = arguments,
        .result = &out->content,
        .err = ok ? NULL : err,
        .device_ns = out->content.device_ns,
        .device = observed.ticket && observed.ticket->turn
                    ? sq_ticket_name(observed.ticket->turn)
                    : NULL,
        .text_tokens = is_short && observed.logged
                         ? sq_short_reply_tokens(&out->content)
                         : 0,
    };
    sq_call_log_end(host->calls, observed.logged, &end);
    sq_buf_finish(&observed.shown);
    if (is_short) {
        sq_short_reply(&out->content);
    }
    return ok;
}
