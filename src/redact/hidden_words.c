/* Joins the pieces of rows of text and applies the text rules to them. */
#include "redact/redact.h"

#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"

#define MAX_ROW_TEXT ((size_t)1 << 20)

/* Pieces further apart than this many heights are different rows. */
#define ROW_GAP 4

/* A gap of less than this part of the height is no space between words. */
#define SPACE_PART 5

/* Parts of a number or key are at most this many heights apart. */
#define TOKEN_GAP 2

/* Short words lower than this part of their row are pieces of letters. */
#define CRUMB_PART 3
#define CRUMB_LETTERS 2

/* A word with fewer may be a frame or an icon, whose height says nothing. */
#define MIN_LETTERS 2

void
sq_row_words_finish(struct sq_row_words *words) {
    sq_mem_free(words->items);
    *words = (struct sq_row_words){ 0 };
}

static const struct sq_word *
word_of(const struct sq_text *text, const struct sq_row_word *at) {
    return &text->lines[at->line].words.items[at->index];
}

/* Returns whether a line continues a row, left or right of it. */
static bool
is_in_row(struct sq_rect row, struct sq_rect line) {
    int shared =
        sq_min_int(row.bottom, line.bottom) - sq_max_int(row.top, line.top);
    int height = sq_min_int(sq_rect_height(row), sq_rect_height(line));
    int gap = sq_max_int(line.left - row.right, row.left - line.right);
    return 2 * shared >= height && gap <= ROW_GAP * height;
}

/* Adds the words of a line, and keeps those of its row sorted by place. */
static void
add_line(const struct sq_text *text, int line, int row, size_t row_start,
         struct sq_row_words *out) {
    for (int i = 0; i < text->lines[line].words.count; i++) {
        const struct sq_row_word word = { line, i, row, false };
        int left = word_of(text, &word)->box.left;
        size_t at = out->count++;
        while (at > row_start
               && word_of(text, &out->items[at - 1])->box.left > left) {
            out->items[at] = out->items[at - 1];
            at--;
        }
        out->items[at] = word;
    }
}

/* Adds all lines of the row that a line begins. */
static void
add_row(const struct sq_text *text, int first, int row, bool *taken,
        struct sq_row_words *out) {
    struct sq_rect box = text->lines[first].box;
    size_t start = out->count;
    bool is_more = true;
    taken[first] = true;
    add_line(text, first, row, start, out);
    while (is_more) {
        is_more = false;
        for (int i = 0; i < text->count; i++) {
            const struct sq_text_line *line = &text->lines[i];
            if (taken[i] || !line->words.count || !is_in_row(box, line->box)) {
                continue;
            }
            taken[i] = is_more = true;
            box.left = sq_min_int(box.left, line->box.left);
            box.right = sq_max_int(box.right, line->box.right);
            add_line(text, i, row, start, out);
        }
    }
}

static bool
is_alnum(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z');
}

/*
 * Returns whether a word has a digit, a capital after a small letter, or only
 * capitals, as parts of keys have.
 */
static bool
is_part_of_key(struct sq_span word) {
    bool found = false;
    size_t capitals = 0;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        bool is_capital = c >= 'A' && c <= 'Z';
        bool follows_small =
            i > 0 && word.ptr[i - 1] >= 'a' && word.ptr[i - 1] <= 'z';
        capitals += is_capital;
        found =
            found || (c >= '0' && c <= '9') || (is_capital && follows_small);
    }
    return found || (capitals > 1 && capitals == word.len);
}

/* Returns whether a sign joins parts of an address, also one that is misread.
 */
static bool
is_joint(char byte) {
    unsigned char c = (unsigned char)byte;
    return c == '.' || c == '@' || c == '_' || c == '+' || c == 0xc2
        || c == 0xa9 || c == 0xae;
}

/* Returns whether a word ends or begins with a sign that joins it to others. */
static bool
has_joint(struct sq_span word, size_t at) {
    return word.len > 0
        && (is_joint(word.ptr[at]) || (word.ptr[at] == '-' && word.len > 1));
}

/* Returns whether there may be no space between two neighbours of a row. */
static bool
may_join(const struct sq_word *a, const struct sq_word *b) {
    int gap = b->box.left - a->box.right;
    int height = sq_max_int(sq_rect_height(a->box), sq_rect_height(b->box));
    bool is_joined =
        has_joint(a->text, a->text.len - 1) || has_joint(b->text, 0);
    return gap * SPACE_PART < height
        || (gap <= TOKEN_GAP * height
            && (is_joined
                || (is_part_of_key(a->text) && is_part_of_key(b->text))));
}

/* Words from..to, exclusive, of the rows. */
struct part {
    const struct sq_text *text;
    struct sq_row_word *words;
    size_t from;
    size_t to;
    int height; /* of the highest word of the row that has letters */
};

/* Returns the number of letters and digits of a word, or a little more. */
static int
count_letters(struct sq_span word) {
    int count = 0;
    for (size_t i = 0; i < word.len; i++) {
        unsigned char c = (unsigned char)word.ptr[i];
        count += is_alnum(c) || c >= 0x80;
    }
    return count;
}

/* Returns whether a word is only a piece of a letter, which has no meaning. */
static bool
is_crumb(const struct part *part, size_t at) {
    const struct sq_word *word = word_of(part->text, &part->words[at]);
    return sq_rect_height(word->box) * CRUMB_PART < part->height
        && count_letters(word->text) <= CRUMB_LETTERS;
}

/*
 * Returns the bytes of the first character of a text without spaces; *is_kept
 * is false for signs that no secret has, but recognisers see between letters.
 */
static size_t
take_sign(struct sq_span text, bool *is_kept) {
    static const char signs[] = "-_.@+%/=";
    unsigned char c = (unsigned char)text.ptr[0];
    unsigned char next = text.len > 1 ? (unsigned char)text.ptr[1] : 0;
    *is_kept = c >= 0x80 || is_alnum(c) || (c && strchr(signs, c));
    if (c == 0xc2 && next) {
        *is_kept = next == 0xa9 || next == 0xae; /* the misread @ */
        return 2;
    }
    return 1;
}

/* Appends a word, without such signs if words are joined; NULL: only counts. */
static bool
append_word(struct sq_span word, bool has_spaces, struct sq_buf *out,
            size_t *len, struct sq_err *err) {
    bool ok = true;
    *len = 0;
    while (ok && word.len > 0) {
        bool is_kept;
        size_t bytes = take_sign(word, &is_kept);
        if (has_spaces || is_kept) {
            ok = !out || sq_buf_append(out, word.ptr, bytes, err);
            *len += bytes;
        }
        word = (struct sq_span){ word.ptr + bytes, word.len - bytes };
    }
    return ok;
}

/* Marks the words that a range of their joined text touches. */
static void
mark(const struct part *part, bool has_spaces,
     const struct sq_redact_range *range) {
    size_t at = 0;
    for (size_t i = part->from; i < part->to; i++) {
        size_t len;
        if (is_crumb(part, i)) {
            continue;
        }
        append_word(word_of(part->text, &part->words[i])->text, has_spaces,
                    NULL, &len, NULL);
        if (range->start < at + len && at < range->end) {
            part->words[i].is_hidden = true;
        }
        at += len + has_spaces;
    }
}

/* Pieces of letters between hidden words are hidden with them. */
static void
mark_crumbs(const struct part *row) {
    bool is_after_hidden = false;
    for (size_t i = row->from; i < row->to; i++) {
        struct sq_row_word *word = &row->words[i];
        word->is_hidden =
            word->is_hidden || (is_crumb(row, i) && is_after_hidden);
        is_after_hidden = word->is_hidden;
    }
}

static bool
apply(const struct sq_redact_rules *rules, const struct part *part,
      bool has_spaces, struct sq_buf *joined, struct sq_err *err) {
    struct sq_redact_ranges ranges;
    bool ok = true;
    sq_buf_clear(joined);
    for (size_t i = part->from; ok && i < part->to; i++) {
        struct sq_span word = word_of(part->text, &part->words[i])->text;
        size_t len;
        ok = is_crumb(part, i)
          || ((joined->len == 0 || !has_spaces
               || sq_buf_append(joined, " ", 1, err))
              && append_word(word, has_spaces, joined, &len, err));
    }

    if (!ok) {
        return false;
    }
    sq_redact_find(rules, sq_buf_span(joined), &ranges);
    for (size_t i = 0; i < ranges.count; i++) {
        mark(part, has_spaces, &ranges.items[i]);
    }
    return true;
}

/* Returns the end of the words from `from` on that may be one. */
static size_t
end_of_token(const struct part *row, size_t from) {
    const struct sq_word *last = word_of(row->text, &row->words[from]);
    size_t to = from + 1;
    for (size_t i = to; i < row->to; i++) {
        const struct sq_word *next = word_of(row->text, &row->words[i]);
        if (is_crumb(row, i)) {
            continue;
        }
        if (!may_join(last, next)) {
            break;
        }
        last = next;
        to = i + 1;
    }
    return to;
}

/* Applies the rules to words that may be one, without spaces. */
static bool
apply_joined(const struct sq_redact_rules *rules, const struct part *row,
             struct sq_buf *joined, struct sq_err *err) {
    bool ok = true;
    for (size_t from = row->from; ok && from < row->to;) {
        size_t to = is_crumb(row, from) ? from + 1 : end_of_token(row, from);
        struct part part = *row;
        part.from = from;
        part.to = to;
        ok = apply(rules, &part, false, joined, err);
        from = to;
    }
    return ok;
}

bool
sq_row_words_find(const struct sq_redact_rules *rules,
                  const struct sq_text *text, struct sq_row_words *out,
                  struct sq_err *err) {
    SQ_BUF(joined, MAX_ROW_TEXT);
    size_t most = 0;
    for (int i = 0; i < text->count; i++) {
        most += (size_t)text->lines[i].words.count;
    }
    bool *taken = sq_mem_zalloc((size_t)text->count + 1, sizeof(*taken));
    out->items = sq_mem_alloc(most + 1, sizeof(*out->items));
    bool ok = (taken && out->items) || sq_fail_nomem(err);
    for (int i = 0; ok && i < text->count; i++) {
        if (!taken[i] && text->lines[i].words.count) {
            add_row(text, i, i, taken, out);
        }
    }
    sq_mem_free(taken);
    for (size_t from = 0; ok && from < out->count;) {
        /* The row that begins with a word. */
        struct part row = { text, out->items, from, from, 0 };
        while (row.to < out->count
               && out->items[row.to].row == out->items[from].row) {
            const struct sq_word *word = word_of(text, &out->items[row.to]);
            if (count_letters(word->text) >= MIN_LETTERS) {
                row.height = sq_max_int(row.height, sq_rect_height(word->box));
            }
            row.to++;
        }
        ok = apply(rules, &row, true, &joined, err)
          && apply_joined(rules, &row, &joined, err);
        mark_crumbs(&row);
        from = row.to;
    }
    return ok;
}
