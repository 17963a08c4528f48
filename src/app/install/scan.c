/* Scans JSON with comments and trailing commas. */
#include "app/install/scan.h"

#include <string.h>

#include "app/install/install.h"
#include "util/limits.h"

static bool scan_value(struct sq_scan *s, struct sq_err *err);

static bool
fail_here(const struct sq_scan *s, const char *what, struct sq_err *err) {
    return sq_install_fail_at(s->text, s->at, what, err);
}

char
sq_scan_peek(const struct sq_scan *s, size_t ahead) {
    return s->at + ahead < s->text.len ? s->text.ptr[s->at + ahead] : '\0';
}

static bool
skip_comment(struct sq_scan *s, struct sq_err *err) {
    size_t start = s->at;
    bool is_line = sq_scan_peek(s, 1) == '/';
    s->at += 2;
    while (s->at < s->text.len) {
        if (is_line && sq_scan_peek(s, 0) == '\n') {
            return true;
        }
        if (!is_line && sq_scan_peek(s, 0) == '*'
            && sq_scan_peek(s, 1) == '/') {
            s->at += 2;
            return true;
        }
        s->at++;
    }
    return is_line
        || sq_install_fail_at(s->text, start, "this comment is not closed",
                              err);
}

static bool
is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

bool
sq_scan_trivia(struct sq_scan *s, struct sq_err *err) {
    bool ok = true;
    while (ok && s->at < s->text.len) {
        if (is_space(sq_scan_peek(s, 0))) {
            s->at++;
        } else if (sq_scan_peek(s, 0) == '/'
                   && (sq_scan_peek(s, 1) == '/'
                       || sq_scan_peek(s, 1) == '*')) {
            ok = skip_comment(s, err);
        } else {
            break;
        }
    }
    return ok;
}

static bool
is_hex(char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f')
        || (byte >= 'A' && byte <= 'F');
}

static bool
scan_escape(struct sq_scan *s) {
    char kind = sq_scan_peek(s, 1);
    bool is_code = kind == 'u' && is_hex(sq_scan_peek(s, 2))
                && is_hex(sq_scan_peek(s, 3)) && is_hex(sq_scan_peek(s, 4))
                && is_hex(sq_scan_peek(s, 5));
    s->at += is_code ? 6 : 2;
    return is_code || (kind && strchr("\"\\/bfnrt", kind));
}

static bool
scan_string(struct sq_scan *s, struct sq_err *err) {
    size_t start = s->at++;
    while (s->at < s->text.len && sq_scan_peek(s, 0) != '"') {
        if ((unsigned char)sq_scan_peek(s, 0) < 0x20) {
            return fail_here(s, "control character or line break in a string",
                             err);
        }
        if (sq_scan_peek(s, 0) != '\\') {
            s->at++;
        } else if (!scan_escape(s)) {
            return fail_here(s, "unknown escape in a string", err);
        }
    }
    if (s->at >= s->text.len) {
        return sq_install_fail_at(s->text, start, "this string is not closed",
                                  err);
    }
    s->at++;
    return true;
}

/* Scans a number, true, false or null. */
static bool
scan_word(struct sq_scan *s, struct sq_err *err) {
    size_t start = s->at;
    while (s->at < s->text.len && !is_space(sq_scan_peek(s, 0))
           && !strchr(",:]}/\"[{", sq_scan_peek(s, 0))) {
        s->at++;
    }
    struct sq_span word = { s->text.ptr + start, s->at - start };
    double number;
    if (sq_span_is(word, "true") || sq_span_is(word, "false")
        || sq_span_is(word, "null") || sq_span_to_double(word, &number)) {
        return true;
    }
    return sq_install_fail_at(s->text, start, "expected a value", err);
}

static bool
enter(struct sq_scan *s, struct sq_err *err) {
    s->at++;
    return ++s->depth <= SQ_MAX_JSON_DEPTH
        || fail_here(s, "nested too deeply", err);
}

static bool
leave(struct sq_scan *s) {
    s->at++;
    s->depth--;
    return true;
}

/* Scans what follows a value: a comma, the closing byte or both. */
static bool
scan_separator(struct sq_scan *s, char close, size_t *comma,
               struct sq_err *err) {
    *comma = SQ_SCAN_NONE;
    if (!sq_scan_trivia(s, err)) {
        return false;
    }
    if (sq_scan_peek(s, 0) == ',') {
        *comma = s->at++;
        return sq_scan_trivia(s, err);
    }
    return sq_scan_peek(s, 0) == close
        || fail_here(s,
                     close == '}' ? "expected \",\" or \"}\""
                                  : "expected \",\" or \"]\"",
                     err);
}

static bool
scan_array(struct sq_scan *s, struct sq_err *err) {
    size_t comma;
    bool ok = enter(s, err) && sq_scan_trivia(s, err);
    while (ok && sq_scan_peek(s, 0) != ']') {
        ok = scan_value(s, err) && scan_separator(s, ']', &comma, err);
    }
    return ok && leave(s);
}

bool
sq_scan_member(struct sq_scan *s, struct sq_scan_member *member,
               struct sq_err *err) {
    if (sq_scan_peek(s, 0) != '"') {
        return fail_here(s, "expected a key in double quotes", err);
    }
    member->key = s->at;
    if (!scan_string(s, err) || !sq_scan_trivia(s, err)) {
        return false;
    }
    if (sq_scan_peek(s, 0) != ':') {
        return fail_here(s, "expected \":\"", err);
    }
    s->at++;
    if (!sq_scan_trivia(s, err)) {
        return false;
    }
    member->value = s->at;
    if (!scan_value(s, err)) {
        return false;
    }
    member->end = s->at;
    return scan_separator(s, '}', &member->comma, err);
}

static bool
is_key(const struct sq_scan *s, const struct sq_scan_member *member,
       const char *key) {
    size_t len = strlen(key);
    return s->text.len - member->key > len + 1
        && memcmp(s->text.ptr + member->key + 1, key, len) == 0
        && s->text.ptr[member->key + 1 + len] == '"';
}

bool
sq_scan_object(struct sq_scan *s, const char *key, struct sq_scan_object *out,
               struct sq_err *err) {
    *out = (struct sq_scan_object){ .open = s->at };
    out->last.key = out->found.key = out->before_found.key = SQ_SCAN_NONE;
    bool ok = enter(s, err) && sq_scan_trivia(s, err);
    while (ok && sq_scan_peek(s, 0) != '}') {
        struct sq_scan_member member = { 0 };
        ok = sq_scan_member(s, &member, err);
        if (ok && key && is_key(s, &member, key)) {
            if (out->found.key != SQ_SCAN_NONE) {
                return sq_install_fail_at(s->text, member.key, "duplicate key",
                                          err);
            }
            out->found = member;
            out->before_found = out->last;
        }
        out->last = member;
        out->count++;
    }
    out->close = s->at;
    return ok && leave(s);
}

static bool
scan_value(struct sq_scan *s, struct sq_err *err) {
    struct sq_scan_object ignored;
    switch (sq_scan_peek(s, 0)) {
    case '{':
        return sq_scan_object(s, NULL, &ignored, err);
    case '[':
        return scan_array(s, err);
    case '"':
        return scan_string(s, err);
    default:
        return scan_word(s, err);
    }
}

bool
sq_scan_has_newline(struct sq_span text, size_t from, size_t to) {
    return to > from && memchr(text.ptr + from, '\n', to - from);
}

size_t
sq_scan_end_of_line(struct sq_span text, size_t at) {
    struct sq_scan s = { .text = text, .at = at };
    struct sq_err ignored = { 0 };
    while (s.at < text.len && text.ptr[s.at] != '\n') {
        size_t before = s.at;
        if (sq_scan_peek(&s, 0) == '/' && sq_scan_peek(&s, 1) == '*') {
            if (!skip_comment(&s, &ignored)
                || sq_scan_has_newline(text, before, s.at)) {
                return at;
            }
        } else if (sq_scan_peek(&s, 0) == '/' && sq_scan_peek(&s, 1) == '/') {
            skip_comment(&s, &ignored);
        } else if (is_space(sq_scan_peek(&s, 0))) {
            s.at++;
        } else {
            return at;
        }
    }
    return s.at > at && text.ptr[s.at - 1] == '\r' ? s.at - 1 : s.at;
}
