/* Time zones: files of the system, and rules of POSIX. */
#ifndef SQ_UTIL_TZIF_H
#define SQ_UTIL_TZIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

/*
 * Time zone rules in POSIX TZ format such as "CET-1CEST,M3.5.0,M10.5.0/3". They
 * apply to times that the zone's transition table does not cover.
 */
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

#define SQ_TZIF_MAX_BYTES ((size_t)256 << 10)

struct sq_tzif_step {
    int64_t at_utc; /* offset_s applies from this time on */
    int32_t offset_s;
};

/* May be read directly. */
struct sq_tzif {
    struct sq_tzif_step *steps; /* sorted by time */
    size_t count;
    int32_t first_offset_s; /* before the first step */
    bool has_rule;          /* rule applies after the last step */
    struct sq_zone_rule rule;
};

/*
 * Parses a whole file. The caller frees *out with sq_tzif_finish. Fails with
 * SQ_ERR_UNSUPPORTED for files with leap seconds, SQ_ERR_FORMAT or
 * SQ_ERR_TRUNCATED for invalid files.
 */
bool sq_tzif_parse(const uint8_t *bytes, size_t count, struct sq_tzif *out,
                   struct sq_err *err);

/* Frees the steps. Safe on a zeroed value and when called twice. */
void sq_tzif_finish(struct sq_tzif *tzif);

/* Returns the local offset at a UTC time, in seconds east of UTC. */
int sq_tzif_offset(const struct sq_tzif *tzif, int64_t utc);

#endif
