/* Compares words by their edit distance. */
#include "util/span.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/minmax.h"

#define MIN_PREFIX 3

void
sq_nearest_begin(struct sq_nearest *search, struct sq_span wanted) {
    *search = (struct sq_nearest){ .wanted = wanted, .least = SIZE_MAX };
}

static bool
is_same(char a, char b) {
    return sq_ascii_lower(a) == sq_ascii_lower(b);
}

/* Three rows of the table of distances: two letters back, one back, this. */
size_t
sq_edit_distance(struct sq_span a, struct sq_span b) {
    size_t rows[3][SQ_NEAREST_SIZE];
    if (a.len >= SQ_NEAREST_SIZE || b.len >= SQ_NEAREST_SIZE) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= b.len; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t *row = rows[i % 3];
        const size_t *before = rows[(i - 1) % 3];
        const size_t *earlier = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            bool same = is_same(a.ptr[i - 1], b.ptr[j - 1]);
            row[j] = sq_min_size(before[j], row[j - 1]) + 1;
            row[j] = sq_min_size(row[j], before[j - 1] + !same);
            if (i > 1 && j > 1 && is_same(a.ptr[i - 1], b.ptr[j - 2])
                && is_same(a.ptr[i - 2], b.ptr[j - 1])) {
                row[j] = sq_min_size(row[j], earlier[j - 2] + 1);
            }
        }
    }
    return rows[a.len % 3][b.len];
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

/* Returns how many edits leave a word recognisable; an ending may be longer. */
static size_t
max_edits(struct sq_span wanted, struct sq_span known) {
    struct sq_span start = { wanted.ptr, known.len };
    bool has_ending =
        wanted.len > known.len && sq_edit_distance(start, known) == 0;
    return has_ending ? known.len / 3 + 1 : (known.len + 1) / 3;
}

void
sq_nearest_try_as(struct sq_nearest *search, const char *word,
                  const char *instead) {
    struct sq_span known = sq_span_of(word);
    size_t len = search->wanted.len;
    /* Most words differ more in length alone than is_similar below allows. */
    if (len > known.len + known.len / 3 + 1) {
        return;
    }
    size_t change = known.len > len + (len + 2) / 3
                      ? SIZE_MAX
                      : sq_edit_distance(search->wanted, known);
    size_t beginning = beginning_distance(search->wanted, known);
    if (beginning < SIZE_MAX && beginning + 1 < change) {
        change = beginning + 1;
    }
    /* Two words without a common letter are not similar, however short. */
    bool is_similar = change <= max_edits(search->wanted, known)
                   && change <= (len + 2) / 3 && change < known.len
                   && change < len;
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
