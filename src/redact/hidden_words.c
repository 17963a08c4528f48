/* Joins the pieces of rows of text and applies the text rules to them. */
#include "redact/hidden_words.h"

#include "util/mem.h"
#include "util/minmax.h"

#define MAX_ROW_TEXT ((size_t)1 << 20)

/* Pieces further apart than this many heights are different rows. */
#define ROW_GAP 4

/* A gap of less than this part of the height is no space between words. */
#define SPACE_PART 5

/* Parts of a number or key are at most this many heights apart. */
#define TOKEN_GAP 2

void
sq_row_words_finish(struct sq_row_words *words) {
    sq_mem_free(words->items);
    *words = (struct sq_row_words){ 0 };
}

static const struct sq_word *
word_of(const struct sq_text *text, const struct sq_row_word *at) {
    return &text->lines[at->line].words.items[at->index];
}

static int
height_of(struct sq_rect box) {
    return box.bottom - box.top;
}

/* Returns whether a line continues a row, left or right of it. */
static bool
is_in_row(struct sq_rect row, struct sq_rect line) {
    int shared =
        sq_min_int(row.bottom, line.bottom) - sq_max_int(row.top, line.top);
    int height = sq_min_int(height_of(row), height_of(line));
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
make_rows(const struct sq_text *text, struct sq_row_words *out,
          struct sq_err *err) {
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
    return ok;
}

/* Returns whether a word has a digit, or a capital after a small letter. */
static bool
is_part_of_key(struct sq_span word) {
    bool found = false;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        bool is_capital = c >= 'A' && c <= 'Z';
        bool follows_small =
            i > 0 && word.ptr[i - 1] >= 'a' && word.ptr[i - 1] <= 'z';
        found =
            found || (c >= '0' && c <= '9') || (is_capital && follows_small);
    }
    return found;
}

/* Returns whether a sign joins parts of an address, also one that is misread.
 */
static bool
is_joint(char byte) {
    unsigned char c = (unsigned char)byte;
    return c == '.' || c == '@' || c == '_' || c == '+' || c == 0xc2
        || c == 0xa9 || c == 0xae;
}

/* Returns whether there may be no space between two neighbours of a row. */
static bool
may_join(const struct sq_word *a, const struct sq_word *b) {
    int gap = b->box.left - a->box.right;
    int height = sq_max_int(height_of(a->box), height_of(b->box));
    bool has_joint =
        a->text.len > 0 && b->text.len > 0
        && (is_joint(a->text.ptr[a->text.len - 1]) || is_joint(b->text.ptr[0]));
    return gap * SPACE_PART < height
        || (gap <= TOKEN_GAP * height
            && (has_joint
                || (is_part_of_key(a->text) && is_part_of_key(b->text))));
}

/* Words from..to, exclusive, of the rows. */
struct part {
    const struct sq_text *text;
    struct sq_row_word *words;
    size_t from;
    size_t to;
};

static bool
append_words(const struct part *part, bool has_spaces, struct sq_buf *out,
             struct sq_err *err) {
    bool ok = true;
    sq_buf_clear(out);
    for (size_t i = part->from; ok && i < part->to; i++) {
        struct sq_span word = word_of(part->text, &part->words[i])->text;
        ok = (i == part->from || !has_spaces || sq_buf_append(out, " ", 1, err))
          && sq_buf_append(out, word.ptr, word.len, err);
    }
    return ok;
}

/* Marks the words that a range of their joined text touches. */
static void
mark(const struct part *part, bool has_spaces,
     const struct sq_redact_range *range) {
    size_t at = 0;
    for (size_t i = part->from; i < part->to; i++) {
        size_t end = at + word_of(part->text, &part->words[i])->text.len;
        if (range->start < end && at < range->end) {
            part->words[i].is_hidden = true;
        }
        at = end + has_spaces;
    }
}

static bool
apply(const struct sq_redact_rules *rules, const struct part *part,
      bool has_spaces, struct sq_buf *joined, struct sq_err *err) {
    struct sq_redact_ranges ranges;
    if (!append_words(part, has_spaces, joined, err)
        || !sq_redact_find(rules, sq_buf_span(joined), &ranges, err)) {
        return false;
    }
    for (size_t i = 0; i < ranges.count; i++) {
        mark(part, has_spaces, &ranges.items[i]);
    }
    return true;
}

/* Applies the rules to words that may be one, without spaces. */
static bool
apply_joined(const struct sq_redact_rules *rules, const struct part *row,
             struct sq_buf *joined, struct sq_err *err) {
    bool ok = true;
    for (size_t from = row->from; ok && from < row->to;) {
        size_t to = from + 1;
        while (to < row->to
               && may_join(word_of(row->text, &row->words[to - 1]),
                           word_of(row->text, &row->words[to]))) {
            to++;
        }
        const struct part part = { row->text, row->words, from, to };
        ok = to == from + 1 || apply(rules, &part, false, joined, err);
        from = to;
    }
    return ok;
}

bool
sq_row_words_find(const struct sq_redact_rules *rules,
                  const struct sq_text *text, struct sq_row_words *out,
                  struct sq_err *err) {
    struct sq_buf joined;
    sq_buf_init(&joined, MAX_ROW_TEXT);
    bool ok = make_rows(text, out, err);
    for (size_t from = 0; ok && from < out->count;) {
        size_t to = from + 1;
        while (to < out->count && out->items[to].row == out->items[from].row) {
            to++;
        }
        const struct part row = { text, out->items, from, to };
        ok = apply(rules, &row, true, &joined, err)
          && apply_joined(rules, &row, &joined, err);
        from = to;
    }
    sq_buf_finish(&joined);
    return ok;
}
