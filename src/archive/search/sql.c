/* The file of the index: its tables, and running statements. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "archive/activity/activity.h"
#include "archive/search/store_private.h"
#include "sys/call.h"
#include "sys/path.h"
#include "util/mem.h"

#define STEPS_PER_CHECK 1000
#define RETRY_MS 10

/* Increase it if the tables or their contents change. */
#define VERSION 5

static const char schema[] =
    "PRAGMA secure_delete = 1;PRAGMA journal_mode = WAL;BEGIN IMMEDIATE;CREATE "
    "TABLE IF NOT EXISTS page(id INTEGER PRIMARY KEY, width INTEGER, height "
    "INTEGER, app TEXT, lines BLOB, monitor INTEGER);CREATE TABLE IF NOT "
    "EXISTS file(path TEXT PRIMARY KEY, page INTEGER, utc INTEGER, size "
    "INTEGER, mtime INTEGER, shot BLOB, place INTEGER, thumb TEXT, digest "
    "BLOB, missed INTEGER) WITHOUT ROWID;CREATE INDEX IF NOT EXISTS file_page "
    "ON file(page, utc);CREATE TABLE IF NOT EXISTS day(id INTEGER PRIMARY KEY, "
    "count INTEGER, digest INTEGER);CREATE TABLE IF NOT EXISTS line(id INTEGER "
    "PRIMARY KEY, hash INTEGER, words BLOB);CREATE INDEX IF NOT EXISTS "
    "line_hash ON line(hash);CREATE TABLE IF NOT EXISTS word(id INTEGER "
    "PRIMARY KEY, text TEXT UNIQUE);CREATE VIRTUAL TABLE IF NOT EXISTS body "
    "USING fts5(text, content='', detail=none, tokenize='ascii', prefix='2 "
    "3');CREATE VIRTUAL TABLE IF NOT EXISTS part USING fts5(text, "
    "content='word', content_rowid='id', tokenize='trigram');CREATE TABLE IF "
    "NOT EXISTS pair(id INTEGER PRIMARY KEY, text TEXT UNIQUE);CREATE VIRTUAL "
    "TABLE IF NOT EXISTS pair_part USING fts5(text, content='pair', "
    "content_rowid='id', tokenize='trigram');PRAGMA user_version = 5;COMMIT;";

static int
on_busy(void *context, int tries) {
    struct sq_search_store *store = context;
    (void)tries;
    return sq_wait_ms(RETRY_MS, store->deadline, NULL);
}

static int
on_progress(void *context) {
    struct sq_search_store *store = context;
    return !sq_deadline_check(store->deadline, NULL);
}

bool
sq_sql_fail_damaged(struct sq_search_store *store) {
    sq_fail(&store->err, SQ_ERR_FORMAT, "the index of texts is damaged");
    return sq_fail_hint(&store->err,
                        "${Ask the person to run|Run} squint archive "
                        "index, which reads all pictures again.");
}

static bool
fail(struct sq_search_store *store, int code) {
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return sq_fail_nomem(&store->err);
    case SQLITE_INTERRUPT:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sq_deadline_check(store->deadline, &store->err)
            && sq_fail(&store->err, SQ_ERR_TIMEOUT,
                       "another process is writing to the index of texts");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* a table is missing */
        return sq_sql_fail_damaged(store);
    default:
        return sq_fail(&store->err, SQ_ERR_IO, "the index of texts: %s",
                       sqlite3_errstr(code));
    }
}

/* Fails with SQ_ERR_NOT_FOUND if there is no index. */
static bool
fail_missing(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no index of texts");
}

/*
 * Creates the file with access for its owner only. SQLite creates its side
 * files with the same permissions.
 */
static bool
make_file(const char *path, bool may_create, struct sq_err *err) {
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (may_create ? O_CREAT : 0);
    int fd = sq_call_openat(AT_FDCWD, path, flags, 0600);
    if (fd < 0) {
        return errno == ENOENT ? fail_missing(err)
                               : sq_errno_fail(err, "open the index of texts");
    }
    sq_call_close(fd);
    return sq_plain_file_check(path, err);
}

static bool
open_file(struct sq_search_store *store, const char *path) {
    int code = sqlite3_open_v2(path, &store->file,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
                                   | SQLITE_OPEN_PRIVATECACHE,
                               NULL);
    if (code != SQLITE_OK) {
        return fail(store, code);
    }
    sqlite3_extended_result_codes(store->file, 1);
    sqlite3_busy_handler(store->file, on_busy, store);
    sqlite3_progress_handler(store->file, STEPS_PER_CHECK, on_progress, store);
    sqlite3_db_config(store->file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return true;
}

static void
close_file(struct sq_search_store *store) {
    for (size_t i = 0; i < SQ_SQL_STATEMENTS; i++) {
        sqlite3_finalize(store->statements[i].statement);
    }
    memset(store->statements, 0, sizeof(store->statements));
    sqlite3_close(store->file);
    store->file = NULL;
}

bool
sq_sql_report(struct sq_search_store *store, struct sq_err *err) {
    bool ok = sq_sql_ok(store) || sq_fail_with(err, &store->err);
    sq_err_clear(&store->err);
    return ok;
}

bool
sq_sql_run(struct sq_search_store *store, const char *text) {
    int code = sqlite3_exec(store->file, text, NULL, NULL, NULL);
    return code == SQLITE_OK || fail(store, code);
}

/* Returns the prepared statement of a text. */
static int
prepare(struct sq_search_store *store, const char *text, sqlite3_stmt **out) {
    size_t i = 0;
    while (store->statements[i].text && store->statements[i].text != text) {
        i++;
        assert(i < SQ_SQL_STATEMENTS);
    }
    int code = store->statements[i].text
                 ? SQLITE_OK
                 : sqlite3_prepare_v3(store->file, text, -1,
                                      SQLITE_PREPARE_PERSISTENT,
                                      &store->statements[i].statement, NULL);
    if (code == SQLITE_OK) {
        store->statements[i].text = text;
        *out = store->statements[i].statement;
    }
    return code;
}

static int
bind_values(sqlite3_stmt *statement, const char *format, va_list values) {
    int code = SQLITE_OK;
    for (int i = 1; code == SQLITE_OK && *format; format++, i++) {
        if (*format == 'i') {
            code = sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
            continue;
        }
        struct sq_span bytes = va_arg(values, struct sq_span);
        const char *start = bytes.len ? bytes.ptr : "";
        code = *format == 't'
                 ? sqlite3_bind_text(statement, i, start, (int)bytes.len, NULL)
                 : sqlite3_bind_blob(statement, i, start, (int)bytes.len, NULL);
    }
    return code;
}

sqlite3_stmt *
sq_sql_begin(struct sq_search_store *store, const char *text,
             const char *format, ...) {
    sqlite3_stmt *statement = NULL;
    if (!sq_sql_ok(store)) {
        return NULL;
    }
    int code = prepare(store, text, &statement);
    if (code == SQLITE_OK) {
        va_list values;
        va_start(values, format);
        code = bind_values(statement, format, values);
        va_end(values);
    }
    return code == SQLITE_OK || fail(store, code) ? statement : NULL;
}

bool
sq_sql_next(struct sq_search_store *store, sqlite3_stmt *statement) {
    int code = SQLITE_DONE;
    if (statement && sq_sql_ok(store)) {
        code = sqlite3_step(statement);
    }
    if (code != SQLITE_ROW) {
        sq_sql_end(statement);
    }
    return code == SQLITE_ROW || (code != SQLITE_DONE && fail(store, code));
}

void
sq_sql_end(sqlite3_stmt *statement) {
    if (statement) {
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }
}

int64_t
sq_sql_int(sqlite3_stmt *statement, int column) {
    return sqlite3_column_int64(statement, column);
}

struct sq_span
sq_sql_bytes(sqlite3_stmt *statement, int column) {
    const void *bytes = sqlite3_column_blob(statement, column);
    int len = sqlite3_column_bytes(statement, column);
    return (struct sq_span){ bytes ? bytes : "", bytes ? (size_t)len : 0 };
}

int64_t
sq_sql_last_id(struct sq_search_store *store) {
    return sqlite3_last_insert_rowid(store->file);
}

int
sq_sql_changes(struct sq_search_store *store) {
    return sqlite3_changes(store->file);
}

bool
sq_sql_commit(struct sq_search_store *store, bool ok, struct sq_err *err) {
    if (!ok || !sq_sql_run(store, "COMMIT")) {
        sqlite3_exec(store->file, "ROLLBACK", NULL, NULL, NULL);
    }
    return sq_sql_report(store, err);
}

/* Reads a statement with one row of one number. */
static int64_t
read_number(struct sq_search_store *store, const char *text) {
    sqlite3_stmt *row = sq_sql_begin(store, text, "");
    int64_t number = sq_sql_next(store, row) ? sq_sql_int(row, 0) : 0;
    sq_sql_end(row);
    return number;
}

bool
sq_search_store_delete(const char *path, struct sq_err *err) {
    static const char *const endings[] = { "-wal", "-shm", "" };
    char name[SQ_PATH_SIZE + 8];
    for (size_t i = 0; i < SQ_COUNT(endings); i++) {
        snprintf(name, sizeof(name), "%s%s", path, endings[i]);
        if (sq_call_unlinkat(AT_FDCWD, name) < 0 && errno != ENOENT) {
            return sq_errno_fail(err, "remove the index of texts");
        }
    }
    return true;
}

/* Makes the tables, in place of those of another version. */
static bool
make_tables(struct sq_search_store *store, const char *path, bool may_create) {
    int64_t version = read_number(store, "PRAGMA user_version");
    if (!sq_sql_ok(store) || version == VERSION) {
        return sq_sql_ok(store);
    }
    if (!may_create) {
        return fail_missing(&store->err);
    }
    if (version != 0) {
        close_file(store);
    }
    return (version == 0
            || (sq_search_store_delete(path, &store->err)
                && make_file(path, may_create, &store->err)
                && open_file(store, path)))
        && sq_sql_run(store, schema);
}

bool
sq_search_store_open(const char *path, bool may_create,
                     const struct sq_deadline *deadline,
                     struct sq_search_store **out, struct sq_err *err) {
    if (!make_file(path, may_create, err)) {
        return false;
    }
    struct sq_search_store *store = sq_mem_zalloc(1, sizeof(*store));
    if (!store) {
        return sq_fail_nomem(err);
    }
    store->deadline = deadline;
    bool ok = open_file(store, path) && make_tables(store, path, may_create)
           && (!may_create
               || sq_sql_run(store, "PRAGMA secure_delete = 1;"
                                    "PRAGMA synchronous = NORMAL"));
    if (!ok) {
        sq_sql_report(store, err);
        sq_search_store_close(store);
        return false;
    }
    *out = store;
    return true;
}

void
sq_search_store_close(struct sq_search_store *store) {
    if (store) {
        close_file(store);
        sq_mem_free(store);
    }
}

bool
sq_search_store_rules(struct sq_search_store *store, int *out,
                      struct sq_err *err) {
    *out = (int)read_number(store, "PRAGMA application_id");
    return sq_sql_report(store, err);
}

bool
sq_search_store_set_rules(struct sq_search_store *store, int rules,
                          struct sq_err *err) {
    char text[64];
    snprintf(text, sizeof(text), "PRAGMA application_id = %d", rules);
    sq_sql_run(store, text);
    return sq_sql_report(store, err);
}

bool
sq_search_store_check(struct sq_search_store *store, struct sq_err *err) {
    sqlite3_stmt *row = sq_sql_begin(store, "PRAGMA quick_check(1)", "");
    bool is_sound =
        sq_sql_next(store, row) && sq_span_is(sq_sql_bytes(row, 0), "ok");
    sq_sql_end(row);
    if (is_sound) {
        sq_sql_run(store, "INSERT INTO body(body) VALUES('integrity-check')");
    } else if (sq_sql_ok(store)) {
        sq_sql_fail_damaged(store);
    }
    return sq_sql_report(store, err);
}
