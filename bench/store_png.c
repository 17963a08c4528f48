#include "store_png.h"

#include <png.h>
#include <string.h>

#include "image/png/png.h"
#include "util/mem.h"

#define DEFLATE_LEVEL 6
#define MAX_PIXEL_BYTES 6

struct writer {
    png_structp png;
    png_infop info;
    const struct sq_image *image;
    const struct sq_indexed *indexed; /* of a palette, or NULL */
    int depth;
    bool interlaced;
    struct sq_buf *out;
    struct sq_err *err;
    uint8_t *row;
};

/* An error handler of libpng must not return: record the error and jump. */
static _Noreturn void
on_error(png_structp png, png_const_charp message) {
    struct writer *self = png_get_error_ptr(png);
    sq_fail(self->err, SQ_ERR_FORMAT, "libpng: %s", message);
    png_longjmp(png, 1);
}

static void
append(png_structp png, png_bytep bytes, size_t count) {
    struct writer *self = png_get_io_ptr(png);
    if (!sq_buf_append(self->out, bytes, count, self->err)) {
        png_longjmp(png, 1);
    }
}

static void
flush(png_structp png) {
    (void)png;
}

/* One row as the file has it: indexes, or samples of one byte or two. */
static void
fill_row(const struct writer *self, int y) {
    const uint8_t *from = sq_image_row(self->image, y);
    size_t width = (size_t)self->image->width;
    uint8_t *to = self->row;
    if (self->indexed) {
        memcpy(to, self->indexed->indexes + (size_t)y * width, width);
        return;
    }
    for (size_t i = 0; i < width * SQ_PIXEL_BYTES; i++) {
        if (i % SQ_PIXEL_BYTES == 3) {
            continue;
        }
        *to++ = from[i];
        if (self->depth == 16) {
            *to++ = from[i];
        }
    }
}

static void
set_palette(struct writer *self) {
    png_color colours[SQ_MAX_COLOURS];
    for (int i = 0; i < self->indexed->colours; i++) {
        const uint8_t *entry = self->indexed->palette[i];
        colours[i] = (png_color){ entry[0], entry[1], entry[2] };
    }
    png_set_PLTE(self->png, self->info, colours, self->indexed->colours);
}

static bool
write_file(struct writer *self) {
    png_structp png = self->png;
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_set_write_fn(png, self, append, flush);
    png_set_IHDR(png, self->info, (png_uint_32)self->image->width,
                 (png_uint_32)self->image->height, self->depth,
                 self->indexed ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB,
                 self->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (self->indexed) {
        set_palette(self);
    }
    png_set_compression_level(png, DEFLATE_LEVEL);
    png_write_info(png, self->info);
    int rounds = png_set_interlace_handling(png);
    for (int i = 0; i < rounds; i++) {
        for (int y = 0; y < self->image->height; y++) {
            fill_row(self, y);
            png_write_row(png, self->row);
        }
    }
    png_write_end(png, NULL);
    return true;
}

static bool
start(struct writer *self) {
    self->png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, self, on_error, NULL);
    self->info = self->png ? png_create_info_struct(self->png) : NULL;
    self->row = sq_mem_alloc((size_t)self->image->width, MAX_PIXEL_BYTES);
    return (self->info && self->row) || sq_fail_nomem(self->err);
}

bool
bench_store_png(const struct sq_image *image, const char *kind,
                struct sq_buf *out, struct sq_err *err) {
    struct sq_indexed indexed = { 0 };
    struct writer self = {
        .image = image,
        .depth = strcmp(kind, "16bit") == 0 ? 16 : 8,
        .interlaced = strcmp(kind, "interlaced") == 0,
        .out = out,
        .err = err,
    };
    bool is_palette = strcmp(kind, "palette") == 0;
    if (!is_palette && !self.interlaced && self.depth == 8) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "no kind of PNG \"%s\"", kind);
    }
    if (is_palette && !sq_quantise(image, SQ_MAX_COLOURS, &indexed, err)) {
        return false;
    }
    self.indexed = is_palette ? &indexed : NULL;
    bool ok = start(&self) && write_file(&self);
    if (self.png) {
        png_destroy_write_struct(&self.png, &self.info);
    }
    sq_mem_free(self.row);
    sq_indexed_finish(&indexed);
    return ok;
}
