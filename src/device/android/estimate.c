/* An estimate of how long an operation takes. */
#include "device/android/estimate.h"

#include <stdbool.h>

void
sq_estimate_add(struct sq_estimate *estimate, int64_t ns) {
    bool is_faster = estimate->ns == 0 || ns < estimate->ns;
    estimate->ns = is_faster ? ns : (3 * estimate->ns + ns) / 4;
}
