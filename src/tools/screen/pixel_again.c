/* Finds an element again that was found in the pixels earlier. */
#include "tools/screen/pixel_search_private.h"
#include "vision/match.h"

#define NEAR_PERCENT 40 /* overlap of an element with its earlier place */

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
    struct sq_segments segments;
    struct sq_element *element; /* to find; NULL: the one with the number */
    int number;
    struct sq_part found; /* that has the number */
};

static bool
word_search_init(struct word_search *search, struct sq_look *look,
                 struct sq_element *element, struct sq_err *err) {
    *search = (struct word_search){ .look = look, .element = element };
    return sq_segments_make(&look->screen, look->call->arena, &search->segments,
                            err);
}

/* Lines near the place of an element are read. */
static bool
is_near_row(const void *context, struct sq_rect box) {
    const struct sq_rect *place = context;
    int reach = 2 * (place->bottom - place->top); /* it may end below */
    return box.top < place->bottom + reach && box.bottom > place->top - reach;
}

/*
 * Returns whether the words are the element: the same text with the same text
 * beside it. Equal rows of a list differ in what is beside them, and "accept"
 * may have become "Don't accept".
 */
static bool
is_element(void *context, const struct sq_part *part) {
    struct word_search *search = context;
    struct sq_element *element = search->element;
    const struct sq_text *text = &search->look->screen.text;
    struct sq_part_text now;
    sq_part_write(text, part, &now);
    if (!sq_same_text((struct sq_span){ now.bytes, now.len }, element->label)) {
        return false;
    }
    struct sq_dev_rect place =
        sq_screen_text_bounds(&search->look->screen, sq_part_box(text, part));
    sq_row_write(text, &search->segments, place, &now);
    if (covered_percent(element->bounds, place) < NEAR_PERCENT
        || !sq_same_text((struct sq_span){ now.bytes, now.len },
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
find_text(struct sq_look *look, struct sq_element *element, bool *found,
          struct sq_err *err) {
    struct word_search search;
    struct sq_rect place;
    if (!look->call->reader || !sq_look_capture(look, err)
        || !sq_screen_text_area(&look->screen, element->bounds, &place)) {
        return look->is_captured || !look->call->reader;
    }
    struct sq_read_plan plan = { .wants = is_near_row, .context = &place };
    if (!sq_look_read(look, &plan, err)
        || !word_search_init(&search, look, element, err)) {
        return false;
    }
    *found = sq_parts_visit(&look->screen.text, is_element, &search);
    return true;
}

static bool
find_other(struct sq_look *look, struct sq_element *element, bool *found,
           struct sq_err *err) {
    struct sq_findings things = { 0 };
    struct sq_image_hits hits;
    bool ok;
    if (element->flags & SQ_NODE_IMAGE) {
        things.items = sq_arena_alloc(look->call->arena, SQ_MAX_HITS,
                                      sizeof(*things.items), err);
        ok = things.items && sq_look_capture(look, err)
          && sq_look_find_image(look, &element->label, &hits, err);
        if (ok) {
            sq_look_add_hits(look, &hits, element->label, &things);
        }
    } else {
        ok = sq_look_find_all(look, SQ_NODE_SHAPE, &things, err);
    }
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
             ? find_text(&look, element, found, err)
             : find_other(&look, element, found, err);
}

bool
sq_look_check_name(struct sq_call *call, struct sq_tree *tree,
                   const struct sq_node *node, struct sq_span label, bool *same,
                   struct sq_err *err) {
    SQ_FREED(sq_look_finish)
    struct sq_look look = { .call = call, .tree = tree };
    struct sq_segments segments;
    struct sq_span now;
    bool ok = sq_look_merge(&look, SQ_NODE_READ, err)
           && sq_node_label(node, call->arena, &now, err)
           && sq_segments_make(&look.screen, call->arena, &segments, err);
    *same = ok && sq_same_text(now, label);
    const struct sq_segment *only =
        ok && !*same ? sq_only_text_in(&segments, node->bounds) : NULL;
    if (only) {
        struct sq_part_text inside;
        sq_part_write(&look.screen.text, &only->part, &inside);
        *same =
            sq_same_text((struct sq_span){ inside.bytes, inside.len }, label);
    }
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
    const struct sq_text *text = &search->look->screen.text;
    sq_part_write(text, part, &texts->label);
    const struct sq_seen seen = {
        .kind = SQ_NODE_READ,
        .label = { texts->label.bytes, texts->label.len },
        .bounds = sq_screen_text_bounds(&search->look->screen,
                                        sq_part_box(text, part)),
    };
    sq_row_write(text, &search->segments, seen.bounds, &texts->row);
    return element_of(&seen,
                      (struct sq_span){ texts->row.bytes, texts->row.len },
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
    struct word_search search;
    struct part_texts texts;
    if (!look->call->reader) {
        return true;
    }
    if (!sq_look_read_all(look, err)
        || !word_search_init(&search, look, NULL, err)) {
        return false;
    }
    search.number = number;
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
    struct sq_findings others = { 0 };
    bool ok = find_numbered_text(&look, number, out, err)
           && (out->index != 0
               || sq_look_find_all(&look, SQ_NODE_IMAGE | SQ_NODE_SHAPE,
                                   &others, err));
    for (size_t i = 0; ok && out->index == 0 && i < others.count; i++) {
        const struct sq_element element =
            element_of(&others.items[i], (struct sq_span){ 0 }, number);
        if (has_number(&look, &element)) {
            *out = element;
        }
    }
    return ok;
}
