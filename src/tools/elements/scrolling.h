/* Plans strokes of a finger that scroll, and scrolls until something is seen.
 */
#ifndef SQ_TOOLS_ELEMENTS_SCROLLING_H
#define SQ_TOOLS_ELEMENTS_SCROLLING_H

#include "tools/elements/listing.h"
#include "tools/elements/target.h"

enum sq_direction {
    SQ_UP,
    SQ_DOWN,
    SQ_LEFT,
    SQ_RIGHT,
};

/* Names, by enum sq_direction. */
extern const char *const sq_direction_words[];

/*
 * Returns the stroke that shows what is further in a direction of a part of the
 * screen, by a share of its side.
 */
struct sq_swipe sq_plan_stroke(struct sq_dev_rect part,
                               enum sq_direction direction, double amount);

/*
 * The same on the whole screen: the finger does not begin where bars usually
 * are, which do not scroll.
 */
struct sq_swipe sq_plan_screen_stroke(struct sq_size screen,
                                      enum sq_direction direction,
                                      double amount);

/*
 * Returns the smallest scrollable node above another one in the tree, else
 * around it on the screen; NULL: none.
 */
const struct sq_node *sq_scrollable_around(const struct sq_tree *tree,
                                           const struct sq_node *inside);

/* Returns the largest scrollable node; NULL: none. */
const struct sq_node *sq_scrollable_largest(const struct sq_tree *tree);

enum sq_scroll_stop {
    SQ_SCROLL_FOUND,
    SQ_SCROLL_END,   /* the last stroke moved nothing */
    SQ_SCROLL_LIMIT, /* of the strokes, or of the time */
};

#define SQ_MAX_PASSED 12
#define SQ_MAX_STROKES 50
#define SQ_USUAL_STROKES 20
#define SQ_SEARCH_AMOUNT 0.9

/* One search. A plain value: zero it first, finish it. */
struct sq_scroll_search {
    /* Set before. */
    const struct sq_selector *until; /* NULL: the end of the list */
    enum sq_direction direction;
    double amount;
    int limit;               /* of the strokes */
    struct sq_dev_rect part; /* that scrolls; empty: the largest list */

    /* Known afterwards; texts are in the call's arena. */
    enum sq_scroll_stop stop;
    int strokes;
    struct sq_tree tree;
    struct sq_frame frame;
    struct sq_listing list; /* if found: the element */
    struct sq_span *passed; /* labels that were seen and are not seen now */
    size_t passed_count;    /* including those beyond SQ_MAX_PASSED */

    struct sq_scroll_labels *labels; /* private */
};

/*
 * Scrolls until an element matches and its middle is seen, until nothing moves,
 * or until a limit. A list has moved if its elements have other places or
 * labels; one that does not within the reaction time is at its end. Fails if
 * the elements cannot be read.
 */
bool sq_scroll_search(struct sq_call *call, struct sq_scroll_search *search,
                      struct sq_err *err);

/* Searches downwards, then upwards. *search must be zeroed. */
bool sq_scroll_to(struct sq_call *call, const struct sq_selector *selector,
                  struct sq_scroll_search *search, struct sq_err *err);

/* Writes the direction, the strokes, why they ended and the labels that were
 * passed. */
void sq_scroll_search_put(const struct sq_scroll_search *search,
                          struct sq_json_writer *w);

void sq_scroll_search_finish(struct sq_scroll_search *search);

#endif
