/*
 * The demo phone: a simulated device for use without hardware. Its pixels and
 * its accessibility tree come from the same tables. The same seed, clock and
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

/* All zero: 1080x2400 at density 2.625, and the system clock. */
struct sq_demo_options {
    int width; /* in portrait */
    int height;
    double density;
    uint64_t seed; /* for the positions of the discs in the game */
    /* Returns nanoseconds since 1970. NULL: the system clock. */
    int64_t (*now_ns)(void *context);
    void *clock_context;
};

/* Fills *out with the entry for the device list. */
void sq_demo_info(struct sq_device_info *out);

/*
 * Creates a phone that shows its launcher. The caller frees it with
 * sq_device_destroy. Fails with SQ_ERR_ARGUMENT if a size is out of range.
 */
bool sq_demo_create(const struct sq_demo_options *options,
                    struct sq_device **out, struct sq_err *err);

#endif
