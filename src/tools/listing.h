/* A tree as the list of what is worth naming, and how lists are written. */
#ifndef SQ_TOOLS_LISTING_H
#define SQ_TOOLS_LISTING_H

#include "device/tree.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/match.h"

/* One node in the image the answer is about. */
struct sq_listed {
    const struct sq_node *node;
    struct sq_span label;
    struct sq_img_rect rect; /* the visible part of it */
    struct sq_img_pt middle; /* where a tap on that part lands */
};

/* In an arena; the index of an element is its place. */
struct sq_listing {
    struct sq_listed *items;
    size_t count;
};

/*
 * List what the view shows: everything that can be touched, and unless only
 * that is wanted, every label that belongs to nothing else in the list.
 */
bool sq_listing_make(const struct sq_tree *tree, const struct sq_view *view,
                     bool interactive_only, struct sq_arena *arena,
                     struct sq_listing *out, struct sq_err *err);

/* The same of a selection, in its order. */
bool sq_listing_of(const struct sq_selection *selection,
                   const struct sq_view *view, struct sq_arena *arena,
                   struct sq_listing *out, struct sq_err *err);

/* Make it the list in which the device's elementIndex counts. */
bool sq_listing_remember(struct sq_call *call, const struct sq_listing *list,
                         struct sq_err *err);

/*
 * An element as find shows it: index, text, resourceId, className, centerX,
 * centerY, bounds, clickable, and what is unusual about it.
 */
void sq_listed_put(const struct sq_listed *item, int index,
                   struct sq_json_writer *w);

/* "checked", "disabled", ..., or NULL for nothing unusual. */
const char *sq_node_state(const struct sq_node *node);

enum sq_tree_state {
    SQ_TREE_READ,
    SQ_TREE_VISUAL_MODE, /* the configuration wants pictures of this app */
    SQ_TREE_MISSING,     /* the screen has none */
};

/* What to say about it; NULL for SQ_TREE_READ. */
const char *sq_tree_state_text(enum sq_tree_state state);

/*
 * The elements of the device's screen. Unless *state is SQ_TREE_READ there are
 * none, and the device was not asked for them in vain. *out is zeroed before
 * and the caller's to finish.
 */
bool sq_tree_fetch(struct sq_call *call, struct sq_tree *out,
                   enum sq_tree_state *state, struct sq_err *err);

#endif
