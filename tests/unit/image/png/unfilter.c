#include "image/png/private.h"

#include "image/pipeline/cpu.h"
#include "support/test.h"

enum look { LOOK_NOISE, LOOK_SCREEN, LOOK_ZERO, LOOKS };

/* Exactly as long as requested, so that the sanitizer sees an overrun. */
static uint8_t *
make_row(enum look look, size_t count) {
    uint8_t *row = malloc(count ? count : 1);
    uint8_t last = 0;
    for (size_t i = 0; T(row != NULL) && i < count; i++) {
        bool changes = look == LOOK_NOISE || t_random() % 24 == 0;
        if (changes && look != LOOK_ZERO) {
            last = (uint8_t)t_random();
        }
        row[i] = look == LOOK_SCREEN && !changes ? 0 : last;
    }
    return row;
}

static uint8_t
predict_paeth(int a, int b, int c) {
    int p = a + b - c;
    int pa = abs(p - a);
    int pb = abs(p - b);
    int pc = abs(p - c);
    int best = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    return (uint8_t)best;
}

/* The specification: section 9 of the PNG standard. */
static uint8_t
predict(int filter, int a, int b, int c) {
    const uint8_t guesses[SQ_PNG_FILTERS] = {
        [SQ_PNG_SUB] = (uint8_t)a,
        [SQ_PNG_UP] = (uint8_t)b,
        [SQ_PNG_AVERAGE] = (uint8_t)((a + b) / 2),
        [SQ_PNG_PAETH] = predict_paeth(a, b, c),
    };
    return guesses[filter];
}

static void
undo_by_specification(int filter, const uint8_t *residual, const uint8_t *above,
                      uint8_t *row, size_t count, size_t pixel_bytes) {
    for (size_t i = 0; i < count; i++) {
        bool first = i < pixel_bytes;
        int a = first ? 0 : row[i - pixel_bytes];
        int c = first ? 0 : above[i - pixel_bytes];
        row[i] = (uint8_t)(residual[i] + predict(filter, a, above[i], c));
    }
}

static void
check_any(int filter, enum look look, size_t pixels, size_t pixel_bytes) {
    size_t count = pixels * pixel_bytes;
    uint8_t *residual = make_row(look, count);
    uint8_t *above = make_row(t_random() % 2 ? LOOK_NOISE : look, count);
    uint8_t *want = make_row(LOOK_ZERO, count);
    uint8_t *got = make_row(LOOK_NOISE, count);
    undo_by_specification(filter, residual, above, want, count, pixel_bytes);
    sq_unfilter_row((enum sq_png_filter)filter, residual, above, got, count,
                    pixel_bytes);
    T_BYTES(got, count, want, count);
    /* In place of the residuals. */
    sq_unfilter_row((enum sq_png_filter)filter, residual, above, residual,
                    count, pixel_bytes);
    T_BYTES(residual, count, want, count);
    free(residual);
    free(above);
    free(want);
    free(got);
}

T_CASE(every_filter_and_pixel_size) {
    for (int filter = 0; filter < SQ_PNG_FILTERS; filter++) {
        for (size_t pixel_bytes = 1; pixel_bytes <= 8; pixel_bytes++) {
            for (size_t pixels = 0; pixels <= 40; pixels++) {
                check_any(filter, (enum look)(pixels % LOOKS), pixels,
                          pixel_bytes);
            }
            check_any(filter, LOOK_NOISE, 5000, pixel_bytes);
        }
    }
}

static void
check_four(int filter, enum look look, size_t pixels) {
    size_t count = pixels * 4;
    uint8_t *residual = make_row(look, count);
    uint8_t *above = make_row((enum look)(t_random() % LOOKS), count);
    uint8_t *want = make_row(LOOK_ZERO, count);
    undo_by_specification(filter, residual, above, want, count, 4);
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        uint8_t *got = make_row(LOOK_NOISE, count);
        sq_cpu_limit((enum sq_cpu)level);
        sq_unfilter_row4((enum sq_png_filter)filter, residual, above, got,
                         pixels);
        T_BYTES(got, count, want, count);
        free(got);
    }
    sq_cpu_limit(SQ_CPU_BEST);
    free(residual);
    free(above);
    free(want);
}

T_CASE(four_byte_pixels_at_every_cpu_level) {
    static const size_t large[] = { 255, 1080, 1081, 4096, 16384 };
    for (int filter = 0; filter < SQ_PNG_FILTERS; filter++) {
        for (int look = 0; look < LOOKS; look++) {
            for (size_t pixels = 1; pixels <= 70; pixels++) {
                for (int round = 0; round < 4; round++) {
                    check_four(filter, (enum look)look, pixels);
                }
            }
            for (size_t i = 0; i < SQ_COUNT(large); i++) {
                check_four(filter, (enum look)look, large[i]);
            }
        }
    }
}

struct wave {
    size_t pixels;
    const uint8_t *above;
    const uint8_t *residual[SQ_PAETH_ROWS];
    uint8_t *row[SQ_PAETH_ROWS];
    uint8_t *owned[2 * SQ_PAETH_ROWS + 1];
};

static void
wave_init(struct wave *w, enum look look, size_t pixels) {
    w->pixels = pixels;
    for (int i = 0; i < SQ_PAETH_ROWS; i++) {
        enum look own = t_random() % 3 ? look : LOOK_ZERO;
        w->owned[i] = make_row(own, pixels * 4);
        w->residual[i] = w->owned[i];
        w->row[i] = make_row(LOOK_NOISE, pixels * 4);
        w->owned[SQ_PAETH_ROWS + i] = w->row[i];
    }
    w->owned[2 * SQ_PAETH_ROWS] =
        make_row((enum look)(t_random() % LOOKS), pixels * 4);
    w->above = w->owned[2 * SQ_PAETH_ROWS];
}

static void
wave_finish(struct wave *w) {
    for (size_t i = 0; i < sizeof(w->owned) / sizeof(w->owned[0]); i++) {
        free(w->owned[i]);
    }
}

static void
check_wave(const struct wave *w) {
    const uint8_t *above = w->above;
    for (int i = 0; i < SQ_PAETH_ROWS; i++) {
        uint8_t *want = make_row(LOOK_ZERO, w->pixels * 4);
        undo_by_specification(SQ_PNG_PAETH, w->residual[i], above, want,
                              w->pixels * 4, 4);
        T_BYTES(w->row[i], w->pixels * 4, want, w->pixels * 4);
        free(want);
        above = w->row[i];
    }
}

/* At CPU levels without a fast path nothing is done. */
static void
check_untouched(struct wave *w) {
    uint8_t *before[SQ_PAETH_ROWS];
    for (int i = 0; i < SQ_PAETH_ROWS; i++) {
        before[i] = malloc(w->pixels * 4);
        memcpy(before[i], w->row[i], w->pixels * 4);
    }
    T(!sq_unfilter_paeth_rows(w->residual, w->above, w->row, w->pixels));
    for (int i = 0; i < SQ_PAETH_ROWS; i++) {
        T_BYTES(w->row[i], w->pixels * 4, before[i], w->pixels * 4);
        free(before[i]);
    }
}

T_CASE(four_paeth_rows_together) {
    int waves = 0;
    for (size_t pixels = 1; pixels <= 90; pixels++) {
        for (int look = 0; look < LOOKS; look++) {
            for (int round = 0; round < 6; round++) {
                struct wave w;
                wave_init(&w, (enum look)look, pixels);
                sq_cpu_limit(SQ_CPU_SCALAR);
                check_untouched(&w);
                sq_cpu_limit(SQ_CPU_BEST);
                if (sq_unfilter_paeth_rows(w.residual, w.above, w.row,
                                           pixels)) {
                    check_wave(&w);
                    waves++;
                }
                wave_finish(&w);
            }
        }
    }
    T(waves > 0 || sq_cpu_level() == SQ_CPU_SCALAR);
}

/*
 * Every left, upper and upper left byte: a row of pixels whose upper ones
 * alternate between two values, while the left one takes all values.
 */
#define TRIPLE_PIXELS 128

static void
make_triples(int b, int c, uint8_t *above, uint8_t *row) {
    for (int x = 0; x < TRIPLE_PIXELS; x++) {
        for (int channel = 0; channel < 4; channel++) {
            above[x * 4 + channel] = (uint8_t)(x % 2 ? b : c);
            row[x * 4 + channel] = (uint8_t)(x / 2 * 4 + channel);
        }
    }
}

static void
check_triples(const uint8_t *row, const uint8_t *above) {
    uint8_t residual[TRIPLE_PIXELS * 4];
    uint8_t got[TRIPLE_PIXELS * 4];
    for (int i = 0; i < TRIPLE_PIXELS * 4; i++) {
        int a = i < 4 ? 0 : row[i - 4];
        int c = i < 4 ? 0 : above[i - 4];
        residual[i] = (uint8_t)(row[i] - predict_paeth(a, above[i], c));
    }
    sq_unfilter_row4(SQ_PNG_PAETH, residual, above, got, TRIPLE_PIXELS);
    T(memcmp(got, row, sizeof(got)) == 0);
    /* The other rows of the wave repeat this one in their own way. */
    uint8_t zero[TRIPLE_PIXELS * 4] = { 0 };
    uint8_t more[3][TRIPLE_PIXELS * 4];
    const uint8_t *residuals[SQ_PAETH_ROWS] = { residual, zero, zero, zero };
    uint8_t *rows[SQ_PAETH_ROWS] = { got, more[0], more[1], more[2] };
    memset(got, 0, sizeof(got));
    if (sq_unfilter_paeth_rows(residuals, above, rows, TRIPLE_PIXELS)) {
        T(memcmp(got, row, sizeof(got)) == 0);
    }
}

T_CASE(every_triple_of_neighbours) {
    for (int b = 0; b < 256; b++) {
        for (int c = 0; c < 256; c++) {
            uint8_t above[TRIPLE_PIXELS * 4];
            uint8_t row[TRIPLE_PIXELS * 4];
            make_triples(b, c, above, row);
            check_triples(row, above);
        }
    }
}

T_CASE(zero_rows_are_detected) {
    for (size_t count = 0; count <= 300; count++) {
        uint8_t *bytes = calloc(count + 1, 1);
        if (!T(bytes != NULL)) {
            return;
        }
        bytes[count] = 1; /* after the end */
        T(sq_all_zero(bytes, count));
        for (size_t i = 0; i < count; i++) {
            bytes[i] = (uint8_t)(1 << t_random() % 8);
            T(!sq_all_zero(bytes, count));
            bytes[i] = 0;
        }
        free(bytes);
    }
}
