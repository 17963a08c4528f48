/* Reads the big-endian numbers of ICC profiles. */
#ifndef SQ_IMAGE_COLOUR_ICC_LOAD_H
#define SQ_IMAGE_COLOUR_ICC_LOAD_H

#include <stdint.h>

/* A four-letter signature as a number. */
#define SQ_ICC_NAME(a, b, c, d)                                                \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8            \
     | (uint32_t)(d))

static inline uint32_t
sq_icc_load32(const uint8_t *p) {
    return SQ_ICC_NAME(p[0], p[1], p[2], p[3]);
}

static inline unsigned
sq_icc_load16(const uint8_t *p) {
    return (unsigned)p[0] << 8 | p[1];
}

static inline double
sq_icc_load_fixed(const uint8_t *p) {
    return (int32_t)sq_icc_load32(p) / 65536.0;
}

#endif
