/* Removes what looks like a secret from lines of a log. */
#include "tools/device/redact.h"

#include <string.h>

/* Words whose value is a secret. A value follows "=", ":" or a blank. */
static const char *const words[] = {
    "password", "passwd",     "passphrase", "secret",     "token",
    "bearer",   "apikey",     "api_key",    "api-key",    "authorization",
    "cookie",   "session_id", "sessionid",  "access_key", "private_key",
};
#define WORDS (SQ_COUNT(words))

static bool
starts_with_word(struct sq_span text, const char *word) {
    size_t len = strlen(word);
    bool same = text.len >= len;
    for (size_t i = 0; same && i < len; i++) {
        same = sq_ascii_lower(text.ptr[i]) == word[i];
    }
    return same;
}

/* Returns the length of a secret's name at the start; 0: none. */
static size_t
name_len(struct sq_span text) {
    for (size_t i = 0; i < WORDS; i++) {
        if (starts_with_word(text, words[i])) {
            return strlen(words[i]);
        }
    }
    return 0;
}

/* Returns how many of these bytes the text starts with. */
static size_t
skip(struct sq_span text, const char *bytes) {
    size_t len = 0;
    while (len < text.len && text.ptr[len] && strchr(bytes, text.ptr[len])) {
        len++;
    }
    return len;
}

static size_t
value_len(struct sq_span text) {
    size_t len = 0;
    while (len < text.len
           && !(text.ptr[len] && strchr(" \t,;&\"')}]", text.ptr[len]))) {
        len++;
    }
    return len;
}

static struct sq_span
from(struct sq_span text, size_t at) {
    return (struct sq_span){ text.ptr + at, text.len - at };
}

/*
 * Returns where the value of a secret begins, if its name is at the start and a
 * separator follows; else 0. "Authorization: Bearer X" has two names.
 */
static size_t
value_start(struct sq_span text) {
    size_t name = name_len(text);
    size_t gap = name ? skip(from(text, name), "\"'=: ") : 0;
    if (gap == 0) {
        return 0;
    }
    size_t next = value_start(from(text, name + gap));
    return name + gap + next;
}

bool
sq_redact_line(struct sq_buf *out, struct sq_span line, struct sq_err *err) {
    static const char mark[] = "[redacted]";
    bool ok = true;
    while (ok && line.len > 0) {
        size_t start = value_start(line);
        size_t len = start ? value_len(from(line, start)) : 0;
        if (len == 0) {
            ok = sq_buf_append(out, line.ptr, 1, err);
            line = from(line, 1);
            continue;
        }
        ok = sq_buf_append(out, line.ptr, start, err)
          && sq_buf_append(out, mark, sizeof(mark) - 1, err);
        line = from(line, start + len);
    }
    return ok;
}
