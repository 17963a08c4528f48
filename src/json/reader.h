/* JSON values, and the parser that makes them. */
#ifndef SQ_JSON_READER_H
#define SQ_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

enum sq_json_kind {
    SQ_JSON_NULL,
    SQ_JSON_BOOL,
    SQ_JSON_NUMBER,
    SQ_JSON_STRING,
    SQ_JSON_ARRAY,
    SQ_JSON_OBJECT,
};

/* Created by sq_json_parse, owned by its arena, immutable. */
struct sq_json;

/* All functions below accept NULL, which stands for a missing value. */

bool sq_json_is(const struct sq_json *value, enum sq_json_kind kind);

/*
 * Returns the member with that key; NULL if missing or value is not an object.
 */
const struct sq_json *sq_json_get_span(const struct sq_json *value,
                                       struct sq_span key);

static inline const struct sq_json *
sq_json_get(const struct sq_json *value, const char *key) {
    return sq_json_get_span(value, sq_span_of(key)); /* literals are not
                                                        measured */
}

/* Returns the number of items or members; 0 if value is not a container. */
size_t sq_json_count(const struct sq_json *value);

/* Returns the first item or member, in text order; NULL if there is none. */
const struct sq_json *sq_json_first(const struct sq_json *value);

/* Returns the next item or member; NULL after the last. */
const struct sq_json *sq_json_next(const struct sq_json *value);

/* Returns the key of a member; empty for other values. */
struct sq_span sq_json_key(const struct sq_json *value);

/* Returns the string of a member; empty if it is missing or not a string. */
struct sq_span sq_json_text_of(const struct sq_json *value, const char *key);

/* Returns the number of a member; 0 if it is missing or not an int. */
int sq_json_int_of(const struct sq_json *value, const char *key);

/* Returns whether a member is true. */
bool sq_json_bool_of(const struct sq_json *value, const char *key);

/*
 * Each function below returns false, with *out unchanged, if the value is of
 * another kind.
 */

/* Gets the string, unescaped. It is valid UTF-8 and may contain NUL. */
bool sq_json_string(const struct sq_json *value, struct sq_span *out);

bool sq_json_bool(const struct sq_json *value, bool *out);

/* Gets the number as written in the text, to copy it byte for byte. */
bool sq_json_number(const struct sq_json *value, struct sq_span *out);

/*
 * Also returns false unless the number is exactly an int64_t; 5.0 and 5e0 are.
 */
bool sq_json_int(const struct sq_json *value, int64_t *out);

/* Gets the nearest double. Also returns false if the number is out of range. */
bool sq_json_double(const struct sq_json *value, double *out);

/*
 * JSON parser, strict RFC 8259. Duplicate keys, invalid UTF-8 and a byte-order
 * mark are errors, so that no two programs can read one text differently. One
 * exception: an unpaired surrogate escape is read as U+FFFD.
 */

/*
 * Parses a text of at most SQ_MAX_JSON_BYTES, nested at most SQ_MAX_JSON_DEPTH
 * deep. The tree is owned by the arena and points into the text: both must
 * outlive it. Error messages contain line, column (in characters) and byte
 * offset. Fails with SQ_ERR_TRUNCATED if the text is an incomplete JSON value.
 */
bool sq_json_parse(struct sq_span text, struct sq_arena *arena,
                   const struct sq_json **out, struct sq_err *err);

#endif
