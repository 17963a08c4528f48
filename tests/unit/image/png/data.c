/* Complete PNG files with wrong data: the zlib stream and the rows. */
#include "image/png/png.h"

#include "support/png_maker.h"
#include "support/png_reference.h"
#include "support/test.h"

#define MAX_FILE ((size_t)16 << 20)

/* The ways to read a row: four-byte pixels, expanded ones, others, passes. */
static const struct t_png_kind kinds[] = {
    { .width = 6, .height = 40, .colour = 6, .depth = 8, .level = 6 },
    { .width = 6, .height = 40, .colour = 2, .depth = 8, .level = 6 },
    { .width = 6, .height = 40, .colour = 3, .depth = 8, .level = 6 },
    { .width = 6,
      .height = 40,
      .colour = 0,
      .depth = 16,
      .level = 6,
      .interlaced = true },
    { .width = 1, .height = 1, .colour = 6, .depth = 8, .level = 6 },
    { .width = 1, .height = 1, .colour = 0, .depth = 1, .level = 6 },
};
#define KINDS (SQ_COUNT(kinds))

static enum sq_err_code
refusal_of(const struct sq_buf *file) {
    struct sq_err err = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *rows = NULL;
    bool ok =
        sq_png_open(file->data, file->len, &sq_limits_default, &rows, &err)
        && sq_rows_to_image(rows, &sq_limits_default, &image, &err);
    sq_rows_destroy(rows);
    T(ok || err.message[0]);
    return ok ? SQ_ERR_NONE : err.code;
}

/* Bytes of all rows with their filters. */
static size_t
raw_bytes(const struct t_png_kind *kind) {
    if (kind->interlaced) {
        return 6 * 40 * 2 + 5 + 5 + 5 + 10 + 10 + 20 + 20;
    }
    return (1 + t_png_row_bytes(kind, kind->width)) * (size_t)kind->height;
}

static void
check_raw(const struct t_png_kind *kind, size_t count, enum sq_err_code code) {
    uint8_t *raw = calloc(count ? count : 1, 1);
    struct sq_buf file;
    t_png_make_raw(kind, raw, count, &file);
    T_INT(refusal_of(&file), code);
    sq_buf_finish(&file);
    free(raw);
}

T_CASE(too_little_data_is_refused) {
    for (size_t i = 0; i < KINDS; i++) {
        size_t whole = raw_bytes(&kinds[i]);
        check_raw(&kinds[i], whole, SQ_ERR_NONE);
        for (size_t less = 1; less <= whole; less += 1 + less / 9) {
            check_raw(&kinds[i], whole - less, SQ_ERR_TRUNCATED);
        }
    }
}

T_CASE(too_much_data_is_refused) {
    static const size_t more[] = { 1, 2, 7, 258, 163840, 8000000 };
    for (size_t i = 0; i < KINDS; i++) {
        size_t whole = raw_bytes(&kinds[i]);
        for (size_t k = 0; k < SQ_COUNT(more); k++) {
            check_raw(&kinds[i], whole + more[k], SQ_ERR_FORMAT);
        }
    }
}

T_CASE(unknown_filters_are_refused) {
    static const uint8_t filters[] = { 5, 6, 127, 128, 255 };
    for (size_t i = 0; i < 3; i++) {
        size_t row = 1 + t_png_row_bytes(&kinds[i], kinds[i].width);
        for (int y = 0; y < kinds[i].height; y++) {
            uint8_t raw[40 * 25] = { 0 };
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            raw[(size_t)y * row] = filters[y % 5];
            t_png_make_raw(&kinds[i], raw, row * 40, &file);
            T_INT(refusal_of(&file), SQ_ERR_FORMAT);
        }
    }
}

T_CASE(unknown_filters_in_passes_are_refused) {
    const struct t_png_kind *kind = &kinds[3];
    size_t count = raw_bytes(kind);
    /* Where the first row of each pass begins. */
    static const size_t starts[] = { 0, 15, 30, 55, 85, 155, 295 };
    for (size_t i = 0; i < 7; i++) {
        uint8_t raw[1000] = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        raw[starts[i]] = 5;
        t_png_make_raw(kind, raw, count, &file);
        T_INT(refusal_of(&file), SQ_ERR_FORMAT);
    }
}

/* Two pixels of a 1-pixel wide picture; the second has a colour too many. */
T_CASE(colours_beyond_the_palette_are_refused) {
    for (int depth = 1; depth <= 8; depth *= 2) {
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            struct t_png_kind kind = { .width = 1,
                                       .height = 2,
                                       .colour = 3,
                                       .depth = depth,
                                       .palette_size = (1 << depth) - 1,
                                       .interlaced = interlaced };
            uint8_t raw[4] = { 0, 0, 0, (uint8_t)(0xff << (8 - depth)) };
            struct sq_buf file;
            t_png_make_raw(&kind, raw, 4, &file);
            T_INT(refusal_of(&file), SQ_ERR_FORMAT);
            sq_buf_finish(&file);
            kind.palette_size++;
            t_png_make_raw(&kind, raw, 4, &file);
            T_INT(refusal_of(&file), SQ_ERR_NONE);
            sq_buf_finish(&file);
        }
    }
}

/* A valid RGB picture's zlib stream, to be damaged. */
static void
make_stream(struct sq_buf *stream) {
    uint8_t raw[40 * 19] = { 0 };
    sq_buf_init(stream, MAX_FILE);
    t_png_put_zlib(stream, raw, sizeof(raw), 6);
}

static enum sq_err_code
refusal_of_stream(const uint8_t *stream, size_t count) {
    T_BUF(file, MAX_FILE);
    t_png_put_signature(&file);
    t_png_put_header(&file, &kinds[1]);
    t_png_put_chunk(&file, "IDAT", stream, count);
    t_png_put_chunk(&file, "IEND", NULL, 0);
    enum sq_err_code code = refusal_of(&file);
    return code;
}

static bool
is_zlib_header(unsigned method, unsigned flags) {
    return (method & 15) == 8 && method >> 4 <= 7
        && (method << 8 | flags) % 31 == 0 && !(flags & 0x20);
}

T_CASE(only_valid_zlib_headers_are_accepted) {
    T_FREED(sq_buf_finish) struct sq_buf stream = { 0 };
    make_stream(&stream);
    int good = 0;
    for (unsigned i = 0; i < 65536; i++) {
        if (i % 31 && i % 7) {
            continue; /* a sample of those with a wrong check is enough */
        }
        stream.data[0] = (uint8_t)(i >> 8);
        stream.data[1] = (uint8_t)i;
        bool is_good = is_zlib_header(i >> 8, i & 255);
        good += is_good;
        T_INT(refusal_of_stream(stream.data, stream.len),
              is_good ? SQ_ERR_NONE : SQ_ERR_FORMAT);
    }
    T_INT(good, 32); /* eight windows, four levels */
}

/* Inside complete chunks, so that only the stream itself is truncated. */
T_CASE(streams_truncated_anywhere_are_refused) {
    T_FREED(sq_buf_finish) struct sq_buf stream = { 0 };
    make_stream(&stream);
    for (size_t length = 0; length < stream.len; length++) {
        enum sq_err_code code = refusal_of_stream(stream.data, length);
        T(code == SQ_ERR_TRUNCATED || code == SQ_ERR_FORMAT);
    }
    T_INT(refusal_of_stream(stream.data, stream.len), SQ_ERR_NONE);
}

/* The chunks' checksums have covered the data already. */
T_CASE(zlib_checksum_is_not_compared) {
    T_FREED(sq_buf_finish) struct sq_buf stream = { 0 };
    make_stream(&stream);
    stream.data[stream.len - 1] ^= 1;
    T_INT(refusal_of_stream(stream.data, stream.len), SQ_ERR_NONE);
}
