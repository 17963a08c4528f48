/* Writes JSON into a buffer, one value at a time. */
#include "json/writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json/number.h"
#include "util/base64.h"
#include "util/plain.h"
#include "util/utf8.h"

#define REPLACEMENT SQ_SPAN("\xef\xbf\xbd") /* U+FFFD */

static bool
failed(const struct sq_json_writer *w) {
    return w->err.code != SQ_ERR_NONE;
}

static void
emit(struct sq_json_writer *w, struct sq_span text) {
    if (!failed(w)) {
        sq_buf_append(w->out, text.ptr, text.len, &w->err);
    }
}

/* Starts a value: writes the comma before it and detects incorrect calls. */
static bool
begin_value(struct sq_json_writer *w) {
    if (failed(w)) {
        return false;
    }
    assert(w->is_key == w->in_object[w->depth]);
    assert(w->depth > 0 || w->empty);
    if (!w->empty && !w->is_key) {
        emit(w, SQ_SPAN(","));
    }
    w->empty = false;
    w->is_key = false;
    return true;
}

static void
put_token(struct sq_json_writer *w, struct sq_span token) {
    if (begin_value(w)) {
        emit(w, token);
    }
}

void
sq_json_writer_init(struct sq_json_writer *w, struct sq_buf *out) {
    *w = (struct sq_json_writer){ .out = out, .empty = true };
}

bool
sq_json_writer_done(struct sq_json_writer *w, struct sq_err *err) {
    if (failed(w)) {
        return sq_fail_with(err, &w->err);
    }
    assert(w->depth == 0 && !w->empty);
    return true;
}

static void
begin_container(struct sq_json_writer *w, bool object) {
    if (!begin_value(w)) {
        return;
    }
    if (w->depth == SQ_JSON_WRITER_DEPTH) {
        sq_fail(&w->err, SQ_ERR_LIMIT, "JSON nested deeper than %d",
                SQ_JSON_WRITER_DEPTH);
        return;
    }
    emit(w, object ? SQ_SPAN("{") : SQ_SPAN("["));
    w->in_object[++w->depth] = object;
    w->empty = true;
}

static void
end_container(struct sq_json_writer *w, bool object) {
    if (failed(w)) {
        return;
    }
    assert(w->depth > 0 && w->in_object[w->depth] == object && !w->is_key);
    emit(w, object ? SQ_SPAN("}") : SQ_SPAN("]"));
    w->depth--;
    w->empty = false;
}

void
sq_json_begin_object(struct sq_json_writer *w) {
    begin_container(w, true);
}

void
sq_json_end_object(struct sq_json_writer *w) {
    end_container(w, true);
}

void
sq_json_begin_array(struct sq_json_writer *w) {
    begin_container(w, false);
}

void
sq_json_end_array(struct sq_json_writer *w) {
    end_container(w, false);
}

static void
emit_unit(struct sq_json_writer *w, uint32_t unit) {
    char escape[8];
    snprintf(escape, sizeof(escape), "\\u%04" PRIx32, unit & 0xffff);
    emit(w, sq_span_of(escape));
}

static void
emit_escaped(struct sq_json_writer *w, uint32_t code) {
    static const char letters[128] = {
        ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
        ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
    };
    if (code < sizeof(letters) && letters[code]) {
        emit(w, (struct sq_span){ (char[]){ '\\', letters[code] }, 2 });
    } else if (code < 0x10000) {
        emit_unit(w, code);
    } else {
        emit_unit(w, 0xd800 + ((code - 0x10000) >> 10));
        emit_unit(w, 0xdc00 + ((code - 0x10000) & 0x3ff));
    }
}

static bool
must_escape(uint32_t code, bool untrusted) {
    return code < 0x20 || code == '"' || code == '\\'
        || (untrusted && code >= 0x7f && sq_code_is_invisible(code));
}

/* Returns the length of the prefix of ASCII that needs no escaping. */
static size_t
plain_len(struct sq_span text) {
    size_t len = 0;
    while (len < text.len && text.ptr[len] >= 0x20 && text.ptr[len] < 0x7f
           && text.ptr[len] != '"' && text.ptr[len] != '\\') {
        len++;
    }
    return len;
}

/* Copies runs that need no change and checks other characters one by one. */
static void
emit_string(struct sq_json_writer *w, struct sq_span text, bool untrusted) {
    emit(w, SQ_SPAN("\""));
    size_t run = 0; /* bytes read but not yet written */
    while (run < text.len && !failed(w)) {
        struct sq_span rest = { text.ptr + run, text.len - run };
        size_t plain = plain_len(rest);
        if (plain > 0) {
            run += plain;
            continue;
        }
        uint32_t code = 0;
        size_t bytes = sq_utf8_decode(rest, &code);
        if (bytes > 0 && !must_escape(code, untrusted)) {
            run += bytes;
            continue;
        }
        emit(w, (struct sq_span){ text.ptr, run });
        if (bytes > 0) {
            emit_escaped(w, code);
        } else {
            emit(w, REPLACEMENT);
            bytes = 1;
        }
        text = (struct sq_span){ rest.ptr + bytes, rest.len - bytes };
        run = 0;
    }
    emit(w, text);
    emit(w, SQ_SPAN("\""));
}

static void
put_key(struct sq_json_writer *w, struct sq_span key) {
    if (failed(w)) {
        return;
    }
    assert(w->in_object[w->depth] && !w->is_key);
    if (!w->empty) {
        emit(w, SQ_SPAN(","));
    }
    emit_string(w, key, false);
    emit(w, SQ_SPAN(":"));
    w->is_key = true;
}

void
sq_json_put_key(struct sq_json_writer *w, const char *key) {
    put_key(w, sq_span_of(key));
}

void
sq_json_put_string(struct sq_json_writer *w, struct sq_span text) {
    if (begin_value(w)) {
        emit_string(w, text, false);
    }
}

void
sq_json_put_clean(struct sq_json_writer *w, struct sq_span text) {
    if (begin_value(w)) {
        emit_string(w, text, true);
    }
}

void
sq_json_put_untrusted(struct sq_json_writer *w, struct sq_span text) {
    sq_json_put_clean(w, text);
    w->has_untrusted = true;
}

void
sq_json_put_int(struct sq_json_writer *w, int64_t number) {
    char text[24];
    snprintf(text, sizeof(text), "%" PRId64, number);
    put_token(w, sq_span_of(text));
}

void
sq_json_put_double(struct sq_json_writer *w, double number) {
    char text[SQ_JSON_NUMBER_SIZE];
    if (isfinite(number)) {
        sq_json_format_double(number, text);
        put_token(w, sq_span_of(text));
    } else {
        sq_json_put_null(w);
    }
}

void
sq_json_put_bool(struct sq_json_writer *w, bool boolean) {
    put_token(w, boolean ? SQ_SPAN("true") : SQ_SPAN("false"));
}

void
sq_json_put_null(struct sq_json_writer *w) {
    put_token(w, SQ_SPAN("null"));
}

void
sq_json_put_base64(struct sq_json_writer *w, const void *bytes, size_t count) {
    put_token(w, SQ_SPAN("\""));
    if (!failed(w)) {
        sq_base64_append(w->out, bytes, count, &w->err);
    }
    emit(w, SQ_SPAN("\""));
}

void
sq_json_put_raw(struct sq_json_writer *w, struct sq_span json) {
    put_token(w, json);
}

/* Recursion is limited: no parsed text is deeper than SQ_MAX_JSON_DEPTH. */
static void
put_children(struct sq_json_writer *w, const struct sq_json *value) {
    bool object = sq_json_is(value, SQ_JSON_OBJECT);
    begin_container(w, object);
    for (const struct sq_json *child = sq_json_first(value);
         child && !failed(w); child = sq_json_next(child)) {
        if (object) {
            put_key(w, sq_json_key(child));
        }
        sq_json_put_value(w, child);
    }
    end_container(w, object);
}

void
sq_json_put_value(struct sq_json_writer *w, const struct sq_json *value) {
    struct sq_span text;
    bool boolean;
    if (sq_json_string(value, &text)) {
        sq_json_put_string(w, text);
    } else if (sq_json_number(value, &text)) {
        put_token(w, text);
    } else if (sq_json_bool(value, &boolean)) {
        sq_json_put_bool(w, boolean);
    } else if (!value || sq_json_is(value, SQ_JSON_NULL)) {
        sq_json_put_null(w);
    } else {
        put_children(w, value);
    }
}
