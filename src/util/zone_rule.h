/*
 * What the clocks of one place do when no table says it: the rule of a POSIX
 * TZ text such as "CET-1CEST,M3.5.0,M10.5.0/3".
 */
#ifndef SQ_UTIL_ZONE_RULE_H
#define SQ_UTIL_ZONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/span.h"

enum sq_zone_day {
    SQ_ZONE_DAY_JULIAN, /* 1 to 365, never counting February 29 */
    SQ_ZONE_DAY_ZERO,   /* 0 to 365, counting it */
    SQ_ZONE_DAY_WEEK,   /* the week-th weekday of a month; 5: the last */
};

/* When in a year the clocks change. */
struct sq_zone_change {
    enum sq_zone_day kind;
    int day; /* of the year, or of the week from Sunday */
    int week;
    int month;
    int time_s; /* by the clocks before the change; may leave the day */
};

/* A value that holds no memory. */
struct sq_zone_rule {
    int offset_s; /* east of UTC */
    int summer_offset_s;
    bool has_summer;
    struct sq_zone_change to_summer;
    struct sq_zone_change to_winter;
};

/* Read all of the text; false, and *out untouched, if it is not such a rule. */
bool sq_zone_rule_parse(struct sq_span text, struct sq_zone_rule *out);

/* Seconds east of UTC that clocks show at that moment. */
int sq_zone_rule_offset(const struct sq_zone_rule *rule, int64_t utc);

#endif
