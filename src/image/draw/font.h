/* Draws text with the built-in font. Rendered glyphs are cached. */
#ifndef SQ_IMAGE_DRAW_FONT_H
#define SQ_IMAGE_DRAW_FONT_H

#include "image/draw/canvas.h"
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
    int ascent;  /* pixels above the baseline, the same for all lines */
    int descent; /* pixels below the baseline */
};

bool sq_font_create(struct sq_font **out, struct sq_err *err);

/* Frees the font and its glyphs. Accepts NULL. */
void sq_font_destroy(struct sq_font *type);

/* Returns the FreeType library, for rasterising shapes; owned by type. */
struct FT_LibraryRec_ *sq_font_library(struct sq_font *type);

struct sq_line_metrics sq_font_metrics(const struct sq_face *face);

/* Measures a line of text in pixels, including characters without a glyph. */
bool sq_font_width(struct sq_font *type, const struct sq_face *face,
                   struct sq_span text, int *width, struct sq_err *err);

/*
 * Gets the length in bytes of the longest prefix, in whole characters, that is
 * at most max_width pixels wide.
 */
bool sq_font_fit(struct sq_font *type, const struct sq_face *face,
                 struct sq_span text, int max_width, size_t *bytes,
                 struct sq_err *err);

/* Draws a line of text; `at` is the start of its baseline. */
bool sq_canvas_text(struct sq_canvas *canvas, const struct sq_face *face,
                    struct sq_span text, struct sq_pt at, sq_colour colour,
                    struct sq_err *err);

#endif
