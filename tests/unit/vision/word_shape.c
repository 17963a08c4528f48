#include "vision/strip.h"

#include "image/draw/draw.h"
#include "support/test.h"
#include "support/text_page.h"
#include "util/limits.h"
#include "vision/lines.h"

#define MAX_TURNS 300

static bool
has_word(const struct t_text_page *page, struct sq_rect box, const char *text) {
    for (int i = 0; i < page->count; i++) {
        struct sq_rect word = page->words[i].box;
        if (strcmp(page->words[i].text, text) == 0
            && sq_rect_contains(box, (word.left + word.right) / 2,
                                (word.top + word.bottom) / 2)) {
            return true;
        }
    }
    return false;
}

/* Returns how many lines would be read before one with the text. */
static int
rank_of(const struct t_text_page *page, const struct sq_lines *lines,
        const char *text) {
    static struct sq_read_turn turns[MAX_TURNS];
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    int count = lines->count < MAX_TURNS ? lines->count : MAX_TURNS;
    for (int i = 0; i < count; i++) {
        turns[i] = (struct sq_read_turn){ .line = i, .box = lines->boxes[i] };
    }
    T_OK(sq_read_order(&page->image, sq_span_of(text), &deadline, turns, count,
                       &t_err));
    int rank = 0;
    while (rank < count && !has_word(page, turns[rank].box, text)) {
        rank++;
    }
    return rank;
}

T_CASE(lines_with_the_text_come_first) {
    int tried = 0;
    int among_three = 0;
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct t_text_page page;
        T_FREED(sq_lines_finish) struct sq_lines lines = { 0 };
        t_text_page_draw(seed, &page);
        const struct sq_rect area = { 0, 0, page.image.width,
                                      page.image.height };
        T_OK(sq_lines_find(&page.image, area, &lines, &t_err));
        for (int i = 0; i < page.count; i += 7) {
            tried++;
            among_three += rank_of(&page, &lines, page.words[i].text) < 3;
        }
        t_text_page_finish(&page);
    }
    T(tried > 10);
    T(among_three * 10 >= tried * 9);
}

/* Draws a text and returns its distance from another one. */
static double
distance(const char *drawn, const char *wanted, int size_px) {
    const struct sq_face face = { .size_px = size_px };
    const struct sq_rect whole = { 0, 0, 500, 80 };
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_font *font = NULL;
    T_FREED(sq_strip_finish) struct sq_strip strip = { 0 };
    struct sq_text_shape *shape = NULL;
    double result = -1;
    if (T_OK(sq_image_init(&image, 500, 80, &sq_limits_default, &t_err)
             && sq_font_create(&font, &t_err))) {
        struct sq_canvas canvas = { image.pixels, image.stride, whole, font };
        sq_canvas_rect(&canvas, whole, SQ_RGB(0x203040));
        const struct sq_rect line = { 0, 55 - size_px, 500, 55 + size_px / 3 };
        T_OK(sq_canvas_text(&canvas, &face, sq_span_of(drawn),
                            (struct sq_pt){ 10, 55 }, SQ_RGB(0xffd0a0), &t_err)
             && sq_strip_make(&image, line, &strip, &t_err)
             && sq_text_shape_create(sq_span_of(wanted), &shape, &t_err));
        result = sq_text_shape_distance(shape, &strip);
    }
    sq_text_shape_destroy(shape);
    sq_font_destroy(font);
    return result;
}

T_CASE(size_and_case_make_little_difference) {
    double other = distance("Delete all", "Battery", 30);
    T(distance("Battery low", "Battery", 18) * 2 < other);
    T(distance("Battery low", "battery", 40) * 2 < other);
    T(distance("BATTERY", "battery", 30) * 2 < other);
    T(distance("low Battery", "Battery", 30) * 2 < other);
}

T_CASE(lines_without_room_are_far) {
    T(distance("ok", "Notification settings", 20) >= SQ_SHAPE_FAR);
    T(distance("", "Notification", 20) >= SQ_SHAPE_FAR);
    /* A text of spaces has no outline. */
    T(distance("ok", " ", 20) >= SQ_SHAPE_FAR);
}

T_ALLOC_CASE(every_allocation_may_fail, 1) {
    struct sq_text_shape *shape = NULL;
    bool ok = sq_text_shape_create(SQ_SPAN("Total"), &shape, err);
    sq_text_shape_destroy(shape);
    return ok;
}
