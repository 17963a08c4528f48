/* Finds the end of plain text, 8 bytes at a time. */
#ifndef SQ_JSON_PLAIN_BYTES_H
#define SQ_JSON_PLAIN_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

#define SQ_JSON_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns 1 to 7 bytes in a word, the first one lowest; the others are 0. */
static inline uint64_t
sq_json_load_few(const char *bytes, size_t count) {
    const uint8_t *first = (const uint8_t *)bytes;
    size_t middle = count / 2;
    size_t last = count - 1;
    if (count >= 4) { /* two loads that may overlap */
        return sq_load_le32(first)
             | (uint64_t)sq_load_le32(first + count - 4) << 8 * (count - 4);
    }
    return first[0] | (uint64_t)first[middle] << 8 * middle
         | (uint64_t)first[last] << 8 * last;
}

/*
 * Returns how many of the 8 bytes, from the lowest on, are printable ASCII and
 * neither a quote nor a backslash.
 *
 * Each step sets the high bit of the first byte that it looks for, and maybe of
 * bytes after it; of bytes before it only those that are not ASCII.
 */
static inline size_t
sq_json_count_plain(uint64_t word) {
    /* '"' ^ 2 is a space: with it, the bytes to find are all below 0x21. */
    uint64_t quote_or_control =
        (word ^ SQ_JSON_EACH_BYTE(2)) - SQ_JSON_EACH_BYTE(0x21);
    uint64_t backslash =
        (word ^ SQ_JSON_EACH_BYTE('\\')) - SQ_JSON_EACH_BYTE(1);
    uint64_t del_or_above = word + SQ_JSON_EACH_BYTE(1);
    uint64_t special = (quote_or_control | backslash | del_or_above | word)
                     & SQ_JSON_EACH_BYTE(0x80);
    return special ? (size_t)__builtin_ctzll(special) / 8 : sizeof(word);
}

#endif
