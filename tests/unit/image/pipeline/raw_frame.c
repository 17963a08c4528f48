#include "image/pipeline/codec.h"

#include "support/test.h"
#include "support/trickle.h"

enum {
    FORMAT_RGBA = 1,
    FORMAT_RGBX = 2,
    FORMAT_RGB = 3,
    FORMAT_565 = 4,
    FORMAT_BGRA = 5,
    FORMAT_FP16 = 22,
    FORMAT_1010102 = 43,
};

static const struct {
    uint32_t code;
    size_t pixel_bytes;
} formats[] = {
    { FORMAT_RGBA, 4 },    { FORMAT_RGBX, 4 }, { FORMAT_RGB, 3 },
    { FORMAT_565, 2 },     { FORMAT_BGRA, 4 }, { FORMAT_FP16, 8 },
    { FORMAT_1010102, 4 },
};
#define FORMATS (SQ_COUNT(formats))

static void
store32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> 8 * i);
    }
}

/* A frame in a block of its exact size, to be freed. */
struct frame {
    uint8_t *bytes;
    size_t count;
};

static struct frame
make_frame(uint32_t width, uint32_t height, uint32_t code, size_t header,
           size_t pixel_bytes) {
    struct frame frame = { .count = header + width * height * pixel_bytes };
    frame.bytes = malloc(frame.count);
    if (T(frame.bytes != NULL)) {
        for (size_t i = 0; i < frame.count; i++) {
            frame.bytes[i] = (uint8_t)t_random();
        }
        store32(frame.bytes, width);
        store32(frame.bytes + 4, height);
        store32(frame.bytes + 8, code);
    }
    return frame;
}

static enum sq_err_code
refusal_of(const uint8_t *bytes, size_t count) {
    struct sq_rows *rows = NULL;
    struct sq_err err = { 0 };
    bool ok = sq_raw_open(bytes, count, &sq_limits_default, &rows, &err);
    T(ok == (rows != NULL));
    T(ok || err.message[0]);
    sq_rows_destroy(rows);
    return ok ? SQ_ERR_NONE : err.code;
}

/* One pixel in, one pixel out, with either header. */
static void
check_pixel(uint32_t code, const void *stored, size_t stored_len,
            const char *want) {
    for (size_t header = 12; header <= 16; header += 4) {
        struct frame frame = make_frame(1, 1, code, header, stored_len);
        struct sq_rows *rows = NULL;
        struct sq_row row = { 0 };
        memcpy(frame.bytes + header, stored, stored_len);
        if (T_OK(sq_raw_open(frame.bytes, frame.count, &sq_limits_default,
                             &rows, &t_err))
            && T_OK(sq_rows_next(rows, &row, &t_err))) {
            T_BYTES(row.pixels, 3, want, 3);
        }
        sq_rows_destroy(rows);
        free(frame.bytes);
    }
}

/* Computed by hand. Alpha is never read. */
T_CASE(pixels_of_every_format_are_converted) {
    check_pixel(FORMAT_RGBA, "\x10\x20\x30\x00", 4, "\x10\x20\x30");
    check_pixel(FORMAT_RGBA, "\x10\x20\x30\x80", 4, "\x10\x20\x30");
    check_pixel(FORMAT_RGBX, "\xff\x00\x7f\x00", 4, "\xff\x00\x7f");
    check_pixel(FORMAT_RGB, "\x01\x02\xfe", 3, "\x01\x02\xfe");
    check_pixel(FORMAT_BGRA, "\x10\x20\x30\x00", 4, "\x30\x20\x10");
    /* 11111 000000 00000, then green, then blue; 16, 32, 16 of 31, 63, 31 */
    check_pixel(FORMAT_565, "\x00\xf8", 2, "\xff\x00\x00");
    check_pixel(FORMAT_565, "\xe0\x07", 2, "\x00\xff\x00");
    check_pixel(FORMAT_565, "\x1f\x00", 2, "\x00\x00\xff");
    check_pixel(FORMAT_565, "\x10\x84", 2, "\x84\x82\x84");
    check_pixel(FORMAT_565, "\x21\x08", 2, "\x08\x04\x08");
    /* Ten bits each, red lowest: 1023; 512; 1, 2, 3; 1023 << 20. */
    check_pixel(FORMAT_1010102, "\xff\x03\x00\x00", 4, "\xff\x00\x00");
    check_pixel(FORMAT_1010102, "\x00\xfc\x0f\xc0", 4, "\x00\xff\x00");
    check_pixel(FORMAT_1010102, "\x00\x00\xf0\x3f", 4, "\x00\x00\xff");
    check_pixel(FORMAT_1010102, "\x00\x02\x08\x20", 4, "\x80\x80\x80");
    check_pixel(FORMAT_1010102, "\x02\x0c\x50\x00", 4, "\x00\x01\x01");
}

/* 0x3c00 is 1.0, 0x3800 is 0.5, 0x3555 is 0.33325. */
T_CASE(half_floats_are_converted) {
    check_pixel(FORMAT_FP16, "\x00\x3c\x00\x38\x55\x35\x00\x00", 8,
                "\xff\x80\x55");
    /* zero, minus zero, minus one */
    check_pixel(FORMAT_FP16, "\x00\x00\x00\x80\x00\xbc\x00\x3c", 8, "\0\0\0");
    /* a bit above one, one and a half, nearly two */
    check_pixel(FORMAT_FP16, "\x01\x3c\x00\x3e\xff\x3f\x00\x3c", 8,
                "\xff\xff\xff");
    /* two, infinity, largest finite */
    check_pixel(FORMAT_FP16, "\x00\x40\x00\x7c\xff\x7b\x00\x3c", 8,
                "\xff\xff\xff");
    /* not a number, minus infinity, smallest subnormal */
    check_pixel(FORMAT_FP16, "\x00\x7e\x00\xfc\x01\x00\x00\x3c", 8, "\0\0\0");
    /* just below one; 1/255, 1/512 */
    check_pixel(FORMAT_FP16, "\xff\x3b\x04\x1c\x00\x18\x00\x3c", 8,
                "\xff\x01\x00");
}

static double
value_of_half(unsigned half) {
    unsigned exponent = half >> 10 & 31;
    double value = exponent ? 1024 + (half & 1023) : half & 1023;
    for (unsigned i = exponent ? exponent : 1; i < 25; i++) {
        value /= 2;
    }
    return value;
}

/* Every positive half below one, compared with floating point. */
T_CASE(every_half_float_matches_floating_point) {
    long wrong = 0;
    struct frame frame = make_frame(0x3c00, 1, FORMAT_FP16, 16, 8);
    struct sq_rows *rows = NULL;
    struct sq_row row = { 0 };
    for (unsigned half = 0; half < 0x3c00; half++) {
        frame.bytes[16 + half * 8] = (uint8_t)half;
        frame.bytes[17 + half * 8] = (uint8_t)(half >> 8);
    }
    T_OK(
        sq_raw_open(frame.bytes, frame.count, &sq_limits_default, &rows, &t_err)
        && sq_rows_next(rows, &row, &t_err));
    for (unsigned half = 0; row.pixels && half < 0x3c00; half++) {
        int want = (int)(value_of_half(half) * 255 + 0.5);
        wrong += row.pixels[half * 4] != want;
    }
    T_INT(wrong, 0);
    sq_rows_destroy(rows);
    free(frame.bytes);
}

static void
copy_pixel(uint8_t *to, const uint8_t *from) {
    memcpy(to, from, 3);
}

/* Rows follow each other without gaps; `same` is set only for equal rows. */
static void
check_rows(uint32_t width, uint32_t height, size_t header) {
    struct frame frame = make_frame(width, height, FORMAT_RGB, header, 3);
    struct sq_rows *rows = NULL;
    uint8_t before[40 * 3] = { 0 };
    for (uint32_t y = 1; y < height; y++) {
        uint8_t *row = frame.bytes + header + y * width * 3;
        if (t_random() % 2) {
            memcpy(row, row - width * 3, width * 3);
        }
    }
    T_OK(sq_raw_open(frame.bytes, frame.count, &sq_limits_default, &rows,
                     &t_err));
    for (uint32_t y = 0; rows && y < height; y++) {
        struct sq_row row = { 0 };
        uint8_t packed[40 * 3];
        T_OK(sq_rows_next(rows, &row, &t_err));
        for (uint32_t x = 0; x < width; x++) {
            copy_pixel(packed + x * 3, row.pixels + x * 4);
        }
        T_BYTES(packed, width * 3, frame.bytes + header + y * width * 3,
                width * 3);
        T(!row.same || (y > 0 && memcmp(before, packed, width * 3) == 0));
        memcpy(before, packed, width * 3);
    }
    sq_rows_destroy(rows);
    free(frame.bytes);
}

T_CASE(rows_follow_each_other) {
    for (uint32_t width = 1; width <= 40; width++) {
        check_rows(width, 1 + width % 7, width % 2 ? 12 : 16);
    }
}

static unsigned
read_all(const uint8_t *bytes, size_t count) {
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += ((const volatile uint8_t *)bytes)[i];
    }
    return sum;
}

/* Every row, with its padding, for as long as `keeps` says. */
static void
check_slack(uint32_t width, uint32_t height, size_t format, size_t header) {
    struct frame frame = make_frame(width, height, formats[format].code, header,
                                    formats[format].pixel_bytes);
    const uint8_t *held[20] = { 0 };
    struct sq_rows *rows = NULL;
    T_OK(sq_raw_open(frame.bytes, frame.count, &sq_limits_default, &rows,
                     &t_err));
    size_t row_bytes = width * SQ_PIXEL_BYTES;
    for (uint32_t y = 0; rows && y < height; y++) {
        struct sq_row row = { 0 };
        T_OK(sq_rows_next(rows, &row, &t_err));
        read_all(row.pixels, row_bytes + SQ_ROW_SLACK);
        held[y] = row.pixels;
        for (uint32_t k = 0; formats[format].code <= 2 && k <= y; k++) {
            T((int)(y - k) <= rows->keeps);
            T_BYTES(held[k], row_bytes, frame.bytes + header + k * row_bytes,
                    row_bytes);
        }
    }
    sq_rows_destroy(rows);
    free(frame.bytes);
}

T_CASE(padding_after_every_row_is_readable) {
    for (size_t format = 0; format < FORMATS; format++) {
        for (uint32_t width = 1; width <= 40; width++) {
            for (uint32_t height = 1; height <= 20; height += 1 + height / 4) {
                check_slack(width, height, format, width % 2 ? 12 : 16);
            }
        }
    }
}

/* Only the two lengths are valid: with the old header and with the new one. */
T_CASE(wrong_lengths_are_refused) {
    for (size_t i = 0; i < FORMATS; i++) {
        size_t pixels = 3 * 5 * formats[i].pixel_bytes;
        struct frame frame =
            make_frame(3, 5, formats[i].code, 100, formats[i].pixel_bytes);
        for (size_t count = 0; count <= frame.count; count++) {
            uint8_t *exact = malloc(count ? count : 1);
            memcpy(exact, frame.bytes, count);
            enum sq_err_code want =
                count < 16 + pixels ? SQ_ERR_TRUNCATED : SQ_ERR_FORMAT;
            bool good = count == 12 + pixels || count == 16 + pixels;
            T_INT(refusal_of(exact, count), good ? SQ_ERR_NONE : want);
            free(exact);
        }
        free(frame.bytes);
    }
    T_INT(refusal_of(NULL, 0), SQ_ERR_TRUNCATED);
}

/* Also if the rest has the length of a frame with the old header. */
T_CASE(frames_truncated_anywhere_are_refused) {
    for (size_t i = 0; i < FORMATS; i++) {
        for (uint32_t colour_space = 1; colour_space <= 2; colour_space++) {
            struct frame frame =
                make_frame(4, 3, formats[i].code, 16, formats[i].pixel_bytes);
            store32(frame.bytes + 12, colour_space);
            T_INT(refusal_of(frame.bytes, frame.count), SQ_ERR_NONE);
            for (size_t count = 0; count < frame.count; count++) {
                uint8_t *part = malloc(count ? count : 1);
                memcpy(part, frame.bytes, count);
                T_INT(refusal_of(part, count), SQ_ERR_TRUNCATED);
                free(part);
            }
            free(frame.bytes);
        }
    }
}

T_CASE(unknown_formats_are_refused) {
    for (uint32_t code = 0; code < 300; code++) {
        bool known = false;
        for (size_t i = 0; i < FORMATS; i++) {
            known = known || formats[i].code == code;
        }
        struct frame frame = make_frame(2, 2, code, 12, 4);
        T_INT(sq_raw_sniff(frame.bytes, frame.count), known);
        if (!known) {
            T_INT(refusal_of(frame.bytes, frame.count), SQ_ERR_UNSUPPORTED);
        }
        free(frame.bytes);
    }
}

T_CASE(invalid_sizes_are_refused) {
    static const struct {
        uint32_t width, height;
        enum sq_err_code code;
        bool sniffs;
    } sizes[] = {
        { 0, 1, SQ_ERR_FORMAT, false },
        { 1, 0, SQ_ERR_FORMAT, false },
        { 16385, 1, SQ_ERR_LIMIT, false },
        { 1, 16385, SQ_ERR_LIMIT, false },
        { 16384, 16384, SQ_ERR_LIMIT, true },
        { 0xffffffff, 0xffffffff, SQ_ERR_LIMIT, false },
        { 0x80000000, 2, SQ_ERR_LIMIT, false },
        { 0x40000001, 4, SQ_ERR_LIMIT, false },
        { 16384, 3051, SQ_ERR_TRUNCATED, true },
    };
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        for (size_t f = 0; f < FORMATS; f++) {
            uint8_t bytes[28] = { 0 };
            store32(bytes, sizes[i].width);
            store32(bytes + 4, sizes[i].height);
            store32(bytes + 8, formats[f].code);
            T_INT(refusal_of(bytes, sizeof(bytes)), sizes[i].code);
            T_INT(sq_raw_sniff(bytes, sizeof(bytes)), sizes[i].sniffs);
        }
    }
}

T_CASE(detection_needs_a_complete_header) {
    struct frame frame = make_frame(1, 1, FORMAT_RGBA, 12, 4);
    for (size_t count = 0; count <= frame.count; count++) {
        T_INT(sq_raw_sniff(frame.bytes, count), count >= 12);
    }
    free(frame.bytes);
}

static bool
build(void *context, struct sq_err *err) {
    const struct frame *frame = context;
    struct sq_rows *rows = NULL;
    struct sq_image image = { 0 };
    bool ok =
        sq_raw_open(frame->bytes, frame->count, &sq_limits_default, &rows, err)
        && sq_rows_to_image(rows, &sq_limits_default, &image, err);
    sq_image_finish(&image);
    sq_rows_destroy(rows);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    for (size_t i = 0; i < FORMATS; i++) {
        struct frame frame =
            make_frame(9, 7, formats[i].code, 16, formats[i].pixel_bytes);
        T(t_alloc_torture(build, &frame) >= 3);
        free(frame.bytes);
    }
}

/*
 * Compares the rows of a frame that arrives in pieces with those of the whole.
 */
static void
check_incoming(const struct frame *frame, size_t step) {
    T_FREED(trickle_finish) struct trickle trickle = { 0 };
    struct sq_rows *whole = NULL;
    struct sq_rows *rows = NULL;
    trickle_init(&trickle, frame->bytes, frame->count, step);
    if (T_OK(sq_raw_open(frame->bytes, frame->count, &sq_limits_default, &whole,
                         &t_err))
        && T_OK(sq_raw_open_incoming(&trickle.incoming, &sq_limits_default,
                                     &rows, &t_err))
        && T_INT(rows->width, whole->width)
        && T_INT(rows->height, whole->height)) {
        for (int y = 0; y < rows->height; y++) {
            struct sq_row want = { 0 };
            struct sq_row got = { 0 };
            T_OK(sq_rows_next(whole, &want, &t_err));
            T_OK(sq_rows_next(rows, &got, &t_err));
            size_t bytes = (size_t)rows->width * SQ_PIXEL_BYTES;
            T_BYTES(got.pixels, bytes, want.pixels, bytes);
        }
    }
    sq_rows_destroy(whole);
    sq_rows_destroy(rows);
}

T_CASE(rows_can_be_read_while_the_frame_arrives) {
    for (size_t i = 0; i < FORMATS; i++) {
        for (size_t step = 1; step < 100; step = step * 3 + 1) {
            struct frame frame =
                make_frame(13, 9, formats[i].code, 16, formats[i].pixel_bytes);
            store32(frame.bytes + 12, 1 + (uint32_t)step % 2);
            check_incoming(&frame, step);
            free(frame.bytes);
        }
    }
}

static enum sq_err_code
refusal_while_it_comes(const struct frame *frame, size_t count, int *rows_got) {
    T_FREED(trickle_finish) struct trickle trickle = { 0 };
    struct sq_rows *rows = NULL;
    struct sq_row row;
    struct sq_err err = { 0 };
    *rows_got = 0;
    trickle_init(&trickle, frame->bytes, count, 5);
    bool ok = sq_raw_open_incoming(&trickle.incoming, &sq_limits_default, &rows,
                                   &err);
    T(ok == (rows != NULL));
    while (ok && *rows_got < rows->height) {
        ok = sq_rows_next(rows, &row, &err);
        *rows_got += ok;
    }
    sq_rows_destroy(rows);
    return ok ? SQ_ERR_NONE : err.code;
}

T_CASE(frame_that_ends_early_fails_at_the_row) {
    struct frame frame = make_frame(4, 5, FORMAT_RGBA, 16, 4);
    int rows;
    store32(frame.bytes + 12, 1);
    for (size_t count = 0; count < frame.count; count++) {
        T_INT(refusal_while_it_comes(&frame, count, &rows), SQ_ERR_TRUNCATED);
        T_INT(rows, count < 16 ? 0 : (int)(count - 16) / 16);
    }
    T_INT(refusal_while_it_comes(&frame, frame.count, &rows), SQ_ERR_NONE);
    free(frame.bytes);
}

/* Its fourth word may be a pixel: only the complete frame decides. */
T_CASE(old_header_is_not_guessed_early) {
    static const uint32_t words[] = { 0, 3, 0xff000001, 0xffffffff };
    for (size_t i = 0; i < SQ_COUNT(words); i++) {
        struct frame frame = make_frame(4, 5, FORMAT_RGBA, 16, 4);
        int rows;
        store32(frame.bytes + 12, words[i]);
        T_INT(refusal_while_it_comes(&frame, frame.count, &rows),
              SQ_ERR_UNSUPPORTED);
        free(frame.bytes);
    }
}
