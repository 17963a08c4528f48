/* Collects what the pixels of the screen show: text, pictures and shapes. */
#include <stdio.h>

#include "config/config.h"
#include "tool/work.h"
#include "tools/screen/image_source.h"
#include "tools/screen/pixel_search_private.h"
#include "tools/screen/remembered.h"
#include "vision/lines.h"

/* Time limits of one look. */
#define TEXT_MS 6000
#define IMAGES_MS 3000

#define MAX_SEEN 2000

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
    const struct sq_deadline whole = look->call->deadline;
    struct sq_err local_err = { 0 };
    if (!sq_work_begin(look->call->work, true, &look->call->deadline, err)) {
        return false;
    }
    sq_text_finish(&look->screen.text);
    look->call->deadline = sq_deadline_within(&whole, TEXT_MS);
    bool ok = sq_screen_text_read(look->call, plan, &look->screen, &local_err);
    look->call->deadline = whole;
    look->is_slow = local_err.code == SQ_ERR_TIMEOUT;
    sq_work_end(look->call->work);
    return ok || sq_fail_with(err, &local_err);
}

bool
sq_look_read_all(struct sq_look *look, struct sq_err *err) {
    struct sq_read_plan plan = { 0 };
    look->is_read =
        look->is_read
        || (sq_look_capture(look, err) && sq_look_read(look, &plan, err));
    return look->is_read;
}

static bool
find_texts(struct sq_look *look, struct sq_findings *out, struct sq_err *err) {
    struct sq_segments segments;
    if (!sq_look_read_all(look, err)
        || !sq_segments_make(&look->screen, look->call->arena, &segments,
                             err)) {
        return false;
    }
    for (int i = 0; i < segments.count && out->count < MAX_SEEN; i++) {
        const struct sq_segment *segment = &segments.items[i];
        struct sq_part_text text;
        sq_part_write(&look->screen.text, &segment->part, &text);
        struct sq_span label = { text.bytes, text.len };
        if (!segment->kind) {
            continue;
        }
        if (!sq_arena_keep(look->call->arena, &label, err)) {
            return false;
        }
        out->items[out->count++] =
            (struct sq_seen){ segment->kind, label, segment->bounds };
    }
    return true;
}

bool
sq_look_find_image(struct sq_look *look, struct sq_span *name,
                   struct sq_image_hits *hits, struct sq_err *err) {
    SQ_FREED(sq_image_source_finish) struct sq_image_source source = { 0 };
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
    return ok;
}

void
sq_look_add_hits(const struct sq_look *look, const struct sq_image_hits *hits,
                 struct sq_span name, struct sq_findings *out) {
    for (int i = 0; i < hits->count && out->count < MAX_SEEN; i++) {
        out->items[out->count++] =
            (struct sq_seen){ SQ_NODE_IMAGE, name,
                              sq_screen_text_bounds(&look->screen,
                                                    hits->items[i].box) };
    }
}

/* Finds the remembered pictures of the app in front, within a time limit. */
static bool
find_images(struct sq_look *look, struct sq_findings *out, struct sq_err *err) {
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
        if (sq_look_find_image(look, &items[i].name, &hits, &local_err)) {
            sq_look_add_hits(look, &hits, items[i].name, out);
        } else if (sq_is_fatal(local_err.code)) {
            return sq_fail_with(err, &local_err);
        }
    }
    return true;
}

static bool
find_shapes(const struct sq_look *look, struct sq_findings *out,
            struct sq_err *err) {
    struct sq_areas areas;
    if (!sq_screen_text_shapes(&look->screen, &areas, err)) {
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

bool
sq_look_find_all(struct sq_look *look, unsigned kinds, struct sq_findings *out,
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
    struct sq_segments segments;
    bool ok =
        sq_segments_make(&look->screen, look->call->arena, &segments, err);
    for (struct sq_node *node = look->tree->root; ok && node;
         node = sq_node_next(node)) {
        struct sq_part_text text;
        if (node->flags & SQ_NODE_READ && !node->row.len) {
            sq_row_write(&look->screen.text, &segments, node->bounds, &text);
            node->row = (struct sq_span){ text.bytes, text.len };
            ok = sq_arena_keep(&look->tree->arena, &node->row, err);
        }
    }
    return ok;
}

bool
sq_look_merge(struct sq_look *look, unsigned kinds, struct sq_err *err) {
    struct sq_findings found = { 0 };
    return sq_look_find_all(look, kinds, &found, err)
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
