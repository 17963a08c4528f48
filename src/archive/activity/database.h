/*
 * Reads SQLite files of other programs, which may be writing to them. Opens
 * them read-only, waits for locks until a deadline and treats the contents as
 * untrusted.
 */
#ifndef SQ_ARCHIVE_ACTIVITY_DATABASE_H
#define SQ_ARCHIVE_ACTIVITY_DATABASE_H

#include "archive/activity/activity.h"
#include "util/time_text.h"

/* For one thread at a time, with at most one query at a time. */
struct sq_database;

/*
 * Opens a database, of source->path. Fails with SQ_ERR_NOT_FOUND if the file
 * does not exist, SQ_ERR_FORMAT if it is not a database or is damaged,
 * SQ_ERR_TIMEOUT if it stays locked until source->lock_deadline. err->cause is
 * an enum sq_cause. All functions below obey the deadline, which must outlive
 * the database, as the source must.
 */
bool sq_database_open(const struct sq_activity_source *source,
                      const struct sq_deadline *deadline,
                      struct sq_database **out, struct sq_err *err);

/* Accepts NULL. */
void sq_database_close(struct sq_database *database);

/*
 * Returns in *out whether a table, whose name stays valid, has such a stored
 * column; case is ignored.
 * Fails with SQ_CAUSE_TABLES_COMPUTED if the column is generated.
 */
bool sq_database_has(struct sq_database *database, const char *table,
                     const char *column, bool *out, struct sq_err *err);

/*
 * Starts a statement, in which ?1 and ?2 are the texts unless these are NULL or
 * empty. It ends the query before.
 */
bool sq_query_start(struct sq_database *database, const char *sql,
                    const char *const texts[2], struct sq_err *err);

/* Steps to the next row; *has_row is false after the last. */
bool sq_query_next(struct sq_database *database, bool *has_row,
                   struct sq_err *err);

/* Runs a statement, and returns in *out whether it has a row. */
bool sq_database_has_row(struct sq_database *database, const char *sql,
                         const char *text, bool *out, struct sq_err *err);

/*
 * Return a column of the current row, from 0. The text of NULL is empty; texts
 * are valid until the next row.
 */
struct sq_span sq_query_text(const struct sq_database *database, int column);
double sq_query_double(const struct sq_database *database, int column);

/*
 * The other side: opens the database at a path for another process of squint,
 * and answers its questions.
 */
bool sq_database_serve(const char *path, struct sq_err *err);

/* The days around a window, as texts to compare times with. */
struct sq_day_texts {
    char first[SQ_TIME_TEXT_SIZE];
    char last[SQ_TIME_TEXT_SIZE];
};
void sq_day_texts_write(const struct sq_window *window, int days_after,
                        struct sq_day_texts *out);

#endif
