/*
 * Parses any bytes as output of idb: elements in all formats. The tree is
 * valid, every text is inside it, and every edge fits the range of a screen.
 */
#include <assert.h>

#include "device/ios/parse.h"
#include "fuzz/fuzz.h"

static void
check_tree(const struct sq_tree *tree) {
    int count = 0;
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        assert(node->index == count);
        count++;
        assert(node->parent ? node->depth == node->parent->depth + 1
                            : node == tree->root);
        assert(node->bounds.left >= -1000000 && node->bounds.right <= 1000001);
        assert(node->bounds.top >= -1000000 && node->bounds.bottom <= 1000001);
    }
    assert(count == tree->count);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    struct sq_idb_screen screen = { 0 };
    struct sq_err err = { 0 };
    char state[16];
    if (sq_idb_parse_elements(text, &screen, &err)) {
        check_tree(&screen.tree);
        assert(screen.points.width >= 0 && screen.points.height >= 0);
    } else {
        assert(err.message[0] && !screen.tree.root);
    }
    sq_idb_screen_finish(&screen);
    sq_idb_find_target(text, "A-1", state, sizeof(state));
    return 0;
}
