#include "support/tagged.h"

#include <libdeflate.h>

#include "support/png_maker.h"
#include "support/test.h"
#include "util/limits.h"

#define PNG_HEADER_END (8 + 25)
#define RIFF_HEADER 12

static void
put(struct sq_buf *out, const void *bytes, size_t count) {
    T_OK(sq_buf_append(out, bytes, count, &t_err));
}

static void
put_byte(struct sq_buf *out, unsigned value) {
    uint8_t byte = (uint8_t)value;
    put(out, &byte, 1);
}

/* Appends the lowest bytes of a value, little endian. */
static void
put_little(struct sq_buf *out, size_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        put_byte(out, (unsigned)(value >> (8 * i)) & 0xff);
    }
}

static void
put_number(struct sq_buf *out, size_t value, int bytes, bool big_endian) {
    for (int i = 0; i < bytes; i++) {
        int shift = big_endian ? 8 * (bytes - 1 - i) : 8 * i;
        put_byte(out, (unsigned)(value >> shift) & 0xff);
    }
}

/* Inserts bytes into a file. */
static void
insert(struct sq_buf *file, size_t at, const struct sq_buf *bytes) {
    struct sq_buf whole;
    sq_buf_init(&whole, SQ_MAX_IMAGE_BYTES);
    put(&whole, file->data, at);
    put(&whole, bytes->data, bytes->len);
    put(&whole, file->data + at, file->len - at);
    sq_buf_finish(file);
    *file = whole;
}

void
t_exif_make(int orientation, bool big_endian, struct sq_buf *out) {
    sq_buf_init(out, 4096);
    put(out, big_endian ? "MM\0*" : "II*\0", 4);
    put_number(out, 8, 4, big_endian); /* offset of the list */
    put_number(out, 2, 2, big_endian); /* number of entries */
    put_number(out, 0x0100, 2, big_endian);
    put_number(out, 4, 2, big_endian);
    put_number(out, 1, 4, big_endian);
    put_number(out, 4711, 4, big_endian);
    put_number(out, 0x0112, 2, big_endian);
    put_number(out, 3, 2, big_endian);
    put_number(out, 1, 4, big_endian);
    put_number(out, (size_t)orientation, 2, big_endian);
    put_number(out, 0, 2, big_endian);
    put_number(out, 0, 4, big_endian); /* no second list */
}

void
t_png_add(struct sq_buf *file, const char *type, const void *data,
          size_t length) {
    T_BUF(chunk, SQ_MAX_IMAGE_BYTES);
    t_png_put_chunk(&chunk, type, data, length);
    insert(file, PNG_HEADER_END, &chunk);
}

void
t_png_add_profile(struct sq_buf *file, const struct sq_buf *profile) {
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(6);
    size_t bound = libdeflate_zlib_compress_bound(deflate, profile->len);
    struct sq_buf data;
    uint8_t *room;
    sq_buf_init(&data, SQ_MAX_IMAGE_BYTES);
    put(&data, "a name\0", 8);
    if (T_OK(sq_buf_reserve(&data, bound, &room, &t_err))) {
        sq_buf_commit(&data,
                      libdeflate_zlib_compress(deflate, profile->data,
                                               profile->len, room, bound));
    }
    t_png_add(file, "iCCP", data.data, data.len);
    sq_buf_finish(&data);
    libdeflate_free_compressor(deflate);
}

void
t_jpeg_add(struct sq_buf *file, uint8_t marker, const void *data,
           size_t length) {
    T_BUF(segment, SQ_MAX_IMAGE_BYTES);
    put_byte(&segment, 0xff);
    put_byte(&segment, marker);
    put_number(&segment, length + 2, 2, true);
    put(&segment, data, length);
    insert(file, 2, &segment);
}

void
t_jpeg_add_piece(struct sq_buf *file, int number, int count, const void *data,
                 size_t length) {
    T_BUF(piece, SQ_MAX_IMAGE_BYTES);
    put(&piece, "ICC_PROFILE", 12);
    put_byte(&piece, (unsigned)number);
    put_byte(&piece, (unsigned)count);
    put(&piece, data, length);
    t_jpeg_add(file, 0xe2, piece.data, piece.len);
}

void
t_jpeg_add_profile(struct sq_buf *file, const struct sq_buf *profile,
                   size_t piece) {
    int count = (int)((profile->len + piece - 1) / piece);
    for (int i = count; i > 0; i--) {
        size_t from = (size_t)(i - 1) * piece;
        size_t left = profile->len - from;
        t_jpeg_add_piece(file, i, count, profile->data + from,
                         left < piece ? left : piece);
    }
}

void
t_jpeg_add_exif(struct sq_buf *file, const struct sq_buf *exif) {
    T_BUF(data, SQ_MAX_IMAGE_BYTES);
    put(&data, "Exif\0", 6);
    put(&data, exif->data, exif->len);
    t_jpeg_add(file, 0xe1, data.data, data.len);
}

static void
put_chunk(struct sq_buf *out, const char *name, const void *data,
          size_t length) {
    put(out, name, 4);
    put_little(out, length, 4);
    put(out, data, length);
    if (length % 2) {
        put_byte(out, 0);
    }
}

static void
put_canvas(struct sq_buf *out, unsigned flags, int width, int height) {
    T_BUF(data, 64);
    put_little(&data, flags, 4);
    put_little(&data, (size_t)width - 1, 3);
    put_little(&data, (size_t)height - 1, 3);
    put_chunk(out, "VP8X", data.data, data.len);
}

/* Writes the RIFF header and the chunks. */
static void
finish_riff(const struct sq_buf *chunks, struct sq_buf *out) {
    put(out, "RIFF", 4);
    put_little(out, chunks->len + 4, 4);
    put(out, "WEBP", 4);
    put(out, chunks->data, chunks->len);
}

void
t_webp_extend(struct sq_buf *file, int width, int height,
              const struct sq_buf *profile, const struct sq_buf *exif) {
    struct sq_buf chunks;
    struct sq_buf whole;
    sq_buf_init(&chunks, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&whole, SQ_MAX_IMAGE_BYTES);
    put_canvas(&chunks, (profile ? 0x20u : 0) | (exif ? 0x08u : 0), width,
               height);
    if (profile) {
        put_chunk(&chunks, "ICCP", profile->data, profile->len);
    }
    put(&chunks, file->data + RIFF_HEADER, file->len - RIFF_HEADER);
    if (exif) {
        put_chunk(&chunks, "EXIF", exif->data, exif->len);
    }
    finish_riff(&chunks, &whole);
    sq_buf_finish(&chunks);
    sq_buf_finish(file);
    *file = whole;
}

static void
put_frame(struct sq_buf *out, const struct t_webp_frame *frame) {
    T_BUF(data, SQ_MAX_IMAGE_BYTES);
    put_little(&data, (size_t)frame->x / 2, 3);
    put_little(&data, (size_t)frame->y / 2, 3);
    put_little(&data, (size_t)frame->width - 1, 3);
    put_little(&data, (size_t)frame->height - 1, 3);
    put_little(&data, 100, 3); /* milliseconds */
    put_little(&data, 0, 1);
    put(&data, frame->file->data + RIFF_HEADER, frame->file->len - RIFF_HEADER);
    put_chunk(out, "ANMF", data.data, data.len);
}

void
t_webp_animate(int width, int height, const struct t_webp_frame *frames,
               size_t count, struct sq_buf *out) {
    static const uint8_t white_and_loops[6] = { 255, 255, 255, 255, 0, 0 };
    T_BUF(chunks, SQ_MAX_IMAGE_BYTES);
    put_canvas(&chunks, 0x12, width, height);
    put_chunk(&chunks, "ANIM", white_and_loops, sizeof(white_and_loops));
    for (size_t i = 0; i < count; i++) {
        put_frame(&chunks, &frames[i]);
    }
    sq_buf_init(out, SQ_MAX_IMAGE_BYTES);
    finish_riff(&chunks, out);
}
