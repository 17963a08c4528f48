/*
 * Decides when a screen is at rest, from what its frames hash to. The same code
 * watches it on the phone and from here, so it needs no C library and does not
 * read the clock.
 */
#ifndef SQ_EYE_REST_H
#define SQ_EYE_REST_H

#include <stdbool.h>
#include <stdint.h>

/* In milliseconds, each at most SQ_REST_MAX_MS. */
struct sq_rest_rule {
    uint32_t poll_ms; /* between two looks at most; the first is immediate */
    uint32_t rest_ms; /* equal for this long is at rest */
    /*
     * But not before a look that began after this time, unless something has
     * changed. Looks become less frequent meanwhile.
     */
    uint32_t react_ms;
    uint32_t limit_ms; /* after which watching ends */
    /*
     * The last look may begin before the rest is reached, if it ends after it:
     * a look that takes longer than what is left begins immediately.
     */
    bool begins_early;
};
#define SQ_REST_MAX_MS 120000

/* Returns whether no time is above the maximum. */
bool sq_rest_is_valid(const struct sq_rest_rule *rule);

enum sq_rest_state {
    SQ_REST_GOES_ON,
    SQ_REST_SETTLED,
    SQ_REST_OVER, /* the limit is reached, and it is not at rest */
    SQ_REST_STATES,
};

/* Watching in progress. Times are those of any clock, in milliseconds. */
struct sq_rest {
    struct sq_rest_rule rule;
    uint64_t before; /* hash of the frame before the action; 0: none */
    uint64_t last;   /* hash of the last look; 0: none yet */
    int64_t start_ms;
    int64_t quiet_ms; /* since when all looks have been equal */
};

/*
 * Starts to watch. quiet_ms is how long the screen has been equal to `before`;
 * 0: that is not known. *pause_ms is how long to wait before the first look.
 */
struct sq_rest sq_rest_begin(const struct sq_rest_rule *rule, uint64_t before,
                             uint32_t quiet_ms, int64_t now_ms,
                             uint32_t *pause_ms);

/*
 * Takes the result of a look that began at begun_ms and has ended at now_ms.
 * With SQ_REST_GOES_ON, *pause_ms is how long to wait before the next one.
 */
enum sq_rest_state sq_rest_look(struct sq_rest *rest, uint64_t hash,
                                int64_t begun_ms, int64_t now_ms,
                                uint32_t *pause_ms);

#endif
