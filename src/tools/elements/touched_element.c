/* Finds the element that an action touched. */
#include "tools/elements/touched_element.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/elements/listing.h"
#include "tools/elements/selector.h"
#include "tools/reply.h"

void
sq_hit_find(const struct sq_elements *elements, struct sq_dev_pt point,
            struct sq_hit *hit) {
    const struct sq_element *found =
        sq_element_at(elements->items, elements->count, point);
    if (!found) {
        return;
    }
    *hit = (struct sq_hit){ .is_known = true, .element = *found, .at = point };
    for (size_t i = 0; i < elements->count; i++) {
        hit->same_ids +=
            sq_span_equal(elements->items[i].resource_id, found->resource_id);
    }
}

void
sq_hit_read(struct sq_call *call, struct sq_dev_pt point, struct sq_hit *hit,
            struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_tree_state state;
    struct sq_elements elements;
    if (!sq_tree_fetch(call, &tree, &state, err)) {
        /* already in *refused */
    } else if (state.outcome != SQ_TREE_READ) {
        sq_tree_fail(&state, SQ_ERR_UNSUPPORTED, "", state.why, err);
    } else if (sq_tree_elements(&tree, call->arena, &elements, err)) {
        struct sq_hit found = { .is_known = false };
        sq_hit_find(&elements, point, &found);
        if (found.is_known
            && sq_element_keep(&found.element, call->arena, err)) {
            *hit = found;
        }
    }
}

void
sq_hit_recall(struct sq_call *call, const struct sq_screen *screen,
              struct sq_dev_pt point, struct sq_hit *hit) {
    const struct sq_tree_stamp now = sq_tree_stamp_now(call->device, screen);
    struct sq_elements elements;
    sq_session_on_screen(call->session, call->device->info.id, &now,
                         call->arena, &elements);
    if (elements.is_known) {
        sq_hit_find(&elements, point, hit);
        hit->is_from_list = hit->is_known;
    }
}

/*
 * Returns the node with the element's bounds, type and id; its label may
 * differ.
 */
static const struct sq_node *
find_again(const struct sq_tree *tree, const struct sq_element *element) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        const struct sq_element now = sq_element_of(node, element->label, 0);
        if (sq_element_same(&now, element)) {
            return node;
        }
    }
    return NULL;
}

void
sq_hit_update(struct sq_hit *hit, const struct sq_tree *after) {
    const struct sq_node *node =
        hit->is_known ? find_again(after, &hit->element) : NULL;
    const struct sq_node *checkable = node ? sq_only_checkable(node) : NULL;
    if (checkable) {
        hit->has_state = true;
        hit->is_checked = checkable->flags & SQ_NODE_CHECKED;
    }
}

/*
 * Writes where in an element without a label it was touched, if not near its
 * middle: it may be a container, and a replay must not touch its middle.
 */
static void
put_place(const struct sq_hit *hit, struct sq_json_writer *w) {
    const struct sq_dev_rect *bounds = &hit->element.bounds;
    int64_t width = bounds->right - bounds->left;
    int64_t height = bounds->bottom - bounds->top;
    if (hit->element.label.len > 0 || width <= 0 || height <= 0) {
        return;
    }
    int64_t x = (hit->at.x - bounds->left) * 100 / width;
    int64_t y = (hit->at.y - bounds->top) * 100 / height;
    if (llabs(x - 50) > 25 || llabs(y - 50) > 25) {
        char text[48];
        snprintf(text, sizeof(text), "%" PRId64 "%%,%" PRId64 "%%", x, y);
        sq_put_text(w, "at", text);
    }
}

void
sq_hit_put(const struct sq_hit *hit, struct sq_json_writer *w) {
    if (!hit->is_known) {
        return;
    }
    const struct sq_element *element = &hit->element;
    sq_json_begin_object_of(w, "element");
    sq_put_untrusted(w, "label", element->label);
    sq_put_untrusted(w, "type", element->type);
    sq_put_untrusted(w, "resourceId", sq_short_id(element->resource_id));
    if (element->resource_id.len > 0 && hit->same_ids > 1) {
        sq_put_int(w, "sameIds", hit->same_ids);
    }
    put_place(hit, w);
    if (hit->has_state) {
        sq_put_bool(w, "checked", hit->is_checked);
    }
    sq_put_if_true(w, "fromLastList", hit->is_from_list);
    sq_json_end_object(w);
}
