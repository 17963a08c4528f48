/*
 * The words of the index: those of a page, and the vocabulary of all. Words of
 * a sequence are stored one by one and as pairs of neighbours, so that
 * "1,204" is found without reading the lines of all pages with 1 and 204.
 */
#include <string.h>

#include "archive/search/store_private.h"
#include "vision/reader.h"

/* Room for the words of one line. */
#define LINE_ARENA ((size_t)1 << 20)

/* Appends the sequences of one line. */
static bool
fold_line(struct sq_span line_words, struct sq_buf *out, struct sq_err *err) {
    struct sq_arena arena;
    struct sq_words_of_line words;
    sq_arena_init(&arena, LINE_ARENA);
    bool ok = sq_words_parse(line_words, &arena, &words, err)
           && sq_search_fold_line(&words, out, NULL, err);
    sq_arena_finish(&arena);
    return ok;
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
    struct sq_buf folded;
    struct sq_span sequence;
    sq_buf_init(&folded, MAX_PAGE_TEXT);
    bool ok = sq_search_fold(app, &folded, err);
    struct sq_span rest = sq_buf_span(&folded);
    while (ok && sq_search_next_sequence(&rest, &sequence)) {
        struct sq_span word;
        while (ok && sq_search_next_word(&sequence, &word)) {
            ok = sq_buf_append(out, APP_MARK, strlen(APP_MARK), err)
              && append_token(word, out, err);
        }
    }
    sq_buf_finish(&folded);
    return ok;
}

static bool
append_line(struct sq_search_store *store, uint32_t id, struct sq_buf *out,
            struct sq_err *err) {
    struct sq_buf folded;
    bool has_row;
    if (!sq_sql_begin(store->sql, LINE_READ, &has_row, err, "i", (int64_t)id)) {
        return false;
    }
    sq_buf_init(&folded, MAX_PAGE_TEXT);
    bool ok = !has_row
           || (fold_line(sq_sql_bytes(store->sql, LINE_READ, 0), &folded, err)
               && append_tokens(sq_buf_span(&folded), out, err));
    sq_sql_end(store->sql, LINE_READ);
    sq_buf_finish(&folded);
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
    if (!sq_sql_begin(store->sql, add, NULL, err, "t", token)) {
        return false;
    }
    bool is_new = sq_sql_changes(store->sql) > 0;
    int64_t id = sq_sql_last_id(store->sql);
    sq_sql_end(store->sql, add);
    bool ok = !is_new
           || sq_sql_begin(store->sql, add_part, NULL, err, "it", id, token);
    sq_sql_end(store->sql, add_part);
    return ok;
}

bool
sq_search_add_words(struct sq_search_store *store, struct sq_span line_words,
                    struct sq_err *err) {
    struct sq_buf folded;
    struct sq_span sequence;
    sq_buf_init(&folded, MAX_PAGE_TEXT);
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
    sq_buf_finish(&folded);
    return ok;
}
