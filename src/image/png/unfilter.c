/* Reverses PNG filters in scalar code, and chooses the variant. */
#include "image/png/private.h"

#include <stdlib.h>
#include <string.h>

#include "image/pipeline/cpu.h"

#define PAETH_ROWS_MIN 16 /* minimum row width for four rows together */

static uint8_t
paeth(int a, int b, int c) {
    int pa = abs(b - c);
    int pb = abs(a - c);
    int pc = abs(a + b - 2 * c);
    if (pa <= pb && pa <= pc) {
        return (uint8_t)a;
    }
    return (uint8_t)(pb <= pc ? b : c);
}

static void
undo_none(const uint8_t *residual, const uint8_t *above, uint8_t *row,
          size_t count, size_t pixel_bytes) {
    (void)above;
    (void)pixel_bytes;
    memmove(row, residual, count);
}

static void
undo_sub(const uint8_t *residual, const uint8_t *above, uint8_t *row,
         size_t count, size_t pixel_bytes) {
    (void)above;
    for (size_t i = 0; i < count; i++) {
        int left = i < pixel_bytes ? 0 : row[i - pixel_bytes];
        row[i] = (uint8_t)(residual[i] + left);
    }
}

static void
undo_up(const uint8_t *residual, const uint8_t *above, uint8_t *row,
        size_t count, size_t pixel_bytes) {
    (void)pixel_bytes;
    for (size_t i = 0; i < count; i++) {
        row[i] = (uint8_t)(residual[i] + above[i]);
    }
}

static void
undo_average(const uint8_t *residual, const uint8_t *above, uint8_t *row,
             size_t count, size_t pixel_bytes) {
    for (size_t i = 0; i < count; i++) {
        int left = i < pixel_bytes ? 0 : row[i - pixel_bytes];
        row[i] = (uint8_t)(residual[i] + (left + above[i]) / 2);
    }
}

static void
undo_paeth(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t count, size_t pixel_bytes) {
    size_t i = 0;
    for (; i < count && i < pixel_bytes; i++) {
        row[i] = (uint8_t)(residual[i] + above[i]);
    }
    for (; i < count; i++) {
        size_t left = i - pixel_bytes;
        row[i] =
            (uint8_t)(residual[i] + paeth(row[left], above[i], above[left]));
    }
}

typedef void (*undo_any)(const uint8_t *residual, const uint8_t *above,
                         uint8_t *row, size_t count, size_t pixel_bytes);

static const undo_any undo[SQ_PNG_FILTERS] = {
    [SQ_PNG_NONE] = undo_none,   [SQ_PNG_SUB] = undo_sub,
    [SQ_PNG_UP] = undo_up,       [SQ_PNG_AVERAGE] = undo_average,
    [SQ_PNG_PAETH] = undo_paeth,
};

void
sq_unfilter_row(enum sq_png_filter filter, const uint8_t *residual,
                const uint8_t *above, uint8_t *row, size_t count,
                size_t pixel_bytes) {
    undo[filter](residual, above, row, count, pixel_bytes);
}

void
sq_unfilter_row4(enum sq_png_filter filter, const uint8_t *residual,
                 const uint8_t *above, uint8_t *row, size_t pixels) {
    if (sq_cpu_level() > SQ_CPU_SCALAR && filter != SQ_PNG_NONE) {
        sq_unfilter_vector[filter](residual, above, row, pixels);
        return;
    }
    undo[filter](residual, above, row, pixels * 4, 4);
}

bool
sq_unfilter_paeth_rows(const uint8_t *const residual[SQ_PAETH_ROWS],
                       const uint8_t *above, uint8_t *const row[SQ_PAETH_ROWS],
                       size_t pixels) {
    if (sq_cpu_level() == SQ_CPU_SCALAR || pixels < PAETH_ROWS_MIN) {
        return false;
    }
    sq_unfilter_paeth_wave(residual, above, row, pixels);
    return true;
}

bool
sq_all_zero(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        uint64_t words[8];
        memcpy(words, bytes + i, sizeof(words));
        uint64_t any = 0;
        for (int k = 0; k < 8; k++) {
            any |= words[k];
        }
        if (any) {
            return false;
        }
    }
    for (; i < count; i++) {
        if (bytes[i]) {
            return false;
        }
    }
    return true;
}
