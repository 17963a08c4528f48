/* Approximate search for a phrase in lines of words. */
#include "vision/match.h"

#include <assert.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "util/utf8.h"

#define MAX_STREAM 4000 /* characters of a row and the next one */
#define NEAR_SCORE 0.5
#define SPLIT_WORD 0.04  /* lost for each end of the match inside a word */
#define SPLIT_NUMBER 0.1 /* lost for each end between a number and its sign */
#define DOUBTFUL_NUMBER 0.05 /* lost by digits that are not sure */

/* Average width of a character in heights of its line, at least. */
#define NARROWEST 0.2

/* A gap that is narrower is no space, in percent of the height of its line. */
#define NARROW_GAP 15

/* Where a character of the text is. */
struct letter {
    int line;
    int word;
    bool is_below; /* in the next row */
    int offset;    /* of this character in its word, and their number */
    int count;
};

struct stream {
    struct sq_comparison c;
    struct letter letters[MAX_STREAM];
    int own; /* letters of the first row; the others are of the next one */
    uint32_t codes[MAX_STREAM];
    uint8_t joints[MAX_STREAM];
    uint8_t roles[MAX_STREAM];
    bool is_sure[MAX_STREAM];
};

/* The best way to reach a place: its cost, and where it started. */
struct cell {
    int cost;
    int start;
};

/* Adds the characters of a valid text. Returns the length of that part. */
static size_t
add_glyphs(struct sq_phrase *phrase, struct sq_span text) {
    struct sq_glyphs *glyphs = &phrase->glyphs;
    size_t len = text.len;
    uint8_t joint = SQ_JOINT_NONE;
    uint32_t code;
    size_t used;
    while ((used = sq_utf8_decode(text, &code)) > 0) {
        int added = sq_fold(code, glyphs->codes + glyphs->count);
        if (sq_fold_is_space(code) && glyphs->count) {
            joint = SQ_JOINT_SPACE;
        }
        for (int i = 0; i < added; i++) {
            phrase->words += joint == SQ_JOINT_SPACE || !glyphs->count;
            phrase->has_letters =
                phrase->has_letters
                || !sq_glyph_is_symbol(glyphs->codes[glyphs->count]);
            phrase->has_digits =
                phrase->has_digits
                || sq_glyph_is_digit(glyphs->codes[glyphs->count]);
            phrase->is_number = (phrase->is_number || !glyphs->count)
                             && phrase->words == 1
                             && sq_glyph_is_digit(glyphs->codes[glyphs->count]);
            glyphs->joints[glyphs->count++] = joint;
            joint = SQ_JOINT_NONE;
        }
        text.ptr += used;
        text.len -= used;
    }
    return len - text.len;
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
    struct sq_glyphs *glyphs = &phrase->glyphs;
    size_t most = text.len * SQ_FOLD_MAX + 1;
    glyphs->codes = sq_arena_alloc(arena, most, sizeof(*glyphs->codes), err);
    glyphs->joints =
        glyphs->codes ? sq_arena_alloc(arena, 2 * most, 1, err) : NULL;
    if (!glyphs->joints) {
        return false;
    }
    glyphs->roles = glyphs->joints + most;
    if (add_glyphs(phrase, text) < text.len) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the text to find is not UTF-8");
    }
    sq_glyphs_set_roles(glyphs);
    phrase->shortest = glyphs->count;
    for (int from = 0, at = 1; at <= glyphs->count; at++) {
        if (at == glyphs->count || glyphs->joints[at] == SQ_JOINT_SPACE) {
            phrase->shortest = sq_min_int(phrase->shortest, at - from);
            from = at;
        }
    }
    return glyphs->count > 0
        || sq_fail(err, SQ_ERR_ARGUMENT, "there is no text to find");
}

bool
sq_phrase_may_fit(const struct sq_phrase *phrase, struct sq_rect box) {
    /* Of a word that continues on the next line, half is in one of them. */
    int half = (phrase->glyphs.count + 1) / 2;
    double letters = sq_min_int(half, phrase->shortest);
    double width = box.right - box.left;
    double height = box.bottom - box.top;
    return width >= letters * height * NARROWEST * 0.5;
}

/* Adds a word; `joint` is before it. */
static void
add_word(struct stream *stream, const struct sq_word *read, bool is_sure,
         enum sq_joint joint, struct letter place) {
    struct sq_span text = read->text;
    struct sq_glyphs *glyphs = &stream->c.text;
    int from = glyphs->count;
    uint32_t code;
    size_t used;
    while ((used = sq_utf8_decode(text, &code)) > 0
           && glyphs->count + SQ_FOLD_MAX <= MAX_STREAM) {
        uint32_t folded[SQ_FOLD_MAX];
        int count = sq_fold(code, folded);
        for (int i = 0; i < count; i++) {
            int at = glyphs->count++;
            glyphs->codes[at] = folded[i];
            glyphs->joints[at] = (uint8_t)(at == from ? joint : SQ_JOINT_NONE);
            stream->is_sure[at] = is_sure;
            stream->letters[at] = place;
            stream->letters[at].offset = at - from;
        }
        text.ptr += used;
        text.len -= used;
    }
    for (int i = from; i < glyphs->count; i++) {
        stream->letters[i].count = glyphs->count - from;
    }
}

/* Returns what is between a word and the one before it, which was added last.
 */
static enum sq_joint
joint_before(const struct sq_text *text, const struct stream *stream, int line,
             int word, bool is_below) {
    int count = stream->c.text.count;
    const struct letter *last = count ? &stream->letters[count - 1] : NULL;
    if (!last || last->is_below != is_below) {
        return SQ_JOINT_LINE;
    }
    const struct sq_text_line *here = &text->lines[line];
    const struct sq_word *before =
        &text->lines[last->line].words.items[last->word];
    int64_t gap = (int64_t)here->words.items[word].box.left - before->box.right;
    int64_t height = (int64_t)here->box.bottom - here->box.top;
    return gap * 100 < height * NARROW_GAP ? SQ_JOINT_NARROW : SQ_JOINT_SPACE;
}

static void
add_line(struct stream *stream, const struct sq_text *text, int line,
         bool is_below) {
    const struct sq_words_of_line *words = &text->lines[line].words;
    for (int i = 0; i < words->count; i++) {
        const struct sq_word *word = &words->items[i];
        bool is_sure = stream->c.phrase->is_strict
                    || word->confidence >= SQ_SURE_CONFIDENCE;
        const struct letter place = { line, i, is_below, 0, 0 };
        add_word(stream, word, is_sure,
                 joint_before(text, stream, line, i, is_below), place);
    }
}

/* Adds all lines of a row. */
static void
add_row(struct stream *stream, const struct sq_text *text, int first,
        bool is_below) {
    for (int line = first; line >= 0; line = sq_row_right(text, line)) {
        add_line(stream, text, line, is_below);
    }
}

static void
improve(struct cell *cell, struct cell from, int cost) {
    if (from.cost + cost < cell->cost) {
        *cell = (struct cell){ from.cost + cost, from.start };
    }
}

/* Returns the cost of the joint before a letter, unless a match starts there.
 */
static int
joint_cost(const struct sq_comparison *c, struct cell from, int i, int at) {
    return from.start < at ? sq_cost_of_joint(c, i, at) : 0;
}

/* The same before a letter that is inserted before character i. */
static int
insert_joint_cost(const struct sq_comparison *c, struct cell from, int i,
                  int at) {
    bool is_joint =
        c->text.joints[at] != SQ_JOINT_NONE && i < c->phrase->glyphs.count;
    return is_joint ? joint_cost(c, from, i, at) : 0;
}

/*
 * Computes one row: the least cost of the first i + 1 characters of the phrase
 * ending at each place of the stream. rows[0] is the row itself, the others are
 * the ones before it.
 */
static void
compute_row(const struct sq_comparison *c, int i, struct cell *const rows[3]) {
    for (int j = 0; j <= c->text.count; j++) {
        struct cell best = rows[1][j];
        best.cost += sq_cost_of_drop(c, i, j);
        if (j > 0) {
            int at = j - 1;
            improve(&best, rows[1][at],
                    sq_cost_of_exchange(c, i, at)
                        + joint_cost(c, rows[1][at], i, at));
            improve(&best, rows[0][at],
                    sq_cost_of_insert(c, at)
                        + insert_joint_cost(c, rows[0][at], i + 1, at));
            if (sq_may_be_one(c, i, at)) {
                improve(&best, rows[2][at],
                        SQ_COST_PAIR + joint_cost(c, rows[2][at], i - 1, at));
            }
        }
        if (j > 1 && sq_may_be_two(c, i, j - 1)) {
            improve(&best, rows[1][j - 2],
                    SQ_COST_PAIR + joint_cost(c, rows[1][j - 2], i, j - 2));
        }
        best.cost = sq_min_int(best.cost, SQ_COST_BLOCKED);
        rows[0][j] = best;
    }
}

/* Returns the last row of the search; its memory belongs to `cells`. */
static const struct cell *
search(const struct sq_comparison *c, struct cell *cells) {
    size_t width = (size_t)c->text.count + 1;
    struct cell *rows[3] = { cells, cells + width, cells + 2 * width };
    for (int j = 0; j <= c->text.count; j++) {
        rows[0][j] =
            (struct cell){ sq_may_part(c, j) ? 0 : SQ_COST_BLOCKED, j };
    }
    for (int i = 0; i < c->phrase->glyphs.count; i++) {
        struct cell *oldest = rows[2];
        rows[2] = rows[1];
        rows[1] = rows[0];
        rows[0] = oldest;
        compute_row(c, i, rows);
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
    match->line = stream->letters[from].line;
    match->first = stream->letters[from].word;
    match->last_line = stream->letters[to - 1].line;
    match->last = stream->letters[to - 1].word;
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
        struct sq_rect *box = first->is_below && !stream->letters[from].is_below
                                ? &match->next_box
                                : &match->box;
        *box = sq_rect_is_empty(*box) ? part : sq_rect_join(*box, part);
        match->confidence = sq_min_int(match->confidence, word->confidence);
        for (int k = i; k <= last; k++) {
            match->is_doubtful = match->is_doubtful
                              || (word->confidence < SQ_SURE_NUMBER
                                  && stream->c.phrase->has_digits
                                  && sq_glyph_is_digit(stream->codes[k]));
        }
        i = last + 1;
    }
}

/* Returns what an end of a match loses: `is_inside` a word, before a letter. */
static double
end_loss(const struct stream *stream, bool is_inside, int at) {
    bool is_number =
        at > 0 && sq_glyphs_unit(&stream->c.text, at) == SQ_UNIT_SIGN;
    return is_number ? SPLIT_NUMBER : is_inside ? SPLIT_WORD : 0;
}

static double
score_of(const struct stream *stream, int cost, int from, int to) {
    const struct letter *last = &stream->letters[to - 1];
    double score =
        1.0 - (double)cost / (SQ_COST_EDIT * stream->c.phrase->glyphs.count);
    score -= end_loss(stream, stream->letters[from].offset > 0, from);
    score -= end_loss(stream, last->offset + 1 < last->count, to);
    return score < 0 ? 0 : score;
}

static bool
overlap(const struct sq_text_match *a, const struct sq_text_match *b) {
    return !sq_rect_is_empty(sq_rect_common(a->box, b->box))
        || !sq_rect_is_empty(sq_rect_common(a->next_box, b->box))
        || !sq_rect_is_empty(sq_rect_common(a->box, b->next_box))
        || !sq_rect_is_empty(sq_rect_common(a->next_box, b->next_box));
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

/*
 * Returns whether a text is nearer than the nearest one before. Of equally
 * similar ones from the same word on, the one with as many words as the phrase
 * is: "Sign up" is near "Sign in", not "Sign".
 */
static bool
is_nearer(const struct sq_text_match *match,
          const struct sq_text_match *nearest, int words) {
    bool is_same_start = match->line == nearest->line
                      && match->first == nearest->first
                      && match->last_line == match->line;
    return match->score > nearest->score
        || (match->score >= nearest->score && is_same_start
            && match->last > nearest->last
            && match->last - match->first < words);
}

static void
collect(const struct sq_text *text, const struct stream *stream,
        const struct cell *ends, struct sq_text_matches *out) {
    const struct sq_comparison *c = &stream->c;
    for (int to = 1; to <= c->text.count; to++) {
        int from = ends[to].start;
        /* A match inside the next row is found when that row is searched. */
        if (from >= to || from >= stream->own) {
            continue;
        }
        double score = score_of(stream, ends[to].cost, from, to);
        double least = c->is_similar ? out->nearest.score : SQ_MATCH_SCORE;
        struct sq_text_match match = { .score = score };
        if (score < NEAR_SCORE || score < least || !sq_may_part(c, to)) {
            continue;
        }
        describe(text, stream, from, to, &match);
        match.score -= match.is_doubtful ? DOUBTFUL_NUMBER : 0;
        if (!c->is_similar
            && (match.score < least
                || (match.is_doubtful && c->phrase->is_strict))) {
            continue;
        }
        if (!c->is_similar) {
            add_match(out, &match);
        } else if (is_nearer(&match, &out->nearest, c->phrase->words)) {
            out->nearest = match;
        }
    }
}

/* Searches all rows for the same text, or for the most similar one. */
static bool
match_search(const struct sq_text *text, const struct sq_phrase *phrase,
             bool is_similar, struct sq_text_matches *out, struct sq_err *err) {
    struct stream *stream = sq_mem_alloc(1, sizeof(*stream));
    struct cell *cells =
        sq_mem_alloc((size_t)3 * (MAX_STREAM + 1), sizeof(*cells));
    bool ok = (stream && cells) || sq_fail_nomem(err);
    for (int i = 0; ok && i < text->count; i++) {
        if (!text->lines[i].words.count || sq_row_first(text, i) != i) {
            continue;
        }
        stream->c = (struct sq_comparison){
            .phrase = phrase,
            .text = { stream->codes, stream->joints, stream->roles, 0 },
            .is_sure = stream->is_sure,
            .is_similar = is_similar,
        };
        add_row(stream, text, i, false);
        stream->own = stream->c.text.count;
        int next = sq_row_below(text, i);
        if (next >= 0) {
            add_row(stream, text, next, true);
        }
        sq_glyphs_set_roles(&stream->c.text);
        collect(text, stream, search(&stream->c, cells), out);
    }
    sq_mem_free(cells);
    sq_mem_free(stream);
    return ok;
}

bool
sq_match_find_only(const struct sq_text *text, const struct sq_phrase *phrase,
                   struct sq_text_matches *out, struct sq_err *err) {
    *out = (struct sq_text_matches){ 0 };
    bool ok = match_search(text, phrase, false, out, err);
    /* Sorts by score; equal ones keep the order of the lines. */
    for (int i = 1; i < out->count; i++) {
        struct sq_text_match match = out->items[i];
        int k = i;
        while (k > 0 && out->items[k - 1].score < match.score) {
            out->items[k] = out->items[k - 1];
            k--;
        }
        out->items[k] = match;
    }
    return ok;
}

bool
sq_match_find(const struct sq_text *text, const struct sq_phrase *phrase,
              struct sq_text_matches *out, struct sq_err *err) {
    return sq_match_find_only(text, phrase, out, err)
        && (out->count > 0 || match_search(text, phrase, true, out, err));
}

/* Compares texts of elements, and writes the words of matches. */

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
    int line = match->line;
    int first = match->first;
    bool ok = true;
    while (ok && line != match->last_line) {
        const struct sq_words_of_line *words = &text->lines[line].words;
        ok = append(words, first, words->count - 1, out, err);
        line = sq_row_next(text, line, match->last_line);
        first = 0;
    }
    return ok && append(&text->lines[line].words, first, match->last, out, err);
}

bool
sq_match_append_lines(const struct sq_text *text,
                      const struct sq_text_match *match, struct sq_buf *out,
                      struct sq_err *err) {
    const struct sq_text_match whole = {
        .line = sq_row_first(text, match->line),
        .last_line = sq_row_last(text, match->last_line),
        .last =
            text->lines[sq_row_last(text, match->last_line)].words.count - 1,
    };
    return sq_match_append_words(text, &whole, out, err);
}

#define MAX_LABEL_WORDS 64

/* A text as a line of words. */
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
            .confidence = 100,
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

bool
sq_text_search_init(struct sq_text_search *search, struct sq_span text,
                    int enough, struct sq_arena *arena, struct sq_err *err) {
    search->text = text;
    search->enough = enough;
    return sq_phrase_init(&search->phrase, text, arena, err);
}

static bool
is_wide_enough(const void *context, struct sq_rect box) {
    const struct sq_text_search *search = context;
    return sq_phrase_may_fit(&search->phrase, box);
}

/* Returns whether the text has enough matches without any difference. */
static bool
has_enough(const void *context, const struct sq_text *text) {
    const struct sq_text_search *search = context;
    struct sq_text_matches matches;
    struct sq_err ignored = { 0 };
    return sq_match_find_only(text, &search->phrase, &matches, &ignored)
        && matches.count >= search->enough
        && matches.items[search->enough - 1].score >= 1.0;
}

struct sq_read_plan
sq_text_search_plan(const struct sq_text_search *search) {
    return (struct sq_read_plan){
        .looks_like =
            search->enough ? search->text : (struct sq_span){ NULL, 0 },
        .wants = is_wide_enough,
        .is_enough = search->enough ? has_enough : NULL,
        .context = search,
    };
}
