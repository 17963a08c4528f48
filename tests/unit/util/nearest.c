/* The most similar word, for "did you mean". */
#include "util/span.h"

#include "support/test.h"

static const char *const words[] = { "tap",   "screenshot",    "scroll",
                                     "swipe", "max-dimension", "wait" };

static const char *
nearest(const char *wanted) {
    static struct sq_nearest search;
    sq_nearest_begin(&search, sq_span_of(wanted));
    for (size_t i = 0; i < SQ_COUNT(words); i++) {
        sq_nearest_try(&search, words[i]);
    }
    return search.found;
}

T_CASE(distances_are_counted) {
    static const struct {
        const char *a;
        const char *b;
        size_t edits;
    } rows[] = {
        { "", "", 0 },
        { "", "abc", 3 },
        { "abc", "", 3 },
        { "tap", "tap", 0 },
        { "TAP", "tap", 0 },
        { "tapp", "tap", 1 },
        { "tp", "tap", 1 },
        { "tip", "tap", 1 },
        { "kitten", "sitting", 3 },
        { "scorll", "scroll", 1 },
        { "tpa", "tap", 1 },
        { "abcd", "badc", 2 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_INT(sq_edit_distance(sq_span_of(rows[i].a), sq_span_of(rows[i].b)),
              rows[i].edits);
    }
}

T_CASE(similar_words_are_found) {
    T_STR(nearest("tapp"), "tap");
    T_STR(nearest("TAP"), "tap");
    T_STR(nearest("tpa"), "tap");
    T_STR(nearest("scren"), "screenshot");
    T_STR(nearest("screen"), "screenshot");
    T_STR(nearest("scorll"), "scroll");
    T_STR(nearest("swip"), "swipe");
    T_STR(nearest("max-dim"), "max-dimension");
    T_STR(nearest("max-dimensoin"), "max-dimension");
}

T_CASE(other_words_are_not) {
    static const char *const strangers[] = { "",       "x", "zz",
                                             "banana", "t", "launch" };
    struct sq_nearest search;
    char longest[SQ_NEAREST_SIZE + 20];
    for (size_t i = 0; i < SQ_COUNT(strangers); i++) {
        T_STR(nearest(strangers[i]), "");
    }
    /* Two of four letters are too many. */
    sq_nearest_begin(&search, SQ_SPAN("bogus"));
    sq_nearest_try(&search, "logs");
    T_STR(search.found, "");
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    T_STR(nearest(longest), "");
}

T_CASE(a_word_can_stand_for_another) {
    struct sq_nearest search;
    sq_nearest_begin(&search, SQ_SPAN("devcie-id"));
    sq_nearest_try_as(&search, "device-id", "device");
    T_STR(search.found, "device");
    /* A word that does not fit is not kept in part. */
    char longest[SQ_NEAREST_SIZE + 1];
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    sq_nearest_begin(&search, SQ_SPAN("short"));
    sq_nearest_try_as(&search, "short", longest);
    T_STR(search.found, "");
}

T_CASE(a_remark_names_the_word) {
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest search;
    char longest[SQ_NEAREST_SIZE];
    sq_nearest_begin(&search, SQ_SPAN("bakc"));
    sq_nearest_try(&search, "home");
    sq_nearest_remark(&search, remark);
    T_STR(remark, "");
    sq_nearest_try(&search, "back");
    sq_nearest_remark(&search, remark);
    T_STR(remark, "; did you mean back?");
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    sq_nearest_begin(&search, sq_span_of(longest));
    sq_nearest_try(&search, longest);
    sq_nearest_remark(&search, remark);
    T_INT(remark[strlen(remark) - 1], '?');
}
