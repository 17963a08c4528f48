/* What the ways of choosing share among themselves. */
#ifndef SQ_ARCHIVE_SAMPLING_PRIVATE_H
#define SQ_ARCHIVE_SAMPLING_PRIVATE_H

#include "archive/sampling.h"

#define SQ_NO_LABEL UINT32_MAX

/* A shot that would do, before the cap. */
struct sq_candidate {
    uint32_t shot;
    uint32_t low; /* its stand-ins */
    uint32_t high;
    uint32_t label;
    int64_t weight; /* of its like, the heaviest is kept */
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

/* From this many days on, each day gets the same share of a choice. */
#define SQ_CHOOSE_MIN_DAYS 4

/* What the clock showed where it was taken, in seconds since 1970. */
static inline int64_t
sq_shot_local_s(const struct sq_shot *shot) {
    return (int64_t)shot->utc + (int64_t)shot->quarters * 900;
}

/* How much of a stretch lies in the window. */
int64_t sq_segment_time_s(const struct sq_segment *segment,
                          const struct sq_window *window);

/*
 * Share `total` out among places, to each as many as to the others, but not
 * more than its room; what is left over is spread over them. out has count
 * items; their sum is total, or that of all room if it is less.
 */
void sq_share_evenly(const uint32_t *room, size_t count, size_t total,
                     uint32_t *out);

/* How many shots the second of a candidate has. */
size_t sq_candidate_shots(const struct sq_shots *shots,
                          const struct sq_candidate *candidate);

/* Candidates in the order of their shots, and which of them are wanted. */
struct sq_candidates {
    const struct sq_candidate *items;
    size_t count;
    const bool *is_chosen; /* of each; NULL: all */
};

/* Take all shots of their seconds, up to the cap. Fills picks and count. */
bool sq_choose_keep(const struct sq_choose_ask *ask,
                    const struct sq_candidates *candidates,
                    struct sq_arena *arena, struct sq_choice *out,
                    struct sq_err *err);

/*
 * Keep as many candidates as the cap allows, spread evenly, and take all shots
 * of their seconds. Fills picks, count and wanted.
 */
bool sq_choose_fit(const struct sq_choose_ask *ask,
                   const struct sq_candidate *candidates, size_t count,
                   struct sq_arena *arena, struct sq_choice *out,
                   struct sq_err *err);

/*
 * The same, but fair: days or hours evenly, labels by their share of the time
 * that the ask's segments have. Fills also is_by_day.
 */
bool sq_choose_fair(const struct sq_choose_ask *ask,
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
