#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/activity/activity.h"
#include "archive/activity/database.h"
#include "support/scratch.h"
#include "support/segments_text.h"
#include "support/test.h"
#include "sys/foreign.h"

/* 2026-01-01, in UTC. */
static const struct sq_window day = { 1767225600, 1767312000 };
static struct sq_zone *zone;

static const char timeline[] =
    "CREATE TABLE Ar_Timeline (ReportId INTEGER PRIMARY KEY, SchemaName TEXT,"
    " BaseSchemaName TEXT, Name TEXT, TimelineKey TEXT);"
    "INSERT INTO Ar_Timeline VALUES"
    " (3, 'ManicTime/ComputerUsage', NULL, 'Computer', 'a'),"
    " (7, 'manictime/APPLICATIONS', NULL, 'Applications', 'b'),"
    " (9, 'ManicTime/Documents', NULL, 'Documents', 'c');";

static const char activity[] =
    "CREATE TABLE Ar_Activity (ActivityId INTEGER, ReportId INTEGER,"
    " StartLocalTime TEXT, EndLocalTime TEXT, Name TEXT, GroupId INTEGER,"
    " Notes TEXT, IsActive INTEGER, CommonGroupId INTEGER, StartUtcTime TEXT,"
    " EndUtcTime TEXT, Other TEXT, PRIMARY KEY (ReportId, ActivityId));"
    "INSERT INTO Ar_Activity VALUES"
    " (1, 7, '2026-01-01 10:00:00', '2026-01-01 10:05:00', 'main.c', 1, NULL,"
    "  1, 11, '2026-01-01 09:00:00', '2026-01-01 09:05:00', NULL),"
    " (2, 7, '2026-01-01 10:05:00', '2026-01-01 10:20:00', 'test.c', 1, NULL,"
    "  1, 11, '2026-01-01 09:05:00', '2026-01-01 09:20:00', NULL),"
    " (3, 7, '2026-01-01 10:20:00', '2026-01-01 10:30:00', 'Inbox', 2, NULL,"
    "  1, 12, '2026-01-01 09:20:00', '2026-01-01 09:30:00', NULL),"
    " (4, 7, '2026-01-01 10:30:00', '2026-01-01 10:40:00', 'odd', NULL, NULL,"
    "  1, NULL, '2026-01-01 09:30:00', '2026-01-01 09:40:00', NULL),"
    " (5, 7, '2026-01-01 10:40:00', '2026-01-01 10:50:00', 'no utc', 3, NULL,"
    "  1, NULL, NULL, NULL, NULL),"
    " (6, 7, 'broken', 'broken', 'broken', 1, NULL, 1, 11, 'x', 'y', NULL),"
    " (7, 7, '2026-01-03 10:00:00', '2026-01-03 10:05:00', 'later', 1, NULL,"
    "  1, 11, '2026-01-03 09:00:00', '2026-01-03 09:05:00', NULL),"
    " (1, 3, '2026-01-01 10:00:00', '2026-01-01 18:00:00', 'Active', NULL,"
    "  NULL, 1, NULL, '2026-01-01 09:00:00', '2026-01-01 17:00:00', NULL);";

static const char common[] =
    "CREATE TABLE Ar_CommonGroup (CommonId INTEGER PRIMARY KEY, Name TEXT,"
    " Color TEXT, Key TEXT, UpperKey TEXT, GroupType TEXT,"
    " ReportGroupType TEXT);"
    "INSERT INTO Ar_CommonGroup VALUES (11, 'Editor', '', '', '', '', ''),"
    " (12, 'Mail', '', '', '', '', '');";

static const char common_other[] =
    "CREATE TABLE Ar_CommonGroup (CommonGroupId INTEGER PRIMARY KEY,"
    " Name TEXT);"
    "INSERT INTO Ar_CommonGroup VALUES (11, 'Editor'), (12, 'Mail');";

static const char group[] =
    "CREATE TABLE Ar_Group (GroupId INTEGER, ReportId INTEGER, Name TEXT,"
    " PRIMARY KEY (ReportId, GroupId));"
    "INSERT INTO Ar_Group VALUES (1, 7, 'group one'), (3, 7, 'group three'),"
    " (1, 9, 'of documents');";

static const char path_name[] = "ManicTimeReports.db";

/* Creates a database from several statements. */
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
gather(enum sq_granularity granularity) {
    struct sq_activity_source source = { .path = t_scratch_path(path_name),
                                         .zone = zone,
                                         .granularity = granularity };
    return t_gather(&sq_activity_manictime, &source, &day);
}

static const char by_app[] =
    "09:00:00-09:20:00 Editor; 09:20:00-09:30:00 Mail; 09:30:00-09:40:00 odd; "
    "09:40:00-09:50:00 group three";

T_CASE(set_up) {
    t_scratch_start();
    t_use_workers_if_asked();
    T_OK(sq_zone_create("CET-1CEST,M3.5.0,M10.5.0/3", &zone, &t_err));
}

T_CASE(applications_are_read_with_their_names) {
    make((const char *[]){ timeline, activity, common, group, NULL });
    T_STR(gather(SQ_BY_APP), by_app);
}

T_CASE(unknown_names_have_no_substitute) {
    make((const char *[]){
        timeline, activity, common, group,
        "UPDATE Ar_Activity SET Name = NULL WHERE ActivityId = 3;"
        "UPDATE Ar_Activity SET CommonGroupId = 99, GroupId = 98"
        " WHERE ActivityId = 2;",
        NULL });
    T_STR(gather(SQ_ONLY_APP), "09:00:00-09:05:00 Editor; 09:05:00-09:20:00 ; "
                               "09:20:00-09:30:00 Mail; 09:30:00-09:40:00 ; "
                               "09:40:00-09:50:00 group three");
    T_STR(gather(SQ_ONLY_TITLE),
          "09:00:00-09:05:00 main.c; 09:05:00-09:20:00 test.c; "
          "09:20:00-09:30:00 ; 09:30:00-09:40:00 odd; "
          "09:40:00-09:50:00 no utc");
}

T_CASE(other_schema_version_is_read) {
    make((const char *[]){ timeline, activity, common_other, group, NULL });
    T_STR(gather(SQ_BY_APP), by_app);
}

T_CASE(name_tables_may_be_missing) {
    make((const char *[]){ timeline, activity, NULL });
    T_STR(gather(SQ_BY_APP),
          "09:00:00-09:20:00 group 11; 09:20:00-09:30:00 group 12; "
          "09:30:00-09:40:00 odd; 09:40:00-09:50:00 group 3");
}

T_CASE(columns_may_be_missing) {
    static const char old_timeline[] =
        "CREATE TABLE Ar_Timeline (ReportId INTEGER, SchemaName TEXT);"
        "INSERT INTO Ar_Timeline VALUES (7, 'ManicTime/Applications');";
    static const char old_activity[] =
        "CREATE TABLE Ar_Activity (ReportId INTEGER, StartLocalTime TEXT,"
        " EndLocalTime TEXT, GroupId INTEGER);"
        "INSERT INTO Ar_Activity VALUES"
        " (7, '2026-01-01 10:00:00', '2026-01-01 10:05:00', 1),"
        " (7, '2026-01-01 10:05:00', '2026-01-01 10:15:00', 4);";
    make((const char *[]){ old_timeline, old_activity, group, NULL });
    /* Local times, UTC+1. */
    T_STR(gather(SQ_BY_APP),
          "09:00:00-09:05:00 group one; 09:05:00-09:15:00 group 4");
}

T_CASE(other_databases_are_refused) {
    make((const char *[]){ "CREATE TABLE x (y);", NULL });
    T_HAS(gather(SQ_BY_APP), "format: the database lacks");
    static const char *const ends[] = { "Utc", "Local" };
    for (int i = 0; i < 2; i++) { /* a time is useless without the other */
        char columns[160];
        snprintf(columns, sizeof(columns),
                 "CREATE TABLE Ar_Activity (ReportId INTEGER, Start%sTime TEXT,"
                 " End%sTime TEXT, GroupId INTEGER);",
                 ends[i], ends[1 - i]);
        make((const char *[]){ timeline, columns, NULL });
        T_HAS(gather(SQ_BY_APP), "format: the database lacks");
    }
    make((const char *[]){ timeline, activity,
                           "DELETE FROM Ar_Timeline WHERE ReportId = 7;",
                           NULL });
    T_HAS(gather(SQ_BY_APP), "not_found: the ManicTime database has no");
    unlink(t_scratch_path(path_name));
    T_HAS(gather(SQ_BY_APP), "not_found");
    T(access(t_scratch_path(path_name), F_OK) != 0);
    t_put(t_scratch_path(path_name), "not a database at all, but some text",
          36);
    T_HAS(gather(SQ_BY_APP), "format: ");
    t_put(t_scratch_path(path_name), "", 0);
    T_HAS(gather(SQ_BY_APP), "is empty");
    struct sq_activity_source source = { .path = t_scratch(), .zone = zone };
    T_HAS(t_gather(&sq_activity_manictime, &source, &day), "not a file");
    T_INT(mkfifo(t_scratch_path("pipe"), 0600), 0);
    source.path = t_scratch_path("pipe");
    T_HAS(t_gather(&sq_activity_manictime, &source, &day), "not a file");
}

T_CASE(damaged_files_are_errors) {
    static char bytes[65536];
    make((const char *[]){ timeline, activity, common, group, NULL });
    FILE *file = fopen(t_scratch_path(path_name), "rb");
    T(file);
    size_t len = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    /* A process is started for each. */
    const int rounds = sq_foreign_is_on() ? 60 : 300;
    for (int i = 0; i < rounds; i++) {
        char damaged[sizeof(bytes)];
        memcpy(damaged, bytes, len);
        for (int j = 0; j < 20; j++) {
            damaged[t_random_between(100, (int64_t)len - 1)] = (char)t_random();
        }
        size_t kept = i % 3 ? len : (size_t)t_random_between(1, (int64_t)len);
        unlink(t_scratch_path(path_name));
        t_put(t_scratch_path(path_name), damaged, kept);
        const char *text = gather(SQ_BY_APP);
        T(text != NULL);
    }
}

static bool
check(int timeout_ms, struct sq_cancel *cancel, struct sq_err *err) {
    struct sq_activity_source source = { .path = t_scratch_path(path_name),
                                         .zone = zone };
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, cancel);
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    return sq_activity_gather(&sq_activity_manictime, &source, &day, &deadline,
                              &segments, err);
}

static void *
unlock_soon(void *context) {
    usleep(50000);
    sqlite3_exec(context, "COMMIT", NULL, NULL, NULL);
    return NULL;
}

T_CASE(locked_database_is_awaited) {
    make((const char *[]){ timeline, activity, common, group, NULL });
    sqlite3 *writer = NULL;
    T_INT(sqlite3_open(t_scratch_path(path_name), &writer), SQLITE_OK);
    T_INT(sqlite3_exec(writer, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    T_FAILS(check(sq_foreign_is_on() ? 5000 : 60, NULL, &t_err),
            SQ_ERR_TIMEOUT);
    T_HAS(t_err.message, "locked");
    T(t_err.hint[0]);
    pthread_t thread;
    T_INT(pthread_create(&thread, NULL, unlock_soon, writer), 0);
    t_err = (struct sq_err){ 0 };
    T_OK(check(T_PATIENCE_MS, NULL, &t_err));
    pthread_join(thread, NULL);
    sqlite3_exec(writer, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    struct sq_cancel *cancel = NULL;
    T(sq_cancel_create(&cancel, &t_err));
    sq_cancel_set(cancel);
    T_FAILS(check(T_PATIENCE_MS, cancel, &t_err), SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
    sqlite3_close(writer);
}

/*
 * The tracker uses a write-ahead log while we read: we see committed changes.
 */
T_CASE(database_in_use_is_read_with_committed_changes) {
    sqlite3 *writer = NULL;
    make((const char *[]){ "PRAGMA journal_mode = WAL;", timeline, activity,
                           common, group, NULL });
    T_INT(sqlite3_open(t_scratch_path(path_name), &writer), SQLITE_OK);
    sqlite3_exec(writer, "DELETE FROM Ar_Activity WHERE ActivityId > 3", NULL,
                 NULL, NULL);
    sqlite3_exec(writer, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    sqlite3_exec(writer, "DELETE FROM Ar_Activity", NULL, NULL, NULL);
    T_STR(gather(SQ_BY_APP),
          "09:00:00-09:20:00 Editor; 09:20:00-09:30:00 Mail");
    sqlite3_exec(writer, "COMMIT", NULL, NULL, NULL);
    T_STR(gather(SQ_BY_APP), "");
    sqlite3_close(writer);
    T_STR(gather(SQ_BY_APP), "");
}

/* Reading a database that no process uses creates no files next to it. */
T_CASE(reading_creates_no_files_next_to_the_database) {
    static const char odd_name[] = "100%?#.db";
    make((const char *[]){ "PRAGMA journal_mode = WAL;", timeline, activity,
                           common, group, NULL });
    int before = t_count_entries(t_scratch());
    T_STR(gather(SQ_BY_APP), by_app);
    T_INT(t_count_entries(t_scratch()), before);
    T_INT(rename(t_scratch_path(path_name), t_scratch_path(odd_name)), 0);
    struct sq_activity_source source = { .path = t_scratch_path(odd_name),
                                         .zone = zone };
    T_STR(t_gather(&sq_activity_manictime, &source, &day), by_app);
    T_INT(t_count_entries(t_scratch()), before);
    T_INT(rename(t_scratch_path(odd_name), t_scratch_path(path_name)), 0);
}

/* If another process starts to write, the data read may be inconsistent. */
T_CASE(database_written_during_the_read_is_busy) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_database *database = NULL;
    bool has_row = false;
    /* More rows than fit one part. */
    make((const char *[]){ "PRAGMA journal_mode = WAL;", timeline,
                           "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL"
                           " SELECT n + 1 FROM c LIMIT 3000) INSERT INTO"
                           " Ar_Timeline (SchemaName) SELECT hex(zeroblob(100))"
                           " FROM c;",
                           NULL });
    const struct sq_activity_source source = { .path =
                                                   t_scratch_path(path_name) };
    T_OK(sq_database_open(&source, &deadline, &database, &t_err)
         && sq_query_start(database, "SELECT * FROM Ar_Timeline", NULL, &t_err)
         && sq_query_next(database, &has_row, &t_err) && has_row);
    sqlite3 *writer = NULL;
    T_INT(sqlite3_open(t_scratch_path(path_name), &writer), SQLITE_OK);
    sqlite3_exec(writer, "DELETE FROM Ar_Timeline", NULL, NULL, NULL);
    struct sq_err err = { 0 };
    while (sq_query_next(database, &has_row, &err) && has_row) {
    }
    T_INT(err.code, SQ_ERR_TIMEOUT);
    sq_database_close(database);
    sqlite3_close(writer);
}

static bool
build(void *context, struct sq_err *err) {
    return check(T_PATIENCE_MS, NULL, err);
}

T_CASE(every_allocation_can_fail) {
    make((const char *[]){ timeline, activity, common, group, NULL });
    T(t_alloc_torture(build, NULL) > 2);
}

T_CASE(tear_down) {
    sq_zone_destroy(zone);
    sq_foreign_stop();
    t_scratch_end();
}
