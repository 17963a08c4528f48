#include "image/png/png.h"

#include "support/pages.h"
#include "unit/image/pipeline/picture.h"

static void
paint(struct sq_image *image, int x, int y, uint32_t rgb) {
    uint8_t *pixel = sq_image_row(image, y) + x * SQ_PIXEL_BYTES;
    pixel[0] = (uint8_t)(rgb >> 16);
    pixel[1] = (uint8_t)(rgb >> 8);
    pixel[2] = (uint8_t)rgb;
}

/* Exactly this many colours, close to each other. */
static void
make_colours(int colours, struct sq_image *image) {
    picture_make(PICTURE_FLAT, 61, 47, image);
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            int index = (x + y * image->width) % colours;
            paint(image, x, y, 0x808080u + (uint32_t)index * 0x000103u);
        }
    }
}

static void
restore(const struct sq_indexed *picture, struct sq_image *out) {
    T_OK(sq_image_init(out, picture->width, picture->height, &sq_limits_default,
                       &t_err));
    for (int i = 0; i < picture->width * picture->height; i++) {
        int index = picture->indexes[i];
        T(index < picture->colours);
        memcpy(out->pixels + i * SQ_PIXEL_BYTES, picture->palette[index], 3);
    }
}

/* PSNR of the picture with at most max_colours. */
static double
quality(const struct sq_image *image, int max_colours) {
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    T_OK(sq_quantise(image, max_colours, &picture, &t_err));
    T(picture.colours >= 1 && picture.colours <= max_colours);
    restore(&picture, &back);
    double psnr = picture_psnr(image, &back);
    return psnr;
}

T_CASE(few_colours_are_kept_exactly) {
    static const int counts[] = { 1, 2, 3, 4, 16, 17, 64, 255, 256 };
    for (size_t i = 0; i < SQ_COUNT(counts); i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        T_FREED(sq_image_finish) struct sq_image back = { 0 };
        T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
        make_colours(counts[i], &image);
        T_OK(sq_quantise(&image, counts[i], &picture, &t_err));
        T_INT(picture.colours, counts[i]);
        restore(&picture, &back);
        T_INT(picture_differences(&image, &back), 0);
    }
}

T_CASE(one_colour_too_many_costs_little) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    make_colours(65, &image);
    T(quality(&image, 64) > 40);
}

T_CASE(one_colour_is_the_mean) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    picture_make(PICTURE_FLAT, 10, 10, &image);
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 10; x++) {
            paint(&image, x, y, x < 5 ? 0x000000u : 0x64c8ffu);
        }
    }
    T_OK(sq_quantise(&image, 1, &picture, &t_err));
    T_INT(picture.colours, 1);
    T_INT(picture.palette[0][0], 50);
    T_INT(picture.palette[0][1], 100);
    T_INT(picture.palette[0][2], 128);
}

/* Each of three separate clusters must get its own colour. */
T_CASE(rare_colour_far_away_survives) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    T_FREED(sq_image_finish) struct sq_image back = { 0 };
    picture_make(PICTURE_FLAT, 100, 100, &image);
    for (int y = 0; y < 100; y++) {
        for (int x = 0; x < 100; x++) {
            uint32_t grey = (uint32_t)(200 + (x + y) % 56);
            paint(&image, x, y, grey * 0x010101u);
        }
    }
    for (int x = 0; x < 12; x++) {
        paint(&image, x * 3, 50, 0xff0000u);
    }
    T_OK(sq_quantise(&image, 16, &picture, &t_err));
    restore(&picture, &back);
    const uint8_t *red = sq_image_row(&back, 50);
    T(red[0] > 240 && red[1] < 15 && red[2] < 15);
}

T_CASE(more_colours_are_no_worse) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_GRADIENT, 300, 200, &image);
    double last = 0;
    for (int colours = 2; colours <= SQ_MAX_COLOURS; colours *= 2) {
        double psnr = quality(&image, colours);
        T(psnr >= last);
        last = psnr;
    }
    T(last > 38);
}

T_CASE(noise_is_handled) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 500, 300, &image);
    T(quality(&image, 256) > 20);
}

T_CASE(fourth_byte_changes_nothing) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_indexed_finish) struct sq_indexed once = { 0 };
    T_FREED(sq_indexed_finish) struct sq_indexed again = { 0 };
    picture_make(PICTURE_GRADIENT, 200, 100, &image);
    T_OK(sq_quantise(&image, 64, &once, &t_err));
    for (int i = 0; i < 200 * 100; i++) {
        image.pixels[4 * i + 3] = (uint8_t)t_random();
    }
    T_OK(sq_quantise(&image, 64, &again, &t_err));
    T_INT(once.colours, again.colours);
    T_BYTES(once.palette, sizeof(once.palette), again.palette,
            sizeof(again.palette));
    T_BYTES(once.indexes, 200 * 100, again.indexes, 200 * 100);
}

static void
check_page(struct sq_image *page, const char *name, double psnr, bool is_ui) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    /* A simple downscale, sufficient for a test of quality. */
    T_OK(sq_image_init(&image, 450, 1000, &sq_limits_default, &t_err));
    for (int y = 0; y < 1000; y++) {
        int top = y * page->height / 1000;
        int bottom = (y + 1) * page->height / 1000;
        for (int i = 0; i < 450 * SQ_PIXEL_BYTES; i++) {
            int x = i / SQ_PIXEL_BYTES;
            int left = x * page->width / 450;
            int right = (x + 1) * page->width / 450;
            int sum = 0;
            for (int v = top; v < bottom; v++) {
                for (int u = left; u < right; u++) {
                    sum += sq_image_row(
                        page, v)[u * SQ_PIXEL_BYTES + i % SQ_PIXEL_BYTES];
                }
            }
            sq_image_row(&image, y)[i] =
                (uint8_t)(sum / ((bottom - top) * (right - left)));
        }
    }
    if (!T(quality(&image, 64) > psnr)
        || !T_INT(sq_image_looks_like_ui(&image), is_ui)) {
        printf("# %s: %.1f dB\n", name, quality(&image, 64));
    }
    sq_image_finish(page);
}

T_CASE(screens_stay_legible_and_differ_from_photographs) {
    static const struct {
        const char *name;
        double psnr;
        bool ui;
    } pages[] = {
        { "launcher", 42.0, true },     { "settings", 42.9, true },
        { "login", 42.9, true },        { "shop", 43.3, true },
        { "photographs", 28.8, false },
    };
    for (size_t i = 0; i < SQ_COUNT(pages); i++) {
        struct sq_image page = { 0 };
        t_page_draw(pages[i].name, &page);
        check_page(&page, pages[i].name, pages[i].psnr, pages[i].ui);
    }
}

/* In addition; see t_data_path. */
T_CASE(further_screens_are_distinguished) {
    static const struct {
        const char *name;
        double psnr;
        bool ui;
    } pages[] = {
        { "screens/settings_1080x2400.rgba.png", 42.0, true },
        { "screens/small_1080x2400.rgba.png", 42.2, true },
        { "screens/shop_1080x2400.rgba.png", 32.4, false },
    };
    for (size_t i = 0; i < SQ_COUNT(pages); i++) {
        struct sq_image page = { 0 };
        if (picture_from_page(pages[i].name, &page)) {
            check_page(&page, pages[i].name, pages[i].psnr, pages[i].ui);
        }
    }
}

T_CASE(all_colours_are_not_an_interface) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_FLAT, 256, 128, &image);
    for (int y = 0; y < 128; y++) {
        for (int x = 0; x < 256; x++) {
            uint32_t bin = (uint32_t)(y * 256 + x);
            paint(&image, x, y,
                  (bin >> 10) << 19 | (bin >> 5 & 31) << 11 | (bin & 31) << 3
                      | (bin & 7));
        }
    }
    T(!sq_image_looks_like_ui(&image));
}

static bool
quantise_image(void *context, struct sq_err *err) {
    T_FREED(sq_indexed_finish) struct sq_indexed picture = { 0 };
    bool ok = sq_quantise(context, 64, &picture, err);
    T_INT(picture.indexes != NULL, ok);
    return ok;
}

T_CASE(survives_every_failed_allocation) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_GRADIENT, 200, 150, &image);
    T(t_alloc_torture(quantise_image, &image) >= 2);
}
