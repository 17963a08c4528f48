/* Parses relative dates and times: today, yesterday, -7d, monday, T10. */
#ifndef SQ_ARCHIVE_NAMES_TIME_WORD_H
#define SQ_ARCHIVE_NAMES_TIME_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/zone.h"
#include "util/span.h"
#include "util/time_text.h"

/* What relative times refer to. */
struct sq_time_base {
    const struct sq_zone *zone;
    int64_t now_utc;
    int64_t day; /* since 1970: the day of a time without a date */
};

#define SQ_TIME_WORD_SIZE 96

struct sq_time_word {
    char text[SQ_TIME_WORD_SIZE]; /* absolute form, for sq_time_parse */
    bool is_distance;             /* relative to now, such as "-7d" */
};

/*
 * Parses a relative date or time; case is ignored:
 *
 * today, yesterday, now; a weekday in English, also as three letters: the
 * latest such day up to today, or up to yesterday after "last"; -N with d or w:
 * a calendar day; -N with h or min: a time; a time of day such as T10, T1030 or
 * 10:30. "T" or " " and a time may follow a day.
 *
 * Returns false for anything else.
 */
bool sq_time_word_read(struct sq_span text, const struct sq_time_base *base,
                       struct sq_time_word *out);

/* Returns the local day (since 1970) in the zone at that time. */
int64_t sq_time_local_day(const struct sq_zone *zone, int64_t utc);

#endif
