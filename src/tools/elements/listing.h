/* Converts element trees to lists, and writes the lists. */
#ifndef SQ_TOOLS_ELEMENTS_LISTING_H
#define SQ_TOOLS_ELEMENTS_LISTING_H

#include "device/device.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/elements/selector.h"

/* One node, with its position in the image of the reply. */
struct sq_listed {
    const struct sq_node *node;
    struct sq_span label;
    struct sq_img_rect rect; /* its visible part */
    struct sq_img_pt middle; /* where a tap on it lands */
    int likeness;            /* see struct sq_match */
    const char *how;
    struct sq_span line; /* that was read, if the label is a part of it */
    const char *inside;  /* of one that was searched: state of its switch */
    int index; /* what elementIndex takes, see sq_listing_number; -1: none */
};

/*
 * Returns the index of an entry: the id of its node. Where nodes have none, its
 * position; what is found in the pixels beside nodes with ids has a position
 * that no id has.
 */
#define SQ_FIRST_POSITION 500000000
int sq_listed_index(const struct sq_node *node, size_t position);

/* Allocated in an arena. */
struct sq_listing {
    struct sq_listed *items;
    size_t count;
};

/*
 * Lists what the view shows (NULL: also what is off the screen, without
 * places): all interactive elements and, unless interactive_only, every label
 * that belongs to no other entry.
 */
bool sq_listing_make(const struct sq_tree *tree, const struct sq_view *view,
                     bool interactive_only, struct sq_arena *arena,
                     struct sq_listing *out, struct sq_err *err);

/* How strictly elements are filtered by whether they can be tapped. */
enum sq_tappable {
    SQ_TAPPABLE_STRICT,     /* enabled controls */
    SQ_TAPPABLE_MODERATE,   /* also elements with actions, and images */
    SQ_TAPPABLE_PERMISSIVE, /* also anything enabled that has a name */
    SQ_TAPPABLE_NONE,       /* everything visible */
};

/* Names, by enum sq_tappable. */
extern const char *const sq_tappable_words[];

/* Lists the visible elements that pass the level. */
bool sq_listing_level(const struct sq_tree *tree, const struct sq_view *view,
                      enum sq_tappable level, struct sq_arena *arena,
                      struct sq_listing *out, struct sq_err *err);

/* Lists the elements of a selection, in its order. */
bool sq_listing_of(const struct sq_selection *selection,
                   const struct sq_view *view, struct sq_arena *arena,
                   struct sq_listing *out, struct sq_err *err);

/*
 * Adds to an empty list with room for SQ_MAX_NEAR the elements whose labels are
 * similar to a text, best first.
 */
#define SQ_MAX_NEAR 5
void sq_listing_nearest(const struct sq_listing *all, struct sq_span wanted,
                        struct sq_listing *near);

/*
 * Sets the index of every entry, which is its position at first: its number if
 * the session keeps no lists. Call it before the list is written.
 */
void sq_listing_number(const struct sq_call *call, struct sq_listing *list);

/* Converts the entries to list->count elements; texts are not copied. */
bool sq_listing_elements(const struct sq_listing *list, struct sq_arena *arena,
                         struct sq_element **out, struct sq_err *err);

/* Converts all entries of a tree, also those off the screen. */
bool sq_tree_elements(const struct sq_tree *tree, struct sq_arena *arena,
                      struct sq_elements *out, struct sq_err *err);

/*
 * Makes it the list that elementIndex refers to for this device. `change` is
 * the device's number when the elements were read; 0: not known.
 */
bool sq_listing_remember(struct sq_call *call, const struct sq_listing *list,
                         uint64_t change, struct sq_err *err);

/*
 * Writes an element as find returns it: its index if it has one, text,
 * resourceId, className, centerX, centerY, bounds, clickable, any unusual
 * state, and its source if that is not the device. In short replies it is a row
 * of dump, unless more has to be said.
 */
void sq_listed_put(const struct sq_call *call, const struct sq_listed *item,
                   struct sq_json_writer *w);

/*
 * Writes the members columns and elements, one short row per element, with at
 * most limit rows and about max_bytes: the first ones, and the last, which are
 * messages and bottom bars. Returns how many rows.
 */
size_t sq_compact_put(const struct sq_listing *list, size_t limit,
                      size_t max_bytes, struct sq_json_writer *w);

/* Write only the member columns, or one row of the array. */
void sq_compact_put_columns(struct sq_json_writer *w);
void sq_compact_put_row(const struct sq_listed *item, struct sq_json_writer *w);

/* Writes why a list of the whole screen is empty. */
void sq_put_no_elements(struct sq_json_writer *w);

/* Returns "checked", "disabled", ..., or NULL if the state is normal. */
const char *sq_node_state(const struct sq_node *node);

/* The same, or the state of the switch in it; see struct sq_listed. */
const char *sq_listed_state(const struct sq_listed *item);

/* Returns the only checkable node in `root`, including itself, or NULL. */
const struct sq_node *sq_only_checkable(const struct sq_node *root);

enum sq_tree_outcome {
    SQ_TREE_READ,
    SQ_TREE_VISUAL_MODE, /* the configuration requests pictures for this app */
    SQ_TREE_MISSING,     /* the screen has none, or the device cannot read it */
};

/* A plain value. The texts are empty with SQ_TREE_READ. */
struct sq_tree_state {
    enum sq_tree_outcome outcome;
    char why[SQ_ERR_MESSAGE_SIZE]; /* error message of the device */
    char text[SQ_ERR_MESSAGE_SIZE + SQ_ERR_HINT_SIZE + 40]; /* and a hint */
    bool quotes; /* the texts quote the device */
};

/* Returns the state of a tree that could not be read for this reason. */
struct sq_tree_state sq_tree_missing(const struct sq_call *call,
                                     const struct sq_err *err);

/*
 * Fails because the tree could not be read, with one of the texts of the state
 * after `before`. Returns false.
 */
bool sq_tree_fail(const struct sq_tree_state *state, enum sq_err_code code,
                  const char *before, const char *text, struct sq_err *err);

/* Requests the foreground app, within a quarter of the remaining time. */
bool sq_ask_app(struct sq_call *call, struct sq_app *out, struct sq_err *err);

/*
 * Remembers all elements of a tree that was just read, so that receipts can
 * name the one that is touched while the screen is unchanged. Fails only if out
 * of memory.
 */
bool sq_tree_remember(struct sq_call *call, const struct sq_tree *tree,
                      struct sq_err *err);

/*
 * Reads the element tree of the device's screen, and remembers it. Unless the
 * outcome is SQ_TREE_READ the tree is empty and *state has the reason. *out
 * must be zeroed; the caller finishes it.
 */
bool sq_tree_fetch(struct sq_call *call, struct sq_tree *out,
                   struct sq_tree_state *state, struct sq_err *err);

/*
 * Selects in the tree; if nothing matches, and the device can list what is not
 * on the screen, in the tree of the whole page, which replaces it.
 */
bool sq_select_whole(struct sq_call *call, const struct sq_selector *selector,
                     struct sq_tree *tree, struct sq_selection *out,
                     struct sq_err *err);

#endif
