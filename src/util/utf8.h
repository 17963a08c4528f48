/* Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef SQ_UTIL_UTF8_H
#define SQ_UTIL_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_UTF8_MAX 4 /* bytes of one code point */

/* Returns the length of the valid prefix in bytes; text.len if all is valid. */
size_t sq_utf8_valid_len(struct sq_span text);

/*
 * Decodes the first code point. Returns its length in bytes, or 0 (with *code
 * unchanged) if the text is empty or does not start with a valid code point.
 */
size_t sq_utf8_decode(struct sq_span text, uint32_t *code);

/*
 * Encodes a code point. Returns the number of bytes written, or 0 if code is
 * not a Unicode scalar value.
 */
size_t sq_utf8_encode(uint32_t code, char out[SQ_UTF8_MAX]);

#endif
