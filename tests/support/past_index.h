/* Puts text into the index of a folder of past screenshots, without reading. */
#ifndef SQ_TEST_PAST_INDEX_H
#define SQ_TEST_PAST_INDEX_H

#include "archive/archive.h"

/*
 * Stores two words for a shot, as if its picture had been read: the first at
 * 100,40 with 60 pixels, the second at 170,40.
 */
void past_index_shot(struct sq_archive *archive, struct sq_span ref,
                     const char *first, const char *second);

#endif
