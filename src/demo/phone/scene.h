/*
 * A screen after layout: the positions of all items. Painting, listing and hit
 * testing use the same items.
 */
#ifndef SQ_DEMO_PHONE_SCENE_H
#define SQ_DEMO_PHONE_SCENE_H

#include "demo/phone/widget.h"
#include "geom/view.h"
#include "image/draw/draw.h"
#include "util/arena.h"

#define SQ_STATUS_BAR_DP 30  /* at the top, not part of any app */
#define SQ_GESTURE_BAR_DP 20 /* at the bottom */
#define SQ_CHECKBOX_DP 32    /* from the left of a CHECKBOX to its text */

struct sq_item {
    const struct sq_widget *widget;
    struct sq_span text;
    struct sq_rect bounds;
    struct sq_rect seen; /* the part inside the screen */
    int width;           /* as measured */
    int height;
    int content; /* total length of children, if scrollable */
    struct sq_item *parent;
    struct sq_item *first_child;
    struct sq_item *next;
};

/* Spans and items live in the arena. */
struct sq_scene {
    struct sq_arena arena;
    struct sq_item *root;
    const struct sq_phone *phone;
    struct sq_font *type;
    struct sq_size size;
    double density;
};

/* Return lengths in pixels, or a font face scaled to pixels. */
int sq_scene_px(const struct sq_scene *scene, double dp);
struct sq_face sq_scene_face(const struct sq_scene *scene, enum sq_role role);
int sq_scene_line_height(const struct sq_scene *scene, enum sq_role role);

/*
 * Builds the scene of one screen inside the phone's frame. The caller sets
 * phone, type, size and density of *scene, and later calls sq_scene_finish.
 */
bool sq_scene_build(struct sq_scene *scene, const struct sq_widget *frame,
                    const struct sq_widget *screen, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_scene_finish(struct sq_scene *scene);

/*
 * Takes the next line of a text that is wrapped at spaces to fit a width. The
 * last allowed line gets the whole rest. Returns false if no text is left.
 */
struct sq_breaker {
    struct sq_span rest;
    int lines_left;
    int max_width;
    struct sq_face face;
};
bool sq_breaker_next(struct sq_breaker *breaker, struct sq_font *type,
                     struct sq_span *line, bool *ok, struct sq_err *err);

/* Returns the next item in document order, or NULL after the last. */
const struct sq_item *sq_item_after(const struct sq_item *item);

/* Returns the topmost visible item at the point, or NULL. */
const struct sq_item *sq_scene_at(const struct sq_scene *scene,
                                  struct sq_dev_pt point);

/* Returns how far a SCROLL or STRIP can be scrolled, in pixels. */
int sq_item_scroll_range(const struct sq_item *item);

static inline bool
sq_item_is(const struct sq_item *item, enum sq_widget_kind kind) {
    return item->widget->kind == kind;
}

#endif
