/*
 * A search for a phrase in a picture: which lines have to be read, in which
 * order, and when enough was found.
 */
#ifndef SQ_VISION_TEXT_SEARCH_H
#define SQ_VISION_TEXT_SEARCH_H

#include "vision/match.h"

struct sq_text_search {
    struct sq_phrase phrase;
    struct sq_span text;
    int enough; /* equal matches after which reading stops; 0: it does not */
};

/*
 * Prepares a search. The text must outlive it; the arena owns the phrase. Fails
 * like sq_phrase_init.
 */
bool sq_text_search_init(struct sq_text_search *search, struct sq_span text,
                         int enough, struct sq_arena *arena,
                         struct sq_err *err);

/*
 * Returns the plan to read for the search, which must outlive it. The area is
 * left to the caller.
 */
struct sq_read_plan sq_text_search_plan(const struct sq_text_search *search);

#endif
