/*
 * Compares our reader with jansson's on generated and damaged texts. Both must
 * accept the same texts and read the same values, except:
 *
 * - numbers beyond int64_t or double: jansson refuses, we keep the digits;
 * - NUL inside a key: jansson refuses, we do not;
 * - nesting: jansson stops at 2048 levels, we at SQ_MAX_JSON_DEPTH;
 * - half of a surrogate pair: jansson refuses, we read U+FFFD. It is given the
 * text with that in place.
 */
#include <jansson.h>

#include "json/reader.h"
#include "json/writer.h"
#include "support/test.h"

#define TEXTS 30000
#define MAX_TEXT ((size_t)64 << 10)

static const char *const scalars[] = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "42",
    "1.5",
    "-2.25e3",
    "1E-2",
    "0.1",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1e308",
    "1e309",
    "5e-324",
    "1e-999",
    "123456789012345678901234567890",
    "0.0",
    "-0.0",
    "1e5",
    "20e001",
};

static const char *const pieces[] = {
    "a",
    "b",
    "key",
    " ",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0041",
    "\\u00e9",
    "\\u0000",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\uDE00",
    "\\uFFFF",
    "\xc3\xa9",
    "\xe2\x82\xac",
    "\xf0\x9f\x98\x80",
    "\x7f",
    "{",
    "]",
    ",",
    ":",
    "\\t",
    "\\b\\f\\r",
};

/* What damage inserts: bytes that are significant to a reader. */
static const char *const damage[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "0",
    "1",
    "-",
    "+",
    ".",
    "e",
    "E",
    "t",
    "null",
    "\\u",
    "\\ud800",
    "\\udc00",
    "\n",
    "\t",
    " ",
    "\x01",
    "\xff",
    "\xc3",
    "\xed\xa0\x80",
    "\xc0\x80",
    "\xef\xbb\xbf",
    "/",
    "'",
    "f",
};

/* Counters that show that every kind of text occurred. */
static struct {
    long accepted;
    long rejected;
    long too_big;
    long nul_key;
    long too_deep;
    long halves;
} seen;

static void
put(struct sq_buf *out, const char *text) {
    T_OK(sq_buf_append(out, text, strlen(text), &t_err));
}

static const char *
pick(const char *const *from, size_t count) {
    return from[t_random_between(0, (int64_t)count - 1)];
}

static void
put_space(struct sq_buf *out) {
    static const char *const spaces[] = { "", "", "", "", " ", "\n", "\t\r\n" };
    put(out, pick(spaces, SQ_COUNT(spaces)));
}

static void
put_string(struct sq_buf *out) {
    put(out, "\"");
    for (int64_t n = t_random_between(0, 4); n > 0; n--) {
        put(out, pick(pieces, SQ_COUNT(pieces)));
    }
    put(out, "\"");
}

static void
put_random(struct sq_buf *out, int depth) {
    int64_t kind = t_random_between(depth > 0 ? 0 : 2, 5);
    put_space(out);
    if (kind <= 1) {
        bool object = kind == 0;
        put(out, object ? "{" : "[");
        for (int64_t i = 0, n = t_random_between(0, object ? 12 : 5); i < n;
             i++) {
            put(out, i ? "," : "");
            put_space(out);
            if (object) {
                put_string(out);
                put_space(out);
                put(out, ":");
            }
            put_random(out, depth - 1);
        }
        put_space(out);
        put(out, object ? "}" : "]");
    } else if (kind == 2) {
        put_string(out);
    } else {
        put(out, pick(scalars, SQ_COUNT(scalars)));
    }
    put_space(out);
}

/* Replaces `cut` bytes at a random position by significant ones. */
static void
damage_text(struct sq_buf *text, struct sq_buf *scratch) {
    size_t at = (size_t)t_random_between(0, (int64_t)text->len);
    size_t left = text->len - at;
    size_t cut = (size_t)t_random_between(0, 2);
    cut = cut < left ? cut : left;
    sq_buf_clear(scratch);
    T_OK(sq_buf_append(scratch, text->data, at, &t_err));
    if (t_random_between(0, 3) > 0) {
        put(scratch, pick(damage, SQ_COUNT(damage)));
    }
    T_OK(sq_buf_append(scratch, text->data + at + cut, left - cut, &t_err));
    struct sq_buf swap = *text;
    *text = *scratch;
    *scratch = swap;
}

static bool same_value(const struct sq_json *ours, const json_t *theirs);

static bool
same_children(const struct sq_json *ours, const json_t *theirs) {
    bool object = json_is_object(theirs);
    size_t count = object ? json_object_size(theirs) : json_array_size(theirs);
    if (sq_json_count(ours) != count) {
        return false;
    }
    size_t index = 0;
    for (const struct sq_json *v = sq_json_first(ours); v;
         v = sq_json_next(v), index++) {
        char key[64];
        snprintf(key, sizeof(key), "%.*s", SQ_SPAN_ARGS(sq_json_key(v)));
        const json_t *twin = object ? json_object_get(theirs, key)
                                    : json_array_get(theirs, index);
        if (!twin || !same_value(v, twin)
            || (object && sq_json_get(ours, key) != v)) {
            return false;
        }
    }
    return index == count;
}

static bool
same_value(const struct sq_json *ours, const json_t *theirs) {
    struct sq_span text;
    int64_t number;
    double real;
    bool flag;
    switch (json_typeof(theirs)) {
    case JSON_NULL:
        return sq_json_is(ours, SQ_JSON_NULL);
    case JSON_TRUE:
    case JSON_FALSE:
        return sq_json_bool(ours, &flag) && flag == json_is_true(theirs);
    case JSON_INTEGER:
        return sq_json_int(ours, &number)
            && number == json_integer_value(theirs);
    case JSON_REAL: {
        double want = json_real_value(theirs);
        return sq_json_double(ours, &real)
            && memcmp(&real, &want, sizeof(real)) == 0;
    }
    case JSON_STRING:
        return sq_json_string(ours, &text)
            && sq_span_equal(text,
                             (struct sq_span){ json_string_value(theirs),
                                               json_string_length(theirs) });
    case JSON_ARRAY:
    case JSON_OBJECT:
        return same_children(ours, theirs);
    }
    return false;
}

static json_t *
load(struct sq_span text, json_error_t *why) {
    return json_loadb(text.ptr, text.len,
                      JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL,
                      why);
}

static bool
is_known_difference(bool ours, const struct sq_err *err,
                    const json_error_t *why) {
    if (!ours) {
        bool deep = err->code == SQ_ERR_LIMIT;
        seen.too_deep += deep;
        return deep;
    }
    enum json_error_code code = json_error_code(why);
    seen.too_big += code == json_error_numeric_overflow;
    seen.nul_key += code == json_error_null_byte_in_key;
    return code == json_error_numeric_overflow
        || code == json_error_null_byte_in_key;
}

/* Writes our tree and reads that with jansson: nothing may have changed. */
static bool
survives_rewriting(const struct sq_json *ours, const json_t *theirs) {
    struct sq_json_writer w;
    T_BUF(out, 8 * MAX_TEXT);
    sq_json_writer_init(&w, &out);
    sq_json_put_value(&w, ours);
    T_OK(sq_json_writer_done(&w, &t_err));
    json_error_t why;
    json_t *again =
        load((struct sq_span){ (const char *)out.data, out.len }, &why);
    bool same = again && json_equal(theirs, again);
    json_decref(again);
    return same;
}

/* The number of the \u escape at the start of the text; -1 if there is none. */
static int
unit_at(const char *text, const char *end) {
    static const char digits[] = "0123456789abcdefABCDEF";
    int unit = 0;
    if (end - text < 6 || text[0] != '\\' || text[1] != 'u') {
        return -1;
    }
    for (int i = 2; i < 6; i++) {
        const char *at = text[i] ? strchr(digits, text[i]) : NULL;
        if (!at) {
            return -1;
        }
        int digit = (int)(at - digits);
        unit = unit * 16 + (digit < 16 ? digit : digit - 6);
    }
    return unit;
}

static json_t *
load_replaced(struct sq_span text, json_error_t *why) {
    static char copy[MAX_TEXT];
    memcpy(copy, text.ptr ? text.ptr : "", text.len);
    /* Writes \ufffd over every escape that is half of a surrogate pair. */
    const char *end = copy + text.len;
    for (char *at = copy; at < end; at++) {
        int unit = unit_at(at, end);
        int next = unit < 0 ? -1 : unit_at(at + 6, end);
        bool is_first = unit >= 0xd800 && unit < 0xdc00;
        bool is_second = unit >= 0xdc00 && unit < 0xe000;
        if (is_first && next >= 0xdc00 && next < 0xe000) {
            at += 11;
        } else if (is_first || is_second) {
            memcpy(at, "\\ufffd", 6);
            seen.halves++;
        } else if (*at == '\\') {
            at++;
        }
    }
    return load((struct sq_span){ copy, text.len }, why);
}

static void
compare(struct sq_span text) {
    const struct sq_json *root = NULL;
    json_error_t why;
    T_ARENA(arena, (size_t)16 << 20);
    bool ours = sq_json_parse(text, &arena, &root, &t_err);
    json_t *theirs = load_replaced(text, &why);
    bool agree = ours == (theirs != NULL);
    if (agree && ours) {
        agree = same_value(root, theirs) && survives_rewriting(root, theirs);
        seen.accepted++;
    } else if (agree) {
        seen.rejected++;
    } else {
        agree = is_known_difference(ours, &t_err, &why);
    }
    if (!T(agree)) {
        printf("# ours: %s; theirs: %s; text: %.*s\n",
               ours ? "accepted" : t_err.message,
               theirs ? "accepted" : why.text, SQ_SPAN_ARGS(text));
    }
    json_decref(theirs);
}

T_CASE(agrees_with_jansson) {
    struct sq_buf text;
    struct sq_buf scratch;
    sq_buf_init(&text, MAX_TEXT);
    sq_buf_init(&scratch, MAX_TEXT);
    for (int i = 0; i < TEXTS; i++) {
        sq_buf_clear(&text);
        put_random(&text, 3);
        for (int64_t n = i % 3; n > 0; n--) {
            damage_text(&text, &scratch);
        }
        compare((struct sq_span){ (const char *)text.data, text.len });
    }
    sq_buf_finish(&scratch);
    sq_buf_finish(&text);
    printf("# %ld accepted, %ld rejected, %ld numbers too big, %ld NUL keys\n",
           seen.accepted, seen.rejected, seen.too_big, seen.nul_key);
    T(seen.accepted > TEXTS / 10 && seen.rejected > TEXTS / 4);
    T(seen.too_big > 100 && seen.nul_key > 10 && seen.halves > 100);
}

T_CASE(differs_in_depth_as_documented) {
    char text[200];
    for (size_t depth = 60; depth < 70; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        compare((struct sq_span){ text, 2 * depth });
    }
    T_INT(seen.too_deep, 5);
}
