/* Parses and applies rules such as "Mon-Fri 20:00-06:00" or "2026-09-07". */
#ifndef SQ_ARCHIVE_NAMES_EXCLUDED_TIME_H
#define SQ_ARCHIVE_NAMES_EXCLUDED_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

enum sq_excluded_days {
    SQ_EXCLUDED_ANY_DAY,
    SQ_EXCLUDED_WEEKDAYS,
    SQ_EXCLUDED_DATES,
};

/* Times that recur, or days. A time that crosses midnight belongs to the day on
 * which it begins. */
struct sq_excluded_time {
    enum sq_excluded_days days;
    int32_t first;  /* weekday, 0: Sunday, or days since 1970 */
    int32_t last;   /* included; a weekday may be before the first */
    int32_t from_s; /* seconds of the day */
    int32_t to_s;   /* excluded; up to from_s: on the next day */
};

/*
 * Parses DAYS, TIMES or both: "Sat", "Mon-Fri", "2026-09-07",
 * "2026-09-07..2026-09-11", "20:00-06:00". Case is ignored.
 */
bool sq_excluded_time_read(struct sq_span text, struct sq_excluded_time *out,
                           struct sq_err *err);

/* Returns whether a local time, in seconds since 1970, is excluded. */
bool sq_excluded_time_has(const struct sq_excluded_time *time, int64_t local_s);

#endif
