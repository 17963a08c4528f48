/* Opens SQLite files of other programs, and runs statements on them. */
#include "archive/activity/database_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/file.h"
#include "sys/path.h"
#include "util/bytes.h"
#include "util/mem.h"

#define STEPS_PER_CHECK 1000 /* SQLite VM instructions: about 10 us */
#define HEAD_BYTES 100       /* size of the SQLite header */
#define RETRY_MS 10 /* retry interval while another program has a lock */

struct sq_database_file {
    sqlite3 *file;
    sqlite3_stmt *statement; /* NULL: none */
    const struct sq_deadline *deadline;
    const struct sq_deadline *lock_deadline;
    char name[SQ_FILE_NAME_SIZE];
    char path[SQ_PATH_SIZE];
    bool is_unused;     /* not in use: there is no -wal file */
    struct stat before; /* if is_unused: its state when opened */
};

static int
on_busy(void *context, int count) {
    struct sq_database_file *database = context;
    (void)count;
    return sq_deadline_check(database->deadline, NULL)
        && sq_wait_ms(RETRY_MS, database->lock_deadline, NULL);
}

static int
on_progress(void *context) {
    struct sq_database_file *database = context;
    return !sq_deadline_check(database->deadline, NULL);
}

/* Returns the number of bytes of the header, or -1. */
static ssize_t
read_head(const struct sq_database_file *database, uint8_t head[HEAD_BYTES],
          struct stat *st) {
    int fd = sq_call_openat(AT_FDCWD, database->path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    ssize_t got = sq_call_read(fd, head, HEAD_BYTES);
    got = sq_call_fstat(fd, st) == 0 ? got : -1;
    sq_call_close(fd);
    return got;
}

/* Returns whether the file is shorter than its header states. */
static bool
is_truncated(const struct sq_database_file *database) {
    uint8_t head[HEAD_BYTES] = { 0 };
    struct stat st;
    ssize_t got = read_head(database, head, &st);
    if (got < 16 || memcmp(head, "SQLite format 3", 16) != 0) {
        return false;
    }
    uint64_t page = sq_load_be16(head + 16);
    uint64_t pages = sq_load_be32(head + 28);
    page = page == 1 ? 65536 : page;
    return got < HEAD_BYTES || (uint64_t)st.st_size < page * pages;
}

static const struct problem {
    enum sq_err_code code;
    enum sq_cause cause;
    const char *what;
} problems[] = {
    { SQ_ERR_TIMEOUT, SQ_CAUSE_DATABASE_LOCKED,
      "is locked by another program" },
    { SQ_ERR_TIMEOUT, SQ_CAUSE_DATABASE_SLOW, "takes too long to read" },
    { SQ_ERR_FORMAT, SQ_CAUSE_DATABASE_EMPTY, "is empty" },
    { SQ_ERR_FORMAT, SQ_CAUSE_DATABASE_FOREIGN, "is not a database" },
    { SQ_ERR_FORMAT, SQ_CAUSE_DATABASE_DAMAGED, "is damaged" },
    { SQ_ERR_FORMAT, SQ_CAUSE_DATABASE_TRUNCATED,
      "is damaged: its end is missing" },
    { SQ_ERR_IO, SQ_CAUSE_ACTIVITY_FORBIDDEN, "cannot be read" },
};

static bool
fail_with_cause(const struct sq_database_file *database, enum sq_cause cause,
                struct sq_err *err) {
    const struct problem *row = problems;
    while (row->cause != cause) {
        row++;
    }
    sq_fail(err, row->code, "%s %s", database->name, row->what);
    sq_fail_hint(err, "%s", sq_cause_remedy(cause));
    return sq_fail_cause(err, (int)cause);
}

bool
sq_database_fail_computed(const char *name, const char *what,
                          struct sq_err *err) {
    sq_fail_quoting(err, SQ_ERR_UNSUPPORTED, "%s cannot be used: %.150s", name,
                    what);
    sq_fail_hint(err, "%s", sq_cause_remedy(SQ_CAUSE_TABLES_COMPUTED));
    return sq_fail_cause(err, SQ_CAUSE_TABLES_COMPUTED);
}

/* Maps an SQLite error code to a cause, or SQ_CAUSE_NONE. */
static enum sq_cause
cause_of(const struct sq_database_file *database, int code) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return SQ_CAUSE_DATABASE_LOCKED;
    case SQLITE_INTERRUPT:
        return SQ_CAUSE_DATABASE_SLOW;
    case SQLITE_NOTADB:
        return is_truncated(database) ? SQ_CAUSE_DATABASE_TRUNCATED
                                      : SQ_CAUSE_DATABASE_FOREIGN;
    case SQLITE_CORRUPT:
    case SQLITE_TOOBIG:
        return is_truncated(database) ? SQ_CAUSE_DATABASE_TRUNCATED
                                      : SQ_CAUSE_DATABASE_DAMAGED;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return SQ_CAUSE_ACTIVITY_FORBIDDEN;
    default:
        return SQ_CAUSE_NONE;
    }
}

static bool
fail_sqlite(struct sq_database_file *database, int code, struct sq_err *err) {
    const enum sq_cause cause = cause_of(database, code);
    const int kind = code & 0xff;
    if (kind == SQLITE_NOMEM) {
        return sq_fail_nomem(err);
    }
    if ((cause == SQ_CAUSE_DATABASE_LOCKED || cause == SQ_CAUSE_DATABASE_SLOW)
        && !sq_deadline_check(database->deadline, err) && err
        && err->code == SQ_ERR_CANCELLED) {
        return false;
    }
    if (cause != SQ_CAUSE_NONE) {
        return fail_with_cause(database, cause, err);
    }
    if (kind == SQLITE_AUTH || kind == SQLITE_ERROR) {
        return sq_database_fail_computed(database->name,
                                         sqlite3_errmsg(database->file), err);
    }
    sq_fail_quoting(err, SQ_ERR_IO, "%s: %.150s", database->name,
                    sqlite3_errmsg(database->file));
    return sq_fail_cause(err, SQ_CAUSE_ACTIVITY_FORBIDDEN);
}

static bool
has_wal(const struct sq_database_file *database) {
    struct stat st;
    char wal[SQ_PATH_SIZE + 8];
    snprintf(wal, sizeof(wal), "%s-wal", database->path);
    return sq_call_fstatat(AT_FDCWD, wal, &st) == 0;
}

static bool
has_changed(const struct sq_database_file *database) {
    struct stat now;
    const struct stat *before = &database->before;
    return has_wal(database)
        || sq_call_fstatat(AT_FDCWD, database->path, &now) != 0
        || now.st_size != before->st_size || now.st_ino != before->st_ino
        || now.st_mtim.tv_sec != before->st_mtim.tv_sec
        || now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

#define URI_SIZE (SQ_PATH_SIZE * 3 + 32)

/* Writes the path as a URI, to which options can be appended. */
static void
write_uri(const char *path, char out[URI_SIZE]) {
    size_t used = (size_t)snprintf(out, URI_SIZE, "file:");
    for (; *path; path++) {
        bool is_special = *path == '%' || *path == '?' || *path == '#';
        used += (size_t)snprintf(out + used, URI_SIZE - used,
                                 is_special ? "%%%02X" : "%c", *path);
    }
    snprintf(out + used, URI_SIZE - used, "?immutable=1");
}

static int
open_file(struct sq_database_file *database) {
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    if (!database->is_unused) {
        return sqlite3_open_v2(database->path, &database->file, flags, NULL);
    }
    char uri[URI_SIZE];
    write_uri(database->path, uri);
    return sqlite3_open_v2(uri, &database->file, flags | SQLITE_OPEN_URI, NULL);
}

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

/* Opens and restricts the untrusted database, then reads its first page. */
static bool
open_and_prepare(struct sq_database_file *database, struct sq_err *err) {
    int code = open_file(database);
    sqlite3 *file = database->file;
    if (code != SQLITE_OK) {
        return fail_sqlite(database, code, err);
    }
    sqlite3_extended_result_codes(file, 1);
    sqlite3_busy_handler(file, on_busy, database);
    sqlite3_progress_handler(file, STEPS_PER_CHECK, on_progress, database);
    /*
     * Sets low limits before the first statement, and forbids views, triggers,
     * virtual tables and everything except reading the tables of known
     * trackers. Only plain columns remain, and a progress handler can interrupt
     * reading them.
     */
    for (size_t i = 0; i < SQ_COUNT(limits); i++) {
        sqlite3_limit(file, limits[i].id, limits[i].value);
    }
    for (size_t i = 0; i < SQ_COUNT(settings); i++) {
        sqlite3_db_config(file, settings[i].id, settings[i].value, NULL);
    }
    sqlite3_drop_modules(file, NULL);
    sqlite3_set_authorizer(file, authorize, NULL);
    code = sqlite3_exec(file, "SELECT count(*) FROM sqlite_master", NULL, NULL,
                        NULL);
    return code == SQLITE_OK || fail_sqlite(database, code, err);
}

/*
 * Checks that all files are regular: SQLite would block forever on a pipe, also
 * on one next to the database.
 */
bool
sq_database_check_files(const char *path, struct sq_err *err) {
    static const char *const endings[] = { "", "-wal", "-journal", "-shm" };
    struct stat st;
    char name[SQ_PATH_SIZE + 16];
    if (strlen(path) >= SQ_PATH_SIZE) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "the path of the database is too long");
    }
    for (size_t i = 0; i < SQ_COUNT(endings); i++) {
        snprintf(name, sizeof(name), "%s%s", path, endings[i]);
        bool is_absent = i > 0 && sq_call_fstatat(AT_FDCWD, name, &st) < 0;
        if (!is_absent && !sq_plain_file_check(name, err)) {
            return false;
        }
    }
    return true;
}

static bool
check_size(const struct sq_database_file *database, struct sq_err *err) {
    struct stat st;
    return sq_call_fstatat(AT_FDCWD, database->path, &st) < 0 || st.st_size > 0
        || has_wal(database)
        || fail_with_cause(database, SQ_CAUSE_DATABASE_EMPTY, err);
}

bool
sq_database_file_open(const char *path, const struct sq_deadline *deadline,
                      const struct sq_deadline *lock_deadline,
                      struct sq_database_file **out, struct sq_err *err) {
    if (!sq_database_check_files(path, err)) {
        return false;
    }
    struct sq_database_file *database = sq_mem_zalloc(1, sizeof(*database));
    if (!database) {
        return sq_fail_nomem(err);
    }
    database->deadline = deadline;
    database->lock_deadline = lock_deadline;
    sq_file_name(path, false, database->name);
    memcpy(database->path, path, strlen(path) + 1);
    /*
     * Detects a WAL database that no program has open. Reading a WAL database
     * makes SQLite create two files next to it, and fail if it cannot. An
     * unused one can be opened as immutable instead, provided that it has not
     * changed at the end.
     */
    uint8_t head[HEAD_BYTES];
    database->is_unused = read_head(database, head, &database->before) >= 20
                       && head[18] == 2 && head[19] == 2 && !has_wal(database);
    if (!check_size(database, err) || !open_and_prepare(database, err)) {
        sq_database_file_close(database);
        return false;
    }
    *out = database;
    return true;
}

void
sq_database_file_close(struct sq_database_file *database) {
    if (database) {
        sqlite3_finalize(database->statement);
        sqlite3_close(database->file);
        sq_mem_free(database);
    }
}

bool
sq_database_file_start(struct sq_database_file *database, const char *sql,
                       const char *const texts[2], struct sq_err *err) {
    sqlite3_finalize(database->statement);
    database->statement = NULL;
    int code =
        sqlite3_prepare_v2(database->file, sql, -1, &database->statement, NULL);
    for (int i = 0; code == SQLITE_OK && i < 2 && texts[i][0]; i++) {
        code = sqlite3_bind_text(database->statement, i + 1, texts[i], -1,
                                 SQLITE_TRANSIENT);
    }
    return code == SQLITE_OK || fail_sqlite(database, code, err);
}

bool
sq_database_file_next(struct sq_database_file *database, bool *has_row,
                      struct sq_err *err) {
    int code = sqlite3_step(database->statement);
    if (code != SQLITE_ROW && database->is_unused && has_changed(database)) {
        code = SQLITE_BUSY;
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return fail_sqlite(database, code, err);
    }
    *has_row = code == SQLITE_ROW;
    return true;
}

int
sq_database_file_columns(const struct sq_database_file *database) {
    return sqlite3_column_count(database->statement);
}

struct sq_database_value
sq_database_file_value(const struct sq_database_file *database, int column) {
    sqlite3_stmt *statement = database->statement;
    const unsigned char *text = sqlite3_column_text(statement, column);
    int len = sqlite3_column_bytes(statement, column);
    return (struct sq_database_value){
        .text = { text ? (const char *)text : "", text ? (size_t)len : 0 },
        .number = sqlite3_column_double(statement, column),
    };
}
