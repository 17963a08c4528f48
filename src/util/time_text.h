/*
 * Dates and times in ISO 8601 format, in the proleptic Gregorian calendar.
 * Named zones are in sys/zone.h, the clock in sys/clock.h.
 */
#ifndef SQ_UTIL_TIME_TEXT_H
#define SQ_UTIL_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_HOUR_S 3600
#define SQ_DAY_S 86400

struct sq_date {
    int year;
    int month; /* from 1 */
    int day;   /* from 1 */
};

/* Returns whether the date exists in the calendar; for years 0 to 9999. */
bool sq_date_is_real(struct sq_date date);

/* Returns the number of days since 1970-01-01. */
int64_t sq_date_to_days(struct sq_date date);

/* Converts days since 1970-01-01 to a date. The year must fit an int. */
struct sq_date sq_date_from_days(int64_t days);

/* Converts seconds since 1970 to days, rounding down; also before 1970. */
int64_t sq_days_of_seconds(int64_t seconds);

/* Returns the weekday of a day since 1970-01-01; 0: Sunday. */
int sq_weekday_of_days(int64_t days);

/* A parsed time, before any conversion to UTC. */
struct sq_time_text {
    int64_t wall_s; /* local time as seconds since 1970, as if it were UTC */
    int nanos;      /* fraction of the second */
    bool has_time;  /* false: date only, wall_s is its midnight */
    bool has_offset;
    int offset_s; /* seconds east of UTC */
};

/*
 * Parses all of text: a date YYYY-MM-DD, optionally followed by "T", "t" or " "
 * and HH[:MM[:SS[.fraction]]], optionally followed by Z, +HH, +HHMM or +HH:MM.
 * Also accepts the basic forms YYYYMMDD and HH[MM[SS[.fraction]]]. 24:00 is the
 * next midnight, second 60 the next minute. Fractions are truncated to
 * nanoseconds. Fails with SQ_ERR_ARGUMENT and a message that names the mistake.
 */
bool sq_time_parse(struct sq_span text, struct sq_time_text *out,
                   struct sq_err *err);

#define SQ_TIME_TEXT_SIZE 48

/* Formats utc as local time with its offset: "2026-01-02T03:04:05+01:00". */
void sq_time_format(int64_t utc, int offset_s, char out[SQ_TIME_TEXT_SIZE]);

/* Formats utc as local time for people: "2026-01-02 03:04:05". */
void sq_time_format_wall(int64_t utc, int offset_s,
                         char out[SQ_TIME_TEXT_SIZE]);

/*
 * Writes a date, "2026-01-02", or the time of day, "03:04:05" with that
 * separator. Returns the end; writes no NUL.
 */
char *sq_date_put(char *at, struct sq_date date);
char *sq_clock_put(char *at, int second_of_day, char separator);

/* Formats a date: "2026-01-02". */
void sq_date_format(struct sq_date date, char out[SQ_TIME_TEXT_SIZE]);

#endif
