/* policy: shows what an agent may do with this configuration. */
#include "app/commands/command.h"

#include "app/setup.h"
#include "json/writer.h"
#include "tool/people.h"
#include "tool/policy.h"
#include "tools/offer.h"
#include "tools/reply.h"
#include "tools/table.h"

struct policy_args {
    bool json;
};

static const struct sq_arg policy_options[] = {
    SQ_BOOL(policy_args, json, "json", "print JSON"),
    SQ_ARGS_END,
};

static void
put_list(struct sq_json_writer *w, const char *key,
         const struct sq_strings *list) {
    sq_json_begin_array_of(w, key);
    for (size_t i = 0; i < list->count; i++) {
        sq_json_put_clean(w, sq_span_of(list->items[i]));
    }
    sq_json_end_array(w);
}

/* Says in one or two words whether an operation may be done. */
static const char *
verdict_of(const struct sq_config *config, struct sq_offer offer,
           const struct sq_tool *tool) {
    static const char *const asks[] = {
        [SQ_ASKS_NOBODY] = "yes",
        [SQ_ASKS_CLIENT] = "asks the user",
        [SQ_ASKS_PERSON] = "asks a person",
    };
    if (!sq_offer_lists(offer, tool)) {
        return "no";
    }
    return asks[sq_policy_asks(config, tool)];
}

static const char *
reason_of(const struct sq_config *config, struct sq_offer offer,
          const struct sq_tool *tool) {
    const char *why = sq_policy_why_not(config, tool);
    if (why) {
        return why;
    }
    if (!sq_offer_lists(offer, tool)) {
        return "switched off";
    }
    return sq_policy_needs_app(config, tool) ? "in allowed apps" : "";
}

static bool
policy_run(const struct sq_run *run, struct sq_err *err) {
    const struct sq_config *config = &run->setup->config;
    struct sq_offer offer = sq_offer_of(config, run->setup->host->library);
    struct sq_json_writer *w = run->w;
    (void)err;
    sq_json_begin_object(w);
    sq_put_bool(w, "readOnly", config->tools.read_only);
    put_list(w, "devices", &config->security.allow_devices);
    put_list(w, "apps", &config->security.allow_apps);
    sq_put_int(w, "actionsPerMinute", config->security.max_actions_per_minute);
    sq_put_bool(w, "sandbox", config->security.sandbox);
    sq_json_begin_array_of(w, "operations");
    for (size_t i = 0; sq_tools_at(i); i++) {
        const struct sq_tool *tool = sq_tools_at(i);
        sq_json_begin_object(w);
        sq_put_text(w, "operation", tool->name);
        sq_put_bool(w, "acts", tool->flags & SQ_TOOL_ACTS);
        sq_put_text(w, "allowed", verdict_of(config, offer, tool));
        sq_put_text(w, "because", reason_of(config, offer, tool));
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
    return true;
}

static bool
policy_show(struct sq_people *people, const struct sq_run *run,
            struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        { "OPERATION", "operation", SQ_INK_STRONG, false },
        { "ALLOWED", "allowed", SQ_INK_PLAIN, false },
        { "BECAUSE", "because", SQ_INK_FAINT, false },
        { 0 },
    };
    static const char limits[] =
        "Devices: [*devices|, :{=strong}{.}{=}][!devices:all]\n"
        "Apps: [*apps|, :{=strong}{.}{=}][!apps:all]\n"
        "Actions: [actionsPerMinute:{actionsPerMinute} in a minute]"
        "[!actionsPerMinute:any number]\n\n";
    (void)run;
    return sq_page_fill(&people->page, sq_span_of(limits), people->reply, err)
        && sq_people_put_table(people, sq_json_get(people->reply, "operations"),
                               columns, err);
}

const struct sq_command sq_command_policy = {
    .name = "policy",
    .usage = "[options]",
    .summary = "show what an agent may do",
    .options = policy_options,
    .uses = SQ_USE_ALL,
    .run = policy_run,
    .show = policy_show,
};
