/*
 * Adds to an element tree what the pixels of the screen show, so that lists,
 * selectors and targets treat both alike. Pure: texts and boxes in, nodes out.
 */
#ifndef SQ_TOOLS_ELEMENTS_PIXEL_NODES_H
#define SQ_TOOLS_ELEMENTS_PIXEL_NODES_H

#include "device/tree.h"
#include "util/arena.h"

/* One thing that was found in the pixels. */
struct sq_seen {
    unsigned kind; /* SQ_NODE_READ, _IMAGE or _SHAPE; SQ_NODE_DOUBTFUL,
                      SQ_SEEN_UNSURE */
    struct sq_span label;
    struct sq_dev_rect bounds;
};

/* With SQ_NODE_READ: it may be an icon. */
#define SQ_SEEN_UNSURE (1u << 31)

/* The first words of the labels of shapes. */
#define SQ_SHAPE_DISC "disc"
#define SQ_SHAPE_BOX "box"

/* Returns whether the text of a selector is such a word. */
struct sq_selector;
bool sq_selector_names_shape(const struct sq_selector *selector);

/* Returns "ocr", "image" or "shape"; NULL for an element of the device. */
const char *sq_seen_source(unsigned flags);

/*
 * Appends a node. The label is copied. A tree without nodes, which may be
 * zeroed, first gets a root as large as the screen.
 */
bool sq_tree_append(struct sq_tree *tree, struct sq_size screen,
                    const struct sq_seen *seen, struct sq_node **out,
                    struct sq_err *err);

/*
 * Returns in *out whether an element of the device at that place has the text
 * of a line, or has it as a part, or several elements in that line have it
 * together. Case, spaces, accents and what recognisers confuse do not count,
 * nor what "…" at its end stands for, nor a last letter at the edge of the
 * screen; every other letter and digit does.
 */
bool sq_tree_has_text(const struct sq_tree *tree, struct sq_span text,
                      struct sq_dev_rect bounds, struct sq_arena *arena,
                      bool *out, struct sq_err *err);

/*
 * Adds what was found, merged with the nodes of the tree. Text that a node
 * there already has, or a part of its text, is dropped; text that differs from
 * it is not. The only text inside a clickable node without a label becomes its
 * label (but a single letter there is dropped, because it is an icon); several
 * are added one by one, and so is that of a field with a text beside it. Text
 * of password fields is dropped, and so are one letter, and what is not sure,
 * on a picture or in an element that has another label. Doubtful text is no
 * label. Pictures and shapes where an element or text is already listed are
 * dropped. The first word of a shape is its description: "disc".
 */
bool sq_tree_merge(struct sq_tree *tree, struct sq_size screen,
                   const struct sq_seen *items, size_t count,
                   struct sq_arena *arena, struct sq_err *err);

/*
 * Gives interactive nodes without a label the text beside them: left of or
 * above a field, right or left of a switch, below or beside an icon. Only if
 * the text is clearly theirs: in the same container, not in another element,
 * not nearer to another one, and no other text is as near. The resource id of a
 * button that names its purpose is better than text beside it.
 */
bool sq_tree_name_nodes(struct sq_tree *tree, struct sq_err *err);

/*
 * Returns the smallest clickable node of the device without a label that
 * contains the middle of the rectangle and is at most a third of the screen,
 * or NULL.
 */
struct sq_node *sq_tree_unlabelled_at(const struct sq_tree *tree,
                                      struct sq_size screen,
                                      struct sq_dev_rect rect);

/*
 * Makes the text, or the name of the picture, that was seen in a node of the
 * device its label, or adds it to it.
 */
bool sq_node_set_name(struct sq_tree *tree, struct sq_node *node,
                      const struct sq_seen *seen, struct sq_err *err);

/* Returns whether the middle of the rectangle is in a password field. */
bool sq_tree_hides(const struct sq_tree *tree, struct sq_dev_rect rect);

#endif
