/* Undo PNG's row filters. */
#ifndef SQ_IMAGE_UNFILTER_H
#define SQ_IMAGE_UNFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sq_png_filter {
    SQ_PNG_NONE,
    SQ_PNG_SUB,
    SQ_PNG_UP,
    SQ_PNG_AVERAGE,
    SQ_PNG_PAETH,
    SQ_PNG_FILTERS,
};

/*
 * Any pixel size. Turns count residual bytes into a row, given the row above
 * (zeros above the first). row may be the residuals themselves.
 */
void sq_unfilter_row(enum sq_png_filter filter, const uint8_t *residual,
                     const uint8_t *above, uint8_t *row, size_t count,
                     size_t pixel_bytes);

/*
 * Pixels of four bytes, by the fastest code of this machine. Unlike above,
 * row must not overlap the residuals.
 */
void sq_unfilter_row4(enum sq_png_filter filter, const uint8_t *residual,
                      const uint8_t *above, uint8_t *row, size_t pixels);

/* How many Paeth rows sq_unfilter_paeth_rows takes at once. */
#define SQ_PAETH_ROWS 4

/*
 * Four consecutive Paeth rows of four-byte pixels together, where the machine
 * gains from it: returns false (and does nothing) where it does not.
 */
bool sq_unfilter_paeth_rows(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);

/* Whether all bytes are zero; with filter Up the row then repeats. */
bool sq_all_zero(const uint8_t *bytes, size_t count);

#endif
