/*
 * Opens SQLite files of other programs in this process: for database.c, which
 * does so in a process of its own where it can.
 */
#ifndef SQ_ARCHIVE_ACTIVITY_DATABASE_FILE_H
#define SQ_ARCHIVE_ACTIVITY_DATABASE_FILE_H

#include "archive/activity/activity.h"
#include "sys/deadline.h"
#include "util/err.h"
#include "util/span.h"

/* With at most one statement at a time. */
struct sq_database_file;

/* A value of a row, as a text and as a number. */
struct sq_database_value {
    struct sq_span text; /* of NULL: empty */
    double number;
};

/*
 * Fails unless the file and those beside it are regular: SQLite would block
 * forever on a pipe.
 */
bool sq_database_check_files(const char *path, struct sq_err *err);

/* See sq_database_open. The deadlines must outlive the file. */
bool sq_database_file_open(const char *path, const struct sq_deadline *deadline,
                           const struct sq_deadline *lock_deadline,
                           struct sq_database_file **out, struct sq_err *err);
void sq_database_file_close(struct sq_database_file *database);

/* Starts a statement, and ends the one before; an empty text is not bound. */
bool sq_database_file_start(struct sq_database_file *database, const char *sql,
                            const char *const texts[2], struct sq_err *err);

/* Steps to the next row; *has_row is false after the last. */
bool sq_database_file_next(struct sq_database_file *database, bool *has_row,
                           struct sq_err *err);

/* The row's values are valid until the next one. */
int sq_database_file_columns(const struct sq_database_file *database);
struct sq_database_value
sq_database_file_value(const struct sq_database_file *database, int column);

/* Fails because the database has generated contents, or has changed. */
bool sq_database_fail_computed(const char *name, const char *what,
                               struct sq_err *err);

#endif
