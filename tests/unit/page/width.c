/* Columns that characters take; compared with the C library. */
#include "page/width.h"

#include <locale.h>
#include <wchar.h>

#include "support/test.h"
#include "util/utf8.h"

int wcwidth(wchar_t code);

T_CASE(characters_have_columns) {
    T_INT(sq_code_columns('a'), 1);
    T_INT(sq_code_columns(0xe9), 1);
    T_INT(sq_code_columns(0x301), 0);   /* combining acute */
    T_INT(sq_code_columns(0x4e2d), 2);  /* CJK */
    T_INT(sq_code_columns(0xac00), 2);  /* Hangul */
    T_INT(sq_code_columns(0x1f600), 2); /* emoji */
    T_INT(sq_code_columns(0xff21), 2);  /* fullwidth A */
    T_INT(sq_code_columns(0xff71), 1);  /* halfwidth katakana */
    T_INT(sq_code_columns(0x20ac), 1);
    T_INT(sq_code_columns(0x10ffff), 1);
}

/* Letters of these blocks, as the C library counts them. */
T_CASE(the_c_library_agrees) {
    static const uint32_t blocks[][2] = {
        { 0x20, 0x7e },       { 0xa1, 0xac },     { 0x100, 0x2ff },
        { 0x370, 0x377 },     { 0x400, 0x482 },   { 0x3041, 0x3096 },
        { 0x4e00, 0x4fff },   { 0xac00, 0xacff }, { 0xff01, 0xff60 },
        { 0x1f600, 0x1f64f },
    };
    if (!setlocale(LC_CTYPE, "C.UTF-8")) {
        t_skip("no locale C.UTF-8");
        return;
    }
    for (size_t i = 0; i < SQ_COUNT(blocks); i++) {
        for (uint32_t code = blocks[i][0]; code <= blocks[i][1]; code++) {
            if (sq_code_columns(code) != wcwidth((wchar_t)code)) {
                printf("# U+%04X\n", code);
                T_INT(sq_code_columns(code), wcwidth((wchar_t)code));
            }
        }
    }
    setlocale(LC_CTYPE, "C");
}

T_CASE(texts_are_measured_and_cut) {
    static const char mixed[] = "a\xe4\xb8\xad"
                                "e\xcc\x81z";
    T_INT((long)sq_text_columns(SQ_SPAN("")), 0);
    T_INT((long)sq_text_columns(sq_span_of(mixed)), 5);
    T_INT((long)sq_text_fit(sq_span_of(mixed), 0), 0);
    T_INT((long)sq_text_fit(sq_span_of(mixed), 1), 1);
    T_INT((long)sq_text_fit(sq_span_of(mixed), 2), 1); /* no half of it */
    T_INT((long)sq_text_fit(sq_span_of(mixed), 3), 4);
    T_INT((long)sq_text_fit(sq_span_of(mixed), 4), 7); /* with its accent */
    T_INT((long)sq_text_fit(sq_span_of(mixed), 99), 8);
    T_INT((long)sq_text_columns(SQ_SPAN("\xff\xe4")), 2);
}

/* Joins the lines of a text with "|". */
static const char *
broken(const char *text, size_t columns) {
    static char joined[200];
    struct sq_span rest = sq_span_of(text);
    struct sq_span line;
    joined[0] = '\0';
    while (sq_text_take_line(&rest, columns, &line)) {
        T(sq_text_columns(line) <= columns || !sq_span_contains(line, ' '));
        snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined),
                 "%s%.*s", joined[0] ? "|" : "", SQ_SPAN_ARGS(line));
    }
    return joined;
}

T_CASE(texts_are_broken_at_spaces) {
    T_STR(broken("", 10), "");
    T_STR(broken("one two three", 99), "one two three");
    T_STR(broken("one two three", 13), "one two three");
    T_STR(broken("one two three", 12), "one two|three");
    T_STR(broken("one two three", 7), "one two|three");
    T_STR(broken("one two three", 6), "one|two|three");
    T_STR(broken("one two three", 2), "one|two|three");
    T_STR(broken("longest word", 5), "longest|word");
    T_STR(broken("in /a/long/path now", 6), "in|/a/long/path|now");
    T_STR(broken("a\xe4\xb8\xad b", 3), "a\xe4\xb8\xad|b");
}
