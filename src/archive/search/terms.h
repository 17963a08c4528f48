/*
 * Converts text to the words of the search index: lower case, without accents,
 * letters and digits only. Pure.
 */
#ifndef SQ_ARCHIVE_SEARCH_TERMS_H
#define SQ_ARCHIVE_SEARCH_TERMS_H

#include "util/arena.h"
#include "util/buf.h"
#include "util/span.h"

/* Longer words are cut. */
#define SQ_SEARCH_WORD_BYTES 64

/* Appends each word and a space. Invalid UTF-8 separates words. */
bool sq_search_fold(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err);

#define SQ_SEARCH_MAX_TERMS 12
#define SQ_SEARCH_TEXT_BYTES 256 /* of a query */

struct sq_search_terms {
    struct sq_span items[SQ_SEARCH_MAX_TERMS];
    size_t count;
};

/*
 * Splits a query into distinct words, owned by the arena. Fails with
 * SQ_ERR_ARGUMENT if it has none, or more than SQ_SEARCH_MAX_TERMS.
 */
bool sq_search_terms_read(struct sq_span text, struct sq_arena *arena,
                          struct sq_search_terms *out, struct sq_err *err);

/* Takes the next word of folded text; false after the last. */
bool sq_search_next_word(struct sq_span *folded, struct sq_span *word);

/* Returns whether a word contains a part; both are folded. */
bool sq_search_has_part(struct sq_span word, struct sq_span part);

#endif
