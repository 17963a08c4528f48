/*
 * UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above
 * U+10FFFF.
 */
#ifndef SQ_UTIL_UTF8_H
#define SQ_UTIL_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_UTF8_MAX 4 /* bytes of one code point */

/* How many bytes from the start are valid: text.len if all are. */
size_t sq_utf8_valid_len(struct sq_span text);

/*
 * Decode the first code point. Returns its bytes, or 0 (and *code is
 * untouched) if the text is empty or does not start with a valid one.
 */
size_t sq_utf8_decode(struct sq_span text, uint32_t *code);

/* Returns the bytes written, or 0 if code is not a Unicode scalar value. */
size_t sq_utf8_encode(uint32_t code, char out[SQ_UTF8_MAX]);

#endif
