/*
 * Finds the words of a picture that text rules hide. The pieces of a row are
 * examined together, also without spaces that a recogniser may have added
 * inside a number, a key or an address. Pure.
 */
#ifndef SQ_REDACT_HIDDEN_WORDS_H
#define SQ_REDACT_HIDDEN_WORDS_H

#include "redact/rules.h"
#include "vision/reader.h"

/* One word of a text. */
struct sq_row_word {
    int line;  /* of the text */
    int index; /* in its line */
    int row;   /* number of its row */
    bool is_hidden;
};

/* All words, row by row and from left to right. Start zeroed. */
struct sq_row_words {
    struct sq_row_word *items;
    size_t count;
};

void sq_row_words_finish(struct sq_row_words *words);

/* Fails only if out of memory. */
bool sq_row_words_find(const struct sq_redact_rules *rules,
                       const struct sq_text *text, struct sq_row_words *out,
                       struct sq_err *err);

#endif
