/*
 * Declarations shared by the files of the store only. A store keeps the first
 * failure of a call in `err`: then no statement has rows, and the public
 * function reports it at its end.
 */
#ifndef SQ_ARCHIVE_SEARCH_STORE_PRIVATE_H
#define SQ_ARCHIVE_SEARCH_STORE_PRIVATE_H

#include "archive/search/store.h"

struct sqlite3;
struct sqlite3_stmt;

#define SQ_SQL_STATEMENTS 48

struct sq_search_store {
    struct sqlite3 *file;
    const struct sq_deadline *deadline;
    struct {
        const char *text;
        struct sqlite3_stmt *statement;
    } statements[SQ_SQL_STATEMENTS]; /* those used so far */
    struct sq_err err;
};

static inline bool
sq_sql_ok(const struct sq_search_store *store) {
    return store->err.code == SQ_ERR_NONE;
}

/* Ends a call: returns whether it succeeded, or reports its failure. */
bool sq_sql_report(struct sq_search_store *store, struct sq_err *err);

/* Runs statements without results, separated by semicolons. */
bool sq_sql_run(struct sq_search_store *store, const char *text);

/*
 * Begins a statement, whose text is a constant: binds its parameters by format,
 * one letter each: i int64_t, t struct sq_span as text, b struct sq_span as
 * bytes, which must stay valid until its end. Returns NULL if the call failed.
 */
struct sqlite3_stmt *sq_sql_begin(struct sq_search_store *store,
                                  const char *text, const char *format, ...);

/*
 * Steps to the next row of a statement. Returns false, and ends it, after the
 * last one and if it fails.
 */
bool sq_sql_next(struct sq_search_store *store, struct sqlite3_stmt *statement);

/* Ends a statement before its last row. Accepts NULL. */
void sq_sql_end(struct sqlite3_stmt *statement);

/* Runs a statement that has no rows. Returns whether the call succeeded. */
#define SQ_SQL_DO(store, ...)                                                  \
    sq_sql_finish((store), sq_sql_begin((store), __VA_ARGS__))
static inline bool
sq_sql_finish(struct sq_search_store *store, struct sqlite3_stmt *statement) {
    return !sq_sql_next(store, statement) && sq_sql_ok(store);
}

/* Return a column of the current row, from 0; valid until the next step. */
int64_t sq_sql_int(struct sqlite3_stmt *statement, int column);
struct sq_span sq_sql_bytes(struct sqlite3_stmt *statement, int column);

/* Begins a transaction. */
#define SQ_SQL_BEGIN "BEGIN IMMEDIATE"

/* Ends it, undone if !ok, and the call. */
bool sq_sql_commit(struct sq_search_store *store, bool ok, struct sq_err *err);

/* Fails because the file has impossible contents. Returns false. */
bool sq_sql_fail_damaged(struct sq_search_store *store);

/* Return the id of the last inserted row, and how many rows were changed. */
int64_t sq_sql_last_id(struct sq_search_store *store);
int sq_sql_changes(struct sq_search_store *store);

/* A page's ids are its time, then a number: this many bits. */
#define PAGE_BITS 20

#define MAX_PAGE_TEXT ((size_t)4 << 20)
#define SQ_SEARCH_MAX_EXPRESSION ((size_t)4 << 20)

/* Marks the words of the activity, so that no word of a picture is one. */
#define APP_MARK "\xee\x80\x80" /* U+E000, which separates words otherwise */

/* Begins to read the words of a line. */
struct sqlite3_stmt *sq_search_read_line(struct sq_search_store *store,
                                         uint32_t id);

/*
 * Appends the words and pairs of a page: those of its lines, then the words of
 * its activity. The same page gives the same words, which removing it requires.
 */
bool sq_search_page_words(struct sq_search_store *store, struct sq_span lines,
                          struct sq_span app, struct sq_buf *out);

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
bool sq_search_write_expression(struct sq_search_expression *expression);

/* Adds the words and pairs of a line to the vocabulary. */
bool sq_search_add_words(struct sq_search_store *store,
                         struct sq_span line_words);

#endif
