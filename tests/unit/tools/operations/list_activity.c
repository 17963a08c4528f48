/* Lists by activity, by visual changes, or by neither. */

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/utf8.h"

static char activity_path[600];

static void
start(const char *table) {
    past_start();
    past_add_root("a");
    if (table) {
        t_album_put_bytes("activities.csv", table, strlen(table));
        snprintf(activity_path, sizeof(activity_path), "%s",
                 t_scratch_path("activities.csv"));
        world.config.archive.activity = SQ_ACTIVITY_CSV;
        world.config.archive.activity_path = activity_path;
    }
    past_open();
}

/* A shot every minute from eight on; the picture changes every `same` shots. */
static void
put_hour(int same) {
    for (int i = 0; i < 60; i++) {
        char time[64];
        snprintf(time, sizeof(time), "2026-01-15_08-%02d-00", i);
        past_put(&(struct past_shot){ .folder = "a/2026-01-15",
                                      .time = time,
                                      .width = 128,
                                      .height = 80,
                                      .seq = i,
                                      .look = i / same });
    }
}

static const char three_stretches[] =
    "start,end,label\n"
    "2026-01-15T08:00:00+01:00,2026-01-15T08:20:00+01:00,Editor\n"
    "2026-01-15T08:20:00+01:00,2026-01-15T08:25:30+01:00,Browser\n"
    "2026-01-15T08:25:30+01:00,2026-01-15T09:00:00+01:00,Editor\n";

T_FIXTURE(NULL, past_end);

T_CASE(exit_activity_transition_with_fallback) {
    start(three_stretches);
    put_hour(60);
    T_OK(past_list(""));
    T_STR(past_text("sampling"), "activity_transition");
    T(!past_has("samplingNote"));
    T_INT(past_shots(), 3);
    T(!past_true("truncation.truncated"));
    T_INT(past_number("truncation.totalAvailable"), 60);
    T_STR(past_of_shot(0, "activity"), "Editor");
    T_STR(past_of_shot(1, "activity"), "Browser");
    T_STR(past_of_shot(2, "activity"), "Editor");
    /* Not the last frame of the previous application. */
    T_STR(past_of_shot(0, "displayLocalTime"), "2026-01-15 08:01:00");
    T_STR(past_of_shot(1, "displayLocalTime"), "2026-01-15 08:21:00");
    T_STR(past_of_shot(2, "displayLocalTime"), "2026-01-15 08:26:00");
    past_end();
    /* Without such a table: intervals, and the reason. */
    start("this,is,no table\n");
    put_hour(60);
    T_OK(past_list(""));
    T_STR(past_text("sampling"), "interval");
    T_HAS(past_text("samplingNote"), "activity_transition");
    T_INT(past_shots(), 20);
}

T_CASE(without_a_tracker_there_is_a_note) {
    start(NULL);
    put_hour(60);
    T_OK(past_list(",'samplingStrategy':'activity_transition'"));
    T_STR(past_text("sampling"), "interval");
    T_HAS(past_text("samplingNote"), "switched off");
    past_end();
    /* Another time than the recorded one. */
    start("start,end,label\n"
          "2026-01-10T08:00:00+01:00,2026-01-10T08:20:00+01:00,Editor\n");
    put_hour(60);
    T_OK(past_list(""));
    T_STR(past_text("sampling"), "interval");
    T(past_text("samplingNote")[0] != '\0');
    T_INT(past_shots(), 20);
}

T_CASE(activity_keeps_the_limit) {
    char table[8000] = "start,end,label\n";
    for (int i = 0; i < 30; i++) {
        size_t used = strlen(table);
        snprintf(table + used, sizeof(table) - used,
                 "2026-01-15T08:%02d:30+01:00,2026-01-15T08:%02d:30+01:00,"
                 "App %d\n",
                 2 * i, 2 * i + 1, i);
    }
    start(table);
    put_hour(60);
    T_OK(past_list(",'maxCount':5"));
    T_STR(past_text("sampling"), "activity_transition");
    T_INT(past_shots(), 5);
    T(past_true("truncation.truncated"));
    T(strcmp(past_of_shot(0, "displayLocalTime"), "2026-01-15 08:12:00") < 0);
    T(strcmp(past_of_shot(4, "displayLocalTime"), "2026-01-15 08:48:00") > 0);
}

/* Seven days with a long, a medium and a short activity, under the limit. */
T_CASE(week_under_the_limit_shows_all_days_and_activities) {
    static const char *const names[] = { "Editor", "Mail", "Chat" };
    static const int starts[] = { 0, 20, 26, 30 };
    static char table[60000] = "start,end,label\n";
    table[16] = '\0';
    int of_day[7] = { 0 };
    int of_name[3] = { 0 };
    for (int i = 0; i < 7 * 4 * 3; i++) {
        int day = 15 + i / 12;
        int hour = 9 + i / 3 % 4;
        size_t used = strlen(table);
        snprintf(table + used, sizeof(table) - used,
                 "2026-01-%dT%02d:%02d:00+01:00,2026-01-%dT%02d:%02d:00+01:00,"
                 "%s\n",
                 day, hour, starts[i % 3], day, hour, starts[i % 3 + 1],
                 names[i % 3]);
    }
    start(table);
    for (int i = 0; i < 7 * 4 * 30; i++) {
        int day = 15 + i / 120;
        const char *folder = t_text("a/2026-01-%d", day);
        const char *time =
            t_text("2026-01-%d_%02d-%02d-30", day, 9 + i / 30 % 4, i % 30);
        past_put(&(struct past_shot){ .folder = folder,
                                      .time = time,
                                      .width = 32,
                                      .height = 20,
                                      .parts = PAST_FULL_ONLY,
                                      .seq = i });
    }
    T_OK(past_run("list_screenshots",
                  "{'startDate':'2026-01-15','endDate':'2026-01-21'}"));
    T_INT(past_shots(), 20);
    for (size_t i = 0; i < past_shots(); i++) {
        of_day[(past_of_shot(i, "displayLocalTime")[9] - '5' + 10) % 10]++;
        for (int name = 0; name < 3; name++) {
            of_name[name] +=
                strcmp(past_of_shot(i, "activity"), names[name]) == 0;
        }
    }
    for (int day = 0; day < 7; day++) {
        T(of_day[day] == 2 || of_day[day] == 3);
    }
    /* 20, 6 and 4 minutes of 30. */
    T(of_name[0] >= 12 && of_name[0] <= 14);
    T(of_name[1] >= 3 && of_name[1] <= 5);
    T(of_name[2] >= 2 && of_name[2] <= 4);
    T_HAS(past_text("samplingNote"), "evenly over the days");
}

/* The tracker stopped on the second of seven days. */
T_CASE(days_without_records_are_listed_and_counted) {
    start("start,end,label\n"
          "2026-01-15T08:00:00+01:00,2026-01-15T12:00:00+01:00,Editor\n"
          "2026-01-16T08:00:00+01:00,2026-01-16T09:00:00+01:00,Mail\n");
    for (int i = 0; i < 7 * 8; i++) {
        int day = 15 + i / 8;
        const char *folder = t_text("a/2026-01-%d", day);
        const char *time = t_text("2026-01-%d_%02d-30-00", day, 8 + i % 4);
        past_put(&(struct past_shot){ .folder = folder,
                                      .time = time,
                                      .width = 32,
                                      .height = 20,
                                      .parts = PAST_FULL_ONLY,
                                      .seq = i });
    }
    static const char *const operations[] = { "list_screenshots",
                                              "contact_sheet" };
    for (size_t i = 0; i < 2; i++) {
        T_OK(past_run(operations[i],
                      "{'startDate':'2026-01-15','endDate':'2026-01-21'}"));
        T_STR(past_text("activityCoverage"),
              "5 of 7 days have no activity records");
        T(past_true("truncation.truncated"));
    }
    bool is_listed[7] = { false };
    T_OK(past_run("list_screenshots",
                  "{'startDate':'2026-01-15','endDate':'2026-01-21'}"));
    for (size_t i = 0; i < past_shots(); i++) {
        is_listed[(past_of_shot(i, "displayLocalTime")[9] - '5' + 10) % 10] =
            true;
    }
    for (int day = 0; day < 7; day++) {
        T(is_listed[day]);
    }
    /* On one day, the share of the screenshots. */
    T_OK(past_run("list_screenshots", "{'startDate':'2026-01-16'}"));
    T_STR(past_text("activityCoverage"),
          "75 % of the screenshots are from times without activity records");
    T_OK(past_run("list_screenshots", "{'startDate':'2026-01-15'}"));
    T(!past_has("activityCoverage"));
}

T_CASE(activity_lists_are_paged) {
    start(three_stretches);
    put_hour(60);
    T_OK(past_list(",'samplingStrategy':'activity_transition','cursor':'start',"
                   "'maxCount':2"));
    T_INT(past_shots(), 2);
    char more[200];
    snprintf(more, sizeof(more),
             ",'samplingStrategy':'activity_transition','cursor':'%s',"
             "'maxCount':2",
             past_text("nextCursor"));
    T_OK(past_list(more));
    T_INT(past_shots(), 1);
    T_STR(past_of_shot(0, "displayLocalTime"), "2026-01-15 08:26:00");
    T(!past_has("nextCursor"));
}

T_CASE(visual_finds_changes_in_the_pictures) {
    start(NULL);
    put_hour(20);
    T_OK(past_list(",'samplingStrategy':'visual'"));
    T_STR(past_text("sampling"), "visual");
    T_INT(past_shots(), 3);
    T_STR(past_of_shot(1, "displayLocalTime"), "2026-01-15 08:20:00");
    T_STR(past_of_shot(2, "displayLocalTime"), "2026-01-15 08:40:00");
    past_end();
    /* The same if the configuration says so. */
    start(NULL);
    world.config.archive.activity = SQ_ACTIVITY_VISUAL;
    past_open();
    put_hour(20);
    T_OK(past_list(""));
    T_STR(past_text("sampling"), "visual");
    T_INT(past_shots(), 3);
}

T_CASE(coverage_is_reported) {
    start(NULL);
    put_hour(20);
    T_OK(past_list(",'samplingStrategy':'coverage','maxCount':4"));
    T_STR(past_text("sampling"), "coverage");
    T(past_shots() >= 3 && past_shots() <= 4);
    T(past_number("coverage") > 0.9);
    T(past_number("coverage") <= 1);
}

T_CASE(pictures_without_permission_are_not_read) {
    past_start_at("a=metadata");
    put_hour(20);
    T_OK(past_list(",'samplingStrategy':'visual'"));
    T_STR(past_text("sampling"), "interval");
    T_INT(past_shots(), 20);
    T_OK(past_list(",'samplingStrategy':'coverage'"));
    T_STR(past_text("sampling"), "interval");
    T_INT(past_shots(), 20);
}

/* The summary is cheap however many apps there are, and long their names. */
T_CASE(summary_of_an_hour_is_short) {
    char table[4096] = "start,end,label\n";
    for (int i = 0; i < 30; i++) {
        size_t used = strlen(table);
        snprintf(table + used, sizeof(table) - used,
                 "2026-01-15T08:%02d:00+01:00,2026-01-15T08:%02d:00+01:00,"
                 "Application Quarterly Report %d\n",
                 i, i + 1, i);
    }
    start(table);
    put_hour(60);
    T_OK(past_list(",'summary':true"));
    T_INT(past_shots(), 0);
    T_STR(past_text("time.0"), "1m Application Quarterly\xe2\x80\xa6");
    T_STR(past_text("time.6"), "24m 24 others");
    T_INT(past_number("truncation.totalAvailable"), 60);
    T(sq_text_tokens(sq_span_of(world.json)) <= 150);
}
