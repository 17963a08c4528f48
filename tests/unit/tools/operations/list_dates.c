/* Lists without dates, with words for dates, and of empty windows. */

#include "archive/window.h"
#include "support/past_world.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/time_text.h"

#define NS_PER_S 1000000000

static void
put(const char *folder, const char *time, int monitor) {
    past_put(&(struct past_shot){ .folder = folder,
                                  .time = time,
                                  .monitor = monitor,
                                  .width = 64,
                                  .height = 40 });
}

static bool
list(const char *arguments) {
    return past_run("list_screenshots", arguments);
}

/* The date `ago` days before today, in the test's zone. */
static void
day_of(int ago, char out[SQ_TIME_TEXT_SIZE]) {
    struct sq_zone *zone = NULL;
    T_OK(sq_zone_create(PAST_ZONE, &zone, &t_err));
    int64_t day = sq_time_local_day(zone, sq_clock_wall_ns() / NS_PER_S) - ago;
    sq_date_format(sq_date_from_days(day), out);
    sq_zone_destroy(zone);
}

T_FIXTURE(past_start_with_root, past_end);

T_CASE(without_dates_months_are_counted) {
    put("a/2025-12-31", "2025-12-31_23-30-00", 0);
    put("a/2026-01-01", "2026-01-01_00-10-00", 0);
    put("a/2026-01-15", "2026-01-15_10-00-00", 0);
    put("a/2026-01-15", "2026-01-15_10-00-00", 1);
    put("a/2026-03-02", "2026-03-02_10-00-00", 0);
    /* In the folder of another day: not listed. */
    put("a/2026-03-02", "2026-02-10_10-00-00", 0);
    char today[SQ_TIME_TEXT_SIZE];
    day_of(0, today);
    T_OK(list("{}"));
    T_INT(past_shots(), 0);
    T(past_has("screenshots"));
    T_STR(past_text("available.today"), today);
    T_STR(past_text("available.oldest"), "2025-12-31");
    T_STR(past_text("available.newest"), "2026-03-02");
    T_INT(past_count("available.months"), 3);
    T_INT(past_number("available.months.2025-12"), 1);
    T_INT(past_number("available.months.2026-01"), 3);
    T_INT(past_number("available.months.2026-03"), 1);
    T_INT(past_number("truncation.totalAvailable"), 5);
    T(!past_true("diagnostics.degraded"));
    T(!past_has("window"));
    /* The months are the same as in lists. */
    T_OK(list("{'startDate':'2026-01-01','endDate':'2026-01-31'}"));
    T_INT(past_shots(), 3);
    T(!past_has("available"));
    T_OK(list("{'monitor':1}"));
    T_INT(past_number("truncation.totalAvailable"), 1);
    T_INT(past_count("available.months"), 1);
}

T_CASE(many_months_are_summarised) {
    for (int i = 0; i < 30; i++) {
        char folder[40];
        snprintf(folder, sizeof(folder), "a/%d-%02d-05", 2023 + i / 12,
                 i % 12 + 1);
        put(folder, t_text("%s_10-00-00", folder + 2), 0);
    }
    T_OK(list("{}"));
    T_INT(past_count("available.months"), 24);
    T(past_has("available.months.2025-06"));
    T(!past_has("available.months.2023-06"));
    T_INT(past_number("available.before"), 6);
    T_INT(past_number("truncation.totalAvailable"), 30);
}

T_CASE(without_dates_and_shots_there_is_a_reason) {
    T_OK(list("{}"));
    T(past_has("available.today"));
    T(!past_has("available.oldest"));
    T_STR(past_text("diagnostics.reasonCode"), "FolderMissing");
    T_FAILS(list("{'cursor':'start'}"), SQ_ERR_ARGUMENT);
}

T_CASE(empty_windows_name_the_available_days) {
    past_add_root("b");
    past_open();
    put("a/2026-01-10", "2026-01-10_10-00-00", 0);
    put("b/2026-01-20", "2026-01-20_10-00-00", 0);
    char today[SQ_TIME_TEXT_SIZE];
    day_of(0, today);
    T_OK(list("{'startDate':'2026-01-15','endDate':'2026-01-15'}"));
    T_STR(past_text("available.today"), today);
    T_STR(past_text("available.oldest"), "2026-01-10");
    T_STR(past_text("available.newest"), "2026-01-20");
    T(!past_has("available.months"));
    T(!past_has("available.monitors"));
    T_OK(list("{'startDate':'2026-01-15','endDate':'2026-01-15','root':'b'}"));
    T_STR(past_text("available.oldest"), "2026-01-20");
    T_OK(past_run("contact_sheet", "{'startDate':'2026-01-15'}"));
    T_STR(past_text("available.oldest"), "2026-01-10");
}

T_CASE(monitors_without_shots_are_named) {
    static const char *const calls[] = {
        "{'startDate':'2026-01-15','monitor':7}", "{'monitor':7}"
    };
    put("a/2026-01-15", "2026-01-15_10-00-00", 0);
    put("a/2026-01-15", "2026-01-15_10-00-00", 2);
    put("a/2026-01-15", "2026-01-15_10-00-00", 33);
    for (size_t i = 0; i < 2; i++) {
        T_OK(list(calls[i]));
        T_INT(past_shots(), 0);
        T_INT(past_count("available.monitors"), 3);
        T_INT(past_number("available.monitors.0"), 0);
        T_INT(past_number("available.monitors.1"), 2);
        T_INT(past_number("available.monitors.2"), 33);
        T_STR(past_text("diagnostics.remediationHint"),
              "There are no screenshots of this monitor, but of monitor 0, 2 "
              "and 33.");
    }
    T_OK(list("{'startDate':'2026-01-15','monitor':2}"));
    T_INT(past_shots(), 1);
}

/* Around midnight the words change their meaning: then try again. */
T_BARE_CASE(relative_words_find_the_shots_of_their_days) {
    char day[SQ_TIME_TEXT_SIZE];
    char now[SQ_TIME_TEXT_SIZE];
    do {
        past_start_with_root();
        day_of(0, now);
        for (int ago = 0; ago < 9; ago++) {
            day_of(ago, day);
            /*
             * Near noon, so that it holds also if the machine's zone differs.
             */
            put(t_text("a/%.10s", day), t_text("%.10s_12-00-00", day), 0);
        }
        T_OK(list("{'startDate':'yesterday'}"));
        size_t yesterday = past_shots();
        T_OK(list("{'startDate':'-7d','endDate':'today'}"));
        size_t week = past_shots();
        T_OK(list("{'startDate':'last Monday','endDate':'last monday'}"));
        size_t monday = past_shots();
        day_of(0, day);
        if (strcmp(day, now) == 0) {
            T_INT(yesterday, 1);
            T_INT(week, 8);
            T_INT(monday, 1);
        }
        past_end();
    } while (strcmp(day, now) != 0);
}

T_CASE(counting_survives_every_failed_allocation) {
    put("a/2026-01-15", "2026-01-15_10-00-00", 0);
    T(past_torture("list_screenshots", "{}") >= 2);
    T(past_torture("list_screenshots", "{'startDate':'2026-02-15','monitor':4}")
      >= 2);
}

/* Shots at 08:00, 08:10, ... 09:50 of one day, and one two months later. */
T_CASE(a_moment_lists_the_nearest_shots) {
    static const struct past_shot first = { .time = "2026-01-15_08-00-00" };
    static const struct past_shot late = { .time = "2026-03-15_08-00-00" };
    static const struct {
        const char *args;
        const char *times;
    } cases[] = {
        { "{'at':'2026-01-15 09:05','maxCount':2}", "09:00 09:10" },
        { "{'at':'2026-01-15 09:05'}", "08:50 09:00 09:10 09:20" },
        { "{'at':'2026-01-15T09:10','maxCount':2}", "09:10 09:20" },
        { "{'at':'2026-01-15T08:05Z','maxCount':2}", "09:00 09:10" },
        { "{'at':'2026-01-15T09:05','maxCount':1}", "09:00" },
        { "{'at':'2026-02-10T12:00','maxCount':2}", "09:50 08:00" },
        { "{'at':'2026-04-01T12:00','maxCount':3}", "09:40 09:50 08:00" },
        { "{'at':'2025-12-31T12:00','maxCount':3}", "08:00 08:10 08:20" },
    };
    past_put_series(&first, 12, 600);
    past_put(&late);
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        char times[100] = "";
        T_OK(past_run("list_screenshots", cases[i].args));
        for (size_t j = 0; j < past_shots(); j++) {
            char path[64];
            snprintf(path, sizeof(path), "screenshots.%zu.displayLocalTime", j);
            size_t used = strlen(times);
            snprintf(times + used, sizeof(times) - used, "%s%.5s",
                     j > 0 ? " " : "", past_text(path) + 11);
        }
        T_STR(times, cases[i].times);
        T_STR(past_text("sampling"), "nearest");
        T(past_number("truncation.totalAvailable") == (double)past_shots());
    }
    static const char *const refused[] = {
        "{'at':'2026-01-15'}",
        "{'at':'2026-01-15T09:00','startDate':'2026-01-15'}",
        "{'at':'2026-01-15T09:00','cursor':'start'}",
        "{'at':'2026-01-15T09:00','samplingStrategy':'visual'}",
        "{'at':'2026-01-15T09:00','intervalSeconds':60}",
        "{'at':'soon'}",
    };
    for (size_t i = 0; i < SQ_COUNT(refused); i++) {
        T_FAILS(past_run("list_screenshots", refused[i]), SQ_ERR_ARGUMENT);
        T(strstr(t_err.message, "at") && t_err.hint[0]);
    }
}
