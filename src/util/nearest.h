/* Finds the known word that is most similar to a mistyped one. */
#ifndef SQ_UTIL_NEAREST_H
#define SQ_UTIL_NEAREST_H

#include "util/span.h"

#define SQ_NEAREST_SIZE 64

/* A search. Start with sq_nearest_begin; try all words; then read `found`. */
struct sq_nearest {
    struct sq_span wanted;
    size_t least;                /* edits from wanted to found */
    char found[SQ_NEAREST_SIZE]; /* most similar word; "": none is similar */
};

/* Starts a search. The text must outlive the search. */
void sq_nearest_begin(struct sq_nearest *search, struct sq_span wanted);

/*
 * Keeps the word if it is similar to the wanted one and more similar than all
 * before it. Similar means few edits for its length, or that the wanted text
 * begins it; the case of ASCII letters does not count. Longer words than
 * SQ_NEAREST_SIZE - 1 are ignored.
 */
void sq_nearest_try(struct sq_nearest *search, const char *word);

/* Like sq_nearest_try, for a word that stands for another: keeps `instead`. */
void sq_nearest_try_as(struct sq_nearest *search, const char *word,
                       const char *instead);

#define SQ_NEAREST_REMARK_SIZE (SQ_NEAREST_SIZE + 20)

/* Writes "; did you mean FOUND?" for an error message, or "" if none is. */
void sq_nearest_remark(const struct sq_nearest *search,
                       char out[SQ_NEAREST_REMARK_SIZE]);

/*
 * Returns the number of edits between two texts, or SIZE_MAX if one is long.
 * Two neighbouring letters that are swapped count as one edit.
 */
size_t sq_edit_distance(struct sq_span a, struct sq_span b);

#endif
