/* ISO 8601 parser and formatter, and calendar arithmetic. */
#include "util/time_text.h"

#include <stdlib.h>

#include "util/bytes.h"
#include "util/span.h"
#include "util/utf8.h"

#define MAX_OFFSET_HOURS 18
#define NANO_DIGITS 9
#define SHOWN_SIZE 46 /* of a text in quotes */

/* Days in 400 years, after which the calendar repeats. */
#define ERA_DAYS 146097
/* Days from 0000-03-01, the start of the first era, to 1970-01-01. */
#define EPOCH_DAYS 719468

static bool
is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int
days_in_month(int year, int month) {
    static const int days[] = {
        31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

bool
sq_date_is_real(struct sq_date date) {
    return date.year >= 0 && date.year <= 9999 && date.month >= 1
        && date.month <= 12 && date.day >= 1
        && date.day <= days_in_month(date.year, date.month);
}

static int64_t
floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/*
 * Years start in March, so that the leap day is the last day of a year and the
 * months before a given one have (153 * month + 2) / 5 days.
 */
int64_t
sq_date_to_days(struct sq_date date) {
    int64_t year = (int64_t)date.year - (date.month <= 2);
    int64_t era = floor_div(year, 400);
    int64_t of_era = year - era * 400;
    int64_t month = date.month + (date.month > 2 ? -3 : 9);
    int64_t of_year = (153 * month + 2) / 5 + date.day - 1;
    int64_t day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * ERA_DAYS + day - EPOCH_DAYS;
}

struct sq_date
sq_date_from_days(int64_t days) {
    int64_t shifted = days + EPOCH_DAYS;
    int64_t era = floor_div(shifted, ERA_DAYS);
    int64_t day = shifted - era * ERA_DAYS;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int64_t of_year = day - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    struct sq_date date;
    date.day = (int)(of_year - (153 * month + 2) / 5 + 1);
    date.month = (int)(month < 10 ? month + 3 : month - 9);
    date.year = (int)(year + era * 400 + (date.month <= 2));
    return date;
}

int64_t
sq_days_of_seconds(int64_t seconds) {
    return floor_div(seconds, SQ_DAY_S);
}

int
sq_weekday_of_days(int64_t days) {
    /* 1970-01-01 was a Thursday. */
    return (int)(((days + 4) % 7 + 7) % 7);
}

static bool
take_digits(struct sq_span *rest, size_t count, int *value) {
    int number = 0;
    if (rest->len < count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        char byte = rest->ptr[i];
        if (byte < '0' || byte > '9') {
            return false;
        }
        number = number * 10 + (byte - '0');
    }
    sq_span_skip(rest, count);
    *value = number;
    return true;
}

/* Takes one byte that is in `of`. */
static bool
take_one(struct sq_span *rest, const char *of, char *byte) {
    for (const char *one = of; rest->len && *one; one++) {
        if (rest->ptr[0] == *one) {
            *byte = *one;
            sq_span_skip(rest, 1);
            return true;
        }
    }
    return false;
}

/* Takes ".5" or ",5", with any number of digits. */
static bool
take_fraction(struct sq_span *rest, int *nanos) {
    char point;
    int digit;
    int count = 0;
    *nanos = 0;
    if (!take_one(rest, ".,", &point)) {
        return true;
    }
    for (; take_digits(rest, 1, &digit); count++) {
        *nanos = count < NANO_DIGITS ? *nanos * 10 + digit : *nanos;
    }
    for (int i = count; i < NANO_DIGITS; i++) {
        *nanos *= 10;
    }
    return count > 0;
}

/* Takes Z, +HH, +HHMM, +HH:MM or nothing. */
static bool
take_offset(struct sq_span *rest, struct sq_time_text *out) {
    char sign;
    char colon;
    int hours = 0;
    int minutes = 0;
    if (!take_one(rest, "Zz+-", &sign)) {
        return true;
    }
    out->has_offset = true;
    if (sign == 'Z' || sign == 'z') {
        return true;
    }
    if (!take_digits(rest, 2, &hours)) {
        return false;
    }
    bool has_colon = take_one(rest, ":", &colon);
    if (!take_digits(rest, 2, &minutes) && has_colon) {
        return false;
    }
    int seconds = hours * 3600 + minutes * 60;
    out->offset_s = sign == '-' ? -seconds : seconds;
    return minutes < 60 && seconds <= MAX_OFFSET_HOURS * 3600;
}

/* The time of day as written. */
struct clock {
    int hour;
    int minute;
    int second;
    int nanos;
};

static bool
is_real_time(const struct clock *clock) {
    return clock->minute <= 59 && clock->second <= 60 && clock->hour <= 24
        && (clock->hour < 24
            || (!clock->minute && !clock->second && !clock->nanos));
}

/* "10", "10:30", "10:30:00.5" */
static bool
take_extended(struct sq_span *rest, struct clock *clock) {
    char colon;
    if (!take_one(rest, ":", &colon)) {
        return true;
    }
    return take_digits(rest, 2, &clock->minute)
        && (!take_one(rest, ":", &colon)
            || (take_digits(rest, 2, &clock->second)
                && take_fraction(rest, &clock->nanos)));
}

/* "1030", "103000.5"; the hour has been taken. */
static bool
take_basic(struct sq_span *rest, struct clock *clock) {
    if (!take_digits(rest, 2, &clock->minute)) {
        return true;
    }
    return !take_digits(rest, 2, &clock->second)
        || take_fraction(rest, &clock->nanos);
}

static bool
take_clock(struct sq_span *rest, struct sq_time_text *out) {
    struct clock clock = { 0 };
    if (!take_digits(rest, 2, &clock.hour)) {
        return false;
    }
    bool is_extended = rest->len > 0 && rest->ptr[0] == ':';
    if (!(is_extended ? take_extended(rest, &clock) : take_basic(rest, &clock))
        || !is_real_time(&clock)) {
        return false;
    }
    out->nanos = clock.nanos;
    out->wall_s += clock.hour * 3600 + clock.minute * 60 + clock.second;
    return true;
}

static bool
take_time(struct sq_span *rest, struct sq_time_text *out) {
    char byte;
    if (!take_one(rest, "Tt ", &byte) || !take_clock(rest, out)) {
        return false;
    }
    out->has_time = true;
    return take_offset(rest, out);
}

/* "2026-01-31", or "20260131". */
static bool
take_date(struct sq_span *rest, struct sq_date *out) {
    char dash;
    if (!take_digits(rest, 4, &out->year)) {
        return false;
    }
    bool is_extended = take_one(rest, "-", &dash);
    return take_digits(rest, 2, &out->month)
        && is_extended == take_one(rest, "-", &dash)
        && take_digits(rest, 2, &out->day);
}

/* Writes "; did you mean yesterday?" for a mistyped word, or nothing. */
static void
find_similar_word(struct sq_span text, char out[SQ_NEAREST_REMARK_SIZE]) {
    static const char *const words[] = {
        "now",       "today",     "yesterday",  "monday",     "tuesday",
        "wednesday", "thursday",  "friday",     "saturday",   "sunday",
        "this week", "last week", "this month", "last month",
    };
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, text);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        sq_nearest_try(&nearest, words[i]);
    }
    sq_nearest_remark(&nearest, out);
}

bool
sq_time_parse(struct sq_span text, struct sq_time_text *out,
              struct sq_err *err) {
    struct sq_time_text parsed = { 0 };
    struct sq_span rest = sq_span_trim(text);
    struct sq_date date;
    char shown[SHOWN_SIZE];
    sq_plain_quote(text, shown, sizeof(shown));
    if (!take_date(&rest, &date)) {
        char similar[SQ_NEAREST_REMARK_SIZE];
        find_similar_word(rest, similar);
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is not a date or time%s", shown,
                similar);
        return sq_fail_hint(err, "Write 2026-01-31, 2026-01-31T09:30 or "
                                 "2026-01-31T09:30:00+01:00.");
    }
    if (!sq_date_is_real(date)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is not a valid date", shown);
        return sq_fail_hint(err, "Write year-month-day, such as 2026-01-31.");
    }
    parsed.wall_s = sq_date_to_days(date) * SQ_DAY_S;
    if (rest.len > 0 && (!take_time(&rest, &parsed) || rest.len > 0)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the time of day in %s is not valid",
                shown);
        return sq_fail_hint(err,
                            "Write 2026-01-31T09:30:00; append Z or +01:00 "
                            "for an offset from UTC.");
    }
    *out = parsed;
    return true;
}

char *
sq_date_put(char *at, struct sq_date date) {
    if (date.year >= 0 && date.year <= 9999) {
        at = sq_put_two_digits(at, (unsigned)date.year / 100);
        at = sq_put_two_digits(at, (unsigned)date.year % 100);
    } else {
        at = sq_put_signed(at, date.year, 3);
    }
    *at++ = '-';
    at = sq_put_two_digits(at, (unsigned)date.month);
    *at++ = '-';
    return sq_put_two_digits(at, (unsigned)date.day);
}

char *
sq_clock_put(char *at, int second_of_day, char separator) {
    at = sq_put_two_digits(at, (unsigned)second_of_day / 3600);
    *at++ = separator;
    at = sq_put_two_digits(at, (unsigned)second_of_day / 60 % 60);
    *at++ = separator;
    return sq_put_two_digits(at, (unsigned)second_of_day % 60);
}

/* Writes local date and time of day; returns the end. */
static char *
put_wall(char *at, int64_t wall_s, char between) {
    int64_t days = sq_days_of_seconds(wall_s);
    at = sq_date_put(at, sq_date_from_days(days));
    *at++ = between;
    return sq_clock_put(at, (int)(wall_s - days * SQ_DAY_S), ':');
}

void
sq_time_format(int64_t utc, int offset_s, char out[SQ_TIME_TEXT_SIZE]) {
    /*
     * ISO 8601 offsets have no seconds. Historic offsets are truncated to
     * minutes.
     */
    int minutes = abs(offset_s) / 60;
    char sign = offset_s < 0 && minutes ? '-' : '+';
    int shown_s = sign == '-' ? -minutes * 60 : minutes * 60;
    char *at = put_wall(out, utc + shown_s, 'T');
    *at++ = sign;
    at = sq_put_two_digits(at, (unsigned)minutes / 60);
    *at++ = ':';
    *sq_put_two_digits(at, (unsigned)minutes % 60) = '\0';
}

void
sq_time_format_wall(int64_t utc, int offset_s, char out[SQ_TIME_TEXT_SIZE]) {
    *put_wall(out, utc + offset_s, ' ') = '\0';
}

void
sq_date_format(struct sq_date date, char out[SQ_TIME_TEXT_SIZE]) {
    *sq_date_put(out, date) = '\0';
}
