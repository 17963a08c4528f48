/* Parses whether a password is being typed, from "dumpsys input_method". */
#include "device/android/parse_input_method.h"

#include "device/android/parse_line.h"

/* Parts of an input type; see android.text.InputType. */
#define TYPE_MASK 0xfffu /* class and variation */
#define TYPE_TEXT_PASSWORD 0x81u
#define TYPE_TEXT_WEB_PASSWORD 0xe1u
#define TYPE_NUMBER_PASSWORD 0x12u

#define MAX_DIGITS 8

/* Parses a hexadecimal number up to the first other character. */
static uint32_t
parse_hex(struct sq_span text) {
    uint32_t number = 0;
    for (size_t i = 0; i < text.len && i < MAX_DIGITS; i++) {
        char c = text.ptr[i];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0')
                       : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                                              : 16;
        if (digit == 16) {
            break;
        }
        number = number * 16 + digit;
    }
    return number;
}

static bool
is_password(struct sq_span type) {
    uint32_t number = parse_hex(type) & TYPE_MASK;
    return number == TYPE_TEXT_PASSWORD || number == TYPE_TEXT_WEB_PASSWORD
        || number == TYPE_NUMBER_PASSWORD;
}

enum sq_password_focus
sq_input_method_parse(struct sq_span dumpsys) {
    enum sq_password_focus focus = SQ_PASSWORD_FOCUS_UNKNOWN;
    bool is_ended = false; /* the keyboard reports a field that was left */
    struct sq_span line;
    while (sq_line_take(&dumpsys, &line)) {
        struct sq_span rest = line;
        /* Lists of past fields have the type in the middle of a line. */
        bool has_type = sq_span_take_prefix(&rest, "inputType=0x");
        bool has_start = sq_line_find(line, "mInputStarted=", &rest);
        if (has_type && !is_ended && is_password(rest)) {
            return SQ_PASSWORD_FOCUSED;
        }
        if (has_start) {
            is_ended = sq_span_take_prefix(&rest, "false");
        }
        if (has_type || has_start
            || sq_line_has(line, "Input Method Manager state")) {
            focus = SQ_PASSWORD_NOT_FOCUSED;
        }
    }
    return focus;
}
