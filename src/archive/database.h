/*
 * SQLite files of other programs, which may be writing to them: opened only to
 * read, patient with locks up to a deadline, trusting nothing in them.
 */
#ifndef SQ_ARCHIVE_DATABASE_H
#define SQ_ARCHIVE_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/err.h"
#include "util/span.h"

/* For one thread at a time. */
struct sq_database;
struct sq_query;

/*
 * Open a file. SQ_ERR_NOT_FOUND if there is none, SQ_ERR_FORMAT if it is no
 * database or broken, SQ_ERR_TIMEOUT if it stays locked until `locks` (NULL:
 * the deadline); err->cause is an enum sq_cause. Every call below keeps the
 * deadline that was set last. locks must outlive the database.
 */
bool sq_database_open(const char *path, const struct sq_deadline *deadline,
                      const struct sq_deadline *locks, struct sq_database **out,
                      struct sq_err *err);

/* Accepts NULL; queries must be finished before. */
void sq_database_close(struct sq_database *database);

/* From now on this deadline counts; it must outlive the calls. */
void sq_database_set_deadline(struct sq_database *database,
                              const struct sq_deadline *deadline);

/*
 * Whether a table stores such a column, whatever its capitals. Fails where it
 * would be computed: SQ_CAUSE_TABLES_COMPUTED.
 */
bool sq_database_has(struct sq_database *database, const char *table,
                     const char *column, bool *out, struct sq_err *err);

/* SQL with ? for what sq_query_bind_* puts there; for sq_query_finish. */
bool sq_query_start(struct sq_database *database, const char *sql,
                    struct sq_query **out, struct sq_err *err);

/* Accepts NULL. */
void sq_query_finish(struct sq_query *query);

/* For the index-th ?, from 1. The text is copied. */
bool sq_query_bind_text(struct sq_query *query, int index, struct sq_span text,
                        struct sq_err *err);
bool sq_query_bind_int(struct sq_query *query, int index, int64_t number,
                       struct sq_err *err);

/* The next row; *has_row false behind the last. */
bool sq_query_next(struct sq_query *query, bool *has_row, struct sq_err *err);

/* Of the row, from 0: empty for NULL. Valid until the next row. */
struct sq_span sq_query_text(struct sq_query *query, int column);
int64_t sq_query_int(struct sq_query *query, int column);
double sq_query_double(struct sq_query *query, int column);
bool sq_query_is_null(struct sq_query *query, int column);

#endif
