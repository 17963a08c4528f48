/*
 * How long recorded screenshots stay: squint record --keep, and squint archive
 * prune.
 */
#ifndef SQ_APP_COMMANDS_RETENTION_H
#define SQ_APP_COMMANDS_RETENTION_H

#include "archive/recorded.h"
#include "sys/zone.h"
#include "util/buf.h"

/* A unit of an amount; one without a name ends a list. */
struct sq_unit {
    const char *name;
    int64_t factor;
};

/* Reads "30d": a number up to `most`, and a unit. */
bool sq_amount_read(const char *text, const struct sq_unit *units, int64_t most,
                    int64_t *out);

/*
 * Reads --keep ("30d") and --keep-size ("20G"); NULL: no limit. The rest of
 * *out is set to zero.
 */
bool sq_retention_parse(const char *age, const char *size,
                        struct sq_recorded_limits *out, struct sq_err *err);

struct sq_retention_result {
    struct sq_recorded_result files;
    int64_t texts; /* pictures whose text was removed from the index */
};

/*
 * Removes recorded screenshots of a folder beyond the limits, and their texts.
 * limits->now is ignored. *out says what was done, also on failure.
 */
bool sq_retention_apply(const char *folder, const struct sq_zone *zone,
                        const struct sq_recorded_limits *limits,
                        const struct sq_deadline *deadline,
                        struct sq_retention_result *out, struct sq_err *err);

/* Writes what was done, or would be: lines for people, or an object. */
bool sq_retention_put(const char *folder,
                      const struct sq_recorded_limits *limits,
                      const struct sq_retention_result *result, bool json,
                      struct sq_buf *out, struct sq_err *err);

#endif
