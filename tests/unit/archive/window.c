#include "archive/window.h"

#include <string.h>

#include "support/test.h"
#include "util/time_text.h"

static const char zurich[] = "CET-1CEST,M3.5.0,M10.5.0/3";

struct reading {
    struct sq_window window;
    char note[SQ_WINDOW_NOTE_SIZE];
    struct sq_err err;
    bool ok;
};

static struct reading
read_in(const char *zone_name, const char *start, const char *end) {
    struct reading reading = { 0 };
    struct sq_err err = { 0 };
    struct sq_zone *zone = NULL;
    T_OK(sq_zone_create(zone_name, &zone, &err), &err);
    reading.ok = sq_window_read(sq_span_of(start), sq_span_of(end), zone,
                                &reading.window, reading.note, &reading.err);
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

static void
words_become_a_window(void) {
    /* A date alone is local midnight; as the end it includes the day. */
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

static void
days_have_23_24_or_25_hours(void) {
    expect("2026-03-29", "2026-03-29", "2026-03-28T23:00Z",
           "2026-03-29T22:00Z");
    expect("2026-10-25", "2026-10-25", "2026-10-24T22:00Z",
           "2026-10-25T23:00Z");
}

static void
hours_that_came_twice_are_all_in(void) {
    expect("2026-10-25T02:00", "2026-10-25T02:30", "2026-10-25T00:00Z",
           "2026-10-25T01:30Z");
    struct reading reading =
        read_in(zurich, "2026-10-25T02:10", "2026-10-25T02:30");
    T(strstr(reading.note, "came twice"));
    reading = read_in(zurich, "2026-03-29T02:10", "2026-03-29T05:00");
    T(strstr(reading.note, "skipped"));
    T_INT(reading.window.from_utc, at("2026-03-29T01:10Z"));
}

static void
the_note_tells_how_it_was_read(void) {
    struct reading reading = read_in(zurich, "2026-01-15", "2026-01-16");
    T_STR(reading.note,
          "from 2026-01-15T00:00:00+01:00 up to, not including, "
          "2026-01-17T00:00:00+01:00; the end date includes that day; times "
          "without an offset are in CET-1CEST,M3.5.0,M10.5.0/3");
    reading = read_in(zurich, "2026-01-15T10:00-05:00", "2026-01-16T10:00Z");
    T_STR(reading.note, "from 2026-01-15T10:00:00-05:00 up to, not including, "
                        "2026-01-16T10:00:00+00:00");
}

static void
absurd_windows_are_refused_kindly(void) {
    static const char *const rows[][2] = {
        { "2026-01-16", "2026-01-15" },
        { "2026-01-15T10:00", "2026-01-15T09:59" },
        { "2026-01-15T10:00", "2026-01-15T10:00" },
        { "2010-01-01", "2026-01-01" },
        { "1969-12-31", "1970-01-02" },
        { "0001-01-01", "9999-12-31" },
        { "2026-01-01", "2101-01-01" },
        { "", "2026-01-01" },
        { "2026-01-01", "" },
        { "today", "2026-01-01" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading reading = read_in(zurich, rows[i][0], rows[i][1]);
        if (!T(!reading.ok)) {
            T_STR(rows[i][0], rows[i][1]);
        }
        T_INT(reading.err.code, SQ_ERR_ARGUMENT);
        T(reading.err.hint[0]);
        T_INT(reading.window.to_utc, 0);
    }
    T(strstr(read_in(zurich, "x", "2026-01-01").err.message, "startDate"));
    T(strstr(read_in(zurich, "2026-01-01", "x").err.message, "endDate"));
    /* Ten years are fine. */
    T(read_in(zurich, "2016-01-01", "2025-12-31").ok);
}

static void
one_moment_is_read_the_same_way(void) {
    struct sq_err err = { 0 };
    struct sq_zone *zone = NULL;
    int64_t utc = 0;
    T_OK(sq_zone_create(zurich, &zone, &err), &err);
    T_OK(sq_moment_read(SQ_SPAN("2026-07-01"), zone, &utc, &err), &err);
    T_INT(utc, at("2026-06-30T22:00Z"));
    T(!sq_moment_read(SQ_SPAN("noon"), zone, &utc, &err));
    sq_zone_destroy(zone);
}

T_MAIN(T_CASE(words_become_a_window), T_CASE(days_have_23_24_or_25_hours),
       T_CASE(hours_that_came_twice_are_all_in),
       T_CASE(the_note_tells_how_it_was_read),
       T_CASE(absurd_windows_are_refused_kindly),
       T_CASE(one_moment_is_read_the_same_way))
