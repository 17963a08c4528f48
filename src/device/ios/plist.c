/* Converts the old-style property lists that simctl prints to JSON. */
#include <string.h>

#include "device/ios/ios.h"
#include "device/ios/parse.h"
#include "json/writer.h"
#include "util/utf8.h"

struct reader {
    struct sq_span rest;
    size_t length; /* of the complete text */
    int depth;
    struct sq_buf text; /* the last string */
    struct sq_json_writer json;
    struct sq_err *err;
};

static bool
fail_here(const struct reader *reader, const char *what) {
    if (reader->rest.len == 0) {
        return sq_fail(reader->err, SQ_ERR_TRUNCATED,
                       "the property list ends early");
    }
    return sq_fail(reader->err, SQ_ERR_FORMAT,
                   "no %s at byte %zu of the property list", what,
                   reader->length - reader->rest.len);
}

static char
peek(struct reader *reader) {
    struct sq_span *rest = &reader->rest;
    while (rest->len > 0 && rest->ptr[0] && strchr(" \t\r\n", rest->ptr[0])) {
        sq_span_skip(rest, 1);
    }
    return rest->len > 0 ? rest->ptr[0] : '\0';
}

static bool
take(struct reader *reader, char wanted) {
    char name[] = { '"', wanted, '"', '\0' };
    if (peek(reader) != wanted) {
        return fail_here(reader, name);
    }
    sq_span_skip(&reader->rest, 1);
    return true;
}

static bool
is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || sq_is_digit(c)
        || (c && strchr("_$/:.-", c)) || (unsigned char)c >= 0x80;
}

static uint32_t
take_escape(struct sq_span *text) {
    static const char letters[] = "abfnrtv";
    static const char values[] = "\a\b\f\n\r\t\v";
    char c = text->ptr[0];
    uint32_t code = 0;
    uint32_t low;
    if (c >= '0' && c <= '7') {
        for (int i = 0; i < 3 && text->len > 0 && text->ptr[0] >= '0'
                        && text->ptr[0] <= '7';
             i++) {
            code = code * 8 + (uint32_t)(text->ptr[0] - '0');
            sq_span_skip(text, 1);
        }
        return code;
    }
    sq_span_skip(text, 1);
    if (c != 'U') {
        const char *at = strchr(letters, c);
        return c && at ? (uint32_t)values[at - letters] : (unsigned char)c;
    }
    sq_span_take_hex(text, 4, &code);
    struct sq_span second = *text;
    if (sq_utf16_is_high(code) && sq_span_take_prefix(&second, "\\U")
        && sq_span_take_hex(&second, 4, &low) > 0 && sq_utf16_is_low(low)) {
        *text = second;
        code = sq_utf16_join(code, low);
    }
    return code;
}

/* Reads a string into reader->text. What is no character becomes U+FFFD. */
static bool
read_string(struct reader *reader) {
    struct sq_span *rest = &reader->rest;
    bool is_quoted = peek(reader) == '"';
    bool ok = true;
    sq_buf_clear(&reader->text);
    sq_span_skip(rest, is_quoted);
    while (ok && rest->len > 0
           && (is_quoted ? rest->ptr[0] != '"' : is_bare(rest->ptr[0]))) {
        char bytes[SQ_UTF8_MAX] = { rest->ptr[0] };
        size_t len = 1;
        sq_span_skip(rest, 1);
        if (bytes[0] == '\\' && rest->len > 0) {
            len = sq_utf8_encode(take_escape(rest), bytes);
            len = len ? len : sq_utf8_encode(SQ_REPLACEMENT_CHARACTER, bytes);
        }
        ok = sq_buf_append(&reader->text, bytes, len, reader->err);
    }
    if (ok && (is_quoted ? rest->len == 0 : reader->text.len == 0)) {
        return fail_here(reader, "word");
    }
    sq_span_skip(rest, ok && is_quoted);
    return ok;
}

static bool read_value(struct reader *reader);

/* Reads { key = value; } or ( value, value ). */
static bool
read_items(struct reader *reader, bool is_dictionary) {
    const char end = is_dictionary ? '}' : ')';
    bool ok = true;
    if (reader->depth == SQ_MAX_JSON_DEPTH) {
        return sq_fail(reader->err, SQ_ERR_LIMIT,
                       "the property list is nested too deeply");
    }
    reader->depth++;
    sq_span_skip(&reader->rest, 1);
    if (is_dictionary) {
        sq_json_begin_object(&reader->json);
    } else {
        sq_json_begin_array(&reader->json);
    }
    while (ok && peek(reader) != end) {
        if (is_dictionary && (ok = read_string(reader))) {
            sq_json_put_key_span(&reader->json, sq_buf_span(&reader->text));
            ok = take(reader, '=');
        }
        ok = ok && read_value(reader)
          && (is_dictionary ? take(reader, ';')
                            : peek(reader) == end || take(reader, ','));
    }
    if (!ok) {
        return false;
    }
    reader->depth--;
    sq_span_skip(&reader->rest, 1);
    if (is_dictionary) {
        sq_json_end_object(&reader->json);
    } else {
        sq_json_end_array(&reader->json);
    }
    return true;
}

/* Binary data such as <0fbd77 1c2735ae> becomes null. */
static bool
read_value(struct reader *reader) {
    struct sq_span ignored;
    char next = peek(reader);
    if (next == '{' || next == '(') {
        return read_items(reader, next == '{');
    }
    if (next == '<') {
        if (!sq_span_take_until(&reader->rest, '>', &ignored)) {
            reader->rest.len = 0;
            return fail_here(reader, "\">\"");
        }
        sq_json_put_null(&reader->json);
        return true;
    }
    if (!read_string(reader)) {
        return false;
    }
    sq_json_put_string(&reader->json, sq_buf_span(&reader->text));
    return true;
}

static bool
convert(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct reader reader = { .rest = text, .length = text.len, .err = err };
    sq_buf_init(&reader.text, text.len + SQ_UTF8_MAX);
    sq_json_writer_init(&reader.json, out);
    bool ok = (peek(&reader) == '{' || fail_here(&reader, "\"{\""))
           && read_items(&reader, true)
           && sq_json_writer_done(&reader.json, err);
    sq_buf_finish(&reader.text);
    return ok;
}

static bool
answer(const void *request, struct sq_span input, struct sq_foreign_room room,
       struct sq_buf *reply, struct sq_err *err) {
    (void)request, (void)room;
    return convert(input, reply, err);
}

const struct sq_foreign_reader sq_plist_reader = {
    .name = "plist",
    .answer = answer,
};

/* The reader of JSON takes any bytes. */
static bool
accept_json(void *context, struct sq_span reply, struct sq_err *err) {
    struct sq_buf *out = context;
    return sq_buf_append(out, reply.ptr, reply.len, err);
}

bool
sq_plist_to_json(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct sq_foreign_answer from = { .memory.fd = -1 };
    const struct sq_foreign_question question = {
        .reader = sq_plist_reader.name,
        .input = text,
        .max_reply = out->max - out->len,
        .accept = accept_json,
        .context = out,
    };
    if (!sq_foreign_is_on()) {
        return convert(text, out, err);
    }
    bool ok = sq_foreign_ask(&question, &from, err);
    sq_foreign_finish(&from);
    return ok;
}
