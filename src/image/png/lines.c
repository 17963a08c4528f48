/* Unfilters PNG rows one by one or in batches. */
#include "image/png/lines.h"

#include <string.h>

#include "image/png/unfilter.h"
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
next_converted(struct sq_png_lines *self) {
    uint8_t *row = next_row(&self->converted);
    memset(row + (size_t)self->width * SQ_PIXEL_BYTES, 0, SQ_ROW_SLACK);
    return row;
}

static void
emit_row(struct sq_png_lines *self, const uint8_t *pixels) {
    self->last = (struct sq_row){ pixels, false };
    self->batch[self->batch_count++] = self->last;
}

static void
repeat_row(struct sq_png_lines *self) {
    self->last.same = true;
    self->batch[self->batch_count++] = self->last;
}

static bool
check_filter(unsigned filter, struct sq_err *err) {
    return filter < SQ_PNG_FILTERS
        || sq_fail(err, SQ_ERR_FORMAT, "PNG: unknown row filter %u", filter);
}

/* Decodes one row of any format. */
static bool
decode_row(struct sq_png_lines *self, struct sq_err *err) {
    struct sq_png_data *data = self->data;
    if (!sq_png_data_need(data, self->row_bytes + 1, err)
        || !check_filter(data->unread[0], err)) {
        return false;
    }
    uint8_t *stored = next_row(&self->stored);
    sq_unfilter_row((enum sq_png_filter)data->unread[0], data->unread + 1,
                    self->above[0], stored, self->row_bytes,
                    self->png->header.pixel_bytes);
    data->unread += self->row_bytes + 1;
    if (self->decoded > 0
        && memcmp(stored, self->above[0], self->row_bytes) == 0) {
        return_rows(&self->stored, 1);
        repeat_row(self);
        return true;
    }
    uint8_t *pixels = next_converted(self);
    if (!sq_png_expand(&self->expander, stored, self->width, pixels, err)) {
        return false;
    }
    self->above[0] = stored;
    emit_row(self, pixels);
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
spread(struct sq_png_lines *self, struct residuals *r, int i,
       const uint8_t *bytes) {
    size_t pixels = (size_t)self->width;
    bool has_alpha = self->png->header.colour == SQ_PNG_RGBA;
    if (!self->scratch) {
        r->bytes[0][i] = bytes;
        return;
    }
    uint8_t *upper =
        self->scratch + (size_t)(i * self->planes) * self->stored.row_bytes;
    r->bytes[0][i] = upper;
    if (self->method == SQ_PNG_PIXELS) {
        sq_spread_rgb(bytes, upper, pixels);
        return;
    }
    uint8_t *lower = upper + self->stored.row_bytes;
    r->bytes[1][i] = lower;
    if (has_alpha) {
        sq_split_rgba16(bytes, upper, lower, pixels);
    } else {
        sq_split_rgb16(bytes, upper, lower, pixels);
    }
}

static bool
collect_residuals(struct sq_png_lines *self, struct residuals *r,
                  struct sq_err *err) {
    struct sq_png_data *data = self->data;
    size_t row_bytes = self->row_bytes;
    if (!sq_png_data_need(data, row_bytes + 1, err)) {
        return false;
    }
    size_t available = (size_t)(data->end - data->unread) / (row_bytes + 1);
    int left = self->height - self->decoded;
    r->count = left < SQ_PNG_BATCH ? left : SQ_PNG_BATCH;
    if ((size_t)r->count > available) {
        r->count = (int)available;
    }
    for (int i = 0; i < r->count; i++) {
        unsigned filter = data->unread[0];
        const uint8_t *bytes = data->unread + 1;
        if (!check_filter(filter, err)) {
            return false;
        }
        r->filter[i] = (enum sq_png_filter)filter;
        r->zero[i] = filter == SQ_PNG_UP && self->decoded + i > 0
                  && sq_all_zero(bytes, row_bytes);
        if (!r->zero[i]) {
            spread(self, r, i, bytes);
        }
        data->unread += row_bytes + 1;
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
 * Returns rows at the end of a batch that start an incomplete group of Paeth
 * rows: the next batch will contain the whole group.
 */
static void
leave_partial_group(struct sq_png_lines *self, struct residuals *r) {
    int run = 0;
    while (run < r->count && r->filter[r->count - 1 - run] == SQ_PNG_PAETH) {
        run++;
    }
    int partial = run % SQ_PAETH_ROWS;
    bool last = self->decoded + r->count == self->height;
    if (!last && partial < r->count) {
        r->count -= partial;
        self->data->unread -= (size_t)partial * (self->row_bytes + 1);
    }
}

/*
 * Unfilters up to four rows of one plane from residual i on; returns how many.
 */
static int
unfilter_some(struct sq_png_lines *self, const struct residuals *r, int i,
              int plane, uint8_t *rows[SQ_PAETH_ROWS]) {
    size_t pixels = (size_t)self->width;
    const uint8_t *const *bytes = r->bytes[plane] + i;
    if (is_paeth_run(r, i)) {
        for (int k = 0; k < SQ_PAETH_ROWS; k++) {
            rows[k] = next_row(&self->stored);
        }
        if (sq_unfilter_paeth_rows(bytes, self->above[plane], rows, pixels)) {
            self->above[plane] = rows[SQ_PAETH_ROWS - 1];
            return SQ_PAETH_ROWS;
        }
        return_rows(&self->stored, SQ_PAETH_ROWS);
    }
    rows[0] = next_row(&self->stored);
    sq_unfilter_row4(r->filter[i], bytes[0], self->above[plane], rows[0],
                     pixels);
    self->above[plane] = rows[0];
    return 1;
}

/* Outputs a row of one or two planes, composed over black. */
static void
emit_planes(struct sq_png_lines *self, const uint8_t *upper,
            const uint8_t *lower) {
    size_t pixels = (size_t)self->width;
    const uint8_t *converted = upper;
    if (lower) {
        uint8_t *rounded = next_converted(self);
        sq_round_rgba16(upper, lower, rounded, pixels);
        converted = rounded;
    }
    if (self->png->header.colour == SQ_PNG_RGBA
        && !sq_row_is_opaque(converted, pixels)) {
        uint8_t *composed = next_converted(self);
        sq_row_over_black(converted, composed, pixels);
        converted = composed;
    }
    emit_row(self, converted);
}

/* Decodes a batch of rows with four bytes per pixel, in one or two planes. */
static bool
decode_batch(struct sq_png_lines *self, struct sq_err *err) {
    struct residuals residuals;
    if (!collect_residuals(self, &residuals, err)) {
        return false;
    }
    leave_partial_group(self, &residuals);
    for (int i = 0; i < residuals.count;) {
        uint8_t *upper[SQ_PAETH_ROWS];
        uint8_t *lower[SQ_PAETH_ROWS] = { NULL };
        if (residuals.zero[i]) {
            repeat_row(self);
            i++;
            continue;
        }
        int count = unfilter_some(self, &residuals, i, 0, upper);
        if (self->planes == 2) {
            unfilter_some(self, &residuals, i, 1, lower);
        }
        for (int k = 0; k < count; k++) {
            emit_planes(self, upper[k], lower[k]);
        }
        i += count;
    }
    return true;
}

bool
sq_png_lines_next(struct sq_png_lines *self, struct sq_row *row,
                  struct sq_err *err) {
    if (self->batch_taken == self->batch_count) {
        self->batch_taken = 0;
        self->batch_count = 0;
        bool ok = self->method == SQ_PNG_ANY ? decode_row(self, err)
                                             : decode_batch(self, err);
        if (!ok) {
            return false;
        }
        self->decoded += self->batch_count;
    }
    *row = self->batch[self->batch_taken++];
    return true;
}

void
sq_png_lines_start(struct sq_png_lines *self, int width, int height) {
    self->width = width;
    self->height = height;
    self->row_bytes = sq_png_row_bytes(&self->png->header, width);
    self->batch_count = 0;
    self->batch_taken = 0;
    self->decoded = 0;
    for (int i = 0; i < self->planes; i++) {
        uint8_t *zeros = next_row(&self->stored);
        memset(zeros, 0, self->stored.row_bytes);
        self->above[i] = zeros;
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
size_rings(struct sq_png_lines *self) {
    const struct sq_png_header *header = &self->png->header;
    size_t pixels = (size_t)header->width * SQ_PIXEL_BYTES;
    size_t stored = sq_png_row_bytes(header, header->width);
    self->converted.row_bytes = with_slack(pixels);
    self->converted.count = self->planes * ROWS_HELD;
    switch (self->method) {
    case SQ_PNG_ANY:
        self->stored.row_bytes = with_slack(stored);
        self->stored.count = 2;
        break;
    case SQ_PNG_PIXELS:
        self->stored.row_bytes = with_slack(pixels);
        self->stored.count = ROWS_HELD + 1;
        break;
    case SQ_PNG_DEEP:
        self->stored.row_bytes = with_slack(pixels);
        self->stored.count = 2 * (SQ_PAETH_ROWS + 1);
        break;
    }
}

bool
sq_png_lines_init(struct sq_png_lines *self, const struct sq_png *png,
                  struct sq_png_data *data, struct sq_err *err) {
    self->png = png;
    self->data = data;
    self->method = choose_method(png);
    self->planes = self->method == SQ_PNG_DEEP ? 2 : 1;
    size_rings(self);
    self->stored.rows = sq_mem_zalloc_aligned((size_t)self->stored.count,
                                              self->stored.row_bytes);
    /* Screenshots are opaque and never touch the pages of this memory. */
    self->converted.rows = sq_mem_alloc_aligned((size_t)self->converted.count
                                                * self->converted.row_bytes);
    bool spreads =
        self->method == SQ_PNG_DEEP
        || (self->method == SQ_PNG_PIXELS && png->header.colour == SQ_PNG_RGB);
    if (spreads) {
        self->scratch = sq_mem_alloc_aligned(
            (size_t)(SQ_PNG_BATCH * self->planes) * self->stored.row_bytes);
    }
    sq_png_expander_init(&self->expander, png);
    return (self->stored.rows && self->converted.rows
            && (self->scratch || !spreads))
        || sq_fail_nomem(err);
}

void
sq_png_lines_finish(struct sq_png_lines *self) {
    sq_mem_free(self->stored.rows);
    sq_mem_free(self->converted.rows);
    sq_mem_free(self->scratch);
    self->stored.rows = NULL;
    self->converted.rows = NULL;
    self->scratch = NULL;
}
