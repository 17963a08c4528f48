/* Paints the status bar and gesture bar around every app. */
#ifndef SQ_DEMO_PHONE_STATUS_BAR_H
#define SQ_DEMO_PHONE_STATUS_BAR_H

#include "demo/phone/phone.h"

/* Paints the time and icons at the top and the gesture bar at the bottom. */
bool sq_status_bar_paint(const struct sq_phone *phone,
                         const struct sq_scene *scene, struct sq_canvas *canvas,
                         struct sq_err *err);

#endif
