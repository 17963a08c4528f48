/*
 * The demo phone: a device that needs nothing attached. Its pixels and its
 * accessibility tree come from the same tables, and the same seed, clock and
 * touches always give the same frames.
 */
#ifndef SQ_DEVICE_DEMO_DEMO_H
#define SQ_DEVICE_DEMO_DEMO_H

#include <stdint.h>

#include "device/device.h"

#define SQ_DEMO_ID "demo"
#define SQ_DEMO_WIDTH 1080
#define SQ_DEMO_HEIGHT 2400
#define SQ_DEMO_DENSITY 2.625
#define SQ_DEMO_PACKAGE "com.squint.demo."

/* All zero: 1080x2400 at 2.625, and the machine's clock. */
struct sq_demo_options {
    int width; /* upright */
    int height;
    double density;
    uint64_t seed; /* decides where the game puts its discs */
    /* Nanoseconds since 1970; NULL: the machine's clock. */
    int64_t (*now_ns)(void *context);
    void *clock_context;
};

/* Fill *out as the list of devices shows the phone. */
void sq_demo_info(struct sq_device_info *out);

/*
 * Switch a phone on: it shows its launcher. To be destroyed by
 * sq_device_destroy. SQ_ERR_ARGUMENT for sizes no phone has.
 */
bool sq_demo_create(const struct sq_demo_options *options,
                    struct sq_device **out, struct sq_err *err);

#endif
