/*
 * The words of the index: those of a page, the vocabulary of all, and what FTS5
 * is asked for. Words of a sequence are stored one by one and as pairs of
 * neighbours, so that "1,204" is found without reading the lines of all pages
 * with 1 and 204.
 */
#include <stdio.h>
#include <string.h>

#include "archive/search/store_private.h"
#include "util/utf8.h"
#include "vision/reader.h"

/* Room for the words of one line. */
#define LINE_ARENA ((size_t)1 << 20)

/* The words of folded text, and the pairs of each sequence after them. */
struct tokens {
    struct sq_span folded;
    struct sq_span words; /* of the sequence, that are left */
    struct sq_span pairs;
};

/* Takes the next word or pair; false after the last. */
static bool
next_token(struct tokens *tokens, struct sq_span *out, bool *is_pair) {
    struct sq_span sequence;
    for (;;) {
        *is_pair = false;
        if (tokens->words.len > 0 && sq_search_next_word(&tokens->words, out)) {
            return true;
        }
        *is_pair = true;
        if (tokens->pairs.len > 0 && sq_search_next_pair(&tokens->pairs, out)) {
            return true;
        }
        if (!sq_search_next_sequence(&tokens->folded, &sequence)) {
            return false;
        }
        tokens->words = tokens->pairs = sequence;
    }
}

/* Folds the stored words of a line. */
static bool
fold_line(struct sq_search_store *store, struct sq_span line_words,
          struct sq_buf *out) {
    struct sq_words_of_line words;
    SQ_ARENA(arena, LINE_ARENA);
    return sq_words_parse(line_words, &arena, &words, &store->err)
        && sq_search_fold_line(&words, out, NULL, &store->err);
}

struct sqlite3_stmt *
sq_search_read_line(struct sq_search_store *store, uint32_t id) {
    return sq_sql_begin(store, "SELECT words FROM line WHERE id = ?1", "i",
                        (int64_t)id);
}

static bool
append_line(struct sq_search_store *store, uint32_t id, struct sq_buf *out) {
    SQ_BUF(folded, MAX_PAGE_TEXT);
    struct sqlite3_stmt *row = sq_search_read_line(store, id);
    if (sq_sql_next(store, row)) {
        fold_line(store, sq_sql_bytes(row, 0), &folded);
    }
    sq_sql_end(row);
    struct tokens tokens = { .folded = sq_buf_span(&folded) };
    struct sq_span token;
    bool is_pair;
    while (sq_sql_ok(store) && next_token(&tokens, &token, &is_pair)) {
        sq_buf_printf(out, &store->err, "%.*s ", SQ_SPAN_ARGS(token));
    }
    return sq_sql_ok(store);
}

bool
sq_search_page_words(struct sq_search_store *store, struct sq_span lines,
                     struct sq_span app, struct sq_buf *out) {
    for (size_t i = 0; i < sq_search_line_count(lines); i++) {
        if (!append_line(store, sq_search_line_at(lines, i).id, out)) {
            return false;
        }
    }
    /* Appends the words of the activity, each with a mark. */
    SQ_BUF(folded, MAX_PAGE_TEXT);
    bool ok = sq_search_fold(app, &folded, &store->err);
    struct tokens tokens = { .folded = sq_buf_span(&folded) };
    struct sq_span token;
    bool is_pair;
    while (ok && next_token(&tokens, &token, &is_pair)) {
        ok = is_pair
          || sq_buf_printf(out, &store->err, APP_MARK "%.*s ",
                           SQ_SPAN_ARGS(token));
    }
    return ok;
}

bool
sq_search_add_words(struct sq_search_store *store, struct sq_span line_words) {
    SQ_BUF(folded, MAX_PAGE_TEXT);
    bool ok = fold_line(store, line_words, &folded);
    struct tokens tokens = { .folded = sq_buf_span(&folded) };
    struct sq_span token;
    bool is_pair;
    while (ok && next_token(&tokens, &token, &is_pair)) {
        ok = SQ_SQL_DO(store,
                       is_pair ? "INSERT OR IGNORE INTO pair(text) VALUES(?1)"
                               : "INSERT OR IGNORE INTO word(text) VALUES(?1)",
                       "t", token);
        if (ok && sq_sql_changes(store) > 0) {
            ok = SQ_SQL_DO(
                store,
                is_pair ? "INSERT INTO pair_part(rowid, text) VALUES(?1, ?2)"
                        : "INSERT INTO part(rowid, text) VALUES(?1, ?2)",
                "it", sq_sql_last_id(store), token);
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

/* Appends to the expression; what fails is reported at its end. */
#define PUT(e, ...) sq_buf_printf(&(e)->text, &(e)->store->err, __VA_ARGS__)

/* Returns an operator, unless the expression or a part of it starts here. */
static const char *
unless_first(const struct sq_buf *out, const char *operator) {
    bool is_first = out->len == 0 || out->data[out->len - 1] == '(';
    return is_first ? "" : operator;
}

/* Appends the operator and "(". */
static void
open_part(struct sq_search_expression *e, const char *operator) {
    PUT(e, "%s(", unless_first(&e->text, operator));
}

/* Appends the operator and "word", with * if it is only the start. */
static void
put_word(struct sq_search_expression *e, const char *operator,
         struct sq_span word, bool is_start) {
    PUT(e, "%s\"%.*s\"%s", unless_first(&e->text, operator), SQ_SPAN_ARGS(word),
        is_start ? "*" : "");
}

static struct sqlite3_stmt *
begin_starts(struct sq_search_store *store, struct sq_span start, size_t most,
             char after[SQ_SEARCH_WORD_BYTES + 2]) {
    snprintf(after, SQ_SEARCH_WORD_BYTES + 2, "%.*s\xff", SQ_SPAN_ARGS(start));
    return sq_sql_begin(
        store, "SELECT text FROM word WHERE text >= ?1 AND text < ?2 LIMIT ?3",
        "tti", start, sq_span_of(after), (int64_t)most);
}

/* How words with a text inside are found: short parts, words and pairs. */
static const char part_scan[] =
    "SELECT text FROM word WHERE instr(text, ?1) > 1 LIMIT ?2";
static const char part_find[] =
    "SELECT text FROM part WHERE part MATCH ?1 LIMIT ?2";
static const char pair_find[] =
    "SELECT text FROM pair_part WHERE pair_part MATCH ?1 LIMIT ?2";

/*
 * Appends the words that start with a term. Few words are faster than a search
 * for all that start so, which FTS5 has to merge first.
 */
static void
put_starts(struct sq_search_expression *e, struct sq_span term) {
    struct sq_search_store *store = e->store;
    struct sq_search_expression known = { .store = store };
    char after[SQ_SEARCH_WORD_BYTES + 2];
    size_t count = 0;
    sq_buf_init(&known.text, SQ_SEARCH_MAX_EXPRESSION);
    struct sqlite3_stmt *row = begin_starts(store, term, MAX_WORDS, after);
    for (; sq_sql_next(store, row); count++) {
        put_word(&known, " OR ", sq_sql_bytes(row, 0), false);
    }
    if (count == 0 || count == MAX_WORDS) {
        put_word(e, " OR ", term, true);
    } else {
        sq_buf_append(&e->text, known.text.data, known.text.len, &store->err);
    }
    sq_buf_finish(&known.text);
}

/* Appends the words that have a term inside, or the pairs. */
static void
put_parts(struct sq_search_expression *e, const char *statement,
          struct sq_span term) {
    struct sq_search_store *store = e->store;
    char quoted[SQ_SEARCH_PAIR_BYTES + 4];
    bool is_short = sq_utf8_count(term) < MIN_PART;
    /* Short parts are in many words: several of them share the limit. */
    size_t most =
        is_short ? MAX_WORDS / e->request->query.wanted.count : MAX_WORDS;
    size_t count = 0;
    snprintf(quoted, sizeof(quoted), is_short ? "%.*s" : "\"%.*s\"",
             SQ_SPAN_ARGS(term));
    struct sqlite3_stmt *row =
        sq_sql_begin(store, is_short ? part_scan : statement, "ti",
                     sq_span_of(quoted), (int64_t)most);
    for (; sq_sql_next(store, row); count++) {
        struct sq_span word = sq_sql_bytes(row, 0);
        bool is_start = statement == part_find && word.len >= term.len
                     && memcmp(word.ptr, term.ptr, term.len) == 0;
        if (!is_start) {
            put_word(e, " OR ", word, false);
        }
    }
    e->is_partial = e->is_partial || count == most;
}

/* Appends up to MAX_WORDS words of rows that a word may be read as. */
static void
put_close(struct sq_search_expression *e, struct sqlite3_stmt *row,
          struct sq_span wanted, size_t *found) {
    enum sq_search_misread how =
        e->rank == SQ_SEARCH_MISREAD ? SQ_SEARCH_CONFUSED : SQ_SEARCH_ONE_OFF;
    while (*found < MAX_WORDS && sq_sql_next(e->store, row)) {
        struct sq_span word = sq_sql_bytes(row, 0);
        if (sq_search_is_misread(wanted, word, how)) {
            put_word(e, " OR ", word, false);
            ++*found;
        }
    }
    sq_sql_end(row);
}

/* Returns the bytes of the first characters of a word. */
static size_t
bytes_of(struct sq_span word, size_t characters) {
    size_t len = 0;
    for (; characters > 0 && len < word.len; characters--) {
        do {
            len++;
        } while (len < word.len && sq_utf8_is_continuation(word.ptr[len]));
    }
    return len;
}

/*
 * Appends the words of the vocabulary that a word may be read as. One of its
 * halves is as it is: all words are compared that begin with the first, less a
 * character, as two can be read as one, or have the second.
 */
static void
put_misread(struct sq_search_expression *e, struct sq_span word) {
    char text[SQ_SEARCH_WORD_BYTES + 4];
    size_t count = sq_utf8_count(word);
    size_t half = bytes_of(word, count / 2);
    size_t found = 0;
    struct sq_span start = { word.ptr,
                             bytes_of(word, count / 2 - (count >= 6)) };
    struct sq_span end = { word.ptr + half, word.len - half };
    bool is_long = sq_utf8_count(end) >= MIN_PART;
    put_close(e, begin_starts(e->store, start, MAX_COMPARED, text), word,
              &found);
    snprintf(text, sizeof(text), is_long ? "\"%.*s\"" : "%.*s",
             SQ_SPAN_ARGS(end));
    put_close(e,
              sq_sql_begin(e->store, is_long ? part_find : part_scan, "ti",
                           sq_span_of(text), (int64_t)MAX_COMPARED),
              word, &found);
}

/* Appends what stands for a word or pair of a term. */
static void
put_token(struct sq_search_expression *e, struct sq_span token, bool is_pair) {
    bool is_whole = e->rank == SQ_SEARCH_WHOLE;
    open_part(e, " AND ");
    if (is_whole || is_pair) {
        put_word(e, " OR ", token, false);
    } else {
        put_starts(e, token);
    }
    if (!is_whole) {
        put_parts(e, is_pair ? pair_find : part_find, token);
    }
    PUT(e, ")");
}

/* Appends a word, a number also in groups, and what it may be read as. */
static void
put_single(struct sq_search_expression *e, struct sq_span word,
           bool may_be_misread) {
    char digits[SQ_SEARCH_GROUPED_BYTES];
    open_part(e, " AND ");
    put_token(e, word, false);
    if (may_be_misread && e->rank >= SQ_SEARCH_MISREAD) {
        put_misread(e, word);
    }
    for (size_t i = 0; i < SQ_SEARCH_GROUPINGS; i++) {
        struct sq_span groups = { digits, sq_search_group(word, i, digits) };
        struct sq_span pair;
        if (groups.len > 0) {
            open_part(e, " OR ");
            for (int k = 0;
                 k < MAX_PAIRS && sq_search_next_pair(&groups, &pair); k++) {
                put_word(e, " AND ", pair, false);
            }
            PUT(e, ")");
        }
    }
    PUT(e, ")");
}

/* Appends a sequence: one word, or the pairs of its words. */
static void
put_sequence(struct sq_search_expression *e, struct sq_span sequence,
             bool may_be_misread) {
    struct sq_span rest = sequence;
    struct sq_span pair;
    int count = 0;
    for (; count < MAX_PAIRS && sq_search_next_pair(&rest, &pair); count++) {
        put_token(e, pair, true);
    }
    if (count == 0) {
        put_single(e, sequence, may_be_misread);
    }
}

/* Appends a term: a sequence, or those of a phrase as they are. */
static void
put_term(struct sq_search_expression *e, size_t index) {
    const struct sq_search_terms *terms = &e->request->query.wanted;
    struct sq_span rest = terms->items[index];
    struct sq_span sequence;
    enum sq_search_rank rank = e->rank;
    if (!(terms->exact & 1U << index)) {
        put_sequence(e, rest, sq_search_may_be_misread(terms, index));
        return;
    }
    e->rank = SQ_SEARCH_WHOLE;
    while (sq_search_next_sequence(&rest, &sequence)) {
        put_sequence(e, sequence, false);
    }
    if (rest.len > 0) {
        put_sequence(e, rest, false);
    }
    e->rank = rank;
}

/* Appends the words of an activity. */
static void
put_app(struct sq_search_expression *e, struct sq_span app) {
    struct sq_span word;
    while (sq_search_next_word(&app, &word)) {
        PUT(e, "%s(\"" APP_MARK "%.*s\"*)", unless_first(&e->text, " AND "),
            SQ_SPAN_ARGS(word));
    }
}

/*
 * Appends NOT and the unwanted words; FTS5 needs others before it. Those with
 * signs or spaces are left to the comparison with the lines.
 */
static void
put_unwanted(struct sq_search_expression *e) {
    const struct sq_search_terms *terms = &e->request->query.unwanted;
    for (size_t i = 0; e->text.len > 0 && i < terms->count; i++) {
        struct sq_span rest = terms->items[i];
        struct sq_span word;
        if (!sq_span_contains(rest, ' ') && sq_search_next_word(&rest, &word)
            && word.len == terms->items[i].len) {
            put_word(e, " NOT ", word, false);
        }
    }
}

bool
sq_search_write_expression(struct sq_search_expression *e) {
    sq_buf_clear(&e->text);
    for (size_t i = 0; i < e->request->query.wanted.count; i++) {
        put_term(e, i);
    }
    for (size_t i = 0; i < e->request->apps.count; i++) {
        put_app(e, e->request->apps.items[i]);
    }
    put_unwanted(e);
    return sq_sql_ok(e->store);
}
