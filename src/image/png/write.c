/* Encodes truecolour and palette pictures as PNG. */
#include "image/png/png.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "image/image.h"
#include "image/pipeline/rows.h"
#include "image/png/private.h"
#include "util/mem.h"

#define RGB_BYTES 3

/* Chooses and applies PNG row filters. */

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
#define DRAWN_CONTRAST 8

/* One sample of each step is looked at; its counts fit into a byte. */
#define SAMPLE_STEP (3 * SAMPLE)
#define SAMPLE 48

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
    uint8_t count = 0;
    for (size_t i = 0; i < bytes; i++) {
        count = (uint8_t)(count + (a[i] != b[i]));
    }
    return count;
}

static enum filter
choose_filter(const uint8_t *row, const uint8_t *left, const uint8_t *above,
              size_t bytes) {
    unsigned int up = 0;
    unsigned int sub = 0;
    unsigned int up_differing = 0;
    unsigned int sub_differing = 0;
    for (size_t i = 0; i < bytes; i += SAMPLE_STEP) {
        size_t count = bytes - i < SAMPLE ? bytes - i : SAMPLE;
        up += total_difference(row + i, above + i, count);
        sub += total_difference(row + i, left + i, count);
        up_differing += count_differing(row + i, above + i, count);
        sub_differing += count_differing(row + i, left + i, count);
    }
    bool up_is_better = up <= sub;
    unsigned int differing = up_is_better ? up_differing : sub_differing;
    if ((up_is_better ? up : sub) > DRAWN_CONTRAST * differing) {
        return FILTER_NONE;
    }
    return up_is_better ? FILTER_UP : FILTER_SUB;
}

/*
 * Writes the filter type and the filtered row, 1 + bytes in total. The three
 * bytes before row must be zero: they are the pixel left of the first.
 */
static void
filter_row(const uint8_t *row, const uint8_t *above, size_t bytes,
           uint8_t *out) {
    const uint8_t *left = row - RGB_BYTES;
    enum filter filter = choose_filter(row, left, above, bytes);
    *out++ = (uint8_t)filter;
    if (filter == FILTER_NONE) {
        memcpy(out, row, bytes);
    } else {
        const uint8_t *b = filter == FILTER_UP ? above : left;
        for (size_t i = 0; i < bytes; i++) {
            out[i] = (uint8_t)(row[i] - b[i]);
        }
    }
}

#define CHUNK_NAME 4
#define CHUNK_HEADER 8
#define COLOUR_RGB 2
#define COLOUR_PALETTE 3
/*
 * Level 2 takes nearly twice as long as 1 and saves 1 to 15 %. Palettes have a
 * third of the bytes: there 6 and 7 save less than 1 % more than 5; 9 takes
 * five times as long for 3 %.
 */
#define RGB_LEVEL 1
#define PALETTE_LEVEL 5

static void
put_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}

/* Starts a chunk; *start is its offset, for end_chunk. */
static bool
begin_chunk(struct sq_buf *out, const char *name, size_t *start,
            struct sq_err *err) {
    uint8_t header[CHUNK_HEADER] = { 0 };
    memcpy(header + CHUNK_HEADER - CHUNK_NAME, name, CHUNK_NAME);
    *start = out->len;
    return sq_buf_append(out, header, sizeof(header), err);
}

static bool
end_chunk(struct sq_buf *out, size_t start, struct sq_err *err) {
    size_t bytes = out->len - start - CHUNK_HEADER;
    uint8_t *header = out->data + start;
    uint8_t crc[4];
    put_u32(header, (uint32_t)bytes);
    put_u32(crc, libdeflate_crc32(0, header + CHUNK_HEADER - CHUNK_NAME,
                                  CHUNK_NAME + bytes));
    return sq_buf_append(out, crc, sizeof(crc), err);
}

static bool
put_chunk(struct sq_buf *out, const char *name, const void *bytes, size_t count,
          struct sq_err *err) {
    size_t start;
    return begin_chunk(out, name, &start, err)
        && sq_buf_append(out, bytes, count, err) && end_chunk(out, start, err);
}

struct header {
    int width;
    int height;
    uint8_t depth;
    uint8_t colour_type;
};

static bool
put_header(struct sq_buf *out, struct header header, struct sq_err *err) {
    static const uint8_t signature[] = { 0x89, 'P',  'N',  'G',
                                         '\r', '\n', 0x1a, '\n' };
    uint8_t ihdr[13] = { 0 };
    put_u32(ihdr, (uint32_t)header.width);
    put_u32(ihdr + 4, (uint32_t)header.height);
    ihdr[8] = header.depth;
    ihdr[9] = header.colour_type;
    return sq_buf_append(out, signature, sizeof(signature), err)
        && put_chunk(out, "IHDR", ihdr, sizeof(ihdr), err);
}

static bool
deflate(struct sq_buf *out, struct libdeflate_compressor *compressor,
        const uint8_t *bytes, size_t count, struct sq_err *err) {
    size_t size = libdeflate_zlib_compress_bound(compressor, count);
    size_t left = out->max - out->len;
    uint8_t *space;
    size = size < left ? size : left;
    if (!sq_buf_reserve(out, size, &space, err)) {
        return false;
    }
    size_t made =
        libdeflate_zlib_compress(compressor, bytes, count, space, size);
    sq_buf_commit(out, made);
    return made > 0
        || sq_fail(err, SQ_ERR_LIMIT,
                   "the encoded picture is larger than %zu bytes", out->max);
}

/* Appends the compressed rows and the end of the file. */
static bool
put_rows(struct sq_buf *out, int level, const uint8_t *bytes, size_t count,
         struct sq_err *err) {
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(level);
    size_t start;
    bool ok = (compressor || sq_fail_nomem(err))
           && begin_chunk(out, "IDAT", &start, err)
           && deflate(out, compressor, bytes, count, err)
           && end_chunk(out, start, err) && put_chunk(out, "IEND", "", 0, err);
    libdeflate_free_compressor(compressor);
    return ok;
}

static size_t
padded(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

/* Returns whether two rows are known to be equal; b may be NULL. */
static bool
are_equal(const uint8_t *a, const uint8_t *b, size_t count) {
    return b && memcmp(a, b, count) == 0;
}

/* Reads, packs, filters and compresses all rows. */
static bool
put_filtered(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    size_t bytes = (size_t)rows->width * RGB_BYTES;
    size_t lead = padded(RGB_BYTES); /* zeros: the pixel left of the first */
    size_t line = lead + padded(bytes + SQ_PACK_SLACK);
    size_t pixels = (size_t)rows->width * SQ_PIXEL_BYTES;
    uint8_t *lines = sq_mem_zalloc_aligned(2, line);
    uint8_t *packed = lines + lead;
    const uint8_t *before = NULL; /* the previous row, while it is valid */
    struct sq_deflate *deflate = sq_deflate_begin(out, 1 + bytes, err);
    bool ok = deflate && (lines || sq_fail_nomem(err));
    for (int y = 0; ok && y < rows->height; y++) {
        struct sq_row row;
        ok = sq_rows_next(rows, &row, err);
        if (!ok) {
            break;
        }
        uint8_t *out_row = sq_deflate_space(deflate);
        bool is_zero =
            y > 0 && (row.same || are_equal(row.pixels, before, pixels));
        if (!is_zero) {
            uint8_t *above = packed;
            packed = above == lines + lead ? above + line : lines + lead;
            sq_pack_rgb(row.pixels, packed, (size_t)rows->width);
            /* Equal rows give equal files, whatever is known about them. */
            is_zero = y > 0 && are_equal(packed, above, bytes);
            if (!is_zero) {
                filter_row(packed, above, bytes, out_row);
            }
        }
        if (is_zero) { /* most rows of a screen */
            *out_row = FILTER_UP;
            memset(out_row + 1, 0, bytes);
        }
        before = rows->keeps > 0 ? row.pixels : NULL;
        ok = sq_deflate_row(deflate, is_zero, err);
    }
    ok = ok && sq_deflate_end(deflate, err);
    sq_deflate_finish(deflate);
    sq_mem_free(lines);
    return ok;
}

bool
sq_png_encode(struct sq_rows *rows, struct sq_buf *out, struct sq_err *err) {
    assert(sq_rows_are_normal(rows));
    const struct header header = { rows->width, rows->height, 8, COLOUR_RGB };
    const size_t before = out->len;
    size_t start;
    bool ok = put_header(out, header, err)
           && begin_chunk(out, "IDAT", &start, err)
           && put_filtered(rows, out, err) && end_chunk(out, start, err)
           && put_chunk(out, "IEND", "", 0, err);
    out->len = ok ? out->len : before;
    return ok;
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

bool
sq_png_encode_indexed(const struct sq_indexed *picture, struct sq_buf *out,
                      struct sq_err *err) {
    int colours = picture->colours;
    int depth = 1;
    while (1 << depth < colours) {
        depth *= 2;
    }
    const struct header header = { picture->width, picture->height,
                                   (uint8_t)depth, COLOUR_PALETTE };
    const size_t before = out->len;
    size_t line = 1 + ((size_t)picture->width * (size_t)depth + 7) / 8;
    size_t bytes = line * (size_t)picture->height;
    uint8_t *packed = sq_mem_alloc(bytes, 1);
    if (!packed) {
        return sq_fail_nomem(err);
    }
    pack_indexes(picture, depth, line, packed);
    bool ok = put_header(out, header, err)
           && put_chunk(out, "PLTE", picture->palette,
                        (size_t)picture->colours * RGB_BYTES, err)
           && put_rows(out, PALETTE_LEVEL, packed, bytes, err);
    sq_mem_free(packed);
    out->len = ok ? out->len : before;
    return ok;
}
