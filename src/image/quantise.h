/* A picture in at most 256 colours, and how colourful a picture is. */
#ifndef SQ_IMAGE_QUANTISE_H
#define SQ_IMAGE_QUANTISE_H

#include "image/image.h"

#define SQ_MAX_COLOURS 256

struct sq_indexed {
    int width;
    int height;
    int colours;
    uint8_t palette[SQ_MAX_COLOURS][3];
    uint8_t *indexes; /* width * height, each below colours */
};

/* Free the indexes; safe on a zeroed value and twice. */
void sq_indexed_finish(struct sq_indexed *picture);

/*
 * Reduce to at most max_colours (1 to 256) without dithering, which would
 * harm small text and compression; lossless where the picture has no more
 * colours than that, otherwise with no more than a difference of 42 dB takes.
 * The same picture gives the same result on every machine. *out is to be freed
 * by sq_indexed_finish; on failure it is untouched.
 */
bool sq_quantise(const struct sq_image *image, int max_colours,
                 struct sq_indexed *out, struct sq_err *err);

/* How many of the 32,768 colours of 5 bits a channel occur. */
int sq_image_colour_bins(const struct sq_image *image);

/*
 * Whether a palette suits the picture, as it does user interfaces: few colours
 * and mostly flat. The thresholds lie between what was measured, at 500 to
 * 2000 px: interfaces had 98 to 1,723 bins and 62 to 93 % of their pixels equal
 * to the left neighbour, pages of photographs 18 to 54 %.
 */
bool sq_image_looks_like_ui(const struct sq_image *image);

#endif
