/*
 * Reads SQLite files of other programs, which may be writing to them. Opens
 * them read-only, waits for locks until a deadline and treats the contents as
 * untrusted.
 */
#ifndef SQ_ARCHIVE_ACTIVITY_DATABASE_H
#define SQ_ARCHIVE_ACTIVITY_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/err.h"
#include "util/span.h"

/* For one thread at a time. */
struct sq_database;
struct sq_query;

/*
 * Opens a database. Fails with SQ_ERR_NOT_FOUND if the file does not exist,
 * SQ_ERR_FORMAT if it is not a database or is damaged, SQ_ERR_TIMEOUT if it
 * stays locked until `locks` (NULL: the deadline). err->cause is an enum
 * sq_cause. All functions below obey the deadline that was set last. `locks`
 * must outlive the database.
 */
bool sq_database_open(const char *path, const struct sq_deadline *deadline,
                      const struct sq_deadline *lock_deadline,
                      struct sq_database **out, struct sq_err *err);

/* Closes the database; its queries must be finished before. Accepts NULL. */
void sq_database_close(struct sq_database *database);

/* Sets the deadline of all following calls; it must outlive them. */
void sq_database_set_deadline(struct sq_database *database,
                              const struct sq_deadline *deadline);

/*
 * Returns in *out whether a table has such a stored column; case is ignored.
 * Fails with SQ_CAUSE_TABLES_COMPUTED if the column is generated.
 */
bool sq_database_has(struct sq_database *database, const char *table,
                     const char *column, bool *out, struct sq_err *err);

/*
 * Prepares a statement; ? are parameters for sq_query_bind_*. End it with
 * sq_query_finish.
 */
bool sq_query_start(struct sq_database *database, const char *sql,
                    struct sq_query **out, struct sq_err *err);

/* Accepts NULL. */
void sq_query_finish(struct sq_query *query);

/* Binds the index-th parameter, from 1. The text is copied. */
bool sq_query_bind_text(struct sq_query *query, int index, struct sq_span text,
                        struct sq_err *err);

/* Steps to the next row; *has_row is false after the last. */
bool sq_query_next(struct sq_query *query, bool *has_row, struct sq_err *err);

/*
 * Return a column of the current row, from 0. The text of NULL is empty; texts
 * are valid until the next row.
 */
struct sq_span sq_query_text(struct sq_query *query, int column);
int64_t sq_query_int(struct sq_query *query, int column);
double sq_query_double(struct sq_query *query, int column);

#endif
