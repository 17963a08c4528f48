/*
 * Reads the timelines of ManicTime from ManicTimeReports.db. Only Ar_Timeline
 * and Ar_Activity are required. Their columns and the tables with group names
 * differ between versions, so their presence is checked first.
 */
#include <stdio.h>

#include "archive/activity/database.h"

#define SQL_BYTES 2048

enum column {
    ACTIVITY_REPORT,
    ACTIVITY_START_UTC,
    ACTIVITY_END_UTC,
    ACTIVITY_START_LOCAL,
    ACTIVITY_END_LOCAL,
    ACTIVITY_NAME,
    ACTIVITY_GROUP,
    ACTIVITY_COMMON,
    TIMELINE_REPORT,
    TIMELINE_SCHEMA,
    TIMELINE_BASE,
    COMMON_ID,
    COMMON_GROUP_ID,
    COMMON_NAME,
    GROUP_ID,
    GROUP_REPORT,
    GROUP_NAME,
    COLUMNS,
};

static const struct {
    const char *table;
    const char *column;
} columns[COLUMNS] = {
    [ACTIVITY_REPORT] = { "Ar_Activity", "ReportId" },
    [ACTIVITY_START_UTC] = { "Ar_Activity", "StartUtcTime" },
    [ACTIVITY_END_UTC] = { "Ar_Activity", "EndUtcTime" },
    [ACTIVITY_START_LOCAL] = { "Ar_Activity", "StartLocalTime" },
    [ACTIVITY_END_LOCAL] = { "Ar_Activity", "EndLocalTime" },
    [ACTIVITY_NAME] = { "Ar_Activity", "Name" },
    [ACTIVITY_GROUP] = { "Ar_Activity", "GroupId" },
    [ACTIVITY_COMMON] = { "Ar_Activity", "CommonGroupId" },
    [TIMELINE_REPORT] = { "Ar_Timeline", "ReportId" },
    [TIMELINE_SCHEMA] = { "Ar_Timeline", "SchemaName" },
    [TIMELINE_BASE] = { "Ar_Timeline", "BaseSchemaName" },
    [COMMON_ID] = { "Ar_CommonGroup", "CommonId" },
    [COMMON_GROUP_ID] = { "Ar_CommonGroup", "CommonGroupId" },
    [COMMON_NAME] = { "Ar_CommonGroup", "Name" },
    [GROUP_ID] = { "Ar_Group", "GroupId" },
    [GROUP_REPORT] = { "Ar_Group", "ReportId" },
    [GROUP_NAME] = { "Ar_Group", "Name" },
};

struct manictime {
    const struct sq_activity_source *source;
    struct sq_database *database;
    bool has[COLUMNS];
};

static bool
find_columns(struct manictime *manictime, struct sq_err *err) {
    const bool *has = manictime->has;
    for (int i = 0; i < COLUMNS; i++) {
        if (!sq_database_has(manictime->database, columns[i].table,
                             columns[i].column, &manictime->has[i], err)) {
            return false;
        }
    }
    bool has_times = (has[ACTIVITY_START_UTC] && has[ACTIVITY_END_UTC])
                  || (has[ACTIVITY_START_LOCAL] && has[ACTIVITY_END_LOCAL]);
    if (!has[ACTIVITY_REPORT] || !has[TIMELINE_REPORT] || !has[TIMELINE_SCHEMA]
        || !has_times) {
        sq_fail(
            err, SQ_ERR_FORMAT,
            "the database lacks ManicTime's table Ar_Activity or Ar_Timeline");
        sq_fail_hint(
            err,
            "Name the file ManicTimeReports.db of ManicTime's data folder.");
        return sq_fail_cause(err, SQ_CAUSE_TABLES_MISSING);
    }
    return true;
}

/* The columns of Ar_Activity in the order of enum column. */
static const char *const activity_columns[] = {
    "a.ReportId",     "a.StartUtcTime", "a.EndUtcTime", "a.StartLocalTime",
    "a.EndLocalTime", "a.Name",         "a.GroupId",    "a.CommonGroupId",
};

/* Returns the column of Ar_Activity, or "NULL" if it does not exist. */
static const char *
column_or_null(const struct manictime *manictime, enum column column) {
    return manictime->has[column] ? activity_columns[column] : "NULL";
}

/* Returns the SQL condition for a timeline of applications. */
static const char *
applications_condition(const struct manictime *manictime) {
    return manictime->has[TIMELINE_BASE]
             ? "(lower(t.SchemaName) = 'manictime/applications'"
               " OR lower(t.BaseSchemaName) = 'manictime/applications')"
             : "lower(t.SchemaName) = 'manictime/applications'";
}

static bool
find_timeline(struct manictime *manictime, struct sq_err *err) {
    char sql[SQL_BYTES];
    bool has_row = false;
    snprintf(sql, sizeof(sql), "SELECT 1 FROM Ar_Timeline t WHERE %s LIMIT 1",
             applications_condition(manictime));
    bool ok =
        sq_database_has_row(manictime->database, sql, NULL, &has_row, err);
    if (ok && !has_row) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "the ManicTime database has no timeline of applications");
        sq_fail_hint(err,
                     "Switch on the tracking of applications in ManicTime.");
        return sq_fail_cause(err, SQ_CAUSE_NOTHING_RECORDED);
    }
    return ok;
}

static bool
has_common(const struct manictime *manictime) {
    const bool *has = manictime->has;
    return has[ACTIVITY_COMMON] && has[COMMON_NAME]
        && (has[COMMON_ID] || has[COMMON_GROUP_ID]);
}

static bool
has_group(const struct manictime *manictime) {
    const bool *has = manictime->has;
    return has[ACTIVITY_GROUP] && has[GROUP_NAME] && has[GROUP_ID]
        && has[GROUP_REPORT];
}

/* Writes the SQL expression of an activity's name. */
static void
write_label(const struct manictime *manictime, char *out, size_t size) {
    enum sq_granularity granularity = manictime->source->granularity;
    const char *name = column_or_null(manictime, ACTIVITY_NAME);
    const char *common = has_common(manictime) ? "c.name" : "NULL";
    const char *group = has_group(manictime) ? "g.Name" : "NULL";
    if (granularity == SQ_ONLY_TITLE) {
        snprintf(out, size, "%s", name);
        return;
    }
    if (granularity == SQ_ONLY_APP) {
        snprintf(out, size, "coalesce(%s, %s)", common, group);
        return;
    }
    snprintf(out, size,
             "coalesce(%s, %s, 'group ' || %s, 'group ' || %s, %s, '')", common,
             group, column_or_null(manictime, ACTIVITY_COMMON),
             column_or_null(manictime, ACTIVITY_GROUP), name);
}

static void
write_sql(const struct manictime *manictime, char out[SQL_BYTES]) {
    char joins[512];
    char label[512];
    const char *start_utc = column_or_null(manictime, ACTIVITY_START_UTC);
    const char *end_utc = column_or_null(manictime, ACTIVITY_END_UTC);
    const char *start_local = column_or_null(manictime, ACTIVITY_START_LOCAL);
    const char *end_local = column_or_null(manictime, ACTIVITY_END_LOCAL);
    /* Writes the joins with the tables of group names that exist. */
    size_t size = sizeof(joins);
    char common[256] = "";
    if (has_common(manictime)) {
        snprintf(common, sizeof(common),
                 " LEFT JOIN (SELECT %s id, max(Name) name"
                 " FROM Ar_CommonGroup GROUP BY 1) c ON c.id = a.CommonGroupId",
                 manictime->has[COMMON_ID] ? "CommonId" : "CommonGroupId");
    }
    snprintf(joins, size, "%s%s", common,
             has_group(manictime)
                 ? " LEFT JOIN Ar_Group g ON g.GroupId = a.GroupId"
                   " AND g.ReportId = a.ReportId"
                 : "");
    write_label(manictime, label, sizeof(label));
    /* Times that are not texts of digits cannot be compared. */
    snprintf(out, SQL_BYTES,
             "SELECT %s, %s, %s, %s, %s, coalesce(%s, %s, '') AS begins,"
             " coalesce(%s, %s, '') AS ends FROM Ar_Activity a%s"
             " WHERE a.ReportId IN (SELECT t.ReportId FROM Ar_Timeline t"
             " WHERE %s)"
             " AND (begins < ?1 OR begins >= ':')"
             " AND (ends > ?2 OR ends < '0')",
             start_utc, end_utc, start_local, end_local, label, start_utc,
             start_local, end_utc, end_local, joins,
             applications_condition(manictime));
}

/* Reads the time of a row: UTC if valid, else its local time. */
static struct sq_moment
read_time(const struct sq_database *database, int utc_column, int local_column,
          const struct sq_zone *zone) {
    struct sq_moment out;
    if (!sq_moment_read(sq_query_text(database, utc_column), NULL, &out)) {
        sq_moment_read(sq_query_text(database, local_column), zone, &out);
    }
    return out;
}

static bool
add_rows(const struct manictime *manictime, const struct sq_window *window,
         struct sq_segments *out, struct sq_err *err) {
    const struct sq_zone *zone = manictime->source->zone;
    struct sq_database *database = manictime->database;
    char sql[SQL_BYTES];
    struct sq_day_texts days;
    bool has_row = true;
    /* Whole days around the window, so that offsets and "T" do not matter. */
    sq_day_texts_write(window, 2, &days);
    write_sql(manictime, sql);
    bool ok = sq_query_start(database, sql,
                             (const char *[]){ days.last, days.first }, err);
    while (ok && has_row) {
        ok = sq_query_next(database, &has_row, err)
          && (!has_row
              || sq_segments_add_between(out, window,
                                         read_time(database, 0, 2, zone),
                                         read_time(database, 1, 3, zone),
                                         sq_query_text(database, 4), err));
    }
    return ok;
}

static bool
manictime_read(const struct sq_activity_source *source,
               const struct sq_window *window,
               const struct sq_deadline *deadline, struct sq_segments *out,
               struct sq_err *err) {
    struct manictime manictime = { .source = source };
    if (!source->path) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "no ManicTime database is configured");
    }
    bool ok = sq_database_open(source, deadline, &manictime.database, err)
           && find_columns(&manictime, err) && find_timeline(&manictime, err)
           && (!window || add_rows(&manictime, window, out, err));
    sq_database_close(manictime.database);
    return ok;
}

const struct sq_activity_ops sq_activity_manictime = {
    .id = "manictime",
    .title = "ManicTime",
    .is_file = true,
    .read = manictime_read,
};
