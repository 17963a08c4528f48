/*
 * Reads SQLite files of other programs in a process of its own, which can read
 * nothing but the folder of the file; or in this process, where no bytes of
 * others are read in workers.
 */
#include "archive/activity/database.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "archive/activity/database_file.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/foreign.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_COLUMNS 8
#define MAX_SQL 2048
/* Rows are passed on in parts of about this size; one row has at most 1 MB. */
#define PART_BYTES ((size_t)128 << 10)
#define MAX_PART ((size_t)2 << 20)
/* The worker ends earlier than who waits for it, to say why. */
#define EARLIER_MS 100

enum question { OPEN, START, NEXT, CLOSE };

struct request {
    int32_t question;
    int32_t left_ms; /* until the deadline; used in another process */
    int32_t lock_left_ms;
    char sql[MAX_SQL]; /* START */
    char texts[2][SQ_TIME_TEXT_SIZE];
};

/* A part of the rows; then come its values, each with a head. */
struct part {
    uint32_t rows;
    uint32_t columns;
    uint32_t is_last;
};
struct value_head {
    double number;
    uint32_t bytes; /* of text, which follow */
};

/* The side that has the file. */
struct answerer {
    const char *path;
    struct sq_database_file *file;
    struct sq_deadline deadline;
    struct sq_deadline lock_deadline;
};

/* A process for a database, whose start takes longer than most of its answers.
 */
struct reader {
    char path[SQ_PATH_SIZE];
    const char *argv[5];
    struct sq_worker *worker;
};

/* The reader that was used last, for the next who opens the same database. */
static struct {
    pthread_mutex_t mutex;
    struct reader *reader; /* NULL: none */
} idle = { .mutex = PTHREAD_MUTEX_INITIALIZER };

struct sq_database {
    char name[SQ_FILE_NAME_SIZE];
    struct reader *reader;    /* NULL: the answerer is used */
    struct answerer answerer; /* of this process, and its deadlines */
    struct sq_buf reply;      /* a part of the rows of the only query */
    struct sq_span rest;      /* of it */
    struct part part;         /* its rows that are left */
    struct sq_database_value values[MAX_COLUMNS];
    const char *table;     /* whose columns are known; NULL: none */
    bool is_plain;         /* it is a table */
    struct sq_buf columns; /* a line for each; a tab at its end: computed */
};

static bool
append_row(const struct sq_database_file *file, int columns,
           struct sq_buf *reply, struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < columns; i++) {
        struct sq_database_value value = sq_database_file_value(file, i);
        const struct value_head head = { value.number,
                                         (uint32_t)value.text.len };
        ok = sq_buf_append(reply, (const char *)&head, sizeof(head), err)
          && sq_buf_append(reply, value.text.ptr, value.text.len, err);
    }
    return ok;
}

static bool
append_part(struct sq_database_file *file, struct sq_buf *reply,
            struct sq_err *err) {
    int columns = sq_min_int(sq_database_file_columns(file), MAX_COLUMNS);
    struct part part = { .columns = (uint32_t)columns };
    bool has_row = true;
    bool ok = sq_buf_append(reply, (const char *)&part, sizeof(part), err);
    while (ok && has_row && reply->len < PART_BYTES) {
        ok = sq_database_file_next(file, &has_row, err)
          && (!has_row || append_row(file, columns, reply, err));
        part.rows += ok && has_row;
    }
    part.is_last = !has_row;
    if (ok) {
        memcpy(reply->data, &part, sizeof(part));
    }
    return ok;
}

static bool
answer(struct answerer *self, const struct request *request,
       struct sq_buf *reply, struct sq_err *err) {
    const char *const texts[] = { request->texts[0], request->texts[1] };
    if (request->question == OPEN || request->question == CLOSE) {
        sq_database_file_close(self->file);
        self->file = NULL;
    }
    if (request->question == CLOSE) {
        return true;
    }
    if (request->question == OPEN) {
        return sq_database_file_open(self->path, &self->deadline,
                                     &self->lock_deadline, &self->file, err);
    }
    if (!self->file) {
        return sq_fail(err, SQ_ERR_IO, "the database is not open");
    }
    return (request->question == NEXT
            || sq_database_file_start(self->file, request->sql, texts, err))
        && append_part(self->file, reply, err);
}

/* Fails with a cause if the worker crashed, hung or sent what is not valid. */
static bool
explain(const struct sq_database *database, struct sq_err *err) {
    if (!err || err->code == SQ_ERR_CANCELLED || err->code == SQ_ERR_NOMEM) {
        return false;
    }
    if (err->cause < 0 || err->cause > SQ_CAUSE_NOTHING_RECORDED) {
        err->cause = SQ_CAUSE_NONE;
    }
    if (err->cause == SQ_CAUSE_NONE) {
        bool is_late = err->code == SQ_ERR_TIMEOUT;
        enum sq_cause cause =
            is_late ? SQ_CAUSE_DATABASE_SLOW : SQ_CAUSE_DATABASE_DAMAGED;
        sq_fail(err, is_late ? SQ_ERR_TIMEOUT : SQ_ERR_FORMAT, "%s %s",
                database->name,
                is_late ? "takes too long to read"
                        : "may be damaged: the process that reads it ended");
        sq_fail_hint(err, "%s", sq_cause_remedy(cause));
        sq_fail_cause(err, (int)cause);
    }
    return false;
}

static bool
ask(struct sq_database *database, struct request *request, struct sq_err *err) {
    const struct sq_deadline *deadline = &database->answerer.deadline;
    sq_buf_clear(&database->reply);
    if (!database->reader) {
        return answer(&database->answerer, request, &database->reply, err);
    }
    struct sq_worker *worker = database->reader->worker;
    request->left_ms =
        sq_max_int(sq_deadline_left_ms(deadline) - EARLIER_MS, 1);
    request->lock_left_ms =
        sq_min_int(sq_deadline_left_ms(&database->answerer.lock_deadline),
                   request->left_ms);
    const struct sq_span bytes = { (const char *)request, sizeof(*request) };
    bool is_started = sq_worker_start(worker, deadline, err);
    bool ok = is_started && sq_worker_send(worker, bytes, NULL, deadline, err)
           && sq_worker_receive(worker, deadline, &database->reply, err);
    return ok
        || ((is_started || (err && err->code == SQ_ERR_TIMEOUT))
            && explain(database, err));
}

static bool
take(struct sq_span *rest, void *out, size_t size) {
    if (rest->len < size) {
        return false;
    }
    memcpy(out, rest->ptr, size);
    sq_span_skip(rest, size);
    return true;
}

/* Has rows answered, and reads how many there are. */
static bool
ask_rows(struct sq_database *database, struct request *request,
         struct sq_err *err) {
    struct part *part = &database->part;
    if (!ask(database, request, err)) {
        return false;
    }
    database->rest = sq_buf_span(&database->reply);
    bool is_whole = take(&database->rest, part, sizeof(*part));
    if (!is_whole || part->columns > MAX_COLUMNS
        || (part->rows == 0 && !part->is_last)) {
        sq_fail(err, SQ_ERR_FORMAT, "the rows are malformed");
        return explain(database, err);
    }
    return true;
}

/* Reads a row of the part. */
static bool
read_row(struct sq_database *database, struct sq_err *err) {
    struct sq_span *rest = &database->rest;
    for (uint32_t i = 0; i < database->part.columns; i++) {
        struct value_head head;
        if (!take(rest, &head, sizeof(head)) || head.bytes > rest->len) {
            sq_fail(err, SQ_ERR_FORMAT, "the rows are malformed");
            return explain(database, err);
        }
        database->values[i] = (struct sq_database_value){
            .text = { rest->ptr, head.bytes },
            .number = head.number,
        };
        sq_span_skip(rest, head.bytes);
    }
    database->part.rows--;
    return true;
}

static void
destroy_reader(struct reader *reader) {
    if (reader) {
        sq_worker_destroy(reader->worker);
        sq_mem_free(reader);
    }
}

/* Puts a reader, or NULL, in place of the idle one. */
static struct reader *
exchange(struct reader *reader) {
    pthread_mutex_lock(&idle.mutex);
    struct reader *before = idle.reader;
    idle.reader = reader;
    pthread_mutex_unlock(&idle.mutex);
    return before;
}

static bool
take_reader(const char *path, struct reader **out, struct sq_err *err) {
    struct reader *reader = exchange(NULL);
    if (reader && strcmp(reader->path, path) == 0
        && strcmp(reader->argv[0], sq_foreign_program()) == 0) {
        *out = reader;
        return true;
    }
    destroy_reader(reader);
    reader = sq_mem_zalloc(1, sizeof(*reader));
    if (!reader) {
        return sq_fail_nomem(err);
    }
    snprintf(reader->path, sizeof(reader->path), "%s", path);
    reader->argv[0] = sq_foreign_program();
    reader->argv[1] = "decode-worker";
    reader->argv[2] = "database";
    reader->argv[3] = reader->path;
    const struct sq_worker_plan plan = {
        .argv = reader->argv,
        .name = "database reader",
        .max_reply = MAX_PART,
    };
    if (!sq_worker_create(&plan, &reader->worker, err)) {
        sq_mem_free(reader);
        return false;
    }
    *out = reader;
    return true;
}

/*
 * Has the file opened. A reader that was kept may only read the folder that it
 * was started for, which may have been replaced: then another one is started.
 */
static bool
open_there(struct sq_database *database, struct sq_err *err) {
    struct request request = { .question = OPEN };
    struct reader *reader = database->reader;
    struct sq_err local_err = { 0 };
    bool was_kept = reader && sq_worker_pid(reader->worker);
    if (ask(database, &request, &local_err)) {
        return true;
    }
    if (!was_kept || local_err.cause != SQ_CAUSE_ACTIVITY_FORBIDDEN) {
        return sq_fail_with(err, &local_err);
    }
    sq_worker_stop(reader->worker);
    return ask(database, &request, err);
}

bool
sq_database_open(const struct sq_activity_source *source,
                 const struct sq_deadline *deadline, struct sq_database **out,
                 struct sq_err *err) {
    if (!sq_database_check_files(source->path, err)) {
        return false;
    }
    struct sq_database *database = sq_mem_zalloc(1, sizeof(*database));
    if (!database) {
        return sq_fail_nomem(err);
    }
    sq_file_name(source->path, false, database->name);
    sq_buf_init(&database->reply, MAX_PART);
    sq_buf_init(&database->columns, MAX_PART);
    database->answerer = (struct answerer){
        .path = source->path,
        .deadline = *deadline,
        .lock_deadline =
            source->lock_deadline ? *source->lock_deadline : *deadline,
    };
    if ((sq_foreign_is_on()
         && !take_reader(source->path, &database->reader, err))
        || !open_there(database, err)) {
        sq_database_close(database);
        return false;
    }
    *out = database;
    return true;
}

void
sq_database_close(struct sq_database *database) {
    struct request request = { .question = CLOSE };
    if (database) {
        if (!database->reader || sq_worker_pid(database->reader->worker)) {
            ask(database, &request, NULL);
        }
        destroy_reader(database->reader ? exchange(database->reader) : NULL);
        sq_buf_finish(&database->reply);
        sq_buf_finish(&database->columns);
        sq_mem_free(database);
    }
}

/* Columns of PRAGMA table_xinfo. */
enum { COLUMN_NAME = 1, COLUMN_HIDDEN = 6 };

/* No other kind is read. */
static const char is_table[] = "SELECT 1 FROM sqlite_master WHERE type = "
                               "'table' AND name = ?1 COLLATE NOCASE";

static bool
append_column(struct sq_database *database, struct sq_err *err) {
    struct sq_buf *columns = &database->columns;
    const struct sq_span name = sq_query_text(database, COLUMN_NAME);
    bool is_computed = sq_query_double(database, COLUMN_HIDDEN) != 0;
    return sq_buf_append(columns, name.ptr, name.len, err)
        && (!is_computed || sq_buf_append_byte(columns, '\t', err))
        && sq_buf_append_byte(columns, '\n', err);
}

/* Lists the columns of a table, unless it is the one that was listed last. */
static bool
list_columns(struct sq_database *database, const char *table,
             struct sq_err *err) {
    char sql[128];
    if (database->table && strcmp(database->table, table) == 0) {
        return true;
    }
    sq_buf_clear(&database->columns);
    database->table = NULL;
    snprintf(sql, sizeof(sql), "PRAGMA table_xinfo(\"%s\")", table);
    bool has_row = true;
    bool ok =
        sq_database_has_row(database, is_table, table, &database->is_plain, err)
        && sq_query_start(database, sql, NULL, err);
    while (ok && has_row) {
        ok = sq_query_next(database, &has_row, err)
          && (!has_row || append_column(database, err));
    }
    database->table = ok ? table : NULL;
    return ok;
}

bool
sq_database_has(struct sq_database *database, const char *table,
                const char *column, bool *out, struct sq_err *err) {
    struct sq_span line;
    *out = false;
    if (!list_columns(database, table, err)) {
        return false;
    }
    struct sq_span rest = sq_buf_span(&database->columns);
    while (!*out && sq_span_take_line(&rest, &line)) {
        bool is_computed = sq_span_ends_with(line, "\t");
        line.len -= is_computed;
        *out = line.len == strlen(column)
            && strncasecmp(line.ptr, column, line.len) == 0;
        if (*out && (is_computed || !database->is_plain)) {
            char what[64];
            snprintf(what, sizeof(what), "%s.%s is computed", table, column);
            return sq_database_fail_computed(database->name, what, err);
        }
    }
    return true;
}

bool
sq_query_start(struct sq_database *database, const char *sql,
               const char *const texts[2], struct sq_err *err) {
    struct request request = { .question = START };
    snprintf(request.sql, sizeof(request.sql), "%s", sql);
    for (int i = 0; texts && i < 2 && texts[i]; i++) {
        snprintf(request.texts[i], sizeof(request.texts[i]), "%s", texts[i]);
    }
    return ask_rows(database, &request, err);
}

bool
sq_query_next(struct sq_database *database, bool *has_row, struct sq_err *err) {
    struct request request = { .question = NEXT };
    if (database->part.rows == 0 && !database->part.is_last
        && !ask_rows(database, &request, err)) {
        return false;
    }
    *has_row = database->part.rows > 0;
    return !*has_row || read_row(database, err);
}

bool
sq_database_has_row(struct sq_database *database, const char *sql,
                    const char *text, bool *out, struct sq_err *err) {
    const char *const texts[] = { text, NULL };
    return sq_query_start(database, sql, texts, err)
        && sq_query_next(database, out, err);
}

struct sq_span
sq_query_text(const struct sq_database *database, int column) {
    return database->values[column].text;
}

double
sq_query_double(const struct sq_database *database, int column) {
    return database->values[column].number;
}

void
sq_day_texts_write(const struct sq_window *window, int days_after,
                   struct sq_day_texts *out) {
    int64_t from = sq_days_of_seconds(window->from_utc) - 1;
    int64_t to = sq_days_of_seconds(window->to_utc) + days_after;
    sq_date_format(sq_date_from_days(from), out->first);
    sq_date_format(sq_date_from_days(to), out->last);
}

/* The worker. */

static bool
serve_one(void *context, struct sq_span bytes, uint8_t *memory,
          size_t memory_bytes, struct sq_buf *reply, struct sq_err *err) {
    struct answerer *self = context;
    struct request request;
    (void)memory, (void)memory_bytes;
    if (bytes.len != sizeof(request)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
    }
    memcpy(&request, bytes.ptr, sizeof(request));
    self->deadline = sq_deadline_in(request.left_ms, NULL);
    self->lock_deadline = sq_deadline_in(request.lock_left_ms, NULL);
    return answer(self, &request, reply, err);
}

bool
sq_database_serve(const char *path, struct sq_err *err) {
    char folder[SQ_PATH_SIZE];
    struct answerer self = { .path = path };
    struct sq_worker_job job = sq_foreign_job;
    const char *name = sq_path_base(path);
    snprintf(folder, sizeof(folder), "%.*s",
             name == path ? 1 : (int)(name - path), name == path ? "." : path);
    job.answer = serve_one;
    job.folder = folder;
    job.max_reply = MAX_PART;
    bool ok = sq_worker_serve(&job, &self, err);
    sq_database_file_close(self.file);
    return ok;
}
