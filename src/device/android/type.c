/*
 * Types text. Android's "input text" supports ASCII only, so other text goes
 * through a helper keyboard or the clipboard.
 */
#include <stdio.h>
#include <string.h>

#include "device/android/keys.h"
#include "device/android/parse_packages.h"
#include "device/android/quote.h"
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

static bool
is_printable(char c) {
    return c >= ' ' && c <= '~';
}

/* Returns whether "input text" and key events can type all of it. */
static bool
is_plain(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (!is_printable(c) && c != '\n' && c != '\t') {
            return false;
        }
    }
    return true;
}

static bool
check_text(struct sq_span text, struct sq_err *err) {
    if (sq_utf8_valid_len(text) != text.len) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the text is not UTF-8");
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "the text contains the control character %#04x, which "
                    "cannot be typed",
                    c);
            return sq_fail_hint(err, "Remove it. Nothing was typed.");
        }
    }
    return true;
}

/*
 * Takes the text for one "input text" command. The command turns %s into a
 * space, so a percent sign and an s must not be in the same chunk.
 */
static struct sq_span
take_chunk(struct sq_span *rest) {
    size_t len = 0;
    while (len < rest->len && len < MAX_CHUNK && is_printable(rest->ptr[len])) {
        len++;
        if (rest->ptr[len - 1] == '%' && len < rest->len
            && rest->ptr[len] == 's') {
            break;
        }
    }
    struct sq_span chunk = { rest->ptr, len };
    rest->ptr += len;
    rest->len -= len;
    return chunk;
}

/* Spaces are sent as %s, since some devices split the argument again. */
static bool
put_chunk(struct sq_buf *out, struct sq_span chunk, struct sq_err *err) {
    char encoded[2 * MAX_CHUNK];
    size_t used = 0;
    for (size_t i = 0; i < chunk.len; i++) {
        if (chunk.ptr[i] == ' ') {
            encoded[used++] = '%';
            encoded[used++] = 's';
        } else {
            encoded[used++] = chunk.ptr[i];
        }
    }
    return sq_buf_printf(out, err, "input text ")
        && sq_shell_quote(out, (struct sq_span){ encoded, used }, err);
}

static bool
put_key(struct sq_buf *out, struct sq_span *rest, struct sq_err *err) {
    int code = rest->ptr[0] == '\n' ? SQ_KEYCODE_ENTER : SQ_KEYCODE_TAB;
    rest->ptr++;
    rest->len--;
    return sq_buf_printf(out, err, "input keyevent %d", code);
}

/* Appends as many commands as one exchange should contain. */
static bool
put_commands(struct sq_buf *out, struct sq_span *rest, struct sq_err *err) {
    bool ok = true;
    while (ok && rest->len > 0 && out->len < MAX_EXCHANGE) {
        ok = out->len == 0 || sq_buf_printf(out, err, "&&");
        if (ok && is_printable(rest->ptr[0])) {
            ok = put_chunk(out, take_chunk(rest), err);
        } else if (ok) {
            ok = put_key(out, rest, err);
        }
    }
    return ok;
}

static bool
do_buffer(struct sq_android *android, const struct sq_buf *command,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_span text = sq_buf_span(command);
    return sq_android_do(android, text, deadline, err);
}

static bool
type_plain(struct sq_android *android, struct sq_span text,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf command;
    struct sq_span rest = text;
    bool ok = true;
    sq_buf_init(&command, MAX_COMMAND);
    while (ok && rest.len > 0) {
        size_t done = text.len - rest.len;
        sq_buf_clear(&command);
        ok = put_commands(&command, &rest, err)
          && do_buffer(android, &command, deadline, err);
        if (!ok && done > 0) {
            sq_fail_in(err, "after %zu characters were typed", done);
        }
    }
    sq_buf_finish(&command);
    return ok;
}

/* The helpers on the device that can enter any text. */
struct helpers {
    bool keyboard; /* the helper keyboard is installed and enabled */
    bool keyboard_is_selected; /* and selected */
    bool clipboard;            /* the clipboard helper app is installed */
    char selected[SQ_DEVICE_TEXT_SIZE]; /* the selected keyboard */
};

static bool
is_valid_id(struct sq_span id) {
    struct sq_component component;
    return sq_component_parse(id, &component);
}

static void
read_helpers(struct sq_span keyboards, struct sq_span selected,
             struct sq_span package, struct helpers *out) {
    struct sq_span id;
    while (sq_keyboards_take(&keyboards, &id)) {
        out->keyboard = out->keyboard || sq_span_is(id, KEYBOARD_ID);
    }
    if (sq_keyboards_take(&selected, &id) && id.len < sizeof(out->selected)
        && is_valid_id(id)) {
        snprintf(out->selected, sizeof(out->selected), "%.*s",
                 SQ_SPAN_ARGS(id));
        out->keyboard_is_selected = sq_span_is(id, KEYBOARD_ID);
    }
    out->clipboard = sq_span_starts_with(sq_span_trim(package), "package:");
}

static bool
query_helpers(struct sq_android *android, struct helpers *out,
              const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_output output;
    bool ok = sq_android_run(
        android,
        "ime list -s;" SQ_MARK_COMMAND
        ";settings get secure default_input_method;" SQ_MARK_COMMAND
        ";pm path " HELPER,
        &output, deadline, err);
    if (ok) {
        struct sq_span text = sq_buf_span(&output.out);
        struct sq_span keyboards = sq_android_take_section(&text);
        struct sq_span selected = sq_android_take_section(&text);
        *out = (struct helpers){ 0 };
        read_helpers(keyboards, selected, text, out);
    }
    sq_adb_output_finish(&output);
    return ok;
}

static bool
broadcast(struct sq_android *android, struct sq_span text,
          const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf command;
    sq_buf_init(&command, MAX_COMMAND);
    /* Sent to this package only, so that no other app can read the text. */
    bool ok = sq_buf_printf(&command, err,
                            "am broadcast -a ADB_INPUT_B64 -p " KEYBOARD
                            " --es msg '")
           && sq_base64_append(&command, text.ptr, text.len, err)
           && sq_buf_printf(&command, err, "'")
           && do_buffer(android, &command, deadline, err);
    sq_buf_finish(&command);
    return ok;
}

static bool
set_keyboard(struct sq_android *android, const char *id,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf command;
    sq_buf_init(&command, MAX_COMMAND);
    bool ok = sq_buf_printf(&command, err, "ime set ")
           && sq_shell_quote(&command, sq_span_of(id), err)
           && do_buffer(android, &command, deadline, err);
    sq_buf_finish(&command);
    return ok;
}

/* Restores the user's keyboard in any case. */
static bool
type_with_keyboard(struct sq_android *android, const struct helpers *helpers,
                   struct sq_span text, const struct sq_deadline *deadline,
                   struct sq_err *err) {
    if (!set_keyboard(android, KEYBOARD_ID, deadline, err)) {
        return sq_fail_in(err, "selecting the helper keyboard");
    }
    bool ok = sq_wait_ms(SWITCH_MS, deadline, err)
           && broadcast(android, text, deadline, err)
           && sq_wait_ms(SETTLE_MS, deadline, err);
    const struct sq_deadline grace = sq_deadline_in(SWITCH_MS, NULL);
    if (helpers->selected[0]) {
        set_keyboard(android, helpers->selected, &grace, NULL);
    }
    return ok;
}

static bool
type_with_clipboard(struct sq_android *android, struct sq_span text,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_buf command;
    sq_buf_init(&command, MAX_COMMAND);
    bool ok = sq_buf_printf(&command, err,
                            "am broadcast -a devicekit.clipboard.set -e "
                            "encoding base64 -e text '")
           && sq_base64_append(&command, text.ptr, text.len, err)
           && sq_buf_printf(
                  &command, err,
                  "' -n " HELPER_ID "&&input keyevent %d&&"
                  "am broadcast -a devicekit.clipboard.clear -n " HELPER_ID,
                  SQ_KEYCODE_PASTE)
           && do_buffer(android, &command, deadline, err);
    sq_buf_finish(&command);
    return ok;
}

static bool
fail_not_ascii(struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "this device accepts only ASCII text through adb, so nothing was "
            "typed");
    return sq_fail_hint(err, "Install and enable the keyboard " KEYBOARD
                             " on it, or type by tapping the keys on its "
                             "screen.");
}

bool
sq_android_text(struct sq_device *device, struct sq_span text,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_android *android = (struct sq_android *)device;
    struct helpers helpers;
    if (!check_text(text, err)) {
        return false;
    }
    if (is_plain(text)) {
        return type_plain(android, text, deadline, err);
    }
    if (!query_helpers(android, &helpers, deadline, err)) {
        return false;
    }
    if (helpers.keyboard_is_selected) {
        return broadcast(android, text, deadline, err);
    }
    if (helpers.clipboard) {
        return type_with_clipboard(android, text, deadline, err);
    }
    return helpers.keyboard
             ? type_with_keyboard(android, &helpers, text, deadline, err)
             : fail_not_ascii(err);
}
