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
mark(const uint8_t *pixels, int width, int from, int to,
     const struct sq_edge_level *levels, int count) {
    for (int x = from; x < to; x++) {
        const uint8_t *here = pixels + (size_t)x * SQ_PIXEL_BYTES;
        const uint8_t *left = x > 0 ? here - SQ_PIXEL_BYTES : here;
        const uint8_t *right = x + 1 < width ? here + SQ_PIXEL_BYTES : here;
        int range = sq_max_int(range_of_three(left, here, right, 0),
                               range_of_three(left, here, right, 1));
        range = sq_max_int(range, range_of_three(left, here, right, 2));
        for (int i = 0; i < count; i++) {
            bool is_edge = range >= levels[i].threshold;
            levels[i].bits[x / 64] |= (uint64_t)is_edge << (x % 64);
        }
    }
}

#if SQ_HAVE_X86 || SQ_HAVE_NEON
/*
 * Marks all pixels but the first and the last of a row of at least 66. Words at
 * the ends are computed from pixels further inside, and shifted.
 */
static void
mark_by_vectors(const uint8_t *pixels, int width,
                const struct sq_edge_level *levels, int count) {
    int words = (width - 1) / 64;
    int done = words * 64;
    int from = width - 65; /* the last 64 pixels but one */
    uint64_t first[SQ_EDGE_LEVELS];
    uint64_t last[SQ_EDGE_LEVELS];
    struct sq_edge_level parts[3][SQ_EDGE_LEVELS];
    for (int i = 0; i < count; i++) {
        int threshold = levels[i].threshold;
        parts[0][i] = (struct sq_edge_level){ threshold, &first[i] };
        parts[1][i] = (struct sq_edge_level){ threshold, levels[i].bits + 1 };
        parts[2][i] = (struct sq_edge_level){ threshold, &last[i] };
    }
    sq_edges_words(pixels + SQ_PIXEL_BYTES, 1, parts[0], count);
    sq_edges_words(pixels + (size_t)64 * SQ_PIXEL_BYTES, words - 1, parts[1],
                   count);
    sq_edges_words(pixels + (size_t)from * SQ_PIXEL_BYTES, 1, parts[2], count);
    for (int i = 0; i < count; i++) {
        levels[i].bits[0] = first[i] << 1;
        if (done + 1 < width) {
            levels[i].bits[words] = last[i] >> (done - from);
        }
    }
}
#endif

void
sq_edges_row(const uint8_t *pixels, int width,
             const struct sq_edge_level *levels, int count) {
    for (int i = 0; i < count; i++) {
        memset(levels[i].bits, 0,
               sq_edge_words(width) * sizeof(*levels[i].bits));
    }
#if SQ_HAVE_X86 || SQ_HAVE_NEON
    if (width >= 66 && sq_cpu_level() != SQ_CPU_SCALAR) {
        mark_by_vectors(pixels, width, levels, count);
        mark(pixels, width, 0, 1, levels, count);
        mark(pixels, width, width - 1, width, levels, count);
        return;
    }
#endif
    mark(pixels, width, 0, width, levels, count);
}
