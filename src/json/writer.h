/*
 * JSON writer. It writes into a buffer, without spaces. The output is always
 * valid JSON, whatever bytes the strings contain. Errors are sticky: after the
 * first failure nothing more is written, and sq_json_writer_done reports it, so
 * callers need not check every call.
 */
#ifndef SQ_JSON_WRITER_H
#define SQ_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/reader.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/limits.h"
#include "util/span.h"

/* Allows a parsed value of maximum depth inside a document of our own. */
#define SQ_JSON_WRITER_DEPTH (2 * SQ_MAX_JSON_DEPTH)

/* Changes untrusted text before it is written. */
struct sq_json_mask {
    /* Appends the text, or a text in its place. */
    bool (*apply)(const void *context, struct sq_span text, struct sq_buf *out,
                  struct sq_err *err);
    const void *context;
};

/* Private to the functions here, except mask. Owns no memory. */
struct sq_json_writer {
    struct sq_buf *out;
    int depth;
    bool empty;               /* the innermost container has no items yet */
    bool is_key;              /* a key was written, its value comes next */
    bool has_untrusted;       /* sq_json_put_untrusted was called */
    struct sq_json_mask mask; /* set by the caller; all zero: none */
    bool in_object[SQ_JSON_WRITER_DEPTH + 1]; /* up to depth */
    struct sq_err err;                        /* the first failure */
};

/* Prepares to append one value to out, which must outlive the writer. */
void sq_json_writer_init(struct sq_json_writer *w, struct sq_buf *out);

/*
 * Ends the value. Returns false if any call since the start has failed. out
 * then contains an incomplete value: clear it.
 */
bool sq_json_writer_done(struct sq_json_writer *w, struct sq_err *err);

void sq_json_begin_object(struct sq_json_writer *w);
void sq_json_end_object(struct sq_json_writer *w);
void sq_json_begin_array(struct sq_json_writer *w);
void sq_json_end_array(struct sq_json_writer *w);

/* Writes the key of the next member. */
void sq_json_put_key_span(struct sq_json_writer *w, struct sq_span key);

static inline void
sq_json_put_key(struct sq_json_writer *w, const char *key) {
    sq_json_put_key_span(w, sq_span_of(key)); /* literals are not measured */
}

/* Begin a member that is an object or an array. */
static inline void
sq_json_begin_object_of(struct sq_json_writer *w, const char *key) {
    sq_json_put_key(w, key);
    sq_json_begin_object(w);
}

static inline void
sq_json_begin_array_of(struct sq_json_writer *w, const char *key) {
    sq_json_put_key(w, key);
    sq_json_begin_array(w);
}

/* Writes a key; its value is what is put next: put_int(at(w, "x"), 1). */
static inline struct sq_json_writer *
sq_json_at(struct sq_json_writer *w, const char *key) {
    sq_json_put_key(w, key);
    return w;
}

/* Begins a text that is one object, and ends it. */
static inline void
sq_json_open(struct sq_json_writer *w, struct sq_buf *out) {
    sq_json_writer_init(w, out);
    sq_json_begin_object(w);
}

static inline bool
sq_json_close(struct sq_json_writer *w, struct sq_err *err) {
    sq_json_end_object(w);
    return sq_json_writer_done(w, err);
}

/* Ends the object and its line. */
static inline bool
sq_json_end_line(struct sq_json_writer *w, struct sq_err *err) {
    return sq_json_close(w, err) && sq_buf_append(w->out, "\n", 1, err);
}

/* Writes a string. Invalid UTF-8 becomes U+FFFD. */
void sq_json_put_string(struct sq_json_writer *w, struct sq_span text);

/*
 * Like sq_json_put_string, for text that may come from outside: invisible
 * characters and bidi controls are written as \uXXXX, so that a reader notices
 * them.
 */
void sq_json_put_clean(struct sq_json_writer *w, struct sq_span text);

/* Writes a member: a key, and a text as sq_json_put_clean does. */
void sq_json_put_clean_member(struct sq_json_writer *w, const char *key,
                              struct sq_span text);

/*
 * Like sq_json_put_clean, for text from a device, a database or another
 * program. Sets has_untrusted.
 */
void sq_json_put_untrusted(struct sq_json_writer *w, struct sq_span text);

/* Does the same with at most max_bytes of the text; "…" ends a cut one. */
void sq_json_put_untrusted_start(struct sq_json_writer *w, struct sq_span text,
                                 size_t max_bytes);

void sq_json_put_int(struct sq_json_writer *w, int64_t number);

/*
 * Writes the shortest text that reads back as the same double, in the format of
 * JavaScript; null for infinity and NaN.
 */
void sq_json_put_double(struct sq_json_writer *w, double number);

void sq_json_put_bool(struct sq_json_writer *w, bool boolean);
void sq_json_put_null(struct sq_json_writer *w);

/* Writes the bytes as a base64 string. */
void sq_json_put_base64(struct sq_json_writer *w, const void *bytes,
                        size_t count);

/* Copies text that is known to be one valid JSON value. */
void sq_json_put_raw(struct sq_json_writer *w, struct sq_span json);

/*
 * Copies text that is known to be valid members of an object, such as
 * "a":1,"b":2.
 */
void sq_json_put_raw_members(struct sq_json_writer *w, struct sq_span members);

/*
 * Writes a parsed value, with numbers byte for byte as read. NULL becomes null.
 */
void sq_json_put_value(struct sq_json_writer *w, const struct sq_json *value);

#define SQ_JSON_NUMBER_SIZE 32 /* "-0.0000012345678901234567" and its NUL */

/*
 * Writes the shortest text that reads back as the same double, in the format of
 * JavaScript: plain digits from 1e-6 up to 1e21, an exponent otherwise. Unlike
 * JavaScript, -0 keeps its sign. The number must be finite.
 */
void sq_json_format_double(double number, char out[SQ_JSON_NUMBER_SIZE]);

#endif
