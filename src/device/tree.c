/* Traverses and frees accessibility trees. */
#include "device/tree.h"

const struct sq_node *
sq_node_after(const struct sq_node *node) {
    if (node->first_child) {
        return node->first_child;
    }
    while (node && !node->next) {
        node = node->parent;
    }
    return node ? node->next : NULL;
}

void
sq_tree_finish(struct sq_tree *tree) {
    sq_arena_finish(&tree->arena);
    tree->root = NULL;
    tree->count = 0;
}
