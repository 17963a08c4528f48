#include "support/ui_xml_ways.h"

#include <string.h>

#include "device/android/ui_xml.h"
#include "device/android/ui_xml_private.h"

struct way {
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    struct sq_err err;
    bool ok;
};

static bool
same_text(struct sq_span a, struct sq_span b) {
    return sq_span_equal(a, b) && (a.ptr == NULL) == (b.ptr == NULL);
}

static bool
same_place(const struct sq_node *a, const struct sq_node *b) {
    return (a ? a->index : -1) == (b ? b->index : -1);
}

static const char *
node_difference(const struct sq_node *a, const struct sq_node *b) {
    bool texts = same_text(a->text, b->text) && same_text(a->desc, b->desc)
              && same_text(a->hint, b->hint)
              && same_text(a->resource_id, b->resource_id)
              && same_text(a->class_name, b->class_name)
              && same_text(a->package, b->package);
    if (!texts) {
        return "text of a node";
    }
    if (memcmp(&a->bounds, &b->bounds, sizeof(a->bounds)) != 0
        || a->flags != b->flags) {
        return "bounds or flags of a node";
    }
    bool places = a->index == b->index && a->depth == b->depth
               && same_place(a->parent, b->parent)
               && same_place(a->first_child, b->first_child)
               && same_place(a->next, b->next);
    return places ? NULL : "place of a node";
}

static const char *
tree_difference(const struct sq_tree *a, const struct sq_tree *b) {
    const struct sq_node *left = a->root;
    const struct sq_node *right = b->root;
    while (left && right) {
        const char *difference = node_difference(left, right);
        if (difference) {
            return difference;
        }
        left = sq_node_after(left);
        right = sq_node_after(right);
    }
    return !left && !right && a->count == b->count ? NULL : "nodes";
}

static const char *
way_difference(const struct way *a, const struct way *b) {
    if (a->ok != b->ok) {
        return "whether it can be read";
    }
    if (a->err.code != b->err.code
        || strcmp(a->err.message, b->err.message) != 0
        || strcmp(a->err.hint, b->err.hint) != 0) {
        return "error";
    }
    if (a->info.rotation != b->info.rotation
        || a->info.unlabelled != b->info.unlabelled) {
        return "rotation or count of nodes without label";
    }
    return tree_difference(&a->tree, &b->tree);
}

const char *
ui_xml_difference(struct sq_span text) {
    struct way ours = { 0 };
    struct way expats = { 0 };
    ours.ok = sq_ui_xml_parse(text, &ours.tree, &ours.info, &ours.err);
    expats.ok =
        sq_ui_xml_parse_by_expat(text, &expats.tree, &expats.info, &expats.err);
    const char *difference = way_difference(&ours, &expats);
    sq_tree_finish(&ours.tree);
    sq_tree_finish(&expats.tree);
    return difference;
}
