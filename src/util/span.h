/*
 * Text we look at but do not own, and the few ways to take it apart. Parsers
 * hold a span as their cursor: the take functions move it forward when they
 * succeed and leave it alone when they do not.
 */
#ifndef SQ_UTIL_SPAN_H
#define SQ_UTIL_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Not NUL-terminated; ptr may be NULL when len is 0. */
struct sq_span {
    const char *ptr;
    size_t len;
};

/* A span of a string literal, also in constant initialisers. */
#define SQ_SPAN_INIT(literal)                                                  \
    { "" literal, sizeof(literal) - 1 }
#define SQ_SPAN(literal) ((struct sq_span)SQ_SPAN_INIT(literal))

/* For printf's "%.*s"; the text must be shorter than INT_MAX. */
#define SQ_SPAN_ARGS(span) (int)(span).len, (span).ptr ? (span).ptr : ""

/* The text of a C string, which must outlive the span. */
struct sq_span sq_span_of(const char *string);

/* The same bytes. */
bool sq_span_equal(struct sq_span a, struct sq_span b);

/* The same bytes as a C string. */
bool sq_span_is(struct sq_span text, const char *string);

/* The letter without its capital, if it is one of ASCII's. */
static inline char
sq_ascii_lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* The same word, whatever its capitals; word is in lower case. */
bool sq_span_is_word(struct sq_span text, const char *word);

bool sq_span_starts_with(struct sq_span text, const char *prefix);
bool sq_span_ends_with(struct sq_span text, const char *ending);

/* Whether the byte occurs; asks for NUL before text becomes a C string. */
bool sq_span_contains(struct sq_span text, char byte);

/* Without the ASCII white space at both ends. */
struct sq_span sq_span_trim(struct sq_span text);

/* Step over the prefix if the text starts with it. */
bool sq_span_take_prefix(struct sq_span *rest, const char *prefix);

/*
 * Take what lies before the next stop byte, and step over that byte. False,
 * and nothing taken, if it does not occur.
 */
bool sq_span_take_until(struct sq_span *rest, char stop, struct sq_span *taken);

/*
 * Take the next line without its end ("\n" or "\r\n"); the last line may lack
 * one. False when nothing is left.
 */
bool sq_span_take_line(struct sq_span *rest, struct sq_span *line);

/* Take a decimal integer off the front; false if none is there or too big. */
bool sq_span_take_int64(struct sq_span *rest, int64_t *value);

/*
 * The whole text as a number in decimal digits: no white space, no plus sign,
 * no other base. Out of range is false; *value is then untouched.
 */
bool sq_span_to_int64(struct sq_span text, int64_t *value);
bool sq_span_to_uint64(struct sq_span text, uint64_t *value);

/*
 * The whole text as a decimal number such as -12.5e3, rounded to the nearest
 * double whatever the locale. Too big is false, too small is zero.
 */
bool sq_span_to_double(struct sq_span text, double *value);

/* The same grammar where the value is exactly an int64_t: 5, 5.0, 50e-1. */
bool sq_span_to_exact_int64(struct sq_span text, int64_t *value);

#endif
