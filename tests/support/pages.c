#include "support/pages.h"

#include <png.h>

#include "device/demo/demo.h"
#include "image/pipeline/codec.h"
#include "support/test.h"
#include "util/limits.h"

#define MAX_FILE ((size_t)64 << 20)
#define CLOCK_NS ((int64_t)1767268800 * 1000000000)
#define LEVEL 6

/* The page of photographs: a grid with gaps, below a bar. */
#define BAR 200
#define TILE 480
#define GAP 40
#define PHOTOS "photographs"

const char *const t_page_names[] = { "launcher", "settings", "login",
                                     "shop",     PHOTOS,     NULL };

static int64_t
stopped_clock(void *context) {
    (void)context;
    return CLOCK_NS;
}

static void
draw_phone(const char *app, struct sq_image *out) {
    const struct sq_demo_options options = { .now_ns = stopped_clock };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_device *phone = NULL;
    T_FREED(sq_capture_finish) struct sq_capture capture = { 0 };
    char package[100];
    snprintf(package, sizeof(package), SQ_DEMO_PACKAGE "%s", app);
    sq_buf_init(&capture.bytes, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_demo_create(&options, &phone, &t_err)
         && sq_device_launch(phone, package, &deadline, &t_err)
         && sq_device_capture(phone, NULL, &capture, &deadline, &t_err)
         && sq_image_decode(capture.bytes.data, capture.bytes.len,
                            &sq_limits_default, out, &t_err));
    sq_device_destroy(phone);
}

/* A value for each corner of a lattice. */
static int
corner(int x, int y, int salt) {
    uint32_t mixed = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u
                   + (uint32_t)salt * 2246822519u;
    mixed = (mixed ^ (mixed >> 13)) * 1274126177u;
    return (int)((mixed ^ (mixed >> 16)) & 255);
}

/* Interpolates between corners that are `apart` pixels apart. */
static int
shade(int x, int y, int apart, int salt) {
    int i = x / apart;
    int j = y / apart;
    int u = x % apart;
    int v = y % apart;
    int top = corner(i, j, salt) * (apart - u) + corner(i + 1, j, salt) * u;
    int bottom =
        corner(i, j + 1, salt) * (apart - u) + corner(i + 1, j + 1, salt) * u;
    return (top * (apart - v) + bottom * v) / (apart * apart);
}

/* Large shapes, smaller ones, and a little noise. */
static uint8_t
photographed(int x, int y, int channel) {
    int tile = x / TILE + 7 * (y / TILE);
    int sum = shade(x, y, 120, tile * 8 + channel) * 5
            + shade(x, y, 24, tile * 8 + channel + 3) * 2
            + corner(x, y, channel + 90) / 16;
    return (uint8_t)(sum / 8);
}

static void
draw_photographs(struct sq_image *out) {
    T_OK(sq_image_init(out, SQ_DEMO_WIDTH, SQ_DEMO_HEIGHT, &sq_limits_default,
                       &t_err));
    for (int y = 0; y < out->height; y++) {
        uint8_t *pixel = sq_image_row(out, y);
        for (int x = 0; x < out->width; x++, pixel += SQ_PIXEL_BYTES) {
            bool is_photo = y >= BAR && (y - BAR) % (TILE + GAP) < TILE
                         && x % (TILE + GAP) >= GAP;
            for (int c = 0; c < 3; c++) {
                pixel[c] = is_photo ? photographed(x, y, c)
                                    : (uint8_t)(y < BAR ? 40 + 60 * c : 250);
            }
            pixel[3] = 255;
        }
    }
}

void
t_page_draw(const char *name, struct sq_image *out) {
    if (strcmp(name, PHOTOS) == 0) {
        draw_photographs(out);
    } else {
        draw_phone(name, out);
    }
}

static void
write_to_buf(png_structp png, png_bytep bytes, png_size_t count) {
    T_OK(sq_buf_append(png_get_io_ptr(png), bytes, count, &t_err));
}

static void
flush_nothing(png_structp png) {
    (void)png;
}

void
t_page_write(const struct sq_image *page, bool has_alpha, struct sq_buf *out) {
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    sq_buf_init(out, MAX_FILE);
    if (!T(info != NULL)) {
        return;
    }
    /* libpng reports errors by longjmp. */
    if (setjmp(png_jmpbuf(png))) {
        abort();
    }
    png_set_write_fn(png, out, write_to_buf, flush_nothing);
    png_set_IHDR(png, info, (png_uint_32)page->width, (png_uint_32)page->height,
                 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
                 PNG_FILTER_TYPE_BASE);
    png_set_compression_level(png, LEVEL);
    png_set_filter(png, 0, has_alpha ? PNG_ALL_FILTERS : PNG_FILTER_SUB);
    png_write_info(png, info);
    if (!has_alpha) {
        png_set_filler(png, 0, PNG_FILLER_AFTER);
    }
    for (int y = 0; y < page->height; y++) {
        png_write_row(png, sq_image_row(page, y));
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}
