/*
 * JSON out, straight into a buffer, without spaces. What is written is always
 * valid JSON, whatever the strings hold. Errors stick: after the first failure
 * nothing more is written, and sq_json_writer_done reports it, so that
 * building a text needs no check per call.
 */
#ifndef SQ_JSON_WRITER_H
#define SQ_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/value.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/limits.h"
#include "util/span.h"

/* Room for a whole parsed text inside a text of our own. */
#define SQ_JSON_WRITER_DEPTH (2 * SQ_MAX_JSON_DEPTH)

/* A value, private to the functions here. Holds no memory of its own. */
struct sq_json_writer {
    struct sq_buf *out;
    struct sq_err err; /* the first failure */
    int depth;
    bool empty;         /* nothing yet in the innermost container */
    bool is_key;        /* a key was written and waits for its value */
    bool has_untrusted; /* sq_json_put_untrusted was called */
    bool in_object[SQ_JSON_WRITER_DEPTH + 1];
};

/* Write one value behind what out already holds; out must outlive the writer */
void sq_json_writer_init(struct sq_json_writer *w, struct sq_buf *out);

/*
 * The value is complete; false if anything went wrong on the way. out then
 * holds a useless part of it: clear it.
 */
bool sq_json_writer_done(struct sq_json_writer *w, struct sq_err *err);

void sq_json_begin_object(struct sq_json_writer *w);
void sq_json_end_object(struct sq_json_writer *w);
void sq_json_begin_array(struct sq_json_writer *w);
void sq_json_end_array(struct sq_json_writer *w);

/* The name of the member whose value comes next. */
void sq_json_put_key(struct sq_json_writer *w, const char *key);

/* Bytes that are not UTF-8 become U+FFFD. */
void sq_json_put_string(struct sq_json_writer *w, struct sq_span text);

/*
 * The same for text that may come from outside: characters that are invisible
 * or change the order of others are written as \uXXXX, so that a reader sees
 * they are there.
 */
void sq_json_put_clean(struct sq_json_writer *w, struct sq_span text);

/*
 * The same for text of a device, a database or another program; the writer
 * remembers that it has written some.
 */
void sq_json_put_untrusted(struct sq_json_writer *w, struct sq_span text);

void sq_json_put_int(struct sq_json_writer *w, int64_t number);

/*
 * The shortest text that reads back as the same double, laid out as JavaScript
 * does; null for what JSON cannot say (infinity, NaN).
 */
void sq_json_put_double(struct sq_json_writer *w, double number);

void sq_json_put_bool(struct sq_json_writer *w, bool boolean);
void sq_json_put_null(struct sq_json_writer *w);

/* A string of the bytes in base64. */
void sq_json_put_base64(struct sq_json_writer *w, const void *bytes,
                        size_t count);

/* Text that is known to be one valid JSON value. */
void sq_json_put_raw(struct sq_json_writer *w, struct sq_span json);

/* A parsed value again, numbers byte for byte; NULL is written as null. */
void sq_json_put_value(struct sq_json_writer *w, const struct sq_json *value);

#endif
