/* Reads and writes numbers of a fixed byte order at any address. */
#ifndef SQ_UTIL_BYTES_H
#define SQ_UTIL_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint16_t
sq_load_le16(const uint8_t *p) {
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
sq_load_le24(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static inline uint32_t
sq_load_le32(const uint8_t *p) {
    return sq_load_le24(p) | (uint32_t)p[3] << 24;
}

/* 64 bits are read in one access also where nothing is optimised. */
static inline uint64_t
sq_load_le64(const uint8_t *p) {
    uint64_t value;
    memcpy(&value, p, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static inline uint64_t
sq_load_be64(const uint8_t *p) {
    uint64_t value;
    memcpy(&value, p, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static inline uint16_t
sq_load_be16(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
sq_load_be32(const uint8_t *p) {
    return (uint32_t)sq_load_be16(p) << 16 | sq_load_be16(p + 2);
}

static inline void
sq_store_le32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> 8 * i);
    }
}

static inline void
sq_store_be32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

/*
 * Writes decimal numbers. Lists format many file names and times, for which
 * snprintf took a third of the processor time.
 */

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
