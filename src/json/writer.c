/* Writes JSON into a buffer, one value at a time. */
#include "json/writer.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json/private.h"
#include "util/base64.h"
#include "util/bytes.h"
#include "util/span.h"
#include "util/utf8.h"

/* Returns 1 to 7 bytes in a word, the first one lowest; the others are 0. */
static inline uint64_t
json_load_few(const char *bytes, size_t count) {
    const uint8_t *first = (const uint8_t *)bytes;
    size_t middle = count / 2;
    size_t last = count - 1;
    if (count >= 4) { /* two loads that may overlap */
        return sq_load_le32(first)
             | (uint64_t)sq_load_le32(first + count - 4) << 8 * (count - 4);
    }
    return first[0] | (uint64_t)first[middle] << 8 * middle
         | (uint64_t)first[last] << 8 * last;
}

/* Shortest decimal representation of doubles. */

/* 0.d1d2d3... * 10^point */
struct digits {
    char text[DBL_DECIMAL_DIG + 1];
    int count;
    int point;
};

/* Parses "d.ddde[+-]xx". The character of the point depends on the locale. */
static void
split(const char *scientific, struct digits *d) {
    const char *c = scientific;
    for (d->count = 0; *c != 'e'; c++) {
        if ((unsigned char)(*c - '0') < 10) {
            d->text[d->count++] = *c;
        }
    }
    while (d->count > 1 && d->text[d->count - 1] == '0') {
        d->count--;
    }
    struct sq_span rest = sq_span_of(c + 1);
    int64_t exponent = 0;
    sq_span_take_prefix(&rest, "+");
    sq_span_to_int64(rest, &exponent);
    d->point = (int)exponent + 1;
}

/*
 * If any text of up to 15 digits reads back as the same normal double, the one
 * with 15 digits does, without its trailing zeros. Subnormal doubles may need
 * only one digit.
 */
static void
find_shortest(double magnitude, struct digits *d) {
    int precision = magnitude < DBL_MIN ? 1 : DBL_DIG;
    double again = -1.0;
    for (; again != magnitude; precision++) {
        assert(precision <= DBL_DECIMAL_DIG);
        char text[DBL_DECIMAL_DIG + 16];
        snprintf(text, sizeof(text), "%.*e", precision - 1, magnitude);
        split(text, d);
        snprintf(text, sizeof(text), "%.*se%d", d->count, d->text,
                 d->point - d->count);
        if (!sq_span_to_double(sq_span_of(text), &again)) {
            again = -1.0; /* rounding exceeded the largest double */
        }
    }
}

void
sq_json_format_double(double number, char out[SQ_JSON_NUMBER_SIZE]) {
    assert(isfinite(number));
    struct digits d;
    find_shortest(fabs(number), &d);

    const char *sign = signbit(number) ? "-" : "";
    const size_t size = SQ_JSON_NUMBER_SIZE;
    if (d.point > 21 || d.point < -5) {
        snprintf(out, size, "%s%c%s%.*se%+d", sign, d.text[0],
                 d.count > 1 ? "." : "", d.count - 1, d.text + 1, d.point - 1);
    } else if (d.point >= d.count) {
        snprintf(out, size, "%s%.*s%.*s", sign, d.count, d.text,
                 d.point - d.count, "000000000000000000000");
    } else if (d.point > 0) {
        snprintf(out, size, "%s%.*s.%.*s", sign, d.point, d.text,
                 d.count - d.point, d.text + d.point);
    } else {
        snprintf(out, size, "%s0.%.*s%.*s", sign, -d.point, "00000", d.count,
                 d.text);
    }
}

/* The longest form of one character: two escapes. */
#define CHARACTER_BYTES 12
#define CHUNK_BYTES 512
#define WORD sizeof(uint64_t)
#define SHORT_KEY_BYTES (WORD + 4) /* with a comma, quotes and a colon */

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

static void
emit_byte(struct sq_json_writer *w, char byte) {
    if (!failed(w)) {
        sq_buf_append_byte(w->out, byte, &w->err);
    }
}

static bool
begin_value(struct sq_json_writer *w) {
    if (failed(w)) {
        return false;
    }
    assert(w->is_key == w->in_object[w->depth]);
    assert(w->depth > 0 || w->empty);
    if (!w->empty && !w->is_key) {
        emit_byte(w, ',');
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
    w->out = out;
    w->depth = 0;
    w->empty = true;
    w->is_key = false;
    w->has_untrusted = false;
    w->mask = (struct sq_json_mask){ 0 };
    w->in_object[0] = false;
    sq_err_clear(&w->err);
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
    emit_byte(w, object ? '{' : '[');
    w->in_object[++w->depth] = object;
    w->empty = true;
}

static void
end_container(struct sq_json_writer *w, bool object) {
    if (failed(w)) {
        return;
    }
    assert(w->depth > 0 && w->in_object[w->depth] == object && !w->is_key);
    emit_byte(w, object ? '}' : ']');
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

static char *
put_unit(char *at, uint32_t unit) {
    static const char hex[] = "0123456789abcdef";
    const char escape[] = { '\\',
                            'u',
                            hex[unit >> 12 & 15],
                            hex[unit >> 8 & 15],
                            hex[unit >> 4 & 15],
                            hex[unit & 15] };
    memcpy(at, escape, sizeof(escape));
    return at + sizeof(escape);
}

/* The letter after the backslash of a short escape; 0: there is none. */
static const char short_escapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
    ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
};

/* Writes a character as \uXXXX, once or twice; returns the end. */
static char *
put_escaped(char *at, uint32_t code) {
    if (code < 0x10000) {
        return put_unit(at, code);
    }
    at = put_unit(at, 0xd800 + ((code - 0x10000) >> 10));
    return put_unit(at, 0xdc00 + ((code - 0x10000) & 0x3ff));
}

static bool
must_escape(uint32_t code, bool untrusted) {
    return code < 0x20 || (untrusted && sq_code_is_invisible(code));
}

/* Does the work of put_character for a character without a short escape. */
static char *
put_rare_character(char *at, struct sq_span *text, bool untrusted) {
    uint32_t code = (unsigned char)text->ptr[0];
    size_t bytes = code < 0x80 ? 1 : sq_utf8_decode(*text, &code);
    if (bytes == 0) {
        bytes = 1;
        at += sq_utf8_encode(SQ_REPLACEMENT_CHARACTER, at);
    } else if (must_escape(code, untrusted)) {
        at = put_escaped(at, code);
    } else {
        memcpy(at, text->ptr, bytes);
        at += bytes;
    }
    sq_span_skip(text, bytes);
    return at;
}

/*
 * Writes the first character of *text, at most CHARACTER_BYTES, and removes it
 * from *text. A byte that is not UTF-8 becomes U+FFFD. Returns the end.
 */
static char *
put_character(char *at, struct sq_span *text, bool untrusted) {
    char letter = short_escapes[(unsigned char)text->ptr[0]];
    if (!letter) {
        return put_rare_character(at, text, untrusted);
    }
    *at++ = '\\';
    *at++ = letter;
    sq_span_skip(text, 1);
    return at;
}

/* Writes 8 bytes, the lowest of the word first. */
static void
store_word(char *at, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, sizeof(word));
}

/*
 * Copies bytes from the start of *text that need no escape, and removes them
 * from *text. Stops beyond `limit`, after which there is space for 8 bytes; the
 * bytes after the copied ones may be overwritten. Returns the end.
 */
static char *
copy_plain(char *at, const char *limit, struct sq_span *text) {
    const char *from = text->ptr;
    const char *end = from + text->len;
    size_t count = WORD;
    while (count == WORD && at <= limit && (size_t)(end - from) >= WORD) {
        uint64_t word = sq_load_le64((const uint8_t *)from);
        store_word(at, word);
        count = sq_json_count_plain(word);
        at += count;
        from += count;
    }
    if (count == WORD && at <= limit && from < end) {
        /* The zeros after the last byte count as special. */
        uint64_t word = json_load_few(from, (size_t)(end - from));
        store_word(at, word);
        count = sq_json_count_plain(word);
        at += count;
        from += count;
    }
    *text = (struct sq_span){ from, (size_t)(end - from) };
    return at;
}

/* A string with what comes before its first and after its last quote. */
struct quoted {
    struct sq_span text;
    char before; /* 0: nothing, as in `after` */
    char after;
    bool untrusted;
};

/* Returns space for CHUNK_BYTES: of the output if it has it, else `chunk`. */
static char *
begin_chunk(struct sq_json_writer *w, char chunk[CHUNK_BYTES]) {
    struct sq_buf *out = w->out;
    bool has_space =
        out->data && out->cap <= out->max && out->cap - out->len >= CHUNK_BYTES;
    return has_space ? (char *)out->data + out->len : chunk;
}

static void
end_chunk(struct sq_json_writer *w, const char *chunk, const char *start,
          const char *end) {
    if (start == chunk) {
        emit(w, (struct sq_span){ start, (size_t)(end - start) });
    } else {
        sq_buf_commit(w->out, (size_t)(end - start));
    }
}

static char *
put_optional(char *at, char byte) {
    *at = byte;
    return at + (byte != '\0');
}

/* Writes pieces of CHUNK_BYTES, because many short strings are written. */
static void
emit_quoted(struct sq_json_writer *w, struct quoted quoted) {
    char chunk[CHUNK_BYTES];
    char *start = begin_chunk(w, chunk);
    char *at = start;
    struct sq_span text = quoted.text;
    at = put_optional(at, quoted.before);
    *at++ = '"';
    while (text.len > 0) {
        const char *limit = start + CHUNK_BYTES - 2 * CHARACTER_BYTES;
        at = copy_plain(at, limit, &text);
        if (at > limit) {
            end_chunk(w, chunk, start, at);
            start = at = begin_chunk(w, chunk);
        } else if (text.len > 0) {
            at = put_character(at, &text, quoted.untrusted);
        }
    }
    *at++ = '"';
    at = put_optional(at, quoted.after);
    end_chunk(w, chunk, start, at);
}

static void
emit_string(struct sq_json_writer *w, struct sq_span text, bool untrusted) {
    emit_quoted(w, (struct quoted){ .text = text, .untrusted = untrusted });
}

/*
 * Writes a key of at most 8 bytes that needs no escape, as most are. Returns
 * false if it is not one, or if the buffer must grow first.
 */
static bool
put_short_key(struct sq_json_writer *w, struct sq_span key) {
    struct sq_buf *out = w->out;
    if (key.len == 0 || key.len > WORD || out->cap > out->max
        || out->cap - out->len < SHORT_KEY_BYTES) {
        return false;
    }
    uint64_t word = key.len == WORD ? sq_load_le64((const uint8_t *)key.ptr)
                                    : json_load_few(key.ptr, key.len);
    if (sq_json_count_plain(word) < key.len) {
        return false;
    }
    char *start = (char *)out->data + out->len;
    char *at = put_optional(start, w->empty ? '\0' : ',');
    *at++ = '"';
    store_word(at, word);
    at += key.len;
    *at++ = '"';
    *at++ = ':';
    sq_buf_commit(out, (size_t)(at - start));
    return true;
}

void
sq_json_put_key_span(struct sq_json_writer *w, struct sq_span key) {
    if (failed(w)) {
        return;
    }
    assert(w->in_object[w->depth] && !w->is_key);
    if (put_short_key(w, key)) {
        w->is_key = true;
        return;
    }
    emit_quoted(w, (struct quoted){ .text = key,
                                    .before = w->empty ? '\0' : ',',
                                    .after = ':' });
    w->is_key = true;
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
sq_json_put_clean_member(struct sq_json_writer *w, const char *key,
                         struct sq_span text) {
    sq_json_put_key(w, key);
    sq_json_put_clean(w, text);
}

void
sq_json_put_untrusted_start(struct sq_json_writer *w, struct sq_span text,
                            size_t max_bytes) {
    static const char mark[] = "…";
    const size_t mark_len = sizeof(mark) - 1;
    struct sq_buf masked;
    struct sq_buf cut;
    w->has_untrusted = true;
    sq_buf_init(&masked, SQ_MAX_JSON_BYTES);
    sq_buf_init(&cut, SQ_MAX_JSON_BYTES);
    if (w->mask.apply) {
        if (!failed(w)) {
            w->mask.apply(w->mask.context, text, &masked, &w->err);
        }
        text = sq_buf_span(&masked);
    }
    if (text.len > max_bytes) {
        text = sq_utf8_shorten(text, max_bytes - mark_len);
        /* Without memory for the mark the text ends there. */
        if (sq_buf_append(&cut, text.ptr, text.len, NULL)
            && sq_buf_append(&cut, mark, mark_len, NULL)) {
            text = sq_buf_span(&cut);
        }
    }
    sq_json_put_clean(w, text);
    sq_buf_finish(&masked);
    sq_buf_finish(&cut);
}

void
sq_json_put_untrusted(struct sq_json_writer *w, struct sq_span text) {
    sq_json_put_untrusted_start(w, text, SIZE_MAX);
}

void
sq_json_put_int(struct sq_json_writer *w, int64_t number) {
    char text[1 + SQ_DECIMAL_MAX];
    size_t len = (size_t)(sq_put_signed(text, number, 1) - text);
    put_token(w, (struct sq_span){ text, len });
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

void
sq_json_put_raw_members(struct sq_json_writer *w, struct sq_span members) {
    if (failed(w)) {
        return;
    }
    assert(w->in_object[w->depth] && !w->is_key);
    if (!w->empty) {
        emit_byte(w, ',');
    }
    emit(w, members);
    w->empty = false;
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
        /* Recursion is limited: no parsed text is deeper than
         * SQ_MAX_JSON_DEPTH. */
        bool object = sq_json_is(value, SQ_JSON_OBJECT);
        begin_container(w, object);
        for (const struct sq_json *child = sq_json_first(value);
             child && !failed(w); child = sq_json_next(child)) {
            if (object) {
                sq_json_put_key_span(w, sq_json_key(child));
            }
            sq_json_put_value(w, child);
        }
        end_container(w, object);
    }
}
