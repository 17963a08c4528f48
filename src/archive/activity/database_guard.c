/* Restricts what an untrusted database can make SQLite do. */
#include "archive/activity/database_guard.h"

#include <stddef.h>

static const struct {
    int id;
    int value;
} limits[] = {
    { SQLITE_LIMIT_LENGTH, 1 << 20 }, /* bytes of a value or row */
    { SQLITE_LIMIT_SQL_LENGTH, 1 << 16 },
    { SQLITE_LIMIT_COLUMN, 256 },
    { SQLITE_LIMIT_EXPR_DEPTH, 100 },
    { SQLITE_LIMIT_COMPOUND_SELECT, 4 },
    { SQLITE_LIMIT_VDBE_OP, 10000 },
    { SQLITE_LIMIT_FUNCTION_ARG, 16 },
    { SQLITE_LIMIT_ATTACHED, 0 },
    { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 0 }, /* our statements use no
                                                patterns */
    { SQLITE_LIMIT_VARIABLE_NUMBER, 8 },
    { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
    { SQLITE_LIMIT_WORKER_THREADS, 0 },
};

static const struct {
    int id;
    int value;
} settings[] = {
    { SQLITE_DBCONFIG_DEFENSIVE, 1 },
    { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
    { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
    { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
    { SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0 },
};

/* The tables, functions and pragmas that our statements use. */
static const char *const tables[] = {
    "sqlite_master", "Ar_Activity", "Ar_Timeline", "Ar_CommonGroup",
    "Ar_Group",      "bucketmodel", "eventmodel",  NULL,
};
static const char *const functions[] = { "count", "lower", "coalesce", "max",
                                         NULL };
static const char *const pragmas[] = { "table_xinfo", NULL };

static int
is_one_of(const char *name, const char *const words[]) {
    for (size_t i = 0; name && words[i]; i++) {
        if (sqlite3_stricmp(name, words[i]) == 0) {
            return SQLITE_OK;
        }
    }
    return SQLITE_DENY;
}

static int
authorize(void *context, int action, const char *first, const char *second,
          const char *database, const char *inside) {
    (void)context;
    (void)database;
    (void)inside;
    switch (action) {
    case SQLITE_SELECT:
        return SQLITE_OK;
    case SQLITE_READ:
        return is_one_of(first, tables);
    case SQLITE_FUNCTION:
        return is_one_of(second, functions);
    case SQLITE_PRAGMA:
        return is_one_of(first, pragmas);
    default:
        return SQLITE_DENY;
    }
}

void
sq_database_guard(sqlite3 *file) {
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        sqlite3_limit(file, limits[i].id, limits[i].value);
    }
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        sqlite3_db_config(file, settings[i].id, settings[i].value, NULL);
    }
    sqlite3_drop_modules(file, NULL);
    sqlite3_set_authorizer(file, authorize, NULL);
}
