/* Compares texts of elements, and writes the words of matches. */
#include "vision/match.h"

#include "vision/match_costs.h"

static bool
append(const struct sq_words_of_line *words, int from, int to,
       struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (int i = from; ok && i <= to; i++) {
        struct sq_span word = words->items[i].text;
        ok = (!out->len || sq_buf_append(out, " ", 1, err))
          && sq_buf_append(out, word.ptr, word.len, err);
    }
    return ok;
}

bool
sq_match_append_words(const struct sq_text *text,
                      const struct sq_text_match *match, struct sq_buf *out,
                      struct sq_err *err) {
    const struct sq_words_of_line *first = &text->lines[match->line].words;
    const struct sq_words_of_line *last = &text->lines[match->last_line].words;
    if (match->line == match->last_line) {
        return append(first, match->first, match->last, out, err);
    }
    return append(first, match->first, first->count - 1, out, err)
        && append(last, 0, match->last, out, err);
}

bool
sq_match_append_lines(const struct sq_text *text,
                      const struct sq_text_match *match, struct sq_buf *out,
                      struct sq_err *err) {
    const struct sq_text_match whole = {
        .line = match->line,
        .last_line = match->last_line,
        .last = text->lines[match->last_line].words.count - 1,
    };
    return sq_match_append_words(text, &whole, out, err);
}

#define MAX_LABEL_WORDS 64

/* A text as a line of words that are not sure. */
struct label {
    struct sq_word words[MAX_LABEL_WORDS]; /* the last one has the rest */
    struct sq_text_line line;
    struct sq_text text;
};

static bool
is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const struct sq_text *
make_label(struct label *label, struct sq_span rest) {
    int count = 0;
    bool is_last = false;
    while (!is_last) {
        size_t len = 0;
        is_last = count + 1 == MAX_LABEL_WORDS;
        while (len < rest.len && (is_last || !is_space(rest.ptr[len]))) {
            len++;
        }
        is_last = len == rest.len;
        label->words[count] = (struct sq_word){
            .text = { rest.ptr, len },
            .box = { count * 2, 0, count * 2 + 1, 1 }, /* a wide gap between */
        };
        count++;
        rest.ptr += is_last ? len : len + 1;
        rest.len -= is_last ? len : len + 1;
    }
    label->line = (struct sq_text_line){
        .box = { 0, 0, 2 * count, 1 },
        .words = { label->words, count },
    };
    label->text = (struct sq_text){ .lines = &label->line, .count = 1 };
    return &label->text;
}

bool
sq_phrase_score(const struct sq_phrase *phrase, struct sq_span text,
                double *score, struct sq_err *err) {
    struct label label;
    struct sq_text_matches matches = { 0 };
    if (!sq_match_search(make_label(&label, text), phrase, true, &matches,
                         err)) {
        return false;
    }
    *score = matches.nearest.score;
    return true;
}

bool
sq_phrase_is_in(const struct sq_phrase *phrase, struct sq_span text, bool *out,
                struct sq_err *err) {
    struct label label;
    struct sq_text_matches matches;
    struct sq_phrase strict = *phrase;
    strict.is_strict = true;
    if (!sq_match_find_only(make_label(&label, text), &strict, &matches, err)) {
        return false;
    }
    *out = matches.count > 0;
    return true;
}
