/* Reads raw frames in all pixel formats of screencap as rows. */
#include "image/pipeline/codec.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "util/bytes.h"
#include "util/mem.h"

#define OLD_HEADER_BYTES 12              /* width, height, pixel format */
#define HEADER_BYTES SQ_RAW_HEADER_BYTES /* also a colour space */

typedef void (*convert_row)(const uint8_t *from, uint8_t *to, size_t pixels);

static uint8_t
scale_to_byte(unsigned value, unsigned most) {
    return (uint8_t)((value * 255 + most / 2) / most);
}

static void
put(uint8_t *to, uint8_t red, uint8_t green, uint8_t blue) {
    to[0] = red;
    to[1] = green;
    to[2] = blue;
    to[3] = 255;
}

static void
from_rgb(const uint8_t *from, uint8_t *to, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, from += 3) {
        put(to + i * SQ_PIXEL_BYTES, from[0], from[1], from[2]);
    }
}

static void
from_565(const uint8_t *from, uint8_t *to, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, from += 2) {
        unsigned v = sq_load_le16(from);
        put(to + i * SQ_PIXEL_BYTES, scale_to_byte(v >> 11, 31),
            scale_to_byte(v >> 5 & 63, 63), scale_to_byte(v & 31, 31));
    }
}

static void
from_bgra(const uint8_t *from, uint8_t *to, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, from += 4) {
        put(to + i * SQ_PIXEL_BYTES, from[2], from[1], from[0]);
    }
}

static void
from_1010102(const uint8_t *from, uint8_t *to, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, from += 4) {
        uint32_t v = sq_load_le32(from);
        put(to + i * SQ_PIXEL_BYTES, scale_to_byte(v & 1023, 1023),
            scale_to_byte(v >> 10 & 1023, 1023),
            scale_to_byte(v >> 20 & 1023, 1023));
    }
}

/*
 * Converts a half float, clamped to 0..1, to 0..255, rounded. With exponent e
 * below 15 the value is (1024 + mantissa) / 2^(25 - e); subnormals round to
 * zero.
 */
static uint8_t
half_to_byte(const uint8_t *p) {
    unsigned half = sq_load_le16(p);
    unsigned exponent = half >> 10 & 31;
    unsigned mantissa = half & 1023;
    bool negative = half >> 15;
    bool not_a_number = exponent == 31 && mantissa;
    if (negative || not_a_number || exponent == 0) {
        return 0;
    }
    if (exponent >= 15) {
        return 255;
    }
    unsigned shift = 25 - exponent;
    return (uint8_t)(((1024 + mantissa) * 255 + (1u << (shift - 1))) >> shift);
}

static void
from_fp16(const uint8_t *from, uint8_t *to, size_t pixels) {
    for (size_t i = 0; i < pixels; i++, from += 8) {
        put(to + i * SQ_PIXEL_BYTES, half_to_byte(from), half_to_byte(from + 2),
            half_to_byte(from + 4));
    }
}

/* Android's PixelFormat codes. Without a function, no conversion is needed. */
static const struct raw_format {
    uint32_t code;
    size_t pixel_bytes;
    convert_row convert;
} formats[] = {
    { 1, 4, NULL },          /* RGBA_8888 */
    { 2, 4, NULL },          /* RGBX_8888 */
    { 3, 3, from_rgb },      /* RGB_888 */
    { 4, 2, from_565 },      /* RGB_565 */
    { 5, 4, from_bgra },     /* BGRA_8888 */
    { 22, 8, from_fp16 },    /* RGBA_FP16 */
    { 43, 4, from_1010102 }, /* RGBA_1010102 */
};

static const struct raw_format *
find_format(uint32_t code) {
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (formats[i].code == code) {
            return &formats[i];
        }
    }
    return NULL;
}

bool
sq_raw_sniff(const uint8_t *bytes, size_t count) {
    if (count < OLD_HEADER_BYTES) {
        return false;
    }
    uint32_t width = sq_load_le32(bytes);
    uint32_t height = sq_load_le32(bytes + 4);
    return width >= 1 && width <= SQ_MAX_SIDE && height >= 1
        && height <= SQ_MAX_SIDE && find_format(sq_load_le32(bytes + 8));
}

size_t
sq_raw_most_bytes(const uint8_t *bytes, size_t count) {
    const struct raw_format *format = sq_raw_sniff(bytes, count)
                                        ? find_format(sq_load_le32(bytes + 8))
                                        : NULL;
    size_t pixels =
        format ? (size_t)sq_load_le32(bytes) * sq_load_le32(bytes + 4) : 0;
    return format ? HEADER_BYTES + pixels * format->pixel_bytes : 0;
}

size_t
sq_raw_width(const uint8_t *bytes) {
    return sq_load_le32(bytes);
}

struct raw_rows {
    struct sq_rows base;
    const struct raw_format *format;
    const uint8_t *from; /* start of the next row */
    size_t from_bytes;   /* bytes per row */
    uint8_t *pixels;     /* a converted row, or the last rows with slack */
    int tail;            /* first row that ends too near the frame's end */
    int y;
    struct sq_incoming *incoming; /* NULL: the frame is complete */
    size_t needed;                /* bytes that the next row requires */
};

static bool
raw_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct raw_rows *self = (struct raw_rows *)rows;
    struct sq_incoming *incoming = self->incoming;
    const uint8_t *from = self->from;
    if (incoming && !incoming->await(incoming, self->needed, err)) {
        return sq_fail_in(err, "raw frame");
    }
    const uint8_t *pixels = from;
    if (self->format->convert) {
        self->format->convert(from, self->pixels, (size_t)rows->width);
        pixels = self->pixels;
    } else if (self->y >= self->tail) {
        uint8_t *copy =
            self->pixels + (size_t)(self->y - self->tail) * self->from_bytes;
        memcpy(copy, from, self->from_bytes);
        pixels = copy;
    }
    *row = (struct sq_row){ pixels, false };
    self->from += self->from_bytes;
    self->needed += self->from_bytes;
    self->y++;
    return true;
}

static void
raw_destroy(struct sq_rows *rows) {
    struct raw_rows *self = (struct raw_rows *)rows;
    sq_mem_free(self->pixels);
    sq_mem_free(self);
}

static const struct sq_rows_ops raw_ops = { raw_next, raw_destroy };

/* Returns the first row with less than SQ_ROW_SLACK bytes after it. */
static int
tail_row(size_t row_bytes, int height) {
    int rows = (int)((SQ_ROW_SLACK - 1) / row_bytes) + 1;
    return rows < height ? height - rows : 0;
}

/*
 * Returns whether the word after the old header is a colour space: 1 (sRGB) or
 * 2 (Display-P3), which are unlikely as a pixel.
 */
static bool
is_colour_space(const uint8_t *bytes) {
    uint32_t word = sq_load_le32(bytes + OLD_HEADER_BYTES);
    return word == 1 || word == 2;
}

/*
 * Returns the header size that leaves exactly pixel_bytes; 0 if none does. A
 * frame that lacks its last four bytes has the size of one with the old header,
 * but its first pixel would then be the colour space.
 */
static size_t
header_bytes(const uint8_t *bytes, size_t count, size_t pixel_bytes) {
    if (count == OLD_HEADER_BYTES + pixel_bytes && pixel_bytes >= 4) {
        return is_colour_space(bytes) ? 0 : OLD_HEADER_BYTES;
    }
    if (count == OLD_HEADER_BYTES + pixel_bytes) {
        return OLD_HEADER_BYTES;
    }
    return count == HEADER_BYTES + pixel_bytes ? HEADER_BYTES : 0;
}

/* A parsed header. */
struct frame {
    const struct raw_format *format;
    int width;
    int height;
    size_t row_bytes;
    size_t pixel_bytes; /* bytes of all rows */
};

static bool
read_header(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
            struct frame *out, struct sq_err *err) {
    if (count < OLD_HEADER_BYTES) {
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "raw frame: %zu bytes are too few", count);
    }
    const struct raw_format *format = find_format(sq_load_le32(bytes + 8));
    if (!format) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "raw frame: pixel format %" PRIu32 " is not supported",
                       sq_load_le32(bytes + 8));
    }
    if (!sq_image_check_size(sq_load_le32(bytes), sq_load_le32(bytes + 4),
                             limits, err)) {
        return sq_fail_in(err, "raw frame");
    }
    size_t row_bytes = sq_load_le32(bytes) * format->pixel_bytes;
    *out = (struct frame){
        .format = format,
        .width = (int)sq_load_le32(bytes),
        .height = (int)sq_load_le32(bytes + 4),
        .row_bytes = row_bytes,
        .pixel_bytes = row_bytes * sq_load_le32(bytes + 4),
    };
    return true;
}

static bool
make_rows(const struct frame *frame, const uint8_t *pixels,
          struct raw_rows **out, struct sq_err *err) {
    struct raw_rows *self = sq_mem_zalloc(1, sizeof(*self));
    /* The tail rows are shorter than one row and the slack. */
    uint8_t *space = sq_mem_zalloc(
        (size_t)frame->width * SQ_PIXEL_BYTES + 2 * SQ_ROW_SLACK, 1);
    if (!self || !space) {
        sq_mem_free(self);
        sq_mem_free(space);
        return sq_fail_nomem(err);
    }
    *self = (struct raw_rows){
        .base = sq_rows_base(&raw_ops, frame->width, frame->height,
                             frame->format->convert ? 0 : INT_MAX),
        .format = frame->format,
        .from = pixels,
        .from_bytes = frame->row_bytes,
        .pixels = space,
        .tail = tail_row(frame->row_bytes, frame->height),
    };
    *out = self;
    return true;
}

bool
sq_raw_open(const uint8_t *bytes, size_t count, const struct sq_limits *limits,
            struct sq_rows **out, struct sq_err *err) {
    struct frame frame;
    struct raw_rows *rows;
    if (!read_header(bytes, count, limits, &frame, err)) {
        return false;
    }
    size_t header = header_bytes(bytes, count, frame.pixel_bytes);
    if (!header) {
        size_t pixel_bytes = frame.pixel_bytes;
        bool is_short = count < HEADER_BYTES + pixel_bytes;
        return sq_fail(err, is_short ? SQ_ERR_TRUNCATED : SQ_ERR_FORMAT,
                       "raw frame: %" PRIu32 "x%" PRIu32
                       " pixels of format %" PRIu32 " need %zu bytes, not %zu",
                       sq_load_le32(bytes), sq_load_le32(bytes + 4),
                       sq_load_le32(bytes + 8), HEADER_BYTES + pixel_bytes,
                       count);
    }
    if (!make_rows(&frame, bytes + header, &rows, err)) {
        return false;
    }
    *out = &rows->base;
    return true;
}

bool
sq_raw_open_incoming(struct sq_incoming *incoming,
                     const struct sq_limits *limits, struct sq_rows **out,
                     struct sq_err *err) {
    struct frame frame;
    struct raw_rows *rows;
    if (!incoming->await(incoming, HEADER_BYTES, err)
        || !read_header(incoming->bytes, HEADER_BYTES, limits, &frame, err)) {
        return false;
    }
    if (!is_colour_space(incoming->bytes)) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "raw frame: it may have the old header");
    }
    if (!incoming->expect(incoming, HEADER_BYTES + frame.pixel_bytes, err)
        || !make_rows(&frame, incoming->bytes + HEADER_BYTES, &rows, err)) {
        return false;
    }
    rows->incoming = incoming;
    rows->needed = HEADER_BYTES + frame.row_bytes;
    *out = &rows->base;
    return true;
}
