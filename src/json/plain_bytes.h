/* Finds the end of plain text, 8 bytes at a time. */
#ifndef SQ_JSON_PLAIN_BYTES_H
#define SQ_JSON_PLAIN_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

#define SQ_JSON_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Sets the high bit of the first zero byte, and maybe of bytes after it. */
static inline uint64_t
sq_json_zero_bytes(uint64_t word) {
    return (word - SQ_JSON_EACH_BYTE(1)) & ~word & SQ_JSON_EACH_BYTE(0x80);
}

/*
 * Returns how many of the 8 bytes, from the first on, are printable ASCII and
 * neither a quote nor a backslash.
 */
static inline size_t
sq_json_count_plain(const char *bytes) {
    uint64_t word = sq_load_le64((const uint8_t *)bytes);
    uint64_t below_space = (word - SQ_JSON_EACH_BYTE(' ')) & ~word;
    uint64_t special = ((word | below_space) & SQ_JSON_EACH_BYTE(0x80))
                     | sq_json_zero_bytes(word ^ SQ_JSON_EACH_BYTE('"'))
                     | sq_json_zero_bytes(word ^ SQ_JSON_EACH_BYTE('\\'))
                     | sq_json_zero_bytes(word ^ SQ_JSON_EACH_BYTE(0x7f));
    return special ? (size_t)__builtin_ctzll(special) / 8 : sizeof(word);
}

#endif
