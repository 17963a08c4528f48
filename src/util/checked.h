/* Arithmetic that detects overflow. The functions return false on overflow. */
#ifndef SQ_UTIL_CHECKED_H
#define SQ_UTIL_CHECKED_H

#include <stdbool.h>
#include <stddef.h>

static inline bool
sq_size_mul(size_t a, size_t b, size_t *out) {
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool
sq_size_add(size_t a, size_t b, size_t *out) {
    return !__builtin_add_overflow(a, b, out);
}

#endif
