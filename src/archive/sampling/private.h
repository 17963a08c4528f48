/* Shares definitions between the sampling methods; only for this folder. */
#ifndef SQ_ARCHIVE_SAMPLING_PRIVATE_H
#define SQ_ARCHIVE_SAMPLING_PRIVATE_H

#include "archive/sampling/sampling.h"
#include "util/time_text.h"

#define SQ_NO_LABEL UINT32_MAX

/* A possible pick, before the cap is applied. */
struct sq_candidate {
    uint32_t shot;
    uint32_t low; /* its replacements: low <= index < high */
    uint32_t high;
    uint32_t label;
    int64_t weight; /* among equals, the heaviest is kept */
};

/* Returns the first shot at or after utc, not before hint, searched upwards. */
size_t sq_shots_gallop(const struct sq_shots *shots, size_t hint, int64_t utc);

/* Returns the index after the last shot of the same second. */
static inline size_t
sq_shots_second_end(const struct sq_shots *shots, size_t index) {
    uint32_t utc = shots->items[index].utc;
    while (++index < shots->count && shots->items[index].utc == utc) {
    }
    return index;
}

/*
 * Returns the first shot with a thumbnail from `index` on, before `end` and not
 * after until_utc, or else `index`.
 */
size_t sq_shots_prefer(const struct sq_shots *shots, size_t index, size_t end,
                       int64_t until_utc);

/* Returns the place of the rank-th of `count` items spread over `all`. */
size_t sq_spread_at(size_t rank, size_t count, size_t all);

/* With at least this many days, each day gets the same share of the picks. */
#define SQ_CHOOSE_MIN_DAYS 4

/* Returns how many seconds of a segment lie in the window. */
int64_t sq_segment_time_s(const struct sq_segment *segment,
                          const struct sq_window *window);

/*
 * Distributes `total` evenly over `count` slots of limited capacity; the
 * remainder is spread over the slots. The sum of out is the smaller of total
 * and the sum of capacity.
 */
void sq_share_evenly(const uint32_t *capacity, size_t count, size_t total,
                     uint32_t *out);

/* Returns the number of shots in the second of a candidate. */
size_t sq_candidate_shots(const struct sq_shots *shots,
                          const struct sq_candidate *candidate);

/*
 * Returns the largest count from 1 to `most` that measures at most `limit`, or
 * 1. More of them measure more.
 */
size_t sq_largest_fit(size_t most, size_t limit,
                      size_t (*measure)(void *context, size_t count),
                      void *context);

/* Picks all shots of the candidates' seconds up to the cap, and counts them. */
void sq_choose_keep(const struct sq_choose_request *request,
                    const struct sq_candidate *candidates, size_t count,
                    struct sq_choice *out);

/*
 * Does so for as many candidates as the cap allows, with all their shots: gives
 * days or hours equal shares, and labels a share according to their time in the
 * segments. Moves those to the start. Also fills wanted and is_by_day.
 */
bool sq_choose_fair(const struct sq_choose_request *request,
                    struct sq_candidate *candidates, size_t count,
                    struct sq_choice *out, struct sq_err *err);

/*
 * Each fills all but `used`; out->picks has room. There are no picks if the
 * method does not apply.
 */
bool sq_choose_interval(const struct sq_choose_request *request,
                        struct sq_choice *out, struct sq_err *err);
bool sq_choose_activity(const struct sq_choose_request *request,
                        struct sq_choice *out, struct sq_err *err);
bool sq_choose_coverage(const struct sq_choose_request *request,
                        struct sq_choice *out, struct sq_err *err);

#endif
