/* Compares a wanted word with one that a recogniser may have misread. Pure. */
#ifndef SQ_ARCHIVE_SEARCH_MISREAD_H
#define SQ_ARCHIVE_SEARCH_MISREAD_H

#include "archive/search/terms.h"

/* Shorter words have too many neighbours. In characters. */
#define SQ_SEARCH_MISREAD_MIN 4

/*
 * Returns whether a word may be a wanted one of which one character was
 * misread, or two were taken for one. Two different digits are different
 * numbers, and no misreading. Both are folded.
 */
bool sq_search_is_misread(struct sq_span wanted, struct sq_span word,
                          enum sq_search_misread how);

/* Returns whether a term is one word that is long enough. */
bool sq_search_may_be_misread(const struct sq_search_terms *terms,
                              size_t index);

#endif
