/* Waits until the screen is at rest, or has changed and is at rest again. */
#include "tools/screen/rest.h"

#include "sys/clock.h"
#include "tools/run.h"
#include "tools/screen/late_change.h"
#include "tools/screen/word_change.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000

/*
 * The device watches by itself only for a rest of up to this time: others do
 * not get it meanwhile.
 */
#define MAX_WATCH_MS 500

static int
ms_since(int64_t start_ns) {
    return (int)((sq_clock_monotonic_ns() - start_ns) / NS_PER_MS);
}

/*
 * Notes whether the screen is at rest, and whether that ends the wait. Equal
 * screens may have different hashes: they are compared, once. The answer
 * reports a failure to compare.
 */
static void
note_rest(struct sq_rest_wait *rest, bool settled) {
    struct sq_watch *watch = &rest->watch;
    struct sq_change change;
    rest->settled = settled;
    rest->is_done = settled && !rest->needs_change;
    if (settled && rest->needs_change
        && sq_watch_hash(watch) != watch->before_hash) {
        rest->is_done = !sq_watch_compare(watch, rest->call->device, NULL,
                                          &change, &rest->call->deadline, NULL)
                     || change.any;
        watch->before_hash =
            rest->is_done ? watch->before_hash : sq_watch_hash(watch);
    }
}

static void
report(void *context) {
    const struct sq_rest_wait *rest = context;
    struct sq_call *call = rest->call;
    if (call->progress) {
        call->progress(call, ms_since(rest->start_ns), rest->timeout_ms,
                       "waiting");
    }
}

/*
 * Gives the device to other clients for some time. If one of them acts, the
 * quiet time begins again.
 */
static bool
pause_rest(struct sq_call *call, struct sq_rest_wait *rest, int ms,
           struct sq_err *err) {
    const uint64_t change = call->device->change;
    if (!sq_tools_pause(call, ms, err)) {
        return false;
    }
    if (call->device->change != change) {
        rest->quiet_ns = sq_clock_monotonic_ns();
    }
    return true;
}

/*
 * Returns the time after which no capture begins. One for a change may end
 * later; otherwise comparing the first and last capture takes about as long as
 * a capture.
 */
static int
time_to_look(const struct sq_rest_wait *rest) {
    return rest->needs_change ? rest->timeout_ms
                              : rest->timeout_ms - 2 * rest->capture_ms;
}

/*
 * Sleeps until the next capture: when the quiet time would be reached, and
 * early enough to finish before the timeout. *more is true if that is possible,
 * for the first capture, without which there is nothing to compare, or for the
 * last one for a change, which may come until then.
 */
static bool
nap(struct sq_call *call, struct sq_rest_wait *rest, bool *more,
    struct sq_err *err) {
    const int left = time_to_look(rest);
    const bool is_due = rest->needs_change && ms_since(rest->start_ns) < left;
    int until_quiet = rest->settled
                        ? SQ_WATCH_POLL_MS /* but nothing has changed */
                        : rest->quiet_ms - ms_since(rest->quiet_ns);
    int nap_ms = sq_min_int(until_quiet, left - ms_since(rest->start_ns));
    /* At least 1 ms: time must pass, however fast a capture is. */
    nap_ms = sq_max_int(sq_min_int(nap_ms, SQ_WATCH_POLL_MS), 1);
    if (!pause_rest(call, rest, nap_ms, err)) {
        return false;
    }
    int waited = ms_since(rest->start_ns);
    *more = is_due || (waited <= left && !rest->needs_change)
         || (!rest->watch.has_after && waited < rest->timeout_ms);
    return true;
}

static bool
compare_again(struct sq_call *call, struct sq_rest_wait *rest,
              struct sq_err *err) {
    struct sq_watch *watch = &rest->watch;
    uint64_t last = watch->has_after ? watch->after_hash : watch->before_hash;
    const int64_t begun_ns = sq_clock_monotonic_ns();
    if (!sq_watch_look(watch, call->device, &call->deadline, err)) {
        return false;
    }
    rest->capture_ms = ms_since(begun_ns);
    if (watch->after_hash != last) {
        rest->quiet_ns = sq_clock_monotonic_ns();
    }
    note_rest(rest, ms_since(rest->quiet_ns) >= rest->quiet_ms);
    report(rest);
    return true;
}

/*
 * Lets the device watch its screen, if it can, until it is at rest or has had
 * time for that. *more is set to whether there is time to watch again.
 */
static bool
watch_on_device(struct sq_call *call, struct sq_rest_wait *rest,
                enum sq_watch_outcome *outcome, bool *more,
                struct sq_err *err) {
    int waited = ms_since(rest->start_ns);
    int most = rest->quiet_ms + 2 * SQ_WATCH_POLL_MS + 3 * rest->capture_ms;
    int left = time_to_look(rest) - waited;
    bool is_first = !rest->watch.has_after;
    const uint64_t last = sq_watch_hash(&rest->watch);
    const struct sq_frame_watch how = {
        .rule = {
            .poll_ms = SQ_WATCH_POLL_MS,
            .rest_ms = (uint32_t)rest->quiet_ms,
            .limit_ms = (uint32_t)sq_max_int(left < most ? left : most, 0)
                      + SQ_WATCH_POLL_MS,
        },
        .before = rest->watch.before_hash,
        .quiet_ms = is_first ? (uint32_t)sq_max_int(waited, 1) : 0,
        .progress = report,
        .context = rest,
    };
    if (rest->needs_change && !is_first && left <= 0) {
        *more = false;
        return true;
    }
    *outcome = SQ_WATCH_IMPOSSIBLE;
    *more = left > (rest->needs_change ? 0 : most);
    if (waited < rest->timeout_ms && rest->quiet_ms <= MAX_WATCH_MS
        && !sq_watch_on_device(&rest->watch, call->device, &how, outcome,
                               &call->deadline, err)) {
        return false;
    }
    bool is_still = rest->settled && sq_watch_hash(&rest->watch) == last;
    note_rest(rest, *outcome == SQ_WATCH_SETTLED || is_still);
    return true;
}

bool
sq_rest_await(struct sq_call *call, struct sq_rest_wait *rest,
              struct sq_err *err) {
    bool more = true;
    if (!sq_watch_begin(&rest->watch, call->device, &call->deadline, err)) {
        return false;
    }
    sq_late_change_look_first(call, &rest->watch, &call->deadline);
    sq_elements_read_if_cheap(call, &rest->elements);
    /* A change since the last answer is one. */
    rest->needs_change = rest->needs_change && call->late_change.count == 0;
    rest->capture_ms = ms_since(rest->start_ns);
    enum sq_watch_outcome outcome;
    do {
        if (!watch_on_device(call, rest, &outcome, &more, err)) {
            return false;
        }
        more = more && outcome != SQ_WATCH_IMPOSSIBLE && !rest->is_done;
        if (more
            && !pause_rest(call, rest, rest->settled ? SQ_WATCH_POLL_MS : 1,
                           err)) {
            return false;
        }
    } while (more);
    while (outcome == SQ_WATCH_IMPOSSIBLE && !rest->is_done) {
        if (!nap(call, rest, &more, err)) {
            return false;
        }
        if (!more) {
            return true;
        }
        if (!compare_again(call, rest, err)) {
            return false;
        }
    }
    return true;
}
