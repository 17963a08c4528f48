/* What can be done to the demo phone besides touching it. */
#ifndef SQ_DEVICE_DEMO_HAND_H
#define SQ_DEVICE_DEMO_HAND_H

#include "demo/phone/phone.h"

/* Finds an app by its package. Fails with SQ_ERR_PACKAGE_NOT_FOUND. */
bool sq_demo_find_app(const char *package, enum sq_app_id *out,
                      struct sq_err *err);

#endif
