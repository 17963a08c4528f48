/*
 * The program input, for touches and keys. Ignores impossible actions, as
 * Android does.
 */
#include <stdio.h>
#include <string.h>

#include "demo/adbd/program.h"
#include "device/android/accents.h"
#include "util/limits.h"
#include "util/utf8.h"

#define DOUBLE_TAP_NS ((int64_t)300 * 1000000)
#define DOUBLE_TAP_DP 48
#define SWIPE_MS 300
#define MAX_KEY_CODE 320
#define NS_PER_MS 1000000

/* The Android keys that the phone supports. Others do nothing. */
static const struct key {
    int code;
    const char *name; /* without KEYCODE_ */
    const char *key_name;
    const char *text; /* alternatively, the text it types */
} keys[] = {
    { 3, "HOME", "home", NULL },
    { 4, "BACK", "back", NULL },
    { 19, "DPAD_UP", "up", NULL },
    { 20, "DPAD_DOWN", "down", NULL },
    { 26, "POWER", "power", NULL },
    { 55, "COMMA", NULL, "," },
    { 56, "PERIOD", NULL, "." },
    { 61, "TAB", "tab", NULL },
    { 62, "SPACE", "space", NULL },
    { 66, "ENTER", "enter", NULL },
    { 67, "DEL", "delete", NULL },
    { 69, "MINUS", NULL, "-" },
    { 76, "SLASH", NULL, "/" },
    { 77, "AT", NULL, "@" },
    { 81, "PLUS", NULL, "+" },
    { 92, "PAGE_UP", "page_up", NULL },
    { 93, "PAGE_DOWN", "page_down", NULL },
    { 111, "ESCAPE", "escape", NULL },
    { 160, "NUMPAD_ENTER", "enter", NULL },
    { 187, "APP_SWITCH", "app_switch", NULL },
    { 224, "WAKEUP", "wakeup", NULL },
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

enum {
    CODE_0 = 7,
    CODE_A = 29,
    CODE_SLEEP = 223,
    CODE_PASTE = 279,
};

/* Ignores failures of the phone, except lack of memory. */
static bool
ignore_failure(bool ok, const struct sq_err *other_err, struct sq_err *err) {
    return ok || other_err->code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

static bool
type_text(struct sq_adbd_call *call, struct sq_span text, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    return ignore_failure(sq_phone_type(call->phone->demo, text, &local_err),
                          &local_err, err);
}

static bool
press(struct sq_adbd_call *call, const char *name, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    return ignore_failure(sq_phone_key(call->phone->demo, name, &local_err),
                          &local_err, err);
}

static bool
press_code(struct sq_adbd_call *call, int code, struct sq_err *err) {
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].code == code && keys[i].key_name) {
            return press(call, keys[i].key_name, err);
        }
        if (keys[i].code == code) {
            return type_text(call, sq_span_of(keys[i].text), err);
        }
    }
    char letter = '\0';
    if (code >= CODE_0 && code <= CODE_0 + 9) {
        letter = (char)('0' + code - CODE_0);
    } else if (code >= CODE_A && code < CODE_A + 26) {
        letter = (char)('a' + code - CODE_A);
    }
    if (letter) {
        return type_text(call, (struct sq_span){ &letter, 1 }, err);
    }
    if (code == CODE_PASTE
        && !sq_adbd_phone_has(call->phone, SQ_ADBD_NO_PASTE)) {
        const struct sq_buf *clip = &call->phone->clipboard;
        return type_text(call, sq_buf_span(clip), err);
    }
    if (code == CODE_SLEEP) {
        call->phone->demo->asleep = true;
    }
    return true;
}

/* Parses a number, KEYCODE_NAME or NAME. Returns 0 if unknown. */
static int
code_of(const char *text) {
    struct sq_span name = sq_span_of(text);
    int64_t number;
    if (sq_span_to_int64(name, &number)) {
        return number > 0 && number <= MAX_KEY_CODE ? (int)number : 0;
    }
    sq_span_take_prefix(&name, "KEYCODE_");
    for (size_t i = 0; i < KEYS; i++) {
        if (sq_span_is(name, keys[i].name)) {
            return keys[i].code;
        }
    }
    if (name.len == 1 && name.ptr[0] >= 'A' && name.ptr[0] <= 'Z') {
        return CODE_A + name.ptr[0] - 'A';
    }
    if (name.len == 1 && name.ptr[0] >= '0' && name.ptr[0] <= '9') {
        return CODE_0 + name.ptr[0] - '0';
    }
    return sq_span_is(name, "PASTE") ? CODE_PASTE
         : sq_span_is(name, "SLEEP") ? CODE_SLEEP
                                     : 0;
}

/* Lets a key arrive after those before it. */
static bool
delay_key(struct sq_adbd_call *call, int32_t key, struct sq_err *err) {
    struct sq_adbd_phone *phone = call->phone;
    if (phone->late_keys.len == 0) {
        int64_t ms = phone->faults.of[SQ_ADBD_LATE_KEYS].number;
        phone->late_keys_ns = call->now_ns + ms * NS_PER_MS;
    }
    return sq_buf_append(&phone->late_keys, &key, sizeof(key), err);
}

static bool
has_late_keys(const struct sq_adbd_call *call) {
    return sq_adbd_phone_has(call->phone, SQ_ADBD_LATE_KEYS);
}

bool
sq_adbd_keys_arrive(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_adbd_phone *phone = call->phone;
    struct sq_buf *late = &phone->late_keys;
    int64_t ms =
        has_late_keys(call) ? phone->faults.of[SQ_ADBD_LATE_KEYS].number : 0;
    size_t taken = 0;
    bool ok = true;
    if (late->len == 0) {
        return true;
    }
    while (ok && taken < late->len && phone->late_keys_ns <= call->now_ns) {
        int32_t key;
        char bytes[SQ_UTF8_MAX];
        memcpy(&key, late->data + taken, sizeof(key));
        taken += sizeof(key);
        phone->late_keys_ns += ms * NS_PER_MS;
        ok = key < 0
               ? press_code(call, -key, err)
               : type_text(call,
                           (struct sq_span){
                               bytes, sq_utf8_encode((uint32_t)key, bytes) },
                           err);
        sq_adbd_phone_touched(phone);
    }
    memmove(late->data, late->data + taken, late->len - taken);
    size_t left = late->len - taken;
    sq_buf_clear(late);
    sq_buf_commit(late, left);
    return ok;
}

static bool
run_keyevent(struct sq_adbd_call *call, int at, struct sq_err *err) {
    bool ok = true;
    for (; ok && at < call->argc; at++) {
        if (strncmp(call->argv[at], "--", 2) != 0) {
            int code = code_of(call->argv[at]);
            ok = has_late_keys(call) ? delay_key(call, -code, err)
                                     : press_code(call, code, err);
        }
    }
    return ok;
}

/* Lets each character of a text arrive late; it has no newlines or tabs. */
static bool
delay_text(struct sq_adbd_call *call, struct sq_span text, struct sq_err *err) {
    uint32_t code = 0;
    size_t len;
    bool ok = true;
    while (ok && (len = sq_utf8_decode(text, &code)) > 0) {
        ok = delay_key(call, (int32_t)code, err);
        text.ptr += len;
        text.len -= len;
    }
    return ok;
}

/* Types text; newlines and tabs become key presses. */
static bool
type_characters(struct sq_adbd_call *call, struct sq_span text,
                struct sq_err *err) {
    size_t start = 0;
    bool ok = true;
    for (size_t i = 0; ok && i <= text.len; i++) {
        bool ends = i == text.len || text.ptr[i] == '\n' || text.ptr[i] == '\t';
        if (!ends) {
            continue;
        }
        ok = i == start
          || type_text(call, (struct sq_span){ text.ptr + start, i - start },
                       err);
        if (ok && i < text.len) {
            ok = press(call, text.ptr[i] == '\n' ? "enter" : "tab", err);
        }
        start = i + 1;
    }
    return ok;
}

/*
 * Decodes one code point, or a dead key and its letter, and appends what they
 * type. *known is false if the virtual keyboard has no key for it.
 */
static bool
put_key_text(struct sq_adbd_call *call, struct sq_span *rest,
             struct sq_buf *out, bool *known, struct sq_err *err) {
    char bytes[SQ_UTF8_MAX];
    uint32_t code = 0;
    size_t len = sq_utf8_decode(*rest, &code);
    bool ignores_mark = false;
    if (sq_accents_is_mark(code) && len < rest->len) {
        char letter = rest->ptr[len];
        ignores_mark = sq_adbd_phone_has(call->phone, SQ_ADBD_NO_DEAD_KEYS);
        code =
            ignores_mark ? (uint32_t)letter : sq_accents_compose(code, letter);
        *known = code != 0;
        len++;
    } else {
        *known = len > 0 && (code < 0x80 || sq_accents_has_key(code));
    }
    len = len > 0 ? len : rest->len;
    rest->ptr += len;
    rest->len -= len;
    return !*known
        || sq_buf_append(out, bytes, sq_utf8_encode(code, bytes), err);
}

/* Types text. The virtual keyboard has keys for ASCII and some accents. */
static bool
run_text(struct sq_adbd_call *call, int at, struct sq_err *err) {
    const char *from = sq_adbd_arg(call, at);
    struct sq_buf text;
    bool ok = true;
    if (!from) {
        return sq_adbd_print_error(call, 255, err,
                                   "Error: Argument expected after \"text\"\n");
    }
    struct sq_span rest = sq_span_of(from);
    bool known = true;
    sq_buf_init(&text, SQ_FIELD_MAX_BYTES);
    while (ok && known && rest.len > 0) {
        if (sq_span_take_prefix(&rest, "%s")) {
            ok = sq_buf_append(&text, " ", 1, err);
        } else {
            ok = put_key_text(call, &rest, &text, &known, err);
        }
    }
    if (ok && !known) {
        sq_buf_finish(&text);
        return sq_adbd_print_error(
            call, 255, err,
            "\nException occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null "
            "array\n\tat com.android.server.input.InputShellCommand."
            "sendText(InputShellCommand.java:373)\n");
    }
    struct sq_span typed = sq_buf_span(&text);
    ok = ok
      && (has_late_keys(call) ? delay_text(call, typed, err)
                              : type_characters(call, typed, err));
    sq_buf_finish(&text);
    return ok;
}

/*
 * Reads numbers, possibly with fractions, from argument `at` on. Returns how
 * many.
 */
static int
read_numbers(const struct sq_adbd_call *call, int at, int out[], int max) {
    int count = 0;
    while (count < max && at + count < call->argc) {
        double number;
        if (!sq_span_to_double(sq_span_of(call->argv[at + count]), &number)
            || number < -SQ_MAX_SIDE * 8.0 || number > 3600.0 * 1000) {
            break;
        }
        out[count++] = (int)number;
    }
    return count;
}

static bool
takes_double_tap(struct sq_adbd_phone *phone, struct sq_dev_pt at, bool *out,
                 struct sq_err *err) {
    struct sq_scene scene;
    if (!sq_phone_scene(phone->demo, &scene, err)) {
        return false;
    }
    const struct sq_item *item = sq_scene_at(&scene, at);
    while (item && !item->widget->tap && !item->widget->double_tap) {
        item = item->parent;
    }
    *out = item && item->widget->double_tap;
    sq_scene_finish(&scene);
    return true;
}

/* Returns whether this tap is the second of a double tap. */
static bool
is_second_tap(struct sq_adbd_call *call, struct sq_dev_pt at) {
    struct sq_adbd_phone *phone = call->phone;
    int reach = (int)(DOUBLE_TAP_DP * phone->demo->options.density);
    int dx = at.x - phone->last_tap.at.x;
    int dy = at.y - phone->last_tap.at.y;
    bool second = phone->last_tap.ns
               && call->now_ns - phone->last_tap.ns <= DOUBLE_TAP_NS
               && dx * dx + dy * dy <= reach * reach;
    phone->last_tap.at = at;
    phone->last_tap.ns = second ? 0 : call->now_ns;
    return second;
}

static bool
tap(struct sq_adbd_call *call, struct sq_dev_pt at, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_touch touch = { .at = at, .count = 1 };
    struct sq_deadline deadline = { .at_ns = INT64_MAX };
    bool is_double = false;
    if (is_second_tap(call, at) && !call->phone->demo->asleep
        && !takes_double_tap(call->phone, at, &is_double, err)) {
        return false;
    }
    touch.count += is_double;
    return ignore_failure(sq_device_tap(sq_adbd_phone_device(call->phone),
                                        &touch, &deadline, &local_err),
                          &local_err, err);
}

static int
clamp(int value, int size) {
    return value < 0 ? 0 : value >= size ? size - 1 : value;
}

static bool
swipe(struct sq_adbd_call *call, const int at[5], struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_size size = sq_phone_size(call->phone->demo);
    struct sq_swipe move = {
        .from = { clamp(at[0], size.width), clamp(at[1], size.height) },
        .to = { clamp(at[2], size.width), clamp(at[3], size.height) },
        .duration_ms = at[4],
    };
    call->phone->last_tap.ns = 0;
    return ignore_failure(sq_phone_swipe(call->phone->demo, &move, &local_err),
                          &local_err, err);
}

static bool
run_tap(struct sq_adbd_call *call, int at, struct sq_err *err) {
    int xy[2];
    if (read_numbers(call, at, xy, 2) < 2) {
        return sq_adbd_print_error(
            call, 255, err, "Error: Invalid arguments for command: tap\n");
    }
    return tap(call, (struct sq_dev_pt){ xy[0], xy[1] }, err);
}

static bool
run_swipe(struct sq_adbd_call *call, int at, struct sq_err *err) {
    int numbers[5] = { [4] = SWIPE_MS };
    if (read_numbers(call, at, numbers, 5) < 4) {
        return sq_adbd_print_error(
            call, 255, err, "Error: Invalid arguments for command: swipe\n");
    }
    return swipe(call, numbers, err);
}

static const struct {
    const char *name;
    bool (*run)(struct sq_adbd_call *call, int at, struct sq_err *err);
} commands[] = {
    { "tap", run_tap },           { "swipe", run_swipe },
    { "draganddrop", run_swipe }, { "text", run_text },
    { "keyevent", run_keyevent },
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const char *const sources[] = {
    "touchscreen", "keyboard", "mouse",     "dpad",    "stylus",
    "touchpad",    "joystick", "trackball", "gamepad", "touchnavigation",
};

static bool
is_source(const char *word) {
    bool found = false;
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        found = found || strcmp(word, sources[i]) == 0;
    }
    return found;
}

bool
sq_adbd_run_input(struct sq_adbd_call *call, struct sq_err *err) {
    int at = 1;
    at += at < call->argc && is_source(call->argv[at]);
    at += sq_adbd_arg_is(call, at, "-d") ? 2 : 0;
    for (size_t i = 0; i < COMMANDS; i++) {
        if (sq_adbd_arg_is(call, at, commands[i].name)) {
            sq_adbd_phone_touched(call->phone);
            return commands[i].run(call, at + 1, err);
        }
    }
    return sq_adbd_print_error(call, 255, err, "Error: Unknown command: %s\n",
                               at < call->argc ? call->argv[at] : "");
}
