#include "vision/template.h"

#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"
#include "support/pages.h"
#include "support/test.h"
#include "util/limits.h"

#define SIDE 96

/* Copies a part of a picture. */
static void
cut(const struct sq_image *from, int x, int y, int width, int height,
    struct sq_image *out) {
    T_OK(sq_image_init(out, width, height, &sq_limits_default, &t_err));
    for (int row = 0; row < height; row++) {
        memcpy(sq_image_row(out, row),
               sq_image_row(from, y + row) + (size_t)x * 4, (size_t)width * 4);
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
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    plan.area = (struct sq_rect){ 0, 0, picture->width, picture->height };
    T_OK(sq_template_find(picture, template, &plan, &deadline, &hits, &t_err));
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
    T_FREED(sq_buf_finish) struct sq_buf source = { 0 };
    struct sq_picture_info info;
    const struct sq_picture_opts opts = { .max_dimension = side,
                                          .format = format };
    t_page_write(in, false, &source);
    T_BUF(made, SQ_MAX_IMAGE_BYTES);
    T_OK(sq_picture_make(source.data, source.len, &opts, &sq_limits_default,
                         &made, &info, &t_err)
         && sq_image_decode(made.data, made.len, &sq_limits_default, out,
                            &t_err));
}

/* Chooses places with something to see; the same in every run. */
static void
choose(const struct sq_image *page, int *x, int *y, struct sq_image *out) {
    for (;;) {
        *x = (int)t_random_between(0, page->width - SIDE);
        *y = (int)t_random_between(0, page->height - SIDE);
        cut(page, *x, *y, SIDE, SIDE, out);
        if (!is_flat(out)) {
            return;
        }
        sq_image_finish(out);
    }
}

T_CASE(templates_are_found_exactly) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    t_page_draw("shop", &page);
    for (int i = 0; i < 5; i++) {
        T_FREED(sq_image_finish) struct sq_image template = { 0 };
        int x;
        int y;
        choose(&page, &x, &y, &template);
        struct sq_image_hits hits =
            find(&page, &template, &(struct sq_template_plan){ 0 });
        /* Patterns repeat: another place may be equal as well. */
        T(hits.count > 0 && is_equal_at(&page, &template, &hits.items[0]));
        T_INT(hits.items[0].tier, SQ_IMAGE_HIT_EXACT);
        T(hits.items[0].score == 1.0);
    }
}

T_CASE(all_copies_are_found) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image template = { 0 };
    t_page_draw("shop", &page);
    cut(&page, 100, 300, 48, 48, &template);
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
}

T_CASE(compressed_and_scaled_templates_are_found) {
    static const int sides[] = { SIDE, 60, 77 };
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    t_page_draw("photographs", &page);
    for (int i = 0; i < 3; i++) {
        T_FREED(sq_image_finish) struct sq_image template = { 0 };
        T_FREED(sq_image_finish) struct sq_image other = { 0 };
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
    }
}

T_CASE(absent_templates_are_not_found) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image other = { 0 };
    t_page_draw("settings", &page);
    t_page_draw("photographs", &other);
    for (int i = 0; i < 2; i++) {
        T_FREED(sq_image_finish) struct sq_image template = { 0 };
        int x;
        int y;
        choose(&other, &x, &y, &template);
        struct sq_image_hits hits =
            find(&page, &template, &(struct sq_template_plan){ 0 });
        T_INT(hits.count, 0);
        T(hits.nearest < SQ_DEFAULT_HIT_SCORE);
    }
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
    T_OK(sq_image_init(out, width, height, &sq_limits_default, &t_err));
    fill(out, (struct sq_rect){ 0, 0, width, height }, 255, 255, 255);
    fill(out, bar, 26, 115, 232);
}

/*
 * The edge of a button is nearly all of its variance, so correlation alone
 * finds it at every other edge, in any size, without its word, or in another
 * colour.
 */
T_CASE(edges_with_and_without_a_word_are_different) {
    static const struct sq_rect word[] = {
        { 4, 66, 8, 84 },   { 12, 66, 16, 84 }, { 8, 73, 12, 77 },
        { 24, 66, 36, 70 }, { 28, 70, 32, 84 }, { 44, 66, 48, 84 },
    };
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image template = { 0 };
    draw_bar(&page, 300, 400, (struct sq_rect){ 0, 200, 300, 300 });
    draw_bar(&template, SIDE, SIDE, (struct sq_rect){ 0, 40, SIDE, SIDE });
    for (size_t i = 0; i < SQ_COUNT(word); i++) {
        fill(&template, word[i], 255, 255, 255);
    }
    const struct sq_template_plan plan = { 0 };
    struct sq_image_hits hits = find(&page, &template, &plan);
    T_INT(hits.count, 0);
    T(hits.nearest > 0 && hits.nearest < SQ_DEFAULT_HIT_SCORE);
    /* Only the tips of the letters. */
    fill(&template, (struct sq_rect){ 0, 70, SIDE, SIDE }, 26, 115, 232);
    hits = find(&page, &template, &plan);
    T_INT(hits.count, 0);
}

/* A letter in a corner, and the faint frame of a field, if it has one. */
static void
draw_letter(struct sq_image *image, int left, int top, bool has_frame) {
    static const struct sq_rect letter[] = { { 4, 0, 8, 24 },
                                             { 8, 10, 18, 14 },
                                             { 16, 0, 20, 24 } };
    for (size_t i = 0; i < SQ_COUNT(letter); i++) {
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

T_CASE(a_missing_faint_line_is_a_difference) {
    const struct sq_rect nothing = { 0 };
    const struct sq_template_plan plan = { 0 };
    for (int has_frame = 0; has_frame <= 1; has_frame++) {
        T_FREED(sq_image_finish) struct sq_image page = { 0 };
        T_FREED(sq_image_finish) struct sq_image template = { 0 };
        draw_bar(&page, 300, 400, nothing);
        draw_letter(&page, 101, 151, !has_frame);
        draw_bar(&template, SIDE, SIDE, nothing);
        draw_letter(&template, 0, 0, has_frame);
        T_INT(find(&page, &template, &plan).count, 0);
        draw_letter(&page, 101, 151, true);
        draw_letter(&template, 0, 0, true);
        T_INT(find(&page, &template, &plan).count, 1);
    }
}

/* Draws a number in seven segments, 12x22 pixels per digit. */
static void
draw_number(struct sq_image *image, int left, int top, const char *number,
            int grey) {
    static const struct sq_rect segments[] = {
        { 0, 0, 12, 3 },   { 9, 0, 12, 11 }, { 9, 11, 12, 22 },
        { 0, 19, 12, 22 }, { 0, 11, 3, 22 }, { 0, 0, 3, 11 },
        { 0, 9, 12, 12 },
    };
    static const int lit[] = { 0x3f, 0x06, 0x5b, 0x4f, 0x66,
                               0x6d, 0x7d, 0x07, 0x7f, 0x6f };
    for (int i = 0; number[i]; i++) {
        for (int k = 0; k < 7; k++) {
            struct sq_rect part = segments[k];
            int x = left + 17 * i;
            if (lit[number[i] - '0'] >> k & 1) {
                fill(image,
                     (struct sq_rect){ x + part.left, top + part.top,
                                       x + part.right, top + part.bottom },
                     grey, grey, grey);
            }
        }
    }
}

/* A page of 320x240 with a button that has a number. */
static void
draw_button(struct sq_image *out, const char *number) {
    draw_bar(out, 320, 240, (struct sq_rect){ 80, 90, 240, 150 });
    draw_number(out, 110, 109, number, 255);
}

T_CASE(another_digit_is_a_difference) {
    static const char *const others[] = { "19000", "10008", "10060" };
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image button = { 0 };
    struct sq_image other = { 0 };
    T_FREED(sq_image_finish) struct sq_image compressed = { 0 };
    draw_button(&page, "10000");
    cut(&page, 75, 75, 170, 90, &button);
    for (int i = 0; i < 6; i++) {
        const struct sq_template_plan plan = { .same_scale = true,
                                               .any_colours = i >= 3 };
        sq_image_finish(&other);
        draw_button(&other, others[i % 3]);
        struct sq_image_hits hits = find(&other, &button, &plan);
        T_INT(hits.count, 0);
        T(hits.nearest > 0 && hits.nearest < SQ_DEFAULT_HIT_SCORE);
    }
    convert(&other, 240, SQ_FORMAT_JPEG, &compressed);
    const struct sq_template_plan any = { .any_colours = true };
    T_INT(find(&compressed, &button, &any).count, 0);
    sq_image_finish(&other);
}

T_CASE(a_compressed_page_has_its_buttons) {
    static const int sides[] = { 320, 240 };
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image button = { 0 };
    draw_button(&page, "10000");
    cut(&page, 75, 75, 170, 90, &button);
    for (int i = 0; i < 2; i++) {
        T_FREED(sq_image_finish) struct sq_image copy = { 0 };
        convert(&page, sides[i], SQ_FORMAT_JPEG, &copy);
        struct sq_image_hits hits =
            find(&copy, &button, &(struct sq_template_plan){ 0 });
        T_INT(hits.count, 1);
        T_INT(hits.items[0].tier, SQ_IMAGE_HIT_ALIKE);
        T(has_hit_near(&hits, 75 * sides[i] / 320, 75 * sides[i] / 320, 2));
    }
}

/* The corner of a box is on every screen; a number is not. */
T_CASE(only_distinct_outlines_are_found_in_other_colours) {
    const struct sq_rect nothing = { 0 };
    const struct sq_template_plan plan = { .any_colours = true,
                                           .same_scale = true };
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image template = { 0 };
    draw_bar(&page, 320, 240, nothing);
    fill(&page, (struct sq_rect){ 0, 0, 320, 240 }, 30, 30, 30);
    fill(&page, (struct sq_rect){ 20, 20, 120, 40 }, 90, 60, 90);
    draw_number(&page, 200, 150, "2468", 220);
    draw_bar(&template, 100, 60, nothing);
    fill(&template, (struct sq_rect){ 0, 0, 70, 10 }, 64, 64, 64);
    T_INT(find(&page, &template, &plan).count, 0);
    fill(&template, (struct sq_rect){ 0, 0, 100, 60 }, 255, 255, 255);
    draw_number(&template, 10, 10, "2468", 64);
    struct sq_image_hits hits = find(&page, &template, &plan);
    T_INT(hits.count, 1);
    T_INT(hits.items[0].tier, SQ_IMAGE_HIT_SHAPE);
    T(has_hit_near(&hits, 190, 140, 1));
    draw_number(&template, 10, 10, "8", 64);
    T_INT(find(&page, &template, &plan).count, 0);
}

/* What is smaller than half the template is not looked for. */
T_CASE(scales_are_those_that_are_promised) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image button = { 0 };
    T_FREED(sq_image_finish) struct sq_image copy = { 0 };
    const struct sq_template_plan plan = { .min_score = 0.5 };
    draw_button(&page, "10000");
    cut(&page, 75, 75, 170, 90, &button);
    convert(&page, 150, SQ_FORMAT_PNG, &copy);
    struct sq_image_hits hits = find(&copy, &button, &plan);
    for (int i = 0; i < hits.count; i++) {
        T(hits.items[i].scale >= SQ_MIN_HIT_SCALE);
    }
}

T_CASE(transparent_pixels_are_not_compared) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    T_FREED(sq_image_finish) struct sq_image template = { 0 };
    t_page_draw("photographs", &page);
    cut(&page, 300, 600, 64, 64, &template);
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
}

T_CASE(useless_templates_are_refused) {
    T_FREED(sq_image_finish) struct sq_image page = { 0 };
    struct sq_image template = { 0 };
    struct sq_image_hits hits;
    t_page_draw("settings", &page);
    const struct sq_template_plan plan = {
        .area = { 0, 0, page.width, page.height },
    };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    cut(&page, 0, 0, 40, 40, &template);
    memset(template.pixels, 7, template.stride * 40);
    T_FAILS(sq_template_find(&page, &template, &plan, &deadline, &hits, &t_err),
            SQ_ERR_ARGUMENT);
    sq_image_finish(&template);
    cut(&page, 0, 0, 5, 5, &template);
    t_err = (struct sq_err){ 0 };
    T_FAILS(sq_template_find(&page, &template, &plan, &deadline, &hits, &t_err),
            SQ_ERR_ARGUMENT);
    sq_image_finish(&template);
}
