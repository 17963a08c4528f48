/* Finds the text fields among the elements of the screen. */
#include "tools/screen/fields.h"

#include "device/device.h"
#include "tools/elements/label.h"
#include "tools/elements/selector.h"

static bool
collect(struct sq_call *call, const struct sq_tree *tree,
        struct sq_fields *out) {
    struct sq_fields fields = { .is_known = true };
    bool ok = true;
    fields.items = sq_arena_alloc(call->arena, (size_t)tree->count + 1,
                                  sizeof(*fields.items), NULL);
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
            ok = sq_arena_keep(call->arena, &field.text, NULL);
        }
        fields.items[fields.count++] = field;
    }
    if (ok) {
        *out = fields;
    }
    return ok;
}

void
sq_fields_read(struct sq_call *call, const struct sq_deadline *deadline,
               struct sq_fields *out) {
    struct sq_tree tree = { 0 };
    struct sq_err err = { 0 };
    if (sq_device_tree(call->device, &tree, deadline, &err)) {
        collect(call, &tree, out);
    } else {
        out->is_known = err.code == SQ_ERR_UNSUPPORTED
                     && call->device->ops->elements_are_instant;
    }
    sq_tree_finish(&tree);
}
