/* Splits text into folded words. */
#include "archive/search/terms.h"

#include <string.h>

#include "util/utf8.h"
#include "vision/fold.h"

/* Ranges of characters above ASCII that separate words. */
static const struct {
    uint32_t first;
    uint32_t last;
} separators[] = {
    { 0x80, 0xa9 },     { 0xab, 0xb4 },     { 0xb6, 0xb9 },
    { 0xbb, 0xbf },     { 0xd7, 0xd7 },     { 0xf7, 0xf7 },
    { 0x2000, 0x206f }, { 0x20a0, 0x20cf }, { 0x2190, 0x2bff },
    { 0x3000, 0x303f }, { 0xe000, 0xf8ff }, { 0xfe00, 0xfe0f },
    { 0xff00, 0xff0f }, { 0xfff0, 0xffff },
};

static bool
is_of_word(uint32_t code) {
    if (code < 0x80) {
        return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9');
    }
    for (size_t i = 0; i < sizeof(separators) / sizeof(separators[0]); i++) {
        if (code >= separators[i].first && code <= separators[i].last) {
            return false;
        }
    }
    return true;
}

/* The word at the end of the output, while it grows. */
struct writer {
    struct sq_buf *out;
    size_t len; /* bytes of the word; 0: none is open */
};

static bool
end_word(struct writer *w, struct sq_err *err) {
    bool is_open = w->len > 0;
    w->len = 0;
    return !is_open || sq_buf_append(w->out, " ", 1, err);
}

static bool
put_code(struct writer *w, uint32_t code, struct sq_err *err) {
    char bytes[SQ_UTF8_MAX];
    if (!is_of_word(code)) {
        return end_word(w, err);
    }
    size_t len = sq_utf8_encode(code, bytes);
    if (w->len + len > SQ_SEARCH_WORD_BYTES) {
        return true;
    }
    w->len += len;
    return sq_buf_append(w->out, bytes, len, err);
}

bool
sq_search_fold(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct writer w = { .out = out };
    bool ok = true;
    while (ok && text.len) {
        uint32_t code;
        uint32_t folded[SQ_FOLD_MAX];
        size_t used = sq_utf8_decode(text, &code);
        int count = used ? sq_fold(code, folded) : 0;
        text.ptr += used ? used : 1;
        text.len -= used ? used : 1;
        ok = count > 0 || end_word(&w, err);
        for (int i = 0; ok && i < count; i++) {
            ok = put_code(&w, folded[i], err);
        }
    }
    return ok && end_word(&w, err);
}

bool
sq_search_next_word(struct sq_span *folded, struct sq_span *word) {
    return sq_span_take_until(folded, ' ', word);
}

bool
sq_search_has_part(struct sq_span word, struct sq_span part) {
    for (size_t i = 0; i + part.len <= word.len; i++) {
        if (memcmp(word.ptr + i, part.ptr, part.len) == 0) {
            return true;
        }
    }
    return false;
}

static bool
has_term(const struct sq_search_terms *terms, struct sq_span word) {
    for (size_t i = 0; i < terms->count; i++) {
        if (sq_span_equal(terms->items[i], word)) {
            return true;
        }
    }
    return false;
}

/* Collects the words of folded text that the arena owns. */
static bool
collect(struct sq_span folded, struct sq_search_terms *out,
        struct sq_err *err) {
    struct sq_span word;
    while (sq_search_next_word(&folded, &word)) {
        if (has_term(out, word)) {
            continue;
        }
        if (out->count == SQ_SEARCH_MAX_TERMS) {
            sq_fail(err, SQ_ERR_ARGUMENT, "text has more than %d words",
                    SQ_SEARCH_MAX_TERMS);
            return sq_fail_hint(err, "Give only the words that matter.");
        }
        out->items[out->count++] = word;
    }
    if (out->count > 0) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "text has no letters or digits");
    return sq_fail_hint(err, "Give one or more words, or parts of words, "
                             "that were on the screen.");
}

bool
sq_search_terms_read(struct sq_span text, struct sq_arena *arena,
                     struct sq_search_terms *out, struct sq_err *err) {
    struct sq_buf folded;
    *out = (struct sq_search_terms){ 0 };
    sq_buf_init(&folded, (size_t)SQ_SEARCH_TEXT_BYTES * 8);
    struct sq_span kept = { 0 };
    bool ok = sq_search_fold(text, &folded, err);
    if (ok) {
        kept = sq_buf_span(&folded);
        ok = sq_arena_keep(arena, &kept, err);
    }
    sq_buf_finish(&folded);
    return ok && collect(kept, out, err);
}
