/* Looks in the pixels of the screen for text, pictures and shapes. */
#include "tools/screen/pixel_search.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "tool/work.h"
#include "tools/elements/label.h"
#include "tools/elements/listing.h"
#include "tools/elements/pixel_nodes.h"
#include "tools/reply.h"
#include "tools/screen/image_source.h"
#include "tools/screen/remembered.h"
#include "util/minmax.h"
#include "util/utf8.h"
#include "vision/text_search.h"
#include "vision/areas.h"
#include "vision/template.h"

/* Time limits of one look. */
#define TEXT_MS 6000
#define IMAGES_MS 3000

#define MAX_SEEN 2000
/* Words further apart than this many heights are separate entries. */
#define WORD_GAP 1.3
/* Least mean confidence of an entry, and of one with one or two letters. */
#define MIN_CONFIDENCE 50
#define SHORT_CONFIDENCE 75
#define SURE_SHORT 90   /* below, one or two letters may be an icon */
#define NEAR_PERCENT 40 /* overlap of an entry with its earlier place */

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
    look->is_captured = false;
    look->is_read = false;
}

static bool
capture(struct sq_look *look, struct sq_err *err) {
    static const struct sq_opt_region whole = { .given = false };
    if (!look->is_captured) {
        look->is_captured =
            sq_screen_text_capture(look->call, &whole, &look->screen, err);
        sq_work_end(look->call->work);
    }
    return look->is_captured;
}

/* Reads text within its time limit; replaces what was read before. */
static bool
read_text(struct sq_look *look, struct sq_read_plan *plan, struct sq_err *err) {
    const struct sq_deadline whole = look->call->deadline;
    if (!sq_work_begin(look->call->work, true, &look->call->deadline, err)) {
        return false;
    }
    sq_text_finish(&look->screen.text);
    look->call->deadline = sq_deadline_within(&whole, TEXT_MS);
    bool ok = sq_screen_text_read(look->call, plan, &look->screen, err);
    look->call->deadline = whole;
    sq_work_end(look->call->work);
    return ok;
}

static bool
read_all(struct sq_look *look, struct sq_err *err) {
    struct sq_read_plan plan = { 0 };
    look->is_read = look->is_read || read_text(look, &plan, err);
    return look->is_read;
}

/* Joins words from..to of a line with spaces. */
static bool
join_words(const struct sq_words_of_line *words, int from, int to,
           struct sq_arena *arena, struct sq_span *out, struct sq_err *err) {
    char text[SQ_MAX_LABEL_BYTES];
    size_t used = 0;
    text[0] = '\0';
    for (int i = from; i <= to; i++) {
        struct sq_span word = words->items[i].text;
        if (used + word.len + 2 < sizeof(text)) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.*s",
                                     used ? " " : "", SQ_SPAN_ARGS(word));
        }
    }
    *out = (struct sq_span){ text, used };
    return sq_arena_keep(arena, out, err);
}

/* Things found in the pixels; the array is in the call's arena. */
struct findings {
    struct sq_seen *items;
    size_t count;
    bool keeps_all; /* also words that may be an icon */
};

/* Returns SQ_NODE_READ, with SQ_SEEN_UNSURE if it may be an icon; 0: no text.
 */
static unsigned
kind_of(const struct sq_words_of_line *words, int from, int to,
        struct sq_span label) {
    int sum = 0;
    for (int i = from; i <= to; i++) {
        sum += words->items[i].confidence;
    }
    int sure = sum / (to - from + 1);
    int letters = sq_count_letters(label);
    bool is_short = letters < 3;
    bool is_unsure =
        is_short && sure < SURE_SHORT && words->count == to - from + 1;
    return letters == 0 || sure < (is_short ? SHORT_CONFIDENCE : MIN_CONFIDENCE)
             ? 0
             : SQ_NODE_READ | (is_unsure ? SQ_SEEN_UNSURE : 0);
}

/* Adds words from..to of a line as one entry, unless they are no text. */
static bool
add_words(const struct sq_look *look, const struct sq_words_of_line *words,
          int from, int to, struct findings *out, struct sq_err *err) {
    struct sq_rect box = words->items[from].box;
    struct sq_span label;
    for (int i = from + 1; i <= to; i++) {
        box = sq_rect_join(box, words->items[i].box);
    }
    if (!join_words(words, from, to, look->call->arena, &label, err)) {
        return false;
    }
    unsigned kind =
        out->keeps_all ? SQ_NODE_READ : kind_of(words, from, to, label);
    if (kind && out->count < MAX_SEEN) {
        out->items[out->count++] =
            (struct sq_seen){ kind, label,
                              sq_screen_text_bounds(&look->screen, box) };
    }
    return true;
}

/* Adds the entries of a line: its words, divided where the gaps are wide. */
static bool
add_line(const struct sq_look *look, const struct sq_text_line *line,
         struct findings *out, struct sq_err *err) {
    const struct sq_words_of_line *words = &line->words;
    double wide = (line->box.bottom - line->box.top) * WORD_GAP;
    int from = 0;
    for (int i = 0; i < words->count; i++) {
        bool is_last = i + 1 == words->count;
        if (is_last
            || words->items[i + 1].box.left - words->items[i].box.right
                   > wide) {
            if (!add_words(look, words, from, i, out, err)) {
                return false;
            }
            from = i + 1;
        }
    }
    return true;
}

static bool
find_texts(struct sq_look *look, struct findings *out, struct sq_err *err) {
    bool ok = read_all(look, err);
    for (int i = 0; ok && i < look->screen.text.count; i++) {
        ok = add_line(look, &look->screen.text.lines[i], out, err);
    }
    return ok;
}

/* Finds a remembered picture on the screen; *name becomes its own. */
static bool
find_image(struct sq_look *look, struct sq_span *name,
           struct sq_image_hits *hits, struct sq_err *err) {
    struct sq_image_source source = { 0 };
    const struct sq_image_request request = { .name = { true, *name } };
    const struct sq_deadline limit =
        sq_deadline_within(&look->call->deadline, IMAGES_MS);
    bool ok = sq_image_source_open(look->call, &request, &source, err)
           && sq_work_begin(look->call->work, true, &look->call->deadline, err);
    if (ok) {
        const struct sq_template_plan plan = {
            .area = { 0, 0, look->screen.image.width,
                      look->screen.image.height },
            .has_alpha = source.has_alpha,
            .any_colours = true,
        };
        ok = sq_template_find(&look->screen.image, &source.image, &plan, &limit,
                              hits, err);
        sq_work_end(look->call->work);
        *name = source.name;
    }
    sq_image_source_finish(&source);
    return ok;
}

static void
add_hits(const struct sq_look *look, const struct sq_image_hits *hits,
         struct sq_span name, struct findings *out) {
    for (int i = 0; i < hits->count && out->count < MAX_SEEN; i++) {
        out->items[out->count++] =
            (struct sq_seen){ SQ_NODE_IMAGE, name,
                              sq_screen_text_bounds(&look->screen,
                                                    hits->items[i].box) };
    }
}

/* Finds the remembered pictures of the app in front, within a time limit. */
static bool
find_images(struct sq_look *look, struct findings *out, struct sq_err *err) {
    struct sq_remembered *items;
    size_t count;
    const struct sq_deadline limit =
        sq_deadline_within(&look->call->deadline, IMAGES_MS);
    if (!sq_remembered_list(look->call->arena, &items, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count && sq_deadline_left_ms(&limit) > 0; i++) {
        struct sq_image_hits hits;
        struct sq_err local_err = { 0 };
        if (items[i].app.len && look->screen.screen.app[0]
            && !sq_span_is(items[i].app, look->screen.screen.app)) {
            continue;
        }
        if (find_image(look, &items[i].name, &hits, &local_err)) {
            add_hits(look, &hits, items[i].name, out);
        } else if (sq_is_fatal(local_err.code)) {
            return sq_fail_with(err, &local_err);
        }
    }
    return true;
}

static bool
find_shapes(const struct sq_look *look, struct findings *out,
            struct sq_err *err) {
    struct sq_areas areas;
    if (!sq_areas_find(&look->screen.image, &areas, err)) {
        return false;
    }
    for (int i = 0; i < areas.count && out->count < MAX_SEEN; i++) {
        const struct sq_area *area = &areas.items[i];
        char text[40];
        snprintf(text, sizeof(text), "%s #%02x%02x%02x",
                 area->is_round ? SQ_SHAPE_DISC : SQ_SHAPE_BOX, area->rgb[0],
                 area->rgb[1], area->rgb[2]);
        struct sq_span label = sq_span_of(text);
        if (!sq_arena_keep(look->call->arena, &label, err)) {
            return false;
        }
        out->items[out->count++] =
            (struct sq_seen){ SQ_NODE_SHAPE, label,
                              sq_screen_text_bounds(&look->screen, area->box) };
    }
    return true;
}

static bool
find_all(struct sq_look *look, unsigned kinds, struct findings *out,
         struct sq_err *err) {
    out->items =
        sq_arena_alloc(look->call->arena, MAX_SEEN, sizeof(*out->items), err);
    return out->items && capture(look, err)
        && (!(kinds & SQ_NODE_READ) || !look->call->reader
            || find_texts(look, out, err))
        && (!(kinds & SQ_NODE_IMAGE)
            || !look->call->config->ui.template_matching_enabled
            || find_images(look, out, err))
        && (!(kinds & SQ_NODE_SHAPE) || find_shapes(look, out, err));
}

bool
sq_look_merge(struct sq_look *look, unsigned kinds, struct sq_err *err) {
    struct findings found = { 0 };
    return find_all(look, kinds, &found, err)
        && sq_tree_merge(look->tree, look->screen.screen.size, found.items,
                         found.count, look->call->arena, err)
        && sq_tree_name_nodes(look->tree, err);
}

bool
sq_look_try_merge(struct sq_look *look, struct sq_err *problem,
                  struct sq_err *err) {
    return sq_look_merge(look, SQ_NODE_SEEN, problem)
        || !sq_is_fatal(problem->code) || sq_fail_with(err, problem);
}

/* Returns the text that a selector names; empty: pixels cannot answer it. */
static struct sq_span
wanted_text(const struct sq_selector *selector) {
    if (selector->resource_id.given || selector->class_name.given
        || selector->content_desc.given) {
        return (struct sq_span){ NULL, 0 };
    }
    return selector->text.given ? selector->text.value
                                : selector->text_contains.value;
}

/* Returns the node of a place: one without a label there, or a new one. */
static bool
make_node(struct sq_look *look, const struct sq_seen *seen,
          struct sq_node **out, struct sq_err *err) {
    struct sq_size size = look->screen.screen.size;
    struct sq_node *node =
        sq_tree_unlabelled_at(look->tree, size, seen->bounds);
    if (!node) {
        return sq_tree_append(look->tree, size, seen, out, err);
    }
    *out = node;
    return sq_node_set_name(look->tree, node, seen, err);
}

/* Adds a place to the tree and to the selection. */
static bool
select_place(struct sq_look *look, const struct sq_seen *seen, double score,
             const char *how, struct sq_selection *out, struct sq_err *err) {
    struct sq_node *node;
    struct sq_span label;
    if (!make_node(look, seen, &node, err)
        || !sq_node_label(node, look->call->arena, &label, err)) {
        return false;
    }
    out->matches[out->count++] = (struct sq_match){
        .node = node,
        .label = label,
        .score = (int)(score * 1000),
        .likeness = seen->kind & SQ_NODE_READ || how ? (int)(score * 1000) : 0,
        .how = how,
    };
    return true;
}

static bool
start_selection(struct sq_call *call, struct sq_selection *out,
                struct sq_err *err) {
    *out = (struct sq_selection){ 0 };
    out->matches = sq_arena_alloc(call->arena, SQ_MAX_MATCHES + SQ_MAX_HITS,
                                  sizeof(*out->matches), err);
    return out->matches != NULL;
}

/* Describes the nearest text, for a reply that found none. */
static bool
explain_miss(struct sq_look *look, const struct sq_text_matches *matches,
             struct sq_err *err) {
    char text[160];
    const struct sq_text_match *nearest = &matches->nearest;
    struct sq_span words = { "", 0 };
    if (nearest->score > 0
        && !join_words(&look->screen.text.lines[nearest->line].words,
                       nearest->first,
                       nearest->last_line == nearest->line ? nearest->last
                                                           : nearest->first,
                       look->call->arena, &words, err)) {
        return false;
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

static bool
select_matches(struct sq_look *look, const struct sq_text_matches *matches,
               struct sq_selection *out, struct sq_err *err) {
    const struct sq_text *text = &look->screen.text;
    bool ok = start_selection(look->call, out, err);
    for (int i = 0; ok && i < matches->count; i++) {
        const struct sq_text_match *match = &matches->items[i];
        struct sq_seen seen = { .kind = SQ_NODE_READ,
                                .bounds = sq_screen_text_bounds(&look->screen,
                                                                match->box) };
        bool is_one_line = match->last_line == match->line;
        const struct sq_words_of_line *words = &text->lines[match->line].words;
        if (sq_tree_hides(look->tree, seen.bounds)) {
            continue;
        }
        ok = join_words(words, match->first,
                        is_one_line ? match->last : words->count - 1,
                        look->call->arena, &seen.label, err)
          && select_place(look, &seen, match->score, NULL, out, err);
    }
    return ok;
}

/* Merges all text into the tree and selects there, for an anchor in it. */
static bool
select_nearest(struct sq_look *look, const struct sq_selector *selector,
               struct sq_selection *out, struct sq_err *err) {
    look->why = "no such text";
    return sq_look_merge(look, SQ_NODE_READ, err)
        && sq_select(look->tree, selector, look->call->arena, out, err);
}

bool
sq_look_select_text(struct sq_look *look, const struct sq_selector *selector,
                    int enough, struct sq_selection *out, struct sq_err *err) {
    struct sq_text_search search;
    struct sq_text_matches matches;
    struct sq_span wanted = wanted_text(selector);
    *out = (struct sq_selection){ 0 };
    look->why = NULL;
    if (!look->call->reader) {
        look->why = "ui.ocrEnabled is off";
        return true;
    }
    if (selector->nearest_to.given) {
        return select_nearest(look, selector, out, err);
    }
    if (!wanted.len || wanted.len > SQ_MAX_PHRASE_BYTES) {
        look->why = "only text can be read in pixels";
        return true;
    }
    struct sq_err local_err = { 0 };
    if (!sq_text_search_init(&search, wanted, enough, look->call->arena,
                             &local_err)) {
        look->why = "it has no letters or digits";
        return local_err.code == SQ_ERR_ARGUMENT
            || sq_fail_with(err, &local_err);
    }
    search.phrase.is_strict = look->is_strict;
    search.phrase.may_split_word = !selector->text.given;
    struct sq_read_plan plan = sq_text_search_plan(&search);
    return capture(look, err) && (look->is_read || read_text(look, &plan, err))
        && sq_match_find(&look->screen.text, &search.phrase, &matches, err)
        && (matches.count > 0 || explain_miss(look, &matches, err))
        && select_matches(look, &matches, out, err);
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
    if (!capture(look, err)) {
        return false;
    }
    if (!find_image(look, &name, &hits, &local_err)) {
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
        enum sq_image_hit_tier tier = hits.items[i].tier;
        ok = select_place(look, &seen, hits.items[i].score,
                          tier ? sq_image_hit_tier_name(tier) : NULL, out, err);
    }
    return ok;
}

/* Returns how much of the earlier place a rectangle covers, in percent. */
static int64_t
covered_percent(struct sq_dev_rect before, struct sq_dev_rect now) {
    int64_t width =
        sq_min_int(before.right, now.right) - sq_max_int(before.left, now.left);
    int64_t height =
        sq_min_int(before.bottom, now.bottom) - sq_max_int(before.top, now.top);
    int64_t whole =
        (int64_t)(before.right - before.left) * (before.bottom - before.top);
    return width > 0 && height > 0 && whole > 0 ? width * height * 100 / whole
                                                : 0;
}

/* Returns in *found whether one of the things is the entry of the list. */
static bool
pick_again(struct sq_call *call, const struct findings *things,
           struct sq_element *element, bool *found, struct sq_err *err) {
    struct sq_phrase phrase;
    bool ok = sq_phrase_init(&phrase, element->label, call->arena, err);
    phrase.may_split_word = true;
    *found = false;
    for (size_t i = 0; ok && !*found && i < things->count; i++) {
        const struct sq_seen *thing = &things->items[i];
        if (covered_percent(element->bounds, thing->bounds) < NEAR_PERCENT) {
            continue;
        }
        ok = sq_phrase_is_in(&phrase, thing->label, found, err);
        /* A part of a line keeps its own place. */
        if (*found && element->flags & (SQ_NODE_IMAGE | SQ_NODE_SHAPE)) {
            element->bounds = thing->bounds;
        }
    }
    return ok;
}

bool
sq_look_find_again(struct sq_call *call, struct sq_element *element,
                   bool *found, struct sq_err *err) {
    struct sq_look look = { .call = call };
    struct findings things = { .keeps_all = true };
    unsigned kind = element->flags & SQ_NODE_SEEN;
    bool ok;
    if (kind & SQ_NODE_IMAGE) {
        struct sq_image_hits hits;
        things.items = sq_arena_alloc(call->arena, SQ_MAX_HITS,
                                      sizeof(*things.items), err);
        ok = things.items && capture(&look, err)
          && find_image(&look, &element->label, &hits, err);
        if (ok) {
            add_hits(&look, &hits, element->label, &things);
        }
    } else {
        ok = find_all(&look, kind, &things, err);
    }
    ok = ok && pick_again(call, &things, element, found, err);
    sq_look_finish(&look);
    return ok;
}

/* Fills *out if a thing has the number. Fails only if out of memory. */
static bool
try_number(const struct sq_look *look, const struct sq_seen *seen, int number,
           struct sq_element *out, struct sq_err *err) {
    struct sq_element element = {
        .index = number,
        .label = seen->label,
        .type = sq_span_of(sq_seen_source(seen->kind)),
        .bounds = seen->bounds,
        .flags = seen->kind | SQ_NODE_ENABLED,
    };
    if (!sq_session_has_element_number(look->call->session,
                                       look->call->device->info.id, &element,
                                       number)) {
        return true;
    }
    *out = element;
    return sq_arena_keep(look->call->arena, &out->label, err);
}

/* Tries all words of a line that follow each other: a match may be any part. */
static bool
try_parts(const struct sq_look *look, const struct sq_words_of_line *words,
          int number, struct sq_element *out, struct sq_err *err) {
    bool ok = true;
    for (int from = 0; ok && from < words->count; from++) {
        struct sq_seen seen = { 0 };
        struct findings one = { .items = &seen, .keeps_all = true };
        for (int to = from; ok && out->index == 0 && to < words->count; to++) {
            one.count = 0;
            ok = add_words(look, words, from, to, &one, err)
              && try_number(look, one.items, number, out, err);
        }
    }
    return ok;
}

bool
sq_look_find_numbered(struct sq_call *call, int number, struct sq_element *out,
                      struct sq_err *err) {
    struct sq_look look = { .call = call };
    struct findings things = { .keeps_all = true };
    bool ok = find_all(&look, SQ_NODE_SEEN, &things, err);
    for (size_t i = 0; ok && out->index == 0 && i < things.count; i++) {
        ok = try_number(&look, &things.items[i], number, out, err);
    }
    const struct sq_text *text = &look.screen.text;
    for (int i = 0; ok && out->index == 0 && i < text->count; i++) {
        ok = try_parts(&look, &text->lines[i].words, number, out, err);
    }
    sq_look_finish(&look);
    return ok;
}
