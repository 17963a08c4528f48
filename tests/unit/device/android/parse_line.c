#include "device/android/parse.h"

#include "support/test.h"

#define T_SPAN(got, want) T_BYTES((got).ptr, (got).len, want, strlen(want))

T_CASE(finds_whole_words) {
    static const struct {
        const char *line;
        const char *word;
        const char *rest; /* NULL: not there */
    } cases[] = {
        { "fl=A", "fl=", "A" },
        { "pfl=B fl=A", "fl=", "A" },
        { "pfl=B", "fl=", NULL },
        { "mResumedActivity: x", "ResumedActivity:", NULL },
        { "  ResumedActivity: x", "ResumedActivity:", " x" },
        { "a{b", "{", "b" },
        { "aab", "ab", NULL },
        { "x ab", "ab", "" },
        { "", "a", NULL },
        { "a", "ab", NULL },
        { "a_b=1 b=2", "b=", "2" },
        { "3b=1,b=2", "b=", "2" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_span rest = { "untouched", 9 };
        bool found =
            sq_line_find(sq_span_of(cases[i].line), cases[i].word, &rest);
        T(found == (cases[i].rest != NULL));
        T_SPAN(rest, found ? cases[i].rest : "untouched");
        T(sq_line_has(sq_span_of(cases[i].line), cases[i].word) == found);
    }
}

T_CASE(takes_words) {
    struct sq_span rest = SQ_SPAN(" one\ttwo  three ");
    struct sq_span word;
    T(sq_line_take_word(&rest, &word));
    T_SPAN(word, "one");
    T(sq_line_take_word(&rest, &word));
    T_SPAN(word, "two");
    T(sq_line_take_word(&rest, &word));
    T_SPAN(word, "three");
    T(!sq_line_take_word(&rest, &word));
    struct sq_span none = { 0 };
    T(!sq_line_take_word(&none, &word));
}

T_CASE(skips_blank_lines) {
    struct sq_span rest = SQ_SPAN("\r\n  one \r\n\n \t\ntwo");
    struct sq_span line;
    T(sq_line_take(&rest, &line));
    T_SPAN(line, "one");
    T(sq_line_take(&rest, &line));
    T_SPAN(line, "two");
    T(!sq_line_take(&rest, &line));
}

T_CASE(skips_other_displays) {
    struct sq_span rest =
        SQ_SPAN("before\nDisplay #2 (activities):\n other\n"
                "Display #0 (activities):\n mine\n"
                "  Display: mDisplayId=1 (organized)\n  other\n"
                "  Display: mDisplayId=0\n  mine too\n");
    static const char *const want[] = { "before",
                                        "Display #0 (activities):", "mine",
                                        "Display: mDisplayId=0", "mine too" };
    struct sq_span line;
    bool elsewhere = false;
    for (size_t i = 0; i < SQ_COUNT(want); i++) {
        if (T(sq_line_take_default(&rest, &elsewhere, &line))) {
            T_SPAN(line, want[i]);
        }
    }
    T(!sq_line_take_default(&rest, &elsewhere, &line));
}
