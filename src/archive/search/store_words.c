/* The words of the index: those of a page, and the vocabulary of all. */
#include <string.h>

#include "archive/search/store_private.h"
#include "vision/words.h"

/* Room for the words of one line. */
#define LINE_ARENA ((size_t)1 << 20)

/* Appends the folded words of one line. */
static bool
fold_line(struct sq_span line_words, struct sq_buf *out, struct sq_err *err) {
    struct sq_arena arena;
    struct sq_words_of_line words;
    sq_arena_init(&arena, LINE_ARENA);
    bool ok = sq_words_parse(line_words, &arena, &words, err);
    for (int i = 0; ok && i < words.count; i++) {
        ok = sq_search_fold(words.items[i].text, out, err);
    }
    sq_arena_finish(&arena);
    return ok;
}

/* Appends the words of an activity, each with a mark. */
static bool
fold_app(struct sq_span app, struct sq_buf *out, struct sq_err *err) {
    struct sq_buf folded;
    sq_buf_init(&folded, MAX_PAGE_TEXT);
    bool ok = sq_search_fold(app, &folded, err);
    struct sq_span rest = sq_buf_span(&folded);
    struct sq_span word;
    while (ok && sq_search_next_word(&rest, &word)) {
        ok = sq_buf_append(out, APP_MARK, strlen(APP_MARK), err)
          && sq_buf_append(out, word.ptr, word.len, err)
          && sq_buf_append(out, " ", 1, err);
    }
    sq_buf_finish(&folded);
    return ok;
}

static bool
append_line(struct sq_search_store *store, uint32_t id, struct sq_buf *out,
            struct sq_err *err) {
    bool has_row;
    if (!sq_sql_begin(store->sql, LINE_READ, &has_row, err, "i", (int64_t)id)) {
        return false;
    }
    bool ok =
        !has_row || fold_line(sq_sql_bytes(store->sql, LINE_READ, 0), out, err);
    sq_sql_end(store->sql, LINE_READ);
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

static bool
add_word(struct sq_search_store *store, struct sq_span word,
         struct sq_err *err) {
    if (!sq_sql_begin(store->sql, WORD_ADD, NULL, err, "t", word)) {
        return false;
    }
    bool is_new = sq_sql_changes(store->sql) > 0;
    int64_t id = sq_sql_last_id(store->sql);
    sq_sql_end(store->sql, WORD_ADD);
    bool ok = !is_new
           || sq_sql_begin(store->sql, PART_ADD, NULL, err, "it", id, word);
    sq_sql_end(store->sql, PART_ADD);
    return ok;
}

bool
sq_search_add_words(struct sq_search_store *store, struct sq_span line_words,
                    struct sq_err *err) {
    struct sq_buf folded;
    sq_buf_init(&folded, MAX_PAGE_TEXT);
    bool ok = fold_line(line_words, &folded, err);
    struct sq_span rest = sq_buf_span(&folded);
    struct sq_span word;
    while (ok && sq_search_next_word(&rest, &word)) {
        ok = add_word(store, word, err);
    }
    sq_buf_finish(&folded);
    return ok;
}
