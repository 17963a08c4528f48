/*
 * Estimates tokens. The text is cut into pieces by the rules of o200k: a word
 * with the character before it, up to three digits, a run of punctuation, a run
 * of white space. Most pieces are one token; long ones are more. How long was
 * chosen by comparison with the tokenizer itself.
 */
#include "util/utf8.h"

#include <stdbool.h>

#define WORD_BYTES 9 /* of a word that is one token */
#define MORE_BYTES 4 /* of a longer word, per further token */
#define DIGITS 3
#define PUNCTUATION_BYTES 4 /* per token */

static bool
is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

/* Bytes of other characters than ASCII count as letters. */
static bool
is_small(char c) {
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static bool
is_letter(char c) {
    return is_capital(c) || is_small(c);
}

static bool
is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool
is_space(char c) {
    return c == ' ' || c == '\t' || is_line_end(c);
}

static bool
is_punctuation(char c) {
    return !is_letter(c) && !sq_is_digit(c) && !is_space(c);
}

static size_t
end_of(struct sq_span text, size_t at, bool (*is_kind)(char c)) {
    while (at < text.len && is_kind(text.ptr[at])) {
        at++;
    }
    return at;
}

/* Skips a word and at most one character before it. Returns its tokens, or 0.
 */
static size_t
take_word(struct sq_span text, size_t *at) {
    char first = text.ptr[*at];
    size_t start = *at + (!is_letter(first) && !is_line_end(first));
    size_t end = end_of(text, end_of(text, start, is_capital), is_small);
    size_t length = end - start;
    if (length == 0) {
        return 0;
    }
    *at = end;
    return length <= WORD_BYTES
             ? 1
             : 1 + (length - WORD_BYTES + MORE_BYTES - 1) / MORE_BYTES;
}

/* Skips white space; a space before a word belongs to the word. */
static void
take_spaces(struct sq_span text, size_t *at) {
    size_t end = end_of(text, *at, is_space);
    bool is_shared =
        end < text.len && text.ptr[end - 1] == ' ' && end - *at > 1;
    *at = end - is_shared;
}

static size_t
take_piece(struct sq_span text, size_t *at) {
    size_t start = *at;
    if (sq_is_digit(text.ptr[start])) {
        size_t end = end_of(text, start, sq_is_digit);
        *at = end - start > DIGITS ? start + DIGITS : end;
        return 1;
    }
    size_t word = take_word(text, at);
    if (word > 0) {
        return word;
    }
    if (is_space(text.ptr[start])) {
        take_spaces(text, at);
        return 1;
    }
    *at = end_of(text, start, is_punctuation);
    return (*at - start + PUNCTUATION_BYTES - 1) / PUNCTUATION_BYTES;
}

size_t
sq_text_tokens(struct sq_span text) {
    size_t tokens = 0;
    for (size_t at = 0; at < text.len;) {
        tokens += take_piece(text, &at);
    }
    return tokens;
}
