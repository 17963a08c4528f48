/*
 * Reads the activities of ActivityWatch: from the SQLite database of its Python
 * server, or by REST from a server on this machine. Both give events of the
 * same form.
 */
#include <math.h>
#include <stdio.h>

#include "archive/activity/database.h"
#include "archive/activity/http.h"
#include "json/reader.h"
#include "util/limits.h"
#include "util/minmax.h"

#define MAX_DURATION_S (31.0 * SQ_DAY_S)
#define MAX_EVENT_BYTES ((size_t)4 << 20)

/* The bucket type that records the foreground window. */
#define BUCKET_TYPE "currentwindow"

struct event {
    struct sq_span timestamp; /* ISO 8601; UTC unless it has an offset */
    double duration_s;
    const struct sq_json *data; /* {"app": ..., "title": ...} */
};

/* What is read, and where to. */
struct watch {
    const struct sq_activity_source *source;
    const struct sq_window *window;
    const struct sq_deadline *deadline;
    struct sq_segments *out;
};

static struct sq_span
label_of(const struct sq_json *data, enum sq_granularity granularity) {
    static const char *const keys[][2] = {
        [SQ_BY_APP] = { "app", "title" },
        [SQ_ONLY_APP] = { "app" },
        [SQ_ONLY_TITLE] = { "title" },
    };
    struct sq_span label = { "", 0 };
    for (int i = 0; i < 2 && keys[granularity][i] && !label.len; i++) {
        sq_json_string(sq_json_get(data, keys[granularity][i]), &label);
    }
    return label;
}

/* Adds an event if it may overlap the window. Lowers *oldest to its start. */
static bool
add_event(const struct watch *watch, const struct event *event, int64_t *oldest,
          struct sq_err *err) {
    struct sq_moment start;
    struct sq_moment end = SQ_MOMENT_UNKNOWN;
    double duration_s = event->duration_s;
    if (sq_moment_read(event->timestamp, NULL, &start)) {
        *oldest = sq_min_int64(*oldest, start.earliest_us / 1000000);
        if (isfinite(duration_s) && duration_s >= 0
            && duration_s <= MAX_DURATION_S) {
            end.earliest_us =
                start.earliest_us + (int64_t)(duration_s * 1e6 + 0.5);
            end.latest_us = end.earliest_us;
        }
    }
    return sq_segments_add_between(
        watch->out, watch->window, start, end,
        label_of(event->data, watch->source->granularity), err);
}

static bool
fail_nothing(const char *where, struct sq_err *err) {
    sq_fail(err, SQ_ERR_NOT_FOUND, "ActivityWatch has recorded no windows%s",
            where);
    sq_fail_hint(err, "Start aw-watcher-window.");
    return sq_fail_cause(err, SQ_CAUSE_NOTHING_RECORDED);
}

static const char *const columns[][2] = {
    { "bucketmodel", "key" },      { "bucketmodel", "type" },
    { "eventmodel", "bucket_id" }, { "eventmodel", "timestamp" },
    { "eventmodel", "duration" },  { "eventmodel", "datastr" },
};

static const char has_bucket[] =
    "SELECT 1 FROM bucketmodel WHERE type = '" BUCKET_TYPE "' LIMIT 1";

/* The "+" makes SQLite use the index of times, not that of buckets. */
#define EVENTS                                                                 \
    "SELECT timestamp, duration, datastr FROM eventmodel"                      \
    " WHERE +bucket_id IN (SELECT key FROM bucketmodel"                        \
    " WHERE type = '" BUCKET_TYPE "') AND timestamp "

/* Also those whose time is not a text of digits. */
static const char events[] =
    EVENTS ">= ?1 AND timestamp < ?2 UNION ALL " EVENTS
           "IS NULL UNION ALL " EVENTS "< '0' UNION ALL " EVENTS ">= ':'";

static bool
check_columns(struct sq_database *database, struct sq_err *err) {
    for (size_t i = 0; i < SQ_COUNT(columns); i++) {
        bool has = false;
        if (!sq_database_has(database, columns[i][0], columns[i][1], &has,
                             err)) {
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
    bool has_row = false;
    return sq_database_has_row(database, has_bucket, NULL, &has_row, err)
        && (has_row || fail_nothing(" in this database", err));
}

/* Adds a row. Data that is not JSON gives an event without a name. */
static bool
add_row(const struct watch *watch, const struct sq_database *database,
        struct sq_arena *arena, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    int64_t oldest = 0;
    struct event event = {
        .timestamp = sq_query_text(database, 0),
        .duration_s = sq_query_double(database, 1),
    };
    sq_arena_reset(arena);
    if (!sq_json_parse(sq_query_text(database, 2), arena, &event.data,
                       &local_err)
        && local_err.code == SQ_ERR_NOMEM) {
        *err = local_err;
        return false;
    }
    return add_event(watch, &event, &oldest, err);
}

static bool
add_rows(const struct watch *watch, struct sq_database *database,
         struct sq_err *err) {
    struct sq_day_texts days;
    bool has_row = true;
    SQ_ARENA(arena, MAX_EVENT_BYTES);
    /* Whole days: an event from the day before may last into the window. */
    sq_day_texts_write(watch->window, 1, &days);
    bool ok = sq_query_start(database, events,
                             (const char *[]){ days.first, days.last }, err);
    while (ok && has_row) {
        ok = sq_query_next(database, &has_row, err)
          && (!has_row || add_row(watch, database, &arena, err));
    }
    return ok;
}

static bool
database_read(const struct sq_activity_source *source,
              const struct sq_window *window,
              const struct sq_deadline *deadline, struct sq_segments *out,
              struct sq_err *err) {
    const struct watch watch = { source, window, deadline, out };
    struct sq_database *database = NULL;
    if (!source->path) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "no ActivityWatch database is configured");
    }
    bool ok = sq_database_open(source, deadline, &database, err)
           && check_columns(database, err)
           && (!window || add_rows(&watch, database, err));
    sq_database_close(database);
    return ok;
}

const struct sq_activity_ops sq_activity_watch_db = {
    .id = "activitywatch-db",
    .title = "ActivityWatch's database",
    .is_file = true,
    .read = database_read,
};

#define MAX_BUCKETS 8
#define BUCKET_SIZE 200
#define PATH_BYTES 1024
#define PAGE_EVENTS 5000 /* events per response: about 1 MB */
#define MAX_PAGES 200
#define TREE_BYTES ((size_t)64 << 20)

struct server {
    struct watch watch;
    struct sq_http_url url;
    char buckets[MAX_BUCKETS][BUCKET_SIZE];
    size_t bucket_count;
};

/* A response as JSON. */
struct response {
    struct sq_buf bytes;
    struct sq_arena arena;
    const struct sq_json *root;
};

static void
response_finish(struct response *response) {
    sq_buf_finish(&response->bytes);
    sq_arena_finish(&response->arena);
}

/* Requests a path. The caller finishes *out, even on failure. */
static bool
request(const struct server *server, struct sq_span path, struct response *out,
        struct sq_err *err) {
    *out = (struct response){ 0 };
    sq_buf_init(&out->bytes, SQ_MAX_JSON_BYTES);
    sq_arena_init(&out->arena, TREE_BYTES);
    if (!sq_http_get(&server->url, path, server->watch.deadline, &out->bytes,
                     err)) {
        return false;
    }
    struct sq_span text = sq_buf_span(&out->bytes);
    return sq_json_parse(text, &out->arena, &out->root, err)
        || sq_fail_in(err, "ActivityWatch's response");
}

static bool
find_buckets(struct server *server, struct sq_err *err) {
    struct response response;
    bool ok = request(server, SQ_SPAN("/api/0/buckets/"), &response, err);
    if (ok) {
        for (const struct sq_json *bucket = sq_json_first(response.root);
             bucket && server->bucket_count < MAX_BUCKETS;
             bucket = sq_json_next(bucket)) {
            struct sq_span type = { 0 };
            struct sq_span id = sq_json_key(bucket);
            if (sq_json_string(sq_json_get(bucket, "type"), &type)
                && sq_span_is(type, BUCKET_TYPE) && id.len > 0
                && id.len < BUCKET_SIZE && !sq_span_contains(id, '\0')) {
                snprintf(server->buckets[server->bucket_count++], BUCKET_SIZE,
                         "%.*s", SQ_SPAN_ARGS(id));
            }
        }
    } else if (err->code == SQ_ERR_NOT_FOUND) {
        sq_fail_hint(err, "Start ActivityWatch, or set archive.activity to "
                          "another provider.");
    }
    response_finish(&response);
    return ok && (server->bucket_count > 0 || fail_nothing("", err));
}

static bool
write_path(const char *bucket, int64_t from, int64_t to, struct sq_buf *out,
           struct sq_err *err) {
    char start[SQ_TIME_TEXT_SIZE];
    char end[SQ_TIME_TEXT_SIZE];
    sq_time_format(from, 0, start);
    sq_time_format(to, 0, end);
    /* The "+" of "+00:00" would be a blank in a query: cut the offset off. */
    sq_buf_clear(out);
    return sq_buf_printf(out, err, "/api/0/buckets/")
        && sq_http_escape(sq_span_of(bucket), out, err)
        && sq_buf_printf(out, err, "/events?start=%.19sZ&end=%.19sZ&limit=%d",
                         start, end, PAGE_EVENTS);
}

/* Adds the events of a page; *oldest is the start of the oldest one. */
static bool
add_page(const struct watch *watch, const struct sq_json *root, int64_t *oldest,
         struct sq_err *err) {
    bool ok = true;
    for (const struct sq_json *item = sq_json_first(root); ok && item;
         item = sq_json_next(item)) {
        struct event event = { .data = sq_json_get(item, "data") };
        sq_json_string(sq_json_get(item, "timestamp"), &event.timestamp);
        sq_json_double(sq_json_get(item, "duration"), &event.duration_s);
        ok = add_event(watch, &event, oldest, err);
    }
    return ok;
}

/* Adds a bucket's events, newest first; after a full page older ones follow. */
static bool
add_bucket(const struct server *server, const char *bucket,
           struct sq_err *err) {
    const struct sq_window *window = server->watch.window;
    int64_t until = window->to_utc;
    bool has_more = true;
    bool ok = true;
    SQ_BUF(path, PATH_BYTES);
    for (int page = 0; ok && has_more && page < MAX_PAGES; page++) {
        struct response response = { 0 };
        int64_t oldest = until;
        ok = write_path(bucket, window->from_utc, until, &path, err)
          && request(server, sq_buf_span(&path), &response, err)
          && add_page(&server->watch, response.root, &oldest, err);
        has_more = ok && sq_json_count(response.root) >= PAGE_EVENTS
                && oldest < until && oldest > window->from_utc;
        until = oldest;
        response_finish(&response);
    }
    return ok;
}

static bool
server_read(const struct sq_activity_source *source,
            const struct sq_window *window, const struct sq_deadline *deadline,
            struct sq_segments *out, struct sq_err *err) {
    struct server server = { .watch = { source, window, deadline, out } };
    if (!source->url) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no ActivityWatch server is configured");
        return sq_fail_hint(err, "Set archive.activityWatchUrl.");
    }
    bool ok = sq_http_url_parse(sq_span_of(source->url), &server.url, err)
           && find_buckets(&server, err);
    for (size_t i = 0; ok && window && i < server.bucket_count; i++) {
        ok = add_bucket(&server, server.buckets[i], err);
    }
    return ok;
}

const struct sq_activity_ops sq_activity_watch_http = {
    .id = "activitywatch-http",
    .title = "ActivityWatch's server",
    .read = server_read,
};
