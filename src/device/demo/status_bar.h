/* What the phone shows around every app. */
#ifndef SQ_DEVICE_DEMO_STATUS_BAR_H
#define SQ_DEVICE_DEMO_STATUS_BAR_H

#include "device/demo/phone.h"

/* The time of day and some signs at the top, the gesture bar below. */
bool sq_status_bar_paint(const struct sq_phone *phone,
                         const struct sq_scene *scene, struct sq_canvas *canvas,
                         struct sq_err *err);

#endif
