/*
 * What the scaler uses of math.h, for numbers whose whole part fits into an
 * int. The results are exactly those of a C library.
 */
#ifndef SQ_EYE_PHONE_LIBC_MATH_H
#define SQ_EYE_PHONE_LIBC_MATH_H

static inline double
fabs(double x) {
    return __builtin_fabs(x);
}

static inline double
fmin(double x, double y) {
    return x < y ? x : y;
}

static inline double
fmax(double x, double y) {
    return x > y ? x : y;
}

static inline double
floor(double x) {
    double whole = (double)(int)x;
    return whole > x ? whole - 1 : whole;
}

static inline double
ceil(double x) {
    double whole = (double)(int)x;
    return whole < x ? whole + 1 : whole;
}

/* Rounds to the nearest integer, halves to the even one. */
static inline long
lrint(double x) {
    const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
    volatile double rounded = x + shift;     /* not to be simplified */
    return (long)(rounded - shift);
}

#endif
