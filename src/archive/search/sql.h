/*
 * Runs SQL statements on a database file of our own, with a deadline. For one
 * thread at a time.
 */
#ifndef SQ_ARCHIVE_SEARCH_SQL_H
#define SQ_ARCHIVE_SEARCH_SQL_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/err.h"
#include "util/span.h"

struct sqlite3_stmt;
struct sq_sql;

/* A row of the caller's table of statements. */
struct sq_sql_text {
    const char *sql;
};

struct sq_sql_options {
    const char *path;
    bool may_create; /* false: fails with SQ_ERR_NOT_FOUND without a file */
    const struct sq_sql_text *statements;
    size_t count;
    const struct sq_deadline *deadline; /* of all calls; must outlive it */
};

/*
 * Opens a database; a new file can be read and written by its owner only. Fails
 * with SQ_ERR_FORMAT and a hint if it is damaged, and with SQ_ERR_TIMEOUT if
 * another process writes to it until the deadline.
 */
bool sq_sql_open(const struct sq_sql_options *options, struct sq_sql **out,
                 struct sq_err *err);

/* Accepts NULL. */
void sq_sql_close(struct sq_sql *sql);

/* Runs statements without results, separated by semicolons. */
bool sq_sql_run(struct sq_sql *sql, const char *text, struct sq_err *err);

/*
 * Begins the statement with that index: binds its parameters by format, one
 * letter each: i int64_t, t struct sq_span as text, b struct sq_span as bytes.
 * Texts and bytes must stay valid until sq_sql_end. Then steps to the first
 * row; *has_row (may be NULL) is false if there is none.
 */
bool sq_sql_begin(struct sq_sql *sql, int statement, bool *has_row,
                  struct sq_err *err, const char *format, ...);

/* Steps to the next row. */
bool sq_sql_next(struct sq_sql *sql, int statement, bool *has_row,
                 struct sq_err *err);

/* Ends a statement that was begun. */
void sq_sql_end(struct sq_sql *sql, int statement);

/* Return a column of the current row, from 0; valid until the next step. */
int64_t sq_sql_int(struct sq_sql *sql, int statement, int column);
struct sq_span sq_sql_bytes(struct sq_sql *sql, int statement, int column);

/* Sets the error for a file with impossible contents. Returns false. */
bool sq_sql_fail_damaged(struct sq_err *err);

/* Return the id of the last inserted row, and how many rows were changed. */
int64_t sq_sql_last_id(struct sq_sql *sql);
int sq_sql_changes(struct sq_sql *sql);

#endif
