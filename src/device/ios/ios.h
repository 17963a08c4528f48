/*
 * iOS simulators on a Mac. `xcrun simctl` lists, captures and launches; `idb`
 * sends touches and reads elements. Device space is points; pictures have two
 * or three pixels per point.
 */
#ifndef SQ_DEVICE_IOS_IOS_H
#define SQ_DEVICE_IOS_IOS_H

#include "device/kinds.h"

extern const struct sq_hand_ops sq_simulator_hand;

/* Writes a UDID in upper case. */
void sq_ios_fold_id(char id[SQ_DEVICE_ID_SIZE]);

/* Returns whether xcrun is installed. */
bool sq_ios_is_available(void);

/* Appends the simulators. Appends nothing and succeeds without xcrun. */
bool sq_ios_list(const struct sq_devices_options *options,
                 struct sq_device_list *out, const struct sq_deadline *deadline,
                 struct sq_err *err);

/*
 * Opens a device that sq_ios_list returned. The caller frees it with
 * sq_device_destroy.
 */
bool sq_ios_open(const struct sq_devices_options *options,
                 const struct sq_device_info *info, struct sq_device **out,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
