/* An estimate of how long an operation takes, from measured durations. */
#ifndef SQ_DEVICE_ANDROID_ESTIMATE_H
#define SQ_DEVICE_ANDROID_ESTIMATE_H

#include <stdint.h>

/* Initialise with zeroes. */
struct sq_estimate {
    int64_t ns; /* 0: not measured yet */
};

/*
 * Adds a measurement. A faster one replaces the estimate; a slower one counts
 * for a quarter, so that one slow moment has little effect.
 */
void sq_estimate_add(struct sq_estimate *estimate, int64_t ns);

#endif
