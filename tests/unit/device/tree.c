#include "device/tree.h"

#include "support/test.h"

enum { ROOT, A, A1, A2, A21, B, NODES };

static void
walks_in_the_order_of_the_document(void) {
    struct sq_node nodes[NODES] = { 0 };
    nodes[ROOT].first_child = &nodes[A];
    nodes[A] = (struct sq_node){ .parent = &nodes[ROOT],
                                 .first_child = &nodes[A1],
                                 .next = &nodes[B] };
    nodes[A1] = (struct sq_node){ .parent = &nodes[A], .next = &nodes[A2] };
    nodes[A2] =
        (struct sq_node){ .parent = &nodes[A], .first_child = &nodes[A21] };
    nodes[A21] = (struct sq_node){ .parent = &nodes[A2] };
    nodes[B] = (struct sq_node){ .parent = &nodes[ROOT] };
    const struct sq_node *node = &nodes[ROOT];
    for (int i = 0; i < NODES; i++) {
        T(node == &nodes[i]);
        node = node ? sq_node_after(node) : NULL;
    }
    T(node == NULL);
}

static void
ends_twice(void) {
    struct sq_tree tree = { 0 };
    struct sq_err err = { 0 };
    sq_tree_finish(&tree);
    sq_arena_init(&tree.arena, 4096);
    tree.root = sq_arena_alloc(&tree.arena, 1, sizeof(*tree.root), &err);
    tree.count = 1;
    sq_tree_finish(&tree);
    T(tree.root == NULL && tree.count == 0);
    sq_tree_finish(&tree);
}

T_MAIN(T_CASE(walks_in_the_order_of_the_document), T_CASE(ends_twice))
