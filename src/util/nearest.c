/* Compares words by their edit distance. */
#include "util/nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MIN_PREFIX 3

void
sq_nearest_begin(struct sq_nearest *search, struct sq_span wanted) {
    *search = (struct sq_nearest){ .wanted = wanted, .least = SIZE_MAX };
}

size_t
sq_edit_distance(struct sq_span a, struct sq_span b) {
    size_t row[SQ_NEAREST_SIZE];
    if (a.len >= SQ_NEAREST_SIZE || b.len >= SQ_NEAREST_SIZE) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= b.len; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t best = diagonal
                        + (sq_ascii_lower(a.ptr[i - 1])
                           != sq_ascii_lower(b.ptr[j - 1]));
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[b.len];
}

/*
 * Returns the edits between the wanted text and the beginning of a longer word,
 * or SIZE_MAX if the text is too short to tell.
 */
static size_t
beginning_distance(struct sq_span wanted, struct sq_span word) {
    if (wanted.len < MIN_PREFIX || wanted.len >= word.len) {
        return SIZE_MAX;
    }
    size_t change =
        sq_edit_distance(wanted, (struct sq_span){ word.ptr, wanted.len });
    return change <= wanted.len / (MIN_PREFIX + 1) ? change : SIZE_MAX;
}

void
sq_nearest_try_as(struct sq_nearest *search, const char *word,
                  const char *instead) {
    struct sq_span known = sq_span_of(word);
    size_t change = sq_edit_distance(search->wanted, known);
    size_t beginning = beginning_distance(search->wanted, known);
    if (beginning < SIZE_MAX && beginning + 1 < change) {
        change = beginning + 1;
    }
    /* Two words without a common letter are not similar, however short. */
    bool is_similar = change <= known.len / 3 + 1
                   && change <= (search->wanted.len + 2) / 3
                   && change < known.len && change < search->wanted.len;
    if (is_similar && change < search->least
        && strlen(instead) < SQ_NEAREST_SIZE) {
        search->least = change;
        memcpy(search->found, instead, strlen(instead) + 1);
    }
}

void
sq_nearest_try(struct sq_nearest *search, const char *word) {
    sq_nearest_try_as(search, word, word);
}

void
sq_nearest_remark(const struct sq_nearest *search,
                  char out[SQ_NEAREST_REMARK_SIZE]) {
    out[0] = '\0';
    if (search->found[0]) {
        snprintf(out, SQ_NEAREST_REMARK_SIZE, "; did you mean %s?",
                 search->found);
    }
}
