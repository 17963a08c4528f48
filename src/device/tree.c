/* Traverses and frees accessibility trees. */
#include "device/tree.h"

/* Returns the first node after this one and all that is inside it. */
static const struct sq_node *
after_subtree(const struct sq_node *node) {
    while (node && !node->next) {
        node = node->parent;
    }
    return node ? node->next : NULL;
}

const struct sq_node *
sq_node_after(const struct sq_node *node) {
    return node->first_child ? node->first_child : after_subtree(node);
}

struct sq_node *
sq_node_next(struct sq_node *node) {
    if (node->first_child) {
        return node->first_child;
    }
    while (node && !node->next) {
        node = node->parent;
    }
    return node ? node->next : NULL;
}

static bool
overlap(const struct sq_dev_rect *a, const struct sq_dev_rect *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom
        && b->top < a->bottom;
}

bool
sq_node_is_covered(const struct sq_node *node, int *checks) {
    const struct sq_node *later = after_subtree(node);
    while (later && *checks > 0
           && (later->flags & SQ_NODE_SEEN
               || !overlap(&later->bounds, &node->bounds))) {
        (*checks)--;
        later = sq_node_after(later);
    }
    return later != NULL;
}

void
sq_tree_finish(struct sq_tree *tree) {
    sq_arena_finish(&tree->arena);
    tree->root = NULL;
    tree->count = 0;
}
