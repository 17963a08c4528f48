/* Converts a part of a picture from the units of a request to pixels. */
#ifndef SQ_TOOLS_ARCHIVE_CROP_RECT_H
#define SQ_TOOLS_ARCHIVE_CROP_RECT_H

#include "geom/rect.h"
#include "image/pipeline/rows.h"
#include "util/err.h"

enum sq_crop_rect_units {
    SQ_CROP_PERCENT,    /* 0 to 100 of each side */
    SQ_CROP_NORMALIZED, /* 0 to 1 */
    SQ_CROP_PIXELS,     /* of the full picture */
    SQ_CROP_IMAGE,      /* pixels of the picture of it returned last */
};

/* The names of the units, in that order; NULL-terminated. */
extern const char *const sq_crop_rect_units[];

/* Limit of coordinates. Values outside the picture are allowed, and clipped. */
#define SQ_CROP_FAR 1e6

struct sq_crop_rect {
    double x;
    double y;
    double width;
    double height;
    enum sq_crop_rect_units units;
};

/*
 * Converts a part in pixels of a returned image, which shows the region
 * `shown`, to pixels of the full picture.
 */
struct sq_crop_rect sq_crop_rect_from_image(const struct sq_crop_rect *part,
                                            struct sq_size image,
                                            struct sq_region shown);

/*
 * Returns the region of a picture that the part covers: clipped to the picture,
 * rounded to the nearest pixel, at least one pixel. Fails with SQ_ERR_ARGUMENT
 * if the part has no area or lies entirely outside.
 */
bool sq_crop_rect_region(const struct sq_crop_rect *part,
                         struct sq_size picture, struct sq_region *out,
                         struct sq_err *err);

#endif
