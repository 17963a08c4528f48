/*
 * Time zone rules in POSIX TZ format such as "CET-1CEST,M3.5.0,M10.5.0/3". They
 * apply to times that the zone's transition table does not cover.
 */
#ifndef SQ_UTIL_ZONE_RULE_H
#define SQ_UTIL_ZONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/span.h"

enum sq_zone_day {
    SQ_ZONE_DAY_JULIAN, /* 1 to 365, never counting February 29 */
    SQ_ZONE_DAY_ZERO,   /* 0 to 365, counting February 29 */
    SQ_ZONE_DAY_WEEK,   /* the week-th weekday of a month; 5: the last */
};

/* The moment of a year at which the UTC offset changes. */
struct sq_zone_change {
    enum sq_zone_day kind;
    int day; /* of the year, or of the week (0: Sunday) */
    int week;
    int month;
    int time_s; /* in local time before the change; may be outside the day */
};

/* Owns no memory. */
struct sq_zone_rule {
    int offset_s; /* seconds east of UTC */
    int summer_offset_s;
    bool has_summer;
    struct sq_zone_change to_summer;
    struct sq_zone_change to_winter;
};

/*
 * Parses all of text. Returns false, with *out unchanged, if it is not a rule.
 */
bool sq_zone_rule_parse(struct sq_span text, struct sq_zone_rule *out);

/* Returns the local offset at a UTC time, in seconds east of UTC. */
int sq_zone_rule_offset(const struct sq_zone_rule *rule, int64_t utc);

#endif
