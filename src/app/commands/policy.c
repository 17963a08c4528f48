/* policy: shows what an agent may do with this configuration. */
#include "app/commands/command.h"

#include "app/setup.h"
#include "json/writer.h"
#include "tool/people.h"
#include "tool/policy.h"
#include "tools/offer.h"
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
    struct sq_offer offer =
        sq_offer_of(config, sq_host_library(run->setup->host));
    struct sq_json_writer *w = run->w;
    (void)err;
    sq_json_begin_object(w);
    sq_json_put_bool(sq_json_at(w, "readOnly"), config->tools.read_only);
    put_list(w, "devices", &config->security.allow_devices);
    put_list(w, "apps", &config->security.allow_apps);
    sq_json_put_int(sq_json_at(w, "actionsPerMinute"),
                    config->security.max_actions_per_minute);
    sq_json_put_bool(sq_json_at(w, "sandbox"), config->security.sandbox);
    sq_json_begin_array_of(w, "operations");
    for (size_t i = 0; sq_tools_at(i); i++) {
        const struct sq_tool *tool = sq_tools_at(i);
        sq_json_begin_object(w);
        sq_json_put_string(sq_json_at(w, "operation"), sq_span_of(tool->name));
        sq_json_put_bool(sq_json_at(w, "acts"), tool->flags & SQ_TOOL_ACTS);
        sq_json_put_string(sq_json_at(w, "allowed"),
                           sq_span_of(verdict_of(config, offer, tool)));
        sq_json_put_string(sq_json_at(w, "because"),
                           sq_span_of(reason_of(config, offer, tool)));
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
    return true;
}

static bool
put_line(struct sq_people *people, const char *name, const char *key,
         const char *all, struct sq_err *err) {
    const struct sq_json *list = sq_json_get(people->reply, key);
    bool ok = sq_buf_printf(people->page.out, err, "%s: ", name);
    const struct sq_json *item = sq_json_first(list);
    for (bool is_first = true; ok && item;
         item = sq_json_next(item), is_first = false) {
        struct sq_span text = { 0 };
        ok = sq_json_string(item, &text)
          && (is_first || sq_buf_append(people->page.out, ", ", 2, err))
          && sq_page_put(&people->page, SQ_INK_STRONG, text, err);
    }
    return ok
        && sq_buf_printf(people->page.out, err, "%s\n",
                         sq_json_first(list) ? "" : all);
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
    int max = run->setup->config.security.max_actions_per_minute;
    return put_line(people, "Devices", "devices", "all", err)
        && put_line(people, "Apps", "apps", "all", err)
        && (max ? sq_buf_printf(people->page.out, err,
                                "Actions: %d in a minute\n\n", max)
                : sq_buf_printf(people->page.out, err, "%s",
                                "Actions: any number\n\n"))
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
