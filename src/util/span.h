/*
 * Spans: text that is not owned, and functions to parse it. Parsers use a span
 * as their cursor: the take functions advance it if they succeed and leave it
 * unchanged if they fail.
 */
#ifndef SQ_UTIL_SPAN_H
#define SQ_UTIL_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The number of elements of an array. */
#define SQ_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Before the declaration of a local variable: this gets it at the end of its
 * scope, after the value of a return is known. */
#define SQ_FREED(by) __attribute__((cleanup(by), unused))

/* Not NUL-terminated. ptr may be NULL if len is 0. */
struct sq_span {
    const char *ptr;
    size_t len;
};

/* Makes a span of a string literal; also for constant initialisers. */
#define SQ_SPAN_INIT(literal)                                                  \
    { "" literal, sizeof(literal) - 1 }
#define SQ_SPAN(literal) ((struct sq_span)SQ_SPAN_INIT(literal))

/* Arguments for printf's "%.*s". The text must be shorter than INT_MAX. */
#define SQ_SPAN_ARGS(span) (int)(span).len, (span).ptr ? (span).ptr : ""

/* Returns a span of a C string, which must outlive the span. */
static inline struct sq_span
sq_span_of(const char *string) {
    return (struct sq_span){ string, strlen(string) };
}

/* Returns whether both spans contain the same bytes. */
bool sq_span_equal(struct sq_span a, struct sq_span b);

/* Does the work of sq_span_is if the first bytes are equal. */
bool sq_span_is_same(struct sq_span text, const char *string);

/* Returns whether the text equals a C string. Most differ in the first byte. */
static inline bool
sq_span_is(struct sq_span text, const char *string) {
    return text.len == 0
             ? string[0] == '\0'
             : text.ptr[0] == string[0] && sq_span_is_same(text, string);
}

static inline bool
sq_is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Skips that many bytes, which the text must have. */
static inline void
sq_span_skip(struct sq_span *rest, size_t count) {
    if (count) {
        rest->ptr += count;
        rest->len -= count;
    }
}

/* Converts an ASCII capital to lower case; other bytes are unchanged. */
static inline char
sq_ascii_lower(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* Compares ignoring the case of ASCII letters. word must be in lower case. */
bool sq_span_is_word(struct sq_span text, const char *word);

bool sq_span_starts_with(struct sq_span text, const char *prefix);
bool sq_span_ends_with(struct sq_span text, const char *ending);

/*
 * Returns whether the byte occurs. Used to reject NUL before a text becomes a C
 * string.
 */
bool sq_span_contains(struct sq_span text, char byte);

/* Returns the first place of the words in the text, or NULL. */
const char *sq_span_find(struct sq_span text, const char *words);

/* Returns the value of a hexadecimal digit, or -1. */
static inline int
sq_hex_digit(char c) {
    char lower = sq_ascii_lower(c);
    return c >= '0' && c <= '9'         ? c - '0'
         : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                        : -1;
}

/*
 * Takes hexadecimal digits, at most that many. Returns how many there were;
 * *value is their number.
 */
size_t sq_span_take_hex(struct sq_span *rest, size_t most, uint32_t *value);

/* Returns the text without ASCII white space at both ends. */
struct sq_span sq_span_trim(struct sq_span text);

/* Skips the prefix. Returns false if the text does not start with it. */
bool sq_span_take_prefix(struct sq_span *rest, const char *prefix);

/*
 * Takes the text before the next stop byte and skips that byte. Returns false
 * if the byte does not occur.
 */
bool sq_span_take_until(struct sq_span *rest, char stop, struct sq_span *taken);

/*
 * Takes the next line without its end ("\n" or "\r\n"), which the last line may
 * lack. Returns false if no text is left.
 */
bool sq_span_take_line(struct sq_span *rest, struct sq_span *line);

/*
 * Returns the lines after the line "## name", up to the next that begins with
 * "## ". Empty if there is no such section.
 */
struct sq_span sq_span_section(struct sq_span text, const char *name);

/*
 * Takes a decimal integer. Returns false if there is none or it is out of
 * range.
 */
bool sq_span_take_int64(struct sq_span *rest, int64_t *value);

/*
 * Parses the whole text as a decimal integer: no white space, no plus sign, no
 * other base. Returns false, with *value unchanged, if it is malformed or out
 * of range.
 */
bool sq_span_to_int64(struct sq_span text, int64_t *value);
bool sq_span_to_uint64(struct sq_span text, uint64_t *value);

/*
 * Parses the whole text as a decimal number such as -12.5e3, rounded to the
 * nearest double, independent of the locale. Returns false if it is too large;
 * a number that is too small becomes zero.
 */
bool sq_span_to_double(struct sq_span text, double *value);

/*
 * Parses the same grammar, but returns false unless the value is exactly an
 * int64_t: 5, 5.0, 50e-1.
 */
bool sq_span_to_exact_int64(struct sq_span text, int64_t *value);

#define SQ_NEAREST_SIZE 64

/* A search. Start with sq_nearest_begin; try all words; then read `found`. */
struct sq_nearest {
    struct sq_span wanted;
    size_t least;                /* edits from wanted to found */
    char found[SQ_NEAREST_SIZE]; /* most similar word; "": none is similar */
};

/* Starts a search. The text must outlive the search. */
void sq_nearest_begin(struct sq_nearest *search, struct sq_span wanted);

/*
 * Keeps the word if it is similar to the wanted one and more similar than all
 * before it. Similar means few edits for its length, or that the wanted text
 * begins it; the case of ASCII letters does not count. Longer words than
 * SQ_NEAREST_SIZE - 1 are ignored.
 */
void sq_nearest_try(struct sq_nearest *search, const char *word);

/* Like sq_nearest_try, for a word that stands for another: keeps `instead`. */
void sq_nearest_try_as(struct sq_nearest *search, const char *word,
                       const char *instead);

#define SQ_NEAREST_REMARK_SIZE (SQ_NEAREST_SIZE + 20)

/* Writes "; did you mean FOUND?" for an error message, or "" if none is. */
void sq_nearest_remark(const struct sq_nearest *search,
                       char out[SQ_NEAREST_REMARK_SIZE]);

/*
 * Returns the number of edits between two texts, or SIZE_MAX if one is long.
 * Two neighbouring letters that are swapped count as one edit.
 */
size_t sq_edit_distance(struct sq_span a, struct sq_span b);

#endif
