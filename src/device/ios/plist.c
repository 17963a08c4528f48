/* Parses old-style property lists. */
#include "device/ios/parse.h"

#include <string.h>

#include "util/limits.h"
#include "util/utf8.h"

struct sq_plist
sq_plist_over(struct sq_span text) {
    return (struct sq_plist){ text, text.len };
}

static bool
fail_here(const struct sq_plist *list, const char *what, struct sq_err *err) {
    if (list->rest.len == 0) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the property list ends early");
    }
    return sq_fail(err, SQ_ERR_FORMAT, "no %s at byte %zu of the property list",
                   what, list->length - list->rest.len);
}

static void
advance(struct sq_plist *list, size_t count) {
    list->rest.ptr += count;
    list->rest.len -= count;
}

static void
skip_space(struct sq_plist *list) {
    while (list->rest.len > 0 && strchr(" \t\r\n", list->rest.ptr[0])
           && list->rest.ptr[0]) {
        advance(list, 1);
    }
}

static char
peek(struct sq_plist *list) {
    skip_space(list);
    return list->rest.len > 0 ? list->rest.ptr[0] : '\0';
}

static bool
take(struct sq_plist *list, char wanted, struct sq_err *err) {
    char name[] = { '"', wanted, '"', '\0' };
    if (peek(list) != wanted) {
        return fail_here(list, name, err);
    }
    advance(list, 1);
    return true;
}

static bool
is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9') || (c && strchr("_$/:.-", c))
        || (unsigned char)c >= 0x80;
}

static bool
take_bare(struct sq_plist *list, struct sq_span *out, struct sq_err *err) {
    size_t len = 0;
    while (len < list->rest.len && is_bare(list->rest.ptr[len])) {
        len++;
    }
    if (len == 0) {
        return fail_here(list, "word", err);
    }
    *out = (struct sq_span){ list->rest.ptr, len };
    advance(list, len);
    return true;
}

/* Takes up to `most` digits of a base from the start. */
static uint32_t
take_digits(struct sq_span *text, uint32_t base, int max_digits) {
    uint32_t value = 0;
    for (int i = 0; i < max_digits && text->len > 0; i++) {
        uint32_t digit = (uint32_t)sq_hex_digit(text->ptr[0]);
        if (digit >= base) {
            break;
        }
        value = value * base + digit;
        text->ptr++;
        text->len--;
    }
    return value;
}

/* Takes the escape after a backslash. */
static uint32_t
take_escape(struct sq_span *text) {
    static const char letters[] = "abfnrtv";
    static const char values[] = "\a\b\f\n\r\t\v";
    char c = text->ptr[0];
    if (c >= '0' && c <= '7') {
        return take_digits(text, 8, 3);
    }
    text->ptr++;
    text->len--;
    if (c != 'U') {
        const char *at = strchr(letters, c);
        return c && at ? (uint32_t)values[at - letters] : (unsigned char)c;
    }
    uint32_t code = take_digits(text, 16, 4);
    if (sq_utf16_is_high(code) && text->len > 2 && text->ptr[0] == '\\'
        && text->ptr[1] == 'U') {
        struct sq_span low = { text->ptr + 2, text->len - 2 };
        uint32_t second = take_digits(&low, 16, 4);
        if (sq_utf16_is_low(second)) {
            *text = low;
            return sq_utf16_join(code, second);
        }
    }
    return code;
}

/* Writes a character; anything that is not one becomes U+FFFD. */
static size_t
put_char(char to[SQ_UTF8_MAX], uint32_t code) {
    size_t len = sq_utf8_encode(code, to);
    return len ? len : sq_utf8_encode(SQ_REPLACEMENT_CHARACTER, to);
}

/* An escape is never shorter than its UTF-8 form by more than one byte. */
static bool
unescape(struct sq_span text, struct sq_arena *arena, struct sq_span *out,
         struct sq_err *err) {
    char *to = sq_arena_alloc(arena, 2 * text.len + 4, 1, err);
    size_t len = 0;
    if (!to) {
        return false;
    }
    while (text.len > 0) {
        char c = text.ptr[0];
        text.ptr++;
        text.len--;
        if (c == '\\' && text.len > 0) {
            len += put_char(to + len, take_escape(&text));
        } else {
            to[len++] = c;
        }
    }
    *out = (struct sq_span){ to, len };
    return true;
}

/* Takes the text between two quotes, with escapes unchanged. */
static bool
take_quoted(struct sq_plist *list, struct sq_span *out, bool *escaped,
            struct sq_err *err) {
    size_t len = 1;
    *escaped = false;
    while (len < list->rest.len && list->rest.ptr[len] != '"') {
        bool escape = list->rest.ptr[len] == '\\';
        *escaped = *escaped || escape;
        len += escape ? 2 : 1;
    }
    if (len >= list->rest.len) {
        advance(list, list->rest.len);
        return fail_here(list, "quote", err);
    }
    *out = (struct sq_span){ list->rest.ptr + 1, len - 1 };
    advance(list, len + 1);
    return true;
}

/* If arena is NULL the string is skipped. */
static bool
take_string(struct sq_plist *list, struct sq_arena *arena, struct sq_span *out,
            struct sq_err *err) {
    bool escaped;
    if (peek(list) != '"') {
        return take_bare(list, out, err);
    }
    return take_quoted(list, out, &escaped, err)
        && (!escaped || !arena || unescape(*out, arena, out, err));
}

/* Skips binary data such as <0fbd77 1c2735ae>. */
static bool
skip_data(struct sq_plist *list, struct sq_err *err) {
    const char *end = memchr(list->rest.ptr, '>', list->rest.len);
    if (!end) {
        advance(list, list->rest.len);
        return fail_here(list, "\">\"", err);
    }
    advance(list, (size_t)(end - list->rest.ptr) + 1);
    return true;
}

/*
 * Takes the separator after an item, and the ends of all containers that it
 * closes.
 */
static bool
close_items(struct sq_plist *list, char *open, int *depth, struct sq_err *err) {
    while (*depth > 0) {
        bool in_array = open[*depth - 1] == '(';
        char next = peek(list);
        if (in_array && next == ',') {
            advance(list, 1);
            return true;
        }
        if (!in_array && !take(list, ';', err)) {
            return false;
        }
        next = peek(list);
        if (next != (in_array ? ')' : '}')) {
            return !in_array || fail_here(list, "\",\"", err);
        }
        advance(list, 1);
        (*depth)--;
    }
    return true;
}

/* Enters a container. *empty is true if it has no items. */
static bool
open_items(struct sq_plist *list, char *open, int *depth, bool *empty,
           struct sq_err *err) {
    char kind = list->rest.ptr[0];
    if (*depth == SQ_MAX_JSON_DEPTH) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the property list is nested too deeply");
    }
    advance(list, 1);
    *empty = peek(list) == (kind == '(' ? ')' : '}');
    if (*empty) {
        advance(list, 1);
    } else {
        open[(*depth)++] = kind;
    }
    return true;
}

/* Skips one value without recursion. */
static bool
skip_value(struct sq_plist *list, struct sq_err *err) {
    char open[SQ_MAX_JSON_DEPTH];
    int depth = 0;
    do {
        struct sq_span ignored;
        bool complete = true;
        if (depth > 0 && open[depth - 1] == '{'
            && !(take_string(list, NULL, &ignored, err)
                 && take(list, '=', err))) {
            return false;
        }
        char next = peek(list);
        bool ok = next == '(' || next == '{'
                    ? open_items(list, open, &depth, &complete, err)
                : next == '<' ? skip_data(list, err)
                              : take_string(list, NULL, &ignored, err);
        if (!ok || (complete && !close_items(list, open, &depth, err))) {
            return false;
        }
    } while (depth > 0);
    return true;
}

bool
sq_plist_enter(struct sq_plist *list, struct sq_err *err) {
    return take(list, '{', err);
}

bool
sq_plist_next(struct sq_plist *list, struct sq_arena *arena, bool *more,
              struct sq_span *key, struct sq_err *err) {
    *more = peek(list) != '}';
    if (!*more) {
        advance(list, 1);
        return true;
    }
    return take_string(list, arena, key, err) && take(list, '=', err);
}

bool
sq_plist_is_dictionary(struct sq_plist *list) {
    return peek(list) == '{';
}

bool
sq_plist_text(struct sq_plist *list, struct sq_arena *arena,
              struct sq_span *out, struct sq_err *err) {
    char next = peek(list);
    if (next && strchr("({<", next)) {
        *out = (struct sq_span){ 0 };
        return sq_plist_skip(list, err);
    }
    return take_string(list, arena, out, err) && take(list, ';', err);
}

bool
sq_plist_skip(struct sq_plist *list, struct sq_err *err) {
    return skip_value(list, err) && take(list, ';', err);
}

bool
sq_plist_end(struct sq_plist *list, struct sq_err *err) {
    return take(list, ';', err);
}
