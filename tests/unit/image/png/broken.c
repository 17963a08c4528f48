/* PNG files that are truncated, damaged or invalid. */
#include "image/png/png.h"

#include "support/png_maker.h"
#include "support/png_reference.h"
#include "support/test.h"
#include "util/fault.h"

#define MAX_FILE ((size_t)4 << 20)

static const struct t_png_kind small_kinds[] = {
    { .width = 5, .height = 4, .colour = 2, .depth = 8, .level = 9 },
    { .width = 4, .height = 6, .colour = 6, .depth = 8, .transparent = true },
    { .width = 7,
      .height = 3,
      .colour = 3,
      .depth = 4,
      .palette_size = 5,
      .transparent = true,
      .level = 6 },
    { .width = 5, .height = 5, .colour = 4, .depth = 16, .interlaced = true },
    { .width = 9, .height = 9, .colour = 0, .depth = 1, .transparent = true },
};
#define SMALL_KINDS (SQ_COUNT(small_kinds))

static bool
decode(const uint8_t *bytes, size_t count, struct sq_image *out,
       struct sq_err *err) {
    struct sq_rows *rows = NULL;
    bool ok = sq_png_open(bytes, count, &sq_limits_default, &rows, err)
           && sq_rows_to_image(rows, &sq_limits_default, out, err);
    sq_rows_destroy(rows);
    return ok;
}

/* SQ_ERR_NONE if the file decodes. */
static enum sq_err_code
refusal_of(const struct sq_buf *file) {
    struct sq_err err = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    bool ok = decode(file->data, file->len, &image, &err);
    T(ok || err.message[0]);
    T(ok || !image.pixels);
    return ok ? SQ_ERR_NONE : err.code;
}

static void
append(struct sq_buf *out, const void *bytes, size_t count) {
    T_OK(sq_buf_append(out, bytes, count, &t_err));
}

static void
start_file(struct sq_buf *out) {
    sq_buf_init(out, MAX_FILE);
    t_png_put_signature(out);
}

/* The block has the exact size, so that sanitizers see an overrun. */
static void
check_cuts(const struct sq_buf *file) {
    for (size_t length = 0; length < file->len; length++) {
        uint8_t *part = malloc(length ? length : 1);
        struct sq_image image = { 0 };
        if (!T(part != NULL)) {
            return;
        }
        memcpy(part, file->data, length);
        T_FAILS(decode(part, length, &image, &t_err),
                length < 8 ? SQ_ERR_FORMAT : SQ_ERR_TRUNCATED);
        free(part);
    }
}

T_CASE(files_truncated_anywhere_are_refused) {
    for (size_t i = 0; i < SMALL_KINDS; i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        T_FREED(sq_buf_finish) struct sq_buf pieces = { 0 };
        t_png_make(&small_kinds[i], &file);
        check_cuts(&file);
        t_png_recut(&file, 7, true, &pieces);
        check_cuts(&pieces);
    }
}

static void
check_flip(const struct sq_buf *file, const struct sq_image *whole) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    if (decode(file->data, file->len, &image, &t_err)) {
        T_INT(t_png_differences(&image, whole), 0);
    }
}

T_CASE(flipped_bits_never_change_pixels) {
    for (size_t i = 0; i < SMALL_KINDS; i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        T_FREED(sq_image_finish) struct sq_image whole = { 0 };
        t_png_make(&small_kinds[i], &file);
        T(t_png_decode(file.data, file.len, &whole));
        for (size_t at = 0; at < file.len; at++) {
            for (int bit = 0; bit <= 8; bit++) {
                uint8_t flip = (uint8_t)(bit < 8 ? 1 << bit : 0xff);
                file.data[at] ^= flip;
                check_flip(&file, &whole);
                file.data[at] ^= flip;
            }
        }
    }
}

/*
 * Damage that checksums do not show: if both accept a file, the pixels agree.
 */
static void
check_hidden_damage(const struct sq_buf *file) {
    T_FREED(sq_image_finish) struct sq_image ours = { 0 };
    T_FREED(sq_image_finish) struct sq_image theirs = { 0 };
    if (decode(file->data, file->len, &ours, &t_err)
        && t_png_decode(file->data, file->len, &theirs)) {
        T_INT(t_png_differences(&ours, &theirs), 0);
    }
}

T_CASE(changed_bytes_with_valid_checksums_match_libpng) {
    for (size_t i = 0; i < SMALL_KINDS; i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        t_png_make(&small_kinds[i], &file);
        for (size_t at = 8; at < file.len; at++) {
            uint8_t before = file.data[at];
            for (int round = 0; round < 16; round++) {
                file.data[at] ^= (uint8_t)t_random_between(1, 255);
                t_png_fix_checksums(file.data, file.len);
                check_hidden_damage(&file);
                file.data[at] = before;
            }
        }
    }
}

T_CASE(wrong_checksum_of_each_chunk_is_refused) {
    static const char *const types[] = { "IHDR", "PLTE", "tRNS",
                                         "IDAT", "tEXt", "IEND" };
    T_FREED(sq_buf_finish) struct sq_buf plain = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    t_png_make(&small_kinds[2], &plain);
    T_BUF(text, MAX_FILE);
    t_png_put_chunk(&text, "tEXt", "a\0b", 3);
    t_png_insert(&plain, t_png_find(&plain, "IDAT", 0), &text, &file);
    T_INT(refusal_of(&file), SQ_ERR_NONE);
    for (size_t i = 0; i < SQ_COUNT(types); i++) {
        size_t at = t_png_find(&file, types[i], 0);
        size_t length = file.data[at + 3];
        for (size_t k = 0; T(at > 0) && k < 4; k++) {
            uint8_t *crc = file.data + at + 8 + length + k;
            *crc ^= 0x10;
            T_INT(refusal_of(&file), SQ_ERR_FORMAT);
            *crc ^= 0x10;
        }
    }
}

T_CASE(garbage_after_the_end_is_ignored) {
    for (size_t i = 0; i < SMALL_KINDS; i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        t_png_make(&small_kinds[i], &file);
        for (int k = 0; k < 50; k++) {
            uint8_t byte = (uint8_t)t_random();
            append(&file, &byte, 1);
            T_INT(refusal_of(&file), SQ_ERR_NONE);
        }
    }
}

/* The parts of a 2x2 picture of eight bits a sample, by the colour type. */
static void
put_piece(struct sq_buf *out, const char *type, int colour) {
    static const uint8_t raw[2 * 9];
    static const uint8_t bytes[6] = { 0, 1, 0, 2, 0, 3 };
    const struct t_png_kind kind = {
        .width = 2, .height = 2, .colour = colour, .depth = 8
    };
    if (strncmp(type, "IHDR", 4) == 0) {
        t_png_put_header(out, &kind);
    } else if (strncmp(type, "IDAT", 4) == 0) {
        struct sq_buf data;
        sq_buf_init(&data, MAX_FILE);
        t_png_put_zlib(&data, raw, 2 + 2 * t_png_row_bytes(&kind, 2), 6);
        t_png_put_chunk(out, "IDAT", data.data, data.len);
        sq_buf_finish(&data);
    } else if (strncmp(type, "PLTE", 4) == 0) {
        t_png_put_chunk(out, "PLTE", bytes, 6);
    } else if (strncmp(type, "tRNS", 4) == 0) {
        t_png_put_chunk(out, "tRNS", bytes, colour == 2 ? 6 : 2);
    } else {
        t_png_put_chunk(out, type, NULL, 0);
    }
}

T_CASE(order_of_chunks_is_checked) {
    static const struct {
        const char *chunks;
        int colour;
        enum sq_err_code code;
    } files[] = {
        { "IHDR IDAT IEND", 0, SQ_ERR_NONE },
        { "IHDR IDAT IEND", 2, SQ_ERR_NONE },
        { "IHDR PLTE IDAT IEND", 3, SQ_ERR_NONE },
        { "IHDR PLTE tRNS IDAT IEND", 3, SQ_ERR_NONE },
        { "IHDR PLTE IDAT IEND", 2, SQ_ERR_NONE },
        { "IHDR PLTE IDAT IEND", 6, SQ_ERR_NONE },
        { "IHDR tRNS IDAT IEND", 0, SQ_ERR_NONE },
        { "IHDR tRNS IDAT IEND", 2, SQ_ERR_NONE },
        { "IHDR abCD IDAT IEND", 2, SQ_ERR_NONE },
        { "IHDR IDAT abCD IEND", 2, SQ_ERR_NONE },
        { "IHDR IDAT IEND IEND", 2, SQ_ERR_NONE },
        { "", 2, SQ_ERR_TRUNCATED },
        { "IHDR", 2, SQ_ERR_TRUNCATED },
        { "IHDR IDAT", 2, SQ_ERR_TRUNCATED },
        { "IHDR IDAT abCD", 2, SQ_ERR_TRUNCATED },
        { "IEND", 2, SQ_ERR_FORMAT },
        { "IDAT IEND", 2, SQ_ERR_FORMAT },
        { "abCD IHDR IDAT IEND", 2, SQ_ERR_FORMAT },
        { "IHDR IEND", 2, SQ_ERR_FORMAT },
        { "IHDR IEND IDAT", 2, SQ_ERR_FORMAT },
        { "IHDR IHDR IDAT IEND", 2, SQ_ERR_UNSUPPORTED },
        { "IHDR IDAT IHDR IEND", 2, SQ_ERR_UNSUPPORTED },
        { "IHDR ABCD IDAT IEND", 2, SQ_ERR_UNSUPPORTED },
        { "IHDR IDAT ABCD IEND", 2, SQ_ERR_UNSUPPORTED },
        { "IHDR IDAT abCD IDAT IEND", 2, SQ_ERR_FORMAT },
        { "IHDR IDAT IEND", 3, SQ_ERR_FORMAT },
        { "IHDR IDAT PLTE IEND", 3, SQ_ERR_FORMAT },
        { "IHDR PLTE IDAT PLTE IEND", 3, SQ_ERR_FORMAT },
        { "IHDR PLTE PLTE IDAT IEND", 3, SQ_ERR_FORMAT },
        { "IHDR IDAT PLTE IEND", 2, SQ_ERR_FORMAT },
        { "IHDR tRNS PLTE IDAT IEND", 3, SQ_ERR_FORMAT },
        { "IHDR PLTE IDAT tRNS IEND", 3, SQ_ERR_FORMAT },
        { "IHDR tRNS IDAT IEND", 4, SQ_ERR_FORMAT },
        { "IHDR tRNS IDAT IEND", 6, SQ_ERR_FORMAT },
        { "IHDR ab1D IDAT IEND", 2, SQ_ERR_FORMAT },
        { "IHDR @bcD IDAT IEND", 2, SQ_ERR_FORMAT },
        { "IHDR abc{ IDAT IEND", 2, SQ_ERR_FORMAT },
    };
    for (size_t i = 0; i < SQ_COUNT(files); i++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        start_file(&file);
        for (const char *type = files[i].chunks; *type;) {
            put_piece(&file, type, files[i].colour);
            type += type[4] ? 5 : 4;
        }
        if (!T_INT(refusal_of(&file), files[i].code)) {
            printf("# %s, colour %d\n", files[i].chunks, files[i].colour);
        }
    }
}

T_CASE(chunks_of_wrong_lengths_are_refused) {
    static const struct {
        const char *type;
        int colour;
        size_t good, most;
    } chunks[] = { { "tRNS", 0, 2, 9 }, { "tRNS", 2, 6, 20 } };
    static const uint8_t bytes[800];
    for (size_t i = 0; i < SQ_COUNT(chunks); i++) {
        for (size_t length = 0; length <= chunks[i].most; length++) {
            T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
            start_file(&file);
            put_piece(&file, "IHDR", chunks[i].colour);
            t_png_put_chunk(&file, chunks[i].type, bytes, length);
            put_piece(&file, "IDAT", chunks[i].colour);
            put_piece(&file, "IEND", chunks[i].colour);
            T_INT(refusal_of(&file),
                  length == chunks[i].good ? SQ_ERR_NONE : SQ_ERR_FORMAT);
        }
    }
}

T_CASE(palettes_of_wrong_lengths_are_refused) {
    static const uint8_t bytes[800];
    for (size_t length = 0; length <= 780; length++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        bool good = length % 3 == 0 && length > 0 && length <= 768;
        start_file(&file);
        put_piece(&file, "IHDR", 3);
        t_png_put_chunk(&file, "PLTE", bytes, length);
        put_piece(&file, "IDAT", 3);
        put_piece(&file, "IEND", 3);
        T_INT(refusal_of(&file), good ? SQ_ERR_NONE : SQ_ERR_FORMAT);
    }
    for (size_t length = 0; length <= 8; length++) {
        T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
        start_file(&file);
        put_piece(&file, "IHDR", 3);
        t_png_put_chunk(&file, "PLTE", bytes, 15);
        t_png_put_chunk(&file, "tRNS", bytes, length);
        put_piece(&file, "IDAT", 3);
        put_piece(&file, "IEND", 3);
        T_INT(refusal_of(&file), length <= 5 ? SQ_ERR_NONE : SQ_ERR_FORMAT);
    }
}

/*
 * A header of any thirteen bytes (or fewer, or more) and the rest of a picture.
 */
static enum sq_err_code
refusal_of_header(const uint8_t *header, size_t length) {
    static const uint8_t raw[2 * 17];
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    T_BUF(data, MAX_FILE);
    start_file(&file);
    t_png_put_chunk(&file, "IHDR", header, length);
    if (header[9] == 3) {
        t_png_put_chunk(&file, "PLTE", "abc", 3);
    }
    /* Larger pictures have too little data. */
    t_png_put_zlib(&data, raw, sizeof(raw), 6);
    t_png_put_chunk(&file, "IDAT", data.data, data.len);
    t_png_put_chunk(&file, "IEND", NULL, 0);
    enum sq_err_code code = refusal_of(&file);
    return code;
}

static bool
is_legal(int colour, int depth) {
    for (size_t i = 0; i < 15; i++) {
        if (t_png_formats[i].colour == colour
            && t_png_formats[i].depth == depth) {
            return true;
        }
    }
    return false;
}

/* Valid headers fail only at their data, which has the wrong length. */
T_CASE(only_valid_headers_are_accepted) {
    for (int colour = 0; colour < 256; colour += colour < 9 ? 1 : 13) {
        for (int depth = 0; depth < 256; depth += depth < 34 ? 1 : 15) {
            uint8_t header[13] = {
                0, 0, 0, 2, 0, 0, 0, 40, (uint8_t)depth, (uint8_t)colour
            };
            T_INT(refusal_of_header(header, 13),
                  is_legal(colour, depth) ? SQ_ERR_TRUNCATED : SQ_ERR_FORMAT);
        }
    }
    for (size_t at = 10; at < 13; at++) {
        for (int value = 1; value < 256; value++) {
            uint8_t header[13] = { 0, 0, 0, 2, 0, 0, 0, 40, 8, 2 };
            header[at] = (uint8_t)value;
            T_INT(refusal_of_header(header, 13),
                  at == 12 && value == 1 ? SQ_ERR_TRUNCATED : SQ_ERR_FORMAT);
        }
    }
    const uint8_t header[20] = { 0, 0, 0, 2, 0, 0, 0, 40, 8, 2 };
    for (size_t length = 10; length < 20; length++) {
        T_INT(refusal_of_header(header, length),
              length == 13 ? SQ_ERR_TRUNCATED : SQ_ERR_FORMAT);
    }
}

/* The error, and that nothing was allocated before it was detected. */
static void
check_refused_for_nothing(uint32_t width, uint32_t height, int colour,
                          enum sq_err_code code) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    struct sq_rows *rows = NULL;
    const struct t_png_kind kind = {
        .width = (int)width, .height = (int)height, .colour = colour, .depth = 8
    };
    uint8_t data[100] = { 0x78, 0x9c };
    start_file(&file);
    t_png_put_header(&file, &kind);
    t_png_put_chunk(&file, "IDAT", data, sizeof(data));
    t_png_put_chunk(&file, "IEND", NULL, 0);
    sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
    T(!sq_png_open(file.data, file.len, &sq_limits_default, &rows, &t_err));
    T_INT(sq_fault_count(SQ_FAULT_ALLOC), 0);
    T_INT(t_err.code, code);
    T(rows == NULL);
}

T_CASE(sizes_above_the_limits_are_refused) {
    check_refused_for_nothing(0, 10, 6, SQ_ERR_FORMAT);
    check_refused_for_nothing(10, 0, 6, SQ_ERR_FORMAT);
    check_refused_for_nothing(0, 0, 6, SQ_ERR_FORMAT);
    check_refused_for_nothing(16385, 1, 6, SQ_ERR_LIMIT);
    check_refused_for_nothing(1, 16385, 6, SQ_ERR_LIMIT);
    check_refused_for_nothing(16384, 6104, 6, SQ_ERR_LIMIT);
    check_refused_for_nothing(100000, 100000, 6, SQ_ERR_LIMIT);
    check_refused_for_nothing(0x80000000u, 1, 6, SQ_ERR_LIMIT);
    check_refused_for_nothing(0xffffffffu, 0xffffffffu, 6, SQ_ERR_LIMIT);
}

/* Not more memory than 50 million pixels of 16-bit RGBA. */
T_CASE(only_lean_pictures_may_have_more_than_50_million_pixels) {
    static const struct {
        uint8_t height[2];
        uint8_t rest[5]; /* depth, colours, 0, 0, interlaced */
        enum sq_err_code code;
    } headers[] = {
        { { 0x27, 0x10 }, { 8, 2 }, SQ_ERR_TRUNCATED }, /* 10000x10000 */
        { { 0x27, 0x10 }, { 16, 0 }, SQ_ERR_TRUNCATED },
        { { 0x27, 0x10 }, { 16, 2 }, SQ_ERR_LIMIT },
        { { 0x27, 0x10 }, { 8, 2, 0, 0, 1 }, SQ_ERR_LIMIT },
        { { 0x27, 0x11 }, { 8, 2 }, SQ_ERR_LIMIT },
        { { 0x13, 0x88 }, { 16, 6 }, SQ_ERR_TRUNCATED }, /* 10000x5000 */
        { { 0x13, 0x88 }, { 16, 6, 0, 0, 1 }, SQ_ERR_TRUNCATED },
        { { 0x13, 0x89 }, { 16, 6 }, SQ_ERR_LIMIT },
    };
    for (size_t i = 0; i < SQ_COUNT(headers); i++) {
        uint8_t header[13] = { 0, 0, 0x27, 0x10 };
        memcpy(header + 6, headers[i].height, 2);
        memcpy(header + 8, headers[i].rest, 5);
        T_INT(refusal_of_header(header, 13), headers[i].code);
    }
}

/* A hundred bytes cannot contain that number of pixels, however compressed. */
T_CASE(large_sizes_with_little_data_are_refused) {
    check_refused_for_nothing(16384, 6103, 6, SQ_ERR_TRUNCATED);
    check_refused_for_nothing(16384, 3051, 0, SQ_ERR_TRUNCATED);
    check_refused_for_nothing(5000, 5000, 2, SQ_ERR_TRUNCATED);
    check_refused_for_nothing(1000, 1000, 2, SQ_ERR_TRUNCATED);
}

T_CASE(too_many_chunks_are_refused) {
    T_FREED(sq_buf_finish) struct sq_buf file = { 0 };
    start_file(&file);
    put_piece(&file, "IHDR", 2);
    for (int i = 0; i < SQ_MAX_PNG_CHUNKS; i++) {
        t_png_put_chunk(&file, "abCD", NULL, 0);
    }
    put_piece(&file, "IDAT", 2);
    put_piece(&file, "IEND", 2);
    T_INT(refusal_of(&file), SQ_ERR_LIMIT);
}
