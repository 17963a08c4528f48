/*
 * Marks horizontal changes of colour: the reference code, and the choice of a
 * vector variant.
 */
#include "vision/edges.h"

#include <stdbool.h>
#include <string.h>

#include "image/image.h"
#include "util/minmax.h"
#include "vision/edges_simd.h"

static int
range_of_three(const uint8_t *left, const uint8_t *here, const uint8_t *right,
               int channel) {
    int a = left[channel];
    int b = here[channel];
    int c = right[channel];
    return sq_max_int(a, sq_max_int(b, c)) - sq_min_int(a, sq_min_int(b, c));
}

static void
mark(const uint8_t *pixels, int width, int from, int to, int threshold,
     uint64_t *bits) {
    for (int x = from; x < to; x++) {
        const uint8_t *here = pixels + (size_t)x * SQ_PIXEL_BYTES;
        const uint8_t *left = x > 0 ? here - SQ_PIXEL_BYTES : here;
        const uint8_t *right = x + 1 < width ? here + SQ_PIXEL_BYTES : here;
        bool is_edge = range_of_three(left, here, right, 0) >= threshold
                    || range_of_three(left, here, right, 1) >= threshold
                    || range_of_three(left, here, right, 2) >= threshold;
        bits[x / 64] |= (uint64_t)is_edge << (x % 64);
    }
}

/* Returns the first pixel after the first word that is left to mark(). */
static int
mark_by_vectors(const uint8_t *pixels, int width, int threshold,
                uint64_t *bits) {
#if SQ_HAVE_X86 || SQ_HAVE_NEON
    if (sq_cpu_level() != SQ_CPU_SCALAR) {
        return sq_edges_vector(pixels, width, threshold, bits);
    }
#endif
    (void)pixels, (void)width, (void)threshold, (void)bits;
    return 64;
}

void
sq_edges_row(const uint8_t *pixels, int width, int threshold, uint64_t *bits) {
    memset(bits, 0, sq_edge_words(width) * sizeof(*bits));
    int done =
        width > 64 ? mark_by_vectors(pixels, width, threshold, bits) : width;
    mark(pixels, width, 0, sq_min_int(width, 64), threshold, bits);
    mark(pixels, width, done, width, threshold, bits);
}
