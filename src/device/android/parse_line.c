/* Splits the output of Android's programs into lines and words. */
#include "device/android/parse_line.h"

#include <string.h>

static bool
is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9') || c == '_';
}

bool
sq_line_find(struct sq_span line, const char *word, struct sq_span *after) {
    size_t len = strlen(word);
    size_t at = 0;
    while (at + len <= line.len) {
        const char *hit = memchr(line.ptr + at, word[0], line.len - at);
        if (!hit) {
            return false;
        }
        at = (size_t)(hit - line.ptr);
        if (at + len <= line.len && memcmp(hit, word, len) == 0
            && (at == 0 || !is_word_char(word[0])
                || !is_word_char(line.ptr[at - 1]))) {
            *after = (struct sq_span){ hit + len, line.len - at - len };
            return true;
        }
        at++;
    }
    return false;
}

bool
sq_line_has(struct sq_span line, const char *word) {
    struct sq_span after;
    return sq_line_find(line, word, &after);
}

static bool
is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool
sq_line_take_word(struct sq_span *rest, struct sq_span *word) {
    size_t from = 0;
    while (from < rest->len && is_blank(rest->ptr[from])) {
        from++;
    }
    size_t to = from;
    while (to < rest->len && !is_blank(rest->ptr[to])) {
        to++;
    }
    if (to == from) {
        return false;
    }
    *word = (struct sq_span){ rest->ptr + from, to - from };
    *rest = (struct sq_span){ rest->ptr + to, rest->len - to };
    return true;
}

bool
sq_line_take(struct sq_span *rest, struct sq_span *line) {
    struct sq_span next;
    while (sq_span_take_line(rest, &next)) {
        next = sq_span_trim(next);
        if (next.len > 0) {
            *line = next;
            return true;
        }
    }
    return false;
}

/* Returns whether the line is the heading of a display, and its id. */
static bool
is_display_heading(struct sq_span line, int64_t *id) {
    return (sq_span_take_prefix(&line, "Display: mDisplayId=")
            || sq_span_take_prefix(&line, "Display #"))
        && sq_span_take_int64(&line, id);
}

bool
sq_line_take_default(struct sq_span *rest, bool *in_other_display,
                     struct sq_span *line) {
    struct sq_span next;
    while (sq_line_take(rest, &next)) {
        int64_t id;
        if (is_display_heading(next, &id)) {
            *in_other_display = id != 0;
        }
        if (!*in_other_display) {
            *line = next;
            return true;
        }
    }
    return false;
}
