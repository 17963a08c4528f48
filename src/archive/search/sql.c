/* Runs SQL statements on a database file of our own. */
#include "archive/search/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "archive/activity/activity.h"
#include "sys/call.h"
#include "util/mem.h"

#define STEPS_PER_CHECK 1000
#define RETRY_MS 10

struct sq_sql {
    sqlite3 *file;
    const struct sq_deadline *deadline;
    const struct sq_sql_text *texts;
    sqlite3_stmt **statements; /* prepared when first used */
    size_t count;
};

static int
on_busy(void *context, int tries) {
    struct sq_sql *sql = context;
    (void)tries;
    return sq_wait_ms(RETRY_MS, sql->deadline, NULL);
}

static int
on_progress(void *context) {
    struct sq_sql *sql = context;
    return !sq_deadline_check(sql->deadline, NULL);
}

bool
sq_sql_fail_damaged(struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "the index of texts is damaged");
    return sq_fail_hint(err, "${Ask the person to run|Run} squint archive "
                             "index, which reads all pictures again.");
}

static bool
fail(struct sq_sql *sql, int code, struct sq_err *err) {
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return sq_fail_nomem(err);
    case SQLITE_INTERRUPT:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sq_deadline_check(sql->deadline, err)
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

/*
 * Creates the file with access for its owner only. SQLite creates its side
 * files with the same permissions.
 */
static bool
make_file(const struct sq_sql_options *options, struct sq_err *err) {
    int flags =
        O_RDWR | O_CLOEXEC | O_NOFOLLOW | (options->may_create ? O_CREAT : 0);
    int fd = sq_call_openat(AT_FDCWD, options->path, flags, 0600);
    if (fd < 0 && errno == ENOENT) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "there is no index of texts");
    }
    if (fd < 0) {
        return sq_errno_fail(err, "open the index of texts");
    }
    sq_call_close(fd);
    return sq_plain_file_check(options->path, err);
}

static bool
open_file(struct sq_sql *sql, const char *path, struct sq_err *err) {
    int code = sqlite3_open_v2(path, &sql->file,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
                                   | SQLITE_OPEN_PRIVATECACHE,
                               NULL);
    if (code != SQLITE_OK) {
        return fail(sql, code, err);
    }
    sqlite3_extended_result_codes(sql->file, 1);
    sqlite3_busy_handler(sql->file, on_busy, sql);
    sqlite3_progress_handler(sql->file, STEPS_PER_CHECK, on_progress, sql);
    sqlite3_db_config(sql->file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql->file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return true;
}

bool
sq_sql_open(const struct sq_sql_options *options, struct sq_sql **out,
            struct sq_err *err) {
    if (!make_file(options, err)) {
        return false;
    }
    struct sq_sql *sql = sq_mem_zalloc(1, sizeof(*sql));
    if (!sql) {
        return sq_fail_nomem(err);
    }
    sql->deadline = options->deadline;
    sql->texts = options->statements;
    sql->statements = sq_mem_zalloc(options->count, sizeof(*sql->statements));
    sql->count = sql->statements ? options->count : 0;
    if (!(sql->statements ? open_file(sql, options->path, err)
                          : sq_fail_nomem(err))) {
        sq_sql_close(sql);
        return false;
    }
    *out = sql;
    return true;
}

void
sq_sql_close(struct sq_sql *sql) {
    if (!sql) {
        return;
    }
    for (size_t i = 0; i < sql->count; i++) {
        sqlite3_finalize(sql->statements[i]);
    }
    sqlite3_close(sql->file);
    sq_mem_free(sql->statements);
    sq_mem_free(sql);
}

bool
sq_sql_run(struct sq_sql *sql, const char *text, struct sq_err *err) {
    int code = sqlite3_exec(sql->file, text, NULL, NULL, NULL);
    return code == SQLITE_OK || fail(sql, code, err);
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
sq_sql_next(struct sq_sql *sql, int statement, bool *has_row,
            struct sq_err *err) {
    int code = sqlite3_step(sql->statements[statement]);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        sqlite3_reset(sql->statements[statement]);
        return fail(sql, code, err);
    }
    if (has_row) {
        *has_row = code == SQLITE_ROW;
    }
    return true;
}

bool
sq_sql_begin(struct sq_sql *sql, int statement, bool *has_row,
             struct sq_err *err, const char *format, ...) {
    sqlite3_stmt **slot = &sql->statements[statement];
    int code = SQLITE_OK;
    if (!*slot) {
        code = sqlite3_prepare_v3(sql->file, sql->texts[statement].sql, -1,
                                  SQLITE_PREPARE_PERSISTENT, slot, NULL);
    }
    if (code == SQLITE_OK) {
        va_list values;
        va_start(values, format);
        code = bind_values(*slot, format, values);
        va_end(values);
    }
    return code == SQLITE_OK ? sq_sql_next(sql, statement, has_row, err)
                             : fail(sql, code, err);
}

void
sq_sql_end(struct sq_sql *sql, int statement) {
    if (sql->statements[statement]) {
        sqlite3_reset(sql->statements[statement]);
        sqlite3_clear_bindings(sql->statements[statement]);
    }
}

int64_t
sq_sql_int(struct sq_sql *sql, int statement, int column) {
    return sqlite3_column_int64(sql->statements[statement], column);
}

struct sq_span
sq_sql_bytes(struct sq_sql *sql, int statement, int column) {
    const void *bytes = sqlite3_column_blob(sql->statements[statement], column);
    int len = sqlite3_column_bytes(sql->statements[statement], column);
    return (struct sq_span){ bytes ? bytes : "", bytes ? (size_t)len : 0 };
}

int64_t
sq_sql_last_id(struct sq_sql *sql) {
    return sqlite3_last_insert_rowid(sql->file);
}

int
sq_sql_changes(struct sq_sql *sql) {
    return sqlite3_changes(sql->file);
}
