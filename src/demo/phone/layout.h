/* Computes the size and position of every item of a scene. */
#ifndef SQ_DEMO_PHONE_LAYOUT_H
#define SQ_DEMO_PHONE_LAYOUT_H

#include "demo/phone/scene.h"

/* Measures the item and its children for a maximum width in pixels. */
bool sq_layout_measure(struct sq_scene *scene, struct sq_item *item,
                       int max_width, struct sq_err *err);

/* Places the children of a measured item within a rectangle. */
void sq_layout_place(struct sq_scene *scene, struct sq_item *item,
                     struct sq_rect in);

#endif
