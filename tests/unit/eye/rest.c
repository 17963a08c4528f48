/* When a screen is at rest. */
#include "eye/rest.h"

#include "support/test.h"

/* As receipts have it. */
static const struct sq_rest_rule brief = { 25, 50, 50, 1500, true };

/* Looks take 10 ms each. */
#define LOOK_MS 10

/* One look: where it begins, what it sees, and what follows from it. */
static enum sq_rest_state
look(struct sq_rest *rest, int64_t *now, uint64_t hash, uint32_t *pause_ms) {
    int64_t begun = *now;
    *now += LOOK_MS;
    return sq_rest_look(rest, hash, begun, *now, pause_ms);
}

T_CASE(unchanged_screen_rests_after_it_could_react) {
    uint32_t pause = 99;
    int64_t now = 1000;
    struct sq_rest rest = sq_rest_begin(&brief, 7, 0, now, &pause);
    T_INT(pause, 0);
    T_INT(look(&rest, &now, 7, &pause), SQ_REST_GOES_ON);
    T_INT(pause, 25); /* 50 are left, and a look takes 10 */
    now += pause;
    T_INT(look(&rest, &now, 7, &pause), SQ_REST_GOES_ON);
    T_INT(pause, 5); /* so that the next one ends in time */
    now += pause;
    T_INT(look(&rest, &now, 7, &pause), SQ_REST_SETTLED);
    T_INT(now, 1060);
}

T_CASE(rest_counts_from_the_last_change) {
    uint32_t pause;
    int64_t now = 0;
    struct sq_rest rest = sq_rest_begin(&brief, 7, 0, now, &pause);
    for (uint64_t hash = 8; hash < 20; hash++) {
        T_INT(look(&rest, &now, hash, &pause), SQ_REST_GOES_ON);
        T_INT(pause, 25);
        now += pause;
    }
    while (look(&rest, &now, 20, &pause) == SQ_REST_GOES_ON) {
        now += pause;
    }
    T_INT(now, 12 * 35 + LOOK_MS + 50);
}

T_CASE(slow_looks_follow_immediately) {
    uint32_t pause = 9;
    struct sq_rest rest = sq_rest_begin(&brief, 7, 0, 0, &pause);
    T_INT(sq_rest_look(&rest, 7, 0, 100, &pause), SQ_REST_GOES_ON);
    T_INT(pause, 0);
    T_INT(sq_rest_look(&rest, 7, 100, 200, &pause), SQ_REST_SETTLED);
}

T_CASE(limit_ends_it) {
    uint32_t pause;
    int64_t now = 0;
    uint64_t hash = 0;
    struct sq_rest rest = sq_rest_begin(&brief, 7, 0, now, &pause);
    enum sq_rest_state state;
    while ((state = look(&rest, &now, ++hash, &pause)) == SQ_REST_GOES_ON) {
        now += pause;
    }
    T_INT(state, SQ_REST_OVER);
    T(now >= 1500 - 25 && now <= 1500 + LOOK_MS);
}

/* As `wait` has it: a look that ends the rest begins after it. */
T_CASE(known_rest_counts) {
    static const struct sq_rest_rule patient = { 60, 300, 0, 5000, false };
    uint32_t pause;
    int64_t now = 0;
    struct sq_rest rest = sq_rest_begin(&patient, 7, 95, now, &pause);
    T_INT(pause, 60);
    now += 190;
    T_INT(look(&rest, &now, 7, &pause), SQ_REST_GOES_ON);
    T_INT(pause, 5);
    now += pause;
    T_INT(look(&rest, &now, 7, &pause), SQ_REST_SETTLED);
    rest = sq_rest_begin(&patient, 7, 300, now, &pause);
    T_INT(pause, 60);
    T_INT(look(&rest, &now, 8, &pause), SQ_REST_GOES_ON); /* a change */
    T_INT(pause, 60);
}

T_CASE(long_times_are_invalid) {
    struct sq_rest_rule rule = brief;
    T(sq_rest_is_valid(&rule));
    rule.limit_ms = SQ_REST_MAX_MS + 1;
    T(!sq_rest_is_valid(&rule));
    rule = brief;
    rule.poll_ms = UINT32_MAX;
    T(!sq_rest_is_valid(&rule));
}
