/* Streams of rows of every shape are inflated again by libdeflate. */
#include "image/png/private.h"

#include <libdeflate.h>

#include "support/test.h"
#include "util/limits.h"

enum look {
    LOOK_ZERO,
    LOOK_NOISE,
    LOOK_RUNS,
    LOOK_REPEATED, /* at distances up to more than the longest */
    LOOK_SKEWED,   /* counts like Fibonacci numbers: the longest codes */
    LOOKS,
};

static uint8_t
skewed(void) {
    uint8_t byte = 0;
    while (byte < 40 && t_random_between(0, 99) < 62) {
        byte++;
    }
    return byte;
}

/* Fills a row whose first byte is a filter; returns whether the rest is zero.
 */
static bool
fill(enum look look, const uint8_t *all, size_t made, uint8_t *row,
     size_t line) {
    bool is_zero = look == LOOK_ZERO || t_random_between(0, 3) == 0;
    size_t back = (size_t)t_random_between(1, 40000);
    row[0] = (uint8_t)t_random_between(0, 2);
    for (size_t i = 1; i < line; i++) {
        bool goes_on = t_random_between(0, 300) > 0;
        row[i] = is_zero             ? 0
               : look == LOOK_NOISE  ? (uint8_t)t_random()
               : look == LOOK_SKEWED ? skewed()
               : look == LOOK_RUNS ? goes_on ? row[i - 1] : (uint8_t)t_random()
               : made + i > back ? all[made + i - back]
                                   : (uint8_t)(i / 3);
    }
    return is_zero;
}

static void
check_stream(enum look look, size_t line, int rows) {
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    size_t bytes = line * (size_t)rows;
    uint8_t *want = malloc(bytes);
    uint8_t *back = malloc(bytes);
    struct sq_deflate *deflate = sq_deflate_begin(&out, line, &t_err);
    if (!T(want && back && deflate)) {
        return;
    }
    for (int y = 0; y < rows; y++) {
        uint8_t *row = want + (size_t)y * line;
        bool is_zero = fill(look, want, (size_t)y * line, row, line);
        memcpy(sq_deflate_space(deflate), row, line);
        T_OK(sq_deflate_row(deflate, is_zero, &t_err));
    }
    T_OK(sq_deflate_end(deflate, &t_err));
    sq_deflate_finish(deflate);
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    size_t made = 0;
    T_INT(libdeflate_zlib_decompress(inflate, out.data, out.len, back, bytes,
                                     &made),
          LIBDEFLATE_SUCCESS);
    T_BYTES(back, made, want, bytes);
    libdeflate_free_decompressor(inflate);
    free(want);
    free(back);
}

T_CASE(rows_of_every_shape_are_inflated_again) {
    static const struct {
        size_t line;
        int rows;
    } shapes[] = { { 4, 1 },    { 4, 50 },    { 7, 1000 },  { 261, 40 },
                   { 262, 40 }, { 600, 400 }, { 5761, 60 }, { 49153, 7 } };
    for (int look = 0; look < LOOKS; look++) {
        for (size_t s = 0; s < SQ_COUNT(shapes); s++) {
            check_stream((enum look)look, shapes[s].line, shapes[s].rows);
        }
    }
}

/* A picture of one colour takes few bytes. */
T_CASE(zero_rows_are_cheap) {
    T_BUF(out, SQ_MAX_IMAGE_BYTES);
    struct sq_deflate *deflate = sq_deflate_begin(&out, 5761, &t_err);
    for (int y = 0; T(deflate != NULL) && y < 1000; y++) {
        memset(sq_deflate_space(deflate), 0, 5761);
        T_OK(sq_deflate_row(deflate, true, &t_err));
    }
    T_OK(sq_deflate_end(deflate, &t_err));
    T(out.len < 10000);
    sq_deflate_finish(deflate);
}
