/*
 * What is on a screen according to the device itself: the accessibility tree,
 * in device pixels. The same nodes for every kind of device.
 */
#ifndef SQ_DEVICE_TREE_H
#define SQ_DEVICE_TREE_H

#include <stdbool.h>

#include "geom/view.h"
#include "util/arena.h"
#include "util/span.h"

enum sq_node_flag {
    SQ_NODE_CLICKABLE = 1 << 0,
    SQ_NODE_LONG_CLICKABLE = 1 << 1,
    SQ_NODE_FOCUSABLE = 1 << 2,
    SQ_NODE_FOCUSED = 1 << 3,
    SQ_NODE_SCROLLABLE = 1 << 4,
    SQ_NODE_ENABLED = 1 << 5,
    SQ_NODE_CHECKABLE = 1 << 6,
    SQ_NODE_CHECKED = 1 << 7,
    SQ_NODE_SELECTED = 1 << 8,
    SQ_NODE_EDITABLE = 1 << 9,
    SQ_NODE_PASSWORD = 1 << 10, /* its text must never leave the program */
};

/* Spans point into the tree's arena; empty ones are absent. */
struct sq_node {
    struct sq_span text;
    struct sq_span desc;        /* content description, accessibility label */
    struct sq_span hint;        /* what an empty field asks for */
    struct sq_span resource_id; /* whole, as the device gives it */
    struct sq_span class_name;  /* whole: android.widget.Button */
    struct sq_span package;
    struct sq_dev_rect bounds;
    unsigned flags;
    int index; /* position in the order of the document, from 0 */
    int depth;
    struct sq_node *parent;
    struct sq_node *first_child;
    struct sq_node *next; /* sibling */
};

struct sq_tree {
    struct sq_arena arena;
    struct sq_node *root; /* NULL: the device says there is nothing */
    int count;
};

/* The node that follows in the order of the document, or NULL. */
const struct sq_node *sq_node_after(const struct sq_node *node);

/* Safe on a zeroed value. */
void sq_tree_finish(struct sq_tree *tree);

#endif
