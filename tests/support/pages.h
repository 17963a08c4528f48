/*
 * Whole screens to test pictures with, 1080x2400 and always the same: pages of
 * the demo phone, and one that is full of something like photographs.
 */
#ifndef SQ_TEST_PAGES_H
#define SQ_TEST_PAGES_H

#include <stdbool.h>

#include "image/image.h"
#include "util/buf.h"

/* The names of all pages; NULL ends them. */
extern const char *const t_page_names[];

/* Draw a page; the fourth byte of each pixel is 255. To be finished. */
void t_page_draw(const char *name, struct sq_image *out);

/*
 * A page as other programs write it as PNG, by libpng: with an alpha channel
 * and every filter, as Android does, or without, as browsers do. Starts the
 * buffer, to be finished.
 */
void t_page_write(const struct sq_image *page, bool has_alpha,
                  struct sq_buf *out);

#endif
