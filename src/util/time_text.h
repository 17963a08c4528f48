/*
 * Dates and times as ISO 8601 writes them, in the Gregorian calendar carried
 * back and forth without end. No zones by name and no clock: see sys/zone.h
 * and sys/clock.h.
 */
#ifndef SQ_UTIL_TIME_TEXT_H
#define SQ_UTIL_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_DAY_S 86400

struct sq_date {
    int year;
    int month; /* from 1 */
    int day;   /* from 1 */
};

/* Whether the calendar has that day; years 0 to 9999. */
bool sq_date_is_real(struct sq_date date);

/* Days since 1970-01-01. */
int64_t sq_date_to_days(struct sq_date date);

/* The same backwards, for days whose year is an int. */
struct sq_date sq_date_from_days(int64_t days);

/* The day a second since 1970 lies in; also right before 1970. */
int64_t sq_days_of_seconds(int64_t seconds);

/* Of a day since 1970; 0: Sunday. */
int sq_weekday_of_days(int64_t days);

/* A moment as it was written. */
struct sq_time_text {
    int64_t wall_s; /* the clock on the wall, as if it were UTC; since 1970 */
    int nanos;      /* what lies beyond wall_s */
    bool has_time;  /* false: only a date; wall_s is its midnight */
    bool has_offset;
    int offset_s; /* east of UTC */
};

/*
 * Read all of the text: YYYY-MM-DD, or that, one of "T", "t" and " ", and
 * HH[:MM[:SS[.fraction]]] with or without Z, +HH, +HHMM or +HH:MM after it.
 * Both also in the basic form: YYYYMMDD, HH[MM[SS[.fraction]]]. 24:00 is the
 * next midnight, second 60 the next minute. A fraction finer than a nanosecond
 * is cut off. SQ_ERR_ARGUMENT says what is wrong.
 */
bool sq_time_parse(struct sq_span text, struct sq_time_text *out,
                   struct sq_err *err);

#define SQ_TIME_TEXT_SIZE 48

/* "2026-01-02T03:04:05+01:00": utc as clocks so far east of UTC show it. */
void sq_time_format(int64_t utc, int offset_s, char out[SQ_TIME_TEXT_SIZE]);

/* "2026-01-02 03:04:05", for people. */
void sq_time_format_wall(int64_t utc, int offset_s,
                         char out[SQ_TIME_TEXT_SIZE]);

/* "2026-01-02" */
void sq_date_format(struct sq_date date, char out[SQ_TIME_TEXT_SIZE]);

#endif
