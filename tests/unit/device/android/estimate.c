/* Estimates of durations: the weight of one measurement. */
#include "device/android/capture.h"

#include "support/test.h"

T_CASE(first_measurement_is_the_estimate) {
    struct sq_estimate estimate = { 0 };
    sq_estimate_add(&estimate, 400);
    T_INT(estimate.ns, 400);
}

T_CASE(faster_measurement_replaces_the_estimate) {
    struct sq_estimate estimate = { 400 };
    sq_estimate_add(&estimate, 399);
    T_INT(estimate.ns, 399);
    sq_estimate_add(&estimate, 1);
    T_INT(estimate.ns, 1);
}

T_CASE(slower_measurement_counts_for_a_quarter) {
    struct sq_estimate estimate = { 400 };
    sq_estimate_add(&estimate, 400);
    T_INT(estimate.ns, 400);
    sq_estimate_add(&estimate, 800);
    T_INT(estimate.ns, 500);
    sq_estimate_add(&estimate, 900);
    T_INT(estimate.ns, 600);
}
