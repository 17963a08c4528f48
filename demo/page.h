/* Pages to show and measure with where no real screenshots are at hand. */
#ifndef DEMO_PAGE_H
#define DEMO_PAGE_H

#include "image/image.h"

/*
 * Draw a page: "ui" is flat panels and text, "photo" has pictures in it. The
 * same on every run. Pixels are opaque RGBA, to be freed by sq_image_finish.
 */
bool demo_page_draw(const char *kind, int width, int height,
                     struct sq_image *out, struct sq_err *err);

#endif
