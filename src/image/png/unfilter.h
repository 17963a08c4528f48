/* Reverses PNG's row filters. */
#ifndef SQ_IMAGE_PNG_UNFILTER_H
#define SQ_IMAGE_PNG_UNFILTER_H

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
 * Converts count residual bytes to a row, for any pixel size. above is the row
 * above (zeros for the first row). row may equal residual.
 */
void sq_unfilter_row(enum sq_png_filter filter, const uint8_t *residual,
                     const uint8_t *above, uint8_t *row, size_t count,
                     size_t pixel_bytes);

/*
 * Like sq_unfilter_row, for four-byte pixels and with the fastest code for this
 * machine. row must not overlap residual.
 */
void sq_unfilter_row4(enum sq_png_filter filter, const uint8_t *residual,
                      const uint8_t *above, uint8_t *row, size_t pixels);

/* The number of rows that sq_unfilter_paeth_rows processes. */
#define SQ_PAETH_ROWS 4

/*
 * Unfilters four consecutive Paeth rows of four-byte pixels together. Returns
 * false, and does nothing, if this is not faster on this machine.
 */
bool sq_unfilter_paeth_rows(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);

/*
 * Returns whether all bytes are zero. With filter Up the row then equals the
 * one above.
 */
bool sq_all_zero(const uint8_t *bytes, size_t count);

#endif
