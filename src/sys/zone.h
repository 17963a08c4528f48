/*
 * What clocks show in one place of the earth. Any number of zones at once, no
 * global state: neither TZ nor the C library's idea of it is changed.
 */
#ifndef SQ_SYS_ZONE_H
#define SQ_SYS_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

/* Never changes; any thread may ask it. */
struct sq_zone;

/*
 * The zone of that name ("Europe/Zurich", "UTC") from the system's zoneinfo
 * folder, or a POSIX rule ("CET-1CEST,M3.5.0,M10.5.0/3"). NULL or empty: the
 * system's own, by TZ or /etc/localtime; UTC where neither can be read. An
 * unknown name is SQ_ERR_NOT_FOUND.
 */
bool sq_zone_create(const char *name, struct sq_zone **out, struct sq_err *err);

/* Accepts NULL. */
void sq_zone_destroy(struct sq_zone *zone);

/* What to call it to people: its name, or "the system's zone". */
const char *sq_zone_name(const struct sq_zone *zone);

/* Seconds east of UTC that clocks show at that moment. */
int sq_zone_offset(const struct sq_zone *zone, int64_t utc);

enum sq_zone_wall {
    SQ_ZONE_ONCE,
    SQ_ZONE_TWICE, /* clocks were set back: this time came twice */
    SQ_ZONE_NEVER, /* clocks were set forward over it */
};

struct sq_zone_moment {
    int64_t utc;    /* the first such moment */
    int64_t latest; /* the last; utc unless it came twice */
    enum sq_zone_wall wall;
};

/*
 * The moment when clocks show wall_s (seconds since 1970, as if UTC). A time
 * that never was counts from the clocks before the change: 02:30 in a missing
 * hour is half an hour after it.
 */
struct sq_zone_moment sq_zone_from_wall(const struct sq_zone *zone,
                                        int64_t wall_s);

#endif
