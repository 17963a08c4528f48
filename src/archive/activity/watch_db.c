/* Reads the SQLite database of ActivityWatch's Python server. */
#include "archive/activity/database.h"
#include "archive/activity/watch.h"
#include "archive/cause.h"
#include "json/reader.h"
#include "util/mem.h"
#include "util/time_text.h"

#define MAX_EVENT_BYTES ((size_t)4 << 20)

static const char *const columns[][2] = {
    { "bucketmodel", "key" },      { "bucketmodel", "type" },
    { "eventmodel", "bucket_id" }, { "eventmodel", "timestamp" },
    { "eventmodel", "duration" },  { "eventmodel", "datastr" },
};

static const char has_bucket[] =
    "SELECT 1 FROM bucketmodel WHERE type = '" SQ_WATCH_BUCKET_TYPE "' LIMIT 1";

/* The "+" makes SQLite use the index of times, not that of buckets. */
#define EVENTS                                                                 \
    "SELECT timestamp, duration, datastr FROM eventmodel"                      \
    " WHERE +bucket_id IN (SELECT key FROM bucketmodel"                        \
    " WHERE type = '" SQ_WATCH_BUCKET_TYPE "') AND timestamp "

/* Also those whose time is not a text of digits. */
static const char events[] =
    EVENTS ">= ?1 AND timestamp < ?2 UNION ALL " EVENTS
           "IS NULL UNION ALL " EVENTS "< '0' UNION ALL " EVENTS ">= ':'";

struct watch {
    const struct sq_activity_source *source;
    struct sq_database *database;
};

static void
watch_close(void *state) {
    struct watch *watch = state;
    if (watch) {
        sq_database_close(watch->database);
        sq_mem_free(watch);
    }
}

static bool
check_columns(struct watch *watch, struct sq_err *err) {
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        bool has = false;
        if (!sq_database_has(watch->database, columns[i][0], columns[i][1],
                             &has, err)) {
            return false;
        }
        if (!has) {
            sq_fail(err, SQ_ERR_FORMAT,
                    "the database lacks ActivityWatch's column %s.%s",
                    columns[i][0], columns[i][1]);
            sq_fail_hint(err, "Name the file peewee-sqlite.v2.db of aw-server, "
                              "or use its server instead.");
            return sq_fail_cause(err, SQ_CAUSE_TABLES_MISSING);
        }
    }
    return true;
}

static bool
check_bucket(struct watch *watch, struct sq_err *err) {
    struct sq_query *query = NULL;
    bool has_row = false;
    bool ok = sq_query_start(watch->database, has_bucket, &query, err)
           && sq_query_next(query, &has_row, err);
    sq_query_finish(query);
    if (ok && !has_row) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "ActivityWatch has recorded no windows in this database");
        sq_fail_hint(err, "Start aw-watcher-window.");
        return sq_fail_cause(err, SQ_CAUSE_NOTHING_RECORDED);
    }
    return ok;
}

static bool
watch_open(const struct sq_activity_source *source,
           const struct sq_deadline *deadline, void **state,
           struct sq_err *err) {
    if (!source->path) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "no ActivityWatch database is configured");
    }
    struct watch *watch = sq_mem_zalloc(1, sizeof(*watch));
    if (!watch) {
        return sq_fail_nomem(err);
    }
    watch->source = source;
    if (!sq_database_open(source->path, deadline, source->lock_deadline,
                          &watch->database, err)
        || !check_columns(watch, err) || !check_bucket(watch, err)) {
        watch_close(watch);
        return false;
    }
    *state = watch;
    return true;
}

/*
 * Adds a row. Data that is not JSON gives an event without a name, not a
 * failure.
 */
static bool
add_row(const struct watch *watch, struct sq_query *query,
        struct sq_arena *arena, const struct sq_window *window,
        struct sq_segments *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_watch_event event = {
        .timestamp = sq_query_text(query, 0),
        .duration_s = sq_query_double(query, 1),
    };
    sq_arena_reset(arena);
    if (!sq_json_parse(sq_query_text(query, 2), arena, &event.data, &local_err)
        && local_err.code == SQ_ERR_NOMEM) {
        *err = local_err;
        return false;
    }
    return sq_watch_event_add(&event, watch->source->granularity, window, out,
                              err);
}

static bool
add_rows(const struct watch *watch, struct sq_query *query,
         const struct sq_window *window, struct sq_segments *out,
         struct sq_err *err) {
    struct sq_arena arena;
    bool has_row = true;
    bool ok = true;
    sq_arena_init(&arena, MAX_EVENT_BYTES);
    while (ok && has_row) {
        ok = sq_query_next(query, &has_row, err)
          && (!has_row || add_row(watch, query, &arena, window, out, err));
    }
    sq_arena_finish(&arena);
    return ok;
}

static bool
watch_segments(void *state, const struct sq_window *window,
               const struct sq_deadline *deadline, struct sq_segments *out,
               struct sq_err *err) {
    struct watch *watch = state;
    struct sq_query *query = NULL;
    char first[SQ_TIME_TEXT_SIZE];
    char last[SQ_TIME_TEXT_SIZE];
    /* Whole days: an event from the day before may last into the window. */
    int64_t from = sq_days_of_seconds(window->from_utc) - 1;
    int64_t to = sq_days_of_seconds(window->to_utc) + 1;
    sq_date_format(sq_date_from_days(from), first);
    sq_date_format(sq_date_from_days(to), last);
    sq_database_set_deadline(watch->database, deadline);
    bool ok = sq_query_start(watch->database, events, &query, err)
           && sq_query_bind_text(query, 1, sq_span_of(first), err)
           && sq_query_bind_text(query, 2, sq_span_of(last), err)
           && add_rows(watch, query, window, out, err);
    sq_query_finish(query);
    return ok;
}

const struct sq_activity_ops sq_activity_watch_db = {
    .id = "activitywatch-db",
    .title = "ActivityWatch's database",
    .is_file = true,
    .open = watch_open,
    .segments = watch_segments,
    .close = watch_close,
};
