/*
 * Small pages of text in several fonts, whose words and places are known,
 * always the same for a seed: 10 to 40 pixels, light, dark and coloured, on
 * gradients, with icons beside the text.
 */
#ifndef SQ_TEST_FONT_PAGE_H
#define SQ_TEST_FONT_PAGE_H

#include "geom/rect.h"
#include "image/image.h"

#define T_MAX_FONT_WORDS 120

struct t_font_word {
    const char *text;
    struct sq_rect box; /* from above its line to below it */
};

struct t_font_page {
    struct sq_image image;
    struct t_font_word words[T_MAX_FONT_WORDS];
    int count;
    int icons;
    const char *face; /* the file of its font */
};

/* Draws a page of 420x110 pixels. The caller finishes it. */
void t_font_page_draw(unsigned seed, struct t_font_page *out);

void t_font_page_finish(struct t_font_page *page);

#endif
