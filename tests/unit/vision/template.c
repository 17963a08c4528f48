#include "vision/template.h"

#include <string.h>

#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"
#include "support/pages.h"
#include "support/test.h"
#include "util/limits.h"

#define SIDE 96

/* Copies a part of a picture. */
static void
cut(const struct sq_image *from, int x, int y, int side, struct sq_image *out) {
    struct sq_err err = { 0 };
    T_OK(sq_image_init(out, side, side, &sq_limits_default, &err), &err);
    for (int row = 0; row < side; row++) {
        memcpy(sq_image_row(out, row),
               sq_image_row(from, y + row) + (size_t)x * 4, (size_t)side * 4);
    }
}

static bool
is_flat(const struct sq_image *image) {
    int64_t sum = 0;
    int64_t squares = 0;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            int value = sq_image_row(image, y)[x * 4 + 1];
            sum += value;
            squares += value * value;
        }
    }
    int64_t count = (int64_t)image->width * image->height;
    return squares / count - (sum / count) * (sum / count) < 200;
}

static struct sq_image_hits
find(struct sq_image *picture, const struct sq_image *template,
     const struct sq_template_plan *options) {
    struct sq_template_plan plan = *options;
    struct sq_image_hits hits = { 0 };
    struct sq_err err = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    plan.area = (struct sq_rect){ 0, 0, picture->width, picture->height };
    T_OK(sq_template_find(picture, template, &plan, &deadline, &hits, &err),
         &err);
    return hits;
}

static bool
has_hit_near(const struct sq_image_hits *hits, int x, int y, int within) {
    for (int i = 0; i < hits->count; i++) {
        int dx = hits->items[i].box.left - x;
        int dy = hits->items[i].box.top - y;
        if (dx >= -within && dx <= within && dy >= -within && dy <= within) {
            return true;
        }
    }
    return false;
}

static bool
is_equal_at(const struct sq_image *page, const struct sq_image *template,
            const struct sq_image_hit *hit) {
    for (int y = 0; y < template->height; y++) {
        const uint8_t *a = sq_image_row(template, y);
        const uint8_t *b =
            sq_image_row(page, hit->box.top + y) + (size_t)hit->box.left * 4;
        for (int x = 0; x < template->width * 4; x++) {
            if (x % 4 != 3 && a[x] != b[x]) {
                return false;
            }
        }
    }
    return true;
}

/* Encodes a picture in another size, and decodes it. */
static void
convert(const struct sq_image *in, int side, enum sq_format format,
        struct sq_image *out) {
    struct sq_buf source;
    struct sq_buf made;
    struct sq_err err = { 0 };
    struct sq_picture_info info;
    const struct sq_picture_opts opts = { .max_dimension = side,
                                          .format = format };
    t_page_write(in, false, &source);
    sq_buf_init(&made, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_picture_make(source.data, source.len, &opts, &sq_limits_default,
                         &made, &info, &err)
             && sq_image_decode(made.data, made.len, &sq_limits_default, out,
                                &err),
         &err);
    sq_buf_finish(&made);
    sq_buf_finish(&source);
}

/* Chooses places with something to see; the same in every run. */
static void
choose(const struct sq_image *page, int *x, int *y, struct sq_image *out) {
    for (;;) {
        *x = (int)t_random_between(0, page->width - SIDE);
        *y = (int)t_random_between(0, page->height - SIDE);
        cut(page, *x, *y, SIDE, out);
        if (!is_flat(out)) {
            return;
        }
        sq_image_finish(out);
    }
}

static void
templates_are_found_exactly(void) {
    struct sq_image page = { 0 };
    t_page_draw("shop", &page);
    for (int i = 0; i < 5; i++) {
        struct sq_image template = { 0 };
        int x;
        int y;
        choose(&page, &x, &y, &template);
        struct sq_image_hits hits =
            find(&page, &template, &(struct sq_template_plan){ 0 });
        /* Patterns repeat: another place may be equal as well. */
        T(hits.count > 0 && is_equal_at(&page, &template, &hits.items[0]));
        T_INT(hits.items[0].tier, SQ_IMAGE_HIT_EXACT);
        T(hits.items[0].score == 1.0);
        sq_image_finish(&template);
    }
    sq_image_finish(&page);
}

static void
all_copies_are_found(void) {
    struct sq_image page = { 0 };
    struct sq_image template = { 0 };
    t_page_draw("shop", &page);
    cut(&page, 100, 300, 48, &template);
    for (int i = 0; i < template.height * template.width; i++) {
        template.pixels[i * 4] = (uint8_t)t_random();
    }
    static const int places[][2] = { { 0, 0 }, { 1032, 2352 }, { 500, 1000 } };
    for (int i = 0; i < 3; i++) {
        for (int row = 0; row < 48; row++) {
            memcpy(sq_image_row(&page, places[i][1] + row) + places[i][0] * 4,
                   sq_image_row(&template, row), 48 * 4);
        }
    }
    struct sq_image_hits hits =
        find(&page, &template, &(struct sq_template_plan){ 0 });
    T_INT(hits.count, 3);
    for (int i = 0; i < 3; i++) {
        T(has_hit_near(&hits, places[i][0], places[i][1], 0));
    }
    sq_image_finish(&template);
    sq_image_finish(&page);
}

static void
compressed_and_scaled_templates_are_found(void) {
    static const int sides[] = { SIDE, 60, 77 };
    struct sq_image page = { 0 };
    t_page_draw("photographs", &page);
    for (int i = 0; i < 3; i++) {
        struct sq_image template = { 0 };
        struct sq_image other = { 0 };
        int side = sides[i % 3];
        int x;
        int y;
        choose(&page, &x, &y, &template);
        convert(&template, side, SQ_FORMAT_JPEG, &other);
        struct sq_image_hits hits =
            find(&page, &other, &(struct sq_template_plan){ 0 });
        T(has_hit_near(&hits, x, y, 2));
        if (T(hits.count)) {
            double scale = hits.items[0].scale * side / SIDE;
            T_INT(hits.items[0].tier, SQ_IMAGE_HIT_ALIKE);
            T(scale > 0.97 && scale < 1.03);
        }
        sq_image_finish(&other);
        sq_image_finish(&template);
    }
    sq_image_finish(&page);
}

static void
absent_templates_are_not_found(void) {
    struct sq_image page = { 0 };
    struct sq_image other = { 0 };
    t_page_draw("settings", &page);
    t_page_draw("photographs", &other);
    for (int i = 0; i < 2; i++) {
        struct sq_image template = { 0 };
        int x;
        int y;
        choose(&other, &x, &y, &template);
        struct sq_image_hits hits =
            find(&page, &template, &(struct sq_template_plan){ 0 });
        T_INT(hits.count, 0);
        T(hits.nearest < SQ_SCALED_HIT_SCORE);
        sq_image_finish(&template);
    }
    sq_image_finish(&other);
    sq_image_finish(&page);
}

static void
fill(struct sq_image *image, struct sq_rect box, int red, int green, int blue) {
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            uint8_t *p = sq_image_row(image, y) + (size_t)x * 4;
            p[0] = (uint8_t)red;
            p[1] = (uint8_t)green;
            p[2] = (uint8_t)blue;
            p[3] = 255;
        }
    }
}

/* A white picture with a blue bar. */
static void
draw_bar(struct sq_image *out, int width, int height, struct sq_rect bar) {
    struct sq_err err = { 0 };
    T_OK(sq_image_init(out, width, height, &sq_limits_default, &err), &err);
    fill(out, (struct sq_rect){ 0, 0, width, height }, 255, 255, 255);
    fill(out, bar, 26, 115, 232);
}

/*
 * The edge of a button is nearly all of its variance, so correlation alone
 * finds it at every other edge, in any size, without its word, or in another
 * colour.
 */
static void
edges_with_and_without_a_word_are_different(void) {
    static const struct sq_rect word[] = {
        { 4, 66, 8, 84 },   { 12, 66, 16, 84 }, { 8, 73, 12, 77 },
        { 24, 66, 36, 70 }, { 28, 70, 32, 84 }, { 44, 66, 48, 84 },
    };
    struct sq_image page = { 0 };
    struct sq_image template = { 0 };
    draw_bar(&page, 300, 400, (struct sq_rect){ 0, 200, 300, 300 });
    draw_bar(&template, SIDE, SIDE, (struct sq_rect){ 0, 40, SIDE, SIDE });
    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
        fill(&template, word[i], 255, 255, 255);
    }
    const struct sq_template_plan plan = { 0 };
    struct sq_image_hits hits = find(&page, &template, &plan);
    T_INT(hits.count, 0);
    T(hits.nearest > 0.8);
    /* Only the tips of the letters. */
    fill(&template, (struct sq_rect){ 0, 70, SIDE, SIDE }, 26, 115, 232);
    hits = find(&page, &template, &plan);
    T_INT(hits.count, 0);
    sq_image_finish(&template);
    sq_image_finish(&page);
}

/* A letter in a corner, and the faint frame of a field, if it has one. */
static void
draw_letter(struct sq_image *image, int left, int top, bool has_frame) {
    static const struct sq_rect letter[] = { { 4, 0, 8, 24 },
                                             { 8, 10, 18, 14 },
                                             { 16, 0, 20, 24 } };
    for (size_t i = 0; i < sizeof(letter) / sizeof(letter[0]); i++) {
        struct sq_rect part = letter[i];
        fill(image,
             (struct sq_rect){ left + part.left, top + part.top,
                               left + part.right, top + part.bottom },
             32, 33, 36);
    }
    if (has_frame) {
        fill(image, (struct sq_rect){ left, top + 81, left + SIDE, top + 84 },
             235, 235, 240);
    }
}

static void
a_missing_faint_line_is_a_difference(void) {
    const struct sq_rect nothing = { 0 };
    const struct sq_template_plan plan = { 0 };
    for (int has_frame = 0; has_frame <= 1; has_frame++) {
        struct sq_image page = { 0 };
        struct sq_image template = { 0 };
        draw_bar(&page, 300, 400, nothing);
        draw_letter(&page, 101, 151, !has_frame);
        draw_bar(&template, SIDE, SIDE, nothing);
        draw_letter(&template, 0, 0, has_frame);
        T_INT(find(&page, &template, &plan).count, 0);
        draw_letter(&page, 101, 151, true);
        draw_letter(&template, 0, 0, true);
        T_INT(find(&page, &template, &plan).count, 1);
        sq_image_finish(&template);
        sq_image_finish(&page);
    }
}

static void
transparent_pixels_are_not_compared(void) {
    struct sq_image page = { 0 };
    struct sq_image template = { 0 };
    t_page_draw("photographs", &page);
    cut(&page, 300, 600, 64, &template);
    for (int y = 0; y < 64; y++) {
        for (int x = 0; x < 64; x++) {
            uint8_t *p = sq_image_row(&template, y) + x * 4;
            bool is_corner = (x - 32) * (x - 32) + (y - 32) * (y - 32) > 900;
            p[3] = is_corner ? 0 : 255;
            if (is_corner) {
                memset(p, 0, 3);
            }
        }
    }
    struct sq_image_hits hits =
        find(&page, &template, &(struct sq_template_plan){ .has_alpha = true });
    T(has_hit_near(&hits, 300, 600, 0));
    hits = find(&page, &template,
                &(struct sq_template_plan){ .exact_only = true });
    T_INT(hits.count, 0);
    sq_image_finish(&template);
    sq_image_finish(&page);
}

static void
useless_templates_are_refused(void) {
    struct sq_image page = { 0 };
    struct sq_image template = { 0 };
    struct sq_image_hits hits;
    t_page_draw("settings", &page);
    const struct sq_template_plan plan = {
        .area = { 0, 0, page.width, page.height },
    };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    cut(&page, 0, 0, 40, &template);
    memset(template.pixels, 7, template.stride * 40);
    struct sq_err err = { 0 };
    T(!sq_template_find(&page, &template, &plan, &deadline, &hits, &err));
    T_INT(err.code, SQ_ERR_ARGUMENT);
    sq_image_finish(&template);
    cut(&page, 0, 0, 5, &template);
    err = (struct sq_err){ 0 };
    T(!sq_template_find(&page, &template, &plan, &deadline, &hits, &err));
    T_INT(err.code, SQ_ERR_ARGUMENT);
    sq_image_finish(&template);
    sq_image_finish(&page);
}

T_MAIN(T_CASE(templates_are_found_exactly), T_CASE(all_copies_are_found),
       T_CASE(compressed_and_scaled_templates_are_found),
       T_CASE(absent_templates_are_not_found),
       T_CASE(edges_with_and_without_a_word_are_different),
       T_CASE(a_missing_faint_line_is_a_difference),
       T_CASE(transparent_pixels_are_not_compared),
       T_CASE(useless_templates_are_refused))
