#include "device_png.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

#define FILTERS 5
#define DEFLATE_LEVEL 6

static void
put_word(uint8_t *to, size_t value) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

static bool
put_chunk(struct sq_buf *out, const char *type, const uint8_t *bytes,
          size_t count, struct sq_err *err) {
    uint8_t *room;
    if (!sq_buf_reserve(out, count + 12, &room, err)) {
        return false;
    }
    put_word(room, count);
    memcpy(room + 4, type, 4);
    if (count > 0) {
        memcpy(room + 8, bytes, count);
    }
    put_word(room + 8 + count, libdeflate_crc32(0, room + 4, count + 4));
    sq_buf_commit(out, count + 12);
    return true;
}

static int
paeth(int left, int up, int corner) {
    int to_left = abs(up - corner);
    int to_up = abs(left - corner);
    int to_corner = abs(left + up - 2 * corner);
    if (to_left <= to_up && to_left <= to_corner) {
        return left;
    }
    return to_up <= to_corner ? up : corner;
}

/* Writes one filtered row to `to`, the filter's number first. */
static long
filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t count,
           size_t step, uint8_t *to) {
    long cost = 0;
    to[0] = (uint8_t)filter;
    for (size_t i = 0; i < count; i++) {
        int left = i >= step ? row[i - step] : 0;
        int corner = i >= step ? above[i - step] : 0;
        const int guess[FILTERS] = { 0, left, above[i], (left + above[i]) / 2,
                                     paeth(left, above[i], corner) };
        to[i + 1] = (uint8_t)(row[i] - guess[filter]);
        cost += abs((int8_t)to[i + 1]);
    }
    return cost;
}

/* Chooses the filter with the smallest residuals, like libpng. */
static void
filter_best(const uint8_t *row, const uint8_t *above, size_t count, size_t step,
            uint8_t *to, uint8_t *spare) {
    long best = filter_row(0, row, above, count, step, to);
    for (int filter = 1; filter < FILTERS; filter++) {
        long cost = filter_row(filter, row, above, count, step, spare);
        if (cost < best) {
            best = cost;
            memcpy(to, spare, count + 1);
        }
    }
}

static void
pack_row(const struct sq_image *image, int y, size_t channels, uint8_t *to) {
    const uint8_t *from = sq_image_row(image, y);
    for (int x = 0; x < image->width; x++) {
        memcpy(to, from, channels);
        to += channels;
        from += SQ_PIXEL_BYTES;
    }
}

/* Filters all rows. Free with sq_mem_free; NULL if out of memory. */
static uint8_t *
filter_image(const struct sq_image *image, size_t channels, size_t *count) {
    size_t row_bytes = (size_t)image->width * channels;
    size_t height = (size_t)image->height;
    uint8_t *all = sq_mem_alloc(row_bytes + 1, height);
    uint8_t *rows = sq_mem_zalloc(3, row_bytes + 1);
    if (all && rows) {
        uint8_t *above = rows;
        uint8_t *row = rows + row_bytes + 1;
        for (size_t y = 0; y < height; y++) {
            pack_row(image, (int)y, channels, row);
            filter_best(row, above, row_bytes, channels,
                        all + y * (row_bytes + 1), rows + 2 * (row_bytes + 1));
            uint8_t *swap = above;
            above = row;
            row = swap;
        }
        *count = (row_bytes + 1) * height;
    } else {
        sq_mem_free(all);
        all = NULL;
    }
    sq_mem_free(rows);
    return all;
}

/* Appends the IDAT chunk, compressed in a separate block. */
static bool
put_pixels(struct sq_buf *out, const uint8_t *filtered, size_t count,
           struct sq_err *err) {
    struct libdeflate_compressor *deflate =
        libdeflate_alloc_compressor(DEFLATE_LEVEL);
    size_t bound = deflate ? libdeflate_zlib_compress_bound(deflate, count) : 0;
    uint8_t *packed = deflate ? sq_mem_alloc(bound, 1) : NULL;
    bool ok = packed != NULL;
    if (ok) {
        size_t used =
            libdeflate_zlib_compress(deflate, filtered, count, packed, bound);
        ok = put_chunk(out, "IDAT", packed, used, err);
    } else {
        sq_fail_nomem(err);
    }
    sq_mem_free(packed);
    libdeflate_free_compressor(deflate);
    return ok;
}

bool
bench_device_png(const struct sq_image *image, int channels, struct sq_buf *out,
                 struct sq_err *err) {
    if (channels != 3 && channels != 4) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "channels is 3 or 4");
    }
    static const uint8_t signature[] = { 0x89, 'P',  'N',  'G',
                                         '\r', '\n', 0x1a, '\n' };
    uint8_t header[13] = { [8] = 8, [9] = channels == 4 ? 6 : 2 };
    put_word(header, (size_t)image->width);
    put_word(header + 4, (size_t)image->height);

    size_t count = 0;
    uint8_t *filtered = filter_image(image, (size_t)channels, &count);
    bool ok = filtered ? sq_buf_append(out, signature, sizeof(signature), err)
                       : sq_fail_nomem(err);
    ok = ok && put_chunk(out, "IHDR", header, sizeof(header), err)
      && put_pixels(out, filtered, count, err)
      && put_chunk(out, "IEND", NULL, 0, err);
    sq_mem_free(filtered);
    return ok;
}
