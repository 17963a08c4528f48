/* Days and moments as people write them: today, yesterday, -7d, monday, T10. */
#ifndef SQ_ARCHIVE_TIME_WORD_H
#define SQ_ARCHIVE_TIME_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/zone.h"
#include "util/span.h"
#include "util/time_text.h"

/* What words are relative to. */
struct sq_time_base {
    const struct sq_zone *zone;
    int64_t now_utc;
    int64_t day; /* since 1970: of a time of day without a date */
};

#define SQ_TIME_WORD_SIZE 96

struct sq_time_word {
    char text[SQ_TIME_WORD_SIZE]; /* the same for sq_time_parse */
    bool is_distance;             /* "-7d": so long before now */
};

/*
 * Read, in any case: today, yesterday, now; the days of the week in English,
 * also by three letters, which is the latest such day up to today, with "last"
 * before it up to yesterday; -N with d or w, a day of the calendar, or with h
 * or min, a moment; a time of day, as T10, T1030 or 10:30. Days may be followed
 * by "T" or " " and a time. False if it is none of these.
 */
bool sq_time_word_read(struct sq_span text, const struct sq_time_base *base,
                       struct sq_time_word *out);

/* The day (since 1970) that clocks of the zone show at that moment. */
int64_t sq_time_local_day(const struct sq_zone *zone, int64_t utc);

#endif
