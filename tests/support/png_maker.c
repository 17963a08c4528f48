#include "support/png_maker.h"

#include <libdeflate.h>
#include <png.h>

#include "support/test.h"

#define MAX_FILE ((size_t)256 << 20)

const struct t_png_format t_png_formats[15] = {
    { 0, 1 }, { 0, 2 },  { 0, 4 },  { 0, 8 }, { 0, 16 },
    { 2, 8 }, { 2, 16 }, { 3, 1 },  { 3, 2 }, { 3, 4 },
    { 3, 8 }, { 4, 8 },  { 4, 16 }, { 6, 8 }, { 6, 16 },
};

static const struct {
    int x, y, dx, dy;
} passes[] = {
    { 0, 0, 1, 1 }, { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 },
    { 2, 0, 4, 4 }, { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 },
};

static void
put(struct sq_buf *out, const void *bytes, size_t count) {
    T_OK(sq_buf_append(out, bytes, count, &t_err));
}

static int
channels_of(int colour) {
    static const int channels[] = { 1, 0, 3, 1, 2, 0, 4 };
    return channels[colour];
}

size_t
t_png_row_bytes(const struct t_png_kind *kind, int width) {
    return (size_t)(width * channels_of(kind->colour) * kind->depth + 7) / 8;
}

static int
palette_size_of(const struct t_png_kind *kind) {
    return kind->palette_size ? kind->palette_size : 1 << kind->depth;
}

/* The same arguments always give the same value. */
static uint32_t
scramble(uint64_t seed, int x, int y, int channel) {
    uint64_t v = seed + (uint64_t)x * 0x9e3779b97f4a7c15u
               + (uint64_t)y * 0xc2b2ae3d27d4eb4fu + (uint64_t)channel;
    v = (v ^ (v >> 31)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 29)) * 0x94d049bb133111ebu;
    return (uint32_t)(v >> 32);
}

struct painter {
    const struct t_png_kind *kind;
    uint64_t seed;
};

static unsigned
sample_of(const struct painter *p, int x, int y, int channel) {
    const struct t_png_kind *kind = p->kind;
    unsigned count =
        kind->colour == 3 ? (unsigned)palette_size_of(kind) : 1u << kind->depth;
    bool is_alpha =
        kind->colour >= 4 && channel + 1 == channels_of(kind->colour);
    if (is_alpha && !kind->transparent) {
        return count - 1;
    }
    switch (kind->look) {
    case T_PNG_SCREEN:
        return scramble(p->seed, x / 7, y / 9, channel) % count;
    case T_PNG_SHADE:
        return (unsigned)(x * 3 + y * 2 + channel * 40) % count;
    case T_PNG_BLACK:
        return 0;
    case T_PNG_NOISE:
    case T_PNG_LOOKS:
    default:
        return scramble(p->seed, x, y, channel) % count;
    }
}

static void
paint_row(const struct painter *p, int y, uint8_t *row) {
    int channels = channels_of(p->kind->colour);
    int depth = p->kind->depth;
    memset(row, 0, t_png_row_bytes(p->kind, p->kind->width));
    for (int x = 0; x < p->kind->width; x++) {
        for (int c = 0; c < channels; c++) {
            unsigned sample = sample_of(p, x, y, c);
            int bit = (x * channels + c) * depth;
            if (depth == 16) {
                row[bit / 8] = (uint8_t)(sample >> 8);
                row[bit / 8 + 1] = (uint8_t)sample;
            } else {
                int shift = 8 - depth - bit % 8;
                row[bit / 8] |= (uint8_t)(sample << shift);
            }
        }
    }
}

static void
make_palette(const struct t_png_kind *kind, png_color colours[256],
             uint8_t alphas[256]) {
    for (int i = 0; i < palette_size_of(kind); i++) {
        colours[i] = (png_color){ (uint8_t)t_random(), (uint8_t)t_random(),
                                  (uint8_t)t_random() };
        alphas[i] = (uint8_t)t_random();
    }
}

static void
write_to_buf(png_structp png, png_bytep bytes, size_t count) {
    put(png_get_io_ptr(png), bytes, count);
}

static void
flush_nothing(png_structp png) {
    (void)png;
}

static _Noreturn void
on_error(png_structp png, png_const_charp message) {
    (void)png;
    printf("Bail out! libpng cannot write: %s\n", message);
    abort();
}

static void
set_transparency(png_structp png, png_infop info, const struct painter *p) {
    const struct t_png_kind *kind = p->kind;
    png_color colours[256];
    uint8_t alphas[256];
    int middle_x = kind->width / 2;
    int middle_y = kind->height / 2;
    if (kind->colour == 3) {
        int count = palette_size_of(kind);
        make_palette(kind, colours, alphas);
        png_set_PLTE(png, info, colours, count);
        if (kind->transparent) {
            png_set_tRNS(png, info, alphas, (count + 1) / 2, NULL);
        }
        return;
    }
    png_color_16 key = { .gray = 0 };
    key.gray = (uint16_t)sample_of(p, middle_x, middle_y, 0);
    key.red = key.gray;
    key.green = (uint16_t)sample_of(p, middle_x, middle_y, 1);
    key.blue = (uint16_t)sample_of(p, middle_x, middle_y, 2);
    if (kind->transparent && kind->colour < 4) {
        png_set_tRNS(png, info, NULL, 1, &key);
    }
}

static void
set_compression(png_structp png, const struct t_png_kind *kind) {
    png_set_compression_level(png, kind->level);
    if (kind->strategy) {
        png_set_compression_strategy(png, kind->strategy);
    }
    if (kind->filters) {
        png_set_filter(png, PNG_FILTER_TYPE_BASE, kind->filters);
    }
    if (kind->idat_bytes) {
        png_set_compression_buffer_size(png, kind->idat_bytes);
    }
}

static void
write_rows(png_structp png, const struct painter *painter) {
    const struct t_png_kind *kind = painter->kind;
    uint8_t *row = malloc(t_png_row_bytes(kind, kind->width));
    int rounds = png_set_interlace_handling(png);
    for (int i = 0; row && i < rounds; i++) {
        for (int y = 0; y < kind->height; y++) {
            paint_row(painter, y, row);
            png_write_row(png, row);
        }
    }
    free(row);
}

void
t_png_make(const struct t_png_kind *kind, struct sq_buf *out) {
    const struct painter painter = { .kind = kind, .seed = t_random() };
    sq_buf_init(out, MAX_FILE);
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!T(info != NULL)) {
        return;
    }
    png_set_write_fn(png, out, write_to_buf, flush_nothing);
    png_set_IHDR(png, info, (png_uint_32)kind->width, (png_uint_32)kind->height,
                 kind->depth, kind->colour, kind->interlaced,
                 PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    set_compression(png, kind);
    set_transparency(png, info, &painter);
    png_write_info(png, info);
    write_rows(png, &painter);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

/* One row of residuals: some zero, some small, some large. */
static void
put_residuals(struct sq_buf *raw, size_t count, enum t_png_look look) {
    bool zero = look == T_PNG_BLACK
             || (look == T_PNG_SCREEN && t_random_between(0, 2) > 0);
    int64_t sparse = look == T_PNG_NOISE ? 0 : 30;
    for (size_t i = 0; i < count; i++) {
        bool none = zero || t_random_between(0, sparse) > 0;
        uint8_t byte = none ? 0 : (uint8_t)t_random();
        put(raw, &byte, 1);
    }
}

static void
put_pass(const struct t_png_kind *kind, int pass, int filter,
         struct sq_buf *raw) {
    int width =
        (kind->width - passes[pass].x + passes[pass].dx - 1) / passes[pass].dx;
    uint8_t now = (uint8_t)t_random_between(0, 4);
    if (width <= 0) {
        return;
    }
    for (int y = passes[pass].y; y < kind->height; y += passes[pass].dy) {
        if (t_random_between(0, 5) == 0) {
            now = (uint8_t)t_random_between(0, 4);
        }
        uint8_t used = filter >= 0 ? (uint8_t)filter : now;
        put(raw, &used, 1);
        put_residuals(raw, t_png_row_bytes(kind, width), kind->look);
    }
}

void
t_png_put_signature(struct sq_buf *out) {
    put(out, "\x89PNG\r\n\x1a\n", 8);
}

static void
put32(struct sq_buf *out, uint32_t value) {
    const uint8_t bytes[4] = { (uint8_t)(value >> 24), (uint8_t)(value >> 16),
                               (uint8_t)(value >> 8), (uint8_t)value };
    put(out, bytes, sizeof(bytes));
}

void
t_png_put_chunk(struct sq_buf *out, const char *type, const void *data,
                size_t length) {
    uint32_t crc = libdeflate_crc32(0, type, 4);
    if (length) {
        crc = libdeflate_crc32(crc, data, length);
    }
    put32(out, (uint32_t)length);
    put(out, type, 4);
    put(out, data, length);
    put32(out, crc);
}

void
t_png_put_header(struct sq_buf *out, const struct t_png_kind *kind) {
    uint8_t data[13] = { 0 };
    for (int i = 0; i < 4; i++) {
        data[i] = (uint8_t)((uint32_t)kind->width >> (24 - 8 * i));
        data[4 + i] = (uint8_t)((uint32_t)kind->height >> (24 - 8 * i));
    }
    data[8] = (uint8_t)kind->depth;
    data[9] = (uint8_t)kind->colour;
    data[12] = kind->interlaced;
    t_png_put_chunk(out, "IHDR", data, sizeof(data));
}

void
t_png_put_zlib(struct sq_buf *out, const void *raw, size_t length, int level) {
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
    size_t bound = libdeflate_zlib_compress_bound(c, length);
    uint8_t *room = malloc(bound);
    if (T(c != NULL) && T(room != NULL)) {
        size_t size = libdeflate_zlib_compress(c, raw, length, room, bound);
        T(size > 0);
        put(out, room, size);
    }
    free(room);
    libdeflate_free_compressor(c);
}

static void
put_palette(struct sq_buf *out, const struct t_png_kind *kind) {
    png_color colours[256];
    uint8_t alphas[256];
    size_t count = (size_t)palette_size_of(kind);
    make_palette(kind, colours, alphas);
    t_png_put_chunk(out, "PLTE", colours, count * 3);
    if (kind->transparent) {
        t_png_put_chunk(out, "tRNS", alphas, (count + 1) / 2);
    }
}

void
t_png_make_raw(const struct t_png_kind *kind, const void *raw, size_t length,
               struct sq_buf *out) {
    T_BUF(data, MAX_FILE);
    sq_buf_init(out, MAX_FILE);
    t_png_put_signature(out);
    t_png_put_header(out, kind);
    if (kind->colour == 3) {
        put_palette(out, kind);
    } else if (kind->transparent && kind->colour < 4) {
        static const uint8_t black[6];
        t_png_put_chunk(out, "tRNS", black, kind->colour == 0 ? 2 : 6);
    }
    t_png_put_zlib(&data, raw, length, kind->level);
    t_png_put_chunk(out, "IDAT", data.data, data.len);
    t_png_put_chunk(out, "IEND", NULL, 0);
}

void
t_png_make_residuals(const struct t_png_kind *kind, int filter,
                     struct sq_buf *out) {
    T_BUF(raw, MAX_FILE);
    int first = kind->interlaced ? 1 : 0;
    int last = kind->interlaced ? 7 : 0;
    for (int pass = first; pass <= last; pass++) {
        put_pass(kind, pass, filter, &raw);
    }
    t_png_make_raw(kind, raw.data, raw.len, out);
}

static size_t
load32(const uint8_t *p) {
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

size_t
t_png_find(const struct sq_buf *file, const char *type, int nth) {
    for (size_t at = 8; at < file->len; at += load32(file->data + at) + 12) {
        if (memcmp(file->data + at + 4, type, 4) == 0 && nth-- == 0) {
            return at;
        }
    }
    return 0;
}

void
t_png_recut(const struct sq_buf *file, size_t piece, bool empty_ones,
            struct sq_buf *out) {
    size_t first = t_png_find(file, "IDAT", 0);
    size_t at = first;
    T_BUF(data, MAX_FILE);
    while (memcmp(file->data + at + 4, "IDAT", 4) == 0) {
        size_t length = load32(file->data + at);
        put(&data, file->data + at + 8, length);
        at += length + 12;
    }
    sq_buf_init(out, MAX_FILE);
    put(out, file->data, first);
    for (size_t from = 0; from < data.len; from += piece) {
        size_t left = data.len - from;
        if (empty_ones) {
            t_png_put_chunk(out, "IDAT", NULL, 0);
        }
        t_png_put_chunk(out, "IDAT", data.data + from,
                        left < piece ? left : piece);
    }
    if (empty_ones) {
        t_png_put_chunk(out, "IDAT", NULL, 0);
    }
    put(out, file->data + at, file->len - at);
}

void
t_png_insert(const struct sq_buf *file, size_t at, const struct sq_buf *chunks,
             struct sq_buf *out) {
    sq_buf_init(out, MAX_FILE);
    put(out, file->data, at);
    put(out, chunks->data, chunks->len);
    put(out, file->data + at, file->len - at);
}
