/* A parsed JSON value, and how to ask it. */
#ifndef SQ_JSON_VALUE_H
#define SQ_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

enum sq_json_kind {
    SQ_JSON_NULL,
    SQ_JSON_BOOL,
    SQ_JSON_NUMBER,
    SQ_JSON_STRING,
    SQ_JSON_ARRAY,
    SQ_JSON_OBJECT,
};

/* Made by sq_json_parse, owned by its arena, never changes. */
struct sq_json;

/* All functions below take NULL for a value that is not there. */

bool sq_json_is(const struct sq_json *value, enum sq_json_kind kind);

/* The member of that name; NULL if there is none or value is no object. */
const struct sq_json *sq_json_get(const struct sq_json *value, const char *key);

/* How many items or members; 0 if value is neither array nor object. */
size_t sq_json_count(const struct sq_json *value);

/* First item or member, in the order of the text; NULL if there is none. */
const struct sq_json *sq_json_first(const struct sq_json *value);

/* The item or member after this one; NULL behind the last. */
const struct sq_json *sq_json_next(const struct sq_json *value);

/* The name of a member; empty for other values. */
struct sq_span sq_json_key(const struct sq_json *value);

/* The text of that member; empty if there is none or it is no string. */
struct sq_span sq_json_text_of(const struct sq_json *value, const char *key);

/* The number of that member; 0 if there is none or it is no int. */
int sq_json_int_of(const struct sq_json *value, const char *key);

/* Each is false, and *out untouched, if the value is of another kind. */

/* Unescaped, valid UTF-8; may contain NUL. */
bool sq_json_string(const struct sq_json *value, struct sq_span *out);

bool sq_json_bool(const struct sq_json *value, bool *out);

/* The number as it was written, to be echoed byte for byte. */
bool sq_json_number(const struct sq_json *value, struct sq_span *out);

/* False, too, unless the number is exactly an int64_t; 5.0 and 5e0 are. */
bool sq_json_int(const struct sq_json *value, int64_t *out);

/* The nearest double; false, too, if the number is beyond all of them. */
bool sq_json_double(const struct sq_json *value, double *out);

#endif
