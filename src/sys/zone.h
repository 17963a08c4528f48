/*
 * Time zones. Several can be used at the same time without global state:
 * neither TZ nor the zone of the C library is changed.
 */
#ifndef SQ_SYS_ZONE_H
#define SQ_SYS_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

/* Immutable; safe to use from any thread. */
struct sq_zone;

/*
 * Creates the zone of that name ("Europe/Zurich", "UTC") from the system's
 * zoneinfo folder, or from a POSIX rule ("CET-1CEST,M3.5.0,M10.5.0/3"). NULL or
 * empty means the system's zone, from TZ or /etc/localtime, or UTC if neither
 * can be read. Fails with SQ_ERR_NOT_FOUND if the name is unknown.
 */
bool sq_zone_create(const char *name, struct sq_zone **out, struct sq_err *err);

void sq_zone_destroy(struct sq_zone *zone);

/* Returns the name to display: its name, or "the system's zone". */
const char *sq_zone_name(const struct sq_zone *zone);

/* Returns the offset from UTC at that time, in seconds; positive is east. */
int sq_zone_offset(const struct sq_zone *zone, int64_t utc);

enum sq_zone_wall {
    SQ_ZONE_ONCE,
    SQ_ZONE_TWICE, /* clocks were set back: this time occurs twice */
    SQ_ZONE_NEVER, /* clocks were set forward: it never occurs */
};

struct sq_zone_moment {
    int64_t utc;    /* the first such time */
    int64_t latest; /* the last one; equals utc unless TWICE */
    enum sq_zone_wall wall;
};

/*
 * Returns when local clocks show wall_s (seconds since 1970, as if UTC). A time
 * that never occurs is computed with the offset before the change: 02:30 in a
 * skipped hour is half an hour after the change.
 */
struct sq_zone_moment sq_zone_from_wall(const struct sq_zone *zone,
                                        int64_t wall_s);

#define SQ_ZONE_RULE_SIZE 96

/*
 * Writes the rule of the system's zone as POSIX has it in TZ; false where a
 * file has it.
 */
bool sq_zone_system_rule(char out[SQ_ZONE_RULE_SIZE]);

#endif
