/* Estimates of durations: the weight of one measurement. */
#include "device/android/estimate.h"

#include "support/test.h"

static void
first_measurement_is_the_estimate(void) {
    struct sq_estimate estimate = { 0 };
    sq_estimate_add(&estimate, 400);
    T_INT(estimate.ns, 400);
}

static void
faster_measurement_replaces_the_estimate(void) {
    struct sq_estimate estimate = { 400 };
    sq_estimate_add(&estimate, 399);
    T_INT(estimate.ns, 399);
    sq_estimate_add(&estimate, 1);
    T_INT(estimate.ns, 1);
}

static void
slower_measurement_counts_for_a_quarter(void) {
    struct sq_estimate estimate = { 400 };
    sq_estimate_add(&estimate, 400);
    T_INT(estimate.ns, 400);
    sq_estimate_add(&estimate, 800);
    T_INT(estimate.ns, 500);
    sq_estimate_add(&estimate, 900);
    T_INT(estimate.ns, 600);
}

T_MAIN(T_CASE(first_measurement_is_the_estimate),
       T_CASE(faster_measurement_replaces_the_estimate),
       T_CASE(slower_measurement_counts_for_a_quarter))
