/*
 * The words of the index: those of a page, the vocabulary of all, and what
 * FTS5 is asked for. Words of
 * a sequence are stored one by one and as pairs of neighbours, so that
 * "1,204" is found without reading the lines of all pages with 1 and 204.
 */
#include <stdio.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "archive/search/terms.h"
#include "util/utf8.h"
#include "vision/reader.h"

/* Room for the words of one line. */
#define LINE_ARENA ((size_t)1 << 20)

/* Appends the sequences of one line. */
static bool
fold_line(struct sq_span line_words, struct sq_buf *out, struct sq_err *err) {
    struct sq_words_of_line words;
    SQ_ARENA(arena, LINE_ARENA);
    return sq_words_parse(line_words, &arena, &words, err)
        && sq_search_fold_line(&words, out, NULL, err);
}

static bool
append_token(struct sq_span token, struct sq_buf *out, struct sq_err *err) {
    return sq_buf_append(out, token.ptr, token.len, err)
        && sq_buf_append(out, " ", 1, err);
}

/* Appends the words and pairs of all sequences. */
static bool
append_tokens(struct sq_span folded, struct sq_buf *out, struct sq_err *err) {
    struct sq_span sequence;
    bool ok = true;
    while (ok && sq_search_next_sequence(&folded, &sequence)) {
        struct sq_span words = sequence;
        struct sq_span token;
        while (ok && sq_search_next_word(&words, &token)) {
            ok = append_token(token, out, err);
        }
        while (ok && sq_search_next_pair(&sequence, &token)) {
            ok = append_token(token, out, err);
        }
    }
    return ok;
}

/* Appends the words of an activity, each with a mark. */
static bool
fold_app(struct sq_span app, struct sq_buf *out, struct sq_err *err) {
    struct sq_span sequence;
    SQ_BUF(folded, MAX_PAGE_TEXT);
    bool ok = sq_search_fold(app, &folded, err);
    struct sq_span rest = sq_buf_span(&folded);
    while (ok && sq_search_next_sequence(&rest, &sequence)) {
        struct sq_span word;
        while (ok && sq_search_next_word(&sequence, &word)) {
            ok = sq_buf_append(out, APP_MARK, strlen(APP_MARK), err)
              && append_token(word, out, err);
        }
    }
    return ok;
}

static bool
append_line(struct sq_search_store *store, uint32_t id, struct sq_buf *out,
            struct sq_err *err) {
    bool has_row;
    if (!sq_sql_begin(store, LINE_READ, &has_row, err, "i", (int64_t)id)) {
        return false;
    }
    SQ_BUF(folded, MAX_PAGE_TEXT);
    bool ok = !has_row
           || (fold_line(sq_sql_bytes(store, LINE_READ, 0), &folded, err)
               && append_tokens(sq_buf_span(&folded), out, err));
    sq_sql_end(store, LINE_READ);
    return ok;
}

bool
sq_search_page_words(struct sq_search_store *store, struct sq_span lines,
                     struct sq_span app, struct sq_buf *out,
                     struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < sq_search_line_count(lines); i++) {
        ok = append_line(store, sq_search_line_at(lines, i).id, out, err);
    }
    return ok && fold_app(app, out, err);
}

/* Adds a word or a pair to its table and to that of its parts. */
static bool
add_token(struct sq_search_store *store, struct sq_span token, int add,
          int add_part, struct sq_err *err) {
    if (!sq_sql_begin(store, add, NULL, err, "t", token)) {
        return false;
    }
    bool is_new = sq_sql_changes(store) > 0;
    int64_t id = sq_sql_last_id(store);
    sq_sql_end(store, add);
    bool ok =
        !is_new || sq_sql_begin(store, add_part, NULL, err, "it", id, token);
    sq_sql_end(store, add_part);
    return ok;
}

bool
sq_search_add_words(struct sq_search_store *store, struct sq_span line_words,
                    struct sq_err *err) {
    struct sq_span sequence;
    SQ_BUF(folded, MAX_PAGE_TEXT);
    bool ok = fold_line(line_words, &folded, err);
    struct sq_span rest = sq_buf_span(&folded);
    while (ok && sq_search_next_sequence(&rest, &sequence)) {
        struct sq_span words = sequence;
        struct sq_span token;
        while (ok && sq_search_next_word(&words, &token)) {
            ok = add_token(store, token, WORD_ADD, PART_ADD, err);
        }
        while (ok && sq_search_next_pair(&sequence, &token)) {
            ok = add_token(store, token, PAIR_ADD, PAIR_PART_ADD, err);
        }
    }
    return ok;
}

/* At most this many words of the vocabulary stand for one term. */
#define MAX_WORDS 300
/* Of the vocabulary; they are compared with a term that may be misread. */
#define MAX_COMPARED 20000
/* Characters; shorter parts are found by reading the vocabulary. */
#define MIN_PART 3
/* Of a term; the lines of a page show whether it has the others too. */
#define MAX_PAIRS 4

/* Returns an operator, unless the expression or a part of it starts here. */
static const char *
unless_first(const struct sq_buf *out, const char *operator) {
    bool is_first = out->len == 0 || out->data[out->len - 1] == '(';
    return is_first ? "" : operator;
}

/* Appends OR "word", with * if it is only the start. */
static bool
put_word(struct sq_buf *out, const char *mark, struct sq_span word,
         bool is_start, struct sq_err *err) {
    return sq_buf_printf(out, err, "%s\"%s%.*s\"%s", unless_first(out, " OR "),
                         mark, SQ_SPAN_ARGS(word), is_start ? "*" : "");
}

/*
 * Appends the words that start with a term. Few words are faster than a search
 * for all that start so, which FTS5 has to merge first.
 */
static bool
put_starts(struct sq_search_store *store, struct sq_span term,
           struct sq_buf *out, struct sq_err *err) {
    size_t count = 0;
    SQ_BUF(known, SQ_SEARCH_MAX_EXPRESSION);
    /*
     * Appends the words of the vocabulary that start with a term; counts them.
     */
    char after[SQ_SEARCH_WORD_BYTES + 2];
    bool has_row;
    snprintf(after, sizeof(after), "%.*s\xff", SQ_SPAN_ARGS(term));
    bool ok = sq_sql_begin(store, WORD_STARTS, &has_row, err, "tti", term,
                           sq_span_of(after), (int64_t)MAX_WORDS);
    while (ok && has_row) {
        ++count;
        ok = put_word(&known, "", sq_sql_bytes(store, WORD_STARTS, 0), false,
                      err)
          && sq_sql_next(store, WORD_STARTS, &has_row, err);
    }
    sq_sql_end(store, WORD_STARTS);
    if (ok) {
        ok = count == 0 || count == MAX_WORDS
               ? put_word(out, "", term, true, err)
               : sq_buf_append(out, known.data, known.len, err);
    }
    return ok;
}

/* Appends the words that a statement finds and that have a text inside. */
static bool
put_found(struct sq_search_expression *e, int statement, struct sq_span wanted,
          struct sq_span text, struct sq_err *err) {
    struct sq_search_store *store = e->store;
    /* Short parts are in many words: several of them share the limit. */
    size_t most = statement == PART_SCAN
                    ? MAX_WORDS / e->request->query.wanted.count
                    : MAX_WORDS;
    size_t count = 0;
    bool has_row;
    bool ok = sq_sql_begin(store, statement, &has_row, err, "ti", wanted,
                           (int64_t)most);
    while (ok && has_row) {
        struct sq_span word = sq_sql_bytes(store, statement, 0);
        bool is_start =
            word.len >= text.len && memcmp(word.ptr, text.ptr, text.len) == 0;
        count++;
        ok = ((is_start && statement != PAIR_FIND)
              || put_word(&e->text, "", word, false, err))
          && sq_sql_next(store, statement, &has_row, err);
    }
    sq_sql_end(store, statement);
    e->is_partial = e->is_partial || count == most;
    return ok;
}

/* Appends the words that have a term inside, or the pairs. */
static bool
put_parts(struct sq_search_expression *e, int statement, struct sq_span term,
          struct sq_err *err) {
    char quoted[SQ_SEARCH_PAIR_BYTES + 4];
    if (sq_utf8_count(term) < MIN_PART) {
        return put_found(e, PART_SCAN, term, term, err);
    }
    snprintf(quoted, sizeof(quoted), "\"%.*s\"", SQ_SPAN_ARGS(term));
    return put_found(e, statement, sq_span_of(quoted), term, err);
}

/* A word of which one character may be misread. */
struct misread {
    struct sq_span word;
    enum sq_search_misread how;
    size_t found;
};

/* Appends the words of a statement's rows that the word may be read as. */
static bool
put_close(struct sq_search_expression *e, int statement, bool has_row,
          struct misread *misread, struct sq_err *err) {
    struct sq_search_store *store = e->store;
    bool ok = true;
    while (ok && has_row && misread->found < MAX_WORDS) {
        struct sq_span word = sq_sql_bytes(store, statement, 0);
        bool is_close = sq_search_is_misread(misread->word, word, misread->how);
        misread->found += is_close;
        ok = (!is_close || put_word(&e->text, "", word, false, err))
          && sq_sql_next(store, statement, &has_row, err);
    }
    return ok;
}

/* Returns the bytes of the first characters of a word. */
static size_t
bytes_of(struct sq_span word, size_t characters) {
    size_t len = 0;
    for (; characters > 0 && len < word.len; characters--) {
        do {
            len++;
        } while (len < word.len && ((uint8_t)word.ptr[len] & 0xc0) == 0x80);
    }
    return len;
}

/*
 * Appends the words of the vocabulary that a word may be read as. One of its
 * halves is as it is: all words are compared that begin with the first, less a
 * character, as two can be read as one, or have the second.
 */
static bool
put_misread(struct sq_search_expression *e, struct sq_span word,
            struct sq_err *err) {
    struct sq_search_store *store = e->store;
    struct misread misread = { word,
                               e->rank == SQ_SEARCH_MISREAD ? SQ_SEARCH_CONFUSED
                                                            : SQ_SEARCH_ONE_OFF,
                               0 };
    char text[SQ_SEARCH_WORD_BYTES + 4];
    size_t count = sq_utf8_count(word);
    size_t half = bytes_of(word, count / 2);
    struct sq_span start = { word.ptr,
                             bytes_of(word, count / 2 - (count >= 6)) };
    struct sq_span end = { word.ptr + half, word.len - half };
    bool is_long = sq_utf8_count(end) >= MIN_PART;
    int statement = is_long ? PART_FIND : PART_SCAN;
    bool has_row;
    snprintf(text, sizeof(text), "%.*s\xff", SQ_SPAN_ARGS(start));
    bool ok = sq_sql_begin(store, WORD_STARTS, &has_row, err, "tti", start,
                           sq_span_of(text), (int64_t)MAX_COMPARED)
           && put_close(e, WORD_STARTS, has_row, &misread, err);
    sq_sql_end(store, WORD_STARTS);
    snprintf(text, sizeof(text), is_long ? "\"%.*s\"" : "%.*s",
             SQ_SPAN_ARGS(end));
    ok = ok
      && sq_sql_begin(store, statement, &has_row, err, "ti", sq_span_of(text),
                      (int64_t)MAX_COMPARED)
      && put_close(e, statement, has_row, &misread, err);
    sq_sql_end(store, statement);
    return ok;
}

/* Appends what stands for a word or pair of a term. */
static bool
put_token(struct sq_search_expression *e, struct sq_span token, bool is_pair,
          struct sq_err *err) {
    struct sq_buf *out = &e->text;
    if (!sq_buf_printf(out, err, "%s(", unless_first(out, " AND "))) {
        return false;
    }
    bool ok = e->rank == SQ_SEARCH_WHOLE || is_pair
                ? put_word(out, "", token, false, err)
                : put_starts(e->store, token, out, err);
    return ok
        && (e->rank == SQ_SEARCH_WHOLE
            || put_parts(e, is_pair ? PAIR_FIND : PART_FIND, token, err))
        && sq_buf_append(out, ")", 1, err);
}

/* Appends OR and the pairs of a number in groups of three digits. */
static bool
put_groups(struct sq_search_expression *e, struct sq_span groups,
           struct sq_err *err) {
    struct sq_buf *out = &e->text;
    struct sq_span pair;
    bool ok = sq_buf_printf(out, err, " OR (");
    for (int i = 0; ok && i < MAX_PAIRS && sq_search_next_pair(&groups, &pair);
         i++) {
        ok = sq_buf_printf(out, err, "%s\"%.*s\"", unless_first(out, " AND "),
                           SQ_SPAN_ARGS(pair));
    }
    return ok && sq_buf_append(out, ")", 1, err);
}

/* Appends a word, a number also in groups, and what it may be read as. */
static bool
put_single(struct sq_search_expression *e, struct sq_span word,
           bool may_be_misread, struct sq_err *err) {
    char groups[SQ_SEARCH_GROUPED_BYTES];
    struct sq_buf *out = &e->text;
    bool ok = sq_buf_printf(out, err, "%s(", unless_first(out, " AND "))
           && put_token(e, word, false, err)
           && (!may_be_misread || e->rank < SQ_SEARCH_MISREAD
               || put_misread(e, word, err));
    for (size_t i = 0; ok && i < SQ_SEARCH_GROUPINGS; i++) {
        size_t len = sq_search_group(word, i, groups);
        ok = len == 0 || put_groups(e, (struct sq_span){ groups, len }, err);
    }
    return ok && sq_buf_append(out, ")", 1, err);
}

/* Appends a sequence: one word, or the pairs of its words. */
static bool
put_sequence(struct sq_search_expression *e, struct sq_span sequence,
             bool may_be_misread, struct sq_err *err) {
    struct sq_span pair;
    bool ok = true;
    int count = 0;
    for (struct sq_span rest = sequence;
         ok && count < MAX_PAIRS && sq_search_next_pair(&rest, &pair);
         count++) {
        ok = put_token(e, pair, true, err);
    }
    return ok && (count > 0 || put_single(e, sequence, may_be_misread, err));
}

/* Appends a term: a sequence, or those of a phrase as they are. */
static bool
put_term(struct sq_search_expression *e, size_t index, struct sq_err *err) {
    const struct sq_search_terms *terms = &e->request->query.wanted;
    struct sq_span rest = terms->items[index];
    struct sq_span sequence;
    enum sq_search_rank rank = e->rank;
    bool ok = true;
    if (!(terms->exact & 1U << index)) {
        return put_sequence(e, rest, sq_search_may_be_misread(terms, index),
                            err);
    }
    e->rank = SQ_SEARCH_WHOLE;
    while (ok && rest.len > 0) {
        if (!sq_search_next_sequence(&rest, &sequence)) {
            sequence = rest;
            rest.len = 0;
        }
        ok = put_sequence(e, sequence, false, err);
    }
    e->rank = rank;
    return ok;
}

/* Appends the words of an activity. */
static bool
put_app(struct sq_search_expression *e, struct sq_span app,
        struct sq_err *err) {
    struct sq_span word;
    bool ok = true;
    while (ok && sq_search_next_word(&app, &word)) {
        ok =
            sq_buf_printf(&e->text, err, "%s(", unless_first(&e->text, " AND "))
            && put_word(&e->text, APP_MARK, word, true, err)
            && sq_buf_append(&e->text, ")", 1, err);
    }
    return ok;
}

/*
 * Appends NOT and the unwanted words; FTS5 needs others before it. Those with
 * signs or spaces are left to the comparison with the lines.
 */
static bool
put_unwanted(struct sq_search_expression *e, struct sq_err *err) {
    const struct sq_search_terms *terms = &e->request->query.unwanted;
    bool ok = true;
    for (size_t i = 0; ok && e->text.len > 0 && i < terms->count; i++) {
        struct sq_span rest = terms->items[i];
        struct sq_span word;
        if (!memchr(rest.ptr, ' ', rest.len)
            && sq_search_next_word(&rest, &word)
            && word.len == terms->items[i].len) {
            ok = sq_buf_printf(&e->text, err, " NOT \"%.*s\"",
                               SQ_SPAN_ARGS(word));
        }
    }
    return ok;
}

bool
sq_search_write_expression(struct sq_search_expression *e, struct sq_err *err) {
    bool ok = true;
    sq_buf_clear(&e->text);
    for (size_t i = 0; ok && i < e->request->query.wanted.count; i++) {
        ok = put_term(e, i, err);
    }
    for (size_t i = 0; ok && i < e->request->apps.count; i++) {
        ok = put_app(e, e->request->apps.items[i], err);
    }
    return ok && put_unwanted(e, err);
}
