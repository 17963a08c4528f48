/* key: presses a key of the device. */
#include <string.h>

#include "device/kinds.h"
#include "tools/operations.h"
#include "tools/screen/receipt.h"

#define MAX_NAME 40

struct key_args {
    struct sq_opt_text name;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_TEXT(key_args, name, "name", MAX_NAME, "Key: back, home, enter",
            .alias = "key", .required = true, .placeholder = "KEY",
            .help =
                "which key: back, home, enter, or another that the device has"),
    SQ_RECEIPT_ROWS(key_args),
    SQ_ARGS_END,
};

static bool
is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'
        || c == '-' || c == '+';
}

/* Normalises a key name: "KEYCODE_BACK", "Back" and "back" are the same key. */
static bool
read_name(struct sq_span given, char out[MAX_NAME + 1], struct sq_err *err) {
    static const char prefix[] = "keycode_";
    bool ok = given.len > 0;
    for (size_t i = 0; i < given.len; i++) {
        out[i] = sq_ascii_lower(given.ptr[i]);
        ok = ok && is_word(out[i]);
    }
    out[given.len] = '\0';
    if (!ok) {
        return sq_fail_argument(err, "${name|KEY} is not the name of a key",
                                "Names are words such as back, home, enter.");
    }
    size_t skip = sizeof(prefix) - 1;
    if (strncmp(out, prefix, skip) == 0 && out[skip] != '\0') {
        memmove(out, out + skip, strlen(out + skip) + 1);
    }
    return true;
}

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct key_args *args = raw_args;
    char name[MAX_NAME + 1];
    return read_name(args->name.value, name, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

static void
put_pressed(struct sq_json_writer *w, const void *context) {
    sq_put_text(w, "pressed", context);
}

static bool
key_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct key_args *args = raw_args;
    char name[MAX_NAME + 1];
    SQ_FREED(sq_act_finish) struct sq_act act = { 0 };
    return read_name(args->name.value, name, err)
        && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
        && sq_device_key(call->device, name, &call->deadline, err)
        && sq_act_end(&act, put_pressed, NULL, name, err);
}

const struct sq_tool sq_tool_key = {
    .name = "key",
    .title = "Press a key",
    .text = "Press a key.",
    .manual =
        "`name` is `back`, `home`, `enter` or another key that the device "
        "has; the error for an unknown name lists the known ones. Android's "
        "names such as `KEYCODE_BACK` work too. In a browser modifiers may "
        "come before it: `ctrl+a`.",
    .flags = SQ_TOOL_ACTION,
    SQ_ARGS(table, key_args),
    .words = "name",
    .timeout_ms = 20000,
    .check = check,
    .people = { .examples = { "key back" },
                .line = "Pressed {pressed}",
                .word_at = sq_device_key_name_at },
    .uses = SQ_USES_ACTS,
    .synonyms = "key press-key press-button key-event keyevent hotkey button "
                "send-key keypress press-hardware-button",
    .example = "\"name\": \"back\"",
    .other_names =
        SQ_SYNONYMS({ "back go-back press-back navigate-back", "key back",
                      SQ_UI_CALL("key", ", \"name\": \"back\"") },
                    { "home go-home press-home", "key home",
                      SQ_UI_CALL("key", ", \"name\": \"home\"") },
                    { "enter press-enter submit", "key enter",
                      SQ_UI_CALL("key", ", \"name\": \"enter\"") }),
    .run = key_run,
};
