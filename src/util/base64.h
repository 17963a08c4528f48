/* Base64 with the standard alphabet and padding (RFC 4648, section 4). */
#ifndef SQ_UTIL_BASE64_H
#define SQ_UTIL_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Returns the encoded length of count bytes. count must be below 3/4 of
 * SIZE_MAX.
 */
static inline size_t
sq_base64_encoded_len(size_t count) {
    return count / 3 * 4 + (count % 3 ? 4 : 0);
}

/* Writes sq_base64_encoded_len(count) characters to out, without a NUL. */
void sq_base64_encode(const void *bytes, size_t count, char *out);

/* Appends the encoded bytes. On failure the buffer is unchanged. */
bool sq_base64_append(struct sq_buf *out, const void *bytes, size_t count,
                      struct sq_err *err);

/*
 * Decodes text and appends the bytes. Decoding is strict, so that each byte
 * sequence has exactly one encoding: no white space, full padding, unused bits
 * zero. On failure the buffer is unchanged.
 */
bool sq_base64_decode(struct sq_span text, struct sq_buf *out,
                      struct sq_err *err);

#endif
