/* Tickets of calls: their places in the queues for a device and a processor. */
#include "app/host/private.h"
#include "tools/run.h"
#include "tools/table.h"
#include "util/mem.h"

const struct sq_tool *
sq_host_called_operation(const struct sq_host *host,
                         const struct sq_mcp_tool *tool,
                         const struct sq_json *arguments) {
    return strcmp(tool->name, "ui") != 0
             ? host->operations[tool - host->tools]
             : sq_tools_find(sq_json_text_of(arguments, "operation"));
}

bool
sq_host_completes_app(const struct sq_mcp_completion_query *query) {
    return query->is_prompt && sq_span_is(query->argument, "app");
}

static bool
is_archive_operation(const struct sq_tool *operation) {
    const struct sq_tool *const *tool = sq_archive_tools;
    while (*tool && *tool != operation) {
        tool++;
    }
    return *tool != NULL;
}

static bool
admit(struct sq_host *host, const struct sq_mcp_call_target *target,
      struct sq_host_ticket *ticket, bool *needs_device, struct sq_err *err) {
    if (target->tool) {
        const struct sq_tool *operation =
            sq_host_called_operation(host, target->tool, target->arguments);
        *needs_device = operation && !is_archive_operation(operation);
        return !operation
            || sq_tools_queue(host->devices, operation, target->arguments,
                              target->client, &ticket->turn, err);
    }
    if (!target->query) {
        *needs_device = sq_span_is(target->uri, SQ_HEALTH_URI);
        return true;
    }
    *needs_device = sq_host_completes_app(target->query);
    return !*needs_device
        || sq_devices_queue(host->devices, NULL, target->client, &ticket->turn,
                            err);
}

/* Returns whether the answer is text that is part of the program. */
static bool
is_quick(const struct sq_mcp_call_target *target) {
    return target->tool ? strcmp(target->tool->name, "rtfm") == 0
                        : sq_span_is(target->uri, SQ_GUIDE_URI)
                              || sq_span_is(target->uri, SQ_VIEWER_URI);
}

bool
sq_host_admit(void *context, const struct sq_mcp_call_target *target,
              struct sq_mcp_admission *out, struct sq_err *err) {
    struct sq_host *host = context;
    bool needs_device = false;
    if (is_quick(target) || (host->recording && target->tool)) {
        out->is_quick = true;
        return true;
    }
    struct sq_host_ticket *ticket = sq_mem_zalloc(1, sizeof(*ticket));
    if (!ticket) {
        return sq_fail_nomem(err);
    }
    ticket->work.processors = host->processors;
    ticket->client = target->client;
    if (!admit(host, target, ticket, &needs_device, err)) {
        sq_host_release_ticket(host, ticket);
        return false;
    }
    if (ticket->turn) {
        sq_late_watch_end(host->late, sq_ticket_name(ticket->turn));
    }
    *out = (struct sq_mcp_admission){ .needs_device = needs_device,
                                      .ticket = ticket };
    return true;
}

void
sq_host_release_ticket(void *context, void *held_ticket) {
    struct sq_host_ticket *ticket = held_ticket;
    (void)context;
    sq_work_end(&ticket->work);
    sq_ticket_leave(ticket->turn);
    sq_mem_free(ticket);
}
