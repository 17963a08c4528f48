/*
 * A colour profile is ignored or converts pixels, with the same result in place
 * and to another buffer; CMYK always becomes RGB. The first byte chooses the
 * kind of pixels.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/colour/colour.h"

#define PIXELS 64

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_colour *colour = NULL;
    uint8_t from[PIXELS * 4];
    uint8_t to[PIXELS * 4];
    if (size == 0) {
        return 0;
    }
    enum sq_pixels pixels = (enum sq_pixels)(data[0] % 3);
    bool ok = sq_colour_from_icc(data + 1, size - 1, pixels, &colour, &err);
    assert(ok && (colour || pixels != SQ_PIXELS_CMYK));
    if (colour) {
        for (size_t i = 0; i < sizeof(from); i++) {
            from[i] = i < 64 ? (i >> 2 >> (i % 4) & 1 ? 255 : 0)
                             : (uint8_t)(i * 37 + i / 4 * 11);
        }
        sq_colour_apply(colour, from, to, PIXELS);
        sq_colour_apply(colour, from, from, PIXELS);
        assert(memcmp(from, to, sizeof(to)) == 0);
        for (size_t i = 3; i < sizeof(to); i += 4) {
            assert(to[i] == 255);
        }
    }
    sq_colour_destroy(colour);
    return 0;
}
