/*
 * The accessibility tree of a screen, in device space. The nodes are the same
 * for every kind of device.
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
    /* Not from the device: found in the pixels of the screen. */
    SQ_NODE_READ = 1 << 11,  /* text that was recognised */
    SQ_NODE_IMAGE = 1 << 12, /* a remembered picture */
    SQ_NODE_SHAPE = 1 << 13, /* an area of one colour */
    SQ_NODE_SEEN = SQ_NODE_READ | SQ_NODE_IMAGE | SQ_NODE_SHAPE,
    /* The device's, but its label is text that is inside or beside it. */
    SQ_NODE_NAMED = 1 << 14,
    SQ_NODE_PICTURED = 1 << 15, /* with NAMED: the name of a picture in it */
    SQ_NODE_IN_WORD = 1 << 16,  /* with READ: only a part of its words */
    /* Only in a whole tree: not on the screen now, or something covers it. */
    SQ_NODE_UNSEEN = 1 << 17,
    SQ_NODE_DOUBTFUL = 1 << 18, /* with READ: with little confidence */
};

/* Spans point into the tree's arena. An empty span means absent. */
struct sq_node {
    struct sq_span text;
    struct sq_span desc;        /* content description, accessibility label */
    struct sq_span hint;        /* placeholder of an empty text field */
    struct sq_span resource_id; /* complete, as the device reports it */
    struct sq_span class_name;  /* complete: android.widget.Button */
    struct sq_span package;
    struct sq_dev_rect bounds;
    unsigned flags;
    int index; /* position in document order, from 0 */
    int id; /* names it for as long as it lives; 0: the device has no names */
    int depth;
    struct sq_node *parent;
    struct sq_node *first_child;
    struct sq_node *next; /* sibling */
    struct sq_span row;   /* with READ: all text in its row of the screen */
    /* With NAMED: the text beside it; NULL: its label is inside it. */
    const struct sq_node *named_by;
};

struct sq_tree {
    struct sq_arena arena;
    struct sq_node *root; /* NULL: the screen has no elements */
    int count;
    int unlisted; /* elements of the page that are not on the screen */
    bool is_cut;  /* too large, or not read in time, to be whole */
};

/* Returns the next node in document order, or NULL after the last. */
const struct sq_node *sq_node_after(const struct sq_node *node);

/* Does the same for nodes that are changed. */
struct sq_node *sq_node_next(struct sq_node *node);

/*
 * Returns whether a node of the device that is drawn later, and not inside this
 * one, overlaps it: a touch on the node may then reach the other. Each
 * comparison takes one of *checks; true as well when none is left, because it
 * is not known then.
 */
#define SQ_COVER_CHECKS 10000000 /* for a whole list */
bool sq_node_is_covered(const struct sq_node *node, int *checks);

void sq_tree_finish(struct sq_tree *tree);

#endif
