/*
 * Converts the pixels of a line to what a recogniser reads best: dark text on
 * white, one channel, a fixed height. Polarity, theme and colour of the text
 * make no difference.
 */
#ifndef SQ_VISION_NORMALISE_H
#define SQ_VISION_NORMALISE_H

#include "geom/rect.h"
#include "image/image.h"

/* A line as grey pixels. */
struct sq_strip {
    uint8_t *pixels; /* width bytes per row; 0 is black */
    int width;
    int height;
    /* Where it is in the picture. Pixel (x, y) of the strip without its border
       is at left + (x - border) / scale, and in the same way for y. */
    struct sq_rect source;
    double scale;
    int border;
    /* The columns with letters, and a few beside them: what is recognised.
       Wider margins are taken for quotes and dashes. */
    int first;
    int last; /* exclusive */
    /* Text is much lower than the strip, as beside an icon: the recogniser has
       to find it first. */
    bool is_mixed;
    /* Share of the pixels with the most common colour, in percent. Letters on a
       flat background have a high one, photographs a low one. */
    int background_percent;
    int ink_percent; /* share of the pixels in the colour of the letters */
    int black;       /* distance of the letters from it in colour, 1 to 255 */
};

/* Free with sq_strip_finish, also on failure. The box is inside the image. */
bool sq_strip_make(const struct sq_image *image, struct sq_rect box,
                   struct sq_strip *out, struct sq_err *err);

/*
 * Returns whether a strip may be text. Lines without a common background are
 * parts of photographs.
 */
bool sq_strip_may_be_text(const struct sq_strip *strip);

/*
 * Finds out whether a box inside the image has letters that differ little from
 * their background: nearly all pixels have one of two colours. Noise has not.
 */
bool sq_box_is_faint_text(const struct sq_image *image, struct sq_rect box,
                          bool *is_text, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_strip_finish(struct sq_strip *strip);

#endif
