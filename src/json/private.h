/* What the parser and the values share. */
#ifndef SQ_JSON_PRIVATE_H
#define SQ_JSON_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "json/reader.h"
#include "util/arena.h"
#include "util/bytes.h"
#include "util/err.h"

struct sq_json {
    enum sq_json_kind kind;
    uint32_t count; /* items or members */
    const char *key;
    uint32_t key_len;
    uint32_t key_at; /* byte offset of the key in the text */
    struct sq_json *next;
    union {
        struct {
            struct sq_json *first;
            struct sq_json **by_key; /* sorted; NULL if there are only a few */
        };
        struct sq_span text; /* the string, or the number as written */
        bool boolean;
    };
};

/*
 * Builds the key index of a complete object. Returns false if a key occurs
 * twice (*duplicate is set to the later member) or memory runs out (*duplicate
 * is unchanged).
 */
bool sq_json_index_members(struct sq_json *object, struct sq_arena *arena,
                           const struct sq_json **duplicate,
                           struct sq_err *err);

#define SQ_JSON_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

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
