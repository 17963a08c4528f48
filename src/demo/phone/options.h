/* The size, density, clock and seed of a demo phone. */
#ifndef SQ_DEMO_PHONE_OPTIONS_H
#define SQ_DEMO_PHONE_OPTIONS_H

#include <stdint.h>

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

#endif
