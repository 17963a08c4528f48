/* Builds scenes and finds items in them. */
#include "demo/phone/scene.h"

#include "demo/phone/layout.h"
#include "demo/phone/phone.h"

#define SCENE_BYTES ((size_t)4 << 20)

static bool
find_text(struct sq_scene *scene, struct sq_item *item, struct sq_err *err) {
    const struct sq_widget *widget = item->widget;
    char scratch[SQ_WIDGET_TEXT_SIZE];
    struct sq_span text;
    if (widget->kind == SQ_FIELD) {
        text = sq_phone_field(scene->phone, widget->arg);
    } else if (widget->get_text) {
        text = widget->get_text(scene->phone, widget, scratch);
    } else {
        item->text = widget->text ? sq_span_of(widget->text) : item->text;
        return true;
    }
    char *copy = sq_arena_strdup(&scene->arena, text, err);
    item->text = (struct sq_span){ copy, text.len };
    return copy != NULL;
}

static bool
is_shown(const struct sq_scene *scene, const struct sq_widget *widget) {
    return !widget->shown || widget->shown(scene->phone, widget);
}

static bool
add_item(struct sq_scene *scene, const struct sq_widget *widget,
         struct sq_item *parent, struct sq_item **link, struct sq_err *err) {
    struct sq_item *item = sq_arena_alloc(&scene->arena, 1, sizeof(*item), err);
    if (!item) {
        return false;
    }
    *item = (struct sq_item){ .widget = widget, .parent = parent };
    *link = item;
    if (!find_text(scene, item, err)) {
        return false;
    }
    struct sq_item **next = &item->first_child;
    const struct sq_widget *child = widget->children;
    for (; child && child->kind != SQ_WIDGET_END; child++) {
        if (!is_shown(scene, child)) {
            continue;
        }
        if (!add_item(scene, child, item, next, err)) {
            return false;
        }
        next = &(*next)->next;
    }
    return true;
}

static bool
add_all(struct sq_scene *scene, const struct sq_widget *frame,
        const struct sq_widget *screen, struct sq_err *err) {
    struct sq_item *content;
    if (!add_item(scene, frame, NULL, &scene->root, err)
        || !add_item(scene, screen, scene->root, &content, err)) {
        return false;
    }
    content->next = scene->root->first_child;
    scene->root->first_child = content;
    return true;
}

static bool
lay_out(struct sq_scene *scene, struct sq_err *err) {
    struct sq_item *root = scene->root;
    int width = scene->size.width;
    struct sq_rect content = { 0, sq_scene_px(scene, SQ_STATUS_BAR_DP), width,
                               scene->size.height
                                   - sq_scene_px(scene, SQ_GESTURE_BAR_DP) };
    root->bounds = (struct sq_rect){ 0, 0, width, scene->size.height };
    root->seen = root->bounds;
    return sq_layout_measure(scene, root, width, err)
        && (sq_layout_place(scene, root, content), true);
}

bool
sq_scene_build(struct sq_scene *scene, const struct sq_widget *frame,
               const struct sq_widget *screen, struct sq_err *err) {
    sq_arena_init(&scene->arena, SCENE_BYTES);
    if (!add_all(scene, frame, screen, err) || !lay_out(scene, err)) {
        sq_scene_finish(scene);
        return false;
    }
    return true;
}

void
sq_scene_finish(struct sq_scene *scene) {
    sq_arena_finish(&scene->arena);
    scene->root = NULL;
}

const struct sq_item *
sq_item_after(const struct sq_item *item) {
    if (item->first_child) {
        return item->first_child;
    }
    while (item && !item->next) {
        item = item->parent;
    }
    return item ? item->next : NULL;
}

/* Later items are above earlier ones, and children above their parents. */
const struct sq_item *
sq_scene_at(const struct sq_scene *scene, struct sq_dev_pt point) {
    const struct sq_item *found = NULL;
    const struct sq_item *item = scene->root;
    for (; item; item = sq_item_after(item)) {
        if (sq_rect_contains(item->seen, point.x, point.y)) {
            found = item;
        }
    }
    return found;
}
