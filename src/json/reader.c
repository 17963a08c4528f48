/* JSON parser; its recursion is limited to SQ_MAX_JSON_DEPTH. */
#include "json/reader.h"

#include <assert.h>
#include <string.h>

#include "json/private.h"
#include "util/limits.h"
#include "util/utf8.h"

static_assert(SQ_MAX_JSON_BYTES <= UINT32_MAX, "offsets are uint32_t");

struct parser {
    const char *start;
    const char *at;
    const char *end;
    struct sq_arena *arena;
    struct sq_err *err;
    struct sq_span key; /* key of the member whose value comes next */
    uint32_t key_at;
    int depth;
    struct sq_json *container; /* the innermost; NULL: around the root */
    struct sq_json **tail;     /* where the next value is linked */
};

static bool
fail_at(struct parser *p, const char *at, enum sq_err_code code,
        const char *what) {
    size_t line = 1;
    size_t column = 1;
    for (const char *c = p->start; c < at; c++) {
        if (*c == '\n') {
            line++;
            column = 1;
        } else if (!sq_utf8_is_continuation(*c)) {
            column++;
        }
    }
    return sq_fail(p->err, code, "%s at line %zu, column %zu (byte %zu)", what,
                   line, column, (size_t)(at - p->start));
}

static bool
fail_here(struct parser *p, const char *what) {
    enum sq_err_code code = p->at < p->end ? SQ_ERR_FORMAT : SQ_ERR_TRUNCATED;
    return fail_at(p, p->at, code, what);
}

static int
peek(const struct parser *p) {
    return p->at < p->end ? (unsigned char)*p->at : -1;
}

static bool
take(struct parser *p, char c) {
    bool here = p->at < p->end && *p->at == c;
    p->at += here;
    return here;
}

static void
skip_space(struct parser *p) {
    while (p->at < p->end
           && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r'
               || *p->at == '\t')) {
        p->at++;
    }
}

/* Appends a value to the innermost container, under the pending key. */
static struct sq_json *
add_value(struct parser *p, struct sq_json like) {
    struct sq_json *value = sq_arena_alloc(p->arena, 1, sizeof(*value), p->err);
    if (!value) {
        return NULL;
    }
    *value = like;
    value->key = p->key.ptr;
    value->key_len = (uint32_t)p->key.len;
    value->key_at = p->key_at;
    p->key = (struct sq_span){ 0 };
    *p->tail = value;
    p->tail = &value->next;
    if (p->container) {
        p->container->count++;
    }
    return value;
}

static bool
scan_digits(struct parser *p) {
    const char *from = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
        p->at++;
    }
    return p->at > from || fail_here(p, "expected a digit");
}

static bool
scan_number(struct parser *p) {
    take(p, '-');
    if (!take(p, '0') && !scan_digits(p)) {
        return false;
    }
    if (take(p, '.') && !scan_digits(p)) {
        return false;
    }
    if (take(p, 'e') || take(p, 'E')) {
        if (!take(p, '-')) {
            take(p, '+');
        }
        return scan_digits(p);
    }
    return true;
}

static bool
parse_number(struct parser *p) {
    const char *from = p->at;
    return scan_number(p)
        && add_value(p, (struct sq_json){
                            .kind = SQ_JSON_NUMBER,
                            .text = { from, (size_t)(p->at - from) },
                        });
}

static bool
parse_word(struct parser *p, const char *word, enum sq_json_kind kind,
           bool boolean) {
    for (const char *c = word; *c; c++) {
        if (!take(p, *c)) {
            return fail_here(p, "expected true, false or null");
        }
    }
    return add_value(p, (struct sq_json){ .kind = kind, .boolean = boolean });
}

/* Skips bytes that are neither a quote nor need a closer look. */
static void
skip_plain(struct parser *p) {
    size_t count = sizeof(uint64_t);
    while (count == sizeof(uint64_t)
           && (size_t)(p->end - p->at) >= sizeof(uint64_t)) {
        count = sq_json_count_plain(sq_load_le64((const uint8_t *)p->at));
        p->at += count;
    }
}

/*
 * Skips a string, including the quotes. Each backslash skips the next byte too;
 * unescape checks the escapes.
 */
static bool
scan_string(struct parser *p, struct sq_span *raw, bool *escaped) {
    const char *from = ++p->at;
    *escaped = false;
    for (skip_plain(p); p->at < p->end; p->at++) {
        unsigned char c = (unsigned char)*p->at;
        if (c == '"') {
            *raw = (struct sq_span){ from, (size_t)(p->at - from) };
            p->at++;
            return true;
        }
        if (c < 0x20) {
            return fail_here(p, "control character in a string");
        }
        if (c == '\\') {
            *escaped = true;
            if (++p->at == p->end) {
                break;
            }
        }
    }
    return fail_here(p, "unterminated string");
}

static const char plain_escapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

/* Takes one "\uXXXX". */
static bool
take_unit(struct sq_span *rest, uint32_t *unit) {
    struct sq_span at = *rest;
    if (!sq_span_take_prefix(&at, "\\u")
        || sq_span_take_hex(&at, 4, unit) < 4) {
        return false;
    }
    *rest = at;
    return true;
}

/*
 * Takes one or two \u escapes that form a code point. An unpaired surrogate
 * becomes U+FFFD: JavaScript writes one if a text was cut inside a character.
 */
static bool
take_code(struct sq_span *rest, uint32_t *code) {
    uint32_t high;
    uint32_t low;
    if (!take_unit(rest, &high)) {
        return false;
    }
    *code = high;
    if (!sq_utf16_is_high(high) && !sq_utf16_is_low(high)) {
        return true;
    }
    struct sq_span second = *rest;
    if (!sq_utf16_is_high(high) || !take_unit(&second, &low)
        || !sq_utf16_is_low(low)) {
        *code = SQ_REPLACEMENT_CHARACTER;
        return true;
    }
    *rest = second;
    *code = sq_utf16_join(high, low);
    return true;
}

/* Takes one escape. Returns the number of bytes written, 0 if it is invalid. */
static size_t
take_escape(struct sq_span *rest, char out[SQ_UTF8_MAX]) {
    char plain = plain_escapes[(unsigned char)rest->ptr[1]];
    if (plain) {
        out[0] = plain;
        sq_span_skip(rest, 2);
        return 1;
    }
    uint32_t code;
    return take_code(rest, &code) ? sq_utf8_encode(code, out) : 0;
}

/* An escape is never shorter than its result, so raw.len bytes are enough. */
static bool
unescape(struct parser *p, struct sq_span raw, struct sq_span *out) {
    char *copy = sq_arena_alloc(p->arena, raw.len, 1, p->err);
    if (!copy) {
        return false;
    }
    size_t len = 0;
    while (raw.len > 0) {
        const char *stop = memchr(raw.ptr, '\\', raw.len);
        size_t run = stop ? (size_t)(stop - raw.ptr) : raw.len;
        memcpy(copy + len, raw.ptr, run);
        len += run;
        raw = (struct sq_span){ raw.ptr + run, raw.len - run };
        if (stop) {
            char bytes[SQ_UTF8_MAX];
            size_t count = take_escape(&raw, bytes);
            if (count == 0) {
                return fail_at(p, stop, SQ_ERR_FORMAT, "invalid escape");
            }
            memcpy(copy + len, bytes, count);
            len += count;
        }
    }
    *out = (struct sq_span){ copy, len };
    return true;
}

static bool
parse_text(struct parser *p, struct sq_span *text) {
    bool escaped;
    return scan_string(p, text, &escaped)
        && (!escaped || unescape(p, *text, text));
}

static bool
parse_string(struct parser *p) {
    struct sq_span text;
    return parse_text(p, &text)
        && add_value(p,
                     (struct sq_json){ .kind = SQ_JSON_STRING, .text = text });
}

static bool
parse_key(struct parser *p) {
    if (peek(p) != '"') {
        return fail_here(p, "expected a key in quotes");
    }
    p->key_at = (uint32_t)(p->at - p->start);
    if (!parse_text(p, &p->key)) {
        return false;
    }
    skip_space(p);
    return take(p, ':') || fail_here(p, "expected ':'");
}

static bool
check_keys(struct parser *p, struct sq_json *object) {
    const struct sq_json *duplicate = NULL;
    return sq_json_index_members(object, p->arena, &duplicate, p->err)
        || (duplicate
            && fail_at(p, p->start + duplicate->key_at, SQ_ERR_FORMAT,
                       "duplicate key"));
}

static bool parse_value(struct parser *p);

/* Parses items or members, and the end of their container. */
static bool
parse_children(struct parser *p, bool is_object) {
    const char close = is_object ? '}' : ']';
    skip_space(p);
    if (take(p, close)) {
        return true;
    }
    do {
        skip_space(p);
        if ((is_object && !parse_key(p)) || !parse_value(p)) {
            return false;
        }
        skip_space(p);
    } while (take(p, ','));
    return take(p, close)
        || fail_here(p,
                     is_object ? "expected ',' or '}'" : "expected ',' or ']'");
}

static bool
parse_container(struct parser *p, enum sq_json_kind kind) {
    struct sq_json *outer = p->container;
    bool is_object = kind == SQ_JSON_OBJECT;
    if (p->depth == SQ_MAX_JSON_DEPTH) {
        return fail_at(p, p->at, SQ_ERR_LIMIT, "nested too deep");
    }
    struct sq_json *value = add_value(p, (struct sq_json){ .kind = kind });
    if (!value) {
        return false;
    }
    struct sq_json **tail = p->tail;
    p->at++;
    p->depth++;
    p->container = value;
    p->tail = &value->first;
    bool ok = parse_children(p, is_object);
    p->depth--;
    p->container = outer;
    p->tail = tail;
    return ok && (!is_object || check_keys(p, value));
}

static bool
parse_value(struct parser *p) {
    skip_space(p);
    switch (peek(p)) {
    case '{':
        return parse_container(p, SQ_JSON_OBJECT);
    case '[':
        return parse_container(p, SQ_JSON_ARRAY);
    case '"':
        return parse_string(p);
    case 't':
        return parse_word(p, "true", SQ_JSON_BOOL, true);
    case 'f':
        return parse_word(p, "false", SQ_JSON_BOOL, false);
    case 'n':
        return parse_word(p, "null", SQ_JSON_NULL, false);
    default:
        return peek(p) == '-' || (peek(p) >= '0' && peek(p) <= '9')
                 ? parse_number(p)
                 : fail_here(p, "expected a value");
    }
}

static bool
check_text(struct parser *p, struct sq_span text) {
    if (text.len > SQ_MAX_JSON_BYTES) {
        return sq_fail(p->err, SQ_ERR_LIMIT,
                       "the JSON text has %zu bytes; the maximum is %zu",
                       text.len, SQ_MAX_JSON_BYTES);
    }
    size_t valid = sq_utf8_valid_len(text);
    if (valid < text.len) {
        return fail_at(p, text.ptr + valid, SQ_ERR_FORMAT, "invalid UTF-8");
    }
    return true;
}

bool
sq_json_parse(struct sq_span text, struct sq_arena *arena,
              const struct sq_json **out, struct sq_err *err) {
    struct sq_json *root = NULL;
    const char *start = text.ptr ? text.ptr : "";
    struct parser p = {
        .start = start,
        .at = start,
        .end = start + text.len,
        .arena = arena,
        .err = err,
        .tail = &root,
    };
    if (!check_text(&p, text) || !parse_value(&p)) {
        return false;
    }
    skip_space(&p);
    if (p.at < p.end) {
        return fail_here(&p, "expected the end of the text");
    }
    *out = root;
    return true;
}
