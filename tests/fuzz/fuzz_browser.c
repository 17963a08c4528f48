/*
 * Parses any bytes as a message of a browser, as rows of elements and as a URL.
 * A tree is valid, and what is seen is on the screen.
 */
#include <assert.h>

#include "device/browser/private.h"
#include "fuzz/fuzz.h"

static void
read_rows(const struct sq_json *answer) {
    struct sq_opaque_frames opaque = { .count = 0 };
    const struct sq_frame_place place = { .clip = { 0, 0, 100, 100 },
                                          .opaque = &opaque };
    struct sq_tree tree = { 0 };
    int count = 0;
    sq_arena_init(&tree.arena, (size_t)1 << 24);
    if (sq_page_add(&tree, answer, &place, NULL)) {
        for (const struct sq_node *node = tree.root; node;
             node = sq_node_after(node)) {
            count++;
            assert(node->parent ? node->depth == node->parent->depth + 1
                                : node == tree.root);
            assert(node->id >= 0 && node->id <= SQ_MAX_NODE_ID);
            assert(node->flags & SQ_NODE_UNSEEN
                   || (node->bounds.left >= 0 && node->bounds.right <= 100
                       && node->bounds.top >= 0 && node->bounds.bottom <= 100));
        }
        assert(count == tree.count);
    }
    sq_tree_finish(&tree);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    struct sq_cdp_message message;
    struct sq_origin origin;
    struct sq_err err = { 0 };
    struct sq_arena arena;
    sq_arena_init(&arena, (size_t)1 << 24);
    if (sq_cdp_parse(text, &arena, &message, &err)) {
        assert(message.id > 0 || message.method.len > 0 || message.id == 0);
        read_rows(message.params);
    } else {
        assert(err.message[0]);
    }
    if (sq_origin_parse(text, &origin, NULL)) {
        assert(origin.host[0] && origin.port >= 0 && origin.port <= 65535);
    }
    sq_arena_finish(&arena);
    return 0;
}
