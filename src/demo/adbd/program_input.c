/*
 * The program input, for touches and keys. Ignores impossible actions, as
 * Android does.
 */
#include <stdio.h>

#include "demo/adbd/program.h"
#include "device/adb.h"
#include "util/minmax.h"
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

enum {
    CODE_0 = 7,
    CODE_A = 29,
    CODE_SLEEP = 223,
    CODE_PASTE = 279,
};

static void
type_text(struct sq_adbd_call *call, struct sq_span text) {
    sq_adbd_ignore(call, sq_phone_type(call->phone->demo, text, call->err));
}

static void
press(struct sq_adbd_call *call, const char *name) {
    sq_adbd_ignore(call, sq_phone_key(call->phone->demo, name, call->err));
}

static void
press_code(struct sq_adbd_call *call, int code) {
    char letter = '\0';
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (keys[i].code == code && keys[i].key_name) {
            press(call, keys[i].key_name);
        } else if (keys[i].code == code) {
            type_text(call, sq_span_of(keys[i].text));
        }
    }
    if (code >= CODE_0 && code <= CODE_0 + 9) {
        letter = (char)('0' + code - CODE_0);
    } else if (code >= CODE_A && code < CODE_A + 26) {
        letter = (char)('a' + code - CODE_A);
    }
    if (letter) {
        type_text(call, (struct sq_span){ &letter, 1 });
    } else if (code == CODE_PASTE && !sq_adbd_has(call, SQ_ADBD_NO_PASTE)) {
        type_text(call, sq_buf_span(&call->phone->clipboard));
    } else if (code == CODE_SLEEP) {
        call->phone->demo->asleep = true;
    }
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
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
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
static void
delay_key(struct sq_adbd_call *call, int32_t key) {
    struct sq_adbd_phone *phone = call->phone;
    if (phone->late_keys.len == 0) {
        int64_t ms = phone->options.faults.of[SQ_ADBD_LATE_KEYS].number;
        phone->late_keys_ns = call->now_ns + ms * NS_PER_MS;
    }
    sq_adbd_check(
        call, sq_buf_append(&phone->late_keys, &key, sizeof(key), call->err));
}

void
sq_adbd_keys_arrive(struct sq_adbd_call *call) {
    struct sq_adbd_phone *phone = call->phone;
    struct sq_buf *late = &phone->late_keys;
    int64_t ms = sq_adbd_has(call, SQ_ADBD_LATE_KEYS)
                   ? phone->options.faults.of[SQ_ADBD_LATE_KEYS].number
                   : 0;
    size_t taken = 0;
    while (taken < late->len && phone->late_keys_ns <= call->now_ns) {
        int32_t key;
        char bytes[SQ_UTF8_MAX];
        memcpy(&key, late->data + taken, sizeof(key));
        taken += sizeof(key);
        phone->late_keys_ns += ms * NS_PER_MS;
        if (key < 0) {
            press_code(call, -key);
        } else {
            size_t len = sq_utf8_encode((uint32_t)key, bytes);
            type_text(call, (struct sq_span){ bytes, len });
        }
        sq_adbd_phone_touched(phone);
    }
    sq_buf_drop(late, taken);
}

static void
run_keyevent(struct sq_adbd_call *call, int at) {
    for (; at < call->argc; at++) {
        int code = code_of(call->argv[at]);
        if (strncmp(call->argv[at], "--", 2) == 0) {
            continue;
        }
        if (sq_adbd_has(call, SQ_ADBD_LATE_KEYS)) {
            delay_key(call, -code);
        } else {
            press_code(call, code);
        }
    }
}

/* Types text; newlines and tabs become key presses. */
static void
type_characters(struct sq_adbd_call *call, struct sq_span text) {
    while (text.len > 0) {
        size_t len = 0;
        while (len < text.len && text.ptr[len] != '\n'
               && text.ptr[len] != '\t') {
            len++;
        }
        if (len > 0) {
            type_text(call, (struct sq_span){ text.ptr, len });
        } else {
            press(call, text.ptr[0] == '\n' ? "enter" : "tab");
            len = 1;
        }
        sq_span_skip(&text, len);
    }
}

/*
 * Decodes one code point, or a dead key and its letter, and appends what they
 * type. Returns false if the virtual keyboard has no key for it.
 */
static bool
put_key_text(struct sq_adbd_call *call, struct sq_span *rest,
             struct sq_buf *out) {
    char bytes[SQ_UTF8_MAX];
    uint32_t code = 0;
    bool is_known;
    size_t len = sq_utf8_decode(*rest, &code);
    if (sq_accents_is_mark(code) && len < rest->len) {
        char letter = rest->ptr[len];
        code = sq_adbd_has(call, SQ_ADBD_NO_DEAD_KEYS)
                 ? (uint32_t)letter
                 : sq_accents_compose(code, letter);
        is_known = code != 0;
        len++;
    } else {
        is_known = len > 0 && (code < 0x80 || sq_accents_has_key(code));
    }
    len = len > 0 ? len : rest->len;
    sq_span_skip(rest, len);
    if (is_known) {
        len = sq_utf8_encode(code, bytes);
        sq_adbd_check(call, sq_buf_append(out, bytes, len, call->err));
    }
    return is_known;
}

/* Types text. The virtual keyboard has keys for ASCII and some accents. */
static void
run_text(struct sq_adbd_call *call, int at) {
    const char *from = sq_adbd_arg(call, at);
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    bool is_known = true;
    if (!from) {
        sq_adbd_fail(call, 255, "Error: Argument expected after \"text\"\n");
        return;
    }
    struct sq_span rest = sq_span_of(from);
    sq_buf_init(&text, SQ_FIELD_MAX_BYTES);
    while (!call->failed && is_known && rest.len > 0) {
        if (sq_span_take_prefix(&rest, "%s")) {
            sq_adbd_check(call, sq_buf_append(&text, " ", 1, call->err));
        } else {
            is_known = put_key_text(call, &rest, &text);
        }
    }
    rest = sq_buf_span(&text);
    if (!is_known) {
        sq_adbd_fail(
            call, 255,
            "\nException occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null "
            "array\n\tat com.android.server.input.InputShellCommand."
            "sendText(InputShellCommand.java:373)\n");
    } else if (!call->failed && !sq_adbd_has(call, SQ_ADBD_LATE_KEYS)) {
        type_characters(call, rest);
    }
    /* It has no newlines or tabs then. */
    while (is_known && sq_adbd_has(call, SQ_ADBD_LATE_KEYS) && !call->failed
           && rest.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(rest, &code);
        delay_key(call, (int32_t)code);
        sq_span_skip(&rest, len);
    }
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
takes_double_tap(struct sq_adbd_call *call, struct sq_dev_pt at) {
    SQ_FREED(sq_scene_finish) struct sq_scene scene = { 0 };
    if (!sq_adbd_check(call,
                       sq_phone_scene(call->phone->demo, &scene, call->err))) {
        return false;
    }
    const struct sq_item *item = sq_scene_at(&scene, at);
    while (item && !item->widget->tap && !item->widget->double_tap) {
        item = item->parent;
    }
    return item && item->widget->double_tap;
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

static void
run_tap(struct sq_adbd_call *call, int at) {
    struct sq_deadline deadline = { .at_ns = INT64_MAX };
    int xy[2];
    if (read_numbers(call, at, xy, 2) < 2) {
        sq_adbd_fail(call, 255, "Error: Invalid arguments for command: tap\n");
        return;
    }
    struct sq_touch touch = { .at = { xy[0], xy[1] }, .count = 1 };
    touch.count += is_second_tap(call, touch.at) && !call->phone->demo->asleep
                && takes_double_tap(call, touch.at);
    sq_adbd_ignore(call, call->failed
                             || sq_device_tap(sq_adbd_phone_device(call->phone),
                                              &touch, &deadline, call->err));
}

static void
run_swipe(struct sq_adbd_call *call, int at) {
    struct sq_size size = sq_phone_size(call->phone->demo);
    int numbers[5] = { [4] = SWIPE_MS };
    if (read_numbers(call, at, numbers, 5) < 4) {
        sq_adbd_fail(call, 255,
                     "Error: Invalid arguments for command: swipe\n");
        return;
    }
    for (int i = 0; i < 4; i++) {
        int most = (i % 2 ? size.height : size.width) - 1;
        numbers[i] = sq_max_int(0, sq_min_int(numbers[i], most));
    }
    const struct sq_swipe move = { .from = { numbers[0], numbers[1] },
                                   .to = { numbers[2], numbers[3] },
                                   .duration_ms = numbers[4] };
    call->phone->last_tap.ns = 0;
    sq_adbd_ignore(call, sq_phone_swipe(call->phone->demo, &move, call->err));
}

static const struct {
    const char *name;
    void (*run)(struct sq_adbd_call *call, int at);
} commands[] = {
    { "tap", run_tap },           { "swipe", run_swipe },
    { "draganddrop", run_swipe }, { "text", run_text },
    { "keyevent", run_keyevent },
};

/* Names between spaces. */
#define SOURCES                                                                \
    " touchscreen keyboard mouse dpad stylus touchpad joystick trackball "     \
    "gamepad touchnavigation "

static void
run_input(struct sq_adbd_call *call) {
    char source[32];
    snprintf(source, sizeof(source), " %.28s ",
             call->argc > 1 ? call->argv[1] : "-");
    int at = strstr(SOURCES, source) ? 2 : 1;
    at += sq_adbd_arg_is(call, at, "-d") ? 2 : 0;
    if (sq_adbd_arg_is(call, at, "help")) {
        sq_adbd_print(call, "Usage: input [<source>] [-d DISPLAY_ID] "
                            "<command> [<arg>...]\n");
        return;
    }
    for (size_t i = 0; i < SQ_COUNT(commands); i++) {
        if (sq_adbd_arg_is(call, at, commands[i].name)) {
            sq_adbd_phone_touched(call->phone);
            commands[i].run(call, at + 1);
            return;
        }
    }
    sq_adbd_fail(call, 255, "Error: Unknown command: %s\n",
                 at < call->argc ? call->argv[at] : "");
}

/* "cmd input", which takes commands since Android 12. */
static void
run_input_service(struct sq_adbd_call *call) {
    if (sq_adbd_phone_api(call->phone) < ANDROID_12) {
        sq_adbd_fail(call, 255, "No shell command implementation.\n");
        return;
    }
    run_input(call);
}

const struct sq_adbd_program sq_adbd_input_programs[] = {
    { "input", run_input, SQ_ADBD_PROGRAM },
    { "input", run_input_service, SQ_ADBD_SERVICE },
    { 0 },
};
