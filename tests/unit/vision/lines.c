#include "vision/lines.h"

#include "image/draw/draw.h"
#include "support/pages.h"
#include "support/test.h"
#include "support/text_page.h"
#include "util/limits.h"
#include "vision/strip.h"

#define PAGES 6

/* Makes a picture of one colour, and a font. */
static struct sq_canvas
begin(struct sq_image *image, struct sq_font **font, int width, int height,
      uint32_t colour) {
    T_OK(sq_image_init(image, width, height, &sq_limits_default, &t_err)
         && sq_font_create(font, &t_err));
    struct sq_canvas canvas = {
        image->pixels, image->stride, { 0, 0, width, height }, *font
    };
    sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(colour));
    return canvas;
}

/* Returns the line that contains the middle of a word; -1: none. */
static int
line_of(const struct sq_lines *lines, const struct t_page_word *word) {
    int x = (word->box.left + word->box.right) / 2;
    int y = (word->box.top * 4 + word->box.bottom * 6) / 10;
    for (int i = 0; i < lines->count; i++) {
        if (sq_rect_contains(lines->boxes[i], x, y)) {
            return i;
        }
    }
    return -1;
}

static void
check_page(unsigned seed) {
    T_FREED(t_text_page_finish) struct t_text_page page = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    t_text_page_draw(seed, &page);
    const struct sq_rect area = { 0, 0, page.image.width, page.image.height };
    T_OK(sq_lines_find(&page.image, area, &lines, &t_err));
    int missing = 0;
    for (int i = 0; i < page.count; i++) {
        missing += line_of(&lines, &page.words[i]) < 0;
        /* Words of different lines are never in one box. */
        for (int k = i + 1; k < page.count; k++) {
            if (page.words[k].line == page.words[i].line + 1) {
                int line = line_of(&lines, &page.words[i]);
                T(line < 0 || line != line_of(&lines, &page.words[k]));
                break;
            }
        }
    }
    T_INT(missing, 0);
    T(lines.count >= page.lines);
    T(lines.count <= page.lines * 4);
}

T_CASE(every_word_is_in_a_line) {
    for (unsigned seed = 1; seed <= PAGES; seed++) {
        check_page(seed);
    }
}

T_CASE(boxes_are_inside_the_area) {
    T_FREED(t_text_page_finish) struct t_text_page page = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    const struct sq_rect area = { 301, 203, 777, 901 };
    t_text_page_draw(1, &page);
    T_OK(sq_lines_find(&page.image, area, &lines, &t_err));
    T(lines.count > 0);
    for (int i = 0; i < lines.count; i++) {
        struct sq_rect box = lines.boxes[i];
        T(box.left >= area.left && box.right <= area.right
          && box.top >= area.top && box.bottom <= area.bottom
          && !sq_rect_is_empty(box));
    }
}

T_CASE(a_letter_in_a_disc_is_a_line_without_the_disc) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_canvas canvas = begin(&image, &font, 200, 200, 0xffffff);
    sq_canvas_box(&canvas, (struct sq_rect){ 40, 40, 140, 140 }, 50,
                  SQ_RGB(0xe37400));
    T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 40, false }, SQ_SPAN("R"),
                        (struct sq_pt){ 76, 104 }, SQ_RGB(0xffffff), &t_err));
    T_OK(sq_lines_find(&image, canvas.clip, &lines, &t_err));
    if (T_INT(lines.count, 1)) {
        T(lines.boxes[0].left > 60 && lines.boxes[0].right < 120);
    }
    sq_font_destroy(font);
}

/* Draws a text alone, black on white, and checks that it is one line of text.
 */
static void
check_alone(struct sq_font *font, struct sq_span text, struct sq_face face) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    T_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
    T_OK(sq_image_init(&image, 200, 200, &sq_limits_default, &t_err));
    struct sq_canvas canvas = {
        image.pixels, image.stride, { 0, 0, 200, 200 }, font
    };
    sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(0xffffff));
    T_OK(sq_canvas_text(&canvas, &face, text, (struct sq_pt){ 60, 150 },
                        SQ_RGB(0), &t_err)
         && sq_lines_find(&image, canvas.clip, &lines, &t_err));
    bool is_right = T_INT(lines.count, 1)
                 && T_OK(sq_strip_make(&image, lines.boxes[0], &strip, &t_err))
                 && T(sq_strip_may_be_text(&strip));
    if (!is_right) {
        printf("# %.*s, %d pixels, medium %d\n", (int)text.len, text.ptr,
               face.size_px, face.medium);
    }
}

/* Holes and horizontal strokes must not divide them. */
T_CASE(large_digits_are_one_line_each) {
    static const char digits[] = "012356789";
    static const int sizes[] = { 80, 100, 120 }; /* digits of 57 to 86 pixels */
    struct sq_font *font = NULL;
    T_OK(sq_font_create(&font, &t_err));
    for (int i = 0; i < 9 * 3; i++) {
        check_alone(font, (struct sq_span){ &digits[i % 9], 1 },
                    (struct sq_face){ sizes[i / 9], false });
    }
    check_alone(font, SQ_SPAN("8"), (struct sq_face){ 100, true });
    sq_font_destroy(font);
}

T_CASE(dots_belong_to_the_nearest_line) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_canvas canvas = begin(&image, &font, 400, 120, 0xffffff);
    T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 42, false },
                        SQ_SPAN("Import travel"), (struct sq_pt){ 20, 50 },
                        SQ_RGB(0), &t_err)
         && sq_canvas_text(&canvas, &(struct sq_face){ 32, false },
                           SQ_SPAN("Pack submit minimum"),
                           (struct sq_pt){ 20, 90 }, SQ_RGB(0), &t_err));
    T_OK(sq_lines_find(&image, canvas.clip, &lines, &t_err));
    if (T_INT(lines.count, 2)) {
        /* The dots of the second line begin at row 66. */
        T(lines.boxes[0].bottom < 75);
        T(lines.boxes[1].top < 70);
    }
    sq_font_destroy(font);
}

T_CASE(flat_and_noisy_pictures_have_limits) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_lines lines;
    T_OK(sq_image_init(&image, 700, 500, &sq_limits_default, &t_err));
    memset(image.pixels, 90, image.stride * 500);
    const struct sq_rect area = { 0, 0, 700, 500 };
    T_OK(sq_lines_find(&image, area, &lines, &t_err));
    T_INT(lines.count, 0);
    sq_lines_finish(&lines);
    for (size_t i = 0; i < image.stride * 500; i++) {
        image.pixels[i] = (uint8_t)t_random();
    }
    T_OK(sq_lines_find(&image, area, &lines, &t_err));
    T(lines.count <= SQ_MAX_LINES);
    sq_lines_finish(&lines);
}

static bool
find_in_page(void *context, struct sq_err *err) {
    struct sq_image *image = context;
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    const struct sq_rect area = { 0, 0, image->width, 200 };
    return sq_lines_find(image, area, &lines, err);
}

T_CASE(every_allocation_may_fail) {
    T_FREED(t_text_page_finish) struct t_text_page page = { 0 };
    t_text_page_draw(2, &page);
    T(t_alloc_torture(find_in_page, &page.image) > 0);
}

T_CASE(colours_and_themes_give_equal_strips) {
    static const uint32_t colours[][2] = { { 0xffffff, 0x000000 },
                                           { 0x000000, 0xffffff },
                                           { 0x0000c0, 0xffff00 },
                                           { 0xd93025, 0xffffff } };
    struct sq_strip strips[4] = { { 0 } };
    for (int i = 0; i < 4; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        struct sq_font *font = NULL;
        struct sq_canvas canvas = begin(&image, &font, 240, 60, colours[i][0]);
        T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 30, false },
                            SQ_SPAN("Settings"), (struct sq_pt){ 20, 42 },
                            SQ_RGB(colours[i][1]), &t_err)
             && sq_strip_make(&image, canvas.clip, &strips[i], &t_err));
        sq_font_destroy(font);
    }
    for (int i = 1; i < 4; i++) {
        size_t size = (size_t)strips[0].width * (size_t)strips[0].height;
        int worst = 0;
        T_INT(strips[i].width, strips[0].width);
        for (size_t k = 0; k < size; k++) {
            int difference = strips[i].pixels[k] - strips[0].pixels[k];
            difference = difference < 0 ? -difference : difference;
            worst = difference > worst ? difference : worst;
        }
        T(worst <= 24);
        T(strips[i].background_percent > 60);
    }
    for (int i = 0; i < 4; i++) {
        sq_strip_finish(&strips[i]);
    }
}

/* Text beside a higher icon does not fill the strip; white is cut off. */
T_CASE(strips_know_where_letters_are) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    struct sq_canvas canvas = begin(&image, &font, 400, 60, 0xffffff);
    T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 24, false },
                        SQ_SPAN("Remember me"), (struct sq_pt){ 120, 38 },
                        SQ_RGB(0), &t_err));
    for (int i = 0; i < 2; i++) {
        const struct sq_rect box = { 0, i ? 2 : 16, 400, i ? 58 : 44 };
        T_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
        T_OK(sq_strip_make(&image, box, &strip, &t_err));
        T_INT(strip.is_mixed, i);
        int left = (int)((strip.first - strip.border) / strip.scale);
        T(left >= (i ? 20 : 110) && left <= (i ? 40 : 121));
        T(strip.last < strip.width - 60);
        sq_canvas_box(&canvas, (struct sq_rect){ 40, 5, 90, 55 }, 8,
                      SQ_RGB(0x202020));
    }
    sq_font_destroy(font);
}

/* A text on one line. */
struct sample {
    const char *text;
    struct sq_face face;
    uint32_t first; /* background on the left */
    uint32_t last;  /* and on the right */
    uint32_t colour;
};

static uint32_t
mix(uint32_t a, uint32_t b, int part, int whole) {
    uint32_t mixed = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int from = (int)(a >> shift & 255);
        int to = (int)(b >> shift & 255);
        mixed |= (uint32_t)(from + (to - from) * part / whole) << shift;
    }
    return mixed;
}

/* Draws a sample and checks that it is one line that may be text. */
static void
check_sample(struct sq_font *font, const struct sample *sample) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    T_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
    int width = 0;
    T_OK(sq_image_init(&image, 1200, 160, &sq_limits_default, &t_err));
    struct sq_canvas canvas = {
        image.pixels, image.stride, { 0, 0, 1200, 160 }, font
    };
    for (int x = 0; x < 1200; x++) {
        sq_canvas_rect(&canvas, (struct sq_rect){ x, 0, x + 1, 160 },
                       SQ_RGB(mix(sample->first, sample->last, x, 1200)));
    }
    T_OK(sq_font_width(font, &sample->face, sq_span_of(sample->text), &width,
                       &t_err)
         && sq_canvas_text(&canvas, &sample->face, sq_span_of(sample->text),
                           (struct sq_pt){ 20, 100 }, SQ_RGB(sample->colour),
                           &t_err)
         && sq_lines_find(&image, canvas.clip, &lines, &t_err));
    bool is_right =
        T_INT(lines.count, 1)
        && T(lines.boxes[0].left <= 26 && lines.boxes[0].right >= width + 12)
        && T_OK(sq_strip_make(&image, lines.boxes[0], &strip, &t_err))
        && T(sq_strip_may_be_text(&strip));
    if (!is_right) {
        printf("# %s, %d pixels, %06x on %06x\n", sample->text,
               sample->face.size_px, (unsigned)sample->colour,
               (unsigned)sample->first);
    }
}

T_CASE(large_faint_and_gradient_text_is_one_line_each) {
    static const struct sample samples[] = {
        { "over Wi-Fi 2026 Hello Sign", { 44, true }, 0xffffff, 0xffffff, 0 },
        { "over Wi-Fi 2026 Hello Sign", { 60, true }, 0xffffff, 0xffffff, 0 },
        { "payment Forgot account fox", { 72, true }, 0, 0, 0xffffff },
        { "payment Forgot account fox",
          { 72, false },
          0x1a73e8,
          0x1a73e8,
          0xffffff },
        { "Still loading", { 40, false }, 0xffffff, 0xffffff, 0 },
        { "Cancel", { 72, false }, 0xffffff, 0xffffff, 0 },
        { "Illinois total", { 30, false }, 0xffffff, 0xffffff, 0xe4e4e4 },
        { "Illinois total", { 14, false }, 0x787878, 0x787878, 0x5c5c5c },
        { "payment account", { 60, true }, 0, 0, 0x202020 },
        { "network account", { 32, true }, 0x141464, 0x5a82e6, 0xffffff },
        { "network account", { 56, true }, 0xfafaff, 0xbec8e6, 0x141428 },
    };
    struct sq_font *font = NULL;
    T_OK(sq_font_create(&font, &t_err));
    for (size_t i = 0; i < SQ_COUNT(samples); i++) {
        check_sample(font, &samples[i]);
    }
    sq_font_destroy(font);
}

T_CASE(lines_beside_each_other_are_in_order_from_left) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_canvas canvas = begin(&image, &font, 600, 120, 0xffffff);
    /* The right one is higher, and begins further up. */
    static const struct {
        const char *text;
        int size;
        struct sq_pt at;
    } parts[] = { { "Total", 40, { 400, 50 } },
                  { "Order", 26, { 20, 48 } },
                  { "second", 26, { 20, 100 } } };
    for (int i = 0; i < 3; i++) {
        T_OK(sq_canvas_text(&canvas, &(struct sq_face){ parts[i].size, false },
                            sq_span_of(parts[i].text), parts[i].at, SQ_RGB(0),
                            &t_err));
    }
    T_OK(sq_lines_find(&image, canvas.clip, &lines, &t_err));
    if (T_INT(lines.count, 3)) {
        T(lines.boxes[1].top < lines.boxes[0].top);
        T(lines.boxes[0].left < 100 && lines.boxes[1].left > 300);
        T(lines.boxes[2].top > 60);
    }
    sq_font_destroy(font);
}

T_CASE(lines_end_where_the_next_one_begins) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    const struct sq_face face = { 40, false };
    struct sq_canvas canvas = begin(&image, &font, 500, 120, 0xffffff);
    T_OK(sq_canvas_text(&canvas, &face, SQ_SPAN("Sign(in)"),
                        (struct sq_pt){ 20, 48 }, SQ_RGB(0xdcdcdc), &t_err)
         && sq_canvas_text(&canvas, &face, SQ_SPAN("Hamburg"),
                           (struct sq_pt){ 20, 91 }, SQ_RGB(0xdcdcdc), &t_err));
    T_OK(sq_lines_find(&image, canvas.clip, &lines, &t_err));
    if (T_INT(lines.count, 2)) {
        T(lines.boxes[0].bottom <= 62); /* the second begins here */
        T(lines.boxes[0].bottom > 56);  /* below the g */
    }
    sq_font_destroy(font);
}

/* Draws "Total", then three chips: a filled one, one with a frame of two pixels
   and an empty one, with these texts. */
static void
draw_chips(struct sq_image *image, struct sq_font *font) {
    static const struct {
        const char *text;
        int left;
        uint32_t frame;
        uint32_t inside;
        uint32_t ink;
    } chips[] = { { "NEW", 120, 0xb71c1c, 0xb71c1c, 0xffffff },
                  { "Order", 220, 0x1a73e8, 0xffffff, 0x202124 },
                  { "", 340, 0x1a73e8, 0xffffff, 0x202124 } };
    const struct sq_face face = { 20, false };
    struct sq_canvas canvas = {
        image->pixels, image->stride, { 0, 0, 500, 80 }, font
    };
    sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(0xffffff));
    T_OK(sq_canvas_text(&canvas, &face, SQ_SPAN("Total"),
                        (struct sq_pt){ 20, 48 }, SQ_RGB(0x202124), &t_err));
    for (size_t i = 0; i < SQ_COUNT(chips); i++) {
        int left = chips[i].left;
        sq_canvas_box(&canvas, (struct sq_rect){ left, 24, left + 90, 60 }, 10,
                      SQ_RGB(chips[i].frame));
        sq_canvas_box(&canvas, (struct sq_rect){ left + 2, 26, left + 88, 58 },
                      8, SQ_RGB(chips[i].inside));
        T_OK(sq_canvas_text(&canvas, &face, sq_span_of(chips[i].text),
                            (struct sq_pt){ left + 16, 49 },
                            SQ_RGB(chips[i].ink), &t_err));
    }
}

T_CASE(chips_are_lines_without_their_frames) {
    static const struct sq_rect places[] = { { 16, 28, 80, 56 },
                                             { 124, 28, 206, 58 },
                                             { 224, 28, 306, 58 } };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_font *font = NULL;
    T_OK(sq_image_init(&image, 500, 80, &sq_limits_default, &t_err)
         && sq_font_create(&font, &t_err));
    draw_chips(&image, font);
    const struct sq_rect area = { 0, 0, 500, 80 };
    T_OK(sq_lines_find(&image, area, &lines, &t_err));
    if (T_INT(lines.count, 3)) {
        for (int i = 0; i < 3; i++) {
            struct sq_rect box = lines.boxes[i];
            if (!T(box.left >= places[i].left && box.right <= places[i].right
                   && box.top >= places[i].top
                   && box.bottom <= places[i].bottom)) {
                printf("# line %d: %d,%d-%d,%d\n", i, box.left, box.top,
                       box.right, box.bottom);
            }
            T(sq_rect_width(box) > 36 && sq_rect_height(box) > 12);
        }
    }
    sq_font_destroy(font);
}

T_CASE(letters_may_touch_the_edge_of_a_mark) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_font *font = NULL;
    const struct sq_face face = { 20, false };
    struct sq_canvas canvas = begin(&image, &font, 400, 80, 0xffffff);
    sq_canvas_rect(&canvas, (struct sq_rect){ 99, 30, 200, 54 },
                   SQ_RGB(0xb71c1c));
    /* The ends of g and p reach the last row of the mark. */
    T_OK(sq_canvas_text(&canvas, &face, SQ_SPAN("parking"),
                        (struct sq_pt){ 104, 49 }, SQ_RGB(0xffffff), &t_err));
    T_OK(sq_lines_find(&image, canvas.clip, &lines, &t_err));
    if (T_INT(lines.count, 1)) {
        T(lines.boxes[0].left <= 106);
        T(lines.boxes[0].right >= 174);
    }
    sq_font_destroy(font);
}

T_CASE(faint_rules_are_no_lines) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_font *font = NULL;
    struct sq_canvas canvas = begin(&image, &font, 200, 200, 0xfafafa);
    for (int y = 20; y < 180; y += 20) { /* pieces, 11 pixels high */
        sq_canvas_rect(&canvas, (struct sq_rect){ 100, y, 102, y + 11 },
                       SQ_RGB(0xe0e0e0));
    }
    T_OK(sq_lines_find(&image, canvas.clip, &lines, &t_err));
    T_INT(lines.count, 0);
    sq_font_destroy(font);
}

/* Draws stripes of two colours that change every 14 pixels, dark below light
   labels, and the labels. */
static void
draw_map(struct sq_image *image, struct sq_font *font, int labels,
         uint32_t ink) {
    const struct sq_face face = { 20, false };
    struct sq_canvas canvas = {
        image->pixels, image->stride, { 0, 0, 400, 900 }, font
    };
    bool is_dark = ink == 0xffffff;
    sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(is_dark ? 0x2c3e30 : 0xcfe8c4));
    for (int top = 0; top < 900; top += 28) {
        sq_canvas_rect(&canvas, (struct sq_rect){ 0, top, 400, top + 14 },
                       SQ_RGB(is_dark ? 0x203050 : 0xa8c8f0));
    }
    for (int i = 0; i < labels; i++) {
        T_OK(sq_canvas_text(&canvas, &face, SQ_SPAN("Harbour"),
                            (struct sq_pt){ 40 + 160 * (i % 2), 50 + 50 * i },
                            SQ_RGB(ink), &t_err));
    }
}

/* Returns how many lines have a kind; each is where a label was drawn. */
static int
count_labels(int labels, uint32_t ink, enum sq_line_kind kind) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_font *font = NULL;
    int count = 0;
    T_OK(sq_image_init(&image, 400, 900, &sq_limits_default, &t_err)
         && sq_font_create(&font, &t_err));
    draw_map(&image, font, labels, ink);
    const struct sq_rect area = { 0, 0, 400, 900 };
    T_OK(sq_labels_find(&image, area, &lines, &t_err));
    for (int i = 0; i < lines.count; i++) {
        struct sq_rect box = lines.boxes[i];
        int index = (box.bottom - 40) / 50;
        if (lines.kinds[i] == kind) {
            count++;
            T(box.left >= 36 + 160 * (index % 2)
              && box.right <= 132 + 160 * (index % 2));
            T(box.top > 28 + 50 * index && box.bottom < 60 + 50 * index);
        }
    }
    sq_font_destroy(font);
    return count;
}

T_CASE(labels_of_maps_are_lines_of_their_strokes) {
    T_INT(count_labels(16, 0x303030, SQ_LINE_DARK), 16);
    T_INT(count_labels(16, 0x303030, SQ_LINE_LIGHT), 0);
    T_INT(count_labels(16, 0xffffff, SQ_LINE_LIGHT), 16);
    T_INT(count_labels(4, 0x303030, SQ_LINE_DARK), 0); /* no map */
}

T_CASE(the_strokes_of_a_label_are_dark_on_white) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    T_OK(sq_image_init(&image, 400, 900, &sq_limits_default, &t_err)
         && sq_font_create(&font, &t_err));
    for (int i = 0; i < 2; i++) {
        T_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
        T_FREED(sq_strip_finish) struct sq_strip plain = { 0 };
        const struct sq_rect box = { 36, 32, 130, 58 };
        draw_map(&image, font, 1, i ? 0xffffff : 0x303030);
        T_OK(sq_strip_make_of(&image, box, i ? SQ_LINE_LIGHT : SQ_LINE_DARK,
                              &strip, &t_err)
             && sq_strip_make_of(&image, box, SQ_LINE_PLAIN, &plain, &t_err));
        T(strip.background_percent + strip.ink_percent > 84);
        T(plain.background_percent < 75 && strip.is_unclear);
        T(strip.background_percent > plain.background_percent);
    }
    sq_font_destroy(font);
}

T_CASE(what_is_higher_than_the_text_beside_it_is_unclear) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
    struct sq_font *font = NULL;
    T_OK(sq_image_init(&image, 500, 80, &sq_limits_default, &t_err)
         && sq_font_create(&font, &t_err));
    draw_chips(&image, font);
    const struct sq_rect area = { 0, 0, 500, 80 };
    struct sq_canvas canvas = { image.pixels, image.stride, area, font };
    T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 60, false }, SQ_SPAN("7"),
                        (struct sq_pt){ 460, 64 }, SQ_RGB(0x202124), &t_err));
    T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 18, false }, SQ_SPAN("km"),
                        (struct sq_pt){ 415, 48 }, SQ_RGB(0x202124), &t_err));
    T_OK(sq_labels_find(&image, area, &lines, &t_err));
    if (T_INT(lines.count, 5)) {
        for (int i = 0; i < 5; i++) {
            T_INT(lines.kinds[i],
                  lines.boxes[i].left > 450 ? SQ_LINE_UNCLEAR : SQ_LINE_PLAIN);
        }
    }
    sq_font_destroy(font);
}

T_CASE(a_sign_before_a_number_belongs_to_it) {
    struct sq_rect boxes[] = { { 40, 20, 90, 50 },    /* a number */
                               { 16, 24, 38, 36 },    /* halves of a sign */
                               { 17, 35, 37, 46 },    /* directly before it */
                               { 120, 20, 170, 50 },  /* another number */
                               { 96, 24, 110, 36 } }; /* with a space */
    T_INT(sq_line_boxes_join_signs(boxes, 5), 3);
    sq_line_boxes_sort(boxes, 3);
    T(boxes[0].left == 16 && boxes[0].right == 90);
    T(boxes[1].left == 96 && boxes[2].left == 120);
}

T_CASE(a_line_has_nothing_of_the_lines_around_it) {
    static const struct sq_rect own = { 100, 100, 300, 120 };
    static const struct sq_rect box = { 80, 95, 330, 130 };
    static const struct {
        struct sq_rect other;
        struct sq_rect wanted;
    } cases[] = {
        { { 100, 124, 300, 144 }, { 80, 95, 330, 124 } },
        { { 100, 80, 300, 98 }, { 80, 98, 330, 130 } },
        { { 310, 100, 400, 120 }, { 80, 95, 310, 130 } },
        { { 20, 100, 90, 120 }, { 90, 95, 330, 130 } },
        { { 310, 100, 325, 120 }, { 80, 95, 330, 130 } }, /* a sign */
        { { 100, 124, 300, 130 }, { 80, 95, 330, 130 } }, /* a rule */
        { { 340, 100, 400, 120 }, { 80, 95, 330, 130 } }, /* beyond */
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_rect cut = sq_line_box_cut(box, own, cases[i].other);
        T(memcmp(&cut, &cases[i].wanted, sizeof(cut)) == 0);
    }
}
