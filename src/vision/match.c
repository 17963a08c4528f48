/* Approximate search for a phrase in lines of words. */
#include "vision/match.h"

#include <assert.h>
#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "util/utf8.h"
#include "vision/fold.h"

/* Costs of an edit, in tenths. */
#define COST_EDIT 10
#define COST_ALIKE 3
#define COST_PAIR 4
#define COST_PUNCTUATION 3

#define MAX_STREAM 4000 /* characters of a line and the next one */
#define NEAR_SCORE 0.5
#define SPLIT_WORD 0.04 /* lost for each end of the match inside a word */

/* Average width of a character in heights of its line, at least. */
#define NARROWEST 0.2

/* One folded character of the text. */
struct letter {
    uint32_t code;
    int line;
    int word;
    int offset; /* of this character in its word, and their number */
    int count;
};

struct stream {
    struct letter *letters;
    int count;
    int own; /* letters of the first line; the others are of the next one */
};

/* The best way to reach a place: its cost, and where it started. */
struct cell {
    int cost;
    int start;
};

static bool
is_punctuation(uint32_t code) {
    return code < 0x80 && !(code >= '0' && code <= '9')
        && !(code >= 'a' && code <= 'z');
}

static int
edit_cost(uint32_t code) {
    return is_punctuation(code) ? COST_PUNCTUATION : COST_EDIT;
}

static int
exchange_cost(uint32_t a, uint32_t b) {
    return a == b ? 0 : sq_fold_look_alike(a, b) ? COST_ALIKE : COST_EDIT;
}

bool
sq_phrase_init(struct sq_phrase *phrase, struct sq_span text,
               struct sq_arena *arena, struct sq_err *err) {
    *phrase = (struct sq_phrase){ 0 };
    if (text.len > SQ_MAX_PHRASE_BYTES) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the text to find is longer than %d bytes",
                       SQ_MAX_PHRASE_BYTES);
    }
    phrase->codes = sq_arena_alloc(arena, text.len * SQ_FOLD_MAX + 1,
                                   sizeof(*phrase->codes), err);
    if (!phrase->codes) {
        return false;
    }
    uint32_t code;
    size_t used;
    while ((used = sq_utf8_decode(text, &code)) > 0) {
        phrase->count += sq_fold(code, phrase->codes + phrase->count);
        text.ptr += used;
        text.len -= used;
    }
    if (text.len || !phrase->count) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       text.len ? "the text to find is not UTF-8"
                                : "there is no text to find");
    }
    return true;
}

bool
sq_phrase_may_fit(const struct sq_phrase *phrase, struct sq_rect box) {
    /* Of a phrase that continues on the next line, half is in one of them. */
    double letters = (phrase->count + 1) / 2;
    double width = box.right - box.left;
    double height = box.bottom - box.top;
    return width >= letters * height * NARROWEST * 0.5;
}

static void
add_word(struct stream *stream, struct sq_span text, int line, int word) {
    int from = stream->count;
    uint32_t code;
    size_t used;
    while ((used = sq_utf8_decode(text, &code)) > 0
           && stream->count + SQ_FOLD_MAX <= MAX_STREAM) {
        uint32_t folded[SQ_FOLD_MAX];
        int count = sq_fold(code, folded);
        for (int i = 0; i < count; i++) {
            stream->letters[stream->count] =
                (struct letter){ folded[i], line, word, stream->count - from,
                                 0 };
            stream->count++;
        }
        text.ptr += used;
        text.len -= used;
    }
    for (int i = from; i < stream->count; i++) {
        stream->letters[i].count = stream->count - from;
    }
}

static void
add_line(struct stream *stream, const struct sq_text *text, int line) {
    const struct sq_words_of_line *words = &text->lines[line].words;
    for (int i = 0; i < words->count; i++) {
        add_word(stream, words->items[i].text, line, i);
    }
}

/* Returns whether `below` continues the text of `above`. */
static bool
continues(struct sq_rect above, struct sq_rect below) {
    int height = above.bottom - above.top;
    int other = below.bottom - below.top;
    int gap = below.top - above.bottom;
    bool are_alike = other * 10 >= height * 6 && height * 10 >= other * 6;
    bool overlap = below.left < above.right && below.right > above.left;
    return are_alike && overlap && gap > -height / 2 && gap <= height
        && below.top > above.top + height / 2
        && below.left <= above.left + 2 * height;
}

/* Returns the line that continues this one; -1: none. */
static int
next_line(const struct sq_text *text, int line) {
    int found = -1;
    for (int i = 0; i < text->count; i++) {
        if (i != line && text->lines[i].words.count
            && continues(text->lines[line].box, text->lines[i].box)
            && (found < 0
                || text->lines[i].box.top < text->lines[found].box.top)) {
            found = i;
        }
    }
    return found;
}

static void
improve(struct cell *cell, struct cell from, int cost) {
    if (from.cost + cost < cell->cost) {
        *cell = (struct cell){ from.cost + cost, from.start };
    }
}

/*
 * Computes one row: the least cost of the first i + 1 characters of the phrase
 * ending at each place of the stream. rows[0] is the row itself, the others are
 * the ones before it.
 */
static void
compute_row(const struct sq_phrase *phrase, int i, const struct stream *stream,
            struct cell *const rows[3]) {
    uint32_t wanted = phrase->codes[i];
    int drop = edit_cost(wanted);
    for (int j = 0; j <= stream->count; j++) {
        struct cell best = { rows[1][j].cost + drop, rows[1][j].start };
        if (j > 0) {
            uint32_t here = stream->letters[j - 1].code;
            improve(&best, rows[1][j - 1], exchange_cost(wanted, here));
            improve(&best, rows[0][j - 1], edit_cost(here));
            if (i > 0
                && sq_fold_pair_looks_like(phrase->codes[i - 1], wanted,
                                           here)) {
                improve(&best, rows[2][j - 1], COST_PAIR);
            }
        }
        if (j > 1
            && sq_fold_pair_looks_like(stream->letters[j - 2].code,
                                       stream->letters[j - 1].code, wanted)) {
            improve(&best, rows[1][j - 2], COST_PAIR);
        }
        rows[0][j] = best;
    }
}

/* Returns the last row of the search; its memory belongs to `cells`. */
static const struct cell *
search(const struct sq_phrase *phrase, const struct stream *stream,
       struct cell *cells) {
    size_t width = (size_t)stream->count + 1;
    struct cell *rows[3] = { cells, cells + width, cells + 2 * width };
    for (int j = 0; j <= stream->count; j++) {
        rows[0][j] = (struct cell){ 0, j };
    }
    for (int i = 0; i < phrase->count; i++) {
        struct cell *oldest = rows[2];
        rows[2] = rows[1];
        rows[1] = rows[0];
        rows[0] = oldest;
        compute_row(phrase, i, stream, rows);
    }
    return rows[0];
}

/* Returns the part of a word's box from one letter to another, inclusive. */
static struct sq_rect
part_of_word(const struct sq_word *word, const struct letter *from,
             const struct letter *to) {
    struct sq_rect box = word->box;
    int width = box.right - box.left;
    return (struct sq_rect){
        box.left + width * from->offset / from->count,
        box.top,
        box.left + width * (to->offset + 1) / to->count,
        box.bottom,
    };
}

/* Describes the match of letters from..to, exclusive. */
static void
describe(const struct sq_text *text, const struct stream *stream, int from,
         int to, struct sq_text_match *match) {
    match->confidence = 100;
    for (int i = from; i < to;) {
        const struct letter *first = &stream->letters[i];
        int last = i;
        while (last + 1 < to && stream->letters[last + 1].line == first->line
               && stream->letters[last + 1].word == first->word) {
            last++;
        }
        const struct sq_word *words = text->lines[first->line].words.items;
        assert(words);
        const struct sq_word *word = &words[first->word];
        struct sq_rect part = part_of_word(word, first, &stream->letters[last]);
        match->box = i == from ? part : sq_rect_join(match->box, part);
        match->confidence = sq_min_int(match->confidence, word->confidence);
        i = last + 1;
    }
    match->line = stream->letters[from].line;
    match->first = stream->letters[from].word;
    match->last_line = stream->letters[to - 1].line;
    match->last = stream->letters[to - 1].word;
}

static double
score_of(const struct sq_phrase *phrase, const struct stream *stream, int cost,
         int from, int to) {
    const struct letter *first = &stream->letters[from];
    const struct letter *last = &stream->letters[to - 1];
    double score = 1.0 - (double)cost / (COST_EDIT * phrase->count);
    score -= first->offset > 0 ? SPLIT_WORD : 0;
    score -= last->offset + 1 < last->count ? SPLIT_WORD : 0;
    return score < 0 ? 0 : score;
}

static bool
overlap(const struct sq_text_match *a, const struct sq_text_match *b) {
    return !sq_rect_is_empty(sq_rect_common(a->box, b->box));
}

/* Adds a match, unless a better one is at the same place. */
static void
add_match(struct sq_text_matches *out, const struct sq_text_match *match) {
    for (int i = 0; i < out->count; i++) {
        if (overlap(&out->items[i], match)) {
            if (match->score > out->items[i].score) {
                out->items[i] = *match;
            }
            return;
        }
    }
    if (out->count < SQ_MAX_MATCHES) {
        out->items[out->count++] = *match;
    }
}

static void
collect(const struct sq_text *text, const struct sq_phrase *phrase,
        const struct stream *stream, const struct cell *ends,
        struct sq_text_matches *out) {
    for (int to = 1; to <= stream->count; to++) {
        int from = ends[to].start;
        /* A match inside the next line is found when that line is searched. */
        if (from >= to || from >= stream->own) {
            continue;
        }
        double score = score_of(phrase, stream, ends[to].cost, from, to);
        struct sq_text_match match = { .score = score };
        if (score < NEAR_SCORE
            || (score < SQ_MATCH_SCORE && score <= out->nearest.score)) {
            continue;
        }
        describe(text, stream, from, to, &match);
        if (score >= SQ_MATCH_SCORE) {
            add_match(out, &match);
        } else {
            out->nearest = match;
        }
    }
}

/* Sorts by score; equal ones keep the order of the lines. */
static void
sort_matches(struct sq_text_matches *matches) {
    for (int i = 1; i < matches->count; i++) {
        struct sq_text_match match = matches->items[i];
        int k = i;
        while (k > 0 && matches->items[k - 1].score < match.score) {
            matches->items[k] = matches->items[k - 1];
            k--;
        }
        matches->items[k] = match;
    }
}

bool
sq_match_find(const struct sq_text *text, const struct sq_phrase *phrase,
              struct sq_text_matches *out, struct sq_err *err) {
    struct stream stream = {
        .letters = sq_mem_alloc(MAX_STREAM, sizeof(*stream.letters)),
    };
    struct cell *cells =
        sq_mem_alloc((size_t)3 * (MAX_STREAM + 1), sizeof(*cells));
    bool ok = (stream.letters && cells) || sq_fail_nomem(err);
    *out = (struct sq_text_matches){ 0 };
    for (int i = 0; ok && i < text->count; i++) {
        if (!text->lines[i].words.count) {
            continue;
        }
        stream.count = 0;
        add_line(&stream, text, i);
        stream.own = stream.count;
        int next = next_line(text, i);
        if (next >= 0) {
            add_line(&stream, text, next);
        }
        collect(text, phrase, &stream, search(phrase, &stream, cells), out);
    }
    sort_matches(out);
    sq_mem_free(cells);
    sq_mem_free(stream.letters);
    return ok;
}

bool
sq_phrase_score(const struct sq_phrase *phrase, struct sq_span text,
                double *score, struct sq_err *err) {
    struct sq_word word = { .text = text, .box = { 0, 0, 1, 1 } };
    struct sq_text_line line = { .words = { &word, 1 } };
    const struct sq_text one = { .lines = &line, .count = 1 };
    struct sq_text_matches matches;
    if (!sq_match_find(&one, phrase, &matches, err)) {
        return false;
    }
    *score = matches.count ? matches.items[0].score : matches.nearest.score;
    return true;
}
