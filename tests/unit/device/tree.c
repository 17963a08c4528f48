#include "device/tree.h"

#include "support/test.h"

enum { ROOT, A, A1, A2, A21, B, NODES };

T_CASE(walks_in_document_order) {
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

T_CASE(can_be_finished_twice) {
    struct sq_tree tree = { 0 };
    sq_tree_finish(&tree);
    sq_arena_init(&tree.arena, 4096);
    tree.root = sq_arena_alloc(&tree.arena, 1, sizeof(*tree.root), &t_err);
    tree.count = 1;
    sq_tree_finish(&tree);
    T(tree.root == NULL && tree.count == 0);
    sq_tree_finish(&tree);
}

static bool
is_covered(const struct sq_node *node) {
    int checks = SQ_COVER_CHECKS;
    return sq_node_is_covered(node, &checks);
}

/* A list with a row, and a bar that is drawn over the end of the list. */
T_CASE(later_nodes_cover_earlier_ones) {
    struct sq_node root = { .bounds = { 0, 0, 100, 200 } };
    struct sq_node list = { .bounds = { 0, 0, 100, 200 }, .parent = &root };
    struct sq_node first = { .bounds = { 0, 0, 100, 50 }, .parent = &list };
    struct sq_node icon = { .bounds = { 0, 0, 50, 50 }, .parent = &first };
    struct sq_node last = { .bounds = { 0, 150, 100, 200 }, .parent = &list };
    struct sq_node bar = { .bounds = { 0, 190, 100, 200 }, .parent = &root };
    root.first_child = &list;
    list.first_child = &first;
    first.first_child = &icon;
    first.next = &last;
    list.next = &bar;
    T(!is_covered(&root));
    T(!is_covered(&first)); /* its descendants do not cover it */
    T(!is_covered(&icon));
    T(is_covered(&last));
    T(is_covered(&list));
    T(!is_covered(&bar));
    bar.bounds.top = 200; /* they only touch */
    T(!is_covered(&last));
    int checks = 2; /* of the three that are drawn after the icon */
    T(!sq_node_is_covered(&last, &checks));
    T_INT(checks, 1);
    T(sq_node_is_covered(&icon, &checks));
    T_INT(checks, 0);
}
