/* The file of the index: its tables and statements. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
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

/* Of the activity and its title, which are two lines. */
#define APP_NAME "substr(app, 1, instr(app || char(10), char(10)) - 1)"

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

static const char *const statements[STATEMENTS] = {
    [FILE_FIND] = "SELECT file.page, file.digest, file.size, file.mtime, "
                  "file.shot, instr(page.app, char(10)), file.missed FROM file "
                  "LEFT JOIN page ON page.id = file.page WHERE file.path = ?1",
    [FILE_ADD] = "INSERT OR REPLACE INTO file(path, page, utc, size, mtime, "
                 "shot, place, thumb, digest, missed) VALUES(?1, ?2, ?3, ?4, "
                 "?5, ?6, ?7, ?8, ?9, ?10)",
    [FILE_ALL] =
        "SELECT path FROM file WHERE path > ?1 ORDER BY path LIMIT 1000",
    [FILE_REMOVE] = "DELETE FROM file WHERE path = ?1",
    [FILE_FIRST] = "SELECT path, size, mtime, shot, place, thumb FROM file "
                   "WHERE page = ?1 AND utc >= ?2 AND utc < ?3 ORDER BY utc",
    [FILE_LAST] = "SELECT path, size, mtime, shot, place FROM file WHERE page "
                  "= ?1 AND utc >= ?2 AND utc < ?3 ORDER BY utc DESC",
    [DAY_READ] = "SELECT count, digest FROM day WHERE id = ?1",
    [DAY_SET] =
        "INSERT OR REPLACE INTO day(id, count, digest) VALUES(?1, ?2, ?3)",
    [PAGE_LAST] = "SELECT max(id) FROM page WHERE id >= ?1 AND id < ?2",
    [PAGE_ADD] = "INSERT INTO page(id, width, height, app, lines, monitor) "
                 "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [PAGE_COPY] =
        "INSERT INTO page(id, width, height, app, lines, monitor) SELECT ?1, "
        "width, height, ?2, lines, monitor FROM page WHERE id = ?3",
    [PAGE_BREAK] = "SELECT id FROM page WHERE id >= ?1 AND id < ?2 AND monitor "
                   "= ?3 AND (id > ?1 OR " APP_NAME " IS NOT (SELECT " APP_NAME
                   " FROM page WHERE id = ?2)) ORDER BY id",
    [PAGE_ORPHANS] = "SELECT id, lines, app FROM page WHERE NOT EXISTS(SELECT "
                     "1 FROM file WHERE file.page = page.id) LIMIT 1",
    [PAGE_LINES] =
        "SELECT id, lines FROM page WHERE id > ?1 ORDER BY id LIMIT 1000",
    [PAGE_REMOVE] = "DELETE FROM page WHERE id = ?1",
    [PAGE_READ] = "SELECT width, height, lines FROM page WHERE id = ?1",
    [PAGES_DOWN] = "SELECT id, width, height, lines, app FROM page WHERE id <= "
                   "?1 ORDER BY id DESC",
    [PAGE_ALL] = "SELECT id FROM page WHERE id >= ?2 AND id < ?3 AND ?1 = '' "
                 "ORDER BY id DESC",
    [LINE_FIND] = "SELECT id, words FROM line WHERE hash = ?1",
    [LINE_ADD] = "INSERT INTO line(hash, words) VALUES(?1, ?2)",
    [LINE_READ] = "SELECT words FROM line WHERE id = ?1",
    [LINE_ALL] = "SELECT id, words FROM line WHERE id > ?1 ORDER BY id LIMIT 1",
    [LINE_REMOVE] = "DELETE FROM line WHERE id = ?1",
    [BODY_ADD] = "INSERT INTO body(rowid, text) VALUES(?1, ?2)",
    [BODY_REMOVE] =
        "INSERT INTO body(body, rowid, text) VALUES('delete', ?1, ?2)",
    [BODY_FIND] = "SELECT rowid FROM body WHERE body MATCH ?1 AND rowid >= ?2 "
                  "AND rowid < ?3 ORDER BY rowid DESC",
    [WORD_ADD] = "INSERT OR IGNORE INTO word(text) VALUES(?1)",
    [WORD_STARTS] =
        "SELECT text FROM word WHERE text >= ?1 AND text < ?2 LIMIT ?3",
    [PART_ADD] = "INSERT INTO part(rowid, text) VALUES(?1, ?2)",
    [PART_FIND] = "SELECT text FROM part WHERE part MATCH ?1 LIMIT ?2",
    [PART_SCAN] = "SELECT text FROM word WHERE instr(text, ?1) > 1 LIMIT ?2",
    [PAIR_ADD] = "INSERT OR IGNORE INTO pair(text) VALUES(?1)",
    [PAIR_PART_ADD] = "INSERT INTO pair_part(rowid, text) VALUES(?1, ?2)",
    [PAIR_FIND] =
        "SELECT text FROM pair_part WHERE pair_part MATCH ?1 LIMIT ?2",
    [RULES_READ] = "PRAGMA application_id",
    [VERSION_READ] = "PRAGMA user_version",
    [QUICK_CHECK] = "PRAGMA quick_check(1)",
};

struct sq_search_store {
    sqlite3 *file;
    const struct sq_deadline *deadline;
    sqlite3_stmt *statements[STATEMENTS]; /* prepared when first used */
};

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
sq_sql_fail_damaged(struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "the index of texts is damaged");
    return sq_fail_hint(err, "${Ask the person to run|Run} squint archive "
                             "index, which reads all pictures again.");
}

static bool
fail(struct sq_search_store *store, int code, struct sq_err *err) {
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return sq_fail_nomem(err);
    case SQLITE_INTERRUPT:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sq_deadline_check(store->deadline, err)
            && sq_fail(err, SQ_ERR_TIMEOUT,
                       "another process is writing to the index of texts");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* a table is missing */
        return sq_sql_fail_damaged(err);
    default:
        return sq_fail(err, SQ_ERR_IO, "the index of texts: %s",
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
    if (fd < 0 && errno == ENOENT) {
        return fail_missing(err);
    }
    if (fd < 0) {
        return sq_errno_fail(err, "open the index of texts");
    }
    sq_call_close(fd);
    return sq_plain_file_check(path, err);
}

static bool
open_file(struct sq_search_store *store, const char *path, struct sq_err *err) {
    int code = sqlite3_open_v2(path, &store->file,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
                                   | SQLITE_OPEN_PRIVATECACHE,
                               NULL);
    if (code != SQLITE_OK) {
        return fail(store, code, err);
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
    for (size_t i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(store->statements[i]);
        store->statements[i] = NULL;
    }
    sqlite3_close(store->file);
    store->file = NULL;
}

bool
sq_sql_run(struct sq_search_store *store, const char *text,
           struct sq_err *err) {
    int code = sqlite3_exec(store->file, text, NULL, NULL, NULL);
    return code == SQLITE_OK || fail(store, code, err);
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

bool
sq_sql_next(struct sq_search_store *store, int statement, bool *has_row,
            struct sq_err *err) {
    int code = sqlite3_step(store->statements[statement]);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        sqlite3_reset(store->statements[statement]);
        return fail(store, code, err);
    }
    if (has_row) {
        *has_row = code == SQLITE_ROW;
    }
    return true;
}

bool
sq_sql_begin(struct sq_search_store *store, int statement, bool *has_row,
             struct sq_err *err, const char *format, ...) {
    sqlite3_stmt **slot = &store->statements[statement];
    int code = SQLITE_OK;
    if (!*slot) {
        code = sqlite3_prepare_v3(store->file, statements[statement], -1,
                                  SQLITE_PREPARE_PERSISTENT, slot, NULL);
    }
    if (code == SQLITE_OK) {
        va_list values;
        va_start(values, format);
        code = bind_values(*slot, format, values);
        va_end(values);
    }
    return code == SQLITE_OK ? sq_sql_next(store, statement, has_row, err)
                             : fail(store, code, err);
}

void
sq_sql_end(struct sq_search_store *store, int statement) {
    if (store->statements[statement]) {
        sqlite3_reset(store->statements[statement]);
        sqlite3_clear_bindings(store->statements[statement]);
    }
}

int64_t
sq_sql_int(struct sq_search_store *store, int statement, int column) {
    return sqlite3_column_int64(store->statements[statement], column);
}

struct sq_span
sq_sql_bytes(struct sq_search_store *store, int statement, int column) {
    const void *bytes =
        sqlite3_column_blob(store->statements[statement], column);
    int len = sqlite3_column_bytes(store->statements[statement], column);
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
    if (ok && sq_sql_run(store, "COMMIT", err)) {
        return true;
    }
    sq_sql_run(store, "ROLLBACK", NULL);
    return false;
}

/* Reads a statement with one row of one number. */
static bool
read_number(struct sq_search_store *store, int statement, int64_t *out,
            struct sq_err *err) {
    bool has_row = false;
    bool ok = sq_sql_begin(store, statement, &has_row, err, "");
    *out = ok && has_row ? sq_sql_int(store, statement, 0) : 0;
    sq_sql_end(store, statement);
    return ok;
}

bool
sq_search_store_delete(const char *path, struct sq_err *err) {
    static const char *const endings[] = { "-wal", "-shm", "" };
    char name[SQ_PATH_SIZE + 8];
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(name, sizeof(name), "%s%s", path, endings[i]);
        if (sq_call_unlinkat(AT_FDCWD, name) < 0 && errno != ENOENT) {
            return sq_errno_fail(err, "remove the index of texts");
        }
    }
    return true;
}

/* Makes the tables, in place of those of another version. */
static bool
make_tables(struct sq_search_store *store, const char *path, bool may_create,
            struct sq_err *err) {
    int64_t version = 0;
    if (!read_number(store, VERSION_READ, &version, err)
        || version == VERSION) {
        return version == VERSION;
    }
    if (!may_create) {
        return fail_missing(err);
    }
    if (version != 0) {
        close_file(store);
    }
    return (version == 0
            || (sq_search_store_delete(path, err)
                && make_file(path, may_create, err)
                && open_file(store, path, err)))
        && sq_sql_run(store, schema, err);
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
    if (!open_file(store, path, err)
        || !make_tables(store, path, may_create, err)
        || (may_create
            && !sq_sql_run(
                store, "PRAGMA secure_delete = 1;PRAGMA synchronous = NORMAL",
                err))) {
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
    int64_t rules;
    bool ok = read_number(store, RULES_READ, &rules, err);
    *out = (int)rules;
    return ok;
}

bool
sq_search_store_set_rules(struct sq_search_store *store, int rules,
                          struct sq_err *err) {
    char text[64];
    snprintf(text, sizeof(text), "PRAGMA application_id = %d", rules);
    return sq_sql_run(store, text, err);
}

bool
sq_search_store_check(struct sq_search_store *store, struct sq_err *err) {
    bool has_row;
    if (!sq_sql_begin(store, QUICK_CHECK, &has_row, err, "")) {
        return false;
    }
    bool ok = has_row && sq_span_is(sq_sql_bytes(store, QUICK_CHECK, 0), "ok");
    sq_sql_end(store, QUICK_CHECK);
    return ok ? sq_sql_run(
               store, "INSERT INTO body(body) VALUES('integrity-check')", err)
              : sq_sql_fail_damaged(err);
}
