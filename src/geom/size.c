/* Scales sizes to fit a limit. */
#include "geom/size.h"

#include <assert.h>

double
sq_scale_factor(struct sq_size device, int max_dimension) {
    assert(device.width >= 1 && device.height >= 1 && max_dimension >= 1);
    int longest = sq_size_long_side(device);
    if (longest <= max_dimension) {
        return 1.0;
    }
    return (double)longest / max_dimension;
}

static int
scaled_side(int side, double scale_factor) {
    /*
     * Rounds like JavaScript's Math.round: the cast floors a positive number.
     */
    int scaled = (int)(side / scale_factor + 0.5);
    return scaled < 1 ? 1 : scaled;
}

struct sq_size
sq_scaled_size(struct sq_size device, int max_dimension) {
    double scale_factor = sq_scale_factor(device, max_dimension);
    return (struct sq_size){ scaled_side(device.width, scale_factor),
                             scaled_side(device.height, scale_factor) };
}
