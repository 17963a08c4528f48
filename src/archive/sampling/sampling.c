/* Chooses a few representative shots; shared parts of all methods. */
#include "archive/sampling/sampling.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "archive/sampling/private.h"
#include "util/minmax.h"

const char *const sq_sampling_names[] = {
    [SQ_SAMPLING_ACTIVITY] = "activity_transition",
    [SQ_SAMPLING_INTERVAL] = "interval",
    [SQ_SAMPLING_COVERAGE] = "coverage",
    [SQ_SAMPLING_VISUAL] = "visual",
    [SQ_SAMPLINGS] = NULL,
};

size_t
sq_shots_gallop(const struct sq_shots *shots, size_t hint, int64_t utc) {
    size_t low = hint;
    size_t step = 1;
    while (low + step < shots->count
           && (int64_t)shots->items[low + step].utc < utc) {
        low += step;
        step *= 2;
    }
    size_t high = sq_min_size(low + step, shots->count);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int64_t)shots->items[middle].utc < utc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static size_t
second_start(const struct sq_shots *shots, size_t index) {
    while (index > 0
           && shots->items[index - 1].utc == shots->items[index].utc) {
        index--;
    }
    return index;
}

#define MAX_LOOK_AHEAD 16

size_t
sq_shots_prefer(const struct sq_shots *shots, size_t index, size_t end,
                int64_t until_utc) {
    size_t last = end - index < MAX_LOOK_AHEAD ? end : index + MAX_LOOK_AHEAD;
    for (size_t i = index; i < last; i++) {
        const struct sq_shot *shot = &shots->items[i];
        if (i > index && (int64_t)shot->utc > until_utc) {
            break;
        }
        if (shot->flags & SQ_SHOT_THUMB) {
            return i;
        }
    }
    return index;
}

size_t
sq_spread_at(size_t rank, size_t count, size_t all) {
    return count < 2 ? 0 : rank * (all - 1) / (count - 1);
}

size_t
sq_candidate_shots(const struct sq_shots *shots,
                   const struct sq_candidate *candidate) {
    size_t start = second_start(shots, candidate->shot);
    return sq_shots_second_end(shots, start) - start;
}

int64_t
sq_segment_time_s(const struct sq_segment *segment,
                  const struct sq_window *window) {
    int64_t from = sq_max_int64(segment->start_utc, window->from_utc);
    int64_t to = sq_min_int64(segment->end_utc, window->to_utc);
    return sq_max_int64(to - from, 0);
}

size_t
sq_largest_fit(size_t most, size_t limit,
               size_t (*measure)(void *context, size_t count), void *context) {
    size_t low = 1;
    size_t high = most;
    if (measure(context, most) <= limit) {
        return most;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (measure(context, middle) <= limit) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void
sq_choose_keep(const struct sq_choose_request *request,
               const struct sq_candidate *candidates, size_t count,
               struct sq_choice *out) {
    for (size_t k = 0; k < count; k++) {
        const struct sq_candidate *candidate = &candidates[k];
        size_t start = second_start(&request->shots, candidate->shot);
        size_t end = sq_shots_second_end(&request->shots, start);
        for (size_t i = start; i < end && out->count < request->max_count;
             i++) {
            uint32_t place = (uint32_t)i;
            uint32_t after = place + 1;
            out->picks[out->count++] = sq_pick_of(
                place, candidate->low < place ? candidate->low : place,
                candidate->high > after ? candidate->high : after,
                candidate->label);
        }
    }
}

/* Writes why another method was used before what was done instead. */
static void
explain_fallback(const struct sq_choose_request *request,
                 struct sq_choice *choice) {
    char done[SQ_CHOICE_WHY_SIZE];
    const char *reason = "no activity is known for this time";
    memcpy(done, choice->why, sizeof(done));
    if (request->sampling == SQ_SAMPLING_COVERAGE) {
        reason = "the pictures could not be compared";
    } else if (request->segment_count) {
        reason = "no screenshot was taken in any period of activity";
    } else if (request->no_segments && request->no_segments->message[0]) {
        reason = request->no_segments->message;
        choice->why_quotes = request->no_segments->quotes;
    }
    snprintf(choice->why, sizeof(choice->why), "instead of %s (%.120s): %.80s",
             sq_sampling_names[request->sampling], reason, done);
}

bool
sq_choose(const struct sq_choose_request *request, struct sq_arena *arena,
          struct sq_choice *out, struct sq_err *err) {
    bool (*const methods[SQ_SAMPLINGS])(const struct sq_choose_request *,
                                        struct sq_choice *, struct sq_err *) = {
        [SQ_SAMPLING_ACTIVITY] = sq_choose_activity,
        [SQ_SAMPLING_INTERVAL] = sq_choose_interval,
        [SQ_SAMPLING_COVERAGE] = sq_choose_coverage,
        [SQ_SAMPLING_VISUAL] = sq_choose_activity,
    };
    size_t room = sq_min_size(request->max_count, request->shots.count);
    struct sq_choice choice = { .coverage = -1, .used = request->sampling };
    assert(request->max_count > 0 && request->shots.count <= UINT32_MAX);
    choice.picks = sq_arena_alloc(arena, room + 1, sizeof(*choice.picks), err);
    if (!choice.picks || !methods[request->sampling](request, &choice, err)) {
        return false;
    }
    if (choice.count == 0 && request->sampling != SQ_SAMPLING_INTERVAL) {
        choice.used = SQ_SAMPLING_INTERVAL;
        if (!sq_choose_interval(request, &choice, err)) {
            return false;
        }
        if (request->shots.count > 0) {
            explain_fallback(request, &choice);
        }
    }
    *out = choice;
    return true;
}

static bool
is_picked(const struct sq_choice *choice, uint32_t shot) {
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->picks[i].shot == shot) {
            return true;
        }
    }
    return false;
}

static bool
can_replace(const struct sq_shots *shots, const struct sq_choice *choice,
            uint8_t monitor, uint32_t shot) {
    return shots->items[shot].monitor == monitor && !is_picked(choice, shot);
}

/* Returns the seconds between two shots. */
static int64_t
distance_s(const struct sq_shots *shots, uint32_t a, uint32_t b) {
    int64_t seconds =
        (int64_t)shots->items[a].utc - (int64_t)shots->items[b].utc;
    return seconds < 0 ? -seconds : seconds;
}

bool
sq_choice_replace(const struct sq_shots *shots, struct sq_choice *choice,
                  size_t pick) {
    struct sq_pick *slot = &choice->picks[pick];
    uint8_t monitor = shots->items[slot->shot].monitor;
    uint32_t before = slot->before;
    uint32_t after = slot->after;
    while (before > slot->low
           && !can_replace(shots, choice, monitor, before - 1)) {
        before--;
    }
    while (after < slot->high && !can_replace(shots, choice, monitor, after)) {
        after++;
    }
    bool has_before = before > slot->low;
    bool has_after = after < slot->high;
    if (!has_before && !has_after) {
        return false;
    }
    /* From the original shot; of equals the later one, which has settled. */
    uint32_t origin = slot->origin;
    bool is_after = has_after
                 && (!has_before
                     || distance_s(shots, after, origin)
                            <= distance_s(shots, before - 1, origin));
    slot->shot = is_after ? after : before - 1;
    slot->before = is_after ? before : before - 1;
    slot->after = is_after ? after + 1 : after;
    return true;
}
