/* Restricts what an untrusted database can make SQLite do. */
#ifndef SQ_ARCHIVE_ACTIVITY_DATABASE_GUARD_H
#define SQ_ARCHIVE_ACTIVITY_DATABASE_GUARD_H

#include <sqlite3.h>

/*
 * Call it before the first statement. Sets low limits and forbids views,
 * triggers, virtual tables and everything except reading the tables of known
 * trackers. Only plain columns remain, and a progress handler can interrupt
 * reading them.
 */
void sq_database_guard(sqlite3 *file);

#endif
