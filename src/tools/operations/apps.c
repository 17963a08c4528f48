/* apps: lists the apps that can be launched. */
#include "device/device.h"
#include "tools/operations.h"

#define DEFAULT_LIMIT 50

struct apps_args {
    struct sq_opt_int limit;
    struct sq_opt_int offset;
};

static const struct sq_arg table[] = {
    SQ_INT(apps_args, limit, "limit", 1, 100, "", .help = "list at most N",
           .initial = "50"),
    SQ_INT(apps_args, offset, "offset", 0, 1000000, "",
           .help = "leave out the first ones", .initial = "0"),
    SQ_ARGS_END,
};

static bool
write_list(struct sq_call *call, const struct sq_app_list *list, size_t from,
           size_t limit, struct sq_err *err) {
    struct sq_reply reply;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    size_t left = from < list->count ? list->count - from : 0;
    size_t count = left < limit ? left : limit;
    struct sq_json_writer *w = &reply.w;
    sq_json_begin_array_of(w, "apps");
    for (size_t i = 0; i < count; i++) {
        const struct sq_app_entry *entry = &list->entries[from + i];
        sq_json_begin_object(w);
        sq_put_untrusted(w, "packageName", entry->package);
        sq_put_untrusted(w, "label", entry->label);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_put_int(w, "count", (int64_t)count);
    sq_put_int(w, "totalCount", (int64_t)list->count);
    sq_put_bool(w, "hasMore", count < left);
    return sq_reply_end(call, &reply, err);
}

static bool
apps_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct apps_args *args = raw_args;
    int limit = args->limit.given ? args->limit.value : DEFAULT_LIMIT;
    SQ_FREED(sq_app_list_finish) struct sq_app_list list = { 0 };
    return sq_device_apps(call->device, &list, &call->deadline, err)
        && write_list(call, &list, (size_t)args->offset.value, (size_t)limit,
                      err);
}

static bool
has_apps(const struct sq_people *people) {
    return !sq_reply_is_beyond(people->reply, "apps");
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    static const struct sq_member_column columns[] = {
        { "NAME", "label", SQ_INK_STRONG, false },
        { "PACKAGE", "packageName", SQ_INK_PLAIN, false },
        { 0 },
    };
    int total = sq_json_int_of(people->reply, "totalCount");
    return sq_people_put_total(people, "apps", "app", total, err)
        && sq_people_put_table(people, sq_json_get(people->reply, "apps"),
                               columns, err)
        && sq_people_put_more(people, err);
}

const struct sq_tool sq_tool_apps = {
    .name = "apps",
    .title = "List apps",
    .text = "List apps.",
    .manual =
        "Returns the package or bundle ids that `@launch` and `@stop` take: "
        "at most `limit` (50 if omitted), from `offset` on.",
    .manual_example = "",
    .flags = SQ_TOOL_IDEMPOTENT | SQ_TOOL_NEEDS_DEVICE,
    SQ_ARGS(table, apps_args),
    .timeout_ms = 20000,
    .output =
        "apps:objects(packageName:text label?:text) count:int totalCount:int "
        "hasMore:bool untrusted?:bool",
    .people = { .examples = { "apps" }, .show = show, .is_done = has_apps },
    .synonyms = "apps list-apps packages get-apps installed-apps list-packages",
    .run = apps_run,
};
