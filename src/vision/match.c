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

#define COST_BLOCKED                                                           \
    100000 /* not the same text; more than any phrase costs                    \
            */

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
    bool is_sure; /* of a word that is taken as read */
};

struct stream {
    struct letter *letters;
    int count;
    int own; /* letters of the first line; the others are of the next one */
    bool is_similar; /* look for similar text, instead of the same */
};

/* The best way to reach a place: its cost, and where it started. */
struct cell {
    int cost;
    int start;
};

static bool
is_digit(uint32_t code) {
    return code >= '0' && code <= '9';
}

static bool
is_punctuation(uint32_t code) {
    return code < 0x80 && !is_digit(code) && !(code >= 'a' && code <= 'z');
}

/* Returns whether words of this script are separated by spaces. */
static bool
is_letter(uint32_t code) {
    return (code >= 'a' && code <= 'z') || (code >= 0xdf && code <= 0x24f)
        || (code >= 0x370 && code <= 0x52f);
}

/*
 * Returns whether recognisers confuse two characters even in words that they
 * read with confidence.
 */
static bool
is_confused(uint32_t a, uint32_t b) {
    static const char *const classes[] = { "0o", "1il|!", "5s", "8b", "2z" };
    if (is_punctuation(a) && is_punctuation(b)) {
        return sq_fold_look_alike(a, b);
    }
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (a < 0x80 && b < 0x80 && strchr(classes[i], (int)a)
            && strchr(classes[i], (int)b)) {
            return true;
        }
    }
    return false;
}

static int
edit_cost(uint32_t code) {
    return is_punctuation(code) ? COST_PUNCTUATION : COST_EDIT;
}

/* Returns the cost of reading one character as another. */
static int
exchange_cost(const struct stream *stream, uint32_t wanted,
              const struct letter *here) {
    bool is_number = is_digit(wanted) || is_digit(here->code);
    if (wanted == here->code) {
        return 0;
    }
    if (!stream->is_similar && (is_number || here->is_sure)) {
        return is_confused(wanted, here->code) ? COST_ALIKE : COST_BLOCKED;
    }
    return sq_fold_look_alike(wanted, here->code) ? COST_ALIKE : COST_EDIT;
}

/* Returns whether a character of the text may be one that was not there. */
static bool
may_insert(const struct stream *stream, int at) {
    const struct letter *here = &stream->letters[at];
    bool splits_number =
        at > 0 && at + 1 < stream->count
        && is_digit(stream->letters[at - 1].code)
        && is_digit(stream->letters[at + 1].code)
        && stream->letters[at - 1].word == stream->letters[at + 1].word;
    return stream->is_similar
        || (is_punctuation(here->code)
                ? !splits_number
                : !is_digit(here->code) && !here->is_sure);
}

/* Returns whether character i of the phrase may be missing before a place. */
static bool
may_drop(const struct sq_phrase *phrase, int i, const struct stream *stream,
         int at) {
    uint32_t code = phrase->codes[i];
    bool splits_number = i > 0 && i + 1 < phrase->count
                      && is_digit(phrase->codes[i - 1])
                      && is_digit(phrase->codes[i + 1]);
    bool is_sure = (at == 0 || stream->letters[at - 1].is_sure)
                && (at == stream->count || stream->letters[at].is_sure);
    return stream->is_similar
        || (is_punctuation(code) ? !splits_number
                                 : !is_digit(code) && !is_sure);
}

/* Returns whether two characters may have been read as one, or one as two. */
static bool
may_pair(const struct stream *stream, uint32_t first, uint32_t second,
         const struct letter *here, uint32_t one) {
    bool is_usual =
        (first == 'r' && second == 'n') || (first == 'v' && second == 'v');
    return (stream->is_similar || !here->is_sure || is_usual)
        && sq_fold_pair_looks_like(first, second, one);
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
add_word(struct stream *stream, const struct sq_word *read, bool is_sure,
         int line, int word) {
    struct sq_span text = read->text;
    int from = stream->count;
    uint32_t code;
    size_t used;
    while ((used = sq_utf8_decode(text, &code)) > 0
           && stream->count + SQ_FOLD_MAX <= MAX_STREAM) {
        uint32_t folded[SQ_FOLD_MAX];
        int count = sq_fold(code, folded);
        for (int i = 0; i < count; i++) {
            stream->letters[stream->count] =
                (struct letter){ .code = folded[i],
                                 .line = line,
                                 .word = word,
                                 .offset = stream->count - from,
                                 .is_sure = is_sure };
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
add_line(struct stream *stream, const struct sq_text *text,
         const struct sq_phrase *phrase, int line) {
    const struct sq_words_of_line *words = &text->lines[line].words;
    for (int i = 0; i < words->count; i++) {
        const struct sq_word *word = &words->items[i];
        bool is_sure =
            phrase->is_strict || word->confidence >= SQ_SURE_CONFIDENCE;
        add_word(stream, word, is_sure, line, i);
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
    for (int j = 0; j <= stream->count; j++) {
        int drop =
            may_drop(phrase, i, stream, j) ? edit_cost(wanted) : COST_BLOCKED;
        struct cell best = { rows[1][j].cost + drop, rows[1][j].start };
        if (j > 0) {
            const struct letter *here = &stream->letters[j - 1];
            int insert = may_insert(stream, j - 1) ? edit_cost(here->code)
                                                   : COST_BLOCKED;
            improve(&best, rows[1][j - 1], exchange_cost(stream, wanted, here));
            improve(&best, rows[0][j - 1], insert);
            if (i > 0
                && may_pair(stream, phrase->codes[i - 1], wanted, here,
                            here->code)) {
                improve(&best, rows[2][j - 1], COST_PAIR);
            }
        }
        if (j > 1
            && may_pair(stream, stream->letters[j - 2].code,
                        stream->letters[j - 1].code, &stream->letters[j - 1],
                        wanted)) {
            improve(&best, rows[1][j - 2], COST_PAIR);
        }
        best.cost = sq_min_int(best.cost, COST_BLOCKED);
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

/* Returns whether a word or a number goes on from one letter to the next. */
static bool
goes_on(const struct sq_phrase *phrase, const struct letter *a,
        const struct letter *b) {
    bool is_same = a->line == b->line && a->word == b->word;
    return is_same
        && ((is_digit(a->code) && is_digit(b->code))
            || (!phrase->may_split_word && is_letter(a->code)
                && is_letter(b->code)));
}

/* Returns whether letters from..to, exclusive, are whole words and numbers. */
static bool
is_whole(const struct sq_phrase *phrase, const struct stream *stream, int from,
         int to) {
    const struct letter *letters = stream->letters;
    return (from == 0 || !goes_on(phrase, &letters[from - 1], &letters[from]))
        && (to == stream->count
            || !goes_on(phrase, &letters[to - 1], &letters[to]));
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
        double least = stream->is_similar ? out->nearest.score : SQ_MATCH_SCORE;
        struct sq_text_match match = { .score = score };
        if (score < NEAR_SCORE || score < least
            || (!stream->is_similar && !is_whole(phrase, stream, from, to))) {
            continue;
        }
        describe(text, stream, from, to, &match);
        if (!stream->is_similar) {
            add_match(out, &match);
        } else if (score > out->nearest.score) {
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

/* Searches all lines for the same text, or for the most similar one. */
static bool
search_lines(const struct sq_text *text, const struct sq_phrase *phrase,
             bool is_similar, struct sq_text_matches *out, struct sq_err *err) {
    struct stream stream = {
        .letters = sq_mem_alloc(MAX_STREAM, sizeof(*stream.letters)),
        .is_similar = is_similar,
    };
    struct cell *cells =
        sq_mem_alloc((size_t)3 * (MAX_STREAM + 1), sizeof(*cells));
    bool ok = (stream.letters && cells) || sq_fail_nomem(err);
    for (int i = 0; ok && i < text->count; i++) {
        if (!text->lines[i].words.count) {
            continue;
        }
        stream.count = 0;
        add_line(&stream, text, phrase, i);
        stream.own = stream.count;
        int next = next_line(text, i);
        if (next >= 0) {
            add_line(&stream, text, phrase, next);
        }
        collect(text, phrase, &stream, search(phrase, &stream, cells), out);
    }
    sq_mem_free(cells);
    sq_mem_free(stream.letters);
    return ok;
}

bool
sq_match_find_only(const struct sq_text *text, const struct sq_phrase *phrase,
                   struct sq_text_matches *out, struct sq_err *err) {
    *out = (struct sq_text_matches){ 0 };
    bool ok = search_lines(text, phrase, false, out, err);
    sort_matches(out);
    return ok;
}

bool
sq_match_find(const struct sq_text *text, const struct sq_phrase *phrase,
              struct sq_text_matches *out, struct sq_err *err) {
    return sq_match_find_only(text, phrase, out, err)
        && (out->count > 0 || search_lines(text, phrase, true, out, err));
}

#define MAX_LABEL_WORDS 64

/* A text as a line of words that are not sure. */
struct label {
    struct sq_word words[MAX_LABEL_WORDS]; /* the last one has the rest */
    struct sq_text_line line;
    struct sq_text text;
};

static const struct sq_text *
make_label(struct label *label, struct sq_span rest) {
    int count = 0;
    bool is_more = true;
    while (is_more && count < MAX_LABEL_WORDS) {
        struct sq_span word = rest;
        is_more = count + 1 < MAX_LABEL_WORDS
               && sq_span_take_until(&rest, ' ', &word);
        label->words[count++] =
            (struct sq_word){ .text = word, .box = { 0, 0, 1, 1 } };
    }
    label->line = (struct sq_text_line){ .words = { label->words, count } };
    label->text = (struct sq_text){ .lines = &label->line, .count = 1 };
    return &label->text;
}

bool
sq_phrase_score(const struct sq_phrase *phrase, struct sq_span text,
                double *score, struct sq_err *err) {
    struct label label;
    struct sq_text_matches matches = { 0 };
    if (!search_lines(make_label(&label, text), phrase, true, &matches, err)) {
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
