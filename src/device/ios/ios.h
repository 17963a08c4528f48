/*
 * iOS simulators on a Mac: listed, captured and started by `xcrun simctl`,
 * touched and read by `idb`. Device space is points; pictures have two or
 * three pixels for each.
 */
#ifndef SQ_DEVICE_IOS_IOS_H
#define SQ_DEVICE_IOS_IOS_H

#include "device/kinds.h"

/* Whether there is an xcrun. */
bool sq_ios_is_there(void);

/* Append the simulators; none, and no error, where there is no xcrun. */
bool sq_ios_list(const struct sq_devices_options *options,
                 struct sq_device_list *out, const struct sq_deadline *deadline,
                 struct sq_err *err);

/* Open one that sq_ios_list gave; to be destroyed by sq_device_destroy. */
bool sq_ios_open(const struct sq_devices_options *options,
                 const struct sq_device_info *info, struct sq_device **out,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
