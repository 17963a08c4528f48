/*
 * A screen table laid out: what is where right now. Drawing, listing and
 * touching all walk the same items.
 */
#ifndef SQ_DEVICE_DEMO_SCENE_H
#define SQ_DEVICE_DEMO_SCENE_H

#include "image/font.h"
#include "device/demo/widget.h"
#include "util/arena.h"

#define SQ_STATUS_BAR_DP 30  /* at the top, outside of every app */
#define SQ_GESTURE_BAR_DP 20 /* at the bottom */
#define SQ_CHECKBOX_DP 32    /* from the left of a CHECKBOX to its text */

struct sq_item {
    const struct sq_widget *widget;
    struct sq_span text;
    struct sq_dev_rect bounds;
    struct sq_dev_rect seen; /* the part that is on the screen */
    int width;               /* as measured */
    int height;
    int content; /* of what scrolls: the length of all children */
    struct sq_item *parent;
    struct sq_item *first_child;
    struct sq_item *next;
};

/* A value; spans and items live in its arena. */
struct sq_scene {
    struct sq_arena arena;
    struct sq_item *root;
    const struct sq_phone *phone;
    struct sq_font *type;
    struct sq_size size;
    double density;
};

/* Lengths in pixels. */
int sq_scene_px(const struct sq_scene *scene, double dp);
struct sq_face sq_scene_face(const struct sq_scene *scene, enum sq_role role);
int sq_scene_line_height(const struct sq_scene *scene, enum sq_role role);

/*
 * Lay out the frame of the phone around the table of one screen. *scene must
 * have phone, type, size and density; the rest is made here, and to be
 * finished by the caller.
 */
bool sq_scene_build(struct sq_scene *scene, const struct sq_widget *frame,
                    const struct sq_widget *screen, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_scene_finish(struct sq_scene *scene);

/*
 * Take the next line of a text that is broken at spaces to fit a width; the
 * last allowed line gets the rest, however long. False when none is left.
 */
struct sq_breaker {
    struct sq_span rest;
    int lines_left;
    int max_width;
    struct sq_face face;
};
bool sq_breaker_next(struct sq_breaker *breaker, struct sq_font *type,
                     struct sq_span *line, bool *ok, struct sq_err *err);

/* The item after this in the order of the table, or NULL. */
const struct sq_item *sq_item_after(const struct sq_item *item);

/* The topmost visible item at the point, or NULL. */
const struct sq_item *sq_scene_at(const struct sq_scene *scene,
                                  struct sq_dev_pt point);

/* How far a SCROLL or STRIP can be moved, in pixels. */
int sq_item_scroll_range(const struct sq_item *item);

static inline bool
sq_item_is(const struct sq_item *item, enum sq_widget_kind kind) {
    return item->widget->kind == kind;
}

#endif
