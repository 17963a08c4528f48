/* Finds the elements that match a selector. */
#include "tools/elements/selector.h"

#include <stdint.h>
#include <string.h>

#include "tools/elements/label.h"

const struct sq_arg sq_selector_args[] = {
    SQ_TEXT(sq_selector, text, "text", 1024, "Whole label",
            .help = "the whole label of the element"),
    SQ_TEXT(sq_selector, text_contains, "textContains", 1024, "",
            .help = "a part of its label"),
    SQ_TEXT(sq_selector, resource_id, "resourceId", 512, "",
            .help = "a part of its resource id"),
    SQ_TEXT(sq_selector, class_name, "className", 512, "",
            .help = "a part of its class name"),
    SQ_TEXT(sq_selector, content_desc, "contentDesc", 1024, "",
            .help = "its whole description"),
    SQ_TEXT(sq_selector, nearest_to, "nearestTo", 1024, "Sort by this text",
            .help = "the nearest one to this text comes first"),
    SQ_BOOL(sq_selector, ignore_case, "ignoreCase", "",
            .help = "capitals do not matter in the selector"),
    SQ_ARGS_END,
};

/* How well one criterion matches. */
enum fit {
    FIT_NOT,
    FIT_PART,
    FIT_WHOLE,
};

#define SCORE_WHOLE 8
#define SCORE_CLICKABLE 4
#define SCORE_INTERACTIVE 2
#define SCORE_ENABLED 1

#define MAX_ANCHORS 64 /* that are compared with each other */

static enum fit
fit_whole(struct sq_span text, struct sq_span wanted, bool ignore_case) {
    return text.len > 0 && sq_text_equal(text, wanted, ignore_case) ? FIT_WHOLE
                                                                    : FIT_NOT;
}

static enum fit
fit_part(struct sq_span text, struct sq_span wanted, bool ignore_case) {
    if (fit_whole(text, wanted, ignore_case)) {
        return FIT_WHOLE;
    }
    return sq_text_contains(text, wanted, ignore_case) ? FIT_PART : FIT_NOT;
}

static enum fit
better(enum fit a, enum fit b) {
    return a > b ? a : b;
}

static enum fit
worse(enum fit a, enum fit b) {
    return a < b ? a : b;
}

/* One search through a tree. */
struct search {
    const struct sq_selector *selector;
    struct sq_arena *arena;
    struct sq_match *matches;
    size_t count;
};

/*
 * Compares a text with all labels of a node. A part of a folded label is not an
 * exact match unless it is one of the folded pieces.
 */
static enum fit
fit_label(const struct sq_node *node, struct sq_span label,
          struct sq_span wanted, bool whole, bool ignore_case) {
    enum fit (*const fit)(struct sq_span, struct sq_span, bool) =
        whole ? fit_whole : fit_part;
    enum fit best = fit(label, wanted, ignore_case);
    if (!sq_node_is_secret(node)) {
        best = better(best, fit(node->text, wanted, ignore_case));
    }
    best = better(best, fit(sq_node_desc(node), wanted, ignore_case));
    best = better(best, fit(node->hint, wanted, ignore_case));
    if (best != FIT_WHOLE && sq_node_folds(node)) {
        for (const struct sq_node *piece = sq_folded_next(node, NULL); piece;
             piece = sq_folded_next(node, piece)) {
            best = better(
                best, fit(sq_element_own_label(piece), wanted, ignore_case));
        }
    }
    return best;
}

static enum fit
fit_id(const struct sq_node *node, struct sq_span wanted, bool ignore_case) {
    return better(
        fit_part(node->resource_id, wanted, ignore_case),
        fit_whole(sq_short_id(node->resource_id), wanted, ignore_case));
}

static enum fit
fit_class(const struct sq_node *node, struct sq_span wanted, bool ignore_case) {
    return better(fit_part(node->class_name, wanted, ignore_case),
                  fit_whole(sq_node_type(node), wanted, ignore_case));
}

static enum fit
fit_node(const struct sq_selector *s, const struct sq_node *node,
         struct sq_span label) {
    bool loose = s->ignore_case.value;
    enum fit fit = FIT_WHOLE;
    if (s->text.given) {
        fit = worse(fit, fit_label(node, label, s->text.value, true, loose));
    }
    if (s->text_contains.given) {
        fit = worse(
            fit, fit_label(node, label, s->text_contains.value, false, loose));
    }
    if (s->resource_id.given) {
        fit = worse(fit, fit_id(node, s->resource_id.value, loose));
    }
    if (s->class_name.given) {
        fit = worse(fit, fit_class(node, s->class_name.value, loose));
    }
    if (s->content_desc.given) {
        fit = worse(
            fit, fit_whole(sq_node_desc(node), s->content_desc.value, loose));
    }
    return fit;
}

static bool
has_criterion(const struct sq_selector *s) {
    return s->text.given || s->text_contains.given || s->resource_id.given
        || s->class_name.given || s->content_desc.given;
}

static int
score_of(const struct sq_node *node, enum fit fit) {
    int score = fit == FIT_WHOLE ? SCORE_WHOLE : 0;
    if (node->flags & SQ_NODE_CLICKABLE) {
        score += SCORE_CLICKABLE;
    } else if (sq_node_is_interactive(node)) {
        score += SCORE_INTERACTIVE;
    }
    return score + (node->flags & SQ_NODE_ENABLED ? SCORE_ENABLED : 0);
}

/* Returns whether the node is a match; these are in document order. */
static bool
is_match(const struct search *search, const struct sq_node *node) {
    size_t from = 0;
    size_t to = search->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (search->matches[middle].node->index < node->index) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < search->count && search->matches[from].node == node;
}

/* Returns whether a matching ancestor has taken over the label of this node. */
static bool
is_folded_away(const struct search *search, const struct sq_node *node) {
    const struct sq_node *around = sq_folded_into(node);
    return around && is_match(search, around);
}

static bool
check_node(struct search *search, const struct sq_node *node,
           struct sq_err *err) {
    const struct sq_selector *s = search->selector;
    struct sq_span label;
    if (!sq_node_has_area(node)) {
        return true;
    }
    if (!sq_node_label(node, search->arena, &label, err)) {
        return false;
    }
    enum fit fit = FIT_PART;
    if (has_criterion(s)) {
        fit = fit_node(s, node, label);
    } else if (!sq_node_is_interactive(node)) {
        fit = FIT_NOT;
    }
    if (fit != FIT_NOT && !is_folded_away(search, node)) {
        search->matches[search->count++] = (struct sq_match){
            .node = node,
            .label = label,
            .score = score_of(node, fit),
        };
    }
    return true;
}

static bool
search_tree(const struct sq_tree *tree, const struct sq_selector *selector,
            struct sq_arena *arena, struct search *out, struct sq_err *err) {
    struct search search = { .selector = selector, .arena = arena };
    search.matches = sq_arena_alloc(arena, (size_t)tree->count + 1,
                                    sizeof(*search.matches), err);
    if (!search.matches) {
        return false;
    }
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (!check_node(&search, node, err)) {
            return false;
        }
    }
    *out = search;
    return true;
}

/* Returns the gap between two ranges; 0 if they touch or overlap. */
static int64_t
gap(int a_from, int a_to, int b_from, int b_to) {
    if (a_to <= b_from) {
        return (int64_t)b_from - a_to;
    }
    return b_to <= a_from ? (int64_t)a_from - b_to : 0;
}

/*
 * Returns the distance between edges first, so that a wide field next to its
 * label is near; the distance between centres decides between equals.
 */
static int64_t
distance(struct sq_dev_rect a, struct sq_dev_rect b) {
    int64_t dx = gap(a.left, a.right, b.left, b.right);
    int64_t dy = gap(a.top, a.bottom, b.top, b.bottom);
    struct sq_dev_pt p = sq_dev_rect_middle(a);
    struct sq_dev_pt q = sq_dev_rect_middle(b);
    int64_t mx = (int64_t)p.x - q.x;
    int64_t my = (int64_t)p.y - q.y;
    return (dx * dx + dy * dy) * 16 + (mx * mx + my * my) / 16;
}

static bool
comes_before(const struct sq_match *a, const struct sq_match *b) {
    return a->distance != b->distance ? a->distance < b->distance
                                      : a->score > b->score;
}

static void
merge(struct sq_match *to, const struct sq_match *a, const struct sq_match *b,
      const struct sq_match *end) {
    const struct sq_match *middle = b;
    while (a < middle || b < end) {
        bool take_b = a == middle || (b < end && comes_before(b, a));
        *to++ = take_b ? *b++ : *a++;
    }
}

/* Sorts stably, so that equals stay in document order. */
static bool
sort_matches(struct search *search, struct sq_err *err) {
    size_t count = search->count;
    struct sq_match *from = search->matches;
    struct sq_match *to =
        sq_arena_alloc(search->arena, count + 1, sizeof(*to), err);
    if (!to) {
        return false;
    }
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t middle = at + width < count ? at + width : count;
            size_t end = middle + width < count ? middle + width : count;
            merge(to + at, from + at, from + middle, from + end);
        }
        struct sq_match *swap = from;
        from = to;
        to = swap;
    }
    search->matches = from;
    return true;
}

static bool
is_inside(const struct sq_node *node, const struct sq_node *other) {
    while (node && node != other) {
        node = node->parent;
    }
    return node != NULL;
}

/*
 * Finds the elements that nearest_to names equally well, apart from those that
 * are inside each other.
 */
static bool
find_anchors(const struct sq_tree *tree, const struct sq_selector *selector,
             struct sq_arena *arena, struct search *out, struct sq_err *err) {
    const struct sq_selector wanted = {
        .text_contains = selector->nearest_to,
        .ignore_case = selector->ignore_case,
    };
    if (!search_tree(tree, &wanted, arena, out, err)
        || !sort_matches(out, err)) {
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        const struct sq_match *match = &out->matches[i];
        if (match->score != out->matches[0].score) {
            break;
        }
        const struct sq_match *before = kept ? &out->matches[kept - 1] : match;
        /* Document order: what is inside another one follows it. */
        if (kept == 0 || !is_inside(match->node, before->node)) {
            out->matches[kept++] = *match;
        }
    }
    out->count = kept;
    return true;
}

/*
 * Computes the distances from the anchor. The anchor itself counts if the
 * selector names its text; a selector with only nearest_to does not match it.
 */
static void
measure(struct search *search, const struct sq_node *anchor) {
    bool may_be_anchor = has_criterion(search->selector);
    size_t kept = 0;
    for (size_t i = 0; i < search->count; i++) {
        struct sq_match match = search->matches[i];
        if (may_be_anchor || match.node != anchor) {
            match.distance = distance(match.node->bounds, anchor->bounds);
            search->matches[kept++] = match;
        }
    }
    search->count = kept;
}

/* Returns the match that is nearest to an element; NULL: there is none. */
static const struct sq_node *
nearest_to(const struct search *search, const struct sq_node *anchor) {
    bool may_be_anchor = has_criterion(search->selector);
    const struct sq_node *nearest = NULL;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < search->count; i++) {
        const struct sq_node *node = search->matches[i].node;
        int64_t away = distance(node->bounds, anchor->bounds);
        if (away < least && (may_be_anchor || node != anchor)) {
            nearest = node;
            least = away;
        }
    }
    return nearest;
}

/* Returns whether the choice of the anchor decides which match is nearest. */
static bool
is_anchor_decisive(const struct search *search, const struct search *anchors) {
    const struct sq_node *nearest = NULL;
    bool is_decisive = false;
    for (size_t i = 0; i < anchors->count && i < MAX_ANCHORS; i++) {
        const struct sq_node *other =
            nearest_to(search, anchors->matches[i].node);
        nearest = i == 0 ? other : nearest;
        is_decisive = is_decisive || other != nearest;
    }
    return is_decisive;
}

static bool
fail_empty(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT,
            SQ_SAY("selector is empty",
                   "--selector.ignore-case is given, but not which element"));
    return sq_fail_hint(err,
                        SQ_SAY("Give at least one of text, textContains, "
                               "resourceId, className, contentDesc, nearestTo.",
                               "Name the element, for example with "
                               "--selector.text and its label."));
}

/* Every label contains a text of spaces. */
static bool
is_blank(const struct sq_opt_text *text) {
    return text->given && sq_span_trim(text->value).len == 0;
}

bool
sq_selector_check(const struct sq_selector *selector, struct sq_err *err) {
    if (is_blank(&selector->text) || is_blank(&selector->text_contains)) {
        return sq_fail_argument(err, "there is no text to find",
                                "Give a text, or leave it out.");
    }
    return !selector->given || has_criterion(selector)
        || selector->nearest_to.given || fail_empty(err);
}

struct sq_span
sq_selector_text(const struct sq_selector *selector) {
    return selector->text.given ? selector->text.value
                                : selector->text_contains.value;
}

struct sq_selector
sq_selector_until(const struct sq_selector *until) {
    struct sq_selector part = *until;
    if (part.text.given) {
        part.text_contains = part.text;
        part.text = (struct sq_opt_text){ 0 };
    }
    return part;
}

bool
sq_select(const struct sq_tree *tree, const struct sq_selector *selector,
          struct sq_arena *arena, struct sq_selection *out,
          struct sq_err *err) {
    if (!has_criterion(selector) && !selector->nearest_to.given) {
        return fail_empty(err);
    }
    struct search anchors = { .count = 0 };
    struct search search;
    if ((selector->nearest_to.given
         && !find_anchors(tree, selector, arena, &anchors, err))
        || !search_tree(tree, selector, arena, &search, err)) {
        return false;
    }
    struct sq_selection selection = { 0 };
    if (is_anchor_decisive(&search, &anchors)) {
        selection.anchors = anchors.matches;
        selection.anchor_count = anchors.count;
    }
    if (anchors.count) {
        selection.anchor = anchors.matches[0].node;
        measure(&search, selection.anchor);
    }
    if (!sort_matches(&search, err)) {
        return false;
    }
    selection.matches = search.matches;
    selection.count = search.count;
    *out = selection;
    return true;
}

bool
sq_selection_is_clear(const struct sq_selection *selection) {
    const struct sq_match *matches = selection->matches;
    return selection->count == 1
        || (selection->count > 1 && comes_before(&matches[0], &matches[1]));
}

bool
sq_selection_prefer(struct sq_selection *selection, unsigned flags) {
    size_t found = 0;
    size_t at = 0;
    if (selection->count > 1 && selection->matches[0].is_part) {
        return false;
    }
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->matches[i].node->flags & flags) {
            at = i;
            found++;
        }
    }
    if (found == 1) {
        struct sq_match one = selection->matches[at];
        selection->matches[at] = selection->matches[0];
        selection->matches[0] = one;
    }
    return found == 1;
}

/* Returns the node with a flag of `prefer` that a text names; NULL: none. */
static const struct sq_node *
named_by(const struct sq_tree *tree, const struct sq_node *text,
         unsigned prefer) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (node->flags & prefer && node->named_by
            && sq_dev_rect_has_middle(node->named_by->bounds, text->bounds)) {
            return node;
        }
    }
    return NULL;
}

void
sq_selection_prefer_named(const struct sq_tree *tree, unsigned prefer,
                          struct sq_selection *out) {
    size_t wholes = 0;
    while (wholes < out->count && !out->matches[wholes].is_part) {
        wholes++;
    }
    out->count = wholes ? wholes : out->count;
    for (size_t i = 0; i < out->count; i++) {
        struct sq_match *match = &out->matches[i];
        const struct sq_node *node = named_by(tree, match->node, prefer);
        if (node) {
            match->node = node;
            match->label = node->hint;
        }
    }
}
