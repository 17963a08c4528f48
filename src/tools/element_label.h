/* Comparing texts of a screen, and which labels belong to whom. */
#ifndef SQ_TOOLS_ELEMENT_LABEL_H
#define SQ_TOOLS_ELEMENT_LABEL_H

#include <stdbool.h>

#include "device/tree.h"
#include "util/span.h"

/* The same text, white space at the ends aside. */
bool sq_text_equal(struct sq_span a, struct sq_span b, bool ignore_case);

bool sq_text_contains(struct sq_span text, struct sq_span part,
                      bool ignore_case);

/* The description, unless it repeats what a password field holds. */
struct sq_span sq_node_desc(const struct sq_node *node);

/* The text or description a node has by itself; not of password fields. */
struct sq_span sq_element_own_label(const struct sq_node *node);

/* Whether it takes over the labels of what it contains. */
bool sq_node_folds(const struct sq_node *node);

/*
 * The labeled nodes inside a node that folds, in the order of the document:
 * the one after `last` (NULL: the first), or NULL. Not those that can be
 * clicked themselves.
 */
const struct sq_node *sq_folded_next(const struct sq_node *parent,
                                     const struct sq_node *last);

/* The node around this one that takes its label over, or NULL. */
const struct sq_node *sq_folded_into(const struct sq_node *node);

#endif
