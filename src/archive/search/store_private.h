/* Declarations shared by the files of the store only. */
#ifndef SQ_ARCHIVE_SEARCH_STORE_PRIVATE_H
#define SQ_ARCHIVE_SEARCH_STORE_PRIVATE_H

#include "archive/search/store.h"

/* Runs statements without results, separated by semicolons. */
bool sq_sql_run(struct sq_search_store *store, const char *text,
                struct sq_err *err);

/*
 * Begins the statement with that index: binds its parameters by format, one
 * letter each: i int64_t, t struct sq_span as text, b struct sq_span as bytes.
 * Texts and bytes must stay valid until sq_sql_end. Then steps to the first
 * row; *has_row (may be NULL) is false if there is none.
 */
bool sq_sql_begin(struct sq_search_store *store, int statement, bool *has_row,
                  struct sq_err *err, const char *format, ...);

/* Steps to the next row. */
bool sq_sql_next(struct sq_search_store *store, int statement, bool *has_row,
                 struct sq_err *err);

/* Ends a statement that was begun. */
void sq_sql_end(struct sq_search_store *store, int statement);

/* Return a column of the current row, from 0; valid until the next step. */
int64_t sq_sql_int(struct sq_search_store *store, int statement, int column);
struct sq_span sq_sql_bytes(struct sq_search_store *store, int statement,
                            int column);

/* Begin and end a transaction, which is undone if !ok. */
#define SQ_SQL_BEGIN "BEGIN IMMEDIATE"
bool sq_sql_commit(struct sq_search_store *store, bool ok, struct sq_err *err);

/* Sets the error for a file with impossible contents. Returns false. */
bool sq_sql_fail_damaged(struct sq_err *err);

/* Return the id of the last inserted row, and how many rows were changed. */
int64_t sq_sql_last_id(struct sq_search_store *store);
int sq_sql_changes(struct sq_search_store *store);

/* The statements; sql.c has their texts. */
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
    RULES_READ,
    VERSION_READ,
    QUICK_CHECK,
    STATEMENTS,
};

/* A page's ids are its time, then a number: this many bits. */
#define PAGE_BITS 20

#define MAX_PAGE_TEXT ((size_t)4 << 20)
#define SQ_SEARCH_MAX_EXPRESSION ((size_t)4 << 20)

/* Marks the words of the activity, so that no word of a picture is one. */
#define APP_MARK "\xee\x80\x80" /* U+E000, which separates words otherwise */

/* Runs a statement that has no rows. */
#define SQ_SEARCH_DO(store, statement, err, ...)                               \
    (sq_sql_begin((store), statement, NULL, err, __VA_ARGS__)                  \
     && (sq_sql_end((store), statement), true))

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
