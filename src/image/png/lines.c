/* Unfilters PNG rows one by one or in batches. */
#include "image/png/private.h"

#include <string.h>

#include "util/mem.h"

/* Up to one batch of rows is decoded ahead of the returned row. */
#define ROWS_HELD (SQ_PNG_KEEPS + SQ_PNG_BATCH)

static uint8_t *
next_row(struct sq_png_ring *ring) {
    uint8_t *row = ring->rows + (size_t)ring->next * ring->row_bytes;
    ring->next = (ring->next + 1) % ring->count;
    return row;
}

static void
return_rows(struct sq_png_ring *ring, int count) {
    ring->next = (ring->next + ring->count - count) % ring->count;
}

/*
 * Returns memory for an output row. Clears the slack after its pixels, which is
 * read too.
 */
static uint8_t *
next_converted(struct sq_png_lines *lines) {
    uint8_t *row = next_row(&lines->converted);
    memset(row + (size_t)lines->width * SQ_PIXEL_BYTES, 0, SQ_ROW_SLACK);
    return row;
}

static void
emit_row(struct sq_png_lines *lines, const uint8_t *pixels) {
    lines->last = (struct sq_row){ pixels, false };
    lines->batch[lines->batch_count++] = lines->last;
}

static void
repeat_row(struct sq_png_lines *lines) {
    lines->last.same = true;
    lines->batch[lines->batch_count++] = lines->last;
}

static bool
check_filter(unsigned filter, struct sq_err *err) {
    return filter < SQ_PNG_FILTERS
        || sq_fail(err, SQ_ERR_FORMAT, "PNG: unknown row filter %u", filter);
}

/* Decodes one row of any format. */
static bool
decode_row(struct sq_png_lines *lines, struct sq_err *err) {
    const uint8_t *bytes = lines->unread;
    if (!check_filter(bytes[0], err)) {
        return false;
    }
    uint8_t *stored = next_row(&lines->stored);
    sq_unfilter_row((enum sq_png_filter)bytes[0], bytes + 1, lines->above[0],
                    stored, lines->row_bytes, lines->png->header.pixel_bytes);
    lines->unread += lines->row_bytes + 1;
    if (lines->decoded > 0
        && memcmp(stored, lines->above[0], lines->row_bytes) == 0) {
        return_rows(&lines->stored, 1);
        repeat_row(lines);
        return true;
    }
    uint8_t *pixels = next_converted(lines);
    if (!sq_png_expand(&lines->expander, stored, lines->width, pixels, err)) {
        return false;
    }
    lines->above[0] = stored;
    emit_row(lines, pixels);
    return true;
}

/* The residuals of a batch, as pointers to four-byte pixels of each plane. */
struct residuals {
    int count;
    enum sq_png_filter filter[SQ_PNG_BATCH];
    const uint8_t *bytes[2][SQ_PNG_BATCH];
    bool zero[SQ_PNG_BATCH]; /* Up with all zeros: the row repeats */
};

/* Expands the residuals of row i to four bytes per pixel, if necessary. */
static void
spread(struct sq_png_lines *lines, struct residuals *r, int i,
       const uint8_t *bytes) {
    size_t pixels = (size_t)lines->width;
    bool has_alpha = lines->png->header.colour == SQ_PNG_RGBA;
    if (!lines->scratch) {
        r->bytes[0][i] = bytes;
        return;
    }
    uint8_t *upper =
        lines->scratch + (size_t)(i * lines->planes) * lines->stored.row_bytes;
    r->bytes[0][i] = upper;
    if (lines->method == SQ_PNG_PIXELS) {
        sq_spread_rgb(bytes, upper, pixels);
        return;
    }
    uint8_t *lower = upper + lines->stored.row_bytes;
    r->bytes[1][i] = lower;
    if (has_alpha) {
        sq_split_rgba16(bytes, upper, lower, pixels);
    } else {
        sq_split_rgb16(bytes, upper, lower, pixels);
    }
}

static bool
collect_residuals(struct sq_png_lines *lines, struct residuals *r,
                  struct sq_err *err) {
    size_t row_bytes = lines->row_bytes;
    int left = lines->height - lines->decoded;
    r->count = left < SQ_PNG_BATCH ? left : SQ_PNG_BATCH;
    for (int i = 0; i < r->count; i++) {
        unsigned filter = lines->unread[0];
        const uint8_t *bytes = lines->unread + 1;
        if (!check_filter(filter, err)) {
            return false;
        }
        r->filter[i] = (enum sq_png_filter)filter;
        r->zero[i] = filter == SQ_PNG_UP && lines->decoded + i > 0
                  && sq_all_zero(bytes, row_bytes);
        if (!r->zero[i]) {
            spread(lines, r, i, bytes);
        }
        lines->unread += row_bytes + 1;
    }
    return true;
}

static bool
is_paeth_run(const struct residuals *r, int from) {
    if (from + SQ_PAETH_ROWS > r->count) {
        return false;
    }
    for (int i = from; i < from + SQ_PAETH_ROWS; i++) {
        if (r->filter[i] != SQ_PNG_PAETH) {
            return false;
        }
    }
    return true;
}

/*
 * Unfilters up to four rows of one plane from residual i on; returns how many.
 */
static int
unfilter_some(struct sq_png_lines *lines, const struct residuals *r, int i,
              int plane, uint8_t *rows[SQ_PAETH_ROWS]) {
    size_t pixels = (size_t)lines->width;
    const uint8_t *const *bytes = r->bytes[plane] + i;
    if (is_paeth_run(r, i)) {
        for (int k = 0; k < SQ_PAETH_ROWS; k++) {
            rows[k] = next_row(&lines->stored);
        }
        if (sq_unfilter_paeth_rows(bytes, lines->above[plane], rows, pixels)) {
            lines->above[plane] = rows[SQ_PAETH_ROWS - 1];
            return SQ_PAETH_ROWS;
        }
        return_rows(&lines->stored, SQ_PAETH_ROWS);
    }
    rows[0] = next_row(&lines->stored);
    sq_unfilter_row4(r->filter[i], bytes[0], lines->above[plane], rows[0],
                     pixels);
    lines->above[plane] = rows[0];
    return 1;
}

/* Outputs a row of one or two planes, composed over black. */
static void
emit_planes(struct sq_png_lines *lines, const uint8_t *upper,
            const uint8_t *lower) {
    size_t pixels = (size_t)lines->width;
    const uint8_t *converted = upper;
    if (lower) {
        uint8_t *rounded = next_converted(lines);
        sq_round_rgba16(upper, lower, rounded, pixels);
        converted = rounded;
    }
    if (lines->png->header.colour == SQ_PNG_RGBA
        && !sq_row_is_opaque(converted, pixels)) {
        uint8_t *composed = next_converted(lines);
        sq_row_over_black(converted, composed, pixels);
        converted = composed;
    }
    emit_row(lines, converted);
}

/* Decodes a batch of rows with four bytes per pixel, in one or two planes. */
static bool
decode_batch(struct sq_png_lines *lines, struct sq_err *err) {
    struct residuals residuals;
    if (!collect_residuals(lines, &residuals, err)) {
        return false;
    }
    /*
     * Rows at the end of a batch that start an incomplete group of Paeth rows:
     * the next batch will contain the whole group.
     */
    int run = 0;
    while (run < residuals.count
           && residuals.filter[residuals.count - 1 - run] == SQ_PNG_PAETH) {
        run++;
    }
    int partial = run % SQ_PAETH_ROWS;
    bool last = lines->decoded + residuals.count == lines->height;
    if (!last && partial < residuals.count) {
        residuals.count -= partial;
        lines->unread -= (size_t)partial * (lines->row_bytes + 1);
    }
    for (int i = 0; i < residuals.count;) {
        uint8_t *upper[SQ_PAETH_ROWS];
        uint8_t *lower[SQ_PAETH_ROWS] = { NULL };
        if (residuals.zero[i]) {
            repeat_row(lines);
            i++;
            continue;
        }
        int count = unfilter_some(lines, &residuals, i, 0, upper);
        if (lines->planes == 2) {
            unfilter_some(lines, &residuals, i, 1, lower);
        }
        for (int k = 0; k < count; k++) {
            emit_planes(lines, upper[k], lower[k]);
        }
        i += count;
    }
    return true;
}

bool
sq_png_lines_next(struct sq_png_lines *lines, struct sq_row *row,
                  struct sq_err *err) {
    if (lines->batch_taken == lines->batch_count) {
        lines->batch_taken = 0;
        lines->batch_count = 0;
        bool ok = lines->method == SQ_PNG_ANY ? decode_row(lines, err)
                                              : decode_batch(lines, err);
        if (!ok) {
            return false;
        }
        lines->decoded += lines->batch_count;
    }
    *row = lines->batch[lines->batch_taken++];
    return true;
}

void
sq_png_lines_start(struct sq_png_lines *lines, int width, int height) {
    lines->width = width;
    lines->height = height;
    lines->row_bytes = sq_png_row_bytes(&lines->png->header, width);
    lines->batch_count = 0;
    lines->batch_taken = 0;
    lines->decoded = 0;
    for (int i = 0; i < lines->planes; i++) {
        uint8_t *zeros = next_row(&lines->stored);
        memset(zeros, 0, lines->stored.row_bytes);
        lines->above[i] = zeros;
    }
}

static enum sq_png_method
choose_method(const struct sq_png *png) {
    const struct sq_png_header *header = &png->header;
    if (header->depth < 8 || png->has_key
        || (header->colour != SQ_PNG_RGBA && header->colour != SQ_PNG_RGB)) {
        return SQ_PNG_ANY;
    }
    return header->depth == 8 ? SQ_PNG_PIXELS : SQ_PNG_DEEP;
}

static size_t
with_slack(size_t bytes) {
    return (bytes + SQ_ROW_SLACK + 63) & ~(size_t)63;
}

/*
 * Computes the ring sizes. Opaque stored rows of a single plane are returned as
 * they are. Others are only needed until they are converted: the row above, and
 * up to four more of each plane.
 */
static void
size_rings(struct sq_png_lines *lines) {
    const struct sq_png_header *header = &lines->png->header;
    size_t pixels = (size_t)header->width * SQ_PIXEL_BYTES;
    size_t stored = sq_png_row_bytes(header, header->width);
    lines->converted.row_bytes = with_slack(pixels);
    lines->converted.count = lines->planes * ROWS_HELD;
    switch (lines->method) {
    case SQ_PNG_ANY:
        lines->stored.row_bytes = with_slack(stored);
        lines->stored.count = 2;
        break;
    case SQ_PNG_PIXELS:
        lines->stored.row_bytes = with_slack(pixels);
        lines->stored.count = ROWS_HELD + 1;
        break;
    case SQ_PNG_DEEP:
        lines->stored.row_bytes = with_slack(pixels);
        lines->stored.count = 2 * (SQ_PAETH_ROWS + 1);
        break;
    }
}

bool
sq_png_lines_init(struct sq_png_lines *lines, const struct sq_png *png,
                  const uint8_t *residuals, struct sq_err *err) {
    lines->png = png;
    lines->unread = residuals;
    lines->method = choose_method(png);
    lines->planes = lines->method == SQ_PNG_DEEP ? 2 : 1;
    size_rings(lines);
    lines->stored.rows = sq_mem_zalloc_aligned((size_t)lines->stored.count,
                                               lines->stored.row_bytes);
    /* Screenshots are opaque and never touch the pages of this memory. */
    lines->converted.rows = sq_mem_alloc_aligned((size_t)lines->converted.count
                                                 * lines->converted.row_bytes);
    bool spreads =
        lines->method == SQ_PNG_DEEP
        || (lines->method == SQ_PNG_PIXELS && png->header.colour == SQ_PNG_RGB);
    if (spreads) {
        lines->scratch = sq_mem_alloc_aligned(
            (size_t)(SQ_PNG_BATCH * lines->planes) * lines->stored.row_bytes);
    }
    sq_png_expander_init(&lines->expander, png);
    return (lines->stored.rows && lines->converted.rows
            && (lines->scratch || !spreads))
        || sq_fail_nomem(err);
}

void
sq_png_lines_finish(struct sq_png_lines *lines) {
    sq_mem_free(lines->stored.rows);
    sq_mem_free(lines->converted.rows);
    sq_mem_free(lines->scratch);
    lines->stored.rows = NULL;
    lines->converted.rows = NULL;
    lines->scratch = NULL;
}
