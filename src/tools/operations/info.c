/* info: describes the device, and an app on it. */
#include "tools/device/verb.h"
#include "tools/operations.h"

struct info_args {
    struct sq_opt_text package_name;
};

static const struct sq_arg table[] = {
    SQ_APP_ROW(info_args, false),
    SQ_ARGS_END,
};

static void
put_fact(struct sq_json_writer *w, const struct sq_fact *fact) {
    int64_t number;
    if (fact->is_number && sq_span_to_int64(fact->value, &number)) {
        sq_put_int(w, fact->name, number);
    } else {
        sq_put_untrusted(w, fact->name, fact->value);
    }
}

static bool
info_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct info_args *args = raw_args;
    struct sq_verb verb = { 0 };
    SQ_FREED(sq_reading_finish) struct sq_reading reading = { 0 };
    struct sq_reply reply;
    bool ok = sq_verb_package(call, &args->package_name, &verb, err);
    const struct sq_reading_request request = { .verb = SQ_READ_INFO,
                                                .package = verb.hand.package };
    ok = ok
      && sq_device_read(call->device, &request, &reading, &call->deadline, err)
      && sq_reply_start(call, &reply, err);
    if (ok) {
        for (size_t i = 0; i < reading.fact_count; i++) {
            put_fact(&reply.w, &reading.facts[i]);
        }
        if (verb.hand.package) {
            sq_put_package(&reply.w, "packageName", &verb.package);
        }
        ok = sq_reply_end(call, &reply, err);
    }
    return ok;
}

static const struct sq_column fact_columns[] = {
    { "WHAT", false },
    { "VALUE", false },
    { NULL, false },
};

/* Members of the reply that the first line shows, or nothing. */
static bool
is_in_title(struct sq_span key) {
    return sq_span_is(key, "model") || sq_span_is(key, "deviceId")
        || sq_span_is(key, "deviceNote");
}

/* Adds a name as words: "battery percent" for batteryPercent. */
static bool
add_words(struct sq_table *cells, struct sq_span name, struct sq_err *err) {
    char words[64];
    size_t used = 0;
    for (size_t i = 0; i < name.len && used + 2 < sizeof(words); i++) {
        char lower = sq_ascii_lower(name.ptr[i]);
        if (lower != name.ptr[i]) {
            words[used++] = ' ';
        }
        words[used++] = lower;
    }
    return sq_table_add(cells, SQ_INK_FAINT, (struct sq_span){ words, used },
                        err);
}

/* Adds a row for a text or a number; nothing for other values. */
static bool
add_fact(struct sq_table *cells, const struct sq_json *member,
         struct sq_err *err) {
    bool is_fact = sq_json_is(member, SQ_JSON_NUMBER)
                || sq_json_is(member, SQ_JSON_STRING);
    return !is_fact || is_in_title(sq_json_key(member))
        || (add_words(cells, sq_json_key(member), err)
            && sq_table_add_value(cells, SQ_INK_PLAIN, member, err));
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    struct sq_table cells = { .arena = people->arena, .columns = fact_columns };
    struct sq_span model = sq_json_text_of(people->reply, "model");
    bool ok = sq_page_put(&people->page, SQ_INK_STRONG,
                          model.len > 0 ? model : SQ_SPAN("A device"), err)
           && sq_people_end_line(people, err);
    for (const struct sq_json *member = sq_json_first(people->reply);
         ok && member; member = sq_json_next(member)) {
        ok = add_fact(&cells, member, err);
    }
    return ok && sq_table_print(&cells, &people->page, err);
}

const struct sq_tool sq_tool_info = {
    .name = "info",
    .title = "Describe the device",
    .text = "Model, version, battery; memory of an app.",
    .manual =
        "Returns what the device reports: maker, model, version, battery, "
        "screen, language. With `packageName` also the version of that app "
        "and, while it runs, its memory in kB. Simulators report their name, "
        "type and runtime.",
    .manual_example = "\"packageName\": \"Shop\"",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_IDEMPOTENT | SQ_TOOL_NEEDS_DEVICE,
    SQ_ARGS(table, info_args),
    .words = "packageName?",
    .timeout_ms = 30000,
    .output = "model?:text android?:text untrusted?:bool",
    .people = { .examples = { "info" }, .show = show },
    .synonyms = "info device-info battery get-device-info app-info",
    .run = info_run,
};
