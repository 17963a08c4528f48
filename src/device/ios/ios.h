/*
 * iOS simulators on a Mac. `xcrun simctl` lists, captures and launches; `idb`
 * sends touches and reads elements. Device space is points; pictures have two
 * or three pixels per point.
 */
#ifndef SQ_DEVICE_IOS_IOS_H
#define SQ_DEVICE_IOS_IOS_H

#include "device/kinds.h"
#include "sys/foreign.h"

extern const struct sq_hand_ops sq_simulator_hand;

/* Writes a UDID in upper case. */
void sq_ios_fold_id(char id[SQ_DEVICE_ID_SIZE]);

/* Returns whether xcrun is installed. */
bool sq_ios_is_available(void);

/* Appends the simulators. Appends nothing and succeeds without xcrun. */
sq_list_devices_fn sq_ios_list;

sq_open_device_fn sq_ios_open;

/* What a worker does with property lists. */
extern const struct sq_foreign_reader sq_plist_reader;

#endif
