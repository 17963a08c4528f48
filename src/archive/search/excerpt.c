/* Chooses the line of a page that a search shows. */
#include "archive/search/terms.h"

#include <stdio.h>
#include <string.h>

#include "util/utf8.h"
#include "vision/reader.h"

#define LINE_ARENA ((size_t)1 << 20)
#define MAX_LINE_TEXT ((size_t)4 << 20)

struct sq_search_line
sq_search_line_at(struct sq_span lines, size_t index) {
    struct sq_search_line line;
    memcpy(&line, lines.ptr + index * sizeof(line), sizeof(line));
    return line;
}

size_t
sq_search_line_count(struct sq_span lines) {
    return lines.len / sizeof(struct sq_search_line);
}

/* How well a term matches. */
enum fit {
    FIT_NONE,
    FIT_MISREAD,
    FIT_PART,  /* of a word */
    FIT_WORDS, /* whole words, as 204 in 1,204.50 */
    FIT_WHOLE, /* between spaces */
};

/* A line: its text as it is compared. */
struct line {
    const struct sq_words_of_line *words;
    struct sq_span folded;
    const size_t *starts; /* where each word begins in it */
};

/* Returns whether the text ends or continues with a space; else *is_word. */
static bool
is_edge(struct sq_span text, size_t at, bool is_start, bool *is_word) {
    if (is_start ? at == 0 : at >= text.len) {
        return true;
    }
    const char *byte = text.ptr + at;
    *is_word = is_start ? at >= SQ_SEARCH_MARK_BYTES
                              && sq_search_is_mark(byte - SQ_SEARCH_MARK_BYTES)
                        : sq_search_is_mark(byte);
    return is_start ? byte[-1] == ' ' : *byte == ' ';
}

/* Returns how well the term that is at an offset matches. */
static enum fit
fit_at(struct sq_span text, size_t at, size_t len) {
    bool starts_word = true;
    bool ends_word = true;
    bool is_start = is_edge(text, at, true, &starts_word);
    bool is_end = is_edge(text, at + len, false, &ends_word);
    return is_start && is_end                                 ? FIT_WHOLE
         : (is_start || starts_word) && (is_end || ends_word) ? FIT_WORDS
                                                              : FIT_PART;
}

/* A term, and other ways to write it. */
struct wanted {
    struct sq_span term;
    bool is_exact;                  /* no part of a word */
    enum sq_search_misread misread; /* what stands for it too */
    char groups[SQ_SEARCH_GROUPINGS][SQ_SEARCH_GROUPED_BYTES];
    size_t group_len; /* 0: the term is no number that can be in groups */
};

static struct wanted
wanted_of(const struct sq_search_terms *terms, size_t index) {
    struct sq_span term = terms->items[index];
    struct wanted wanted = {
        .term = term,
        .is_exact = (terms->exact & 1U << index) != 0,
        .misread = sq_search_may_be_misread(terms, index) ? terms->misread
                                                          : SQ_SEARCH_AS_IT_IS,
    };
    for (size_t i = 0; i < SQ_SEARCH_GROUPINGS; i++) {
        wanted.group_len = sq_search_group(term, i, wanted.groups[i]);
    }
    return wanted;
}

/* A place in the text of a line. */
struct place {
    size_t at;
    size_t len;
};

/* Returns the length of a misread term at an offset; 0: there is none. */
static size_t
misread_at(struct sq_span text, size_t at, const struct wanted *wanted) {
    bool is_word = false;
    struct sq_span rest = { text.ptr + at, text.len - at };
    struct sq_span sequence = rest;
    struct sq_span word;
    if (wanted->misread == SQ_SEARCH_AS_IT_IS
        || (!is_edge(text, at, true, &is_word) && !is_word)) {
        return 0;
    }
    sq_search_next_sequence(&rest, &sequence);
    return sq_search_next_word(&sequence, &word)
                && sq_search_is_misread(wanted->term, word, wanted->misread)
             ? word.len
             : 0;
}

static bool
is_at(struct sq_span text, size_t at, const char *bytes, size_t len) {
    return len > 0 && at + len <= text.len
        && memcmp(text.ptr + at, bytes, len) == 0;
}

/* Returns the length of a term at an offset; 0: it is not there. */
static size_t
length_at(struct sq_span text, size_t at, const struct wanted *wanted) {
    if (is_at(text, at, wanted->term.ptr, wanted->term.len)) {
        return wanted->term.len;
    }
    for (size_t i = 0; i < SQ_SEARCH_GROUPINGS; i++) {
        if (is_at(text, at, wanted->groups[i], wanted->group_len)
            && sq_search_is_number(text, at, wanted->group_len)) {
            return wanted->group_len;
        }
    }
    return 0;
}

/*
 * Returns the next place at or after an offset where a term may be: one that
 * has its first byte, which is also that of its groups.
 */
static size_t
next_place(struct sq_span text, size_t at, const struct wanted *wanted) {
    if (wanted->misread != SQ_SEARCH_AS_IT_IS || at >= text.len) {
        return at;
    }
    const char *found =
        memchr(text.ptr + at, wanted->term.ptr[0], text.len - at);
    return found ? (size_t)(found - text.ptr) : text.len;
}

/* Finds the next place of a term from place->at on, or FIT_NONE. */
static enum fit
find_term(struct sq_span text, const struct wanted *wanted,
          struct place *place) {
    for (; (place->at = next_place(text, place->at, wanted)) < text.len;
         place->at++) {
        place->len = length_at(text, place->at, wanted);
        enum fit fit =
            place->len ? fit_at(text, place->at, place->len) : FIT_NONE;
        if (fit != FIT_NONE && !(wanted->is_exact && fit == FIT_PART)) {
            return fit;
        }
        place->len = misread_at(text, place->at, wanted);
        if (place->len) {
            return FIT_MISREAD;
        }
    }
    return FIT_NONE;
}

/* Returns how well a line has a term, at its best. */
static enum fit
fit_of(struct sq_span text, const struct wanted *wanted) {
    enum fit best = FIT_NONE;
    enum fit fit = FIT_NONE;
    for (struct place place = { 0 };
         best < FIT_WHOLE
         && (fit = find_term(text, wanted, &place)) != FIT_NONE;
         place.at++) {
        best = fit > best ? fit : best;
    }
    return best;
}

/* Writes the words around the first that matches. */
static void
write_snippet(const struct sq_words_of_line *words, int first,
              char out[SQ_SEARCH_SNIPPET_BYTES + 1]) {
    size_t before = 0;
    int from = first;
    while (from > 0
           && before + words->items[from - 1].text.len + 1
                  < SQ_SEARCH_SNIPPET_BYTES / 2) {
        before += words->items[--from].text.len + 1;
    }
    size_t used = 0;
    for (int i = from; i < words->count; i++) {
        struct sq_span text = sq_utf8_shorten(
            words->items[i].text, SQ_SEARCH_SNIPPET_BYTES - used - (i > from));
        if (text.len < words->items[i].text.len && i > from) {
            break;
        }
        used +=
            (size_t)snprintf(out + used, SQ_SEARCH_SNIPPET_BYTES + 1 - used,
                             "%s%.*s", i > from ? " " : "", SQ_SPAN_ARGS(text));
        if (used + 1 >= SQ_SEARCH_SNIPPET_BYTES) {
            break;
        }
    }
}

/* Joins the boxes of the words that have a term; *first is the first one. */
static void
add_words(const struct line *line, const struct wanted *wanted, enum fit best,
          struct sq_rect *box, int *first) {
    enum fit fit;
    for (struct place place = { 0 };
         (fit = find_term(line->folded, wanted, &place)) != FIT_NONE;
         place.at++) {
        for (int i = 0; fit == best && i < line->words->count; i++) {
            bool is_last = i + 1 == line->words->count;
            size_t end = is_last ? line->folded.len : line->starts[i + 1];
            if (line->starts[i] < place.at + place.len && place.at < end) {
                struct sq_rect word = line->words->items[i].box;
                *box = *first < 0 ? word : sq_rect_join(*box, word);
                *first = *first < 0 || i < *first ? i : *first;
            }
        }
    }
}

/* Takes the line as excerpt; without terms, all of it. */
static void
take_line(const struct line *line, const struct sq_search_line *place,
          const struct sq_search_terms *terms,
          struct sq_search_excerpt *excerpt) {
    struct sq_rect box = { 0 };
    int first = -1;
    for (size_t i = 0; i < terms->count; i++) {
        const struct wanted wanted = wanted_of(terms, i);
        enum fit fit = fit_of(line->folded, &wanted);
        add_words(line, &wanted, fit, &box, &first);
    }
    for (int i = 0; terms->count == 0 && i < line->words->count; i++) {
        struct sq_rect word = line->words->items[i].box;
        box = i == 0 ? word : sq_rect_join(box, word);
        first = 0;
    }
    excerpt->box =
        (struct sq_rect){ box.left + place->x, box.top + place->y,
                          box.right + place->x, box.bottom + place->y };
    write_snippet(line->words, first, excerpt->snippet);
}

/* Takes the line as excerpt if it is better than the last. */
static void
try_line(const struct line *line, const struct sq_search_line *place,
         const struct sq_search_terms *terms,
         struct sq_search_excerpt *excerpt) {
    size_t matched = 0;
    int sum = 0;
    for (size_t i = 0; i < terms->count; i++) {
        const struct wanted wanted = wanted_of(terms, i);
        enum fit fit = fit_of(line->folded, &wanted);
        matched += fit != FIT_NONE;
        sum += (int)fit;
        if (fit != FIT_NONE && !(excerpt->found & 1U << i)) {
            excerpt->lines[i] = *place;
        }
        excerpt->found |= (unsigned)(fit != FIT_NONE) << i;
    }
    excerpt->tried = matched;
    bool is_only =
        terms->count == 0 && !excerpt->snippet[0] && line->words->count > 0;
    if (is_only || matched > excerpt->matched
        || (matched == excerpt->matched && sum > excerpt->fit)) {
        excerpt->matched = matched;
        excerpt->fit = sum;
        excerpt->line = *place;
        take_line(line, place, terms, excerpt);
    }
}

static bool
fold_and_try(const struct sq_words_of_line *words,
             const struct sq_search_line *place,
             const struct sq_search_terms *terms, struct sq_arena *arena,
             struct sq_search_excerpt *excerpt, struct sq_err *err) {
    size_t *starts =
        sq_arena_alloc(arena, (size_t)words->count + 1, sizeof(*starts), err);
    SQ_BUF(folded, MAX_LINE_TEXT);
    bool ok = starts && sq_search_fold_line(words, &folded, starts, err);
    if (ok) {
        const struct line line = { words, sq_buf_span(&folded), starts };
        try_line(&line, place, terms, excerpt);
    }
    return ok;
}

bool
sq_search_excerpt_try(struct sq_span words, const struct sq_search_line *line,
                      const struct sq_search_terms *terms,
                      struct sq_search_excerpt *excerpt, struct sq_err *err) {
    struct sq_words_of_line parsed;
    SQ_ARENA(arena, LINE_ARENA);
    return sq_words_parse(words, &arena, &parsed, err)
        && fold_and_try(&parsed, line, terms, &arena, excerpt, err);
}

/* Finds the line with an id. */
static bool
find_line(struct sq_span lines, uint32_t id, struct sq_search_line *out) {
    for (size_t i = 0; i < sq_search_line_count(lines); i++) {
        *out = sq_search_line_at(lines, i);
        if (out->id == id) {
            return true;
        }
    }
    return false;
}

bool
sq_search_excerpt_move(struct sq_search_excerpt *excerpt,
                       const struct sq_search_terms *terms,
                       struct sq_span lines) {
    struct sq_search_line line;
    for (size_t i = 0; i < terms->count; i++) {
        if (!find_line(lines, excerpt->lines[i].id, &line)) {
            return false;
        }
    }
    if (!find_line(lines, excerpt->line.id, &line)) {
        return false;
    }
    int right = line.x - excerpt->line.x;
    int down = line.y - excerpt->line.y;
    excerpt->box.left += right;
    excerpt->box.right += right;
    excerpt->box.top += down;
    excerpt->box.bottom += down;
    excerpt->line = line;
    return true;
}

bool
sq_search_excerpt_has_any(struct sq_span words,
                          const struct sq_search_terms *terms, bool *out,
                          struct sq_err *err) {
    const struct sq_search_line nowhere = { 0 };
    struct sq_search_excerpt excerpt = { 0 };
    bool ok = sq_search_excerpt_try(words, &nowhere, terms, &excerpt, err);
    *out = ok && excerpt.found != 0;
    return ok;
}

bool
sq_search_excerpt_has_all(const struct sq_search_excerpt *excerpt,
                          const struct sq_search_terms *terms) {
    return (size_t)__builtin_popcount(excerpt->found) == terms->count;
}

bool
sq_search_excerpt_is_best(const struct sq_search_excerpt *excerpt,
                          const struct sq_search_terms *terms) {
    return terms->count == 0 ? excerpt->snippet[0] != '\0'
                             : (size_t)excerpt->fit == terms->count * FIT_WHOLE;
}
