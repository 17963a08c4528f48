#include "sys/zone.h"

#include <time.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/time_text.h"

static struct sq_zone *
zone_of(const char *name) {
    struct sq_zone *zone = NULL;
    T_OK(sq_zone_create(name, &zone, &t_err));
    return zone;
}

/* Whether the machine has time zones at all. */
static bool
has_zones(void) {
    struct sq_zone *zone = NULL;
    bool ok = sq_zone_create("Europe/Zurich", &zone, &t_err);
    sq_zone_destroy(zone);
    if (!ok) {
        t_skip("no zoneinfo here");
    }
    return ok;
}

static int64_t
wall(const char *text) {
    struct sq_time_text time = { 0 };
    T(sq_time_parse(sq_span_of(text), &time, NULL));
    return time.wall_s;
}

/* The C library is the reference: many zones, times in 140 years. */
T_CASE(offsets_match_the_c_library) {
    static const char *const names[] = {
        "Europe/Zurich",       "America/New_York",
        "Australia/Lord_Howe", "Asia/Kathmandu",
        "America/Sao_Paulo",   "Africa/Casablanca",
        "Pacific/Apia",        "Europe/Dublin",
        "Antarctica/Troll",    "Asia/Tehran",
        "America/St_Johns",    "Asia/Gaza",
        "America/Nuuk",        "UTC",
        "Etc/GMT+5",
    };
    if (!has_zones()) {
        return;
    }
    const char *before = getenv("TZ");
    char *saved = before ? strdup(before) : NULL;
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        struct sq_zone *zone = zone_of(names[i]);
        setenv("TZ", names[i], 1);
        tzset();
        for (int j = 0; j < 3000; j++) {
            time_t utc = (time_t)t_random_between(-2000000000, 4102444800);
            struct tm tm;
            localtime_r(&utc, &tm);
            if (!T_INT(sq_zone_offset(zone, utc), tm.tm_gmtoff)) {
                T_STR(names[i], "");
                T_INT(utc, 0);
                break;
            }
        }
        sq_zone_destroy(zone);
    }
    saved ? setenv("TZ", saved, 1) : unsetenv("TZ");
    tzset();
    free(saved);
}

T_CASE(local_time_converts_to_utc) {
    struct sq_zone *zone = zone_of("CET-1CEST,M3.5.0,M10.5.0/3");
    struct sq_zone_moment moment =
        sq_zone_from_wall(zone, wall("2026-07-01T12:00"));
    T_INT(moment.utc, wall("2026-07-01T10:00"));
    T_INT(moment.latest, moment.utc);
    T_INT(moment.wall, SQ_ZONE_ONCE);
    /* Set back from 03:00 to 02:00: 02:30 is ambiguous. */
    moment = sq_zone_from_wall(zone, wall("2026-10-25T02:30"));
    T_INT(moment.wall, SQ_ZONE_TWICE);
    T_INT(moment.utc, wall("2026-10-25T00:30"));
    T_INT(moment.latest, wall("2026-10-25T01:30"));
    moment = sq_zone_from_wall(zone, wall("2026-10-25T03:00"));
    T_INT(moment.wall, SQ_ZONE_ONCE);
    T_INT(moment.utc, wall("2026-10-25T02:00"));
    /* Set forward from 02:00 to 03:00: 02:30 does not exist. */
    moment = sq_zone_from_wall(zone, wall("2026-03-29T02:30"));
    T_INT(moment.wall, SQ_ZONE_NEVER);
    T_INT(moment.utc, wall("2026-03-29T01:30"));
    moment = sq_zone_from_wall(zone, wall("2026-03-29T03:00"));
    T_INT(moment.wall, SQ_ZONE_ONCE);
    T_INT(moment.utc, wall("2026-03-29T01:00"));
    sq_zone_destroy(zone);
}

/* A skipped day, and a skipped midnight. */
T_CASE(skipped_days_and_midnights) {
    if (!has_zones()) {
        return;
    }
    struct sq_zone *zone = zone_of("Pacific/Apia");
    struct sq_zone_moment moment =
        sq_zone_from_wall(zone, wall("2011-12-30T12:00"));
    T_INT(moment.wall, SQ_ZONE_NEVER);
    sq_zone_destroy(zone);
    zone = zone_of("America/Sao_Paulo");
    moment = sq_zone_from_wall(zone, wall("2017-10-15T00:00"));
    T_INT(moment.wall, SQ_ZONE_NEVER);
    T_INT(moment.utc, wall("2017-10-15T03:00"));
    T_INT(sq_zone_offset(zone, moment.utc), -7200);
    sq_zone_destroy(zone);
}

T_CASE(utc_round_trips_through_local_time) {
    if (!has_zones()) {
        return;
    }
    struct sq_zone *zone = zone_of("Australia/Lord_Howe");
    for (int i = 0; i < 20000; i++) {
        int64_t utc = t_random_between(0, 4102444800);
        struct sq_zone_moment moment =
            sq_zone_from_wall(zone, utc + sq_zone_offset(zone, utc));
        T(moment.utc == utc || moment.latest == utc);
        T(moment.wall != SQ_ZONE_NEVER);
    }
    sq_zone_destroy(zone);
}

T_CASE(several_zones_can_be_open) {
    struct sq_zone *east = zone_of("AAA-5");
    struct sq_zone *west = zone_of("BBB+5");
    T_INT(sq_zone_offset(east, 0), 18000);
    T_INT(sq_zone_offset(west, 0), -18000);
    T_STR(sq_zone_name(east), "AAA-5");
    sq_zone_destroy(east);
    sq_zone_destroy(west);
    sq_zone_destroy(NULL);
}

T_CASE(unknown_names_are_refused) {
    static const char *const names[] = {
        "Europe/Nowhere",
        "../../../etc/passwd",
        "/etc/passwd",
        "a b",
        "Europe",
        "zone.tab",
        "x",
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        struct sq_zone *zone = NULL;
        if (!T(!sq_zone_create(names[i], &zone, &t_err))) {
            T_STR(names[i], "refused");
        }
        T_INT(t_err.code, SQ_ERR_NOT_FOUND);
        T(t_err.hint[0]);
        T(!zone);
    }
}

T_CASE(system_zone_is_found) {
    const char *before = getenv("TZ");
    char *saved = before ? strdup(before) : NULL;
    setenv("TZ", "AAA-5", 1);
    struct sq_zone *zone = zone_of(NULL);
    T_INT(sq_zone_offset(zone, 0), 18000);
    sq_zone_destroy(zone);
    setenv("TZ", "No/Such_Zone", 1);
    zone = zone_of("");
    T_INT(sq_zone_offset(zone, 0), 0);
    T_STR(sq_zone_name(zone), "UTC");
    sq_zone_destroy(zone);
    unsetenv("TZ");
    zone = zone_of(NULL);
    T(sq_zone_name(zone)[0]);
    sq_zone_destroy(zone);
    saved ? setenv("TZ", saved, 1) : unsetenv("TZ");
    free(saved);
}

static bool
build(void *context, struct sq_err *err) {
    struct sq_zone *zone = NULL;
    bool ok = sq_zone_create(context, &zone, err);
    sq_zone_destroy(zone);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    static char name[] = "Europe/Zurich";
    if (has_zones()) {
        T(t_alloc_torture(build, name) > 2);
    }
    T(t_alloc_torture(build, NULL) > 0);
}
