/* clipboard: reads or sets the clipboard. */
#include "tools/device/verb.h"
#include "tools/operations.h"

#define MAX_TEXT 8192

struct clipboard_args {
    struct sq_opt_text text;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_TEXT(clipboard_args, text, "text", MAX_TEXT, "",
            .help = "what to put there; without it the clipboard is read"),
    SQ_RECEIPT_ROWS(clipboard_args),
    SQ_ARGS_END,
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct clipboard_args *args = raw_args;
    struct sq_span text = args->text.value;
    if (args->text.given && (text.len == 0 || sq_span_contains(text, '\0'))) {
        return sq_fail_argument(err, "${text|TEXT} is empty or contains NUL",
                                "Give the text for the clipboard.");
    }
    return sq_act_check(SQ_ACT_OPTIONS(args), err);
}

static bool
read_clipboard(struct sq_call *call, struct sq_err *err) {
    const struct sq_reading_request request = { .verb = SQ_READ_CLIPBOARD };
    SQ_FREED(sq_reading_finish) struct sq_reading reading = { 0 };
    struct sq_reply reply;
    bool ok =
        sq_device_read(call->device, &request, &reading, &call->deadline, err)
        && sq_reply_start(call, &reply, err);
    if (ok) {
        sq_json_put_key(&reply.w, "clipboard");
        if (reading.has_text) {
            sq_json_put_untrusted(&reply.w, reading.text);
        } else {
            sq_json_put_null(&reply.w);
        }
        ok = sq_reply_end(call, &reply, err);
    }
    return ok;
}

static bool
clipboard_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct clipboard_args *args = raw_args;
    struct sq_verb verb = { .is_off_screen = true,
                            .hand = { .verb = SQ_HAND_COPY,
                                      .text = args->text.value },
                            .name = "copied" };
    if (!args->text.given) {
        return read_clipboard(call, err);
    }
    return sq_verb_run(call, &verb, SQ_ACT_OPTIONS(args), err);
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    const struct sq_json *clipboard = sq_json_get(people->reply, "clipboard");
    if (!clipboard) {
        return sq_page_printf(&people->page, SQ_INK_STRONG, err,
                              "Set the clipboard")
            && sq_people_end_line(people, err);
    }
    if (sq_json_is(clipboard, SQ_JSON_NULL)) {
        return sq_page_printf(&people->page, SQ_INK_FAINT, err,
                              "The clipboard is empty\n");
    }
    return sq_page_put(&people->page, SQ_INK_PLAIN,
                       sq_json_text_of(people->reply, "clipboard"), err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err, "\n");
}

const struct sq_tool sq_tool_clipboard = {
    .name = "clipboard",
    .title = "Read or set the clipboard",
    .text = "Read the clipboard, or set it to text.",
    .manual =
        "Without `text` the clipboard is read; `null` means that it is empty. "
        "With `text` it is set, and read back where that is allowed. Android "
        "8 and newer, unless its maker has changed the clipboard service; "
        "simulators.",
    .flags = SQ_TOOL_BRIEF | SQ_TOOL_ACTION,
    SQ_ARGS(table, clipboard_args),
    .words = "text?",
    .timeout_ms = 20000,
    .check = check,
    .people = { .about =
                    "Print the clipboard of the device, or set it to TEXT.",
                .prints_data = true,
                .examples = { "clipboard" },
                .show = show },
    .uses = SQ_USES_ACTS,
    .synonyms = "clipboard get-clipboard set-clipboard copy paste",
    .example = "\"text\": \"Ada\"",
    .run = clipboard_run,
};
