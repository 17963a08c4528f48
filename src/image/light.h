/*
 * What the values of an RGB picture mean: how much light each one is, and which
 * colour the three lights have. From colour profiles of the simple kind, and
 * from the numbers that PNG has for the most common of them.
 */
#ifndef SQ_IMAGE_LIGHT_H
#define SQ_IMAGE_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

#define SQ_LEVELS 256

struct sq_light {
    double curve[3][SQ_LEVELS]; /* light of each value, 0 to 1 */
    double to_xyz[3][3];        /* from the three lights to XYZ under D50 */
};

/* Chromaticities: x and y of red, green, blue and white. */
struct sq_chromaticities {
    double red[2];
    double green[2];
    double blue[2];
    double white[2];
};

/* sRGB's own. */
extern const struct sq_chromaticities sq_srgb_chromaticities;

/* The light of a value of sRGB, both from 0 to 1, and the value of a light. */
double sq_srgb_decode(double value);
double sq_srgb_encode(double light);

/* Steps of linear light in the table below; sRGB's level 1 is 5 steps wide. */
#define SQ_ENCODE_BITS 14
#define SQ_ENCODE_SIZE ((1 << SQ_ENCODE_BITS) + 1)

/* The nearest level of sRGB, 0 to 255, for each step of light. */
void sq_srgb_fill_encode(uint8_t encode[SQ_ENCODE_SIZE]);

/* The light of sRGB's three channels that looks like XYZ under D50. */
void sq_xyz_to_srgb_light(const double xyz[3], double light[3]);

/*
 * Set to_xyz from chromaticities. False where they are those of no colours:
 * in one line, or without light.
 */
bool sq_light_set_primaries(struct sq_light *light,
                            const struct sq_chromaticities *primaries);

/* sRGB's curve in all three channels. */
void sq_light_set_srgb(struct sq_light *light);

/* Light that is the value to the power of gamma, in all three channels. */
void sq_light_set_gamma(struct sq_light *light, double gamma);

/*
 * What the code points of H.273 mean, as PNG's cICP chunk has them: colour
 * primaries, transfer characteristics, matrix and range. False where that is
 * nothing we know or not RGB in full range. Light of high dynamic range is cut
 * off at its reference white.
 */
bool sq_light_from_cicp(struct sq_light *light, const uint8_t code_points[4]);

#endif
