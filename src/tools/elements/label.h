/* Compares texts of a screen and assigns labels to elements. */
#ifndef SQ_TOOLS_ELEMENTS_LABEL_H
#define SQ_TOOLS_ELEMENTS_LABEL_H

#include <stdbool.h>

#include "device/tree.h"
#include "util/span.h"

/* Returns whether the texts are equal, ignoring white space at both ends. */
bool sq_text_equal(struct sq_span a, struct sq_span b, bool ignore_case);

bool sq_text_contains(struct sq_span text, struct sq_span part,
                      bool ignore_case);

/*
 * Returns how much of a wanted text another one has, in thousandths: words that
 * are equal count twice, those with a slip of the pen or a longer ending once.
 * Case does not count.
 */
int sq_text_nearness(struct sq_span text, struct sq_span wanted);

/* Returns the description, unless it repeats a password. */
struct sq_span sq_node_desc(const struct sq_node *node);

/* Returns the node's own text or description; empty for password fields. */
struct sq_span sq_element_own_label(const struct sq_node *node);

/* Returns whether the node takes over the labels of its descendants. */
bool sq_node_folds(const struct sq_node *node);

/*
 * Iterates over the labeled descendants of a node that folds, in document
 * order: returns the one after `last` (NULL: the first), or NULL. Skips nodes
 * that are themselves clickable.
 */
const struct sq_node *sq_folded_next(const struct sq_node *parent,
                                     const struct sq_node *last);

/* Returns the ancestor that takes over this node's label, or NULL. */
const struct sq_node *sq_folded_into(const struct sq_node *node);

#endif
