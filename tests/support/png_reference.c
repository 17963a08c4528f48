#include "support/png_reference.h"

#include <libdeflate.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t left;
    uint8_t *samples; /* red, green, blue, alpha; 8 or 16 bits each */
    bool complained;
    jmp_buf failed;
};

static _Noreturn void
on_error(png_structp png, png_const_charp message) {
    (void)message;
    struct reading *r = png_get_error_ptr(png);
    longjmp(r->failed, 1);
}

static void
on_warning(png_structp png, png_const_charp message) {
    (void)message;
    struct reading *r = png_get_error_ptr(png);
    r->complained = true;
}

static void
read_bytes(png_structp png, png_bytep to, size_t count) {
    struct reading *r = png_get_io_ptr(png);
    if (count > r->left) {
        png_error(png, "no more bytes");
    }
    memcpy(to, r->bytes, count);
    r->bytes += count;
    r->left -= count;
}

static void
read_samples(struct reading *r) {
#ifdef PNG_IGNORE_ADLER32 /* libpng 1.6.47 and later may lack it */
    png_set_option(r->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#endif
    png_set_read_fn(r->png, r, read_bytes);
    png_read_info(r->png, r->info);
    png_set_expand(r->png);
    png_set_gray_to_rgb(r->png);
    png_set_add_alpha(r->png, 0xffff, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    size_t row_bytes = png_get_rowbytes(r->png, r->info);
    size_t height = png_get_image_height(r->png, r->info);
    r->samples = calloc(height, row_bytes);
    if (!r->samples) {
        png_error(r->png, "no memory");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (size_t y = 0; y < height; y++) {
            png_read_row(r->png, r->samples + y * row_bytes, NULL);
        }
    }
}

static bool
run(struct reading *r) {
    if (setjmp(r->failed)) {
        return false;
    }
    read_samples(r);
    return !r->complained;
}

static unsigned
sample_at(const uint8_t *samples, size_t i, int depth) {
    if (depth == 8) {
        return samples[i];
    }
    unsigned wide = (unsigned)samples[i * 2] << 8 | samples[i * 2 + 1];
    return (wide * 255 + 32767) / 65535;
}

static void
compose(const struct reading *r, struct sq_image *image) {
    int depth = png_get_bit_depth(r->png, r->info);
    size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < pixels * 4; i += 4) {
        unsigned alpha = sample_at(r->samples, i + 3, depth);
        for (size_t c = 0; c < 3; c++) {
            unsigned sample = sample_at(r->samples, i + c, depth);
            image->pixels[i + c] = (uint8_t)((sample * alpha + 127) / 255);
        }
        image->pixels[i + 3] = 255;
    }
}

bool
t_png_decode(const uint8_t *bytes, size_t count, struct sq_image *out) {
    struct reading r = { .bytes = bytes, .left = count };
    struct sq_image image = { 0 };
    struct sq_err err;
    r.png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    r.info = r.png ? png_create_info_struct(r.png) : NULL;
    bool ok = r.info && run(&r)
           && sq_image_init(&image, (int)png_get_image_width(r.png, r.info),
                            (int)png_get_image_height(r.png, r.info),
                            &sq_limits_default, &err);
    if (ok) {
        compose(&r, &image);
        *out = image;
    }
    free(r.samples);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    return ok;
}

long
t_png_differences(const struct sq_image *a, const struct sq_image *b) {
    long count = 0;
    if (a->width != b->width || a->height != b->height) {
        return -1;
    }
    for (int y = 0; y < a->height; y++) {
        const uint8_t *p = sq_image_row(a, y);
        const uint8_t *q = sq_image_row(b, y);
        for (int x = 0; x < a->width; x++) {
            count += memcmp(p + x * 4, q + x * 4, 3) != 0;
        }
    }
    return count;
}

static size_t
load32(const uint8_t *p) {
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

void
t_png_fix_checksums(uint8_t *bytes, size_t count) {
    for (size_t at = 8; at + 12 <= count;) {
        size_t length = load32(bytes + at);
        if (length > count - at - 12) {
            return;
        }
        uint32_t crc = libdeflate_crc32(0, bytes + at + 4, length + 4);
        uint8_t *to = bytes + at + 8 + length;
        for (int i = 0; i < 4; i++) {
            to[i] = (uint8_t)(crc >> (24 - 8 * i));
        }
        at += length + 12;
    }
}
