/* Databases that are damaged, locked, or made to take long. */
#include "archive/activity/database.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/activity/activity.h"
#include "archive/cause.h"
#include "support/scratch.h"
#include "support/segments_text.h"
#include "support/test.h"
#include "sys/foreign.h"

#define NAME "ManicTimeReports.db"

/*
 * One step of SQLite that takes minutes, during which no handler is called:
 * every letter of a long text is compared with all of a long pattern.
 */
#define ENDLESS                                                                \
    "(replace(hex(zeroblob(500000)), '0', 'a') LIKE"                           \
    " '%' || replace(hex(zeroblob(24000)), '0', 'a') || 'b')"

/* The same inside an SQL string. */
#define ENDLESS_QUOTED                                                         \
    "(replace(hex(zeroblob(500000)), ''0'', ''a'') LIKE"                       \
    " ''%'' || replace(hex(zeroblob(24000)), ''0'', ''a'') || ''b'')"

/* A table whose columns were swapped after its row was stored. */
#define COMPUTED(columns)                                                      \
    "CREATE TABLE Ar_Activity (a, b, c);"                                      \
    "INSERT INTO Ar_Activity VALUES (7, '2026-01-15', '2026-01-16');"          \
    "PRAGMA writable_schema = ON;"                                             \
    "UPDATE sqlite_master SET sql = 'CREATE TABLE Ar_Activity (" columns       \
    ")' WHERE name = 'Ar_Activity';"

static const char timeline[] =
    "CREATE TABLE Ar_Timeline (ReportId INTEGER, SchemaName TEXT);"
    "INSERT INTO Ar_Timeline VALUES (7, 'ManicTime/Applications');";
static const char activity[] =
    "CREATE TABLE Ar_Activity (ReportId INTEGER, StartUtcTime TEXT,"
    " EndUtcTime TEXT, Name TEXT);"
    "INSERT INTO Ar_Activity VALUES (7, '2026-01-15 09:00:00',"
    " '2026-01-15 10:00:00', 'Mail');";

static void
make(const char *first, const char *second) {
    sqlite3 *file = NULL;
    unlink(t_scratch_path(NAME));
    T_INT(sqlite3_open(t_scratch_path(NAME), &file), SQLITE_OK);
    T_INT(sqlite3_exec(file, first, NULL, NULL, NULL), SQLITE_OK);
    T_INT(sqlite3_exec(file, second, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
}

/* Reads one day; returns the error if that fails. */
static enum sq_cause
gather_within(int locks_ms, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_deadline locks = sq_deadline_in(locks_ms, NULL);
    const struct sq_activity_source source = { .path = t_scratch_path(NAME),
                                               .lock_deadline = &locks };
    const struct sq_window day = { 1768435200, 1768521600 };
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    sq_segments_init(&segments);
    bool ok = sq_activity_gather(&sq_activity_manictime, &source, &day,
                                 &deadline, &segments, err);
    T(!ok || segments.count == 1);
    T(ok || err->cause != SQ_CAUSE_NONE);
    return (enum sq_cause)err->cause;
}

static enum sq_cause
gather(void) {
    enum sq_cause cause = gather_within(T_PATIENCE_MS, &t_err);
    T(cause == SQ_CAUSE_NONE || (t_err.message[0] && t_err.hint[0]));
    return cause;
}

T_CASE(set_up) {
    t_scratch_start();
    t_use_workers_if_asked();
}

T_CASE(plain_database_is_read) {
    make(timeline, activity);
    T_INT(gather(), SQ_CAUSE_NONE);
}

/* Each would take hours in a single step. */
T_CASE(code_in_the_schema_does_not_run) {
    static const char *const hostile[] = {
        "CREATE VIEW Ar_Activity AS SELECT 7 AS ReportId, '2026' AS "
        "StartUtcTime, '2027' AS EndUtcTime, " ENDLESS " AS Name;",
        COMPUTED("ReportId INTEGER, StartUtcTime TEXT, EndUtcTime TEXT,"
                 " Name AS (" ENDLESS_QUOTED ")"),
        COMPUTED("ReportId INTEGER, StartUtcTime TEXT,"
                 " EndUtcTime AS (" ENDLESS_QUOTED ")"),
        COMPUTED("ReportId AS (7 + " ENDLESS_QUOTED "), StartUtcTime TEXT,"
                 " EndUtcTime TEXT"),
    };
    for (size_t i = 0; i < SQ_COUNT(hostile); i++) {
        make(timeline, hostile[i]);
        T_INT(gather(), SQ_CAUSE_TABLES_COMPUTED);
    }
    make("CREATE VIEW Ar_Timeline AS SELECT 7 AS ReportId,"
         " 'ManicTime/Applications' AS SchemaName WHERE " ENDLESS ";",
         activity);
    T_INT(gather(), SQ_CAUSE_TABLES_COMPUTED);
}

T_CASE(view_declared_as_table_does_not_run) {
    static const char *const pages[] = { "0", "2" };
    for (int i = 0; i < 2; i++) {
        char sql[900] =
            "CREATE VIEW Ar_Activity AS SELECT 7 AS ReportId, '2026' AS "
            "StartUtcTime, '2027' AS EndUtcTime, " ENDLESS " AS Name;"
            "PRAGMA writable_schema = ON;"
            "UPDATE sqlite_master SET type = 'table'"
            " WHERE name = 'Ar_Activity';"
            "UPDATE sqlite_master SET rootpage = ";
        snprintf(sql + strlen(sql), 64, "%s WHERE name = 'Ar_Activity';",
                 pages[i]);
        make(timeline, sql);
        T(gather() != SQ_CAUSE_NONE);
    }
}

T_CASE(virtual_tables_are_not_opened) {
    make(timeline, "CREATE VIRTUAL TABLE Ar_Activity USING"
                   " fts4(ReportId, StartUtcTime, EndUtcTime, Name);");
    T(gather() != SQ_CAUSE_NONE);
}

/* Tables and columns that are not read may have any content. */
T_CASE(other_tables_and_columns_do_not_matter) {
    static const char odd[] = "CREATE VIEW v AS SELECT " ENDLESS ";" COMPUTED(
        "ReportId INTEGER, StartUtcTime TEXT, EndUtcTime TEXT,"
        " Extra AS (" ENDLESS_QUOTED ")");
    make(timeline, odd);
    T_INT(gather(), SQ_CAUSE_NONE);
}

/* Only our own statements are allowed. */
T_CASE(other_statements_are_refused) {
    static const char *const bad[] = {
        "SELECT random()",
        "SELECT load_extension('x')",
        "SELECT 1 WHERE 'a' LIKE 'a'",
        "ATTACH 'other.db' AS o",
        "PRAGMA journal_mode",
        "CREATE TEMP TABLE t (a)",
        "DELETE FROM Ar_Activity",
        "SELECT * FROM Other",
        ("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n FROM c)"
         " SELECT count(*) FROM c"),
    };
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_database *database = NULL;
    make(activity, "CREATE TABLE Other (a);");
    const struct sq_activity_source source = { .path = t_scratch_path(NAME) };
    T_OK(sq_database_open(&source, &deadline, &database, &t_err));
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T(!sq_query_start(database, bad[i], NULL, &t_err));
    }
    sq_database_close(database);
}

T_CASE(each_kind_of_damage_is_reported) {
    struct stat st;
    make(timeline, activity);
    T_INT(stat(t_scratch_path(NAME), &st), 0);
    T_INT(truncate(t_scratch_path(NAME), st.st_size - 4096), 0);
    T_INT(gather(), SQ_CAUSE_DATABASE_TRUNCATED);
    T_INT(truncate(t_scratch_path(NAME), 60), 0);
    T_INT(gather(), SQ_CAUSE_DATABASE_TRUNCATED);
    T_INT(truncate(t_scratch_path(NAME), 0), 0);
    T_INT(gather(), SQ_CAUSE_DATABASE_EMPTY);
    t_put(t_scratch_path(NAME), "start,end,label\n", 16);
    T_INT(gather(), SQ_CAUSE_DATABASE_FOREIGN);
    make("CREATE TABLE a (b);", timeline);
    T_INT(gather(), SQ_CAUSE_TABLES_MISSING);
    make("CREATE TABLE Ar_Timeline (ReportId INTEGER, SchemaName TEXT);",
         activity);
    T_INT(gather(), SQ_CAUSE_NOTHING_RECORDED);
    make(timeline, activity);
    FILE *file = fopen(t_scratch_path(NAME), "r+b");
    if (T(file != NULL)) {
        for (int i = 0; i < 3900; i++) {
            T(fseek(file, 100 + i, SEEK_SET) == 0 && fputc(0xee, file) == 0xee);
        }
        fclose(file);
    }
    T_INT(gather(), SQ_CAUSE_DATABASE_DAMAGED);
    unlink(t_scratch_path(NAME));
    T_INT(gather(), SQ_CAUSE_ACTIVITY_MISSING);
    T_INT(mkdir(t_scratch_path(NAME), 0700), 0);
    T_INT(gather(), SQ_CAUSE_ACTIVITY_UNREADABLE);
    T_INT(rmdir(t_scratch_path(NAME)), 0);
}

/* Opening a pipe in place of a journal file would block. */
T_CASE(pipe_in_place_of_a_journal_is_not_opened) {
    static const char *const endings[] = { "-journal", "-wal", "-shm" };
    for (size_t i = 0; i < SQ_COUNT(endings); i++) {
        char name[64];
        snprintf(name, sizeof(name), NAME "%s", endings[i]);
        make(timeline, activity);
        T_INT(mkfifo(t_scratch_path(name), 0600), 0);
        T_INT(gather(), SQ_CAUSE_ACTIVITY_UNREADABLE);
        T_INT(unlink(t_scratch_path(name)), 0);
    }
}

/* Waiting for a lock has its own limit, well before the deadline. */
T_CASE(waiting_for_a_lock_ends) {
    sqlite3 *writer = NULL;
    make(timeline, activity);
    T_INT(sqlite3_open(t_scratch_path(NAME), &writer), SQLITE_OK);
    T_INT(sqlite3_exec(writer, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    T_INT(gather_within(20, &t_err), SQ_CAUSE_DATABASE_LOCKED);
    T_INT(t_err.code, SQ_ERR_TIMEOUT);
    T_HAS(t_err.message, "locked");
    t_err = (struct sq_err){ 0 };
    T_INT(gather_within(0, &t_err), SQ_CAUSE_DATABASE_LOCKED);
    sqlite3_close(writer);
    t_err = (struct sq_err){ 0 };
    T_INT(gather_within(0, &t_err), SQ_CAUSE_NONE);
}

/* A reader that is kept must not hold on to the folder that it knew. */
T_CASE(folder_may_be_replaced) {
    char folder[SQ_PATH_SIZE];
    snprintf(folder, sizeof(folder), "%s", t_scratch());
    char moved[SQ_PATH_SIZE + 8];
    snprintf(moved, sizeof(moved), "%s-moved", folder);
    make(timeline, activity);
    T_INT(gather(), SQ_CAUSE_NONE);
    T_INT(rename(folder, moved), 0);
    T_INT(mkdir(folder, 0700), 0);
    make(timeline, activity);
    T_INT(gather(), SQ_CAUSE_NONE);
    unlink(t_scratch_path(NAME));
    T_INT(rmdir(folder), 0);
    T_INT(rename(moved, folder), 0);
    T_INT(gather(), SQ_CAUSE_NONE);
}

/* Each is one failed reading, and the next one works. */
T_CASE(bad_readers_are_reported) {
#if defined(__linux__)
    static const struct {
        const char *name;
        enum sq_cause cause;
    } bad[] = {
        { "crash.db", SQ_CAUSE_DATABASE_DAMAGED },
        { "short.db", SQ_CAUSE_DATABASE_DAMAGED },
        { "nonsense.db", SQ_CAUSE_DATABASE_DAMAGED },
        { "cause.db", SQ_CAUSE_DATABASE_DAMAGED },
        { "hang.db", SQ_CAUSE_DATABASE_SLOW },
    };
    const struct sq_window day = { 1768435200, 1768521600 };
    sq_foreign_stop();
    T_OK(sq_foreign_start(t_made_path("bad-decoder"), T_PATIENCE_MS, &t_err));
    make(timeline, activity);
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        const char *path = t_scratch_path(bad[i].name);
        T_INT(rename(t_scratch_path(NAME), path), 0);
        bool hangs = bad[i].cause == SQ_CAUSE_DATABASE_SLOW;
        const struct sq_deadline deadline =
            sq_deadline_in(hangs ? 300 : T_PATIENCE_MS, NULL);
        const struct sq_activity_source source = { .path = path };
        T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
        sq_segments_init(&segments);
        t_err = (struct sq_err){ 0 };
        T(!sq_activity_gather(&sq_activity_manictime, &source, &day, &deadline,
                              &segments, &t_err));
        T_INT(t_err.cause, bad[i].cause);
        T(t_err.message[0] && t_err.hint[0]);
        T_INT(rename(path, t_scratch_path(NAME)), 0);
    }
    sq_foreign_stop();
    t_err = (struct sq_err){ 0 };
    T_INT(gather(), SQ_CAUSE_NONE);
#else
    t_skip("workers need Linux");
#endif
}

T_CASE(tear_down) {
    sq_foreign_stop();
    t_scratch_end();
}
