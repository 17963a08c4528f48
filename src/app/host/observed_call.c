/* Records the tool calls of clients, and holds those that a person wants to. */
#include "app/host/private.h"
#include "tools/run.h"

/* A call that may have to wait for a person. */
struct observed_call {
    struct sq_host *host;
    const struct sq_tool *operation; /* NULL: none, or an unknown one */
    const struct sq_json *arguments;
    struct sq_host_ticket *ticket; /* may be NULL */
    struct sq_logged_call *logged; /* NULL: not recorded */
    bool has_waited;
};

/* Leaves the queue of the device: a person must be able to use it meanwhile. */
static void
leave_queue(void *context) {
    struct observed_call *observed = context;
    observed->has_waited = true;
    if (observed->ticket) {
        sq_ticket_leave(observed->ticket->turn);
        observed->ticket->turn = NULL;
    }
    sq_call_log_hold(observed->host->calls, &observed->logged, true);
}

static bool
join_queue(void *context, struct sq_err *err) {
    struct observed_call *observed = context;
    return !observed->ticket
        || sq_tools_queue(observed->host->devices, observed->operation,
                          observed->arguments, &observed->ticket->turn, err);
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
        .waits = leave_queue,
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
    observed.logged = begin(&observed, tool, call);
    bool ok =
        host->recording
            ? sq_recording_answer(host->recording, tool, arguments, out, err)
            : pass_gate(&observed, call, err)
                  && sq_host_run_tool(host, tool, arguments, call, out, err);
    const struct sq_call_end end = {
        .result = &out->content,
        .err = ok ? NULL : err,
        .device_ns = out->content.device_ns,
    };
    sq_call_log_end(host->calls, observed.logged, &end);
    return ok;
}
