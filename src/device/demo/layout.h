/* How large every item of a scene is, and where. */
#ifndef SQ_DEVICE_DEMO_LAYOUT_H
#define SQ_DEVICE_DEMO_LAYOUT_H

#include "device/demo/scene.h"

/* How large the item and those inside it want to be in a given width. */
bool sq_layout_measure(struct sq_scene *scene, struct sq_item *item,
                       int max_width, struct sq_err *err);

/* Lay the children of a measured item out in a rectangle. */
void sq_layout_place(struct sq_scene *scene, struct sq_item *item,
                     struct sq_dev_rect in);

#endif
