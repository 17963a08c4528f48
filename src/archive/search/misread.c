/* Compares words character by character, from both ends. */
#include "archive/search/misread.h"

#include <string.h>

#include "util/utf8.h"

/* Characters of one row are easily confused. */
static const char *const confused[] = { "il1jt7", "o0qcd", "s5", "b8h", "6bg",
                                        "z2",     "g9qy",  "uv", "ceo", "nhr",
                                        "ae",     "tf",    "vy", "a4",  "mn" };

/* Two characters that are taken for one. */
static const struct {
    const char *two;
    char one;
} joined[] = {
    { "rn", 'm' }, { "nn", 'm' }, { "vv", 'w' }, { "cl", 'd' }, { "ii", 'u' },
    { "li", 'h' }, { "lo", 'b' }, { "ri", 'n' }, { "ci", 'a' },
};

struct letters {
    uint32_t codes[SQ_SEARCH_WORD_BYTES];
    size_t count;
};

static struct letters
letters_of(struct sq_span word) {
    struct letters letters = { .count = 0 };
    uint32_t code;
    size_t used;
    while (letters.count < SQ_SEARCH_WORD_BYTES
           && (used = sq_utf8_decode(word, &code)) > 0) {
        letters.codes[letters.count++] = code;
        word.ptr += used;
        word.len -= used;
    }
    return letters;
}

static bool
is_digit(uint32_t code) {
    return code >= '0' && code <= '9';
}

static bool
is_confused(uint32_t a, uint32_t b) {
    for (size_t i = 0; i < sizeof(confused) / sizeof(confused[0]); i++) {
        if (a < 0x80 && b < 0x80 && strchr(confused[i], (int)a)
            && strchr(confused[i], (int)b)) {
            return true;
        }
    }
    return false;
}

static bool
is_joined(const uint32_t two[2], uint32_t one) {
    for (size_t i = 0; i < sizeof(joined) / sizeof(joined[0]); i++) {
        if (two[0] == (uint32_t)joined[i].two[0]
            && two[1] == (uint32_t)joined[i].two[1]
            && one == (uint32_t)joined[i].one) {
            return true;
        }
    }
    return false;
}

/* Compares what differs between two words: a has at least as many. */
static bool
is_close(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
         enum sq_search_misread how) {
    if (a_count == 1 && b_count == 1) {
        return !(is_digit(a[0]) && is_digit(b[0]))
            && (how == SQ_SEARCH_ONE_OFF || is_confused(a[0], b[0]));
    }
    if (a_count == 1 && b_count == 0) {
        return how == SQ_SEARCH_ONE_OFF && !is_digit(a[0]);
    }
    return a_count == 2 && b_count == 1 && is_joined(a, b[0]);
}

bool
sq_search_is_misread(struct sq_span wanted, struct sq_span word,
                     enum sq_search_misread how) {
    if (how == SQ_SEARCH_AS_IT_IS || wanted.len > word.len + 4
        || word.len > wanted.len + 4) {
        return false;
    }
    const struct letters a = letters_of(wanted);
    const struct letters b = letters_of(word);
    size_t least = a.count < b.count ? a.count : b.count;
    size_t start = 0;
    size_t end = 0;
    while (start < least && a.codes[start] == b.codes[start]) {
        start++;
    }
    while (end < least - start
           && a.codes[a.count - 1 - end] == b.codes[b.count - 1 - end]) {
        end++;
    }
    size_t a_rest = a.count - start - end;
    size_t b_rest = b.count - start - end;
    return a.count >= SQ_SEARCH_MISREAD_MIN
        && (a_rest >= b_rest ? is_close(a.codes + start, a_rest,
                                        b.codes + start, b_rest, how)
                             : is_close(b.codes + start, b_rest,
                                        a.codes + start, a_rest, how));
}

bool
sq_search_may_be_misread(const struct sq_search_terms *terms, size_t index) {
    struct sq_span term = terms->items[index];
    struct sq_span rest = term;
    struct sq_span word;
    return !(terms->exact & 1U << index) && sq_search_next_word(&rest, &word)
        && word.len == term.len && sq_utf8_count(term) >= SQ_SEARCH_MISREAD_MIN;
}
