/*
 * Any bytes are a tree, or refused with an error. A tree is within its limits,
 * its links are consistent, and all its text is valid UTF-8.
 */
#include <assert.h>
#include <string.h>

#include "device/android/parse.h"
#include "device/ui_xml.h"
#include "fuzz/fuzz.h"
#include "util/limits.h"
#include "util/utf8.h"

static void
check_text(struct sq_span text) {
    assert(sq_utf8_valid_len(text) == text.len);
    assert(!sq_span_contains(text, '\0'));
    assert((text.len == 0) == (text.ptr == NULL));
}

static void
check_node(const struct sq_node *node) {
    check_text(node->text);
    check_text(node->desc);
    check_text(node->hint);
    check_text(node->resource_id);
    check_text(node->class_name);
    check_text(node->package);
    assert(node->depth < SQ_MAX_TREE_DEPTH);
    assert(node->depth == (node->parent ? node->parent->depth + 1 : 0));
    assert(!node->first_child || node->first_child->parent == node);
    assert(!node->next || node->next->parent == node->parent);
    assert(node->bounds.left <= node->bounds.right);
    assert(node->bounds.top <= node->bounds.bottom);
    assert(node->bounds.right - node->bounds.left >= 0);
}

static void
check_tree(const struct sq_tree *tree, const struct sq_ui_xml_info *info) {
    int count = 0;
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        assert(node->index == count);
        check_node(node);
        count++;
    }
    assert(count == tree->count && count <= SQ_MAX_TREE_NODES);
    assert(info->rotation >= -1 && info->rotation <= 3);
    assert(info->unlabelled >= 0 && info->unlabelled <= count);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_tree tree = { 0 };
    struct sq_ui_xml_info info;
    struct sq_err err = { 0 };
    struct sq_span text = { (const char *)data, size };
    if (sq_ui_xml_parse(text, &tree, &info, &err)) {
        check_tree(&tree, &info);
    } else {
        assert(tree.count == 0 && !tree.root && !tree.arena.first);
        assert(err.code == SQ_ERR_FORMAT || err.code == SQ_ERR_TRUNCATED
               || err.code == SQ_ERR_LIMIT);
        assert(err.message[0]);
    }
    sq_tree_finish(&tree);
    return 0;
}
