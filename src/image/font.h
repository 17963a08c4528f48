/* Text as pixels: glyphs of the built-in font, drawn once and kept. */
#ifndef SQ_IMAGE_FONT_H
#define SQ_IMAGE_FONT_H

#include "image/canvas.h"
#include "util/err.h"
#include "util/span.h"

struct FT_LibraryRec_;
struct sq_font;

/* One size and weight of the font. */
struct sq_face {
    int size_px;
    bool medium; /* a little bolder than regular */
};

struct sq_line_metrics {
    int ascent;  /* pixels above the base line, of every line of the face */
    int descent; /* below */
};

bool sq_font_create(struct sq_font **out, struct sq_err *err);

/* Accepts NULL. */
void sq_font_destroy(struct sq_font *type);

/* What shapes are rasterised with; lives as long as type. */
struct FT_LibraryRec_ *sq_font_library(struct sq_font *type);

struct sq_line_metrics sq_font_metrics(const struct sq_face *face);

/* The width of a line of text in pixels. Characters without a glyph count. */
bool sq_font_width(struct sq_font *type, const struct sq_face *face,
                   struct sq_span text, int *width, struct sq_err *err);

/*
 * The longest beginning of the text, in whole characters, that is not wider
 * than max_width pixels.
 */
bool sq_font_fit(struct sq_font *type, const struct sq_face *face,
                 struct sq_span text, int max_width, size_t *bytes,
                 struct sq_err *err);

/* Draw a line of text; at is where its base line begins. */
bool sq_canvas_text(struct sq_canvas *canvas, const struct sq_face *face,
                    struct sq_span text, struct sq_dev_pt at, sq_colour colour,
                    struct sq_err *err);

#endif
