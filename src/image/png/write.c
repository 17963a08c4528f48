/* Encodes truecolour and palette pictures as PNG. */
#include "image/png/png.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <isa-l.h>
#include <libdeflate.h>

#include "image/image.h"
#include "image/pipeline/cpu.h"
#include "image/pipeline/pending_output.h"
#include "image/png/private.h"
#include "util/mem.h"

#define RGB_BYTES 3
#define PACK_SLACK 16 /* bytes png_pack may write after its row */

/* Chooses and applies PNG row filters. */

#if SQ_HAVE_X86
#include <immintrin.h>
#endif

enum filter {
    FILTER_NONE,
    FILTER_SUB,
    FILTER_UP,
};

/*
 * If differing neighbours differ by more than this on average, the row is drawn
 * (text, lines) and not shaded. Repetition then compresses better than
 * prediction. Found by experiments with settings, shop and small-print pages.
 */
#define DRAWN_CONTRAST 12

/* A count up to this many bytes fits into a byte. */
#define COUNT_BLOCK 240

static void
pack_scalar(const uint8_t *rgbx, int width, uint8_t *rgb) {
    for (int x = 0; x < width; x++) {
        rgb[0] = rgbx[0];
        rgb[1] = rgbx[1];
        rgb[2] = rgbx[2];
        rgb += RGB_BYTES;
        rgbx += SQ_PIXEL_BYTES;
    }
}

#if SQ_HAVE_X86
__attribute__((target("avx2"))) static void
pack_avx2(const uint8_t *rgbx, int width, uint8_t *rgb) {
    const __m128i drop_fourth =
        _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int x = 0;
    for (; x + 4 <= width; x += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(const void *)rgbx);
        _mm_storeu_si128((__m128i *)(void *)rgb,
                         _mm_shuffle_epi8(pixels, drop_fourth));
        rgb += 4 * RGB_BYTES;
        rgbx += 4 * SQ_PIXEL_BYTES;
    }
    pack_scalar(rgbx, width - x, rgb);
}
#endif

/* Removes the fourth byte of every pixel. */
static void
png_pack(const uint8_t *rgbx, int width, uint8_t *rgb) {
#if SQ_HAVE_X86
    if (sq_cpu_level() >= SQ_CPU_AVX2) {
        pack_avx2(rgbx, width, rgb);
        return;
    }
#endif
    pack_scalar(rgbx, width, rgb);
}

static unsigned int
total_difference(const uint8_t *a, const uint8_t *b, size_t bytes) {
    unsigned int total = 0;
    for (size_t i = 0; i < bytes; i++) {
        total += (unsigned int)abs(a[i] - b[i]);
    }
    return total;
}

static unsigned int
count_differing(const uint8_t *a, const uint8_t *b, size_t bytes) {
    unsigned int total = 0;
    for (size_t start = 0; start < bytes; start += COUNT_BLOCK) {
        size_t left = bytes - start;
        size_t end = start + (left < COUNT_BLOCK ? left : COUNT_BLOCK);
        uint8_t count = 0;
        for (size_t i = start; i < end; i++) {
            count = (uint8_t)(count + (a[i] != b[i]));
        }
        total += count;
    }
    return total;
}

static enum filter
choose_filter(const uint8_t *row, const uint8_t *left, const uint8_t *above,
              size_t bytes) {
    unsigned int up = total_difference(row, above, bytes);
    unsigned int sub = total_difference(row, left, bytes);
    bool up_is_better = up <= sub;
    unsigned int differing =
        count_differing(row, up_is_better ? above : left, bytes);
    if ((up_is_better ? up : sub) > DRAWN_CONTRAST * differing) {
        return FILTER_NONE;
    }
    return up_is_better ? FILTER_UP : FILTER_SUB;
}

static void
subtract(const uint8_t *a, const uint8_t *b, size_t bytes, uint8_t *out) {
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(a[i] - b[i]);
    }
}

/*
 * Writes the filter type and the filtered row, 1 + bytes in total. The three
 * bytes before row must be zero: they are the pixel left of the first.
 */
static void
filter_row(const uint8_t *row, const uint8_t *above, size_t bytes,
           uint8_t *out) {
    if (memcmp(row, above, bytes) == 0) { /* most rows of a screen */
        *out++ = FILTER_UP;
        memset(out, 0, bytes);
        return;
    }
    const uint8_t *left = row - RGB_BYTES;
    enum filter filter = choose_filter(row, left, above, bytes);
    *out++ = (uint8_t)filter;
    if (filter == FILTER_NONE) {
        memcpy(out, row, bytes);
    } else {
        subtract(row, filter == FILTER_UP ? above : left, bytes, out);
    }
}

/* Compresses to the zlib format with ISA-L. */

#define PIECE_BYTES ((size_t)64 << 10)
/* 3 is four times slower than 2 on flat screens and saves nothing there. */
#define LEVEL 2
#define LEVEL_BYTES ISAL_DEF_LVL2_DEFAULT

struct sq_deflate {
    struct isal_zstream isal;
    struct sq_pending_output *pending;
    uint8_t level[LEVEL_BYTES];
};

bool
sq_deflate_create(struct sq_pending_output *pending, struct sq_deflate **out,
                  struct sq_err *err) {
    struct sq_deflate *self = sq_mem_alloc_aligned(sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->pending = pending;
    isal_deflate_init(&self->isal);
    self->isal.gzip_flag = IGZIP_ZLIB;
    self->isal.level = LEVEL;
    self->isal.level_buf = self->level;
    self->isal.level_buf_size = sizeof(self->level);
    *out = self;
    return true;
}

void
sq_deflate_destroy(struct sq_deflate *stream) {
    sq_mem_free(stream);
}

static bool
is_done(const struct isal_zstream *isal) {
    return isal->end_of_stream ? isal->internal_state.state == ZSTATE_END
                               : isal->avail_in == 0;
}

bool
sq_deflate_feed(struct sq_deflate *stream, uint8_t *bytes, size_t count,
                bool last, struct sq_err *err) {
    struct isal_zstream *isal = &stream->isal;
    isal->next_in = bytes;
    isal->avail_in = (uint32_t)count;
    isal->end_of_stream = last;
    do {
        size_t capacity;
        if (!sq_pending_output_reserve(stream->pending, PIECE_BYTES,
                                       &isal->next_out, &capacity, err)) {
            return false;
        }
        uint32_t before = isal->avail_in;
        isal->avail_out = (uint32_t)capacity;
        int status = isal_deflate(isal);
        assert(status == COMP_OK);
        size_t made = capacity - isal->avail_out;
        sq_pending_output_advance(stream->pending, made);
        if (made == 0 && isal->avail_in == before && !is_done(isal)) {
            /* ISA-L does not use the last few bytes of its output space. */
            return sq_fail(err, SQ_ERR_LIMIT,
                           "the encoded picture is larger than %zu bytes",
                           stream->pending->out->max);
        }
    } while (!is_done(isal));
    return true;
}

#define CHUNK_NAME 4
#define CHUNK_HEADER 8
#define COLOUR_RGB 2
#define COLOUR_PALETTE 3
/* Bytes of filtered rows compressed at a time. */
#define STRIP_BYTES ((size_t)64 << 10)
/*
 * Levels 6 and 7 save less than 1 % more; 9 takes five times as long for 3 %.
 */
#define SMALL_LEVEL 5

static void
put_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}

/* Starts a chunk; *start is its offset, for end_chunk. */
static bool
begin_chunk(struct sq_pending_output *pending, const char *name, size_t *start,
            struct sq_err *err) {
    uint8_t header[CHUNK_HEADER] = { 0 };
    memcpy(header + CHUNK_HEADER - CHUNK_NAME, name, CHUNK_NAME);
    *start = pending->used;
    return sq_pending_output_append(pending, header, sizeof(header), err);
}

static bool
end_chunk(struct sq_pending_output *pending, size_t start, struct sq_err *err) {
    size_t bytes = pending->used - start - CHUNK_HEADER;
    uint8_t *header = sq_pending_output_at(pending, start);
    put_u32(header, (uint32_t)bytes);
    uint8_t crc[4];
    put_u32(crc, crc32_gzip_refl(0, header + CHUNK_HEADER - CHUNK_NAME,
                                 CHUNK_NAME + bytes));
    return sq_pending_output_append(pending, crc, sizeof(crc), err);
}

static bool
put_chunk(struct sq_pending_output *pending, const char *name,
          const void *bytes, size_t count, struct sq_err *err) {
    size_t start;
    return begin_chunk(pending, name, &start, err)
        && sq_pending_output_append(pending, bytes, count, err)
        && end_chunk(pending, start, err);
}

struct header {
    int width;
    int height;
    uint8_t depth;
    uint8_t colour_type;
};

static bool
put_header(struct sq_pending_output *pending, struct header header,
           struct sq_err *err) {
    static const uint8_t signature[] = { 0x89, 'P',  'N',  'G',
                                         '\r', '\n', 0x1a, '\n' };
    uint8_t ihdr[13] = { 0 };
    put_u32(ihdr, (uint32_t)header.width);
    put_u32(ihdr + 4, (uint32_t)header.height);
    ihdr[8] = header.depth;
    ihdr[9] = header.colour_type;
    return sq_pending_output_append(pending, signature, sizeof(signature), err)
        && put_chunk(pending, "IHDR", ihdr, sizeof(ihdr), err);
}

struct encoder {
    struct sq_rows *rows;
    struct sq_pending_output pending;
    struct sq_deflate *deflate;
    size_t row_bytes;
    uint8_t *row;     /* current row, with three zero bytes before it */
    uint8_t *above;   /* previous row, in the same format */
    uint8_t *strip;   /* filtered rows, not yet compressed */
    size_t strip_len; /* bytes in the strip */
    size_t capacity;  /* bytes of the strip, in whole rows */
    uint8_t *memory;  /* allocation for row, above and strip */
};

static size_t
padded(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

static bool
allocate_strip(struct encoder *self, struct sq_err *err) {
    self->row_bytes = (size_t)self->rows->width * RGB_BYTES;
    size_t line = 1 + self->row_bytes;
    self->capacity = line < STRIP_BYTES ? STRIP_BYTES / line * line : line;
    size_t lead = padded(RGB_BYTES);
    size_t row = lead + padded(self->row_bytes + PACK_SLACK);
    self->memory = sq_mem_alloc_aligned(2 * row + self->capacity);
    if (!self->memory) {
        return sq_fail_nomem(err);
    }
    memset(self->memory, 0, 2 * row);
    self->row = self->memory + lead;
    self->above = self->row + row;
    self->strip = self->memory + 2 * row;
    return true;
}

static void
swap_rows(struct encoder *self) {
    uint8_t *row = self->row;
    self->row = self->above;
    self->above = row;
}

static bool
encode_rows(struct encoder *self, struct sq_err *err) {
    for (int y = 0; y < self->rows->height; y++) {
        struct sq_row row;
        if (!sq_rows_next(self->rows, &row, err)) {
            return false;
        }
        png_pack(row.pixels, self->rows->width, self->row);
        filter_row(self->row, self->above, self->row_bytes,
                   self->strip + self->strip_len);
        self->strip_len += 1 + self->row_bytes;
        swap_rows(self);
        bool last = y == self->rows->height - 1;
        if (last || self->strip_len == self->capacity) {
            if (!sq_deflate_feed(self->deflate, self->strip, self->strip_len,
                                 last, err)) {
                return false;
            }
            self->strip_len = 0;
        }
    }
    return true;
}

bool
sq_png_encode(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    assert(sq_rows_are_normal(rows));
    struct encoder self = { .rows = rows };
    sq_pending_output_init(&self.pending, out);
    const struct header header = { rows->width, rows->height, 8, COLOUR_RGB };
    size_t start;
    bool ok = allocate_strip(&self, err)
           && put_header(&self.pending, header, err)
           && begin_chunk(&self.pending, "IDAT", &start, err)
           && sq_deflate_create(&self.pending, &self.deflate, err)
           && encode_rows(&self, err) && end_chunk(&self.pending, start, err)
           && put_chunk(&self.pending, "IEND", "", 0, err);
    if (ok) {
        sq_pending_output_commit(&self.pending);
    }
    sq_deflate_destroy(self.deflate);
    sq_mem_free(self.memory);
    return ok;
}

static int
depth_for(int colours) {
    int depth = 1;
    while (1 << depth < colours) {
        depth *= 2;
    }
    return depth;
}

/*
 * Packs all rows, several pixels per byte, each with filter type "none": with
 * "up" the same pages took 20 to 35 % more bytes.
 */
static void
pack_indexes(const struct sq_indexed *picture, int depth, size_t line,
             uint8_t *out) {
    const uint8_t *index = picture->indexes;
    int per_byte = 8 / depth;
    for (int y = 0; y < picture->height; y++, out += line) {
        out[0] = 0;
        uint8_t *at = out + 1;
        if (depth == 8) {
            memcpy(at, index, (size_t)picture->width);
            index += picture->width;
            continue;
        }
        for (int x = 0; x < picture->width; x += per_byte, at++) {
            int left = picture->width - x;
            unsigned int byte = 0;
            for (int i = 0; i < per_byte; i++) {
                byte = byte << depth | (i < left ? *index++ : 0u);
            }
            *at = (uint8_t)byte;
        }
    }
}

typedef bool deflate_whole(struct sq_pending_output *pending, uint8_t *bytes,
                           size_t count, struct sq_err *err);

static bool
deflate_fast(struct sq_pending_output *pending, uint8_t *bytes, size_t count,
             struct sq_err *err) {
    struct sq_deflate *stream = NULL;
    bool ok = sq_deflate_create(pending, &stream, err)
           && sq_deflate_feed(stream, bytes, count, true, err);
    sq_deflate_destroy(stream);
    return ok;
}

static bool
deflate_small(struct sq_pending_output *pending, uint8_t *bytes, size_t count,
              struct sq_err *err) {
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(SMALL_LEVEL);
    if (!compressor) {
        return sq_fail_nomem(err);
    }
    uint8_t *space;
    size_t size;
    size_t bound = libdeflate_zlib_compress_bound(compressor, count);
    bool ok = sq_pending_output_reserve(pending, bound, &space, &size, err);
    if (ok) {
        size_t made =
            libdeflate_zlib_compress(compressor, bytes, count, space, size);
        sq_pending_output_advance(pending, made);
        ok = made > 0
          || sq_fail(err, SQ_ERR_LIMIT,
                     "the encoded picture is larger than %zu bytes",
                     pending->out->max);
    }
    libdeflate_free_compressor(compressor);
    return ok;
}

static bool
put_indexes(struct sq_pending_output *pending, const struct sq_indexed *picture,
            int depth, deflate_whole *deflate, struct sq_err *err) {
    size_t line = 1 + ((size_t)picture->width * (size_t)depth + 7) / 8;
    size_t bytes = line * (size_t)picture->height;
    uint8_t *packed = sq_mem_alloc(bytes, 1);
    if (!packed) {
        return sq_fail_nomem(err);
    }
    pack_indexes(picture, depth, line, packed);
    size_t start;
    bool ok = begin_chunk(pending, "IDAT", &start, err)
           && deflate(pending, packed, bytes, err)
           && end_chunk(pending, start, err);
    sq_mem_free(packed);
    return ok;
}

bool
sq_png_encode_indexed(const struct sq_indexed *picture,
                      enum sq_png_effort effort, struct sq_buf *out,
                      struct sq_err *err) {
    static deflate_whole *const compressors[] = {
        [SQ_PNG_FAST] = deflate_fast,
        [SQ_PNG_SMALL] = deflate_small,
    };
    int depth = depth_for(picture->colours);
    const struct header header = { picture->width, picture->height,
                                   (uint8_t)depth, COLOUR_PALETTE };
    struct sq_pending_output pending;
    sq_pending_output_init(&pending, out);
    bool ok = put_header(&pending, header, err)
           && put_chunk(&pending, "PLTE", picture->palette,
                        (size_t)picture->colours * RGB_BYTES, err)
           && put_indexes(&pending, picture, depth, compressors[effort], err)
           && put_chunk(&pending, "IEND", "", 0, err);
    if (ok) {
        sq_pending_output_commit(&pending);
    }
    return ok;
}
