/* Lists without dates, with words for dates, and of empty windows. */

#include "archive/window.h"
#include "support/past_world.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/time_text.h"

#define NS_PER_S 1000000000

static struct fake_world world;

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
    return fake_run(&world, "list_screenshots", arguments);
}

static size_t
shots(void) {
    return past_count(&world, "screenshots");
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

static void
begin_case(void) {
    past_start_with_root(&world);
}

static void
end_case(void) {
    past_end(&world);
}

T_FIXTURE(begin_case, end_case);

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
    T_OK(list("{}"), &world.err);
    T_INT(shots(), 0);
    T(past_has(&world, "screenshots"));
    T_STR(past_text(&world, "available.today"), today);
    T_STR(past_text(&world, "available.oldest"), "2025-12-31");
    T_STR(past_text(&world, "available.newest"), "2026-03-02");
    T_INT(past_count(&world, "available.months"), 3);
    T_INT(past_number(&world, "available.months.2025-12"), 1);
    T_INT(past_number(&world, "available.months.2026-01"), 3);
    T_INT(past_number(&world, "available.months.2026-03"), 1);
    T_INT(past_number(&world, "truncation.totalAvailable"), 5);
    T(!past_true(&world, "diagnostics.degraded"));
    T(!past_has(&world, "window"));
    /* The months are the same as in lists. */
    T_OK(list("{'startDate':'2026-01-01','endDate':'2026-01-31'}"), &world.err);
    T_INT(shots(), 3);
    T(!past_has(&world, "available"));
    T_OK(list("{'monitor':1}"), &world.err);
    T_INT(past_number(&world, "truncation.totalAvailable"), 1);
    T_INT(past_count(&world, "available.months"), 1);
}

T_CASE(many_months_are_summarised) {
    for (int i = 0; i < 30; i++) {
        char folder[40];
        char time[60];
        snprintf(folder, sizeof(folder), "a/%d-%02d-05", 2023 + i / 12,
                 i % 12 + 1);
        snprintf(time, sizeof(time), "%s_10-00-00", folder + 2);
        put(folder, time, 0);
    }
    T_OK(list("{}"), &world.err);
    T_INT(past_count(&world, "available.months"), 24);
    T(past_has(&world, "available.months.2025-06"));
    T(!past_has(&world, "available.months.2023-06"));
    T_INT(past_number(&world, "available.before"), 6);
    T_INT(past_number(&world, "truncation.totalAvailable"), 30);
}

T_CASE(without_dates_and_shots_there_is_a_reason) {
    T_OK(list("{}"), &world.err);
    T(past_has(&world, "available.today"));
    T(!past_has(&world, "available.oldest"));
    T_STR(past_text(&world, "diagnostics.reasonCode"), "FolderMissing");
    T(!list("{'cursor':'start'}"));
    T_INT(world.err.code, SQ_ERR_ARGUMENT);
}

T_CASE(empty_windows_name_the_available_days) {
    past_add_root(&world, "b");
    past_open(&world);
    put("a/2026-01-10", "2026-01-10_10-00-00", 0);
    put("b/2026-01-20", "2026-01-20_10-00-00", 0);
    char today[SQ_TIME_TEXT_SIZE];
    day_of(0, today);
    T_OK(list("{'startDate':'2026-01-15','endDate':'2026-01-15'}"), &world.err);
    T_STR(past_text(&world, "available.today"), today);
    T_STR(past_text(&world, "available.oldest"), "2026-01-10");
    T_STR(past_text(&world, "available.newest"), "2026-01-20");
    T(!past_has(&world, "available.months"));
    T(!past_has(&world, "available.monitors"));
    T_OK(list("{'startDate':'2026-01-15','endDate':'2026-01-15','root':'b'}"),
         &world.err);
    T_STR(past_text(&world, "available.oldest"), "2026-01-20");
    T_OK(fake_run(&world, "contact_sheet", "{'startDate':'2026-01-15'}"),
         &world.err);
    T_STR(past_text(&world, "available.oldest"), "2026-01-10");
}

T_CASE(monitors_without_shots_are_named) {
    static const char *const calls[] = {
        "{'startDate':'2026-01-15','monitor':7}", "{'monitor':7}"
    };
    put("a/2026-01-15", "2026-01-15_10-00-00", 0);
    put("a/2026-01-15", "2026-01-15_10-00-00", 2);
    put("a/2026-01-15", "2026-01-15_10-00-00", 33);
    for (size_t i = 0; i < 2; i++) {
        T_OK(list(calls[i]), &world.err);
        T_INT(shots(), 0);
        T_INT(past_count(&world, "available.monitors"), 3);
        T_INT(past_number(&world, "available.monitors.0"), 0);
        T_INT(past_number(&world, "available.monitors.1"), 2);
        T_INT(past_number(&world, "available.monitors.2"), 33);
        T_STR(past_text(&world, "diagnostics.remediationHint"),
              "There are no screenshots of this monitor, but of monitor 0, 2 "
              "and 33.");
    }
    T_OK(list("{'startDate':'2026-01-15','monitor':2}"), &world.err);
    T_INT(shots(), 1);
}

/* Around midnight the words change their meaning: then try again. */
T_BARE_CASE(relative_words_find_the_shots_of_their_days) {
    char day[SQ_TIME_TEXT_SIZE];
    char now[SQ_TIME_TEXT_SIZE];
    do {
        past_start_with_root(&world);
        day_of(0, now);
        for (int ago = 0; ago < 9; ago++) {
            char folder[SQ_TIME_TEXT_SIZE + 8];
            char time[SQ_TIME_TEXT_SIZE + 16];
            day_of(ago, day);
            snprintf(folder, sizeof(folder), "a/%.10s", day);
            /*
             * Near noon, so that it holds also if the machine's zone differs.
             */
            snprintf(time, sizeof(time), "%.10s_12-00-00", day);
            put(folder, time, 0);
        }
        T_OK(list("{'startDate':'yesterday'}"), &world.err);
        size_t yesterday = shots();
        T_OK(list("{'startDate':'-7d','endDate':'today'}"), &world.err);
        size_t week = shots();
        T_OK(list("{'startDate':'last Monday','endDate':'last monday'}"),
             &world.err);
        size_t monday = shots();
        day_of(0, day);
        if (strcmp(day, now) == 0) {
            T_INT(yesterday, 1);
            T_INT(week, 8);
            T_INT(monday, 1);
        }
        past_end(&world);
    } while (strcmp(day, now) != 0);
}

T_CASE(counting_survives_every_failed_allocation) {
    put("a/2026-01-15", "2026-01-15_10-00-00", 0);
    struct past_call call = { &world, "list_screenshots", "{}" };
    T(t_alloc_torture(past_torture, &call) >= 2);
    call.arguments = "{'startDate':'2026-02-15','monitor':4}";
    T(t_alloc_torture(past_torture, &call) >= 2);
}

/* Shots at 08:00, 08:10, ... 09:50 of one day, and one two months later. */
T_CASE(a_moment_lists_the_nearest_shots) {
    static const struct past_shot first = { .folder = "a/2026-01-15",
                                            .time = "2026-01-15_08-00-00" };
    static const struct past_shot late = { .folder = "a/2026-03-15",
                                           .time = "2026-03-15_08-00-00" };
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
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char times[100] = "";
        T_OK(fake_run(&world, "list_screenshots", cases[i].args), &world.err);
        for (size_t j = 0; j < past_count(&world, "screenshots"); j++) {
            char path[64];
            snprintf(path, sizeof(path), "screenshots.%zu.displayLocalTime", j);
            size_t used = strlen(times);
            snprintf(times + used, sizeof(times) - used, "%s%.5s",
                     j > 0 ? " " : "", past_text(&world, path) + 11);
        }
        T_STR(times, cases[i].times);
        T_STR(past_text(&world, "sampling"), "nearest");
        T(past_number(&world, "truncation.totalAvailable")
          == (double)past_count(&world, "screenshots"));
    }
    static const char *const refused[] = {
        "{'at':'2026-01-15'}",
        "{'at':'2026-01-15T09:00','startDate':'2026-01-15'}",
        "{'at':'2026-01-15T09:00','cursor':'start'}",
        "{'at':'2026-01-15T09:00','samplingStrategy':'visual'}",
        "{'at':'2026-01-15T09:00','intervalSeconds':60}",
        "{'at':'soon'}",
    };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        T(!fake_run(&world, "list_screenshots", refused[i]));
        T_INT(world.err.code, SQ_ERR_ARGUMENT);
        T(strstr(world.err.message, "at") && world.err.hint[0]);
    }
}
