#include "archive/window.h"

#include "support/test.h"
#include "util/time_text.h"

static const char zurich[] = "CET-1CEST,M3.5.0,M10.5.0/3";

/* 2026-03-30, a Monday, 00:30 in Zurich: the day after the short one. */
static int64_t now_utc = 1774823400;

struct reading {
    struct sq_window window;
    char note[SQ_WINDOW_NOTE_SIZE];
    struct sq_err err;
    bool ok;
};

static struct reading
read_in(const char *zone_name, const char *start, const char *end) {
    struct reading reading = { 0 };
    struct sq_zone *zone = NULL;
    T_OK(sq_zone_create(zone_name, &zone, &t_err));
    const struct sq_window_request ask = { sq_span_of(start), sq_span_of(end),
                                           zone, now_utc };
    reading.ok =
        sq_window_read(&ask, &reading.window, reading.note, &reading.err);
    sq_zone_destroy(zone);
    return reading;
}

static int64_t
at(const char *text) {
    struct sq_time_text time = { 0 };
    T(sq_time_parse(sq_span_of(text), &time, NULL));
    return time.wall_s - time.offset_s;
}

static void
expect(const char *start, const char *end, const char *from, const char *to) {
    struct reading reading = read_in(zurich, start, end);
    T_OK(reading.ok, &reading.err);
    T_INT(reading.window.from_utc, at(from));
    T_INT(reading.window.to_utc, at(to));
}

T_CASE(words_are_resolved_to_a_window) {
    /* A date alone is local midnight; as the end, it includes that day. */
    expect("2026-01-15", "2026-01-15", "2026-01-14T23:00Z",
           "2026-01-15T23:00Z");
    expect("2026-01-15", "2026-01-16", "2026-01-14T23:00Z",
           "2026-01-16T23:00Z");
    expect("2026-01-15T09:00", "2026-01-15T10:00", "2026-01-15T08:00Z",
           "2026-01-15T09:00Z");
    expect("2026-01-15T09:00Z", "2026-01-15T12:00+02:00", "2026-01-15T09:00Z",
           "2026-01-15T10:00Z");
    expect("2026-01-15T09:00:00.5", "2026-01-15T09:00:00.7",
           "2026-01-15T08:00Z", "2026-01-15T08:00:01Z");
}

T_CASE(days_have_23_24_or_25_hours) {
    expect("2026-03-29", "2026-03-29", "2026-03-28T23:00Z",
           "2026-03-29T22:00Z");
    expect("2026-10-25", "2026-10-25", "2026-10-24T22:00Z",
           "2026-10-25T23:00Z");
}

T_CASE(repeated_hours_are_included) {
    expect("2026-10-25T02:00", "2026-10-25T02:30", "2026-10-25T00:00Z",
           "2026-10-25T01:30Z");
    struct reading reading =
        read_in(zurich, "2026-10-25T02:10", "2026-10-25T02:30");
    T_HAS(reading.note, "occurred twice");
    reading = read_in(zurich, "2026-03-29T02:10", "2026-03-29T05:00");
    T_HAS(reading.note, "skipped");
    T_INT(reading.window.from_utc, at("2026-03-29T01:10Z"));
}

static const char *
note_of(const char *start, const char *end) {
    static struct reading reading;
    reading = read_in(zurich, start, end);
    T_OK(reading.ok, &reading.err);
    return reading.note;
}

/* The note does not repeat the request or the from and to fields. */
T_CASE(note_has_only_new_information) {
    T_STR(note_of("2026-01-15", "2026-01-16"),
          "endDate includes its day; in CET-1CEST,M3.5.0,M10.5.0/3");
    T_STR(note_of("2026-01-15T10:00", "2026-01-16T10:00"),
          "in CET-1CEST,M3.5.0,M10.5.0/3");
    T_STR(note_of("2026-01-15T10:00-05:00", "2026-01-16T10:00Z"), "");
    T_STR(note_of("yesterday", "yesterday"),
          "yesterday is 2026-03-29; endDate includes its day; in "
          "CET-1CEST,M3.5.0,M10.5.0/3");
    T_STR(note_of("-2d", "Today"),
          "-2d is 2026-03-28; Today is 2026-03-30; endDate includes its day; "
          "in CET-1CEST,M3.5.0,M10.5.0/3");
    T_STR(note_of("-7d", ""), "-7d is 2026-03-23; without endDate, up to now; "
                              "in CET-1CEST,M3.5.0,M10.5.0/3");
    T_STR(note_of("-2h", "now"), "-2h is 2026-03-29 22:30:00; now is "
                                 "2026-03-30 00:30:00");
    T_STR(note_of("", "2026-01-15"),
          "without startDate, from the start of that day; in "
          "CET-1CEST,M3.5.0,M10.5.0/3");
}

T_CASE(basic_iso_format_is_read) {
    expect("20260115", "20260115", "2026-01-14T23:00Z", "2026-01-15T23:00Z");
    expect("20260115T10", "20260115T1130", "2026-01-15T09:00Z",
           "2026-01-15T10:30Z");
    expect("20260115T100000+0200", "20260115T12Z", "2026-01-15T08:00Z",
           "2026-01-15T12:00Z");
    /* A time of day is today's; as the end, it is of the day of the start. */
    expect("T00", "T0010", "2026-03-29T22:00Z", "2026-03-29T22:10Z");
    expect("20260115T10", "T11", "2026-01-15T09:00Z", "2026-01-15T10:00Z");
    expect("2026-01-15T10:00", "11:30", "2026-01-15T09:00Z",
           "2026-01-15T10:30Z");
}

/* A period is one end, if the other one is given. */
T_CASE(periods_can_be_an_end) {
    expect("last month", "", "2026-01-31T23:00Z", "2026-02-28T23:00Z");
    expect("last month", "last month", "2026-01-31T23:00Z",
           "2026-02-28T23:00Z");
    expect("last month", "today", "2026-01-31T23:00Z", "2026-03-30T22:00Z");
    expect("2026-01-15", "last month", "2026-01-14T23:00Z",
           "2026-02-28T23:00Z");
    expect("", "2026-01", "2025-12-31T23:00Z", "2026-01-31T23:00Z");
    T_STR(note_of("last month", "today"),
          "today is 2026-03-30; last month is 2026-02-01 to 2026-02-28; in "
          "CET-1CEST,M3.5.0,M10.5.0/3");
}

/* Days are calendar days of the zone, also if one has 23 hours. */
T_CASE(relative_days_use_the_time_zone) {
    expect("today", "today", "2026-03-29T22:00Z", "2026-03-30T22:00Z");
    expect("yesterday", "yesterday", "2026-03-28T23:00Z", "2026-03-29T22:00Z");
    expect("-1d", "-1d", "2026-03-28T23:00Z", "2026-03-29T22:00Z");
    expect("-7d", "today", "2026-03-22T23:00Z", "2026-03-30T22:00Z");
    expect("-1w", "-1w", "2026-03-22T23:00Z", "2026-03-23T23:00Z");
    expect("yesterday 10:00", "yesterdayT1130", "2026-03-29T08:00Z",
           "2026-03-29T09:30Z");
    /* Hours are elapsed hours, also across the skipped one. */
    expect("-24h", "now", "2026-03-28T22:30Z", "2026-03-29T22:30Z");
    expect("-90min", "now", "2026-03-29T21:00Z", "2026-03-29T22:30Z");
    /* The same time is another day in another zone. */
    struct reading utc = read_in("UTC", "today", "today");
    T_INT(utc.window.from_utc, at("2026-03-29T00:00Z"));
    utc = read_in("UTC", "sunday", "sunday");
    T_INT(utc.window.from_utc, at("2026-03-29T00:00Z"));
}

T_CASE(weekdays_mean_the_latest_ones) {
    expect("monday", "Mon", "2026-03-29T22:00Z", "2026-03-30T22:00Z");
    expect("SUNDAY", "sun", "2026-03-28T23:00Z", "2026-03-29T22:00Z");
    expect("tuesday", "tue", "2026-03-23T23:00Z", "2026-03-24T23:00Z");
    expect("last monday", "last monday", "2026-03-22T23:00Z",
           "2026-03-23T23:00Z");
    expect("saturday", "sunday", "2026-03-27T23:00Z", "2026-03-29T22:00Z");
    /* Every day of a year: the same weekday, at most six days back. */
    static const char *const names[] = { "sunday",    "monday",   "tuesday",
                                         "wednesday", "thursday", "friday",
                                         "saturday" };
    int64_t kept = now_utc;
    for (int i = 0; i < 366; i++, now_utc += SQ_DAY_S) {
        for (int k = 0; k < 7; k++) {
            struct reading one = read_in(zurich, names[k], names[k]);
            int64_t noon = one.window.from_utc + SQ_DAY_S / 2;
            T(one.ok && one.window.from_utc <= now_utc
              && now_utc < one.window.to_utc + 6 * SQ_DAY_S + 3600
              && sq_weekday_of_days(sq_days_of_seconds(noon)) == k);
        }
    }
    now_utc = kept;
}

T_CASE(one_limit_is_enough) {
    expect("2026-01-15", "", "2026-01-14T23:00Z", "2026-01-15T23:00Z");
    expect("", "2026-01-15", "2026-01-14T23:00Z", "2026-01-15T23:00Z");
    expect("2026-03-29T12:00", "", "2026-03-29T10:00Z", "2026-03-29T22:00Z");
    expect("2026-03-29T12:00Z", "", "2026-03-29T12:00Z", "2026-03-30T00:00Z");
    expect("", "2026-01-15T12:00", "2026-01-14T23:00Z", "2026-01-15T11:00Z");
    expect("yesterday", "", "2026-03-28T23:00Z", "2026-03-29T22:00Z");
    expect("-7d", "", "2026-03-22T23:00Z", "2026-03-29T22:30:01Z");
}

T_CASE(invalid_windows_are_refused_with_a_hint) {
    static const char *const rows[][2] = {
        { "2026-01-16", "2026-01-15" },
        { "2026-01-15T10:00", "2026-01-15T09:59" },
        { "2026-01-15T10:00", "2026-01-15T10:00" },
        { "2010-01-01", "2026-01-01" },
        { "1969-12-31", "1970-01-02" },
        { "0001-01-01", "9999-12-31" },
        { "2026-01-01", "2101-01-01" },
        { "", "" },
        { "today", "2026-01-01" },
        { "today", "yesterday" },
        { "today 25:00", "today" },
        { "todays", "today" },
        { "-7", "today" },
        { "-d", "today" },
        { "-7days", "today" },
        { "-999999d", "today" },
        { "-99999d", "today" },
        { "tomorrow", "today" },
        { "T", "today" },
        { "T25", "today" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct reading reading = read_in(zurich, rows[i][0], rows[i][1]);
        if (!T(!reading.ok)) {
            T_STR(rows[i][0], rows[i][1]);
        }
        T_INT(reading.err.code, SQ_ERR_ARGUMENT);
        T(reading.err.hint[0]);
        T_INT(reading.window.to_utc, 0);
    }
    T_HAS(read_in(zurich, "x", "2026-01-01").err.message, "startDate");
    T_HAS(read_in(zurich, "2026-01-01", "x").err.message, "endDate");
    /* Ten years are fine. */
    T(read_in(zurich, "2016-01-01", "2025-12-31").ok);
}
