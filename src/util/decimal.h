/*
 * Writes decimal numbers. Lists format many file names and times, for which
 * snprintf took a third of the processor time.
 */
#ifndef SQ_UTIL_DECIMAL_H
#define SQ_UTIL_DECIMAL_H

#include <stdint.h>
#include <string.h>

#define SQ_DECIMAL_MAX 20 /* digits of the largest number */

/*
 * Writes a number with at least min_digits (at most SQ_DECIMAL_MAX), adding
 * leading zeros. Returns the end; writes no NUL.
 */
static inline char *
sq_put_decimal(char *at, uint64_t number, int min_digits) {
    char digits[SQ_DECIMAL_MAX];
    int count = 0;
    while (number > 0 || count < min_digits) {
        digits[SQ_DECIMAL_MAX - ++count] = (char)('0' + number % 10);
        number /= 10;
    }
    memcpy(at, digits + SQ_DECIMAL_MAX - count, (size_t)count);
    return at + count;
}

/* Writes a number below 100 with two digits. Returns the end. */
static inline char *
sq_put_two_digits(char *at, unsigned number) {
    at[0] = (char)('0' + number / 10);
    at[1] = (char)('0' + number % 10);
    return at + 2;
}

/* Writes a number with its sign if it is negative, like sq_put_decimal. */
static inline char *
sq_put_signed(char *at, int64_t number, int min_digits) {
    if (number >= 0) {
        return sq_put_decimal(at, (uint64_t)number, min_digits);
    }
    *at = '-';
    return sq_put_decimal(at + 1, -(uint64_t)number, min_digits);
}

#endif
