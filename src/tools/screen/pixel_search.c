/* Looks in the pixels of the screen for what a selector names. */
#include "tools/screen/pixel_search.h"

#include <stdio.h>

#include "config/config.h"
#include "tools/elements/label.h"
#include "tools/elements/pixel_nodes.h"
#include "tools/reply.h"
#include "util/utf8.h"
#include "vision/match.h"

#define PART_SCORE 1     /* of every text that is a part of a line */
#define WHOLE_SCORE 1000 /* of others, to which their likeness is added */

bool
sq_look_is_enabled(const struct sq_call *call) {
    return call->reader || call->config->ui.template_matching_enabled;
}

bool
sq_look_enabled(const struct sq_call *call, struct sq_err *err) {
    return sq_look_is_enabled(call) || sq_screen_text_enabled(call, err);
}

void
sq_look_finish(struct sq_look *look) {
    sq_screen_text_finish(&look->screen);
    look->segments = (struct sq_segments){ 0 };
    look->is_captured = false;
    look->is_read = false;
}

/* Returns the text that a selector names; empty: pixels cannot answer it. */
static struct sq_span
wanted_text(const struct sq_selector *selector) {
    if (selector->resource_id.given || selector->class_name.given
        || selector->content_desc.given) {
        return (struct sq_span){ NULL, 0 };
    }
    return sq_selector_text(selector);
}

/* Returns the text that was found at a place before; NULL: none. */
static struct sq_node *
known_text(const struct sq_tree *tree, const struct sq_seen *seen) {
    for (struct sq_node *node = tree->root; node; node = sq_node_next(node)) {
        if (node->flags & SQ_NODE_READ
            && sq_dev_rect_equal(node->bounds, seen->bounds)) {
            return node;
        }
    }
    return NULL;
}

/*
 * Returns the node of a text: a clickable one without a label that contains
 * this text and no other, or one of its own.
 */
static bool
make_text_node(struct sq_look *look, const struct sq_seen *seen,
               struct sq_node **out, struct sq_err *err) {
    struct sq_size size = look->screen.screen.size;
    struct sq_node *node =
        sq_tree_unlabelled_at(look->tree, size, seen->bounds);
    /* A single letter may be an icon. */
    const struct sq_segment *only =
        node && sq_count_letters(seen->label) > 1
            ? sq_only_text_in(&look->segments, node->bounds)
            : NULL;
    *out = known_text(look->tree, seen);
    if (*out || !only) {
        return *out || sq_tree_append(look->tree, size, seen, out, err);
    }
    struct sq_part_text text;
    const struct sq_seen label = {
        SQ_NODE_READ, sq_part_write(&look->screen.text, &only->part, &text),
        only->bounds
    };
    *out = node;
    return node->flags & SQ_NODE_NAMED
        || sq_node_set_name(look->tree, node, &label, err);
}

/* Returns the node of a picture: one without a label there, or a new one. */
static bool
make_image_node(struct sq_look *look, const struct sq_seen *seen,
                struct sq_node **out, struct sq_err *err) {
    struct sq_size size = look->screen.screen.size;
    *out = sq_tree_unlabelled_at(look->tree, size, seen->bounds);
    return *out ? sq_node_set_name(look->tree, *out, seen, err)
                : sq_tree_append(look->tree, size, seen, out, err);
}

/* Adds a node to the selection, unless it is there already. */
static bool
select_node(struct sq_look *look, const struct sq_match *match,
            struct sq_selection *out, struct sq_err *err) {
    for (size_t i = 0; i < out->count; i++) {
        if (out->matches[i].node == match->node) {
            return true;
        }
    }
    struct sq_match *added = &out->matches[out->count++];
    *added = *match;
    return sq_node_label(match->node, look->call->arena, &added->label, err);
}

static bool
start_selection(struct sq_call *call, struct sq_selection *out,
                struct sq_err *err) {
    *out = (struct sq_selection){ 0 };
    out->matches = sq_arena_alloc(call->arena, SQ_MAX_MATCHES + SQ_MAX_HITS,
                                  sizeof(*out->matches), err);
    return out->matches != NULL;
}

static struct sq_part
part_of(const struct sq_text_match *match) {
    return (struct sq_part){ match->line, match->first, match->last_line,
                             match->last };
}

/* Describes the nearest text, for a reply that found none. */
static bool
explain_miss(struct sq_look *look, const struct sq_text_matches *matches,
             struct sq_err *err) {
    char text[160];
    const struct sq_text_match *nearest = &matches->nearest;
    struct sq_part_text read;
    struct sq_span words = { 0 };
    if (nearest->score > 0) {
        const struct sq_part part = part_of(nearest);
        words = sq_part_write(&look->screen.text, &part, &read);
    }
    if (!sq_reply_hide(look->call, &words, err)) {
        return false;
    }
    words = sq_utf8_shorten(words, 80);
    snprintf(text, sizeof(text), "no such text; nearest: '%.*s' %.2f",
             SQ_SPAN_ARGS(words), nearest->score);
    look->has_nearest = nearest->score > 0;
    look->why = look->has_nearest
                  ? sq_arena_strdup(look->call->arena, sq_span_of(text), err)
                  : "no such text";
    return look->why != NULL;
}

/* One search for a text. Its first member is the context of the plan. */
struct text_search {
    struct sq_text_search search;
    bool wants_whole; /* a part of a line does not end the search */
};

/* Returns whether the text has enough matches without any difference. */
static bool
has_enough(const void *context, const struct sq_text *text) {
    const struct text_search *whole = context;
    const struct sq_text_search *search = &whole->search;
    struct sq_text_matches matches;
    struct sq_part_text line;
    struct sq_err ignored = { 0 };
    int count = 0;
    if (!sq_match_find_only(text, &search->phrase, &matches, &ignored)) {
        return false;
    }
    for (int i = 0; i < matches.count && count < search->enough; i++) {
        const struct sq_text_match *match = &matches.items[i];
        count += match->score >= 1.0
              && (!whole->wants_whole
                  || sq_match_is_whole(text, match, search->text, &line));
    }
    return count >= search->enough;
}

/* Reads the lines that may contain the text. */
static bool
read_for(struct sq_look *look, const struct text_search *search,
         struct sq_err *err) {
    struct sq_read_plan plan = sq_text_search_plan(&search->search);
    plan.is_enough = search->search.enough ? has_enough : NULL;
    plan.context = search;
    look->is_partial = false;
    if (look->is_read) {
        return true;
    }
    if (!sq_look_capture(look, err) || !sq_look_read(look, &plan, err)) {
        return false;
    }
    const struct sq_text *text = &look->screen.text;
    for (int i = 0; i < text->count; i++) {
        look->is_partial = look->is_partial
                        || (!text->lines[i].is_read
                            && plan.wants(&search->search, text->lines[i].box));
    }
    return true;
}

/* Areas of the capture whose text is read. */
struct areas {
    struct sq_rect items[3 * SQ_MAX_MATCHES];
    int count;
};

static bool
is_in_area(const void *context, struct sq_rect box) {
    const struct areas *areas = context;
    for (int i = 0; i < areas->count; i++) {
        if (!sq_rect_is_empty(sq_rect_common(areas->items[i], box))) {
            return true;
        }
    }
    return false;
}

/*
 * Reads what is beside the matches and in the same element, unless all text was
 * read. The lines and their numbers stay the same.
 */
static bool
read_beside(struct sq_look *look, const struct sq_text_matches *matches,
            struct sq_err *err) {
    struct areas areas = { .count = 0 };
    for (int i = 0; i < matches->count; i++) {
        const struct sq_rect box = matches->items[i].box;
        areas.items[areas.count++] =
            (struct sq_rect){ 0, box.top, look->screen.image.width,
                              box.bottom };
        if (!sq_rect_is_empty(matches->items[i].next_box)) {
            areas.items[areas.count++] = matches->items[i].next_box;
        }
        const struct sq_node *node =
            sq_tree_unlabelled_at(look->tree, look->screen.screen.size,
                                  sq_screen_text_bounds(&look->screen, box));
        if (node
            && sq_screen_text_area(&look->screen, node->bounds,
                                   &areas.items[areas.count])) {
            areas.count++;
        }
    }
    struct sq_read_plan plan = { .wants = is_in_area, .context = &areas };
    return look->is_read || matches->count == 0
        || sq_look_read(look, &plan, err);
}

/* Returns whether the words of a match were read again. */
static bool
is_readable(const struct sq_text *text, const struct sq_text_match *match) {
    return match->first < text->lines[match->line].words.count
        && match->last < text->lines[match->last_line].words.count;
}

/*
 * Returns whether a match is only a part of its words. If no lists are kept,
 * the words are the element, because a part of one is not found again.
 */
static bool
is_in_word(const struct sq_look *look, const struct sq_text_match *match,
           struct sq_rect words) {
    return sq_session_keeps_lists(look->call->session)
        && (match->box.left != words.left || match->box.right != words.right);
}

/* Adds the matches that are whole lines, or the others. */
static bool
select_matches(struct sq_look *look, const struct sq_text_matches *matches,
               struct sq_span wanted, bool is_whole, struct sq_selection *out,
               struct sq_err *err) {
    const struct sq_text *text = &look->screen.text;
    bool ok = true;
    for (int i = 0; ok && i < matches->count; i++) {
        const struct sq_text_match *match = &matches->items[i];
        struct sq_part_text line;
        struct sq_part_text words;
        struct sq_node *node;
        if (!is_readable(text, match)
            || sq_match_is_whole(text, match, wanted, &line) != is_whole) {
            continue;
        }
        const struct sq_part part = part_of(match);
        const struct sq_rect box = sq_part_box(text, &part);
        bool in_word = !is_whole && is_in_word(look, match, box);
        const struct sq_seen seen = {
            SQ_NODE_READ,
            sq_part_write(text, &part, &words),
            sq_screen_text_bounds(&look->screen, in_word ? match->box : box),
        };
        if (sq_tree_hides(look->tree, seen.bounds)) {
            continue;
        }
        int likeness = (int)(match->score * 1000);
        struct sq_match added = {
            .score = is_whole ? WHOLE_SCORE + likeness : PART_SCORE,
            .likeness = likeness,
            .is_part = !is_whole,
        };
        ok = make_text_node(look, &seen, &node, err);
        if (ok && !is_whole && node->flags & SQ_NODE_READ) {
            node->flags |= in_word ? SQ_NODE_IN_WORD : 0;
            added.line = (struct sq_span){ line.bytes, line.len };
            ok = sq_arena_keep(look->call->arena, &added.line, err);
        }
        added.node = node;
        ok = ok && select_node(look, &added, out, err);
    }
    return ok;
}

/* Returns whether a node is a number that was read with little confidence. */
static bool
is_doubtful_number(const struct sq_node *node) {
    return node->flags & SQ_NODE_DOUBTFUL && sq_count_digits(node->text) > 0;
}

/* Selects in the tree that has all text; numbers must have been read surely. */
static bool
select_read(struct sq_look *look, const struct sq_selector *selector,
            struct sq_selection *out, struct sq_err *err) {
    size_t kept = 0;
    bool ok = sq_select(look->tree, selector, look->call->arena, out, err);
    for (size_t i = 0; ok && i < out->count; i++) {
        if (!is_doubtful_number(out->matches[i].node)) {
            out->matches[kept++] = out->matches[i];
        }
    }
    out->count = kept;
    return ok;
}

/* Merges all text into the tree and selects there, for an anchor in it. */
static bool
select_nearest(struct sq_look *look, const struct sq_selector *selector,
               struct sq_selection *out, struct sq_err *err) {
    look->why = "no such text";
    return sq_look_merge(look, SQ_NODE_READ, err)
        && select_read(look, selector, out, err);
}

/* Finds a text that was prepared for a search. */
static bool
select_found(struct sq_look *look, const struct text_search *search,
             struct sq_selection *out, struct sq_err *err) {
    struct sq_text_matches matches;
    struct sq_span wanted = search->search.text;
    return (!look->names_fields || sq_look_merge(look, SQ_NODE_READ, err))
        && read_for(look, search, err)
        && sq_match_find(&look->screen.text, &search->search.phrase, &matches,
                         err)
        && (matches.count > 0 || explain_miss(look, &matches, err))
        && read_beside(look, &matches, err)
        && start_selection(look->call, out, err)
        && select_matches(look, &matches, wanted, true, out, err)
        && select_matches(look, &matches, wanted, false, out, err)
        && sq_look_set_rows(look, err);
}

/* Returns why the pixels cannot answer a selector; NULL: they can. */
static const char *
why_not(const struct sq_look *look, struct sq_span wanted) {
    return !look->call->reader ? "ui.ocrEnabled is off"
         : !wanted.len         ? "only text can be read in pixels"
         : wanted.len > SQ_MAX_PHRASE_BYTES
             ? "the text is longer than 256 bytes"
             : NULL;
}

bool
sq_look_select_text(struct sq_look *look, const struct sq_selector *selector,
                    int enough, struct sq_selection *out, struct sq_err *err) {
    struct text_search search = { .wants_whole = selector->text.given };
    struct sq_span wanted = wanted_text(selector);
    struct sq_err local_err = { 0 };
    *out = (struct sq_selection){ 0 };
    look->is_partial = false;
    if (look->call->reader && selector->nearest_to.given) {
        return select_nearest(look, selector, out, err);
    }
    look->why = why_not(look, wanted);
    if (look->why) {
        return true;
    }
    if (!sq_text_search_init(&search.search, wanted, enough, look->call->arena,
                             &local_err)) {
        look->why = "it has no letters or digits";
        return local_err.code == SQ_ERR_ARGUMENT
            || sq_fail_with(err, &local_err);
    }
    /* What find lists, tap and wait find as well: no similar text. */
    search.search.phrase.is_strict = true;
    search.search.phrase.may_split_word = !selector->text.given;
    return select_found(look, &search, out, err);
}

/* Returns whether a match is a line that equals the text of the selector. */
static bool
is_whole_text(const struct sq_match *match,
              const struct sq_selector *selector) {
    /* Without a likeness it was selected in the tree, for nearestTo. */
    bool is_equal = match->likeness
                      ? match->likeness >= SQ_LIKENESS_EQUAL
                      : sq_text_equal(sq_span_trim(match->label),
                                      wanted_text(selector), true);
    return is_equal && !match->is_part;
}

bool
sq_look_prefers_shapes(const struct sq_selector *selector,
                       const struct sq_selection *text) {
    return sq_selector_names_shape(selector)
        && (text->count == 0 || !is_whole_text(&text->matches[0], selector));
}

/* Drops all matches but the shapes, if there are any. */
static void
keep_shapes(struct sq_selection *selection) {
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->matches[i].node->flags & SQ_NODE_SHAPE) {
            selection->matches[kept++] = selection->matches[i];
        }
    }
    selection->count = kept ? kept : selection->count;
}

bool
sq_look_select_merged(struct sq_look *look, const struct sq_selector *selector,
                      unsigned kinds, struct sq_selection *out,
                      struct sq_err *err) {
    bool ok = sq_look_merge(look, kinds, err)
           && select_read(look, selector, out, err);
    if (ok && sq_selector_names_shape(selector)) {
        keep_shapes(out);
    }
    return ok;
}

bool
sq_look_may_select(const struct sq_call *call,
                   const struct sq_selector *selector) {
    return call->reader
        || (sq_look_is_enabled(call) && sq_selector_names_shape(selector));
}

bool
sq_look_select(struct sq_look *look, const struct sq_selector *selector,
               int enough, struct sq_selection *out, struct sq_err *err) {
    struct sq_selection shapes = { 0 };
    if (!sq_look_select_text(look, selector, enough, out, err)) {
        return false;
    }
    if (!sq_look_prefers_shapes(selector, out)) {
        return true;
    }
    bool ok =
        sq_look_select_merged(look, selector, SQ_NODE_SHAPE, &shapes, err);
    if (ok && shapes.count > 0
        && shapes.matches[0].node->flags & SQ_NODE_SHAPE) {
        *out = shapes;
    }
    return ok;
}

bool
sq_look_select_image(struct sq_look *look, const struct sq_selector *selector,
                     struct sq_selection *out, struct sq_err *err) {
    struct sq_span name = wanted_text(selector);
    struct sq_image_hits hits = { .count = 0 };
    struct sq_err local_err = { 0 };
    *out = (struct sq_selection){ 0 };
    look->why = NULL;
    if (!look->call->config->ui.template_matching_enabled) {
        look->why = "ui.templateMatchingEnabled is off";
        return true;
    }
    if (!name.len) {
        look->why = "only a name can be remembered";
        return true;
    }
    if (!sq_look_capture(look, err)) {
        return false;
    }
    if (!sq_look_find_image(look, &name, &hits, &local_err)) {
        look->why = "no picture of that name is remembered";
        return local_err.code == SQ_ERR_NOT_FOUND
            || sq_fail_with(err, &local_err);
    }
    look->why =
        hits.count ? NULL : "the remembered picture is not on the screen";
    bool ok = start_selection(look->call, out, err);
    for (int i = 0; ok && i < hits.count; i++) {
        const struct sq_seen seen = { SQ_NODE_IMAGE, name,
                                      sq_screen_text_bounds(
                                          &look->screen, hits.items[i].box) };
        struct sq_node *node;
        ok = make_image_node(look, &seen, &node, err);
        int score = (int)(hits.items[i].score * 1000);
        enum sq_image_hit_tier tier = hits.items[i].tier;
        const struct sq_match match = {
            .node = ok ? node : NULL,
            .score = score,
            .likeness = tier ? score : 0,
            .how = tier ? sq_image_hit_tier_name(tier) : NULL,
        };
        ok = ok && select_node(look, &match, out, err);
    }
    return ok;
}
