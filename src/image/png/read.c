/* Reads PNG files as rows, including interlaced ones. */
#include "image/png/png.h"

#include <libdeflate.h>
#include <string.h>

#include "image/png/private.h"
#include "sys/process.h"
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

/* Returns an output row; clears the slack after its pixels, which is read. */
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

/* Gets the next of height rows; it stays valid for SQ_PNG_KEEPS more calls. */
static bool
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

/* Starts a picture or pass of this size. */
static void
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

/*
 * Prepares to decode all rows in `residuals`, which, like png, must outlive
 * this. The caller frees lines with sq_png_lines_finish, also on failure.
 */
static bool
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

#define ZLIB_HEADER 2   /* bytes before the deflate stream */
#define ZLIB_CHECKSUM 4 /* bytes after it */

/* Rows that were read are given back in such steps, except of large pictures,
 * for which the system would have to provide and clear too many pages again. */
#define STEP_BYTES ((size_t)512 << 10)
#define MAX_GIVEN_BACK ((size_t)4 << 20)

struct png_rows {
    struct sq_rows base;
    struct sq_png png;
    struct sq_colour *colour;
    struct sq_buf residuals; /* all rows, inflated */
    size_t given_back;       /* at the beginning of them */
    struct sq_png_lines lines;
};

static bool
png_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct png_rows *self = (struct png_rows *)rows;
    size_t read = (size_t)(self->lines.unread - self->residuals.data);
    if (self->residuals.max <= MAX_GIVEN_BACK
        && read >= self->given_back + STEP_BYTES) {
        sq_heap_expect_no_use(self->residuals.data, read);
        self->given_back = read;
    }
    return sq_png_lines_next(&self->lines, row, err);
}

static void
png_destroy(struct sq_rows *rows) {
    struct png_rows *self = (struct png_rows *)rows;
    sq_mem_free(self->lines.stored.rows);
    sq_mem_free(self->lines.converted.rows);
    sq_mem_free(self->lines.scratch);
    sq_buf_finish(&self->residuals);
    sq_png_finish(&self->png);
    sq_colour_destroy(self->colour);
    sq_mem_free(self);
}

static const struct sq_rows_ops png_ops = { png_next, png_destroy };

/* The passes of Adam7: first pixel and distance, in both directions. */
struct pass {
    int x, y, dx, dy;
};

static const struct pass passes[] = {
    { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
    { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
};

/* Copies the pixels of a pass to their places in a row. */
static void
scatter(const uint8_t *pixels, int count, const struct pass *pass,
        uint8_t *row) {
    size_t step = (size_t)pass->dx * SQ_PIXEL_BYTES;
    uint8_t *to = row + pass->x * SQ_PIXEL_BYTES;
    if (pass->dx == 1) {
        memcpy(to, pixels, (size_t)count * SQ_PIXEL_BYTES);
        return;
    }
    for (int i = 0; i < count; i++, to += step) {
        memcpy(to, pixels + (size_t)i * SQ_PIXEL_BYTES, SQ_PIXEL_BYTES);
    }
}

/* The size of a pass; a side is 0 or less if it has no pixels. */
static struct sq_size
pass_size(const struct sq_png_header *header, const struct pass *pass) {
    return (struct sq_size){
        (header->width - pass->x + pass->dx - 1) / pass->dx,
        (header->height - pass->y + pass->dy - 1) / pass->dy,
    };
}

static bool
decode_pass(struct png_rows *self, const struct pass *pass,
            struct sq_image *image, struct sq_err *err) {
    struct sq_size size = pass_size(&self->png.header, pass);
    if (size.width <= 0 || size.height <= 0) {
        return true;
    }
    sq_png_lines_start(&self->lines, size.width, size.height);
    for (int y = pass->y; y < self->base.height; y += pass->dy) {
        struct sq_row row;
        if (!sq_png_lines_next(&self->lines, &row, err)) {
            return false;
        }
        scatter(row.pixels, size.width, pass, sq_image_row(image, y));
    }
    return true;
}

/* Decodes all passes, and replaces self by the rows of the whole picture. */
static bool
decode_interlaced(struct png_rows *self, const struct sq_limits *limits,
                  struct sq_rows **out, struct sq_err *err) {
    struct sq_image image = { 0 };
    struct sq_colour *colour = self->colour;
    enum sq_orientation orientation = self->base.orientation;
    bool ok =
        sq_image_init(&image, self->base.width, self->base.height, limits, err);
    for (size_t i = 0; ok && i < sizeof(passes) / sizeof(passes[0]); i++) {
        ok = decode_pass(self, &passes[i], &image, err);
    }
    self->colour = NULL;
    png_destroy(&self->base);
    if (!ok) {
        sq_image_finish(&image);
        sq_colour_destroy(colour);
        return false;
    }
    ok = sq_rows_own_image(&image, colour, out, err);
    if (ok) {
        (*out)->orientation = orientation;
    }
    return ok;
}

/* Returns the bytes of the rows of a picture or pass, with their filters. */
static size_t
stored_bytes(const struct sq_png_header *header, struct sq_size size) {
    if (size.width <= 0 || size.height <= 0) {
        return 0;
    }
    return (sq_png_row_bytes(header, size.width) + 1) * (size_t)size.height;
}

static size_t
all_stored_bytes(const struct sq_png_header *header) {
    size_t total = 0;
    if (!header->interlaced) {
        return stored_bytes(header,
                            (struct sq_size){ header->width, header->height });
    }
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        total += stored_bytes(header, pass_size(header, &passes[i]));
    }
    return total;
}

static bool
check_zlib_header(const struct sq_png *png, struct sq_err *err) {
    unsigned method = png->data[0];
    unsigned flags = png->data[1];
    bool preset = flags & 0x20;
    if ((method & 15) != 8 || method >> 4 > 7 || (method * 256 + flags) % 31
        || preset) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "PNG: the data are not a zlib stream");
    }
    return true;
}

/*
 * Inflates all rows together. The zlib checksum is not verified, because the
 * CRCs of the chunks already cover all compressed bytes.
 */
static bool
inflate_rows(struct png_rows *self, struct sq_err *err) {
    const struct sq_png *png = &self->png;
    size_t bytes = all_stored_bytes(&png->header);
    uint8_t *space;
    sq_buf_init(&self->residuals, bytes);
    if (!check_zlib_header(png, err)
        || !sq_buf_reserve(&self->residuals, bytes, &space, err)) {
        return false;
    }
    sq_heap_expect_use(space, bytes);
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    if (!inflate) {
        return sq_fail_nomem(err);
    }
    size_t used = 0;
    size_t length = png->data_len - ZLIB_HEADER;
    enum libdeflate_result result = libdeflate_deflate_decompress_ex(
        inflate, png->data + ZLIB_HEADER, length, space, bytes, &used, NULL);
    libdeflate_free_decompressor(inflate);
    /* Fails unless exactly the rows were inflated and the checksum is left. */
    size_t left = length - used;
    switch (result) {
    case LIBDEFLATE_SUCCESS:
        return left >= ZLIB_CHECKSUM
            || sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: the data have no end marker");
    case LIBDEFLATE_SHORT_OUTPUT:
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: the data end before the last row");
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        return sq_fail(err, SQ_ERR_FORMAT,
                       "PNG: the data continue after the last row");
    case LIBDEFLATE_BAD_DATA:
        break;
    }
    return sq_fail(err, SQ_ERR_FORMAT, "PNG: the compressed data are damaged");
}

bool
sq_png_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
            struct sq_rows **out, struct sq_err *err) {
    struct sq_png parsed; /* a wrong file is refused before an allocation */
    bool ok = sq_png_init(&parsed, bytes, count, limits, err);
    struct png_rows *self = ok ? sq_mem_zalloc(1, sizeof(*self)) : NULL;
    if (!self) {
        sq_png_finish(&parsed);
        return ok && sq_fail_nomem(err);
    }
    struct sq_png *png = &self->png;
    *png = parsed;
    if (!inflate_rows(self, err) || !sq_png_colour(png, &self->colour, err)
        || !sq_png_lines_init(&self->lines, png, self->residuals.data, err)) {
        png_destroy(&self->base);
        return false;
    }
    self->base = sq_rows_base(&png_ops, png->header.width, png->header.height,
                              SQ_PNG_KEEPS);
    self->base.colour = self->colour;
    self->base.orientation = png->orientation;
    if (png->header.interlaced) {
        return decode_interlaced(self, limits, out, err);
    }
    sq_png_lines_start(&self->lines, png->header.width, png->header.height);
    *out = &self->base;
    return true;
}

bool
sq_png_shape(const uint8_t *bytes, size_t count, struct sq_stored_shape *out,
             struct sq_err *err) {
    struct sq_png png;
    bool ok = sq_png_init(&png, bytes, count, &sq_limits_default, err);
    if (ok) {
        *out =
            (struct sq_stored_shape){ { png.header.width, png.header.height },
                                      png.orientation };
    }
    sq_png_finish(&png);
    return ok;
}
