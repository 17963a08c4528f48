#include "util/time_text.h"

#include <time.h>

#include "support/test.h"

static struct sq_time_text
read_time(const char *text) {
    struct sq_time_text time = { 0 };
    T_OK(sq_time_parse(sq_span_of(text), &time, &t_err));
    return time;
}

static void
refuse(const char *text) {
    struct sq_time_text time = { .wall_s = 77 };
    if (!T(!sq_time_parse(sq_span_of(text), &time, &t_err))) {
        T_STR(text, "refused");
    }
    T_INT(t_err.code, SQ_ERR_ARGUMENT);
    T(t_err.hint[0]);
    T_INT(time.wall_s, 77);
}

/* Every day of 800 years compared with the C library, in both directions. */
T_CASE(days_match_the_calendar) {
    int64_t days = sq_date_to_days((struct sq_date){ 1600, 1, 1 });
    T_INT(sq_date_to_days((struct sq_date){ 1970, 1, 1 }), 0);
    T_INT(sq_date_to_days((struct sq_date){ 2000, 3, 1 }), 11017);
    for (int i = 0; i < 800 * 366; i++, days++) {
        time_t seconds = (time_t)days * SQ_DAY_S;
        struct tm tm;
        gmtime_r(&seconds, &tm);
        struct sq_date date = sq_date_from_days(days);
        if (date.year != tm.tm_year + 1900 || date.month != tm.tm_mon + 1
            || date.day != tm.tm_mday || sq_date_to_days(date) != days
            || !sq_date_is_real(date)
            || sq_weekday_of_days(days) != tm.tm_wday) {
            T_INT(days, INT64_MIN);
            return;
        }
    }
}

T_CASE(impossible_dates_are_refused) {
    T(sq_date_is_real((struct sq_date){ 2024, 2, 29 }));
    T(!sq_date_is_real((struct sq_date){ 2023, 2, 29 }));
    T(!sq_date_is_real((struct sq_date){ 1900, 2, 29 }));
    T(sq_date_is_real((struct sq_date){ 2000, 2, 29 }));
    T(!sq_date_is_real((struct sq_date){ 2026, 13, 1 }));
    T(!sq_date_is_real((struct sq_date){ 2026, 4, 31 }));
    T(!sq_date_is_real((struct sq_date){ 2026, 4, 0 }));
    T_INT(sq_days_of_seconds(-1), -1);
    T_INT(sq_days_of_seconds(0), 0);
    T_INT(sq_days_of_seconds(86399), 0);
}

T_CASE(all_time_formats_are_read) {
    static const struct {
        const char *text;
        int64_t wall_s;
        int nanos;
        bool has_time;
        bool has_offset;
        int offset_s;
    } rows[] = {
        { "2026-01-31", 1769817600, 0, false, false, 0 },
        { "2026-01-31T09:30", 1769851800, 0, true, false, 0 },
        { "2026-01-31 09:30:05", 1769851805, 0, true, false, 0 },
        { "2026-01-31t09:30:05.25", 1769851805, 250000000, true, false, 0 },
        { "2026-01-31T09:30:05,1234567899", 1769851805, 123456789, true, false,
          0 },
        { "2026-01-31T09:30Z", 1769851800, 0, true, true, 0 },
        { "2026-01-31T09:30z", 1769851800, 0, true, true, 0 },
        { "2026-01-31T09:30:00+01:00", 1769851800, 0, true, true, 3600 },
        { "2026-01-31T09:30:00-0330", 1769851800, 0, true, true, -12600 },
        { "2026-01-31T09:30:00+14", 1769851800, 0, true, true, 50400 },
        { "2026-01-31T09:30:05.798000+00:00", 1769851805, 798000000, true, true,
          0 },
        { "2026-01-31T24:00", 1769904000, 0, true, false, 0 },
        { "2016-12-31T23:59:60Z", 1483228800, 0, true, true, 0 },
        { "2026-01-31T09", 1769850000, 0, true, false, 0 },
        { "20260131", 1769817600, 0, false, false, 0 },
        { "20260131T09", 1769850000, 0, true, false, 0 },
        { "20260131T0930", 1769851800, 0, true, false, 0 },
        { "20260131T093005Z", 1769851805, 0, true, true, 0 },
        { "20260131T093005.25+0100", 1769851805, 250000000, true, true, 3600 },
        { "20260131T09:30", 1769851800, 0, true, false, 0 },
        { "20260131T2400", 1769904000, 0, true, false, 0 },
        { "  2026-01-31  ", 1769817600, 0, false, false, 0 },
        { "1969-12-31T23:59:59Z", -1, 0, true, true, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_time_text time = read_time(rows[i].text);
        T_INT(time.wall_s, rows[i].wall_s);
        T_INT(time.nanos, rows[i].nanos);
        T_INT(time.has_time, rows[i].has_time);
        T_INT(time.has_offset, rows[i].has_offset);
        T_INT(time.offset_s, rows[i].offset_s);
    }
}

T_CASE(invalid_times_are_refused_with_a_hint) {
    static const char *const texts[] = {
        "",
        "yesterday",
        "2026",
        "2026-1-31",
        "26-01-31",
        "2026-02-30",
        "2026-00-10",
        "2026-0131",
        "202601-31",
        "2026013",
        "20260231",
        "20260131T",
        "20260131T9",
        "20260131T093",
        "20260131T09300",
        "20260131T0960",
        "20260131T2401",
        "31.01.2026",
        "2026-01-31T",
        "2026-01-31T9:30",
        "2026-01-31T24:01",
        "2026-01-31T25:00",
        "2026-01-31T09:60",
        "2026-01-31T09:30:61",
        "2026-01-31T09:30:00.",
        "2026-01-31T09:30:00+",
        "2026-01-31T09:30:00+1",
        "2026-01-31T09:30:00+01:",
        "2026-01-31T09:30:00+01:60",
        "2026-01-31T09:30:00+19:00",
        "2026-01-31T09:30:00Zx",
        "2026-01-31T09:30:00 +01:00",
        "2026-01-31x",
        "2026-01-31T09:30;DROP",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        refuse(texts[i]);
    }
}

T_CASE(times_are_formatted_with_their_offset) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_time_format(1769851800, 3600, text);
    T_STR(text, "2026-01-31T10:30:00+01:00");
    sq_time_format(1769851800, -12600, text);
    T_STR(text, "2026-01-31T06:00:00-03:30");
    sq_time_format(0, 0, text);
    T_STR(text, "1970-01-01T00:00:00+00:00");
    /*
     * Local mean time has seconds, ISO offsets do not: rounded to the minute.
     */
    sq_time_format(0, 2048, text);
    T_STR(text, "1970-01-01T00:34:00+00:34");
    sq_time_format(0, -30, text);
    T_STR(text, "1970-01-01T00:00:00+00:00");
    sq_time_format_wall(1769851800, 3600, text);
    T_STR(text, "2026-01-31 10:30:00");
    sq_date_format((struct sq_date){ 2026, 3, 4 }, text);
    T_STR(text, "2026-03-04");
}

T_CASE(formatted_times_can_be_parsed) {
    for (int i = 0; i < 20000; i++) {
        char text[SQ_TIME_TEXT_SIZE];
        int64_t utc = t_random_between(0, 4102444800);
        int offset_s = (int)t_random_between(-48, 56) * 900;
        sq_time_format(utc, offset_s, text);
        struct sq_time_text time = read_time(text);
        T_INT(time.wall_s - time.offset_s, utc);
        T_INT(time.offset_s, offset_s);
    }
}

/* One "?" per byte would hide what was typed. */
T_CASE(refused_text_is_quoted_as_it_is) {
    struct sq_time_text time;
    T(!sq_time_parse(sq_span_of("fr\xc3\xbcher"), &time, &t_err));
    T_STR(t_err.message, "\"fr\xc3\xbcher\" is not a date or time");
    T(!sq_time_parse(sq_span_of("a\033\xff"), &time, &t_err));
    T_STR(t_err.message, "\"a??\" is not a date or time");
    T(!sq_time_parse(sq_span_of("a text of more than forty characters, which "
                                "is shortened"),
                     &time, &t_err));
    T_STR(t_err.message, "\"a text of more than forty characters, wh...\" is "
                         "not a date or time");
}
