/* What a foreign database may make SQLite do. */
#ifndef SQ_ARCHIVE_DATABASE_GUARD_H
#define SQ_ARCHIVE_DATABASE_GUARD_H

#include <sqlite3.h>

/*
 * Before the first statement: small limits, no views, no triggers, no virtual
 * tables, and nothing but reading the tables that trackers have. What remains
 * are plain columns, which are read in steps that a progress handler ends.
 */
void sq_database_guard(sqlite3 *file);

#endif
