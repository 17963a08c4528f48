/*
 * Converts the colours of a file to sRGB and turns its rows as its orientation
 * asks.
 */
#ifndef SQ_IMAGE_COLOUR_COLOUR_H
#define SQ_IMAGE_COLOUR_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/rect.h"
#include "image/pipeline/rows.h"
#include "util/err.h"

/* The meaning of a pixel's channels. */
enum sq_pixels {
    SQ_PIXELS_RGB,
    SQ_PIXELS_GREY, /* three equal channels */
    SQ_PIXELS_CMYK, /* 255: no ink, as in JPEG files */
};

/*
 * The colour space of an RGB picture: transfer curves and primaries. Read from
 * simple colour profiles, or from the PNG chunks for common colour spaces.
 */

#define SQ_LEVELS 256

struct sq_light {
    double curve[3][SQ_LEVELS]; /* linear light of each value, 0 to 1 */
    double to_xyz[3][3];        /* from linear RGB to XYZ (D50) */
};

/* Chromaticities: x and y of red, green, blue and white. */
struct sq_chromaticities {
    double red[2];
    double green[2];
    double blue[2];
    double white[2];
};

extern const struct sq_chromaticities sq_srgb_chromaticities;

/* Convert an sRGB value to linear light and back; both are 0 to 1. */
double sq_srgb_decode(double value);
double sq_srgb_encode(double light);

/* Steps of linear light in the table below; sRGB's level 1 is 5 steps wide. */
#define SQ_ENCODE_BITS 14
#define SQ_ENCODE_SIZE ((1 << SQ_ENCODE_BITS) + 1)

/*
 * Fills a table with the nearest sRGB level, 0 to 255, for each step of light.
 */
void sq_srgb_fill_encode(uint8_t encode[SQ_ENCODE_SIZE]);

/* Converts XYZ (D50) to linear sRGB. */
void sq_xyz_to_srgb_light(const double xyz[3], double light[3]);

/* Sets to_xyz; false for chromaticities on one line or without light. */
bool sq_light_set_primaries(struct sq_light *light,
                            const struct sq_chromaticities *primaries);

/* Sets the sRGB curve for all three channels. */
void sq_light_set_srgb(struct sq_light *light);

/* Sets a pure power curve for all three channels. */
void sq_light_set_gamma(struct sq_light *light, double gamma);

/*
 * Sets the colour space from H.273 code points, as in PNG's cICP chunk: colour
 * primaries, transfer characteristics, matrix and range. Returns false if they
 * are unknown or not full-range RGB. HDR light is clipped at its reference
 * white.
 */
bool sq_light_from_cicp(struct sq_light *light, const uint8_t code_points[4]);

/*
 * Conversion of a file's colours to sRGB. A picture that is already sRGB, as
 * most are, has no conversion.
 */
struct sq_colour_ops {
    /* Converts pixels of four bytes each. to may equal from. */
    void (*apply)(const struct sq_colour *colour, const uint8_t *from,
                  uint8_t *to, size_t pixels);
    void (*destroy)(struct sq_colour *colour);
};

/* Base of all conversions. */
struct sq_colour {
    const struct sq_colour_ops *ops;
};

/*
 * Makes the conversion for an embedded profile. The caller frees *out with
 * sq_colour_destroy. *out is NULL if no conversion is needed: the profile is
 * sRGB, damaged, or for another kind of pixels. CMYK always gets one.
 */
bool sq_colour_from_icc(const uint8_t *bytes, size_t count,
                        enum sq_pixels pixels, struct sq_colour **out,
                        struct sq_err *err);

/* Like sq_colour_from_icc, for RGB pixels with a known colour space. */
bool sq_colour_from_light(const struct sq_light *light, struct sq_colour **out,
                          struct sq_err *err);

/* Frees the conversion. Accepts NULL. */
void sq_colour_destroy(struct sq_colour *colour);

static inline void
sq_colour_apply(const struct sq_colour *colour, const uint8_t *from,
                uint8_t *to, size_t pixels) {
    colour->ops->apply(colour, from, to, pixels);
}

/*
 * Returns the orientation in EXIF data, with or without the prefix "Exif\0\0".
 * Returns SQ_ORIENT_UPRIGHT if there is none or the data is damaged.
 */
enum sq_orientation sq_exif_orientation(const uint8_t *bytes, size_t count);

/*
 * The orientation of stored pictures. Cameras store the sensor's rows and add
 * how to turn them. All coordinates outside the decoders refer to the upright
 * picture.
 */

/* Size and orientation of a picture as stored. */
struct sq_stored_shape {
    struct sq_size stored;
    enum sq_orientation orientation;
};

/* Converts a size between the upright and the stored picture. */
struct sq_size sq_orientation_size(enum sq_orientation orientation,
                                   struct sq_size size);

/* Converts a region of the upright picture to the stored one. */
struct sq_region sq_stored_region(const struct sq_stored_shape *shape,
                                  struct sq_region upright);

/*
 * Turns sRGB rows upright. Reads all rows immediately, unless they are already
 * upright. Takes ownership of rows, also on failure.
 */
bool sq_rows_turn(struct sq_rows *rows, const struct sq_limits *limits,
                  struct sq_rows **out, struct sq_err *err);

/*
 * Makes rows of an image, and owns it and the conversion of its colours, which
 * may be NULL. Both are taken also on failure.
 */
bool sq_rows_own_image(struct sq_image *image, struct sq_colour *colour,
                       struct sq_rows **out, struct sq_err *err);

/*
 * Applies rows->colour and rows->orientation; free if there is nothing to do.
 * Call it as late as possible, when the picture has the fewest pixels. Takes
 * ownership of rows, also on failure.
 */
bool sq_rows_normalise(struct sq_rows *rows, const struct sq_limits *limits,
                       struct sq_rows **out, struct sq_err *err);

#endif
