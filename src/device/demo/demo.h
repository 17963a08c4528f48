/*
 * The demo phone as a device: a simulated phone for use without hardware. Its
 * pixels and its accessibility tree come from the same tables. The same seed,
 * clock and touches always give the same frames.
 */
#ifndef SQ_DEVICE_DEMO_DEMO_H
#define SQ_DEVICE_DEMO_DEMO_H

#include "device/kinds.h"

/* The row of the kind "demo". */
extern const struct sq_hand_ops sq_demo_hand;
sq_list_devices_fn sq_demo_list;
sq_open_device_fn sq_demo_open;

/* Fills *out with the entry for the device list. */
void sq_demo_info(struct sq_device_info *out);

/*
 * Creates a phone that shows its launcher. The caller frees it with
 * sq_device_destroy. Fails with SQ_ERR_ARGUMENT if a size is out of range.
 */
bool sq_demo_create(const struct sq_demo_options *options,
                    struct sq_device **out, struct sq_err *err);

#endif
