/* notifications: lists what is posted, or opens the shade. */
#include "tools/device/verb.h"
#include "tools/operations.h"

struct notifications_args {
    struct sq_opt_bool open;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_BOOL(notifications_args, open, "open", "", .is_rare = true,
            .help = "open the shade on the screen instead"),
    SQ_RECEIPT_ROWS(notifications_args),
    SQ_ARGS_END,
};

static void
put_one(struct sq_json_writer *w, const struct sq_notification *one) {
    sq_json_begin_object(w);
    sq_put_untrusted(w, "packageName", one->package);
    sq_put_untrusted(w, "title", one->title);
    sq_put_untrusted(w, "text", one->text);
    sq_json_end_object(w);
}

static bool
write_list(struct sq_call *call, const struct sq_reading *reading,
           struct sq_err *err) {
    struct sq_reply reply;
    size_t count = 0;
    if (!sq_reply_start(call, &reply, err)) {
        return false;
    }
    sq_json_begin_array_of(&reply.w, "notifications");
    while (count < reading->notification_count && sq_reply_has_room(&reply.w)) {
        put_one(&reply.w, &reading->notifications[count++]);
    }
    sq_json_end_array(&reply.w);
    sq_put_int(&reply.w, "count", (int64_t)reading->notification_count);
    return sq_reply_end(call, &reply, err);
}

static bool
notifications_run(struct sq_call *call, const void *raw_args,
                  struct sq_err *err) {
    const struct notifications_args *args = raw_args;
    const struct sq_reading_request request = { .verb = SQ_READ_NOTIFICATIONS };
    struct sq_verb verb = { .hand = { .verb = SQ_HAND_SHADE },
                            .name = "opened" };
    SQ_FREED(sq_reading_finish) struct sq_reading reading = { 0 };
    if (args->open.value && call->config->tools.read_only) {
        return sq_fail_argument(err,
                                "$open changes the screen, and "
                                "--read-only is set",
                                "Leave $open out.");
    }
    if (args->open.value) {
        return sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
    }
    return sq_device_read(call->device, &request, &reading, &call->deadline,
                          err)
        && write_list(call, &reading, err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *list = sq_json_get(people->reply, "notifications");
    const struct sq_json *one = sq_json_first(list);
    bool ok = true;
    if (!list) {
        return sq_people_put_action(people, "Opened the notifications", err);
    }
    if (!one) {
        return sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "No notifications\n");
    }
    for (; ok && one; one = sq_json_next(one)) {
        struct sq_span title = sq_json_text_of(one, "title");
        struct sq_span text = sq_json_text_of(one, "text");
        struct sq_span package = sq_json_text_of(one, "packageName");
        ok = sq_page_printf(&people->page, SQ_INK_STRONG, err, "%.*s",
                            SQ_SPAN_ARGS(title))
          && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "%s%.*s",
                            text.len > 0 ? ": " : "", SQ_SPAN_ARGS(text))
          && sq_page_printf(&people->page, SQ_INK_FAINT, err, " (%.*s)\n",
                            SQ_SPAN_ARGS(package));
    }
    return ok;
}

const struct sq_tool sq_tool_notifications = {
    .name = "notifications",
    .title = "List notifications",
    .text = "List notifications, or show them on the screen.",
    .manual =
        "Lists what is posted: app, title and text. `open: true` opens the "
        "shade on the screen instead (Android 7 and newer); `@key` with "
        "`back` closes it. Simulators cannot do either.",
    .manual_example = "",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_PRIVATE | SQ_TOOL_ACTION,
    SQ_ARGS(table, notifications_args),
    .timeout_ms = 20000,
    .people = { .examples = { "notifications" }, .show = show },
    .uses = SQ_USES_ACTS,
    .synonyms = "notifications get-notifications",
    .run = notifications_run,
};
