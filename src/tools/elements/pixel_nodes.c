/* Merges what the pixels show into an element tree. */
#include "tools/elements/pixel_nodes.h"

#include <limits.h>
#include <stdio.h>

#include "tools/elements/icon_words.h"
#include "tools/elements/label.h"
#include "tools/elements/selector.h"
#include "tools/screen/screen_text.h"
#include "util/minmax.h"

#define MAX_ADDED_BYTES ((size_t)4 << 20)
#define LARGEST_SHARE 3 /* a node with a label inside: at most 1/3 */
#define SAME_AREA 60    /* percent of both areas that overlap */
/* Widest gap to a label in the same row, in heights of the text. */
#define FIELD_GAP 25 /* forms align their fields, so short labels are far */
#define SWITCH_GAP 4
#define ICON_GAP 1

const char *
sq_seen_source(unsigned flags) {
    return flags & SQ_NODE_READ  ? "ocr"
         : flags & SQ_NODE_IMAGE ? "image"
         : flags & SQ_NODE_SHAPE ? "shape"
                                 : NULL;
}

bool
sq_selector_names_shape(const struct sq_selector *selector) {
    struct sq_span wanted = sq_selector_text(selector);
    return sq_text_equal(wanted, SQ_SPAN(SQ_SHAPE_DISC), true)
        || sq_text_equal(wanted, SQ_SPAN(SQ_SHAPE_BOX), true);
}

static struct sq_node *
make_node(struct sq_tree *tree, struct sq_err *err) {
    struct sq_node *node = sq_arena_alloc(&tree->arena, 1, sizeof(*node), err);
    if (node) {
        *node = (struct sq_node){ .index = tree->count };
        tree->count++;
    }
    return node;
}

static bool
ensure_root(struct sq_tree *tree, struct sq_size screen, struct sq_err *err) {
    if (tree->root) {
        return true;
    }
    if (!tree->arena.max) {
        sq_arena_init(&tree->arena, MAX_ADDED_BYTES);
    }
    tree->count = 0;
    struct sq_node *root = make_node(tree, err);
    if (root) {
        root->class_name = SQ_SPAN("Screen");
        root->bounds =
            (struct sq_dev_rect){ 0, 0, screen.width, screen.height };
        root->flags = SQ_NODE_ENABLED;
        tree->root = root;
    }
    return root != NULL;
}

bool
sq_tree_append(struct sq_tree *tree, struct sq_size screen,
               const struct sq_seen *seen, struct sq_node **out,
               struct sq_err *err) {
    struct sq_span label = seen->label;
    if (!ensure_root(tree, screen, err)
        || !sq_arena_keep(&tree->arena, &label, err)) {
        return false;
    }
    struct sq_node *node = make_node(tree, err);
    if (!node) {
        return false;
    }
    node->text = label;
    if (seen->kind & SQ_NODE_SHAPE) {
        struct sq_span rest = label;
        if (!sq_span_take_until(&rest, ' ', &node->desc)) {
            node->desc = label;
        }
    }
    node->class_name = sq_span_of(sq_seen_source(seen->kind));
    node->bounds = seen->bounds;
    node->flags =
        (seen->kind & (SQ_NODE_SEEN | SQ_NODE_DOUBTFUL)) | SQ_NODE_ENABLED;
    node->depth = 1;
    node->parent = tree->root;
    struct sq_node **link = &tree->root->first_child;
    while (*link) {
        link = &(*link)->next;
    }
    *link = node;
    if (out) {
        *out = node;
    }
    return true;
}

bool
sq_tree_hides(const struct sq_tree *tree, struct sq_dev_rect rect) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (node->flags & SQ_NODE_PASSWORD
            && sq_dev_rect_has_middle(node->bounds, rect)) {
            return true;
        }
    }
    return false;
}

static bool
has_label(const struct sq_node *node) {
    return sq_span_trim(node->text).len > 0 || sq_span_trim(node->desc).len > 0
        || sq_span_trim(node->hint).len > 0
        || (sq_node_folds(node) && sq_folded_next(node, NULL));
}

/* Returns whether a tap or typing on the node does something. */
static bool
is_usable(const struct sq_node *node) {
    return node->flags
         & (SQ_NODE_CLICKABLE | SQ_NODE_LONG_CLICKABLE | SQ_NODE_CHECKABLE
            | SQ_NODE_EDITABLE);
}

struct sq_node *
sq_tree_unlabelled_at(const struct sq_tree *tree, struct sq_size screen,
                      struct sq_dev_rect rect) {
    int64_t most = (int64_t)screen.width * screen.height / LARGEST_SHARE;
    struct sq_node *found = NULL;
    for (struct sq_node *node = tree->root; node; node = sq_node_next(node)) {
        bool is_named = node->flags & SQ_NODE_NAMED;
        if (is_usable(node) && !(node->flags & SQ_NODE_SEEN)
            && (is_named || !has_label(node)) && !sq_node_is_secret(node)
            && sq_dev_rect_has_middle(node->bounds, rect)
            && sq_dev_rect_area(node->bounds) <= most
            && (!found
                || sq_dev_rect_area(node->bounds)
                       <= sq_dev_rect_area(found->bounds))) {
            found = node;
        }
    }
    return found;
}

bool
sq_node_set_name(struct sq_tree *tree, struct sq_node *node,
                 const struct sq_seen *seen, struct sq_err *err) {
    struct sq_span text = seen->label;
    char joined[SQ_MAX_LABEL_BYTES];
    bool is_more = node->flags & SQ_NODE_NAMED;
    int len = snprintf(
        joined, sizeof(joined), "%.*s%s%.*s", is_more ? (int)node->hint.len : 0,
        is_more ? node->hint.ptr : "", is_more ? ", " : "", SQ_SPAN_ARGS(text));
    struct sq_span name = { joined,
                            (size_t)sq_min_int(len, sizeof(joined) - 1) };
    if (!sq_arena_keep(&tree->arena, &name, err)) {
        return false;
    }
    node->hint = name;
    node->flags |= SQ_NODE_NAMED;
    if (seen->kind & SQ_NODE_IMAGE) {
        node->flags |= SQ_NODE_PICTURED;
    }
    return true;
}

/*
 * Returns whether text inside a node is words: a single letter is an icon that
 * was misread, a digit may be that of a keypad.
 */
static bool
is_words(const struct sq_node *node, struct sq_span text) {
    bool is_digit = text.len == 1 && sq_is_digit(text.ptr[0]);
    return sq_count_letters(text) >= 2
        || (is_digit && !sq_id_is_telling(node->resource_id));
}

/*
 * Returns whether a letter, or a short text that was read with little
 * confidence, is an icon: it is on a picture, or in an element whose label does
 * not have it. A number of two digits is one only on a picture.
 */
static bool
is_icon(const struct sq_tree *tree, struct sq_size screen,
        const struct sq_seen *seen) {
    int64_t most = (int64_t)screen.width * screen.height / LARGEST_SHARE;
    int digits = sq_count_digits(seen->label);
    bool is_letter = digits == 0 && sq_count_letters(seen->label) == 1;
    if (!(seen->kind & SQ_SEEN_UNSURE) && !is_letter) {
        return false;
    }
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (!(node->flags & SQ_NODE_SEEN)
            && sq_dev_rect_has_middle(node->bounds, seen->bounds)
            && sq_dev_rect_area(node->bounds) <= most
            && (sq_node_is_picture(node) || (digits < 2 && has_label(node)))) {
            return true;
        }
    }
    return false;
}

/* Returns the length of the common part of two ranges. */
static int
shared_length(int a_from, int a_to, int b_from, int b_to) {
    return sq_min_int(a_to, b_to) - sq_max_int(a_from, b_from);
}

static bool
is_field(const struct sq_node *node) {
    return node->flags & SQ_NODE_EDITABLE;
}

/* Returns how far a text left or right of a node is; -1: it is not there. */
static int
distance_in_row(const struct sq_node *node, struct sq_dev_rect t) {
    bool takes_text = is_field(node);
    const struct sq_dev_rect n = node->bounds;
    int height = t.bottom - t.top;
    int left = n.left - t.right;
    int right = t.left - n.right;
    int most = height
             * (takes_text                        ? FIELD_GAP
                : node->flags & SQ_NODE_CHECKABLE ? SWITCH_GAP
                                                  : ICON_GAP);
    if (2 * shared_length(n.top, n.bottom, t.top, t.bottom) < height) {
        return -1;
    }
    if (left >= -height / 2 && left <= most) {
        return sq_max_int(0, left);
    }
    return !takes_text && right >= -height / 2 && right <= most
             ? sq_max_int(0, right)
             : -1;
}

/* Returns how far a text above a field or below an icon is; -1: it is not. */
static int
distance_in_column(struct sq_dev_rect n, struct sq_dev_rect t, bool is_above) {
    int height = t.bottom - t.top;
    int gap = is_above ? n.top - t.bottom : t.top - n.bottom;
    const struct sq_dev_rect column = { n.left, t.top, n.right, t.bottom };
    bool in_column = is_above
                       ? shared_length(n.left, n.right, t.left, t.right) > 0
                       : sq_dev_rect_has_middle(column, t);
    return in_column && gap >= -height / 2 && gap <= height ? sq_max_int(0, gap)
                                                            : -1;
}

/* Returns how far a text is from a node; -1: it does not name it. */
static int
naming_distance(const struct sq_node *node, const struct sq_node *text) {
    int in_row = distance_in_row(node, text->bounds);
    return in_row >= 0
             ? in_row
             : distance_in_column(node->bounds, text->bounds, is_field(node));
}

/* Returns whether a node is text that may be the name of another one. */
static bool
is_name(const struct sq_node *text) {
    return !is_usable(text) && !sq_node_is_secret(text)
        && !(text->flags & (SQ_NODE_IMAGE | SQ_NODE_SHAPE | SQ_NODE_DOUBTFUL))
        && sq_count_letters(text->text) >= 2;
}

/* Returns whether a node needs a name from outside. */
static bool
is_nameless(const struct sq_node *node) {
    bool is_button = !(node->flags & (SQ_NODE_EDITABLE | SQ_NODE_CHECKABLE));
    return is_usable(node) && !has_label(node) && !(node->flags & SQ_NODE_SEEN)
        && sq_node_has_area(node)
        && !(is_button && sq_id_is_telling(node->resource_id));
}

/* Returns whether a node is in the same row or card as another one. */
static bool
is_in_container_of(const struct sq_node *node, const struct sq_node *other) {
    const struct sq_node *container = other->parent;
    while (container && sq_dev_rect_equal(container->bounds, other->bounds)) {
        container = container->parent;
    }
    return !container
        || sq_dev_rect_has_middle(container->bounds, node->bounds);
}

/* Returns whether another usable element has the text inside it. */
static bool
is_inside_another(const struct sq_tree *tree, const struct sq_node *text,
                  const struct sq_node *node) {
    for (const struct sq_node *other = tree->root; other;
         other = sq_node_after(other)) {
        if (other != node && is_usable(other)
            && sq_dev_rect_has_middle(other->bounds, text->bounds)
            && !sq_dev_rect_has_middle(other->bounds, node->bounds)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the text is nearer to another node without a name. */
static bool
is_nearer_to_another(const struct sq_tree *tree, const struct sq_node *text,
                     const struct sq_node *node, int distance) {
    for (const struct sq_node *other = tree->root; other;
         other = sq_node_after(other)) {
        int far = other != node && is_nameless(other)
                    ? naming_distance(other, text)
                    : -1;
        if (far >= 0 && far < distance) {
            return true;
        }
    }
    return false;
}

/* Returns the text that names the node; NULL: none does clearly. */
static const struct sq_node *
name_of(const struct sq_tree *tree, const struct sq_node *node) {
    const struct sq_node *best = NULL;
    int least = INT_MAX;
    int second = INT_MAX;
    for (const struct sq_node *text = tree->root; text;
         text = sq_node_after(text)) {
        int distance = is_name(text) && is_in_container_of(text, node)
                            && is_in_container_of(node, text)
                         ? naming_distance(node, text)
                         : -1;
        if (distance >= 0 && distance < least) {
            second = least;
            least = distance;
            best = text;
        } else if (distance >= 0 && distance < second) {
            second = distance;
        }
    }
    bool is_clear =
        best
        && (is_field(node)
            || second - least > (best->bounds.bottom - best->bounds.top) / 2)
        && !is_inside_another(tree, best, node)
        && !is_nearer_to_another(tree, best, node, least);
    return is_clear ? best : NULL;
}

/* Where a text belongs. */
struct placement {
    bool is_dropped;      /* it is not listed */
    struct sq_node *node; /* in which it is, without a label; NULL: none */
    bool is_named;        /* it becomes the label of that node */
};

static bool
place_text(const struct sq_tree *tree, struct sq_size screen,
           const struct sq_seen *seen, struct sq_arena *arena,
           struct placement *out, struct sq_err *err) {
    *out =
        (struct placement){ .is_dropped = sq_tree_hides(tree, seen->bounds) };
    if (!out->is_dropped
        && !sq_tree_has_text(tree, seen->label, seen->bounds, arena,
                             &out->is_dropped, err)) {
        return false;
    }
    if (!out->is_dropped) {
        out->node = seen->kind & SQ_NODE_DOUBTFUL
                      ? NULL
                      : sq_tree_unlabelled_at(tree, screen, seen->bounds);
        out->is_dropped = is_icon(tree, screen, seen)
                       || (out->node && !is_words(out->node, seen->label));
    }
    return true;
}

/* Returns whether no other text is in the node of a text. */
static bool
is_alone(const struct placement *places, size_t count, size_t at) {
    const struct sq_node *node = places[at].node;
    bool is_alone = !(node->flags & SQ_NODE_NAMED);
    for (size_t i = 0; i < count && is_alone; i++) {
        is_alone = i == at || places[i].is_dropped || places[i].node != node;
    }
    return is_alone;
}

/* Adds a text: as the label of its node, if it is to have one. */
static bool
add_text(struct sq_tree *tree, struct sq_size screen,
         const struct sq_seen *seen, const struct placement *place,
         struct sq_err *err) {
    return place->is_named ? sq_node_set_name(tree, place->node, seen, err)
                           : sq_tree_append(tree, screen, seen, NULL, err);
}

/*
 * Adds the texts that are alone in fields, when all others are in the tree: the
 * value of a field is not its label if there is a text beside the field.
 */
static bool
add_values(struct sq_tree *tree, struct sq_size screen,
           const struct sq_seen *items, size_t count, struct placement *places,
           struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct placement *place = &places[i];
        if (place->is_named && is_field(place->node)) {
            place->is_named =
                !is_nameless(place->node) || !name_of(tree, place->node);
            ok = add_text(tree, screen, &items[i], place, err);
        }
    }
    return ok;
}

/* Adds the texts: as the label of a node if it is its only one. */
static bool
merge_texts(struct sq_tree *tree, struct sq_size screen,
            const struct sq_seen *items, size_t count, struct sq_arena *arena,
            struct sq_err *err) {
    struct placement *places =
        sq_arena_alloc(arena, count + 1, sizeof(*places), err);
    bool ok = places != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        places[i] = (struct placement){ .is_dropped = true };
        ok = !(items[i].kind & SQ_NODE_READ)
          || place_text(tree, screen, &items[i], arena, &places[i], err);
    }
    for (size_t i = 0; ok && i < count; i++) {
        if (!places[i].is_dropped) {
            places[i].is_named = places[i].node && is_alone(places, count, i);
        }
    }
    for (size_t i = 0; ok && i < count; i++) {
        if (!places[i].is_dropped
            && !(places[i].is_named && is_field(places[i].node))) {
            ok = add_text(tree, screen, &items[i], &places[i], err);
        }
    }
    return ok && add_values(tree, screen, items, count, places, err);
}

/* Returns how much of both rectangles overlaps, in percent. */
static int
overlap_percent(struct sq_dev_rect a, struct sq_dev_rect b) {
    struct sq_rect both = sq_rect_common(sq_dev_edges(a), sq_dev_edges(b));
    int64_t shared = sq_rect_is_empty(both) ? 0 : sq_rect_area(both);
    int64_t all = sq_dev_rect_area(a) + sq_dev_rect_area(b) - shared;
    return all > 0 ? (int)(shared * 100 / all) : 0;
}

/* Returns whether something listed already marks this place. */
static bool
is_taken(const struct sq_tree *tree, const struct sq_seen *seen) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        bool is_listed = is_usable(node) || has_label(node);
        bool is_same = overlap_percent(node->bounds, seen->bounds) >= SAME_AREA;
        bool is_inside =
            seen->kind & SQ_NODE_SHAPE
            && (sq_dev_rect_has_middle(seen->bounds, node->bounds)
                || sq_dev_rect_has_middle(node->bounds, seen->bounds));
        if (node != tree->root && is_listed && (is_same || is_inside)) {
            return true;
        }
    }
    return false;
}

/* Adds a picture or shape, unless its place is taken. */
static bool
merge_other(struct sq_tree *tree, struct sq_size screen,
            const struct sq_seen *seen, struct sq_err *err) {
    struct sq_node *node = seen->kind & SQ_NODE_IMAGE
                             ? sq_tree_unlabelled_at(tree, screen, seen->bounds)
                             : NULL;
    if (node) {
        return sq_node_set_name(tree, node, seen, err);
    }
    return is_taken(tree, seen)
        || sq_tree_append(tree, screen, seen, NULL, err);
}

bool
sq_tree_merge(struct sq_tree *tree, struct sq_size screen,
              const struct sq_seen *items, size_t count, struct sq_arena *arena,
              struct sq_err *err) {
    bool ok = merge_texts(tree, screen, items, count, arena, err);
    for (size_t i = 0; ok && i < count; i++) {
        ok = items[i].kind & SQ_NODE_READ
          || merge_other(tree, screen, &items[i], err);
    }
    return ok;
}

bool
sq_tree_name_nodes(struct sq_tree *tree, struct sq_err *err) {
    bool ok = true;
    for (struct sq_node *node = tree->root; ok && node;
         node = sq_node_next(node)) {
        const struct sq_node *text =
            is_nameless(node) ? name_of(tree, node) : NULL;
        if (text) {
            const struct sq_seen seen = { .kind = SQ_NODE_READ,
                                          .label = text->text };
            ok = sq_node_set_name(tree, node, &seen, err);
            node->named_by = text;
        }
    }
    return ok;
}
