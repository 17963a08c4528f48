/*
 * Pages of text whose words and places are known, always the same for a seed:
 * sizes of 12 to 40 pixels, light, dark and coloured, on gradients, with icons
 * beside the text.
 */
#ifndef SQ_TEST_TEXT_PAGE_H
#define SQ_TEST_TEXT_PAGE_H

#include "geom/rect.h"
#include "image/image.h"
#include "util/buf.h"
#include "util/err.h"

#define T_MAX_PAGE_WORDS 400

struct t_page_word {
    const char *text;
    struct sq_rect box; /* from the ascent to the descent of its line */
    int line;
};

struct t_text_page {
    struct sq_image image;
    struct t_page_word words[T_MAX_PAGE_WORDS];
    int count;
    int lines;
};

/* Draws a page of 1080x1000 pixels. The caller finishes it. */
void t_text_page_draw(unsigned seed, struct t_text_page *out);

void t_text_page_finish(struct t_text_page *page);

/*
 * Marks the case skipped if reading failed because this machine lacks
 * Tesseract, its data or seccomp. Returns whether it did.
 */
bool t_skips_reading(bool ok, const struct sq_err *err);

/*
 * Writes a PNG of that size with lines of dark text on white, `pixels` high.
 * Initialises the buffer.
 */
void t_text_lines_write(struct sq_size size, int pixels,
                        const char *const *lines, size_t count,
                        struct sq_buf *out);

/*
 * Writes a PNG of 600x200 pixels with one line of dark text on white.
 * Initialises the buffer.
 */
void t_text_line_write(const char *text, struct sq_buf *out);

#endif
