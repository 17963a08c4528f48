/* Tests of the times whose screenshots are excluded. */
#include "archive/names/name.h"

#include "archive/library.h"
#include "support/test.h"
#include "util/time_text.h"

/* Returns whether a rule excludes a local time such as "2026-09-07T20:00". */
static bool
excludes(const char *rule, const char *local) {
    struct sq_excluded_time time;
    struct sq_time_text text;
    T_OK(sq_excluded_time_read(sq_span_of(rule), &time, &t_err));
    T_OK(sq_time_parse(sq_span_of(local), &text, &t_err));
    return sq_excluded_time_has(&time, text.wall_s);
}

/* 2026-09-07 is a Monday. */
T_CASE(days_and_times_are_excluded) {
    static const struct {
        const char *rule;
        const char *inside[4];
        const char *outside[4];
    } cases[] = {
        { "2026-09-07",
          { "2026-09-07T00:00:00", "2026-09-07T23:59:59" },
          { "2026-09-06T23:59:59", "2026-09-08T00:00:00" } },
        { "2026-09-07..2026-09-09",
          { "2026-09-07T00:00:00", "2026-09-09T23:59:59" },
          { "2026-09-06T23:59:59", "2026-09-10T00:00:00" } },
        { "2026-09-07 12:00-13:00",
          { "2026-09-07T12:00:00", "2026-09-07T12:59:59" },
          { "2026-09-07T11:59:59", "2026-09-07T13:00:00",
            "2026-09-08T12:30:00" } },
        { "Mon-Fri 20:00-06:00",
          { "2026-09-07T20:00:00", "2026-09-08T05:59:59", "2026-09-11T23:59:59",
            "2026-09-12T05:59:59" },
          { "2026-09-07T19:59:59", "2026-09-07T05:00:00", "2026-09-12T06:00:00",
            "2026-09-12T20:00:00" } },
        { "sat-SUN",
          { "2026-09-12T00:00:00", "2026-09-13T23:59:59" },
          { "2026-09-11T23:59:59", "2026-09-14T00:00:00" } },
        { "Friday-Monday 08:00-24:00",
          { "2026-09-11T08:00:00", "2026-09-13T12:00:00",
            "2026-09-14T23:59:59" },
          { "2026-09-11T07:59:59", "2026-09-15T00:00:00",
            "2026-09-10T12:00:00" } },
        { " wed ",
          { "2026-09-09T00:00:00", "2026-09-16T12:00:00" },
          { "2026-09-08T23:59:59", "2026-09-10T00:00:00" } },
        { "22:00-02:00",
          { "2026-09-07T22:00:00", "2026-09-08T01:59:59" },
          { "2026-09-07T21:59:59", "2026-09-08T02:00:00" } },
        { "2026-12-31 23:00-01:00",
          { "2026-12-31T23:00:00", "2027-01-01T00:59:59" },
          { "2026-12-31T00:30:00", "2027-01-01T23:30:00" } },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        for (int k = 0; k < 4; k++) {
            if (cases[i].inside[k]) {
                T(excludes(cases[i].rule, cases[i].inside[k]));
            }
            if (cases[i].outside[k]) {
                T(!excludes(cases[i].rule, cases[i].outside[k]));
            }
        }
    }
}

T_CASE(other_texts_are_errors) {
    static const char *const wrong[] = {
        "",
        "Mox",
        "Mon-",
        "Mon-Fry",
        "2026-02-30",
        "2026-9-07",
        "20:00",
        "20:00-25:00",
        "24:00-06:00",
        "08:00-08:00",
        "Mon20:00-21:00",
        "20:60-21:00",
        "2026-09-08..2026-09-07",
        "Mon Fri",
        "20:00-21:00 Mon",
        "yesterday",
        "Mondays",
        "Mond",
        "2026-09-07..tomorrow",
        "h0:00-21:00",
        "20:0m-21:00",
        "20:00-24:30",
    };
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        struct sq_excluded_time time = { .first = 7 };
        T_FAILS(sq_excluded_time_read(sq_span_of(wrong[i]), &time, &t_err),
                SQ_ERR_ARGUMENT);
        T_INT(time.first, 7);
    }
}

T_CASE(errors_quote_the_start_of_a_long_text) {
    char text[200];
    struct sq_excluded_time time;
    memset(text, 'x', sizeof(text));
    T_FAILS(sq_excluded_time_read((struct sq_span){ text, sizeof(text) }, &time,
                                  &t_err),
            SQ_ERR_ARGUMENT);
    T_STR(t_err.message,
          t_text("archive.exclude: \"%.100s\" is not a time", text));
}

/* Hides shots by archive.exclude; returns them as "..x". */
static const char *
hide(const char *rule, const struct sq_shot *shots, size_t count) {
    static char out[16];
    bool hidden[16];
    const struct sq_config config = { .archive.exclude = { &rule, 1 } };
    const struct sq_activity_settings settings = { 0 };
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_excluder *excluder = NULL;
    T_OK(sq_excluder_create(&config, &settings, NULL, &excluder, &t_err));
    T_OK(sq_excluder_hide(excluder, shots, count, hidden, &deadline, &t_err));
    for (size_t i = 0; i < count; i++) {
        out[i] = hidden[i] ? 'x' : '.';
    }
    out[count] = '\0';
    sq_excluder_destroy(excluder);
    return out;
}

/*
 * In Zurich clocks go back from 03:00 (+02:00) to 02:00 (+01:00) on 2026-10-25
 * at 01:00 UTC, and forward from 02:00 to 03:00 on 2026-03-29 at 01:00 UTC.
 */
T_CASE(each_shot_counts_with_its_own_offset) {
    const struct sq_shot autumn[] = {
        { .utc = 1792886399, .quarters = 8 }, /* 01:59:59 +02:00 */
        { .utc = 1792886400, .quarters = 8 }, /* 02:00:00 +02:00 */
        { .utc = 1792889999, .quarters = 8 }, /* 02:59:59 +02:00 */
        { .utc = 1792890000, .quarters = 4 }, /* 02:00:00 +01:00 */
        { .utc = 1792893599, .quarters = 4 }, /* 02:59:59 +01:00 */
        { .utc = 1792893600, .quarters = 4 }, /* 03:00:00 +01:00 */
    };
    const struct sq_shot spring[] = {
        { .utc = 1774745999, .quarters = 4 }, /* 01:59:59 +01:00 */
        { .utc = 1774746000, .quarters = 8 }, /* 03:00:00 +02:00 */
    };
    /* One moment in three places. */
    const struct sq_shot places[] = {
        { .utc = 1788735600, .quarters = -28 }, /* 2026-09-06 16:00 */
        { .utc = 1788735600, .quarters = 0 },   /* 2026-09-06 23:00 */
        { .utc = 1788735600, .quarters = 36 },  /* 2026-09-07 08:00 */
    };
    T_STR(hide("02:00-03:00", autumn, 6), ".xxxx.");
    T_STR(hide("Sun", autumn, 6), "xxxxxx");
    T_STR(hide("Sat 23:00-02:30", autumn, 6), "xx.x..");
    T_STR(hide("02:00-03:00", spring, 2), "..");
    T_STR(hide("01:00-02:00", spring, 2), "x.");
    T_STR(hide("2026-09-07", places, 3), "..x");
    T_STR(hide("23:00-23:01", places, 3), ".x.");
}
