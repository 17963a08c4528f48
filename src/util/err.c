/* Records errors and maps error codes to names. */
#include "util/err.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "util/utf8.h"

static const char *const names[] = {
    [SQ_ERR_NONE] = "none",
    [SQ_ERR_NOMEM] = "no_memory",
    [SQ_ERR_EXISTS] = "exists",
    [SQ_ERR_ARGUMENT] = "argument",
    [SQ_ERR_FORMAT] = "format",
    [SQ_ERR_TRUNCATED] = "truncated",
    [SQ_ERR_LIMIT] = "limit",
    [SQ_ERR_UNSUPPORTED] = "unsupported",
    [SQ_ERR_NOT_FOUND] = "not_found",
    [SQ_ERR_IO] = "io",
    [SQ_ERR_TIMEOUT] = "timeout",
    [SQ_ERR_CANCELLED] = "cancelled",
    [SQ_ERR_EXHAUSTED] = "exhausted",
    [SQ_ERR_INVALID_OPERATION] = "invalid_operation",
    [SQ_ERR_NO_DEVICES] = "no_devices",
    [SQ_ERR_MULTIPLE_DEVICES] = "multiple_devices",
    [SQ_ERR_DEVICE_NOT_FOUND] = "device_not_found",
    [SQ_ERR_DEVICE_OFFLINE] = "device_offline",
    [SQ_ERR_PACKAGE_NOT_FOUND] = "package_not_found",
    [SQ_ERR_SCREENSHOT_FAILED] = "screenshot_failed",
    [SQ_ERR_SECURE_SCREEN] = "secure_screen",
    [SQ_ERR_ELEMENT_NOT_FOUND] = "element_not_found",
    [SQ_ERR_AMBIGUOUS_MATCH] = "ambiguous_match",
    [SQ_ERR_AMBIGUOUS_FRAME] = "ambiguous_frame",
    [SQ_ERR_STALE_ELEMENT] = "stale_element",
    [SQ_ERR_STALE_SCREENSHOT] = "stale_screenshot",
    [SQ_ERR_UNKNOWN_SCREENSHOT] = "unknown_screenshot",
    [SQ_ERR_HELD] = "held",
    [SQ_ERR_REFUSED] = "refused",
};

static _Atomic(sq_name_for_person *) name_for_person;

void
sq_set_reader(sq_name_for_person *name) {
    atomic_store(&name_for_person, name);
}

bool
sq_reader_is_person(void) {
    return atomic_load(&name_for_person) != NULL;
}

/* Returns the length of a name; a dot at its end is not in it. */
static size_t
name_len(const char *text) {
    size_t len = 0;
    while (isalnum((unsigned char)text[len]) || text[len] == '_'
           || (text[len] == '.' && isalnum((unsigned char)text[len + 1]))) {
        len++;
    }
    return len;
}

/*
 * Writes the value after an option: `: true` and `: false` as nothing, `: 2`
 * and `: "back"` as a word. Returns how much of the text it is.
 */
static size_t
put_value(const char *text, char *out, size_t size) {
    if (strncmp(text, ": true", 6) == 0 || strncmp(text, ": false", 7) == 0) {
        return text[2] == 't' ? 6 : 7;
    }
    if (strncmp(text, ": ", 2) != 0) {
        return 0;
    }
    bool is_quoted = text[2] == '"';
    const char *value = text + (is_quoted ? 3 : 2);
    size_t len = strcspn(value, "\"");
    if (!is_quoted) {
        len = strspn(value, "0123456789.");
        len -= len > 0 && value[len - 1] == '.';
    }
    if (len == 0 || (is_quoted && !value[len])) {
        return 0;
    }
    snprintf(out, size, " %.*s", (int)len, value);
    return (size_t)(value - text) + len + is_quoted;
}

/* Writes a marked name; returns how much of the text it is, with its value. */
static size_t
put_name(const char *text, size_t len, char *out, size_t size) {
    sq_name_for_person *name = atomic_load(&name_for_person);
    bool is_off = strncmp(text + len, ": false", 7) == 0;
    if (!name || !name(text, len, is_off, out, size)) {
        snprintf(out, size, "%.*s", (int)len, text);
        return len;
    }
    size_t used = strlen(out);
    return len + put_value(text + len, out + used, size - used);
}

/* Writes the words for the reader of "{client|person}"; 0 if it is not one. */
static size_t
put_choice(const char *text, char *out, size_t size) {
    size_t middle = strcspn(text, "|");
    size_t end = middle + strcspn(text + middle, "}");
    if (text[0] != '{' || !text[end]) {
        return 0;
    }
    bool is_person = sq_reader_is_person();
    const char *from = is_person ? text + middle + 1 : text + 1;
    size_t len = is_person ? end - middle - 1 : middle - 1;
    snprintf(out, size, "%.*s", (int)len, from);
    return end + 1;
}

const char *
sq_marked(const char *text, char out[SQ_MARKED_SIZE]) {
    size_t used = 0;
    if (!strchr(text, '$')) {
        return text;
    }
    while (*text && used < SQ_MARKED_SIZE - 1) {
        size_t len = *text == '$' ? name_len(text + 1) : 0;
        size_t size = SQ_MARKED_SIZE - used;
        size_t taken = len > 0      ? put_name(text + 1, len, out + used, size)
                     : *text == '$' ? put_choice(text + 1, out + used, size)
                                    : 0;
        if (taken == 0) {
            out[used++] = *text++;
        } else {
            used += strlen(out + used);
            text += 1 + taken;
        }
    }
    out[used] = '\0';
    return out;
}

/* Removes the start of a character that was cut off at the end of a text. */
static void
drop_part(char *text) {
    size_t len = strlen(text);
    size_t start = len;
    while (start > 0 && len - start < SQ_UTF8_MAX
           && sq_utf8_is_continuation(text[start - 1])) {
        start--;
    }
    start -= start > 0;
    const struct sq_span last = { text + start, len - start };
    if (sq_utf8_valid_len(last) == 0) {
        text[start] = '\0';
    }
}

bool
sq_err_set(struct sq_err *err, enum sq_err_code code, const char *format, ...) {
    if (err) {
        char marked[SQ_MARKED_SIZE];
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof(err->message), sq_marked(format, marked),
                  args);
        va_end(args);
        drop_part(err->message);
        err->code = code;
        err->hint[0] = '\0';
        err->quotes = false;
        err->cause = 0;
    }
    return false;
}

bool
sq_err_set_quotes(struct sq_err *err) {
    if (err) {
        err->quotes = true;
    }
    return false;
}

/* A mark '@' of a format, until the values are inserted. */
#define FORMAT_MARK '\x01'

static size_t
count_marks(const char *text) {
    size_t count = 0;
    while ((text = strchr(text, FORMAT_MARK))) {
        count++;
        text++;
    }
    return count;
}

/*
 * Writes '@' for the marks of the format. One of a value that a name follows
 * becomes "\\@", which is no mark. If a value contains FORMAT_MARK, no mark
 * counts.
 */
static void
put_marks(const char *text, bool has_marks, char out[SQ_ERR_HINT_SIZE]) {
    size_t used = 0;
    for (; *text && used + 2 < SQ_ERR_HINT_SIZE; text++) {
        if (*text == FORMAT_MARK && !has_marks) {
            continue;
        }
        if (*text == '@' && isalpha((unsigned char)text[1])) {
            out[used++] = '\\';
        }
        out[used++] = *text == FORMAT_MARK ? '@' : *text;
    }
    out[used] = '\0';
}

/* Returns a copy of the format, in out, with other marks. */
static const char *mark_format(const char *format, char out[SQ_MARKED_SIZE])
    __attribute__((format_arg(1)));

static const char *
mark_format(const char *format, char out[SQ_MARKED_SIZE]) {
    char marked[SQ_MARKED_SIZE];
    snprintf(out, SQ_MARKED_SIZE, "%s", sq_marked(format, marked));
    for (char *at = out; (at = strchr(at, '@')); at++) {
        *at = FORMAT_MARK;
    }
    return out;
}

/*
 * The names of operations are marked with '@' (tools/offer.h), which counts
 * only in the format, unless that is "%s", which takes over a hint or a
 * constant.
 */
static void print_hint(char out[SQ_ERR_HINT_SIZE], const char *format,
                       va_list args) __attribute__((format(printf, 2, 0)));

static void
print_hint(char out[SQ_ERR_HINT_SIZE], const char *format, va_list args) {
    char own[SQ_MARKED_SIZE];
    char text[SQ_MARKED_SIZE];
    if (strcmp(format, "%s") == 0) {
        vsnprintf(out, SQ_ERR_HINT_SIZE, format, args);
        return;
    }
    vsnprintf(text, sizeof(text), mark_format(format, own), args);
    put_marks(text, count_marks(text) <= count_marks(own), out);
}

bool
sq_err_set_hint(struct sq_err *err, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        print_hint(err->hint, format, args);
        va_end(args);
        drop_part(err->hint);
    }
    return false;
}

bool
sq_err_set_cause(struct sq_err *err, int cause) {
    if (err) {
        err->cause = cause;
    }
    return false;
}

bool
sq_err_copy(struct sq_err *err, const struct sq_err *other) {
    if (err) {
        *err = *other;
    }
    return false;
}

bool
sq_err_set_context(struct sq_err *err, const char *format, ...) {
    if (err) {
        char old[sizeof(err->message)];
        memcpy(old, err->message, sizeof(old));
        va_list args;
        va_start(args, format);
        char marked[SQ_MARKED_SIZE];
        int used = vsnprintf(err->message, sizeof(err->message),
                             sq_marked(format, marked), args);
        va_end(args);
        int capacity = (int)sizeof(err->message) - used;
        if (used >= 0 && capacity > 0) {
            /* If both together are too long, the end is truncated. */
            snprintf(err->message + used, (size_t)capacity, ": %.*s", capacity,
                     old);
        }
        drop_part(err->message);
    }
    return false;
}

const char *
sq_err_name(enum sq_err_code code) {
    return names[code];
}
