/*
 * Collects what the pixels of the screen show: text, pictures and shapes, and
 * finds there again what was listed earlier.
 */
#include <stdio.h>

#include "config/config.h"
#include "tool/work.h"
#include "tools/elements/pixel_nodes.h"
#include "tools/screen/image_source.h"
#include "tools/screen/pixel_search.h"
#include "tools/screen/remembered.h"
#include "vision/lines.h"
#include "vision/match.h"

/* Time limits of one look. */
#define TEXT_MS 6000
#define IMAGES_MS 3000

#define MAX_SEEN 2000
#define NEAR_PERCENT 40 /* overlap of an element with its earlier place */

bool
sq_look_capture(struct sq_look *look, struct sq_err *err) {
    static const struct sq_opt_region whole = { .given = false };
    if (!look->is_captured) {
        look->is_captured =
            sq_screen_text_capture(look->call, &whole, &look->screen, err);
        sq_work_end(look->call->work);
    }
    return look->is_captured;
}

bool
sq_look_read(struct sq_look *look, struct sq_read_plan *plan,
             struct sq_err *err) {
    struct sq_call *call = look->call;
    const struct sq_deadline whole = call->deadline;
    struct sq_err local_err = { 0 };
    if (!sq_work_begin(call->work, true, &call->deadline, err)) {
        return false;
    }
    sq_text_finish(&look->screen.text);
    look->segments = (struct sq_segments){ 0 };
    call->deadline = sq_deadline_within(&whole, TEXT_MS);
    bool ok = sq_screen_text_read(call, plan, &look->screen, &local_err)
           && sq_segments_make(&look->screen, call->arena, &look->segments,
                               &local_err);
    call->deadline = whole;
    look->is_slow = local_err.code == SQ_ERR_TIMEOUT;
    sq_work_end(call->work);
    return ok || sq_fail_with(err, &local_err);
}

/* Reads the text of the whole screen, unless this look has done so. */
static bool
read_all(struct sq_look *look, struct sq_err *err) {
    struct sq_read_plan plan = { 0 };
    look->is_read =
        look->is_read
        || (sq_look_capture(look, err) && sq_look_read(look, &plan, err));
    return look->is_read;
}

/* Things found in the pixels; the array is in the call's arena. */
struct findings {
    struct sq_seen *items;
    size_t count;
};

/* Adds one of them; its label is copied. */
static bool
add(const struct sq_look *look, struct findings *out, unsigned kind,
    struct sq_span label, struct sq_dev_rect bounds, struct sq_err *err) {
    if (out->count == MAX_SEEN) {
        return true;
    }
    out->items[out->count++] = (struct sq_seen){ kind, label, bounds };
    return sq_arena_keep(look->call->arena, &out->items[out->count - 1].label,
                         err);
}

static bool
find_texts(struct sq_look *look, struct findings *out, struct sq_err *err) {
    bool ok = read_all(look, err);
    for (int i = 0; ok && i < look->segments.count; i++) {
        const struct sq_segment *segment = &look->segments.items[i];
        struct sq_part_text text;
        ok = !segment->kind
          || add(look, out, segment->kind,
                 sq_part_write(&look->screen.text, &segment->part, &text),
                 segment->bounds, err);
    }
    return ok;
}

bool
sq_look_find_image(struct sq_look *look, struct sq_span *name,
                   struct sq_image_hits *hits, struct sq_err *err) {
    SQ_FREED(sq_image_source_finish) struct sq_image_source source = { 0 };
    struct sq_call *call = look->call;
    struct sq_image *image = &look->screen.image;
    const struct sq_image_request request = { .name = { true, *name } };
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, IMAGES_MS);
    bool ok = sq_image_source_open(call, &request, &source, err)
           && sq_work_begin(call->work, true, &call->deadline, err);
    if (ok) {
        const struct sq_template_plan plan = {
            .area = { 0, 0, image->width, image->height },
            .has_alpha = source.has_alpha,
            .any_colours = true,
        };
        ok = sq_template_find(image, &source.image, &plan, &limit, hits, err);
        sq_work_end(call->work);
        *name = source.name;
    }
    return ok;
}

/* Finds a remembered picture, and adds its places. */
static bool
find_image(struct sq_look *look, struct sq_span name, struct findings *out,
           struct sq_err *err) {
    struct sq_image_hits hits;
    struct sq_span label = name;
    bool ok = sq_look_find_image(look, &label, &hits, err);
    for (int i = 0; ok && i < hits.count; i++) {
        ok = add(look, out, SQ_NODE_IMAGE, name,
                 sq_screen_text_bounds(&look->screen, hits.items[i].box), err);
    }
    return ok;
}

/* Finds the remembered pictures of the app in front, within a time limit. */
static bool
find_images(struct sq_look *look, struct findings *out, struct sq_err *err) {
    struct sq_remembered *items;
    size_t count;
    const char *app = look->screen.screen.app;
    const struct sq_deadline limit =
        sq_deadline_within(&look->call->deadline, IMAGES_MS);
    if (!sq_remembered_list(look->call->arena, &items, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count && sq_deadline_left_ms(&limit) > 0; i++) {
        struct sq_err local_err = { 0 };
        bool is_of_app =
            !items[i].app.len || !app[0] || sq_span_is(items[i].app, app);
        if (is_of_app && !find_image(look, items[i].name, out, &local_err)
            && sq_is_fatal(local_err.code)) {
            return sq_fail_with(err, &local_err);
        }
    }
    return true;
}

static bool
find_shapes(const struct sq_look *look, struct findings *out,
            struct sq_err *err) {
    struct sq_areas areas;
    bool ok = sq_screen_text_shapes(&look->screen, &areas, err);
    for (int i = 0; ok && i < areas.count; i++) {
        const struct sq_area *area = &areas.items[i];
        char text[40];
        snprintf(text, sizeof(text), "%s #%02x%02x%02x",
                 area->is_round ? SQ_SHAPE_DISC : SQ_SHAPE_BOX, area->rgb[0],
                 area->rgb[1], area->rgb[2]);
        ok = add(look, out, SQ_NODE_SHAPE, sq_span_of(text),
                 sq_screen_text_bounds(&look->screen, area->box), err);
    }
    return ok;
}

/* Finds what is there, as far as it is enabled: kinds as in sq_look_merge. */
static bool
find_all(struct sq_look *look, unsigned kinds, struct findings *out,
         struct sq_err *err) {
    out->items =
        sq_arena_alloc(look->call->arena, MAX_SEEN, sizeof(*out->items), err);
    return out->items && sq_look_capture(look, err)
        && (!(kinds & SQ_NODE_READ) || !look->call->reader || look->is_slow
            || find_texts(look, out, err))
        && (!(kinds & SQ_NODE_IMAGE)
            || !look->call->config->ui.template_matching_enabled
            || find_images(look, out, err))
        && (!(kinds & SQ_NODE_SHAPE) || find_shapes(look, out, err));
}

bool
sq_look_set_rows(struct sq_look *look, struct sq_err *err) {
    bool ok = true;
    for (struct sq_node *node = look->tree->root; ok && node;
         node = sq_node_next(node)) {
        struct sq_part_text text;
        if (node->flags & SQ_NODE_READ && !node->row.len) {
            node->row = sq_row_write(&look->screen.text, &look->segments,
                                     node->bounds, &text);
            ok = sq_arena_keep(&look->tree->arena, &node->row, err);
        }
    }
    return ok;
}

bool
sq_look_merge(struct sq_look *look, unsigned kinds, struct sq_err *err) {
    struct findings found = { 0 };
    return find_all(look, kinds, &found, err)
        && sq_tree_merge(look->tree, look->screen.screen.size, found.items,
                         found.count, look->call->arena, err)
        && sq_look_set_rows(look, err) && sq_tree_name_nodes(look->tree, err);
}

bool
sq_look_try_merge(struct sq_look *look, struct sq_err *problem,
                  struct sq_err *err) {
    return sq_look_merge(look, SQ_NODE_SEEN, problem)
        || !sq_is_fatal(problem->code) || sq_fail_with(err, problem);
}

/* Returns how much of the earlier place a rectangle covers, in percent. */
static int64_t
covered_percent(struct sq_dev_rect before, struct sq_dev_rect now) {
    struct sq_rect both =
        sq_rect_common(sq_dev_edges(before), sq_dev_edges(now));
    return sq_rect_is_empty(both)
             ? 0
             : sq_rect_area(both) * 100 / sq_dev_rect_area(before);
}

/* A search through the words on the screen. */
struct word_search {
    const struct sq_look *look;
    struct sq_element *element; /* to find; NULL: the one with the number */
    int number;
    struct sq_part found; /* that has the number */
};

/* Lines near the place of an element are read. */
static bool
is_near_row(const void *context, struct sq_rect box) {
    const struct sq_rect *place = context;
    int reach = 2 * sq_rect_height(*place); /* it may end below */
    return box.top < place->bottom + reach && box.bottom > place->top - reach;
}

/*
 * Returns whether the words are the element: the same text with the same text
 * beside it. Equal rows of a list differ in what is beside them, and "accept"
 * may have become "Don't accept".
 */
static bool
is_element(void *context, const struct sq_part *part) {
    const struct word_search *search = context;
    const struct sq_look *look = search->look;
    struct sq_element *element = search->element;
    const struct sq_text *text = &look->screen.text;
    struct sq_part_text now;
    if (!sq_same_text(sq_part_write(text, part, &now), element->label)) {
        return false;
    }
    struct sq_dev_rect place =
        sq_screen_text_bounds(&look->screen, sq_part_box(text, part));
    if (covered_percent(element->bounds, place) < NEAR_PERCENT
        || !sq_same_text(sq_row_write(text, &look->segments, place, &now),
                         element->row)) {
        return false;
    }
    if (element->flags & SQ_NODE_IN_WORD) {
        return true; /* at its own place */
    }
    /* A sign that was not read, such as that of -5, makes it wider. */
    int grown = (place.right - place.left)
              - (element->bounds.right - element->bounds.left);
    if (4 * (grown < 0 ? -grown : grown) > place.bottom - place.top) {
        return false;
    }
    element->bounds = place;
    return true;
}

static bool
find_text_again(struct sq_look *look, struct sq_element *element, bool *found,
                struct sq_err *err) {
    struct word_search search = { .look = look, .element = element };
    struct sq_rect place;
    if (!look->call->reader || !sq_look_capture(look, err)
        || !sq_screen_text_area(&look->screen, element->bounds, &place)) {
        return look->is_captured || !look->call->reader;
    }
    struct sq_read_plan plan = { .wants = is_near_row, .context = &place };
    if (!sq_look_read(look, &plan, err)) {
        return false;
    }
    *found = sq_parts_visit(&look->screen.text, is_element, &search);
    return true;
}

static bool
find_other_again(struct sq_look *look, struct sq_element *element, bool *found,
                 struct sq_err *err) {
    struct findings things = { 0 };
    bool is_image = element->flags & SQ_NODE_IMAGE;
    bool ok = find_all(look, is_image ? 0 : SQ_NODE_SHAPE, &things, err)
           && (!is_image || find_image(look, element->label, &things, err));
    for (size_t i = 0; ok && !*found && i < things.count; i++) {
        const struct sq_seen *thing = &things.items[i];
        *found = covered_percent(element->bounds, thing->bounds) >= NEAR_PERCENT
              && sq_span_equal(thing->label, element->label);
        if (*found) {
            element->bounds = thing->bounds;
        }
    }
    return ok;
}

bool
sq_look_find_again(struct sq_call *call, struct sq_element *element,
                   bool *found, struct sq_err *err) {
    SQ_FREED(sq_look_finish) struct sq_look look = { .call = call };
    *found = false;
    return element->flags & SQ_NODE_READ
             ? find_text_again(&look, element, found, err)
             : find_other_again(&look, element, found, err);
}

bool
sq_look_check_name(struct sq_call *call, struct sq_tree *tree,
                   const struct sq_node *node, struct sq_span label, bool *same,
                   struct sq_err *err) {
    SQ_FREED(sq_look_finish)
    struct sq_look look = { .call = call, .tree = tree };
    struct sq_span now;
    bool ok = sq_look_merge(&look, SQ_NODE_READ, err)
           && sq_node_label(node, call->arena, &now, err);
    *same = ok && sq_same_text(now, label);
    const struct sq_segment *only =
        ok && !*same ? sq_only_text_in(&look.segments, node->bounds) : NULL;
    struct sq_part_text text;
    *same = *same
         || (only
             && sq_same_text(
                 sq_part_write(&look.screen.text, &only->part, &text), label));
    return ok;
}

static struct sq_element
element_of(const struct sq_seen *seen, struct sq_span row, int number) {
    return (struct sq_element){
        .index = number,
        .label = seen->label,
        .type = sq_span_of(sq_seen_source(seen->kind)),
        .row = row,
        .bounds = seen->bounds,
        .flags = seen->kind | SQ_NODE_ENABLED,
    };
}

static bool
has_number(const struct sq_look *look, const struct sq_element *element) {
    return sq_session_has_element_number(look->call->session,
                                         look->call->device->info.id, element,
                                         element->index);
}

/* The words of a part and of its row. */
struct part_texts {
    struct sq_part_text label;
    struct sq_part_text row;
};

/* Returns a part as an element, whose texts are in *texts. */
static struct sq_element
describe(const struct word_search *search, const struct sq_part *part,
         struct part_texts *texts) {
    const struct sq_look *look = search->look;
    const struct sq_text *text = &look->screen.text;
    const struct sq_seen seen = {
        .kind = SQ_NODE_READ,
        .label = sq_part_write(text, part, &texts->label),
        .bounds = sq_screen_text_bounds(&look->screen, sq_part_box(text, part)),
    };
    return element_of(
        &seen, sq_row_write(text, &look->segments, seen.bounds, &texts->row),
        search->number);
}

static bool
is_numbered(void *context, const struct sq_part *part) {
    struct word_search *search = context;
    struct part_texts texts;
    struct sq_element element = describe(search, part, &texts);
    search->found = *part;
    return has_number(search->look, &element);
}

/* Looks for the number among all words that follow each other. */
static bool
find_numbered_text(struct sq_look *look, int number, struct sq_element *out,
                   struct sq_err *err) {
    struct word_search search = { .look = look, .number = number };
    struct part_texts texts;
    if (!look->call->reader) {
        return true;
    }
    if (!read_all(look, err)) {
        return false;
    }
    if (!sq_parts_visit(&look->screen.text, is_numbered, &search)) {
        return true;
    }
    *out = describe(&search, &search.found, &texts);
    return sq_element_keep(out, look->call->arena, err);
}

bool
sq_look_find_numbered(struct sq_call *call, int number, struct sq_element *out,
                      struct sq_err *err) {
    SQ_FREED(sq_look_finish) struct sq_look look = { .call = call };
    struct findings others = { 0 };
    bool ok = find_numbered_text(&look, number, out, err)
           && (out->index != 0
               || find_all(&look, SQ_NODE_IMAGE | SQ_NODE_SHAPE, &others, err));
    for (size_t i = 0; ok && out->index == 0 && i < others.count; i++) {
        const struct sq_element element =
            element_of(&others.items[i], (struct sq_span){ 0 }, number);
        if (has_number(&look, &element)) {
            *out = element;
        }
    }
    return ok;
}
