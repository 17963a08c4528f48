/*
 * Types text in the first way that can enter it: keys, dead keys, the clipboard
 * or a helper. Refuses before anything is typed if there is none.
 */
#include <stdio.h>
#include <string.h>

#include "device/android/command.h"
#include "device/android/parse.h"
#include "device/android/state.h"
#include "util/base64.h"
#include "util/utf8.h"

/* Limits: characters per command, text bytes per exchange. */
#define MAX_CHUNK 96
#define MAX_EXCHANGE ((size_t)16 << 10)
#define MAX_COMMAND ((size_t)60 << 10)

#define KEYBOARD "com.android.adbkeyboard"
#define KEYBOARD_ID KEYBOARD "/.AdbIME"
#define HELPER "com.mobilenext.devicekit"
#define HELPER_ID HELPER "/.ClipboardBroadcastReceiver"
/* Time a device needs until another keyboard accepts text. */
#define SWITCH_MS 1000
#define SETTLE_MS 300

/* Returns whether "input text" types it: ASCII, or part of a longer key. */
static bool
is_printable(char c) {
    return (c >= ' ' && c <= '~') || (unsigned char)c >= 0x80;
}

/*
 * Appends the command that types what one can. It turns %s into a space, so a
 * percent sign and an s must not be in the same chunk; spaces are sent as %s,
 * since some devices split the argument again.
 */
static bool
put_chunk(struct sq_buf *out, struct sq_span *rest, struct sq_err *err) {
    char encoded[2 * MAX_CHUNK];
    size_t used = 0;
    size_t len = 0;
    bool may_continue = true;
    while (may_continue && len < rest->len && len < MAX_CHUNK - SQ_UTF8_MAX
           && is_printable(rest->ptr[len])) {
        struct sq_span left = { rest->ptr + len, rest->len - len };
        uint32_t code = 0;
        /* A key, with the letter of a dead key. */
        size_t key = sq_utf8_decode(left, &code);
        len += key + (sq_accents_is_mark(code) && key < left.len);
        may_continue = rest->ptr[len - 1] != '%' || len == rest->len
                    || rest->ptr[len] != 's';
    }
    for (size_t i = 0; i < len; i++) {
        bool is_space = rest->ptr[i] == ' ';
        encoded[used++] = is_space ? '%' : rest->ptr[i];
        if (is_space) {
            encoded[used++] = 's';
        }
    }
    sq_span_skip(rest, len);
    return sq_buf_printf(out, err, "input text ")
        && sq_shell_quote(out, (struct sq_span){ encoded, used }, err);
}

/* Appends as many commands as one exchange should contain. */
static bool
put_commands(struct sq_buf *out, struct sq_span *rest, struct sq_err *err) {
    bool ok = true;
    while (ok && rest->len > 0 && out->len < MAX_EXCHANGE) {
        ok = out->len == 0 || sq_buf_printf(out, err, "&&");
        if (ok && is_printable(rest->ptr[0])) {
            ok = put_chunk(out, rest, err);
        } else if (ok) {
            int code = rest->ptr[0] == '\n' ? SQ_KEYCODE_ENTER : SQ_KEYCODE_TAB;
            sq_span_skip(rest, 1);
            ok = sq_buf_printf(out, err, "input keyevent %d", code);
        }
    }
    return ok;
}

/* The helpers on the device that can enter any text. */
struct helpers {
    bool is_known;
    bool keyboard; /* the helper keyboard is installed and enabled */
    bool keyboard_is_selected; /* and selected */
    bool clipboard;            /* the clipboard helper app is installed */
    char selected[SQ_DEVICE_TEXT_SIZE]; /* the selected keyboard */
};

/* One attempt to type a text. */
struct attempt {
    struct sq_android *android;
    struct sq_span text;
    const struct sq_deadline *deadline;
    bool is_plain;      /* it is ASCII */
    struct sq_buf keys; /* the text as keys and dead keys */
    bool has_keys;      /* every character has keys */
    struct helpers helpers;
};

static bool
type_keys(struct attempt *attempt, struct sq_span text, struct sq_err *err) {
    struct sq_span rest = text;
    bool ok = true;
    SQ_BUF(command, MAX_COMMAND);
    while (ok && rest.len > 0) {
        size_t done = text.len - rest.len;
        sq_buf_clear(&command);
        ok = put_commands(&command, &rest, err)
          && sq_android_do(attempt->android, sq_buf_span(&command),
                           attempt->deadline, err);
        if (!ok && done > 0) {
            sq_fail_in(err, "after %zu characters were typed", done);
        }
    }
    return ok;
}

/* Queries the helpers before the first way that needs to know them. */
static bool
know_helpers(struct attempt *attempt, struct sq_err *err) {
    struct helpers *out = &attempt->helpers;
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_span id;
    if (out->is_known) {
        return true;
    }
    bool ok = sq_android_run(
        attempt->android,
        "ime list -s;" SQ_MARK_COMMAND
        ";settings get secure default_input_method;" SQ_MARK_COMMAND
        ";pm path " HELPER,
        &output, attempt->deadline, err);
    struct sq_span text = sq_buf_span(&output.out);
    struct sq_span keyboards = sq_android_take_section(&text);
    struct sq_span selected = sq_android_take_section(&text);
    while (sq_keyboards_take(&keyboards, &id)) {
        out->keyboard = out->keyboard || sq_span_is(id, KEYBOARD_ID);
    }
    if (sq_keyboards_take(&selected, &id) && id.len < sizeof(out->selected)) {
        snprintf(out->selected, sizeof(out->selected), "%.*s",
                 SQ_SPAN_ARGS(id));
        out->keyboard_is_selected = sq_span_is(id, KEYBOARD_ID);
    }
    out->clipboard = sq_span_starts_with(sq_span_trim(text), "package:");
    out->is_known = ok;
    return ok;
}

/*
 * Runs a command that has the text in base64 between two parts. Broadcasts are
 * sent to one package only, so that no other app can read the text.
 */
static bool
send_text(struct attempt *attempt, const char *before, const char *after,
          struct sq_err *err) {
    SQ_BUF(command, MAX_COMMAND);
    return sq_buf_printf(&command, err, "%s '", before)
        && sq_base64_append(&command, attempt->text.ptr, attempt->text.len, err)
        && sq_buf_printf(&command, err, "'%s", after)
        && sq_android_do(attempt->android, sq_buf_span(&command),
                         attempt->deadline, err);
}

static bool
broadcast(struct attempt *attempt, struct sq_err *err) {
    return send_text(attempt,
                     "am broadcast -a ADB_INPUT_B64 -p " KEYBOARD " --es msg",
                     "", err);
}

static bool
set_keyboard(struct sq_android *android, const char *id,
             const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_COMMAND(command, android, deadline);
    sq_command_add(&command, "ime set %q", id);
    return (!command.err.code || sq_fail_with(err, &command.err))
        && sq_android_do(android, sq_buf_span(&command.text), deadline, err);
}

static bool
fail_no_way(struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "this device accepts only ASCII text and some accents through adb, "
            "so nothing was typed");
    return sq_fail_hint(err, "Install and enable the keyboard " KEYBOARD
                             " on it, or type by tapping the keys on its "
                             "screen.");
}

static bool
by_plain_keys(struct attempt *attempt, struct sq_err *err) {
    return attempt->is_plain ? type_keys(attempt, attempt->text, err)
                             : fail_no_way(err);
}

static bool
by_dead_keys(struct attempt *attempt, struct sq_err *err) {
    return attempt->has_keys
             ? type_keys(attempt, sq_buf_span(&attempt->keys), err)
             : fail_no_way(err);
}

static bool
by_selected_keyboard(struct attempt *attempt, struct sq_err *err) {
    return know_helpers(attempt, err)
        && (attempt->helpers.keyboard_is_selected ? broadcast(attempt, err)
                                                  : fail_no_way(err));
}

/* Restores the user's keyboard in any case. */
static bool
by_keyboard(struct attempt *attempt, struct sq_err *err) {
    const struct helpers *helpers = &attempt->helpers;
    if (!know_helpers(attempt, err)) {
        return false;
    }
    if (!helpers->keyboard) {
        return fail_no_way(err);
    }
    if (!set_keyboard(attempt->android, KEYBOARD_ID, attempt->deadline, err)) {
        return sq_fail_in(err, "selecting the helper keyboard");
    }
    bool ok = sq_wait_ms(SWITCH_MS, attempt->deadline, err)
           && broadcast(attempt, err)
           && sq_wait_ms(SETTLE_MS, attempt->deadline, err);
    const struct sq_deadline grace = sq_deadline_in(SWITCH_MS, NULL);
    if (helpers->selected[0]) {
        set_keyboard(attempt->android, helpers->selected, &grace, NULL);
    }
    return ok;
}

static bool
by_clipboard_helper(struct attempt *attempt, struct sq_err *err) {
    char after[200];
    snprintf(after, sizeof(after),
             " -n " HELPER_ID "&&input keyevent %d&&"
             "am broadcast -a devicekit.clipboard.clear -n " HELPER_ID,
             SQ_KEYCODE_PASTE);
    return know_helpers(attempt, err)
        && (attempt->helpers.clipboard
                ? send_text(attempt,
                            "am broadcast -a devicekit.clipboard.set -e "
                            "encoding base64 -e text",
                            after, err)
                : fail_no_way(err));
}

static bool
paste_text(struct attempt *attempt, struct sq_err *err) {
    struct sq_span rest = attempt->text;
    char command[40];
    bool ok = true;
    snprintf(command, sizeof(command), "input keyevent %d", SQ_KEYCODE_PASTE);
    while (ok && rest.len > 0) {
        struct sq_span part = sq_utf8_shorten(rest, SQ_CLIP_MAX_BYTES);
        struct sq_err local_err = { 0 };
        ok = sq_android_clip_set(attempt->android, part, attempt->deadline,
                                 &local_err)
          && sq_android_do(attempt->android, sq_span_of(command),
                           attempt->deadline, &local_err);
        if (rest.len < attempt->text.len
            && local_err.code == SQ_ERR_UNSUPPORTED) {
            local_err.code = SQ_ERR_IO; /* a part was typed */
        }
        ok = ok || sq_fail_with(err, &local_err);
        sq_span_skip(&rest, part.len);
    }
    return ok;
}

/* Restores the user's clipboard, if it could be read and was a text. */
static void
restore(struct attempt *attempt, enum sq_clip_content content,
        const struct sq_buf *before) {
    const struct sq_deadline grace = sq_deadline_in(SWITCH_MS, NULL);
    if (content != SQ_CLIP_TEXT
        || !sq_android_clip_set(attempt->android, sq_buf_span(before), &grace,
                                NULL)) {
        attempt->android->base.typing.tip =
            "The clipboard of the device now holds this text.";
    }
}

static bool
by_clipboard(struct attempt *attempt, struct sq_err *err) {
    enum sq_clip_content content = SQ_CLIP_UNKNOWN;
    struct sq_err local_err = { 0 };
    SQ_BUF(before, SQ_CLIP_MAX_BYTES);
    bool ok = sq_android_clip_get(attempt->android, &before, &content,
                                  attempt->deadline, &local_err)
           || local_err.code == SQ_ERR_LIMIT /* a long text is not restored */
           || sq_fail_with(err, &local_err);
    ok = ok && paste_text(attempt, err);
    if (ok) {
        restore(attempt, content, &before);
    }
    return ok;
}

/*
 * The ways to type, in the order in which they are tried. One that cannot enter
 * the text fails with SQ_ERR_UNSUPPORTED before anything is typed.
 */
static const struct way {
    const char *name;
    bool (*type)(struct attempt *attempt, struct sq_err *err);
} ways[] = {
    { NULL, by_plain_keys },
    { "dead keys", by_dead_keys },
    { "ADBKeyBoard", by_selected_keyboard },
    { "clipboard", by_clipboard },
    { "clipboard helper", by_clipboard_helper },
    { "ADBKeyBoard", by_keyboard },
};
#define WAYS ((int)(SQ_COUNT(ways)))

static bool
try_ways(struct attempt *attempt, struct sq_err *err) {
    struct sq_typing *typing = &attempt->android->base.typing;
    typing->tip = NULL;
    for (int i = typing->first_way; i < WAYS; i++) {
        struct sq_err local_err = { 0 };
        if (ways[i].type(attempt, &local_err)) {
            typing->way = i;
            typing->by = ways[i].name;
            return true;
        }
        if (local_err.code != SQ_ERR_UNSUPPORTED) {
            return sq_fail_with(err, &local_err);
        }
    }
    return fail_no_way(err);
}

/* Checks the text, and finds its keys. The caller frees attempt->keys. */
static bool
begin(struct attempt *attempt, struct sq_device *device, struct sq_span text,
      const struct sq_deadline *deadline, struct sq_err *err) {
    *attempt = (struct attempt){ .android = sq_android_of(device),
                                 .text = text,
                                 .deadline = deadline,
                                 .is_plain = true };
    if (sq_utf8_valid_len(text) != text.len) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the text is not UTF-8");
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        attempt->is_plain = attempt->is_plain && c < 0x80;
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "the text contains the control character %#04x, which "
                    "cannot be typed",
                    c);
            return sq_fail_hint(err, "Remove it. Nothing was typed.");
        }
    }
    sq_buf_init(&attempt->keys, MAX_COMMAND);
    return sq_accents_put(&attempt->keys, text, &attempt->has_keys, err);
}

bool
sq_android_text(struct sq_device *device, struct sq_span text,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct attempt attempt;
    bool ok =
        begin(&attempt, device, text, deadline, err) && try_ways(&attempt, err);
    sq_buf_finish(&attempt.keys);
    return ok;
}

/*
 * Returns whether the clipboard can be set, which only trying tells: it holds
 * the text afterwards if what it held cannot be read.
 */
static bool
can_paste(struct attempt *attempt, struct sq_err *err) {
    enum sq_clip_content content = SQ_CLIP_UNKNOWN;
    struct sq_span part = sq_utf8_shorten(attempt->text, SQ_CLIP_MAX_BYTES);
    SQ_BUF(before, SQ_CLIP_MAX_BYTES);
    sq_android_clip_get(attempt->android, &before, &content, attempt->deadline,
                        NULL);
    bool ok =
        sq_android_clip_set(attempt->android, part, attempt->deadline, err);
    if (ok) {
        restore(attempt, content, &before);
    }
    return ok;
}

bool
sq_android_can_type(struct sq_device *device, struct sq_span text,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct attempt attempt;
    struct sq_err local_err = { 0 };
    bool ok = begin(&attempt, device, text, deadline, err);
    sq_buf_finish(&attempt.keys);
    if (!ok || attempt.is_plain || attempt.has_keys) {
        return ok;
    }
    if (!know_helpers(&attempt, err)) {
        return false;
    }
    if (attempt.helpers.keyboard || attempt.helpers.clipboard
        || can_paste(&attempt, &local_err)) {
        return true;
    }
    return local_err.code == SQ_ERR_UNSUPPORTED ? fail_no_way(err)
                                                : sq_fail_with(err, &local_err);
}
