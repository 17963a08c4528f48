/*
 * Screens of 1080x2400 for tests of pictures, always the same: pages of the
 * demo phone, and one that is full of drawings like photographs.
 */
#ifndef SQ_TEST_PAGES_H
#define SQ_TEST_PAGES_H

#include <stdbool.h>

#include "image/image.h"
#include "util/buf.h"

/* The names of all pages; NULL ends them. */
extern const char *const t_page_names[];

/* Draw a page; the fourth byte of each pixel is 255. The caller finishes it. */
void t_page_draw(const char *name, struct sq_image *out);

/*
 * Write a page as PNG with libpng: with an alpha channel and every filter, like
 * Android, or without, like browsers. Initialises the buffer.
 */
void t_page_write(const struct sq_image *page, bool has_alpha,
                  struct sq_buf *out);

#endif
