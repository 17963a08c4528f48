/* Which part of a picture is meant, in the units people and models use. */
#ifndef SQ_TOOLS_CROP_RECT_H
#define SQ_TOOLS_CROP_RECT_H

#include "geom/size.h"
#include "image/rows.h"
#include "util/err.h"

enum sq_crop_rect_units {
    SQ_CROP_PERCENT,    /* 0 to 100 of each side */
    SQ_CROP_NORMALIZED, /* 0 to 1 */
    SQ_CROP_PIXELS,     /* of the whole picture */
    SQ_CROP_IMAGE, /* pixels of the picture of it that was last handed out */
};

/* The words for them, in that order; NULL ends the list. */
extern const char *const sq_crop_rect_units[];

/* Where numbers may lie at all: far outside is still only outside. */
#define SQ_CROP_FAR 1e6

struct sq_crop_rect {
    double x;
    double y;
    double width;
    double height;
    enum sq_crop_rect_units units;
};

/*
 * The same part in pixels of the whole picture: `part` counts in pixels of an
 * image that shows `shown` of it.
 */
struct sq_crop_rect sq_crop_rect_from_image(const struct sq_crop_rect *part,
                                            struct sq_size image,
                                            struct sq_region shown);

/*
 * The pixels of a picture that the part covers: what lies outside is cut off,
 * edges are rounded to the nearest pixel, and at least one is left. A part
 * without area or entirely outside is SQ_ERR_ARGUMENT.
 */
bool sq_crop_rect_region(const struct sq_crop_rect *part,
                         struct sq_size picture, struct sq_region *out,
                         struct sq_err *err);

#endif
