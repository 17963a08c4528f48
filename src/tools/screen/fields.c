/* Finds the text fields among the elements of the screen. */
#include "tools/screen/fields.h"

#include "tools/elements/label.h"
#include "tools/elements/selector.h"

bool
sq_fields_of(const struct sq_tree *tree, struct sq_arena *arena,
             struct sq_fields *out, struct sq_err *err) {
    struct sq_fields fields = { .is_known = true };
    bool ok = true;
    fields.items = sq_arena_alloc(arena, (size_t)tree->count + 1,
                                  sizeof(*fields.items), err);
    if (!fields.items) {
        return false;
    }
    for (const struct sq_node *node = tree->root; ok && node;
         node = sq_node_after(node)) {
        bool is_secret = sq_node_is_secret(node);
        if (!sq_node_has_area(node)
            || (!is_secret && !(node->flags & SQ_NODE_EDITABLE))) {
            continue;
        }
        struct sq_field field = { .bounds = node->bounds,
                                  .is_secret = is_secret };
        if (!is_secret && !sq_span_equal(node->text, node->hint)) {
            field.text = node->text;
            ok = sq_arena_keep(arena, &field.text, err);
        }
        fields.items[fields.count++] = field;
    }
    if (ok) {
        *out = fields;
    }
    return ok;
}
