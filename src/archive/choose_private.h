/* What the ways of choosing share among themselves. */
#ifndef SQ_ARCHIVE_CHOOSE_PRIVATE_H
#define SQ_ARCHIVE_CHOOSE_PRIVATE_H

#include "archive/choose.h"

#define SQ_NO_LABEL UINT32_MAX

/* A shot that would do, before the cap. */
struct sq_candidate {
    uint32_t shot;
    uint32_t low; /* its stand-ins */
    uint32_t high;
    uint32_t label;
    int64_t weight; /* of its neighbours, the heaviest is kept */
};

/*
 * The first shot at or after that moment, found fast if it lies not far behind
 * hint; none before hint is looked at.
 */
size_t sq_shots_gallop(const struct sq_shots *shots, size_t hint, int64_t utc);

/* Behind the last shot of the same second. */
size_t sq_shots_second_end(const struct sq_shots *shots, size_t index);

/* The first with a thumbnail up to that moment and place, or else `index`. */
size_t sq_shots_prefer(const struct sq_shots *shots, size_t index, size_t end,
                       int64_t until_utc);

/* Where the rank-th of `count` lies if they are spread evenly over `all`. */
size_t sq_spread_at(size_t rank, size_t count, size_t all);

/*
 * Keep as many candidates as the cap allows, spread evenly, and take all shots
 * of their seconds. Candidates are in the order of their shots. Fills picks,
 * count and wanted.
 */
bool sq_choose_fit(const struct sq_choose_ask *ask,
                   const struct sq_candidate *candidates, size_t count,
                   struct sq_arena *arena, struct sq_choice *out,
                   struct sq_err *err);

/* Each fills everything but `used`; *found is false if it has no answer. */
bool sq_choose_interval(const struct sq_choose_ask *ask, struct sq_arena *arena,
                        struct sq_choice *out, struct sq_err *err);
bool sq_choose_activity(const struct sq_choose_ask *ask, struct sq_arena *arena,
                        struct sq_choice *out, bool *found, struct sq_err *err);
bool sq_choose_coverage(const struct sq_choose_ask *ask, struct sq_arena *arena,
                        struct sq_choice *out, bool *found, struct sq_err *err);

#endif
