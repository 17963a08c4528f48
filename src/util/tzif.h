/* Compiled time zones: the TZif files of RFC 8536 that zoneinfo holds. */
#ifndef SQ_UTIL_TZIF_H
#define SQ_UTIL_TZIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"
#include "util/zone_rule.h"

#define SQ_TZIF_MAX_BYTES ((size_t)256 << 10)

struct sq_tzif_step {
    int64_t at_utc; /* from then on */
    int32_t offset_s;
};

/* A value: read freely. */
struct sq_tzif {
    struct sq_tzif_step *steps; /* in order */
    size_t count;
    int32_t first_offset_s; /* before all steps */
    bool has_rule;          /* behind the last step */
    struct sq_zone_rule rule;
};

/*
 * Read a whole file; *out is for sq_tzif_finish. Files that count leap seconds
 * are SQ_ERR_UNSUPPORTED, what is no such file SQ_ERR_FORMAT or _TRUNCATED.
 */
bool sq_tzif_parse(const uint8_t *bytes, size_t count, struct sq_tzif *out,
                   struct sq_err *err);

/* Safe on a zeroed value and twice. */
void sq_tzif_finish(struct sq_tzif *tzif);

/* Seconds east of UTC that clocks show at that moment. */
int sq_tzif_offset(const struct sq_tzif *tzif, int64_t utc);

#endif
