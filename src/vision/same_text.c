/* Compares two texts character by character, after folding. */
#include "vision/same_text.h"

#include "util/utf8.h"
#include "vision/fold.h"

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
