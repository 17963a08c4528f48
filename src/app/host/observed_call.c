/* Records the tool calls of clients, and holds those that a person wants to. */
#include <stdio.h>

#include "app/host/private.h"
#include "tool/masked_arguments.h"
#include "tool/policy.h"
#include "tools/elements/typed_field.h"
#include "tools/run.h"
#include "tools/short_reply.h"
#include "tools/table.h"

/* Finding out where a text would be typed takes at most this long. */
#define SHOW_MS 3000
#define FORM_BYTES 300
#define SHOW_BYTES ((size_t)4 << 20)

/* A call that may have to wait for a person. */
struct observed_call {
    struct sq_host *host;
    const struct sq_tool *operation; /* NULL: none, or an unknown one */
    const struct sq_json *arguments;
    struct sq_host_ticket *ticket; /* may be NULL */
    struct sq_logged_call *logged; /* NULL: not recorded */
    bool has_waited;
    struct sq_buf shown; /* the arguments, for the person who decides */
    /* While a step waits: */
    struct sq_call *running;
    char device[SQ_DEVICE_ID_SIZE];
};

static bool
put_arguments(struct observed_call *observed, uint32_t texts,
              bool *hides_text) {
    const struct sq_argument_mask mask = {
        .may_be_typed = sq_tools_may_type,
        .harmless_texts = texts,
        .hidden = "[hidden: for a password field]",
    };
    struct sq_json_writer w;
    sq_buf_clear(&observed->shown);
    sq_json_writer_init(&w, &observed->shown);
    *hides_text = sq_put_masked_arguments(
        &w, sq_span_of(observed->operation->name), observed->arguments, &mask);
    return sq_json_writer_done(&w, NULL);
}

/*
 * Writes the arguments for the person who decides, if they contain typed text:
 * the log of calls hides it, and the person must see what they approve. The
 * device may be NULL.
 */
static void
show_text(struct observed_call *observed, struct sq_device *device) {
    const struct sq_deadline limit = sq_deadline_in(SHOW_MS, NULL);
    struct sq_tree tree = { 0 };
    struct sq_arena arena;
    bool hides_text = false;
    bool ok = put_arguments(observed, 0, &hides_text) && hides_text;
    sq_arena_init(&arena, SHOW_BYTES);
    if (ok && device) {
        sq_device_tree(device, &tree, &limit, NULL);
    }
    ok = ok
      && put_arguments(
             observed,
             sq_typed_texts_to_show(observed->arguments, &tree, &arena),
             &hides_text);
    if (!ok) {
        sq_buf_clear(&observed->shown);
    }
    sq_tree_finish(&tree);
    sq_arena_finish(&arena);
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

static void
wait_in_no_queue(void *context) {
    struct observed_call *observed = context;
    const struct sq_deadline limit = sq_deadline_in(SHOW_MS, NULL);
    struct sq_ticket *turn = observed->ticket ? observed->ticket->turn : NULL;
    struct sq_device *device = NULL;
    bool types = sq_json_get(observed->arguments, "text")
              || sq_json_get(observed->arguments, "steps");
    if (turn && types
        && !sq_devices_open_in_turn(observed->host->devices, turn, &limit,
                                    &device, NULL, NULL)) {
        device = NULL;
    }
    show_text(observed, device);
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

static bool
pass_gate(struct observed_call *observed, const struct sq_mcp_call *call,
          struct sq_err *err) {
    const struct sq_tool *operation = observed->operation;
    if (!operation || !(operation->flags & SQ_TOOL_ACTS) || call->is_person) {
        return true;
    }
    const struct sq_gate_call waiting = {
        .id = observed->logged ? observed->logged->sequence : 0,
        .name = operation->name,
        .shown = &observed->shown,
        .waits = wait_in_no_queue,
        .released = join_queue,
        .context = observed,
    };
    bool ok = sq_call_gate_enter(observed->host->call_gate, &waiting,
                                 call->deadline.cancel, err);
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

/* Asks whether an operation of --confirm may be done. */
static bool
confirm(struct observed_call *observed, struct sq_mcp_call *call,
        struct sq_err *err) {
    const struct sq_tool *operation = observed->operation;
    enum sq_policy_asks asks =
        operation && !call->is_person
            ? sq_policy_asks(observed->host->config, operation)
            : SQ_ASKS_NOBODY;
    if (asks == SQ_ASKS_NOBODY) {
        return true;
    }
    if (asks == SQ_ASKS_PERSON) {
        sq_fail(err, SQ_ERR_REFUSED,
                "%s must be confirmed by a person (--confirm %s=person), whom "
                "squint cannot ask yet",
                operation->name, operation->name);
        return sq_fail_hint(err, "Nothing was done. Leave it to the user.");
    }
    /* Calls of others on the device would wait for the user otherwise. */
    if (observed->ticket && observed->ticket->turn) {
        sq_ticket_leave(observed->ticket->turn);
        observed->ticket->turn = NULL;
    }
    return ask_user(observed, call, err) && join_queue(observed, err);
}

/* Gives the device to the person while a step waits. */
static void
leave_device(void *context) {
    struct observed_call *observed = context;
    snprintf(observed->device, sizeof(observed->device), "%s",
             observed->running->device->info.id);
    show_text(observed, observed->running->device);
    sq_tools_leave_device(observed->running);
    leave_queue(observed);
}

static bool
queue_again(void *context, struct sq_err *err) {
    struct observed_call *observed = context;
    return sq_devices_queue(observed->host->devices, observed->device,
                            observed->ticket->client, &observed->ticket->turn,
                            err);
}

/*
 * Waits at the gate while a person has paused the client, before a step of a
 * running call; see struct sq_call.
 */
static bool
before_step(struct sq_call *call, const struct sq_tool *step,
            struct sq_err *err) {
    struct observed_call *observed = call->before_step_context;
    struct sq_host *host = observed->host;
    /* A call that was approved may do all of its steps. */
    if (sq_call_gate_mode(host->call_gate) != SQ_GATE_HOLD) {
        return true;
    }
    const struct sq_gate_call waiting = {
        .id = observed->logged ? observed->logged->sequence : 0,
        .name = step->name,
        .hint = "The steps before it were done, see details.done. Wait, look "
                "at the screen, then do the rest.",
        .shown = &observed->shown,
        .waits = leave_device,
        .released = queue_again,
        .context = observed,
    };
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
    if (!sq_call_log_is_on(observed->host->calls)) {
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
    };
    return sq_call_log_begin(observed->host->calls, &start);
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
    };
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
                  && sq_host_run_tool(host, tool, arguments, call, out, err);
    if (observed.ticket) {
        observed.ticket->before_step = NULL;
    }
    const struct sq_call_end end = {
        .arguments = arguments,
        .result = &out->content,
        .err = ok ? NULL : err,
        .device_ns = out->content.device_ns,
    };
    sq_call_log_end(host->calls, observed.logged, &end);
    sq_buf_finish(&observed.shown);
    if (ok && sq_host_is_short(host, call) && observed.operation
        && observed.operation->flags & SQ_TOOL_NEEDS_DEVICE) {
        sq_short_reply(&out->content);
    }
    return ok;
}
