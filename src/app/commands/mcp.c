/* mcp: serves a client over standard input and output. */
#include "app/commands/command.h"

#include <stdio.h>
#include <unistd.h>

#include "app/confine.h"
#include "app/print_message.h"
#include "archive/library.h"
#include "mcp/stdio.h"
#include "sys/call.h"
#include "sys/terminal.h"

struct mcp_args {
    const char *replay;
};

static const struct sq_arg mcp_options[] = {
    SQ_TEXT(mcp_args, replay, "replay", 0,
            "answer calls from this journal, in their order, without a "
            "device",
            .placeholder = "JOURNAL"),
    SQ_ARGS_END,
};

static void
print_message(const char *message) {
    sq_print_message("squint mcp: %s", message);
}

static bool
mcp_run(const struct sq_run *run, struct sq_err *err) {
    const char *recorded = ((const struct mcp_args *)run->args)->replay;
    struct sq_records records = { 0 };
    bool ok =
        (!recorded || sq_host_answer_from(run->setup->host, recorded, err))
        && sq_start_records(run->setup, print_message, &records, err)
        && sq_confine(run->setup, &(struct sq_server_files){ 0 }, err)
        && sq_host_start_index(run->setup->host, err)
        && (recorded || sq_host_join_hub(run->setup->host, err));
    if (ok) {
        const struct sq_mcp_options options = {
            .call_timeout_ms = run->setup->config.limits.timeout_ms,
            .drain_ms = run->setup->config.limits.drain_ms,
            .device_calls = sq_host_device_calls(),
            .print_message = print_message,
        };
        sq_print_for(SQ_FOR_CLIENTS);
        /* A person who types this on a terminal would wait for nothing. */
        if (sq_is_terminal(STDIN_FILENO)) {
            sq_print_message(
                "squint mcp: waiting for a client: JSON-RPC messages on "
                "standard "
                "input, one per line. Clients start this themselves; squint "
                "install CLIENT sets one up. End with Ctrl-D.");
        }
        const struct sq_setup *setup = run->setup;
        const struct sq_config *config = &setup->config;
        const struct sq_library *library = setup->host->library;
        sq_log(config, SQ_LOG_INFO,
               "mcp: version %s; configuration: %s; archive folders: %zu%s",
               SQ_VERSION, config->file ? config->file : "the defaults",
               sq_archive_root_count(library->archive),
               config->tools.read_only ? "; read-only" : "");
        *run->status = sq_mcp_serve_stdio(&run->setup->host->mcp, &options) == 0
                         ? SQ_STATUS_OK
                         : SQ_STATUS_FAILED;
        sq_log(&run->setup->config, SQ_LOG_INFO,
               "mcp: the client disconnected");
    }
    sq_end_records(&records);
    return ok;
}

const struct sq_command sq_command_mcp = {
    .name = "mcp",
    .heading = "For agents",
    .usage = "[options]",
    .summary = "serve a client over standard input and output (MCP)",
    .options = mcp_options,
    .uses = SQ_USE_ALL & ~(unsigned)SQ_USE_INSPECTS,
    .is_server = true,
    .run = mcp_run,
};
