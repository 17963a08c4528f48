/* Finds edges in rows of pixels, and keeps those of a picture as bits. */
#include "vision/lines.h"

#include <stdbool.h>
#include <string.h>

#include "image/image.h"
#include "util/mem.h"
#include "util/minmax.h"

/* Marks horizontal changes of colour with SSE2. */

#if SQ_HAVE_X86
#include <emmintrin.h>

/* The greatest difference of a channel around each of 64 pixels. */
struct ranges {
    __m128i parts[4];
};

static inline __m128i
load(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Returns the range of each of four pixels as 32 bits. */
static inline __m128i
range_of_four(const uint8_t *p) {
    __m128i left = load(p - 4);
    __m128i here = load(p);
    __m128i right = load(p + 4);
    __m128i most = _mm_max_epu8(_mm_max_epu8(left, right), here);
    __m128i least = _mm_min_epu8(_mm_min_epu8(left, right), here);
    __m128i ranges = _mm_sub_epi8(most, least);
    __m128i green = _mm_srli_epi32(ranges, 8);
    __m128i blue = _mm_srli_epi32(ranges, 16);
    return _mm_and_si128(_mm_max_epu8(_mm_max_epu8(ranges, green), blue),
                         _mm_set1_epi32(0xff));
}

static inline __m128i
range_of_sixteen(const uint8_t *p) {
    __m128i low = _mm_packs_epi32(range_of_four(p), range_of_four(p + 16));
    __m128i high =
        _mm_packs_epi32(range_of_four(p + 32), range_of_four(p + 48));
    return _mm_packus_epi16(low, high);
}

/* Returns one bit for each pixel whose range is at least the threshold. */
static inline uint64_t
bits_of_word(const struct ranges *ranges, int threshold) {
    const __m128i below = _mm_set1_epi8((char)(threshold - 1));
    uint64_t flat = 0;
    for (int i = 0; i < 4; i++) {
        /* Saturates to 0 where the range is less than the threshold. */
        __m128i excess = _mm_subs_epu8(ranges->parts[i], below);
        __m128i is_flat = _mm_cmpeq_epi8(excess, _mm_setzero_si128());
        flat |= (uint64_t)(unsigned)_mm_movemask_epi8(is_flat) << (16 * i);
    }
    return ~flat;
}

static inline struct ranges
ranges_of_word(const uint8_t *p) {
    return (struct ranges){
        { range_of_sixteen(p), range_of_sixteen(p + 64),
          range_of_sixteen(p + 128), range_of_sixteen(p + 192) },
    };
}
#endif

/* Marks horizontal changes of colour with NEON. */

#if SQ_HAVE_NEON
#include <arm_neon.h>

/* The greatest difference of a channel around each of 64 pixels. */
struct ranges {
    uint8x16_t parts[4];
};

/* Returns the largest minus the smallest of three neighbours. */
static inline uint8x16_t
range_of_channel(uint8x16_t before, uint8x16_t here, uint8x16_t after) {
    uint8x16_t left = vextq_u8(before, here, 15);
    uint8x16_t right = vextq_u8(here, after, 1);
    uint8x16_t most = vmaxq_u8(vmaxq_u8(left, right), here);
    uint8x16_t least = vminq_u8(vminq_u8(left, right), here);
    return vsubq_u8(most, least);
}

static inline uint8x16_t
range_of_sixteen(const uint8x16x4_t *before, const uint8x16x4_t *here,
                 const uint8x16x4_t *after) {
    uint8x16_t red =
        range_of_channel(before->val[0], here->val[0], after->val[0]);
    uint8x16_t green =
        range_of_channel(before->val[1], here->val[1], after->val[1]);
    uint8x16_t blue =
        range_of_channel(before->val[2], here->val[2], after->val[2]);
    return vmaxq_u8(vmaxq_u8(red, green), blue);
}

/* Fills a register of each channel with one pixel. */
static inline uint8x16x4_t
repeat_pixel(const uint8_t *p) {
    return vld4q_dup_u8(p);
}

static inline struct ranges
ranges_of_word(const uint8_t *p) {
    struct ranges ranges;
    uint8x16x4_t before = repeat_pixel(p - 4);
    uint8x16x4_t here = vld4q_u8(p);
    for (int i = 0; i < 4; i++) {
        uint8x16x4_t after =
            i < 3 ? vld4q_u8(p + 64 * (i + 1)) : repeat_pixel(p + 256);
        ranges.parts[i] = range_of_sixteen(&before, &here, &after);
        before = here;
        here = after;
    }
    return ranges;
}

/* Returns one bit for each pixel whose range is at least the threshold. */
static inline uint64_t
bits_of_word(const struct ranges *ranges, int threshold) {
    static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128,
                                         1, 2, 4, 8, 16, 32, 64, 128 };
    const uint8x16_t weight = vld1q_u8(weights);
    const uint8x16_t least = vdupq_n_u8((uint8_t)threshold);
    uint8x16_t masks[4];
    for (int i = 0; i < 4; i++) {
        masks[i] = vandq_u8(vcgeq_u8(ranges->parts[i], least), weight);
    }
    uint8x16_t low = vpaddq_u8(masks[0], masks[1]);
    uint8x16_t high = vpaddq_u8(masks[2], masks[3]);
    uint8x16_t sums = vpaddq_u8(low, high);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
}
#endif

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
 * Sets whole words of the bits of all levels, for 64 pixels each. Reads the
 * pixel before the first and the one after the last.
 */
static void
mark_words(const uint8_t *pixels, int words, const struct sq_edge_level *levels,
           int count) {
    for (int i = 0; i < words; i++) {
        const struct ranges ranges = ranges_of_word(pixels + (size_t)i * 256);
        for (int k = 0; k < count; k++) {
            levels[k].bits[i] = bits_of_word(&ranges, levels[k].threshold);
        }
    }
}

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
    uint64_t first[SQ_EDGE_LEVELS] = { 0 };
    uint64_t last[SQ_EDGE_LEVELS] = { 0 };
    struct sq_edge_level parts[3][SQ_EDGE_LEVELS] = { 0 };
    for (int i = 0; i < count; i++) {
        int threshold = levels[i].threshold;
        parts[0][i] = (struct sq_edge_level){ threshold, &first[i] };
        parts[1][i] = (struct sq_edge_level){ threshold, levels[i].bits + 1 };
        parts[2][i] = (struct sq_edge_level){ threshold, &last[i] };
    }
    mark_words(pixels + SQ_PIXEL_BYTES, 1, parts[0], count);
    mark_words(pixels + (size_t)64 * SQ_PIXEL_BYTES, words - 1, parts[1],
               count);
    mark_words(pixels + (size_t)from * SQ_PIXEL_BYTES, 1, parts[2], count);
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

/* Makes maps of edges, and halves them. */

static bool
alloc_bits(struct sq_edge_map *map, int width, int height, struct sq_err *err) {
    map->width = width;
    map->height = height;
    map->bits =
        sq_mem_alloc(sq_edge_words(width) * (size_t)height, sizeof(*map->bits));
    return map->bits || sq_fail_nomem(err);
}

/* Makes row y of all maps equal to the row above. */
static void
repeat_row(struct sq_edge_map *maps, int count, int y) {
    for (int i = 0; i < count; i++) {
        memcpy(sq_edge_map_row(&maps[i], y), sq_edge_map_row(&maps[i], y - 1),
               sq_edge_words(maps[i].width) * sizeof(*maps[i].bits));
    }
}

bool
sq_edge_maps_init(struct sq_edge_map *maps, const int *thresholds, int count,
                  const struct sq_image *image, struct sq_rect area,
                  struct sq_err *err) {
    int width = area.right - area.left;
    int height = area.bottom - area.top;
    struct sq_edge_level levels[SQ_EDGE_LEVELS];
    const uint8_t *above = NULL;
    for (int i = 0; i < count; i++) {
        if (!alloc_bits(&maps[i], width, height, err)) {
            return false;
        }
    }
    for (int y = 0; y < height; y++) {
        const uint8_t *row = sq_image_row(image, area.top + y)
                           + (size_t)area.left * SQ_PIXEL_BYTES;
        if (y > 0 && memcmp(row, above, (size_t)width * SQ_PIXEL_BYTES) == 0) {
            repeat_row(maps, count, y);
        } else {
            for (int i = 0; i < count; i++) {
                levels[i] =
                    (struct sq_edge_level){ thresholds[i],
                                            sq_edge_map_row(&maps[i], y) };
            }
            sq_edges_row(row, width, levels, count);
        }
        above = row;
    }
    return true;
}

/* Returns the bits of word i that are in the columns from left to right. */
static uint64_t
columns_of_word(int i, int left, int right) {
    int from = sq_max_int(0, left - i * 64);
    int to = sq_min_int(64, right - i * 64);
    return (UINT64_MAX << from) & (UINT64_MAX >> (64 - to));
}

int
sq_edge_map_count(const struct sq_edge_map *map, struct sq_rect box) {
    int count = 0;
    for (int y = box.top; y < box.bottom; y++) {
        const uint64_t *bits = sq_edge_map_row(map, y);
        for (int i = box.left / 64; i * 64 < box.right; i++) {
            count += __builtin_popcountll(
                bits[i] & columns_of_word(i, box.left, box.right));
        }
    }
    return count;
}

void
sq_edge_map_erase(struct sq_edge_map *map, struct sq_rect box) {
    for (int y = box.top; y < box.bottom; y++) {
        uint64_t *bits = sq_edge_map_row(map, y);
        for (int i = box.left / 64; i * 64 < box.right; i++) {
            bits[i] &= ~columns_of_word(i, box.left, box.right);
        }
    }
}

/* Joins pairs of neighbouring bits: bit i of the result is bit 2i or 2i + 1. */
static uint32_t
join_pairs(uint64_t bits) {
    bits = (bits | bits >> 1) & 0x5555555555555555u;
    bits = (bits | bits >> 1) & 0x3333333333333333u;
    bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0fu;
    bits = (bits | bits >> 4) & 0x00ff00ff00ff00ffu;
    bits = (bits | bits >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(bits | bits >> 16);
}

bool
sq_edge_map_halve(const struct sq_edge_map *in, struct sq_edge_map *out,
                  struct sq_err *err) {
    if (!alloc_bits(out, (in->width + 1) / 2, (in->height + 1) / 2, err)) {
        return false;
    }
    size_t words = sq_edge_words(in->width);
    for (int y = 0; y < out->height; y++) {
        const uint64_t *first = sq_edge_map_row(in, 2 * y);
        const uint64_t *second =
            2 * y + 1 < in->height ? sq_edge_map_row(in, 2 * y + 1) : first;
        uint64_t *to = sq_edge_map_row(out, y);
        for (size_t i = 0; i < words; i += 2) {
            uint64_t high =
                i + 1 < words ? join_pairs(first[i + 1] | second[i + 1]) : 0;
            to[i / 2] = high << 32 | join_pairs(first[i] | second[i]);
        }
    }
    return true;
}

void
sq_edge_map_finish(struct sq_edge_map *map) {
    sq_mem_free(map->bits);
    *map = (struct sq_edge_map){ 0 };
}

/* A row between lines has less than this part of the edges of the fullest. */
#define VALLEY 6
#define MIN_ROWS 6 /* of a line */

struct profile {
    int count[SQ_MAX_LINE_HEIGHT];
    int left[SQ_MAX_LINE_HEIGHT];
    int right[SQ_MAX_LINE_HEIGHT];
    int rows;
    int peak;
};

/* Rows from..to, exclusive, without a valley. */
struct band {
    int from;
    int to;
};

static void
measure_row(const uint64_t *bits, size_t words, struct profile *p, int y) {
    p->count[y] = 0;
    p->left[y] = -1;
    p->right[y] = 0;
    for (size_t i = 0; i < words; i++) {
        if (!bits[i]) {
            continue;
        }
        p->count[y] += __builtin_popcountll(bits[i]);
        if (p->left[y] < 0) {
            p->left[y] = (int)i * 64 + __builtin_ctzll(bits[i]);
        }
        p->right[y] = (int)i * 64 + 64 - __builtin_clzll(bits[i]);
    }
    p->peak = sq_max_int(p->peak, p->count[y]);
}

static int
find_bands(const struct profile *p, struct band *bands) {
    int count = 0;
    int from = -1;
    for (int y = 0; y <= p->rows; y++) {
        bool is_full = y < p->rows && p->count[y] * VALLEY >= p->peak;
        if (is_full && from < 0) {
            from = y;
        } else if (!is_full && from >= 0) {
            if (count == SQ_MAX_SPLITS) {
                return 1; /* stripes, not lines */
            }
            bands[count++] = (struct band){ from, y };
            from = -1;
        }
    }
    return count;
}

/* Keeps bands that can be lines: dots and accents are much lower. */
static int
keep_lines(struct band *bands, int count) {
    int highest = 0;
    for (int i = 0; i < count; i++) {
        highest = sq_max_int(highest, bands[i].to - bands[i].from);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int height = bands[i].to - bands[i].from;
        if (height >= MIN_ROWS && height * 10 >= highest * 4) {
            bands[kept++] = bands[i];
        }
    }
    return kept;
}

/* Returns the rows from..to of the box, without empty columns at its ends. */
static struct sq_rect
part_of(struct sq_rect box, const struct profile *p, int from, int to) {
    int left = box.right - box.left;
    int right = 0;
    for (int y = from; y < to; y++) {
        if (p->left[y] >= 0) {
            left = sq_min_int(left, p->left[y]);
            right = sq_max_int(right, p->right[y]);
        }
    }
    return (struct sq_rect){ box.left + left, box.top + from, box.left + right,
                             box.top + to };
}

int
sq_split_rows(const struct sq_image *image, struct sq_rect box, int threshold,
              uint64_t *bits, struct sq_rect out[SQ_MAX_SPLITS]) {
    struct profile p = { .rows = box.bottom - box.top };
    struct band bands[SQ_MAX_SPLITS];
    const struct sq_edge_level level = { threshold, bits };
    int width = box.right - box.left;
    out[0] = box;
    if (p.rows < 2 * MIN_ROWS + 1 || p.rows > SQ_MAX_LINE_HEIGHT) {
        return 1;
    }
    for (int y = 0; y < p.rows; y++) {
        const uint8_t *row = sq_image_row(image, box.top + y)
                           + (size_t)box.left * SQ_PIXEL_BYTES;
        sq_edges_row(row, width, &level, 1);
        measure_row(bits, sq_edge_words(width), &p, y);
    }
    int count = keep_lines(bands, find_bands(&p, bands));
    if (count < 2) {
        return 1;
    }
    int from = 0;
    for (int i = 0; i < count; i++) {
        int to = i + 1 < count ? (bands[i].to + bands[i + 1].from) / 2 : p.rows;
        out[i] = part_of(box, &p, from, to);
        from = to;
    }
    return count;
}
