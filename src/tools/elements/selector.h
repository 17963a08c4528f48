/*
 * Finds the elements of a tree that match a selector, and their labels. Pure: a
 * tree in, nodes out. The contents of password fields are never returned.
 */
#ifndef SQ_TOOLS_ELEMENTS_SELECTOR_H
#define SQ_TOOLS_ELEMENTS_SELECTOR_H

#include "device/tree.h"
#include "session/session.h"
#include "tool/tool.h"

/* Longer labels are cut and end in an ellipsis. */
#define SQ_MAX_LABEL_BYTES 256

/* All given criteria must match. */
struct sq_selector {
    bool given;
    struct sq_opt_text text; /* equals text, description, hint or label */
    struct sq_opt_text text_contains;
    struct sq_opt_text resource_id; /* substring */
    struct sq_opt_text class_name;  /* substring */
    struct sq_opt_text content_desc;
    struct sq_opt_text nearest_to; /* sort by distance to the element with this
                                  text */
    struct sq_opt_bool ignore_case;
};

extern const struct sq_arg sq_selector_args[];

/* The row of an argument table for a field of this type. */
#define SQ_SELECTOR(args, field)                                               \
    {                                                                          \
        .name = "selector",                                                    \
        SQ_OBJECT_FIELD(args, field, sq_selector, sq_selector_args),           \
        .is_open = true, .text = ""                                            \
    }

/* The argument until: what it takes in the operations that have it. */
#define SQ_UNTIL_TEXT "end, a label, change or gone"

#define SQ_LIKENESS_EQUAL 1000 /* of text that is equal */

struct sq_match {
    const struct sq_node *node;
    struct sq_span label; /* see sq_node_label */
    int score;            /* higher is better; see sq_selection_is_clear */
    int64_t distance;     /* from the anchor, in squared device pixels */
    int likeness;    /* of text that was read, or of a picture, in thousandths;
                        0: it is an element, or every pixel is equal */
    const char *how; /* "alike" or "shape": a picture that is not equal */
    bool is_part;    /* of a longer text that was read */
    struct sq_span line; /* this longer text, unless it is the node's label */
};

struct sq_selection {
    struct sq_match *matches; /* best first; in the arena */
    size_t count;
    const struct sq_node *anchor; /* element found by nearest_to; NULL: none */
    /*
     * All elements that nearest_to names equally well, if another one of them
     * is nearest to another match. The anchor is the first.
     */
    struct sq_match *anchors;
    size_t anchor_count; /* 0: the anchor is clear */
};

/*
 * Fails with SQ_ERR_ARGUMENT if a selector is given, but empty, or if a text is
 * blank, which every label contains. Pure.
 */
bool sq_selector_check(const struct sq_selector *selector, struct sq_err *err);

/* Returns the text, or the part of one, that it names; empty: none. */
struct sq_span sq_selector_text(const struct sq_selector *selector);

/* Returns a selector to wait or scroll for: a part of a label is enough. */
struct sq_selector sq_selector_until(const struct sq_selector *until);

/*
 * Finds the matches of a selector. Without nearest_to better matches come first
 * (exact before partial, tappable before others), equal ones in document order.
 * With nearest_to the nearest come first. A label that belongs to a clickable
 * ancestor matches only that ancestor. An empty result is not a failure. Fails
 * with SQ_ERR_ARGUMENT for an empty selector.
 */
bool sq_select(const struct sq_tree *tree, const struct sq_selector *selector,
               struct sq_arena *arena, struct sq_selection *out,
               struct sq_err *err);

/* Returns whether the first match is better than all others. */
bool sq_selection_is_clear(const struct sq_selection *selection);

/*
 * Returns the label of a node: its text, its description, for an unlabeled
 * clickable node the labels of its descendants, else its hint; empty if there
 * is none. Password fields return "•••" instead of their text. At most
 * SQ_MAX_LABEL_BYTES; points into the tree or the arena.
 */
bool sq_node_label(const struct sq_node *node, struct sq_arena *arena,
                   struct sq_span *out, struct sq_err *err);

/* Shortens one text of a node to that limit, without splitting a character. */
bool sq_text_shorten(struct sq_span text, struct sq_arena *arena,
                     struct sq_span *out, struct sq_err *err);

/* Returns "Button" for the class "android.widget.Button". */
struct sq_span sq_node_type(const struct sq_node *node);

/* Returns "login" for "com.app:id/login". */
struct sq_span sq_short_id(struct sq_span resource_id);

/* Returns whether the node or an ancestor is a password field. */
bool sq_node_is_secret(const struct sq_node *node);

/* Returns whether the node reacts to taps, typing or scrolling. */
bool sq_node_is_interactive(const struct sq_node *node);

/* Returns whether the node covers at least one pixel. */
bool sq_node_has_area(const struct sq_node *node);

/* Returns the node as an entry of an element list. Its texts are not copied. */
struct sq_element sq_element_of(const struct sq_node *node,
                                struct sq_span label, int index);

/*
 * Moves the only match with a preferred flag to the front. Returns false if
 * there is no such match, or if there are several parts of longer texts.
 */
bool sq_selection_prefer(struct sq_selection *selection, unsigned flags);

/*
 * Replaces texts that were read by the nodes with a flag of `prefer` that they
 * name, such as the field right of "E-mail". A text that is only a part of a
 * line counts if no line equals the wanted text.
 */
void sq_selection_prefer_named(const struct sq_tree *tree, unsigned prefer,
                               struct sq_selection *out);

#endif
