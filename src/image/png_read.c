#include "image/png_read.h"

#include <assert.h>
#include <string.h>

#include "image/inflate.h"
#include "image/png_chunks.h"
#include "image/png_colour.h"
#include "image/png_expand.h"
#include "image/unfilter.h"
#include "util/mem.h"

#define FRESH_BYTES (128 * 1024) /* inflated at a time: stays in the cache */
#define BATCH 16                 /* rows unfiltered at a time */
#define KEEPS 20                 /* see struct sq_rows */
/*
 * A row takes up to two slots, as stored and over black, and up to a batch of
 * rows is decoded ahead of the one handed out.
 */
#define SLOTS (2 * (KEEPS + BATCH) + 1)

struct png_rows {
    struct sq_rows base;
    struct sq_png png;
    struct sq_colour *colour;
    struct sq_inflate inflate;

    /* Inflated bytes: history, rows being used (from `unread`), fresh ones. */
    uint8_t *window;
    const uint8_t *window_limit;
    uint8_t *window_end;
    const uint8_t *unread;

    uint8_t *slots; /* SLOTS rows of slot_bytes, used in turn */
    size_t slot_bytes;
    int next_slot;
    uint8_t *scratch; /* residuals spread to four bytes: BATCH slots */

    const uint8_t *above; /* the last row as stored, for the filters */
    struct sq_row last;   /* the last row as handed out */
    struct sq_row batch[BATCH];
    int batch_count;
    int batch_taken;
    int decoded; /* rows, in all */

    struct sq_image whole; /* of an interlaced file */
};

static uint8_t *
take_slot(struct png_rows *self) {
    uint8_t *slot = self->slots + (size_t)self->next_slot * self->slot_bytes;
    self->next_slot = (self->next_slot + 1) % SLOTS;
    return slot;
}

/* Make room in the window; what is unread or still history moves down. */
static void
slide_window(struct png_rows *self) {
    const uint8_t *keep = self->window;
    if (self->window_end - self->window > SQ_INFLATE_WINDOW) {
        keep = self->window_end - SQ_INFLATE_WINDOW;
    }
    if (self->unread < keep) {
        keep = self->unread;
    }
    size_t gone = (size_t)(keep - self->window);
    memmove(self->window, keep, (size_t)(self->window_end - keep));
    self->window_end -= gone;
    self->unread -= gone;
}

/* Have at least count unread bytes. */
static bool
need_bytes(struct png_rows *self, size_t count, struct sq_err *err) {
    while ((size_t)(self->window_end - self->unread) < count) {
        if (self->inflate.state == SQ_INFLATE_DONE) {
            return sq_fail(err, SQ_ERR_TRUNCATED,
                           "PNG: the data end before the last row");
        }
        if (self->window_end >= self->window_limit) {
            slide_window(self);
        }
        if (!sq_inflate_run(&self->inflate, self->window, &self->window_end,
                            self->window_limit, err)) {
            return sq_fail_in(err, "PNG");
        }
    }
    return true;
}

/*
 * After the last row nothing but the stream's checksum may follow. It is not
 * compared: the chunks' own checksums already covered every compressed byte.
 */
static bool
check_end(struct png_rows *self, struct sq_err *err) {
    /* With bytes left over the window may be full, and the file is bad. */
    bool all_read = self->unread == self->window_end;
    if (all_read && self->inflate.state != SQ_INFLATE_DONE) {
        slide_window(self);
        if (!sq_inflate_run(&self->inflate, self->window, &self->window_end,
                            self->window_end + 1, err)) {
            return sq_fail_in(err, "PNG");
        }
    }
    if (self->unread != self->window_end) {
        return sq_fail(err, SQ_ERR_FORMAT, "PNG: more data than rows");
    }
    const uint8_t *rest = sq_inflate_rest(&self->inflate);
    if (self->inflate.state != SQ_INFLATE_DONE
        || self->png.data + self->png.data_len - rest < 4) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "PNG: the data have no end");
    }
    return true;
}

static bool
check_filter(unsigned filter, struct sq_err *err) {
    return filter < SQ_PNG_FILTERS
        || sq_fail(err, SQ_ERR_FORMAT, "PNG: row filter %u", filter);
}

/* Read one row of any kind: unfiltered in place of `row`, above is kept. */
static bool
read_stored_row(struct png_rows *self, size_t row_bytes, const uint8_t *above,
                uint8_t *row, struct sq_err *err) {
    if (!need_bytes(self, row_bytes + 1, err)
        || !check_filter(self->unread[0], err)) {
        return false;
    }
    sq_unfilter_row((enum sq_png_filter)self->unread[0], self->unread + 1,
                    above, row, row_bytes, self->png.header.pixel_bytes);
    self->unread += row_bytes + 1;
    return true;
}

/* Any kind of pixel, one row at a time. */
static bool
decode_row(struct png_rows *self, struct sq_err *err) {
    uint8_t *stored = take_slot(self);
    uint8_t *pixels = take_slot(self);
    size_t row_bytes =
        sq_png_row_bytes(&self->png.header, self->png.header.width);
    if (!read_stored_row(self, row_bytes, self->above, stored, err)
        || !sq_png_expand(&self->png, stored, self->base.width, pixels, err)) {
        return false;
    }
    self->above = stored;
    self->batch[0] = (struct sq_row){ pixels, false };
    self->batch_count = 1;
    return true;
}

/* The residuals of a batch, pointing at four-byte pixels. */
struct residuals {
    int count;
    enum sq_png_filter filter[BATCH];
    const uint8_t *bytes[BATCH];
    bool zero[BATCH]; /* filter Up and nothing but zeros: the row repeats */
};

static bool
collect_residuals(struct png_rows *self, struct residuals *r,
                  struct sq_err *err) {
    size_t row_bytes = sq_png_row_bytes(&self->png.header, self->base.width);
    size_t pixels = (size_t)self->base.width;
    if (!need_bytes(self, row_bytes + 1, err)) {
        return false;
    }
    size_t whole = (size_t)(self->window_end - self->unread) / (row_bytes + 1);
    int left = self->base.height - self->decoded;
    r->count = left < BATCH ? left : BATCH;
    if ((size_t)r->count > whole) {
        r->count = (int)whole;
    }
    for (int i = 0; i < r->count; i++) {
        unsigned filter = self->unread[0];
        const uint8_t *bytes = self->unread + 1;
        if (!check_filter(filter, err)) {
            return false;
        }
        r->filter[i] = (enum sq_png_filter)filter;
        r->zero[i] = filter == SQ_PNG_UP && self->decoded + i > 0
                  && sq_all_zero(bytes, row_bytes);
        r->bytes[i] = bytes;
        if (self->scratch && !r->zero[i]) {
            uint8_t *spread = self->scratch + (size_t)i * self->slot_bytes;
            sq_spread_rgb(bytes, spread, pixels);
            r->bytes[i] = spread;
        }
        self->unread += row_bytes + 1;
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
 * Give back rows at the end of a batch that begin a group of Paeth rows but do
 * not complete it: the next batch will have the whole group.
 */
static void
leave_partial_group(struct png_rows *self, struct residuals *r) {
    int run = 0;
    while (run < r->count && r->filter[r->count - 1 - run] == SQ_PNG_PAETH) {
        run++;
    }
    int partial = run % SQ_PAETH_ROWS;
    bool last = self->decoded + r->count == self->base.height;
    if (!last && partial < r->count) {
        size_t row_bytes =
            sq_png_row_bytes(&self->png.header, self->base.width);
        r->count -= partial;
        self->unread -= (size_t)partial * (row_bytes + 1);
    }
}

/* Hand out a stored row: as it is, or over black where it is transparent. */
static void
emit_row(struct png_rows *self, const uint8_t *stored) {
    const uint8_t *shown = stored;
    size_t pixels = (size_t)self->base.width;
    if (self->png.header.colour == SQ_PNG_RGBA
        && !sq_row_is_opaque(stored, pixels)) {
        uint8_t *composed = take_slot(self);
        sq_row_over_black(stored, composed, pixels);
        shown = composed;
    }
    self->above = stored;
    self->last = (struct sq_row){ shown, false };
    self->batch[self->batch_count++] = self->last;
}

static void
repeat_row(struct png_rows *self) {
    self->last.same = true;
    self->batch[self->batch_count++] = self->last;
}

/* Up to four rows from residual i on; returns how many. */
static int
unfilter_some(struct png_rows *self, const struct residuals *r, int i) {
    size_t pixels = (size_t)self->base.width;
    if (is_paeth_run(r, i)) {
        uint8_t *rows[SQ_PAETH_ROWS];
        for (int k = 0; k < SQ_PAETH_ROWS; k++) {
            rows[k] = take_slot(self);
        }
        if (sq_unfilter_paeth_rows(r->bytes + i, self->above, rows, pixels)) {
            for (int k = 0; k < SQ_PAETH_ROWS; k++) {
                emit_row(self, rows[k]);
            }
            return SQ_PAETH_ROWS;
        }
        self->next_slot = (self->next_slot + SLOTS - SQ_PAETH_ROWS) % SLOTS;
    }
    uint8_t *row = take_slot(self);
    sq_unfilter_row4(r->filter[i], r->bytes[i], self->above, row, pixels);
    emit_row(self, row);
    return 1;
}

/* Eight-bit RGB and RGBA: a batch of rows with four bytes a pixel. */
static bool
decode_batch(struct png_rows *self, struct sq_err *err) {
    struct residuals residuals;
    if (!collect_residuals(self, &residuals, err)) {
        return false;
    }
    leave_partial_group(self, &residuals);
    for (int i = 0; i < residuals.count;) {
        if (residuals.zero[i]) {
            repeat_row(self);
            i++;
        } else {
            i += unfilter_some(self, &residuals, i);
        }
    }
    return true;
}

static bool
has_four_byte_path(const struct sq_png *png) {
    const struct sq_png_header *header = &png->header;
    return header->depth == 8
        && (header->colour == SQ_PNG_RGBA
            || (header->colour == SQ_PNG_RGB && !png->has_key));
}

static bool
png_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct png_rows *self = (struct png_rows *)rows;
    if (self->batch_taken == self->batch_count) {
        self->batch_taken = 0;
        self->batch_count = 0;
        bool ok = has_four_byte_path(&self->png) ? decode_batch(self, err)
                                                 : decode_row(self, err);
        if (!ok) {
            return false;
        }
        self->decoded += self->batch_count;
    }
    *row = self->batch[self->batch_taken++];
    bool last = self->decoded == self->base.height
             && self->batch_taken == self->batch_count;
    return !last || check_end(self, err);
}

static void
png_destroy(struct sq_rows *rows) {
    struct png_rows *self = (struct png_rows *)rows;
    sq_image_finish(&self->whole);
    sq_png_finish(&self->png);
    sq_colour_destroy(self->colour);
    sq_mem_free(self->window);
    sq_mem_free(self->slots);
    sq_mem_free(self->scratch);
    sq_mem_free(self);
}

static const struct sq_rows_ops png_ops = { png_next, png_destroy };

/* The seven passes of Adam7: first pixel and distance, in both directions. */
static const struct {
    int x, y, dx, dy;
} passes[] = {
    { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
    { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
};

static bool
decode_pass(struct png_rows *self, size_t index, struct sq_err *err) {
    int dx = passes[index].dx;
    int width = (self->base.width - passes[index].x + dx - 1) / dx;
    if (width <= 0) {
        return true;
    }
    size_t row_bytes = sq_png_row_bytes(&self->png.header, width);
    uint8_t *above = take_slot(self);
    uint8_t *stored = take_slot(self);
    uint8_t *pixels = take_slot(self);
    memset(above, 0, row_bytes);
    for (int y = passes[index].y; y < self->base.height;
         y += passes[index].dy) {
        if (!read_stored_row(self, row_bytes, above, stored, err)
            || !sq_png_expand(&self->png, stored, width, pixels, err)) {
            return false;
        }
        uint8_t *to = sq_image_row(&self->whole, y);
        for (int i = 0; i < width; i++) {
            memcpy(to + (passes[index].x + i * dx) * SQ_PIXEL_BYTES,
                   pixels + i * SQ_PIXEL_BYTES, SQ_PIXEL_BYTES);
        }
        uint8_t *done = above;
        above = stored;
        stored = done;
    }
    return true;
}

static bool
whole_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    (void)err;
    struct png_rows *self = (struct png_rows *)rows;
    assert(self->batch_taken < self->whole.height);
    *row = (struct sq_row){
        .pixels = sq_image_row(&self->whole, self->batch_taken++),
    };
    return true;
}

static const struct sq_rows_ops whole_ops = { whole_next, png_destroy };

static bool
decode_interlaced(struct png_rows *self, const struct sq_limits *limits,
                  struct sq_err *err) {
    if (!sq_image_init(&self->whole, self->base.width, self->base.height,
                       limits, err)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
        if (!decode_pass(self, i, err)) {
            return false;
        }
    }
    self->base.ops = &whole_ops;
    return check_end(self, err);
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

static bool
allocate(struct png_rows *self, struct sq_err *err) {
    const struct sq_png_header *header = &self->png.header;
    size_t row_bytes = sq_png_row_bytes(header, header->width);
    size_t pixel_row = (size_t)header->width * SQ_PIXEL_BYTES;
    size_t fresh = row_bytes + 1 > FRESH_BYTES ? row_bytes + 1 : FRESH_BYTES;
    size_t window = SQ_INFLATE_WINDOW + fresh;
    size_t slot =
        (row_bytes > pixel_row ? row_bytes : pixel_row) + SQ_ROW_SLACK;

    self->slot_bytes = (slot + 63) & ~(size_t)63;
    self->window = sq_mem_alloc(window + SQ_INFLATE_OVERRUN, 1);
    self->slots = sq_mem_zalloc_aligned(SLOTS, self->slot_bytes);
    bool spread =
        header->colour == SQ_PNG_RGB && has_four_byte_path(&self->png);
    if (spread) {
        self->scratch = sq_mem_alloc_aligned(BATCH * self->slot_bytes);
    }
    if (!self->window || !self->slots || (spread && !self->scratch)) {
        return sq_fail_nomem(err);
    }
    self->window_limit = self->window + window;
    self->window_end = self->window;
    self->unread = self->window;
    self->above = take_slot(self); /* zeros above the first row */
    return true;
}

bool
sq_png_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
            struct sq_rows **out, struct sq_err *err) {
    struct sq_png png;
    if (!sq_png_init(&png, bytes, count, limits, err)) {
        sq_png_finish(&png);
        return false;
    }
    struct png_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_png_finish(&png);
        return sq_fail_nomem(err);
    }
    self->base =
        sq_rows_base(&png_ops, png.header.width, png.header.height, KEEPS);
    self->base.orientation = png.orientation;
    self->png = png;
    bool ok = check_zlib_header(&self->png, err)
           && sq_png_colour(&self->png, &self->colour, err)
           && allocate(self, err);
    self->base.colour = self->colour;
    if (ok) {
        sq_inflate_init(&self->inflate, png.data + 2, png.data_len - 2);
        ok = !png.header.interlaced || decode_interlaced(self, limits, err);
    }
    if (!ok) {
        png_destroy(&self->base);
        return false;
    }
    *out = &self->base;
    return true;
}
