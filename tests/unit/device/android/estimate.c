/* Estimates of durations: how much one measurement counts. */
#include "device/android/estimate.h"

#include "support/test.h"

static void
the_first_measurement_is_the_estimate(void) {
    struct sq_estimate estimate = { 0 };
    sq_estimate_add(&estimate, 400);
    T_INT(estimate.ns, 400);
}

static void
a_faster_one_replaces_it(void) {
    struct sq_estimate estimate = { 400 };
    sq_estimate_add(&estimate, 399);
    T_INT(estimate.ns, 399);
    sq_estimate_add(&estimate, 1);
    T_INT(estimate.ns, 1);
}

static void
a_slower_one_counts_for_a_quarter(void) {
    struct sq_estimate estimate = { 400 };
    sq_estimate_add(&estimate, 400);
    T_INT(estimate.ns, 400);
    sq_estimate_add(&estimate, 800);
    T_INT(estimate.ns, 500);
    sq_estimate_add(&estimate, 900);
    T_INT(estimate.ns, 600);
}

T_MAIN(T_CASE(the_first_measurement_is_the_estimate),
       T_CASE(a_faster_one_replaces_it),
       T_CASE(a_slower_one_counts_for_a_quarter))
