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

/*
 * Returns whether the pictures, which have equal sizes, differ in an area that
 * fits. *where is then the smallest rectangle with all pixels that do.
 */
bool sq_eye_differ(const struct sq_eye_picture *a,
                   const struct sq_eye_picture *b,
                   const struct sq_eye_area *area, struct sq_eye_area *where);

#endif
