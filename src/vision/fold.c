/*
 * Folds characters: letters with diacritics, and characters that look alike.
 * Compares texts by this.
 */
#include "vision/match.h"

#include <stddef.h>

#include "util/utf8.h"

/* Base letters of U+00C0 to U+00FF; a dot: not folded here. */
static const char latin_1[] = "aaaaaa.ceeeeiiii.nooooo.ouuuuy.."
                              "aaaaaa.ceeeeiiii.nooooo.ouuuuy.y";

/* Base letters of U+0100 to U+017F. */
static const char latin_a[] = "aaaaaaccccccccddddeeeeeeeeeegggg"
                              "gggghhhhiiiiiiiiii..jjkkklllllll"
                              "lllnnnnnnnnnoooooo..rrrrrrssssss"
                              "ssttttttuuuuuuuuuuuuwwyyyzzzzzzs";

_Static_assert(sizeof(latin_1) == 64 + 1, "one letter per code point");
_Static_assert(sizeof(latin_a) == 128 + 1, "one letter per code point");

struct replacement {
    uint32_t code;
    char letters[3];
};

static const struct replacement replacements[] = {
    { 0xc6, "ae" },   { 0xe6, "ae" },   { 0xdf, "ss" },  { 0x132, "ij" },
    { 0x133, "ij" },  { 0x152, "oe" },  { 0x153, "oe" }, { 0x1e9e, "ss" },
    { 0xfb01, "fi" }, { 0xfb02, "fl" }, { 0x2018, "'" }, { 0x2019, "'" },
    { 0x201c, "\"" }, { 0x201d, "\"" }, { 0x2013, "-" }, { 0x2014, "-" },
    { 0x2212, "-" },  { 0x2010, "-" },  { 0x2011, "-" }, { 0xd7, "x" },
    { 0x2022, "." },  { 0xb7, "." },
};

bool
sq_fold_is_space(uint32_t code) {
    return code <= ' ' || code == 0x7f || code == 0xa0
        || (code >= 0x2000 && code <= 0x200a) || code == 0x2028
        || code == 0x2029 || code == 0x202f || code == 0x3000;
}

/* Returns whether nothing is left of a character: it takes no width. */
static bool
is_nothing(uint32_t code) {
    return sq_fold_is_space(code) || code == 0x200b || code == 0xfeff
        || code == 0xad || (code >= 0x300 && code <= 0x36f);
}

static uint32_t
to_lower(uint32_t code) {
    bool is_capital = (code >= 'A' && code <= 'Z')
                   || (code >= 0x391 && code <= 0x3a9)  /* Greek */
                   || (code >= 0x410 && code <= 0x42f); /* Cyrillic */
    return is_capital ? code + 32 : code;
}

static int
write_letters(const char *letters, uint32_t out[SQ_FOLD_MAX]) {
    int count = 0;
    while (count < SQ_FOLD_MAX && letters[count]) {
        out[count] = (uint32_t)letters[count];
        count++;
    }
    return count;
}

int
sq_fold(uint32_t code, uint32_t out[SQ_FOLD_MAX]) {
    if (is_nothing(code)) {
        return 0;
    }
    if (code < 0x80) { /* the most frequent, of which none is replaced */
        out[0] = to_lower(code);
        return 1;
    }
    for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]);
         i++) {
        if (replacements[i].code == code) {
            return write_letters(replacements[i].letters, out);
        }
    }
    char base = '.';
    if (code >= 0xc0 && code <= 0xff) {
        base = latin_1[code - 0xc0];
    } else if (code >= 0x100 && code <= 0x17f) {
        base = latin_a[code - 0x100];
    }
    out[0] = base != '.' ? (uint32_t)base : to_lower(code);
    return 1;
}

/* Returns whether both characters are in one of the strings. */
static bool
share_a_class(const char *const *classes, size_t count, uint32_t a,
              uint32_t b) {
    for (size_t i = 0; i < count; i++) {
        bool has_a = false;
        bool has_b = false;
        for (const char *c = classes[i]; *c; c++) {
            has_a = has_a || (uint32_t)*c == a;
            has_b = has_b || (uint32_t)*c == b;
        }
        if (has_a && has_b) {
            return true;
        }
    }
    return false;
}

bool
sq_fold_look_alike(uint32_t a, uint32_t b) {
    static const char *const classes[] = { "0oqd", "1il|!j", "5s", "8b", "2z",
                                           "6g",   "9gq",    "uv", "ce", ".,",
                                           ":;",   "({[",    ")}]" };
    return a == b
        || share_a_class(classes, sizeof(classes) / sizeof(classes[0]), a, b);
}

bool
sq_fold_are_confused(uint32_t a, uint32_t b) {
    static const char *const classes[] = { "0o", "1il|!", "5s", "8b",
                                           "2z", ".,",    ":;" };
    return share_a_class(classes, sizeof(classes) / sizeof(classes[0]), a, b);
}

bool
sq_fold_pair_looks_like(uint32_t first, uint32_t second, uint32_t one) {
    static const char table[][3] = { { 'r', 'n', 'm' }, { 'v', 'v', 'w' },
                                     { 'c', 'l', 'd' }, { 'i', 'i', 'u' },
                                     { 'l', 'i', 'h' }, { 'n', 'n', 'm' } };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if ((uint32_t)table[i][0] == first && (uint32_t)table[i][1] == second
            && (uint32_t)table[i][2] == one) {
            return true;
        }
    }
    return false;
}

/* Compares two texts character by character, after folding. */

/* Folded characters of a text, one after the other; 0 after the last. */
struct letters {
    struct sq_span rest;
    uint32_t folded[SQ_FOLD_MAX];
    int count; /* of folded that are not yet taken */
    uint32_t now;
    uint32_t next;
};

static uint32_t
take(struct letters *letters) {
    uint32_t code;
    size_t used;
    while (!letters->count
           && (used = sq_utf8_decode(letters->rest, &code)) > 0) {
        letters->rest.ptr += used;
        letters->rest.len -= used;
        letters->count = sq_fold(code, letters->folded);
    }
    if (!letters->count) {
        return 0;
    }
    uint32_t first = letters->folded[0];
    letters->folded[0] = letters->folded[1];
    letters->count--;
    return first;
}

static void
advance(struct letters *letters) {
    letters->now = letters->next;
    letters->next = take(letters);
}

static struct letters
letters_of(struct sq_span text) {
    struct letters letters = { .rest = text };
    advance(&letters);
    advance(&letters);
    return letters;
}

/* Returns whether the next two characters of one look like one of the other. */
static bool
is_pair(const struct letters *two, const struct letters *one) {
    return ((two->now == 'r' && two->next == 'n')
            || (two->now == 'v' && two->next == 'v'))
        && sq_fold_pair_looks_like(two->now, two->next, one->now);
}

bool
sq_same_text(struct sq_span text_a, struct sq_span text_b) {
    struct letters a = letters_of(text_a);
    struct letters b = letters_of(text_b);
    while (a.now && b.now) {
        bool is_pair_in_a = is_pair(&a, &b);
        bool is_pair_in_b = is_pair(&b, &a);
        if (is_pair_in_a) {
            advance(&a);
        } else if (is_pair_in_b) {
            advance(&b);
        } else if (a.now != b.now && !sq_fold_are_confused(a.now, b.now)) {
            return false;
        }
        advance(&a);
        advance(&b);
    }
    return !a.now && !b.now;
}
