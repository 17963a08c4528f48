/* Declarations shared by the files of the store only. */
#ifndef SQ_ARCHIVE_SEARCH_STORE_PRIVATE_H
#define SQ_ARCHIVE_SEARCH_STORE_PRIVATE_H

#include "archive/search/sql.h"
#include "archive/search/store.h"

/* The statements; store.c has their texts. */
enum statement {
    FILE_FIND,
    FILE_ADD,
    FILE_ALL,
    FILE_REMOVE,
    FILE_FIRST,
    FILE_LAST,
    DAY_READ,
    DAY_SET,
    PAGE_LAST,
    PAGE_ADD,
    PAGE_COPY,
    PAGE_BREAK,
    PAGE_ORPHANS,
    PAGE_LINES,
    PAGE_REMOVE,
    PAGE_READ,
    PAGES_DOWN,
    PAGE_ALL,
    LINE_FIND,
    LINE_ADD,
    LINE_READ,
    LINE_ALL,
    LINE_REMOVE,
    BODY_ADD,
    BODY_REMOVE,
    BODY_FIND,
    WORD_ADD,
    WORD_STARTS,
    PART_ADD,
    PART_FIND,
    PART_SCAN,
    PAIR_ADD,
    PAIR_PART_ADD,
    PAIR_FIND,
    COUNT_PAGES,
    COUNT_FILES,
    COUNT_LINES,
    RULES_READ,
    VERSION_READ,
    QUICK_CHECK,
    STATEMENTS,
};

struct sq_search_store {
    struct sq_sql *sql;
};

/* A page's ids are its time, then a number: this many bits. */
#define PAGE_BITS 20

#define MAX_PAGE_TEXT ((size_t)4 << 20)
#define SQ_SEARCH_MAX_EXPRESSION ((size_t)4 << 20)

/* Marks the words of the activity, so that no word of a picture is one. */
#define APP_MARK "\xee\x80\x80" /* U+E000, which separates words otherwise */

/* Runs a statement that has no rows. */
#define SQ_SEARCH_DO(store, statement, err, ...)                               \
    (sq_sql_begin((store)->sql, statement, NULL, err, __VA_ARGS__)             \
     && (sq_sql_end((store)->sql, statement), true))

/* Adds a file or replaces it; counts it for its day. In a transaction. */
bool sq_search_put_file(struct sq_search_store *store,
                        const struct sq_search_file *file, int64_t page,
                        struct sq_err *err);

/* Removes a file; no longer counts it for its day. In a transaction. */
bool sq_search_remove_file(struct sq_search_store *store, struct sq_span path,
                           struct sq_err *err);

/*
 * Appends the words and pairs of a page: those of its lines, then the words of
 * its activity. The same page gives the same words, which removing it requires.
 */
bool sq_search_page_words(struct sq_search_store *store, struct sq_span lines,
                          struct sq_span app, struct sq_buf *out,
                          struct sq_err *err);

/* What FTS5 is asked for: the words of the vocabulary that stand for terms. */
struct sq_search_expression {
    struct sq_search_store *store;
    const struct sq_search_request *request;
    enum sq_search_rank rank;
    struct sq_buf text;
    bool is_partial; /* too many words stand for a term: not all are there */
};

/*
 * Writes the expression of a rank, in place of the text. It finds all pages of
 * that rank and of better ones, and others, of which the lines have to be
 * compared. Empty: all pages.
 */
bool sq_search_write_expression(struct sq_search_expression *expression,
                                struct sq_err *err);

/* Adds the words and pairs of a line to the vocabulary. */
bool sq_search_add_words(struct sq_search_store *store,
                         struct sq_span line_words, struct sq_err *err);

#endif
