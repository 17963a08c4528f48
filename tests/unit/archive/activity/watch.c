#include <pthread.h>
#include <sqlite3.h>
#include <unistd.h>

#include "archive/activity/activity.h"
#include "support/scratch.h"
#include "support/segments_text.h"
#include "support/test.h"
#include "sys/foreign.h"
#include "support/watch_stub.h"

/* 2026-01-01, in UTC. */
static const struct sq_window day = { 1767225600, 1767312000 };
static struct sq_zone *zone;

static const char path_name[] = "peewee-sqlite.v2.db";

static const char schema[] =
    "CREATE TABLE bucketmodel (key INTEGER NOT NULL PRIMARY KEY,"
    " id VARCHAR(255) NOT NULL, created DATETIME NOT NULL, name VARCHAR(255),"
    " type VARCHAR(255) NOT NULL, client VARCHAR(255) NOT NULL,"
    " hostname VARCHAR(255) NOT NULL, datastr VARCHAR(255));"
    "CREATE TABLE eventmodel (id INTEGER NOT NULL PRIMARY KEY,"
    " bucket_id INTEGER NOT NULL, timestamp DATETIME NOT NULL,"
    " duration DECIMAL(10, 5) NOT NULL, datastr VARCHAR(255) NOT NULL);";

static const char buckets[] =
    "INSERT INTO bucketmodel VALUES"
    " (1, 'aw-watcher-afk_pc', '2025-01-01', NULL, 'afkstatus', 'a', 'pc',"
    "  NULL),"
    " (2, 'aw-watcher-window_pc', '2025-01-01', NULL, 'currentwindow', 'w',"
    "  'pc', NULL);";

static const char events[] =
    "INSERT INTO eventmodel VALUES"
    " (1, 2, '2026-01-01 09:00:00.500000+00:00', 600,"
    "  '{\"app\": \"Editor\", \"title\": \"main.c\"}'),"
    " (2, 2, '2026-01-01 09:10:00.500000+00:00', 299.7,"
    "  '{\"app\": \"Editor\", \"title\": \"test.c\"}'),"
    " (3, 2, '2026-01-01 09:15:00+00:00', '900.0',"
    "  '{\"app\": \"Mail\", \"title\": \"Inbox\"}'),"
    " (4, 2, '2026-01-01 09:30:00+00:00', 60, 'not json'),"
    " (5, 2, 'broken', 60, '{\"app\": \"x\"}'),"
    " (6, 2, '2026-01-01 09:40:00+00:00', -5, '{\"app\": \"x\"}'),"
    " (7, 2, '2025-12-31 23:50:00+00:00', 1200, '{\"app\": \"Night\"}'),"
    " (8, 2, '2026-01-02 00:00:00+00:00', 1200, '{\"app\": \"Tomorrow\"}'),"
    " (9, 1, '2026-01-01 09:00:00+00:00', 6000, '{\"status\": \"afk\"}');";

static void
make(const char *const *parts) {
    sqlite3 *file = NULL;
    unlink(t_scratch_path(path_name));
    T_INT(sqlite3_open(t_scratch_path(path_name), &file), SQLITE_OK);
    for (; *parts; parts++) {
        T_INT(sqlite3_exec(file, *parts, NULL, NULL, NULL), SQLITE_OK);
    }
    sqlite3_close(file);
}

static const char *
gather_db(enum sq_granularity granularity) {
    struct sq_activity_source source = { .path = t_scratch_path(path_name),
                                         .zone = zone,
                                         .granularity = granularity };
    return t_gather(&sq_activity_watch_db, &source, &day);
}

T_CASE(set_up) {
    t_scratch_start();
    t_use_workers_if_asked();
    T_OK(sq_zone_create("UTC", &zone, &t_err));
}

T_CASE(windows_are_read_from_the_database) {
    make((const char *[]){ schema, buckets, events, NULL });
    T_STR(gather_db(SQ_BY_APP),
          "23:50:00-00:10:00 Night; 09:00:00-09:15:00 Editor; "
          "09:15:00-09:30:00 Mail; 09:30:00-09:31:00 ");
    T_STR(gather_db(SQ_ONLY_TITLE),
          "23:50:00-00:10:00 ; 09:00:00-09:10:00 main.c; "
          "09:10:00-09:15:00 test.c; 09:15:00-09:30:00 Inbox; "
          "09:30:00-09:31:00 ");
}

/*
 * Events at the limits of the window, of an offset, and with unusual lengths.
 */
T_CASE(edges_of_time_and_duration_are_exact) {
    make((const char *[]){
        schema, buckets,
        "INSERT INTO eventmodel VALUES"
        " (1, 2, '2025-12-31 23:50:00+00:00', 600, '{\"app\": \"Before\"}'),"
        " (2, 2, '2025-12-31 23:59:59+00:00', 2, '{\"app\": \"Into\"}'),"
        " (3, 2, '2026-01-01 12:00:00+02:00', 60, '{\"app\": \"East\"}'),"
        " (4, 2, '2026-01-01 13:00:00.600+00:00', 0.5, '{\"app\": \"Half\"}'),"
        " (5, 2, '2026-01-01 14:00:00+00:00', 2678401, '{\"app\": \"Long\"}'),"
        " (6, 2, '2026-01-02 00:00:00+00:00', 60, '{\"app\": \"After\"}');",
        NULL });
    T_STR(gather_db(SQ_BY_APP),
          "23:59:59-00:00:01 Into; 10:00:00-10:01:00 East; "
          "13:00:00-13:00:01 Half");
    make((const char *[]){
        schema, buckets,
        "INSERT INTO eventmodel VALUES"
        " (1, 2, '2025-12-31', 90000, '{\"app\": \"Midnight\"}'),"
        " (2, 2, '2026-01-01 14:00:00+00:00', 2678400,"
        "  '{\"app\": \"Month\"}');",
        NULL });
    T_STR(gather_db(SQ_BY_APP),
          "00:00:00-01:00:00 Midnight; 14:00:00-14:00:00 Month");
}

T_CASE(window_can_end_within_a_day) {
    const struct sq_window morning = { day.from_utc, day.from_utc + 43200 };
    make((const char *[]){
        schema, buckets,
        "INSERT INTO eventmodel VALUES"
        " (1, 2, '2026-01-01 11:59:59+00:00', 60, '{\"app\": \"Last\"}'),"
        " (2, 2, '2026-01-01 12:00:00+00:00', 60, '{\"app\": \"After\"}');",
        NULL });
    struct sq_activity_source source = { .path = t_scratch_path(path_name),
                                         .zone = zone };
    T_STR(t_gather(&sq_activity_watch_db, &source, &morning),
          "11:59:59-12:00:59 Last");
}

T_CASE(other_databases_name_the_missing_parts) {
    make((const char *[]){ "CREATE TABLE x (y);", NULL });
    T_HAS(gather_db(SQ_BY_APP), "format: the database lacks");
    make((const char *[]){ schema, NULL });
    T_HAS(gather_db(SQ_BY_APP), "not_found: ActivityWatch has recorded");
    struct sq_activity_source source = { .zone = zone };
    T_HAS(t_gather(&sq_activity_watch_db, &source, &day), "not_found");
}

static const char *
gather_http(struct t_watch_stub *stub, enum sq_granularity granularity) {
    static char url[64];
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", stub->port);
    struct sq_activity_source source = { .url = url,
                                         .zone = zone,
                                         .granularity = granularity };
    return t_gather(&sq_activity_watch_http, &source, &day);
}

static const char served[] = "09:00:00-09:15:00 Editor; 09:15:00-09:30:00 Mail";

T_CASE(windows_are_read_from_the_server) {
    for (int how = 0; how < T_WATCH_HOWS; how++) {
        struct t_watch_stub stub;
        t_watch_stub_start(&stub, (enum t_watch_how)how);
        T_STR(gather_http(&stub, SQ_BY_APP), served);
        t_watch_stub_stop(&stub);
    }
}

/* Events that do not fit into one answer arrive in pages, newest first. */
T_CASE(long_histories_come_in_pages) {
    struct t_watch_stub stub;
    t_watch_stub_start(&stub, T_WATCH_LENGTH);
    stub.many = 12000;
    static char url[64];
    snprintf(url, sizeof(url), "http://localhost:%d/", stub.port);
    struct sq_activity_source source = { .url = url, .zone = zone };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_segments segments;
    sq_segments_init(&segments);
    T_OK(sq_activity_gather(&sq_activity_watch_http, &source, &day, &deadline,
                            &segments, &t_err));
    /* Two applications alternate, so that no two segments merge. */
    T_INT(segments.count, 12000);
    T_INT(segments.items[0].start_utc, day.from_utc);
    T(stub.requests >= 4);
    sq_segments_finish(&segments);
    t_watch_stub_stop(&stub);
}

T_CASE(server_errors_are_reported) {
    static const struct {
        enum t_watch_trouble trouble;
        const char *told;
    } rows[] = {
        { T_WATCH_NO_BUCKET, "not_found: ActivityWatch has recorded no" },
        { T_WATCH_STATUS_500, "io: http://127.0.0.1" },
        { T_WATCH_NOT_HTTP, "format: the server's response is not HTTP" },
        { T_WATCH_NOT_JSON, "ActivityWatch's response" },
        { T_WATCH_CUT, "truncated: " },
        { T_WATCH_ENDLESS, "limit: " },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct t_watch_stub stub;
        t_watch_stub_start(&stub, T_WATCH_LENGTH);
        stub.trouble = rows[i].trouble;
        const char *text = gather_http(&stub, SQ_BY_APP);
        if (!T_HAS(text, rows[i].told)) {
            T_STR(text, rows[i].told);
        }
        t_watch_stub_stop(&stub);
    }
}

T_CASE(silent_server_ends_with_the_deadline) {
    struct t_watch_stub stub;
    t_watch_stub_start(&stub, T_WATCH_LENGTH);
    stub.trouble = T_WATCH_SILENT;
    static char url[64];
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", stub.port);
    struct sq_activity_source source = { .url = url, .zone = zone };
    struct sq_deadline deadline = sq_deadline_in(50, NULL);
    struct sq_activity_health health;
    sq_activity_check(&sq_activity_watch_http, &source, &deadline, &health);
    T(!health.available);
    T_HAS(health.problem, "timed out");
    t_watch_stub_stop(&stub);
}

T_CASE(missing_server_and_remote_hosts) {
    struct t_watch_stub stub;
    t_watch_stub_start(&stub, T_WATCH_LENGTH);
    t_watch_stub_stop(&stub);
    T_HAS(gather_http(&stub, SQ_BY_APP), "not_found");
    struct sq_activity_source source = { .url = "http://example.org:5600",
                                         .zone = zone };
    T_HAS(t_gather(&sq_activity_watch_http, &source, &day),
          "is not on this machine");
    source.url = NULL;
    T_HAS(t_gather(&sq_activity_watch_http, &source, &day), "not_found");
}

struct building {
    const struct sq_activity_ops *ops;
    struct sq_activity_source source;
};

static bool
build(void *context, struct sq_err *err) {
    struct building *building = context;
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    sq_segments_init(&segments);
    return sq_activity_gather(building->ops, &building->source, &day, &deadline,
                              &segments, err);
}

T_CASE(every_allocation_can_fail) {
    make((const char *[]){ schema, buckets, events, NULL });
    struct building building = { &sq_activity_watch_db,
                                 { .path = t_scratch_path(path_name),
                                   .zone = zone } };
    T(t_alloc_torture(build, &building) > 5);
    struct t_watch_stub stub;
    static char url[64];
    t_watch_stub_start(&stub, T_WATCH_CLOSE);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", stub.port);
    building = (struct building){ &sq_activity_watch_http,
                                  { .url = url, .zone = zone } };
    T(t_alloc_torture(build, &building) > 5);
    t_watch_stub_stop(&stub);
}

T_CASE(tear_down) {
    sq_zone_destroy(zone);
    sq_foreign_stop();
    t_scratch_end();
}
