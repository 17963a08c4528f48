/* Expressions, compared with those of the C library. */
#include "redact/pattern.h"

#include <regex.h>
#include <stdlib.h>

#include "support/test.h"

#define ROUNDS 6000

/* Writes what both find: "start-end", "none" or "refused". */
static void
find_own(const char *expression, bool ignores_case, const char *text,
         char out[40]) {
    struct sq_pattern *pattern = NULL;
    const char *problem;
    size_t start;
    size_t end;
    if (!sq_pattern_create(expression, ignores_case, &pattern, &problem)) {
        T(problem != NULL);
        snprintf(out, 40, "refused");
        return;
    }
    bool found = sq_pattern_find(pattern, sq_span_of(text), 0, &start, &end);
    snprintf(out, 40, found ? "%zu-%zu" : "none", found ? start : 0,
             found ? end : 0);
    sq_pattern_destroy(pattern);
}

static void
find_library(const char *expression, bool ignores_case, const char *text,
             char out[40]) {
    regex_t compiled;
    regmatch_t match;
    if (regcomp(&compiled, expression,
                REG_EXTENDED | (ignores_case ? REG_ICASE : 0))
        != 0) {
        snprintf(out, 40, "refused");
        return;
    }
    bool found = regexec(&compiled, text, 1, &match, 0) == 0;
    snprintf(out, 40, found ? "%d-%d" : "none", found ? (int)match.rm_so : 0,
             found ? (int)match.rm_eo : 0);
    regfree(&compiled);
}

static bool
compare(const char *expression, bool ignores_case, const char *text) {
    char own[40];
    char library[40];
    find_own(expression, ignores_case, text, own);
    find_library(expression, ignores_case, text, library);
    bool same = strcmp(own, library) == 0;
    if (!T(same)) {
        printf("# %s on \"%s\": %s, the library %s\n", expression, text, own,
               library);
    }
    return same;
}

T_CASE(finds_what_the_library_finds) {
    static const char *const rows[][2] = {
        { "a", "bab" },
        { "a|ab|abc", "xabcd" }, /* the longest of the leftmost */
        { "(a|ab)(c|bcd)(d*)", "abcd" },
        { "x*", "aaxx" },
        { "(a*)*b", "aaab" },
        { "(a*)+", "aaa" },
        { "(|a)+", "aaa" },
        { "a{2}", "aaaa" },
        { "a{2,}", "baaaa" },
        { "a{,2}", "aaaa" },
        { "a{2,3}b", "aaaab" },
        { "(ab){2,3}", "ababababab" },
        { "a{0}b", "aab" },
        { "a{1,0}", "a" },
        { "^a$", "a" },
        { "a^b", "a^b" },
        { "^", "" },
        { "$", "ab" },
        { "[]a]+", "x]a]" },
        { "[^]a]+", "]xy]" },
        { "[a-]+", "b-a-" },
        { "[z-a]", "b" },
        { "[[:alpha:]]+[[:digit:]]+", "--ab12--" },
        { "[[:nothing:]]", "a" },
        { "[[:space:][:punct:]]+", "ab, \t!c" },
        { "[[.-.]a]+", "b-a" },
        { "[[=a=]b]+", "cab" },
        { "[a", "a" },
        { "\\w+\\W\\w+", "  ab cd  " },
        { "\\bcat\\b", "concat cat" },
        { "\\Bcat", "cat concat" },
        { "\\<in\\>", "pin in inn" },
        { "\\s\\S", "a b" },
        { "\\.\\*", "a.*" },
        { "(a", "a" },
        { "a)", "a)" },
        { "*a", "a" },
        { "a|*b", "a" },
        { "a||b", "b" },
        { "()", "a" },
        { "a**", "aaa" },
        { ".", "\n" },
        { "\xc3\xa9+", "caf\xc3\xa9\xa9" },
        { "[^a]", "\xff" },
        { "-----BEGIN [A-Z ]*PRIVATE KEY-----",
          "x -----BEGIN RSA PRIVATE KEY----- y" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        compare(rows[i][0], false, rows[i][1]);
    }
    compare("stra\xc3\x9f"
            "e[a-c]+",
            true,
            "STRA\xc3\x9f"
            "EABCD");
    compare("[^a]B", true, "abAbcb");
}

/* Random expressions over few characters, so that many of them match. */
T_CASE(finds_what_the_library_finds_for_random_ones) {
    static const char *const parts[] = { "a", "b",   "c",    ".",     "(",
                                         ")", "|",   "*",    "+",     "?",
                                         "^", "$",   "[ab]", "[^b]",  "{2}",
                                         "a", "(ab", ")c",   "{1,2}", "b" };
    uint32_t state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        char expression[64] = "";
        char text[16] = "";
        size_t used = 0;
        for (int i = 0; i < 7; i++) {
            state = state * 1664525u + 1013904223u;
            const char *part = parts[(state >> 16) % (SQ_COUNT(parts))];
            used += (size_t)snprintf(expression + used,
                                     sizeof(expression) - used, "%s", part);
        }
        for (int i = 0; i < 10; i++) {
            state = state * 1664525u + 1013904223u;
            text[i] = "abc"[(state >> 16) % 3];
        }
        if (!compare(expression, round % 2, text)) {
            break;
        }
    }
}

T_CASE(looks_before_the_place_where_it_starts) {
    struct sq_pattern *pattern = NULL;
    const char *problem;
    size_t start;
    size_t end;
    T(sq_pattern_create("^a|\\bb", false, &pattern, &problem));
    struct sq_span text = SQ_SPAN("aab b");
    T(sq_pattern_find(pattern, text, 1, &start, &end));
    T_INT(start, 4);
    sq_pattern_destroy(pattern);
}

/* A matcher that tries one way after the other would need years. */
T_CASE(takes_time_in_proportion_to_the_text) {
    struct sq_pattern *pattern = NULL;
    const char *problem;
    static char text[20000];
    size_t start;
    size_t end;
    memset(text, 'a', sizeof(text));
    T(sq_pattern_create("(a*)*(a|aa)*(a?){30}b", false, &pattern, &problem));
    T(!sq_pattern_find(pattern, (struct sq_span){ text, sizeof(text) }, 0,
                       &start, &end));
    sq_pattern_destroy(pattern);
    T(!sq_pattern_create("(abcdefgh){1000}", false, &pattern, &problem));
    T_HAS(problem, "repeats too often");
}
