/* Checks XML characters and parses numeric references. */
#include "device/android/xml_char.h"

#define BEYOND_UNICODE 0x110000

bool
sq_xml_is_char(uint32_t code) {
    if (code < 0x20) {
        return code == '\t' || code == '\n' || code == '\r';
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return !surrogate && code != 0xfffe && code != 0xffff
        && code < BEYOND_UNICODE;
}

/* Returns the value of a hexadecimal digit, or 16. */
static uint32_t
digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return (uint32_t)(c - '0');
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? (uint32_t)(lower - 'a' + 10) : 16;
}

size_t
sq_xml_reference(struct sq_span text, uint32_t *code) {
    struct sq_span rest = text;
    if (!sq_span_take_prefix(&rest, "&#")) {
        return 0;
    }
    uint32_t base = sq_span_take_prefix(&rest, "x") ? 16 : 10;
    uint32_t sum = 0;
    size_t digits = 0;
    while (digits < rest.len && digit_value(rest.ptr[digits]) < base) {
        sum = sum * base + digit_value(rest.ptr[digits]);
        sum = sum > BEYOND_UNICODE ? BEYOND_UNICODE : sum;
        digits++;
    }
    if (digits == 0 || digits == rest.len || rest.ptr[digits] != ';') {
        return 0;
    }
    *code = sum;
    return text.len - rest.len + digits + 1;
}
