/*
 * A web browser as a device. squint starts a Chromium without a window, with a
 * profile in a temporary folder, and speaks to it over a pipe; it ends with
 * squint. Device space is CSS pixels.
 */
#ifndef SQ_DEVICE_BROWSER_BROWSER_H
#define SQ_DEVICE_BROWSER_BROWSER_H

#include "device/kinds.h"

#define SQ_BROWSER_ID "browser"

/* The row of the kind "browser". */
extern const struct sq_hand_ops sq_browser_hand;
sq_list_devices_fn sq_browser_list;
sq_open_device_fn sq_browser_open;

#endif
