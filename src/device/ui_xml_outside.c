/* Has a confined process parse a UI hierarchy, and checks the tree it sends. */
#include <string.h>

#include "device/ui_xml.h"
#include "util/limits.h"
#include "util/utf8.h"

/* Texts are at most 36 MB, as in sq_ui_xml_parse_here. */
#define MAX_REPLY                                                              \
    (2 * SQ_XML_REPAIR_GROWTH * SQ_MAX_UI_XML_BYTES                            \
     + (SQ_MAX_TREE_NODES + 1) * sizeof(struct sent_node))

#define TEXTS 6

/* A reply is a struct sent_tree and for each node this and its texts. */
struct sent_node {
    int depth;
    struct sq_dev_rect bounds;
    unsigned flags;
    uint32_t lengths[TEXTS];
};

struct sent_tree {
    struct sq_ui_xml_info info;
    int count;
};

static void
list_texts(struct sq_node *node, struct sq_span *texts[TEXTS]) {
    struct sq_span *const all[TEXTS] = { &node->text,       &node->desc,
                                         &node->hint,       &node->resource_id,
                                         &node->class_name, &node->package };
    memcpy(texts, all, sizeof(all));
}

/* The worker. */

static bool
answer(const void *request, struct sq_span input, struct sq_foreign_room room,
       struct sq_buf *reply, struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sent_tree sent = { .count = 0 };
    (void)request, (void)room;
    if (!sq_ui_xml_parse_here(input, &tree, &sent.info, err)) {
        return false;
    }
    sent.count = tree.count;
    bool ok = sq_buf_append(reply, &sent, sizeof(sent), err);
    for (struct sq_node *node = tree.root; ok && node;
         node = sq_node_next(node)) {
        struct sq_span *texts[TEXTS];
        struct sent_node one = {
            node->depth, node->bounds, node->flags, { 0 }
        };
        list_texts(node, texts);
        for (int i = 0; i < TEXTS; i++) {
            one.lengths[i] = (uint32_t)texts[i]->len;
        }
        ok = sq_buf_append(reply, &one, sizeof(one), err);
        for (int i = 0; ok && i < TEXTS; i++) {
            ok = texts[i]->len == 0
              || sq_buf_append(reply, texts[i]->ptr, texts[i]->len, err);
        }
    }
    return ok;
}

const struct sq_foreign_reader sq_ui_xml_reader = {
    .name = "ui-xml",
    .answer = answer,
};

/* The other side. */

struct receiver {
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    struct sq_node *last[SQ_MAX_TREE_DEPTH]; /* at each depth */
    int depth;                               /* of the last node */
};

static bool
take(struct sq_span *rest, void *out, size_t size) {
    if (rest->len < size) {
        return false;
    }
    memcpy(out, rest->ptr, size);
    sq_span_skip(rest, size);
    return true;
}

/* Sums and differences of such numbers still fit an int. */
static bool
is_near(int value) {
    return value >= -(1 << 28) && value <= 1 << 28;
}

static bool
is_possible(const struct sent_node *sent, const struct receiver *receiver) {
    const struct sq_dev_rect *bounds = &sent->bounds;
    int deepest = receiver->tree.count > 0 ? receiver->depth + 1 : 0;
    return sent->depth >= 0 && sent->depth <= deepest
        && sent->depth < SQ_MAX_TREE_DEPTH && is_near(bounds->left)
        && is_near(bounds->top) && is_near(bounds->right)
        && is_near(bounds->bottom) && bounds->left <= bounds->right
        && bounds->top <= bounds->bottom
        && (sent->flags & ~(SQ_NODE_PASSWORD * 2u - 1)) == 0;
}

static bool
receive_node(struct receiver *receiver, struct sq_span *rest,
             struct sq_err *err) {
    struct sent_node sent;
    struct sq_arena *arena = &receiver->tree.arena;
    struct sq_span *texts[TEXTS];
    if (!take(rest, &sent, sizeof(sent)) || !is_possible(&sent, receiver)) {
        return false;
    }
    struct sq_node *node = sq_arena_alloc(arena, 1, sizeof(*node), err);
    if (!node) {
        return false;
    }
    *node = (struct sq_node){ .bounds = sent.bounds,
                              .flags = sent.flags,
                              .index = receiver->tree.count,
                              .depth = sent.depth };
    list_texts(node, texts);
    for (int i = 0; i < TEXTS; i++) {
        struct sq_span text = { rest->ptr, sent.lengths[i] };
        if (text.len > rest->len || sq_utf8_valid_len(text) != text.len) {
            return false;
        }
        sq_span_skip(rest, text.len);
        if (text.len > 0) {
            *texts[i] = text;
        }
    }
    /* The first of its parent, or the next of the last at its depth. */
    int depth = node->depth;
    struct sq_node **place = &receiver->tree.root;
    node->parent = depth > 0 ? receiver->last[depth - 1] : NULL;
    if (receiver->tree.count > 0 && depth <= receiver->depth) {
        place = &receiver->last[depth]->next;
    } else if (node->parent) {
        place = &node->parent->first_child;
    }
    *place = node;
    receiver->last[depth] = node;
    receiver->depth = depth;
    receiver->tree.count++;
    return true;
}

/* Texts are copied once, all together. */
static bool
receive(void *context, struct sq_span reply, struct sq_err *err) {
    struct receiver *receiver = context;
    struct sent_tree sent;
    char *copy = reply.len > 0
                   ? sq_arena_alloc(&receiver->tree.arena, reply.len, 1, err)
                   : NULL;
    if (!copy) {
        return false;
    }
    memcpy(copy, reply.ptr, reply.len);
    struct sq_span rest = { copy, reply.len };
    bool ok = take(&rest, &sent, sizeof(sent)) && sent.count >= 0
           && sent.count <= SQ_MAX_TREE_NODES && sent.info.rotation >= -1
           && sent.info.rotation <= 3 && sent.info.unlabelled >= 0;
    for (int i = 0; ok && i < sent.count; i++) {
        ok = receive_node(receiver, &rest, err);
    }
    receiver->info = sent.info;
    return ok && rest.len == 0;
}

static bool
parse_outside(struct sq_span text, struct sq_tree *out,
              struct sq_ui_xml_info *info, struct sq_err *err) {
    struct receiver receiver = { .tree = { .count = 0 } };
    struct sq_foreign_answer from = { .memory.fd = -1 };
    const struct sq_foreign_question question = {
        .reader = sq_ui_xml_reader.name,
        .input = text,
        .max_reply = MAX_REPLY,
        .accept = receive,
        .context = &receiver,
    };
    sq_arena_init(&receiver.tree.arena, 2 * MAX_REPLY);
    bool ok = sq_foreign_ask(&question, &from, err);
    sq_foreign_finish(&from);
    if (!ok) {
        sq_tree_finish(&receiver.tree);
        return false;
    }
    *out = receiver.tree;
    *info = receiver.info;
    return true;
}

bool
sq_ui_xml_parse(struct sq_span text, struct sq_tree *out,
                struct sq_ui_xml_info *info, struct sq_err *err) {
    struct sq_ui_xml_info unused;
    return (sq_foreign_is_on() ? parse_outside : sq_ui_xml_parse_here)(
        text, out, info ? info : &unused, err);
}
