/* Chooses a few representative shots; shared parts of all methods. */
#include "archive/sampling/sampling.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "archive/sampling/private.h"

const char *const sq_sampling_names[] = {
    [SQ_SAMPLING_ACTIVITY] = "activity_transition",
    [SQ_SAMPLING_INTERVAL] = "interval",
    [SQ_SAMPLING_COVERAGE] = "coverage",
    [SQ_SAMPLING_VISUAL] = "visual",
    [SQ_SAMPLINGS] = NULL,
};

/* Returns the first shot at or after utc between two indexes. */
static size_t
search(const struct sq_shots *shots, size_t low, size_t high, int64_t utc) {
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

size_t
sq_shots_gallop(const struct sq_shots *shots, size_t hint, int64_t utc) {
    size_t low = hint;
    size_t step = 1;
    while (low + step < shots->count
           && (int64_t)shots->items[low + step].utc < utc) {
        low += step;
        step *= 2;
    }
    size_t high = low + step < shots->count ? low + step : shots->count;
    return search(shots, low, high, utc);
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

/* Returns the number of shots of k candidates, spread evenly. */
static size_t
count_shots(const struct sq_shots *shots, const struct sq_candidate *candidates,
            size_t count, size_t k) {
    size_t sum = 0;
    for (size_t rank = 0; rank < k; rank++) {
        sum += sq_candidate_shots(shots,
                                  &candidates[sq_spread_at(rank, k, count)]);
    }
    return sum;
}

int64_t
sq_segment_time_s(const struct sq_segment *segment,
                  const struct sq_window *window) {
    int64_t from = segment->start_utc > window->from_utc ? segment->start_utc
                                                         : window->from_utc;
    int64_t to =
        segment->end_utc < window->to_utc ? segment->end_utc : window->to_utc;
    return to > from ? to - from : 0;
}

/* Adds the shots of a candidate's second, as far as the cap allows. */
static void
add_second(const struct sq_choose_request *request,
           const struct sq_candidate *candidate, struct sq_choice *out) {
    size_t start = second_start(&request->shots, candidate->shot);
    size_t end = sq_shots_second_end(&request->shots, start);
    for (size_t i = start; i < end && out->count < request->max_count; i++) {
        uint32_t place = (uint32_t)i;
        out->picks[out->count++] =
            sq_pick_of(place, candidate->low < place ? candidate->low : place,
                       candidate->high > place ? candidate->high : place + 1,
                       candidate->label);
    }
}

static bool
is_wanted(const struct sq_candidates *candidates, size_t index) {
    return !candidates->is_chosen || candidates->is_chosen[index];
}

bool
sq_choose_keep(const struct sq_choose_request *request,
               const struct sq_candidates *candidates, struct sq_arena *arena,
               struct sq_choice *out, struct sq_err *err) {
    size_t capacity = 0;
    for (size_t i = 0; i < candidates->count && capacity < request->max_count;
         i++) {
        capacity +=
            is_wanted(candidates, i)
                ? sq_candidate_shots(&request->shots, &candidates->items[i])
                : 0;
    }
    capacity = capacity < request->max_count ? capacity : request->max_count;
    out->picks = sq_arena_alloc(arena, capacity ? capacity : 1,
                                sizeof(*out->picks), err);
    if (!out->picks) {
        return false;
    }
    out->count = 0;
    for (size_t i = 0; i < candidates->count; i++) {
        if (is_wanted(candidates, i)) {
            add_second(request, &candidates->items[i], out);
        }
    }
    return true;
}

/* Returns how many evenly spread candidates fit the cap with their shots. */
static size_t
find_fit(const struct sq_choose_request *request,
         const struct sq_candidate *candidates, size_t count) {
    size_t low = 1;
    size_t high = count < request->max_count ? count : request->max_count;
    if (count_shots(&request->shots, candidates, count, high)
        <= request->max_count) {
        return high;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (count_shots(&request->shots, candidates, count, middle)
            <= request->max_count) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

bool
sq_choose_fit(const struct sq_choose_request *request,
              const struct sq_candidate *candidates, size_t count,
              struct sq_arena *arena, struct sq_choice *out,
              struct sq_err *err) {
    size_t all = count_shots(&request->shots, candidates, count, count);
    size_t k = find_fit(request, candidates, count);
    size_t sum = count_shots(&request->shots, candidates, count, k);
    size_t capacity = sum < request->max_count ? sum : request->max_count;
    out->picks = sq_arena_alloc(arena, capacity ? capacity : 1,
                                sizeof(*out->picks), err);
    if (!out->picks) {
        return false;
    }
    out->count = 0;
    out->wanted = all;
    for (size_t rank = 0; rank < k; rank++) {
        add_second(request, &candidates[sq_spread_at(rank, k, count)], out);
    }
    return true;
}

bool
sq_choose(const struct sq_choose_request *request, struct sq_arena *arena,
          struct sq_choice *out, struct sq_err *err) {
    struct sq_choice choice = { .coverage = -1, .used = request->sampling };
    bool found = request->sampling == SQ_SAMPLING_INTERVAL;
    bool ok = true;
    assert(request->max_count > 0 && request->shots.count <= UINT32_MAX);
    if (request->sampling == SQ_SAMPLING_COVERAGE) {
        ok = sq_choose_coverage(request, arena, &choice, &found, err);
    } else if (!found) {
        ok = sq_choose_activity(request, arena, &choice, &found, err);
    }
    if (ok && (!found || request->sampling == SQ_SAMPLING_INTERVAL)) {
        ok = sq_choose_interval(request, arena, &choice, err);
        choice.used = SQ_SAMPLING_INTERVAL;
    }
    if (!ok) {
        return false;
    }
    if (!found && request->shots.count > 0) {
        /* Writes why another method was used before what was done instead. */
        char done[SQ_CHOICE_WHY_SIZE];
        const char *reason = "no activity is known for this time";
        memcpy(done, choice.why, sizeof(done));
        if (request->sampling == SQ_SAMPLING_COVERAGE) {
            reason = "the pictures could not be compared";
        } else if (request->segment_count) {
            reason = "no screenshot was taken in any period of activity";
        } else if (request->no_segments && request->no_segments->message[0]) {
            reason = request->no_segments->message;
            choice.why_quotes = request->no_segments->quotes;
        }
        snprintf(choice.why, sizeof(choice.why),
                 "instead of %s (%.120s): %.80s",
                 sq_sampling_names[request->sampling], reason, done);
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
