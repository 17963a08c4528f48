/*
 * What an action touched. Only what is known for certain: from a tree that was
 * read in the same call, or from a list of an earlier call when a picture
 * proves that the screen is still the same.
 */
#ifndef SQ_TOOLS_TOUCHED_ELEMENT_H
#define SQ_TOOLS_TOUCHED_ELEMENT_H

#include "session/session.h"
#include "tool/tool.h"

/* A value: zero it. Texts live in the call's arena. */
struct sq_hit {
    bool is_known;
    bool is_from_list; /* of an earlier call */
    struct sq_element element;
    bool has_state; /* it can be checked, and was seen after the action */
    bool is_checked;
};

/*
 * Read the tree now and take what it has at the point. A tree that cannot be
 * read leaves *hit unknown and says why in *refused.
 */
void sq_hit_read(struct sq_call *call, const struct sq_screen *screen,
                 struct sq_dev_pt point, struct sq_hit *hit,
                 struct sq_err *refused);

/* Take what the latest list has at the point, if `now` proves that it holds. */
void sq_hit_recall(struct sq_call *call, const struct sq_tree_stamp *now,
                   struct sq_dev_pt point, struct sq_hit *hit);

/*
 * Whether it is checked, from a tree that was read after the action: its own
 * state, or that of the one switch or box inside it.
 */
void sq_hit_update(struct sq_hit *hit, const struct sq_tree *after);

/* The member "element"; nothing if it is not known. */
void sq_hit_put(const struct sq_hit *hit, struct sq_json_writer *w);

#endif
