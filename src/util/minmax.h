/* The smaller or larger of two numbers. */
#ifndef SQ_UTIL_MINMAX_H
#define SQ_UTIL_MINMAX_H

#include <stddef.h>
#include <stdint.h>

static inline int
sq_min_int(int a, int b) {
    return a < b ? a : b;
}

static inline int
sq_max_int(int a, int b) {
    return a > b ? a : b;
}

static inline int64_t
sq_min_int64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t
sq_max_int64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static inline size_t
sq_min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline size_t
sq_max_size(size_t a, size_t b) {
    return a > b ? a : b;
}

#endif
