/*
 * Compares raw frames of screencap pixel by pixel. Used on both sides, so it
 * needs no C library except memcpy.
 */
#ifndef SQ_EYE_DIFFERENCE_H
#define SQ_EYE_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rectangle in pixels. */
struct sq_eye_area {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
};

/* Where something is: in at most that many rectangles. */
#define SQ_EYE_MAX_AREAS 4
struct sq_eye_areas {
    uint32_t count;
    struct sq_eye_area items[SQ_EYE_MAX_AREAS];
};

/*
 * Adds an area that is not empty. Areas become one if they are at most `gap`
 * pixels apart, or if they are half of the rectangle around both; if there are
 * too many, the two with the fewest pixels between them.
 */
void sq_eye_areas_add(struct sq_eye_areas *areas, struct sq_eye_area area,
                      uint32_t gap);

#define SQ_EYE_MAX_SIDE 16384

/* The pixels of a frame: four bytes each, the fourth of no meaning. */
struct sq_eye_picture {
    const uint8_t *pixels;
    uint32_t width;
    uint32_t height;
};

/*
 * Finds the pixels of a complete frame. Returns false if it has another pixel
 * format, or another size than its header says.
 */
bool sq_eye_picture_of(const uint8_t *frame, size_t len,
                       struct sq_eye_picture *out);

/* Returns whether no colour of any pixel is above `ceiling`. */
bool sq_eye_is_black(const struct sq_eye_picture *picture, uint8_t ceiling);

/* Returns whether the area has pixels, and all of them are in the picture. */
bool sq_eye_area_fits(const struct sq_eye_area *area, uint32_t width,
                      uint32_t height);

/* A comparison of two pictures row by row. Set the first two; zero the rest. */
#define SQ_EYE_COLUMNS 32
struct sq_eye_comparison {
    uint32_t width; /* of a row, in pixels */
    uint32_t gap;   /* of sq_eye_areas_add */
    struct sq_eye_areas areas;
    uint32_t band; /* of rows, and what differs in its cells */
    struct sq_eye_area cells[SQ_EYE_COLUMNS];
};

/* Returns the gap between the changed areas of a picture. */
uint32_t sq_eye_gap(uint32_t width, uint32_t height);

/* Compares row y, which comes after the ones before. */
void sq_eye_compare_row(struct sq_eye_comparison *comparison, uint32_t y,
                        const uint8_t *a, const uint8_t *b);

/* Completes `areas`, which then have all pixels that differ. */
void sq_eye_comparison_end(struct sq_eye_comparison *comparison);

/* Compares an area that fits of two pictures that have equal sizes. */
struct sq_eye_areas sq_eye_differ(const struct sq_eye_picture *a,
                                  const struct sq_eye_picture *b,
                                  const struct sq_eye_area *area);

#endif
