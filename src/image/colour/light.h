/*
 * The colour space of an RGB picture: transfer curves and primaries. Read from
 * simple colour profiles, or from the PNG chunks for common colour spaces.
 */
#ifndef SQ_IMAGE_COLOUR_LIGHT_H
#define SQ_IMAGE_COLOUR_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Size of the table below in steps of linear light; sRGB's level 1 is 5 steps
 * wide.
 */
#define SQ_ENCODE_BITS 14
#define SQ_ENCODE_SIZE ((1 << SQ_ENCODE_BITS) + 1)

/*
 * Fills a table with the nearest sRGB level, 0 to 255, for each step of light.
 */
void sq_srgb_fill_encode(uint8_t encode[SQ_ENCODE_SIZE]);

/* Converts XYZ (D50) to linear sRGB. */
void sq_xyz_to_srgb_light(const double xyz[3], double light[3]);

/*
 * Sets to_xyz from chromaticities. Returns false if they are invalid: on one
 * line, or without light.
 */
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

#endif
