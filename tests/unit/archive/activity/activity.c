#include "archive/activity/activity.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config.h"
#include "support/scratch.h"
#include "support/test.h"
#include "support/watch_stub.h"

static struct sq_zone *zone;
static struct t_watch_stub stub;
static char url[64];

static const char manictime[] =
    "CREATE TABLE Ar_Timeline (ReportId INTEGER, SchemaName TEXT);"
    "INSERT INTO Ar_Timeline VALUES (7, 'ManicTime/Applications');"
    "CREATE TABLE Ar_Activity (ReportId INTEGER, StartUtcTime TEXT,"
    " EndUtcTime TEXT, Name TEXT);";

static const char watch[] =
    "CREATE TABLE bucketmodel (key INTEGER, id TEXT, type TEXT);"
    "INSERT INTO bucketmodel VALUES (1, 'w', 'currentwindow');"
    "CREATE TABLE eventmodel (bucket_id INTEGER, timestamp TEXT,"
    " duration REAL, datastr TEXT);";

static void
make(const char *path, const char *sql) {
    sqlite3 *file = NULL;
    T_INT(sqlite3_open(path, &file), SQLITE_OK);
    T_INT(sqlite3_exec(file, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
}

/* The id of the chosen provider, or the error. */
static const char *
chosen(const struct sq_activity_settings *wish) {
    static struct sq_err none;
    static char place[SQ_PATH_SIZE];
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_activity_ops *ops = NULL;
    struct sq_activity_source source = { .zone = zone };
    none = (struct sq_err){ 0 };
    sq_activity_choose(wish, &deadline, &ops, &source, place, &none);
    T(ops || none.hint[0]);
    return ops ? ops->id : none.message;
}

T_CASE(set_up) {
    t_scratch_start();
    setenv("XDG_DATA_HOME", t_scratch(), 1);
    T_OK(sq_zone_create("UTC", &zone, &t_err));
    t_watch_stub_start(&stub, T_WATCH_LENGTH);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", stub.port);
}

T_CASE(named_file_is_recognised_by_content) {
    make(t_scratch_path("m.db"), manictime);
    make(t_scratch_path("w.db"), watch);
    t_put(t_scratch_path("t.csv"), "start,label\n", 12);
    t_put(t_scratch_path("x.txt"), "hello\n", 6);
    struct sq_activity_settings wish = { .url = url };
    wish.path = t_scratch_path("m.db");
    T_STR(chosen(&wish), "manictime");
    wish.path = t_scratch_path("w.db");
    T_STR(chosen(&wish), "activitywatch-db");
    wish.path = t_scratch_path("t.csv");
    T_STR(chosen(&wish), "csv");
    /* If the configured provider cannot be used, no other one is tried. */
    wish.path = t_scratch_path("x.txt");
    T_HAS(chosen(&wish), "activityPath");
    wish.path = t_scratch_path("missing");
    T_HAS(chosen(&wish), "activityPath");
}

T_CASE(auto_chooses_the_first_available) {
    struct sq_activity_settings wish = { 0 };
    T_STR(chosen(&wish), "no record of activities was found");
    wish.url = url;
    T_STR(chosen(&wish), "activitywatch-http");
    wish.manictime = t_scratch();
    T_STR(chosen(&wish), "activitywatch-http");
    make(t_scratch_path("ManicTimeReports.db"), manictime);
    T_STR(chosen(&wish), "manictime");
    wish.url = "http://127.0.0.1:1";
    wish.manictime = NULL;
    T_STR(chosen(&wish), "no record of activities was found");
}

T_CASE(configured_provider_is_never_replaced) {
    make(t_scratch_path("ManicTimeReports.db"), "");
    struct sq_activity_settings wish = { .url = url, .manictime = t_scratch() };
    wish.provider = SQ_ACTIVITY_WATCH;
    T_STR(chosen(&wish), "activitywatch-http");
    wish.provider = SQ_ACTIVITY_MANICTIME;
    T_STR(chosen(&wish), "manictime");
    wish.provider = SQ_ACTIVITY_VISUAL;
    T_STR(chosen(&wish), "visual");
    wish.provider = SQ_ACTIVITY_NONE;
    T_STR(chosen(&wish), "activities are switched off");
    wish.provider = SQ_ACTIVITY_CSV;
    T_STR(chosen(&wish), "no record of activities was found");
    /* A provider that does not work is still chosen; its error says why. */
    wish.path = t_scratch_path("missing.csv");
    T_STR(chosen(&wish), "csv");
}

T_CASE(health_has_the_problem_and_a_hint) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_activity_health health;
    struct sq_activity_source source = { .path = t_scratch_path("m.db"),
                                         .url = url,
                                         .zone = zone };
    sq_activity_check(&sq_activity_manictime, &source, &deadline, &health);
    T(health.available);
    T_STR(health.problem, "");
    sq_activity_check(&sq_activity_watch_http, &source, &deadline, &health);
    T(health.available);
    sq_activity_check(&sq_activity_watch_db, &source, &deadline, &health);
    T(!health.available);
    T(health.problem[0] && health.hint[0]);
    T(health.ops == &sq_activity_watch_db);
}

T_CASE(tear_down) {
    t_watch_stub_stop(&stub);
    sq_zone_destroy(zone);
    t_scratch_end();
}
