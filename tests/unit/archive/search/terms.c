/* Text becomes words and sequences of them. */
#include "archive/search/terms.h"

#include "support/test.h"

/* A recogniser may see a space after a sign that is none. */
T_CASE(words_separated_at_a_sign_are_joined) {
    struct sq_word words[] = {
        { SQ_SPAN("1,"), { 0, 0, 10, 20 }, 90 },
        { SQ_SPAN("204"), { 12, 0, 40, 20 }, 90 },
        { SQ_SPAN("in"), { 42, 0, 50, 20 }, 90 },
        { SQ_SPAN("(all)"), { 60, 0, 90, 20 }, 90 },
    };
    const struct sq_words_of_line line = { words, 4 };
    T_BUF(folded, 1000);
    T_OK(sq_search_fold_line(&line, &folded, NULL, &t_err));
    T(sq_span_is(sq_buf_span(&folded), "1\xee\x80\xae"
                                       "204 in all "));
}

/* One byte that is not UTF-8 separates words, and costs no letter. */
T_CASE(invalid_bytes_separate_words) {
    static const char text[] = "ab\xff"
                               "cd\xc3"
                               "e";
    T_BUF(folded, 1000);
    T_OK(sq_search_fold(sq_span_of(text), &folded, &t_err));
    T(sq_span_is(sq_buf_span(&folded), "ab cd e "));
}

static bool
folds_to_number(const char *text, struct sq_span groups) {
    bool is_number = false;
    T_BUF(folded, 1000);
    T_OK(sq_search_fold(sq_span_of(text), &folded, &t_err));
    struct sq_span all = sq_buf_span(&folded);
    for (size_t at = 0; at + groups.len <= all.len; at++) {
        bool is_there = memcmp(all.ptr + at, groups.ptr, groups.len) == 0;
        is_number =
            is_number || (is_there && sq_search_is_number(all, at, groups.len));
    }
    return is_number;
}

T_CASE(numbers_are_written_in_groups) {
    static const struct {
        const char *word;
        const char *text; /* that has it in groups; NULL: there is none */
    } cases[] = {
        { "1204", "1,204" },     { "1204", "-$1,204." },
        { "1204", "1.204,50" },  { "1204", "x:1,204" },
        { "120400", "120,400" }, { "1204000", "1,204,000.5" },
        { "204", NULL },         { "0204", NULL },
        { "12o4", NULL },
    };
    static const char *const others[] = { "21,204",  "1,204,000",  "3,1,204",
                                          "1,2045",  "1.204.33.5", "a1,204",
                                          "1,204kg", "1 204",      "1,20,4" };
    char groups[SQ_SEARCH_GROUPED_BYTES];
    T_EACH(i, cases) {
        size_t len = sq_search_group(sq_span_of(cases[i].word), 0, groups);
        T(cases[i].text
              ? folds_to_number(cases[i].text, (struct sq_span){ groups, len })
              : len == 0);
    }
    size_t len = sq_search_group(SQ_SPAN("1204"), 0, groups);
    T_EACH(i, others) {
        T(!folds_to_number(others[i], (struct sq_span){ groups, len }));
    }
}
