/* Decides when a screen is at rest. */
#include "eye/rest.h"

bool
sq_rest_is_valid(const struct sq_rest_rule *rule) {
    return rule->poll_ms <= SQ_REST_MAX_MS && rule->rest_ms <= SQ_REST_MAX_MS
        && rule->react_ms <= SQ_REST_MAX_MS && rule->limit_ms <= SQ_REST_MAX_MS;
}

/* The longer nothing has happened, the less often it is worth a look. */
#define SLOWER 8

/*
 * Returns how long to wait before the next look. The last one that waits for a
 * reaction begins exactly when the time for it is over.
 */
static uint32_t
pause_before(const struct sq_rest *rest, int64_t look_ms, int64_t now_ms) {
    const struct sq_rest_rule *rule = &rest->rule;
    int64_t waited_ms = now_ms - rest->start_ms;
    int64_t pause_ms = waited_ms / SLOWER;
    if (rest->last == rest->before && waited_ms < rule->react_ms) {
        int64_t left_ms = rule->react_ms - waited_ms;
        pause_ms = pause_ms > rule->poll_ms ? pause_ms : rule->poll_ms;
        return (uint32_t)(pause_ms < left_ms ? pause_ms : left_ms);
    }
    int64_t left_ms = rest->quiet_ms + rule->rest_ms - now_ms;
    pause_ms = left_ms - (rule->begins_early ? look_ms : 0);
    if (left_ms <= 0 || pause_ms > rule->poll_ms) {
        return rule->poll_ms;
    }
    return pause_ms > 0 ? (uint32_t)pause_ms : 0;
}

struct sq_rest
sq_rest_begin(const struct sq_rest_rule *rule, uint64_t before,
              uint32_t quiet_ms, int64_t now_ms, uint32_t *pause_ms) {
    const struct sq_rest rest = {
        .rule = *rule,
        .before = before,
        .last = quiet_ms > 0 ? before : 0,
        .start_ms = now_ms,
        .quiet_ms = now_ms - quiet_ms,
    };
    *pause_ms = rest.last != 0 ? pause_before(&rest, 0, now_ms) : 0;
    return rest;
}

enum sq_rest_state
sq_rest_look(struct sq_rest *rest, uint64_t hash, int64_t begun_ms,
             int64_t now_ms, uint32_t *pause_ms) {
    const struct sq_rest_rule *rule = &rest->rule;
    bool is_first = rest->last == 0;
    if (is_first || hash != rest->last) {
        rest->quiet_ms = now_ms;
    }
    rest->last = hash;
    /* What changes after the beginning of a look may not be seen by it. */
    bool has_reacted =
        hash != rest->before || begun_ms - rest->start_ms >= rule->react_ms;
    if (!is_first && has_reacted && now_ms - rest->quiet_ms >= rule->rest_ms) {
        return SQ_REST_SETTLED;
    }
    if (now_ms - rest->start_ms + rule->poll_ms >= rule->limit_ms) {
        return SQ_REST_OVER;
    }
    *pause_ms = pause_before(rest, now_ms - begun_ms, now_ms);
    return SQ_REST_GOES_ON;
}
