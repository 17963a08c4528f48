/*
 * Finds the element that an action touched. Reports only what is certain: from
 * a tree read in the same call, or from the latest one if it was read between
 * two equal captures.
 */
#ifndef SQ_TOOLS_ELEMENTS_TOUCHED_ELEMENT_H
#define SQ_TOOLS_ELEMENTS_TOUCHED_ELEMENT_H

#include "session/session.h"
#include "tool/tool.h"

/* A plain value: zero it first. Texts live in the call's arena. */
struct sq_hit {
    bool is_known;
    bool is_from_list; /* from the list of an earlier call */
    struct sq_element element;
    struct sq_dev_pt at;
    int same_ids;   /* elements with its resource id, itself included */
    bool has_state; /* it is checkable, and was seen after the action */
    bool is_checked;
};

/* Finds the element at the point. */
void sq_hit_find(const struct sq_elements *elements, struct sq_dev_pt point,
                 struct sq_hit *hit);

/*
 * Reads the tree now and finds the element at the point. If the tree cannot be
 * read, *hit stays unknown and *refused has the reason.
 */
void sq_hit_read(struct sq_call *call, struct sq_dev_pt point,
                 struct sq_hit *hit, struct sq_err *err);

/*
 * Finds the element at the point in the latest tree, if a capture that was just
 * taken shows the same as when the tree was read.
 */
void sq_hit_recall(struct sq_call *call, const struct sq_screen *screen,
                   struct sq_dev_pt point, struct sq_hit *hit);

/*
 * Updates is_checked from a tree that was read after the action: the state of
 * the element, or of the only switch or checkbox inside it.
 */
void sq_hit_update(struct sq_hit *hit, const struct sq_tree *after);

/* Writes the member "element"; nothing if it is not known. */
void sq_hit_put(const struct sq_hit *hit, struct sq_json_writer *w);

#endif
