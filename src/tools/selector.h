/*
 * Which elements of a tree a selector means, and what to call them. Pure: a
 * tree in, nodes out. What is in a password field never comes out.
 */
#ifndef SQ_TOOLS_SELECTOR_H
#define SQ_TOOLS_SELECTOR_H

#include "device/tree.h"
#include "session/session.h"
#include "tool/tool.h"

/* Of one label; longer ones end in an ellipsis. */
#define SQ_MAX_LABEL_BYTES 256

/* All that are given must hold. */
struct sq_selector {
    struct sq_span text; /* the whole of text, description, hint or label */
    struct sq_span text_contains;
    struct sq_span resource_id; /* any part of it */
    struct sq_span class_name;  /* any part of it */
    struct sq_span content_desc;
    struct sq_span nearest_to; /* text of the element to sort by */
    bool ignore_case;
    bool has_text;
    bool has_text_contains;
    bool has_resource_id;
    bool has_class_name;
    bool has_content_desc;
    bool has_nearest_to;
    bool has_ignore_case;
};

extern const struct sq_arg sq_selector_args[];

/* The row of an operation's argument table for a field of that type. */
#define SQ_SELECTOR(args, field)                                               \
    {                                                                          \
        SQ_ARG_ROW(args, field, "selector", SQ_ARG_OBJECT, struct sq_selector, \
                   "All given must match"),                                    \
            .members = sq_selector_args, .is_open = true                       \
    }

struct sq_match {
    const struct sq_node *node;
    struct sq_span label; /* as by sq_node_label */
    int score;            /* higher is better; see sq_selection_is_clear */
    int64_t distance;     /* from the anchor, in squared device pixels */
};

struct sq_selection {
    struct sq_match *matches; /* the best first; in the arena */
    size_t count;
    const struct sq_node *anchor; /* what nearest_to found; NULL: nothing */
};

/*
 * Find what a selector means. Without nearest_to the better matches come
 * first (exact before partial, what can be tapped before what cannot), equals
 * in the order of the document; with it the nearest. A label that belongs to a
 * clickable element around it matches that one alone. Nothing found is no
 * failure; a selector that asks for nothing is SQ_ERR_ARGUMENT.
 */
bool sq_select(const struct sq_tree *tree, const struct sq_selector *selector,
               struct sq_arena *arena, struct sq_selection *out,
               struct sq_err *err);

/* Whether the first match is the one that is meant, and not one of equals. */
bool sq_selection_is_clear(const struct sq_selection *selection);

/*
 * What to call a node: its text, its description, for an unlabeled clickable
 * one the labels of what it contains, else its hint; empty if there is none.
 * Password fields show "•••" in place of their text. At most
 * SQ_MAX_LABEL_BYTES; points into the tree or the arena.
 */
bool sq_node_label(const struct sq_node *node, struct sq_arena *arena,
                   struct sq_span *out, struct sq_err *err);

/* The same for one text of a node: shortened, never in two a character. */
bool sq_text_shorten(struct sq_span text, struct sq_arena *arena,
                     struct sq_span *out, struct sq_err *err);

/* "android.widget.Button" is a "Button". */
struct sq_span sq_node_type(const struct sq_node *node);

/* "com.app:id/login" is "login". */
struct sq_span sq_short_id(struct sq_span resource_id);

/* Whether it, or what it lies in, is a password field. */
bool sq_node_is_secret(const struct sq_node *node);

/* Whether touching, typing or scrolling can do something to it. */
bool sq_node_is_interactive(const struct sq_node *node);

/* Whether it covers any pixel at all. */
bool sq_node_has_area(const struct sq_node *node);

/* The pixel in the middle of a rectangle that covers at least one. */
struct sq_dev_pt sq_dev_rect_middle(struct sq_dev_rect rect);

/* The node as a line of an element list. Points to what node and label do. */
struct sq_element sq_element_of(const struct sq_node *node,
                                struct sq_span label, int index);

#endif
