/* A tree as the list of what is worth naming, and how lists are written. */
#ifndef SQ_TOOLS_LISTING_H
#define SQ_TOOLS_LISTING_H

#include "device/device.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/selector.h"

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

/* How much must speak for an element's being there to be tapped. */
enum sq_tappable {
    SQ_TAPPABLE_STRICT,     /* a control, and enabled */
    SQ_TAPPABLE_MODERATE,   /* or said to do something, or an image */
    SQ_TAPPABLE_PERMISSIVE, /* or anything enabled that has a name */
    SQ_TAPPABLE_NONE,       /* everything that is visible */
};

/* By enum sq_tappable. */
extern const char *const sq_tappable_words[];

/* List what the view shows and the level lets through. */
bool sq_listing_level(const struct sq_tree *tree, const struct sq_view *view,
                      enum sq_tappable level, struct sq_arena *arena,
                      struct sq_listing *out, struct sq_err *err);

/* The same of a selection, in its order. */
bool sq_listing_of(const struct sq_selection *selection,
                   const struct sq_view *view, struct sq_arena *arena,
                   struct sq_listing *out, struct sq_err *err);

/* Its lines as elements, list->count of them; texts stay where they are. */
bool sq_listing_elements(const struct sq_listing *list, struct sq_arena *arena,
                         struct sq_element **out, struct sq_err *err);

/*
 * Make it the list in which the device's elementIndex counts. With a stamp
 * that has a picture, receipts may also name what is hit from it: it must be
 * all of a screen, in the order of its tree. NULL: they may not.
 */
bool sq_listing_remember(struct sq_call *call, const struct sq_listing *list,
                         const struct sq_tree_stamp *stamp, struct sq_err *err);

/*
 * An element as find shows it: index, text, resourceId, className, centerX,
 * centerY, bounds, clickable, and what is unusual about it.
 */
void sq_listed_put(const struct sq_listed *item, int index,
                   struct sq_json_writer *w);

/* "checked", "disabled", ..., or NULL for nothing unusual. */
const char *sq_node_state(const struct sq_node *node);

enum sq_tree_outcome {
    SQ_TREE_READ,
    SQ_TREE_VISUAL_MODE, /* the configuration wants pictures of this app */
    SQ_TREE_MISSING,     /* the screen has none, or the device cannot tell */
};

/* A value. The texts are empty with SQ_TREE_READ. */
struct sq_tree_state {
    enum sq_tree_outcome outcome;
    char why[SQ_ERR_MESSAGE_SIZE]; /* in the words of the device */
    char text[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE]; /* and what to do */
};

/* The state of a tree that could not be read for this reason. */
struct sq_tree_state sq_tree_missing(const struct sq_err *refused);

/* Whether a failure ends the whole call: out of memory, or cancelled. */
bool sq_is_fatal(enum sq_err_code code);

/* The app in front, within a quarter of the time that is left. */
bool sq_ask_app(struct sq_call *call, struct sq_app *out, struct sq_err *err);

/*
 * The elements of the device's screen. Unless the outcome is SQ_TREE_READ there
 * are none, and *state says why. *out is zeroed before
 * and the caller's to finish.
 */
bool sq_tree_fetch(struct sq_call *call, struct sq_tree *out,
                   struct sq_tree_state *state, struct sq_err *err);

#endif
