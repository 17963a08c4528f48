/* Compares text in the pixels with the labels of the elements at its place. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tools/elements/pixel_nodes.h"
#include "tools/elements/selector.h"
#include "util/minmax.h"
#include "util/utf8.h"
#include "vision/match.h"

/* Nodes whose texts form one line: the most, and their height in that of it. */
#define MAX_LINE_NODES 12
#define LINE_HEIGHTS 3

#define ELLIPSIS "\xe2\x80\xa6"
#define MIN_CUT_BYTES 4 /* of a text that the edge of the screen cuts off */

/* Takes "…" or "..." off the end; returns false if neither is there. */
static bool
take_ellipsis(struct sq_span *text) {
    _Static_assert(sizeof(ELLIPSIS) == sizeof("..."), "equally many bytes");
    bool has_one =
        sq_span_ends_with(*text, ELLIPSIS) || sq_span_ends_with(*text, "...");
    text->len -= has_one ? strlen(ELLIPSIS) : 0;
    return has_one;
}

/* Copies a label with a space for every other white space, such as a line end.
 */
static bool
copy_spaced(struct sq_span label, struct sq_arena *arena, struct sq_span *out,
            struct sq_err *err) {
    char *copy = sq_arena_alloc(arena, label.len + 1, 1, err);
    if (!copy) {
        return false;
    }
    for (size_t i = 0; i < label.len; i++) {
        char c = label.ptr[i];
        copy[i] = c >= '\t' && c <= '\r' ? ' ' : c;
    }
    *out = (struct sq_span){ copy, label.len };
    return true;
}

/*
 * Returns in *out whether a label contains the text of a line, apart from case,
 * accents and what recognisers confuse: a long label has several lines, of
 * which the screen may show the last one cut off.
 */
static bool
label_has(struct sq_span label, struct sq_span line, struct sq_arena *arena,
          bool *out, struct sq_err *err) {
    struct sq_phrase phrase;
    struct sq_err local_err = { 0 };
    struct sq_span wanted = sq_utf8_shorten(line, SQ_MAX_PHRASE_BYTES);
    bool is_cut = take_ellipsis(&wanted) || wanted.len < line.len;
    *out = false;
    if (label.len == 0) {
        return true;
    }
    if (!sq_phrase_init(&phrase, wanted, arena, &local_err)) {
        return local_err.code == SQ_ERR_ARGUMENT /* only punctuation */
            || sq_fail_with(err, &local_err);
    }
    phrase.may_split_word = is_cut;
    return copy_spaced(label, arena, &label, err)
        && sq_phrase_is_in(&phrase, label, out, err);
}

/* Returns in *out whether a node of the device has the text of a line. */
static bool
node_has(const struct sq_node *node, struct sq_span line,
         struct sq_arena *arena, bool *out, struct sq_err *err) {
    struct sq_span labels[] = { { 0 }, node->text, node->desc, node->hint };
    if (!sq_node_label(node, arena, &labels[0], err)) {
        return false;
    }
    *out = false;
    for (size_t i = 0; i < SQ_COUNT(labels) && !*out; i++) {
        if (!label_has(labels[i], line, arena, out, err)) {
            return false;
        }
    }
    return true;
}

/* Returns whether a node is one of several whose texts form a line. */
static bool
is_in_line(const struct sq_node *node, struct sq_dev_rect line) {
    const struct sq_dev_rect n = node->bounds;
    int middle = (line.top + line.bottom) / 2;
    return !(node->flags & SQ_NODE_SEEN) && sq_span_trim(node->text).len > 0
        && n.top <= middle && n.bottom > middle && n.left < line.right
        && n.right > line.left
        && n.bottom - n.top <= LINE_HEIGHTS * (line.bottom - line.top);
}

/* Joins the texts of the nodes that form a line, from left to right. */
static size_t
join_line(const struct sq_tree *tree, struct sq_dev_rect line,
          char out[SQ_MAX_LABEL_BYTES]) {
    size_t used = 0;
    int from = INT_MIN;
    for (int count = 0; count < MAX_LINE_NODES; count++) {
        const struct sq_node *next = NULL;
        for (const struct sq_node *node = tree->root; node;
             node = sq_node_after(node)) {
            if (node->bounds.left > from && is_in_line(node, line)
                && (!next || node->bounds.left < next->bounds.left)) {
                next = node;
            }
        }
        if (!next || used + next->text.len + 2 > SQ_MAX_LABEL_BYTES) {
            break;
        }
        used +=
            (size_t)snprintf(out + used, SQ_MAX_LABEL_BYTES - used, "%s%.*s",
                             used ? " " : "", SQ_SPAN_ARGS(next->text));
        from = next->bounds.left;
    }
    return used;
}

/* Returns in *out whether elements at a place have the text of a line. */
static bool
has_line(const struct sq_tree *tree, struct sq_span text,
         struct sq_dev_rect bounds, struct sq_arena *arena, bool *out,
         struct sq_err *err) {
    char joined[SQ_MAX_LABEL_BYTES];
    *out = false;
    for (const struct sq_node *node = tree->root; node && !*out;
         node = sq_node_after(node)) {
        if (!(node->flags & SQ_NODE_SEEN)
            && sq_dev_rect_has_middle(node->bounds, bounds)
            && !node_has(node, text, arena, out, err)) {
            return false;
        }
    }
    if (*out) {
        return true;
    }
    const struct sq_span line = { joined, join_line(tree, bounds, joined) };
    return label_has(line, text, arena, out, err);
}

/*
 * Replaces the last letter of a text that ends at the edge of the screen, of
 * which only a part may be visible, by "…". Returns false if it does not end
 * there.
 */
static bool
cut_at_edge(const struct sq_tree *tree, struct sq_dev_rect bounds,
            struct sq_span *text, char out[SQ_MAX_LABEL_BYTES]) {
    int height = bounds.bottom - bounds.top;
    if (!tree->root || bounds.right + height / 2 < tree->root->bounds.right
        || text->len < MIN_CUT_BYTES) {
        return false;
    }
    struct sq_span left = sq_utf8_shorten(
        *text,
        sq_min_size(text->len - 1, SQ_MAX_LABEL_BYTES - sizeof(ELLIPSIS)));
    int len = snprintf(out, SQ_MAX_LABEL_BYTES, "%.*s%s", SQ_SPAN_ARGS(left),
                       ELLIPSIS);
    *text = (struct sq_span){ out, (size_t)len };
    return true;
}

bool
sq_tree_has_text(const struct sq_tree *tree, struct sq_span text,
                 struct sq_dev_rect bounds, struct sq_arena *arena, bool *out,
                 struct sq_err *err) {
    char cut[SQ_MAX_LABEL_BYTES];
    return has_line(tree, text, bounds, arena, out, err)
        && (*out || !cut_at_edge(tree, bounds, &text, cut)
            || has_line(tree, text, bounds, arena, out, err));
}
