/* Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef SQ_UTIL_UTF8_H
#define SQ_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
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

#define SQ_REPLACEMENT_CHARACTER 0xfffd /* for what cannot be decoded */

/* Returns whether a byte of UTF-8 is not the first one of its character. */
static inline bool
sq_utf8_is_continuation(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Returns the number of characters of a valid text. */
size_t sq_utf8_count(struct sq_span text);

/*
 * Returns the text shortened to at most max_bytes, without splitting a
 * character.
 */
struct sq_span sq_utf8_shorten(struct sq_span text, size_t max_bytes);

/* UTF-16 surrogates, which JSON, XML and property lists use in escapes. */
static inline bool
sq_utf16_is_high(uint32_t code) {
    return code >= 0xd800 && code < 0xdc00;
}

static inline bool
sq_utf16_is_low(uint32_t code) {
    return code >= 0xdc00 && code < 0xe000;
}

/* Returns the code point of a surrogate pair. */
static inline uint32_t
sq_utf16_join(uint32_t high, uint32_t low) {
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/*
 * Escapes untrusted text for display: control characters that a terminal would
 * interpret, and characters that a person cannot see.
 */

/*
 * Returns whether a code point is invisible to a person: C1 controls, Unicode's
 * Default_Ignorable_Code_Point (zero-width, variation selectors, tags, bidi
 * controls), line separators, annotation marks.
 */
bool sq_code_is_invisible(uint32_t code);

#define SQ_PLAIN_ESCAPE_SIZE 16

/*
 * Takes the next piece of a text: either a run of harmless characters as they
 * are, or one other character escaped as in JSON ("\u001b"), or one byte of
 * invalid UTF-8 as "\xff". Newlines and tabs are harmless if `lines` is set.
 * Returns false at the end of the text. *piece may point into escape.
 */
bool sq_plain_take(struct sq_span *rest, bool lines,
                   char escape[SQ_PLAIN_ESCAPE_SIZE], struct sq_span *piece);

/* Appends the whole text, escaped as in sq_plain_take. */
bool sq_plain_append(struct sq_span text, bool lines, struct sq_buf *out,
                     struct sq_err *err);

/*
 * Writes a text in quotes for an error message: shortened with "..." if it does
 * not fit, with "?" for control characters and invalid UTF-8. size >= 8.
 */
void sq_plain_quote(struct sq_span text, char *out, size_t size);

/*
 * Returns about as many tokens as the tokenizer o200k makes of the text. On
 * replies of operations, lists of tools and English text the difference is
 * 3 % or less (tests/unit/util/text_tokens.c has the real numbers).
 */
size_t sq_text_tokens(struct sq_span text);

#endif
