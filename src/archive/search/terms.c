/* Splits text into folded words and sequences of them; compares words. */
#include "archive/search/terms.h"

#include <string.h>

#include "util/utf8.h"
#include "vision/match.h"

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
    for (size_t i = 0; i < SQ_COUNT(separators); i++) {
        if (code >= separators[i].first && code <= separators[i].last) {
            return false;
        }
    }
    return true;
}

/* Marks are U+E000 and the sign of ASCII; this one stands for all others. */
#define FIRST_MARK 0xe000
#define OTHER_MARK 0xe080
#define MARK_LEAD '\xee' /* the first byte of each mark, and of no word */

/* A gap of less than this part of the height is no space between words. */
#define SPACE_PART 5

/* The sequence at the end of the output, while it grows. */
struct folder {
    struct sq_buf *out;
    size_t len;                          /* bytes of its last word; 0: none */
    uint32_t marks[SQ_SEARCH_MAX_MARKS]; /* after that word, not written yet */
    size_t mark_count;
    uint32_t last; /* character of the last word */
};

static bool
is_digit(uint32_t code) {
    return code >= '0' && code <= '9';
}

static uint32_t
mark_of(uint32_t code) {
    bool is_ascii = code > ' ' && code < 0x7f;
    bool is_mark = code > FIRST_MARK + ' ' && code < FIRST_MARK + 0x7f;
    return is_ascii ? FIRST_MARK + code : is_mark ? code : OTHER_MARK;
}

bool
sq_search_is_mark(const char *byte) {
    return *byte == MARK_LEAD;
}

static bool
put_space(struct folder *f, struct sq_err *err) {
    bool is_open = f->len > 0;
    f->len = 0;
    f->mark_count = 0;
    return !is_open || sq_buf_append(f->out, " ", 1, err);
}

/* Writes the marks between the last word and one that starts with code. */
static bool
put_marks(struct folder *f, uint32_t code, struct sq_err *err) {
    bool ok = true;
    bool is_number = f->mark_count == 1 && is_digit(f->last) && is_digit(code);
    for (size_t i = 0; ok && i < f->mark_count; i++) {
        char bytes[SQ_UTF8_MAX];
        bool is_comma = f->marks[i] == FIRST_MARK + ',';
        size_t len = sq_utf8_encode(
            is_number && is_comma ? FIRST_MARK + '.' : f->marks[i], bytes);
        ok = sq_buf_append(f->out, bytes, len, err);
    }
    f->len = f->mark_count ? 0 : f->len;
    f->mark_count = 0;
    return ok;
}

static bool
put_code(struct folder *f, uint32_t code, struct sq_err *err) {
    if (is_of_word(code)) {
        char bytes[SQ_UTF8_MAX];
        size_t len = sq_utf8_encode(code, bytes);
        if (!put_marks(f, code, err)) {
            return false;
        }
        if (f->len + len > SQ_SEARCH_WORD_BYTES) {
            return true;
        }
        f->len += len;
        f->last = code;
        return sq_buf_append(f->out, bytes, len, err);
    }
    if (code < ' ' || (code >= 0x7f && code <= 0xa0)) {
        return put_space(f, err);
    }
    if (f->len > 0 && f->mark_count < SQ_SEARCH_MAX_MARKS) {
        f->marks[f->mark_count++] = mark_of(code);
    }
    return true;
}

/* Writes the letters and digits at the start that stay as they are. */
static bool
put_plain(struct folder *f, struct sq_span *text, struct sq_err *err) {
    size_t len = 0;
    while (len < text->len && (uint8_t)text->ptr[len] < 0x80
           && is_of_word((uint8_t)text->ptr[len])) {
        len++;
    }
    if (len == 0) {
        return true;
    }
    const char *start = text->ptr;
    sq_span_skip(text, len);
    if (!put_marks(f, (uint8_t)start[0], err)) {
        return false;
    }
    size_t room = SQ_SEARCH_WORD_BYTES - f->len;
    len = len < room ? len : room;
    f->len += len;
    f->last = len > 0 ? (uint8_t)start[len - 1] : f->last;
    return sq_buf_append(f->out, start, len, err);
}

static bool
put_text(struct folder *f, struct sq_span text, struct sq_err *err) {
    bool ok = true;
    while ((ok = ok && put_plain(f, &text, err)) && text.len) {
        uint32_t code;
        uint32_t folded[SQ_FOLD_MAX];
        size_t used = sq_utf8_decode(text, &code);
        int count = used ? sq_fold(code, folded) : 0;
        sq_span_skip(&text, used ? used : 1);
        ok = count > 0 || put_space(f, err);
        for (int i = 0; ok && i < count; i++) {
            ok = put_code(f, folded[i], err);
        }
    }
    return ok;
}

bool
sq_search_fold(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    struct folder f = { .out = out };
    return put_text(&f, text, err) && put_space(&f, err);
}

static bool
is_sign(char byte) {
    unsigned char c = (unsigned char)byte;
    return c < 0x80 && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z')
        && !(c >= 'A' && c <= 'Z');
}

/* Returns whether two words of a line are one, separated at a sign. */
static bool
is_joined(const struct sq_word *a, const struct sq_word *b) {
    int gap = b->box.left - a->box.right;
    int height = a->box.bottom - a->box.top;
    return gap * SPACE_PART < height
        && ((a->text.len && is_sign(a->text.ptr[a->text.len - 1]))
            || (b->text.len && is_sign(b->text.ptr[0])));
}

bool
sq_search_fold_line(const struct sq_words_of_line *words, struct sq_buf *out,
                    size_t *starts, struct sq_err *err) {
    struct folder f = { .out = out };
    bool ok = true;
    for (int i = 0; ok && i < words->count; i++) {
        const struct sq_word *word = &words->items[i];
        ok = (i > 0 && is_joined(word - 1, word)) || put_space(&f, err);
        if (starts) {
            starts[i] = out->len;
        }
        ok = ok && put_text(&f, word->text, err);
    }
    return ok && put_space(&f, err);
}

bool
sq_search_next_sequence(struct sq_span *folded, struct sq_span *sequence) {
    return sq_span_take_until(folded, ' ', sequence);
}

/* Returns where the word at an offset ends. */
static size_t
end_of_word(struct sq_span sequence, size_t at) {
    while (at < sequence.len && sequence.ptr[at] != MARK_LEAD) {
        at++;
    }
    return at;
}

/* Returns where the marks at an offset end. */
static size_t
end_of_marks(struct sq_span sequence, size_t at) {
    while (at + SQ_SEARCH_MARK_BYTES <= sequence.len
           && sequence.ptr[at] == MARK_LEAD) {
        at += SQ_SEARCH_MARK_BYTES;
    }
    return at;
}

static struct sq_span
skip(struct sq_span text, size_t bytes) {
    return (struct sq_span){ text.ptr + bytes, text.len - bytes };
}

bool
sq_search_next_word(struct sq_span *sequence, struct sq_span *word) {
    size_t len = end_of_word(*sequence, 0);
    *word = (struct sq_span){ sequence->ptr, len };
    *sequence = skip(*sequence, end_of_marks(*sequence, len));
    return word->len > 0;
}

bool
sq_search_next_pair(struct sq_span *sequence, struct sq_span *pair) {
    size_t second = end_of_marks(*sequence, end_of_word(*sequence, 0));
    if (second >= sequence->len) {
        return false;
    }
    *pair = (struct sq_span){ sequence->ptr, end_of_word(*sequence, second) };
    *sequence = skip(*sequence, second);
    return true;
}

static size_t
count_digits(struct sq_span text, size_t at) {
    size_t count = 0;
    while (at + count < text.len && is_digit((uint8_t)text.ptr[at + count])) {
        count++;
    }
    return count;
}

size_t
sq_search_group(struct sq_span word, size_t grouping,
                char out[SQ_SEARCH_GROUPED_BYTES]) {
    static const uint32_t signs[SQ_SEARCH_GROUPINGS] = { '.', '\'' };
    size_t len = 0;
    if (word.len < 4 || word.len > SQ_SEARCH_WORD_BYTES || word.ptr[0] == '0'
        || count_digits(word, 0) < word.len) {
        return 0;
    }
    for (size_t i = 0; i < word.len; i++) {
        if (i > 0 && (word.len - i) % 3 == 0) {
            len += sq_utf8_encode(FIRST_MARK + signs[grouping], out + len);
        }
        out[len++] = word.ptr[i];
    }
    return len;
}

/* Returns how many digits follow the marks at an offset; 0: no mark is there.
 */
static size_t
count_decimals(struct sq_span text, size_t at) {
    size_t digits = end_of_marks(text, at);
    return digits > at ? count_digits(text, digits) : 0;
}

bool
sq_search_is_number(struct sq_span folded, size_t at, size_t len) {
    size_t before = at;
    while (before >= SQ_SEARCH_MARK_BYTES
           && folded.ptr[before - SQ_SEARCH_MARK_BYTES] == MARK_LEAD) {
        before -= SQ_SEARCH_MARK_BYTES;
    }
    bool is_start =
        at == 0 || folded.ptr[at - 1] == ' '
        || (before < at
            && (before == 0 || !is_digit((uint8_t)folded.ptr[before - 1])));
    size_t end = at + len;
    bool is_end = end >= folded.len || folded.ptr[end] == ' '
               || folded.ptr[end] == MARK_LEAD;
    size_t decimals = is_end ? count_decimals(folded, end) : 0;
    size_t last = end_of_marks(folded, end) + decimals;
    return is_start && is_end && decimals != 3
        && (decimals == 0 || count_decimals(folded, last) == 0);
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

/* Adds a term that the arena owns, unless it is there. */
static bool
add_term(struct sq_span term, bool is_exact, struct sq_search_terms *out,
         struct sq_err *err) {
    if (has_term(out, term)) {
        return true;
    }
    if (out->count == SQ_SEARCH_MAX_TERMS) {
        sq_fail(err, SQ_ERR_ARGUMENT, "text has more than %d words",
                SQ_SEARCH_MAX_TERMS);
        return sq_fail_hint(err, "Give only the words that matter.");
    }
    out->exact |= (unsigned)is_exact << out->count;
    out->items[out->count++] = term;
    return true;
}

/* Adds the sequences of a text, or all of it as one phrase. */
static bool
add_terms(struct sq_span text, bool is_phrase, struct sq_arena *arena,
          struct sq_search_terms *out, struct sq_err *err) {
    struct sq_span word;
    SQ_BUF(folded, (size_t)SQ_SEARCH_TEXT_BYTES * 8);
    struct sq_span kept = { 0 };
    bool ok = sq_search_fold(text, &folded, err);
    if (ok) {
        kept = sq_buf_span(&folded);
        ok = sq_arena_keep(arena, &kept, err);
    }
    if (ok && is_phrase && kept.len > 0) {
        kept.len--; /* the space at its end */
        return add_term(kept, true, out, err);
    }
    while (ok && sq_search_next_sequence(&kept, &word)) {
        ok = add_term(word, false, out, err);
    }
    return ok;
}

static bool
fail_empty(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "${text|TEXT} has no letters or digits");
    return sq_fail_hint(err, "Give one or more words, or parts of words, "
                             "that were on the screen.");
}

bool
sq_search_terms_read(struct sq_span text, struct sq_arena *arena,
                     struct sq_search_terms *out, struct sq_err *err) {
    *out = (struct sq_search_terms){ 0 };
    return add_terms(text, false, arena, out, err)
        && (out->count > 0 || fail_empty(err));
}

/* Returns the bytes of the quotation mark at the start of a text; 0: none. */
static size_t
quote_len(struct sq_span text) {
    static const char *const quotes[] = { "\"", "\xe2\x80\x9c", "\xe2\x80\x9d",
                                          "\xe2\x80\x9e" };
    for (size_t i = 0; i < SQ_COUNT(quotes); i++) {
        size_t len = strlen(quotes[i]);
        if (text.len >= len && memcmp(text.ptr, quotes[i], len) == 0) {
            return len;
        }
    }
    return 0;
}

static bool
is_space(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* A part of a query. */
struct piece {
    struct sq_span text;
    bool is_phrase;
    bool is_unwanted;
};

/* Takes the next word or phrase of a query; false after the last. */
static bool
take_piece(struct sq_span *rest, struct piece *out) {
    *rest = sq_span_trim(*rest);
    *out = (struct piece){ 0 };
    if (rest->len == 0) {
        return false;
    }
    if (rest->len > 1 && rest->ptr[0] == '-' && !is_space(rest->ptr[1])) {
        out->is_unwanted = true;
        *rest = skip(*rest, 1);
    }
    size_t open = quote_len(*rest);
    struct sq_span inside = skip(*rest, open);
    /* Where the next quotation mark is; the length if there is none. */
    size_t end = 0;
    while (end < inside.len && quote_len(skip(inside, end)) == 0) {
        end++;
    }
    if (open > 0 && end < inside.len) {
        out->is_phrase = true;
        out->text = (struct sq_span){ inside.ptr, end };
        *rest = skip(inside, end);
        *rest = skip(*rest, quote_len(*rest));
        return true;
    }
    /* Until a space, or a quotation mark that is not the first. */
    size_t len = open;
    while (len < rest->len && !is_space(rest->ptr[len])
           && quote_len(skip(*rest, len)) == 0) {
        len++;
    }
    out->text = (struct sq_span){ rest->ptr, len };
    *rest = skip(*rest, len);
    return true;
}

bool
sq_search_query_read(struct sq_span text, struct sq_arena *arena,
                     struct sq_search_query *out, struct sq_err *err) {
    struct sq_span rest = text;
    struct piece piece;
    bool ok = true;
    *out = (struct sq_search_query){ 0 };
    while (ok && take_piece(&rest, &piece)) {
        ok = add_terms(piece.text, piece.is_phrase, arena,
                       piece.is_unwanted ? &out->unwanted : &out->wanted, err);
    }
    out->unwanted.exact = ~0U;
    return ok
        && (text.len == 0 || out->wanted.count + out->unwanted.count > 0
            || fail_empty(err));
}

/* Characters of one row are easily confused. */
static const char *const confused[] = { "il1jt7", "o0qcd", "s5", "b8h", "6bg",
                                        "z2",     "g9qy",  "uv", "ceo", "nhr",
                                        "ae",     "tf",    "vy", "a4",  "mn" };

/* Two characters that are taken for one. */
static const struct {
    const char *two;
    char one;
} joined[] = {
    { "rn", 'm' }, { "nn", 'm' }, { "vv", 'w' }, { "cl", 'd' }, { "ii", 'u' },
    { "li", 'h' }, { "lo", 'b' }, { "ri", 'n' }, { "ci", 'a' },
};

struct letters {
    uint32_t codes[SQ_SEARCH_WORD_BYTES];
    size_t count;
};

static struct letters
letters_of(struct sq_span word) {
    struct letters letters = { .count = 0 };
    uint32_t code;
    size_t used;
    while (letters.count < SQ_SEARCH_WORD_BYTES
           && (used = sq_utf8_decode(word, &code)) > 0) {
        letters.codes[letters.count++] = code;
        sq_span_skip(&word, used);
    }
    return letters;
}

static bool
is_confused(uint32_t a, uint32_t b) {
    for (size_t i = 0; i < SQ_COUNT(confused); i++) {
        if (a < 0x80 && b < 0x80 && strchr(confused[i], (int)a)
            && strchr(confused[i], (int)b)) {
            return true;
        }
    }
    return false;
}

static bool
looks_like_one(const uint32_t two[2], uint32_t one) {
    for (size_t i = 0; i < SQ_COUNT(joined); i++) {
        if (two[0] == (uint32_t)joined[i].two[0]
            && two[1] == (uint32_t)joined[i].two[1]
            && one == (uint32_t)joined[i].one) {
            return true;
        }
    }
    return false;
}

/* Compares what differs between two words: a has at least as many. */
static bool
is_close(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count,
         enum sq_search_misread how) {
    if (a_count == 1 && b_count == 1) {
        return !(is_digit(a[0]) && is_digit(b[0]))
            && (how == SQ_SEARCH_ONE_OFF || is_confused(a[0], b[0]));
    }
    if (a_count == 1 && b_count == 0) {
        return how == SQ_SEARCH_ONE_OFF && !is_digit(a[0]);
    }
    return a_count == 2 && b_count == 1 && looks_like_one(a, b[0]);
}

bool
sq_search_is_misread(struct sq_span wanted, struct sq_span word,
                     enum sq_search_misread how) {
    if (how == SQ_SEARCH_AS_IT_IS || wanted.len > word.len + 4
        || word.len > wanted.len + 4) {
        return false;
    }
    const struct letters a = letters_of(wanted);
    const struct letters b = letters_of(word);
    size_t least = a.count < b.count ? a.count : b.count;
    size_t start = 0;
    size_t end = 0;
    while (start < least && a.codes[start] == b.codes[start]) {
        start++;
    }
    while (end < least - start
           && a.codes[a.count - 1 - end] == b.codes[b.count - 1 - end]) {
        end++;
    }
    size_t a_rest = a.count - start - end;
    size_t b_rest = b.count - start - end;
    return a.count >= SQ_SEARCH_MISREAD_MIN
        && (a_rest >= b_rest ? is_close(a.codes + start, a_rest,
                                        b.codes + start, b_rest, how)
                             : is_close(b.codes + start, b_rest,
                                        a.codes + start, a_rest, how));
}

bool
sq_search_may_be_misread(const struct sq_search_terms *terms, size_t index) {
    struct sq_span term = terms->items[index];
    struct sq_span rest = term;
    struct sq_span word;
    return !(terms->exact & 1U << index) && sq_search_next_word(&rest, &word)
        && word.len == term.len && sq_utf8_count(term) >= SQ_SEARCH_MISREAD_MIN;
}
