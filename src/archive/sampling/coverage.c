/*
 * Chooses the shots that best cover all others: finds runs of similar pictures,
 * takes the most typical picture of each run, and of those the most different
 * ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/sampling/private.h"
#include "util/minmax.h"

#define MONITORS 256
#define NO_RUN UINT32_MAX
#define FAR_BITS 64      /* distance of pictures of different monitors */
#define SAME_BITS 2      /* distance that recompression can cause */
#define MAX_COMPARED 128 /* pictures compared per run */
#define MAX_DWELL_S 300  /* a longer pause is not counted as time */
#define DWELL_BITS 16    /* weight in bits of covering all the time */

/* A run of similar pictures of one monitor. */
struct run {
    uint32_t first; /* its members, as indexes in work.order */
    uint32_t count;
    uint32_t label;
    uint32_t medoid; /* index of a shot */
    int64_t dwell_s;
    int distance; /* to the nearest chosen run */
};

struct work {
    const struct sq_choose_request *request;
    uint32_t *run_of; /* run of each shot */
    uint32_t *order;  /* shots sorted by run */
    uint32_t *dwell;  /* seconds that each shot covers */
    struct run *runs;
    size_t run_count;
    uint32_t *chosen; /* indexes of shots */
    size_t chosen_count;
};

/* The last state of a monitor. */
struct monitor_state {
    bool is_seen;
    uint32_t reference; /* first shot of the run */
    uint32_t run;
    size_t segment;
    bool is_pending; /* the last picture was different: wait for the next */
    uint32_t pending;
};

static int
distance(const struct sq_choose_request *request, uint32_t a, uint32_t b) {
    if (request->shots.items[a].monitor != request->shots.items[b].monitor) {
        return FAR_BITS;
    }
    return sq_image_fingerprint_distance(&request->fingerprints[a],
                                         &request->fingerprints[b]);
}

static void
begin_run(struct work *work, struct monitor_state *state, uint32_t shot,
          uint32_t label) {
    state->run = (uint32_t)work->run_count;
    state->reference = shot;
    work->runs[work->run_count++] = (struct run){ .label = label };
}

/* Returns whether a change is lasting: two different pictures in a row. */
static bool
has_changed(struct work *work, struct monitor_state *state, uint32_t shot) {
    if (distance(work->request, state->reference, shot)
        < SQ_FINGERPRINT_SCENE_BITS) {
        state->is_pending = false;
        return false;
    }
    bool is_lasting = state->is_pending
                   && distance(work->request, state->pending, shot)
                          < SQ_FINGERPRINT_SCENE_BITS;
    state->is_pending = !is_lasting;
    return is_lasting;
}

/* Adds a shot to the run of its monitor, or starts a new run. */
static void
place_shot(struct work *work, struct monitor_state *state, uint32_t shot,
           size_t segment) {
    const struct sq_choose_request *request = work->request;
    bool is_activity = segment < request->segment_count;
    uint32_t label =
        is_activity ? request->segments[segment].label : SQ_NO_LABEL;
    if (!state->is_seen || state->segment != segment) {
        state->is_pending = false;
        begin_run(work, state, shot, label);
    } else if (!is_activity && has_changed(work, state, shot)) {
        work->run_of[state->pending] = (uint32_t)work->run_count;
        begin_run(work, state, shot, label);
    }
    state->pending = shot;
    state->is_seen = true;
    state->segment = segment;
    work->run_of[shot] = state->run;
}

/*
 * Returns the segment that contains a time, at or after *at, or segment_count.
 */
static size_t
segment_at(const struct sq_choose_request *request, int64_t utc, size_t *at) {
    while (*at < request->segment_count
           && request->segments[*at].end_utc <= utc) {
        ++*at;
    }
    bool is_in =
        *at < request->segment_count && request->segments[*at].start_utc <= utc;
    return is_in ? *at : request->segment_count;
}

/* Computes how long each picture was shown, until the next of its monitor. */
static void
find_dwell(struct work *work, struct monitor_state *monitors) {
    const struct sq_shots *shots = &work->request->shots;
    for (size_t i = shots->count; i-- > 0;) {
        const struct sq_shot *shot = &shots->items[i];
        struct monitor_state *state = &monitors[shot->monitor];
        uint32_t seconds = 1;
        if (state->is_seen) {
            uint32_t gap = shots->items[state->pending].utc - shot->utc;
            seconds = gap < 1 ? 1 : gap < MAX_DWELL_S ? gap : MAX_DWELL_S;
        }
        work->dwell[i] = seconds;
        state->is_seen = true;
        state->pending = (uint32_t)i;
        if (work->run_of[i] != NO_RUN) {
            work->runs[work->run_of[i]].dwell_s += seconds;
        }
    }
}

/*
 * Returns the picture nearest to all others of its run; the latest of equals.
 */
static uint32_t
find_medoid(const struct work *work, const struct run *run) {
    const uint32_t *members = &work->order[run->first];
    size_t compared = sq_min_size(run->count, MAX_COMPARED);
    int64_t least = INT64_MAX;
    uint32_t best = members[0];
    for (size_t i = 0; i < compared; i++) {
        uint32_t one = members[sq_spread_at(i, compared, run->count)];
        int64_t sum = 0;
        for (size_t j = 0; j < compared; j++) {
            uint32_t two = members[sq_spread_at(j, compared, run->count)];
            sum += distance(work->request, one, two);
        }
        if (sum <= least) {
            least = sum;
            best = one;
        }
    }
    return best;
}

static void
choose(struct work *work, uint32_t shot) {
    work->chosen[work->chosen_count++] = shot;
    for (size_t i = 0; i < work->run_count; i++) {
        struct run *run = &work->runs[i];
        run->distance = sq_min_int(run->distance,
                                   distance(work->request, run->medoid, shot));
    }
}

/* Returns the run that adds most: different from those chosen, and long. */
static const struct run *
find_farthest(const struct work *work, int64_t total_s) {
    const struct run *best = NULL;
    double most = 0;
    for (size_t i = 0; i < work->run_count; i++) {
        const struct run *run = &work->runs[i];
        double gain =
            run->distance + DWELL_BITS * (double)run->dwell_s / (double)total_s;
        if (run->distance > SAME_BITS && gain > most) {
            most = gain;
            best = run;
        }
    }
    return best;
}

static bool
is_chosen(const struct work *work, uint32_t shot) {
    for (size_t i = 0; i < work->chosen_count; i++) {
        if (work->chosen[i] == shot) {
            return true;
        }
    }
    return false;
}

static void
choose_most_different(struct work *work, uint32_t first, uint32_t last) {
    size_t cap = work->request->max_count;
    int64_t total_s = 1;
    for (size_t i = 0; i < work->run_count; i++) {
        total_s += work->runs[i].dwell_s;
    }
    if (cap > 1) {
        choose(work, first);
        if (!is_chosen(work, last)) {
            choose(work, last);
        }
    }
    while (work->chosen_count < cap) {
        const struct run *run = find_farthest(work, total_s);
        if (!run) {
            break;
        }
        choose(work, run->medoid);
    }
}

/* Chooses the most different typical pictures, including the first and last. */
static void
choose_runs(struct work *work) {
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    for (size_t i = 0; i < work->run_count; i++) {
        struct run *run = &work->runs[i];
        run->medoid = find_medoid(work, run);
        run->distance = FAR_BITS;
        uint32_t start = work->order[run->first];
        uint32_t end = work->order[run->first + run->count - 1];
        first = start < first ? start : first;
        last = end > last ? end : last;
    }
    choose_most_different(work, first, last);
}

/* Returns the compared shot nearest to the middle of two; `low` if none. */
static uint32_t
find_between(const struct work *work, uint32_t low, uint32_t high) {
    uint32_t middle = low + (high - low) / 2;
    for (uint32_t away = 0; away < high - low; away++) {
        uint32_t below = middle - away;
        uint32_t above = middle + away;
        if (middle > low + away && work->run_of[below] != NO_RUN) {
            return below;
        }
        if (above < high && above > low && work->run_of[above] != NO_RUN) {
            return above;
        }
    }
    return low;
}

/*
 * Fills the limit with shots that look like chosen ones, each between the two
 * chosen ones that are farthest apart. The chosen ones are sorted.
 */
static void
fill_up(struct work *work) {
    while (work->chosen_count > 1
           && work->chosen_count < work->request->max_count) {
        size_t best = 0;
        uint32_t added = 0;
        uint32_t widest = 1;
        for (size_t i = 0; i + 1 < work->chosen_count; i++) {
            uint32_t low = work->chosen[i];
            uint32_t high = work->chosen[i + 1];
            uint32_t shot =
                high - low > widest ? find_between(work, low, high) : low;
            if (shot != low) {
                best = i + 1;
                added = shot;
                widest = high - low;
            }
        }
        if (best == 0) {
            return;
        }
        memmove(&work->chosen[best + 1], &work->chosen[best],
                (work->chosen_count - best) * sizeof(*work->chosen));
        work->chosen[best] = added;
        work->chosen_count++;
    }
}

static int
compare(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a;
    uint32_t two = *(const uint32_t *)b;
    return (one > two) - (one < two);
}

/* Returns the share of the time whose pictures are like a chosen one. */
static double
share_shown(const struct work *work) {
    int64_t all_s = 0;
    int64_t shown_s = 0;
    for (size_t i = 0; i < work->request->shots.count; i++) {
        bool is_shown = false;
        for (size_t j = 0;
             !is_shown && work->run_of[i] != NO_RUN && j < work->chosen_count;
             j++) {
            is_shown = distance(work->request, (uint32_t)i, work->chosen[j])
                    <= SQ_FINGERPRINT_ALIKE_BITS;
        }
        all_s += work->dwell[i];
        shown_s += is_shown ? work->dwell[i] : 0;
    }
    return all_s ? (double)shown_s / (double)all_s : -1;
}

static void
fill(const struct work *work, struct sq_choice *out) {
    const struct sq_choose_request *request = work->request;
    for (size_t i = 0; i < work->chosen_count; i++) {
        uint32_t shot = work->chosen[i];
        const struct run *run = &work->runs[work->run_of[shot]];
        out->picks[out->count++] = sq_pick_of(
            shot, work->order[run->first],
            work->order[run->first + run->count - 1] + 1, run->label);
    }
    out->wanted = sq_max_size(
        request->fills_up ? request->shots.count : work->run_count, out->count);
    out->segments = work->run_count;
    out->coverage = share_shown(work);
    snprintf(out->why, sizeof(out->why),
             "the first, the last and the most different of %zu periods that "
             "look alike%s; %d %% of the time looks like one of them",
             work->run_count,
             request->fills_up ? ", and others between them" : "",
             (int)(out->coverage * 100));
}

/* Puts the shots that can be compared into runs. */
static void
find_runs(struct work *work, struct monitor_state *monitors) {
    const struct sq_choose_request *request = work->request;
    size_t at = 0;
    for (size_t i = 0; i < request->shots.count; i++) {
        const struct sq_shot *shot = &request->shots.items[i];
        work->run_of[i] = NO_RUN;
        if (request->fingerprints[i].known) {
            size_t segment = segment_at(request, shot->utc, &at);
            place_shot(work, &monitors[shot->monitor], (uint32_t)i, segment);
        }
    }
}

/* Sorts the shots by run, stably. */
static void
sort_by_run(struct work *work) {
    size_t count = work->request->shots.count;
    uint32_t filled = 0;
    for (size_t i = 0; i < count; i++) {
        if (work->run_of[i] != NO_RUN) {
            work->runs[work->run_of[i]].count++;
        }
    }
    for (size_t i = 0; i < work->run_count; i++) {
        work->runs[i].first = filled;
        filled += work->runs[i].count;
        work->runs[i].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (work->run_of[i] != NO_RUN) {
            struct run *run = &work->runs[work->run_of[i]];
            work->order[run->first + run->count++] = (uint32_t)i;
        }
    }
}

static void
run_all(struct work *work, struct monitor_state *monitors,
        struct sq_choice *out) {
    find_runs(work, monitors);
    if (work->run_count == 0) {
        return;
    }
    sort_by_run(work);
    memset(monitors, 0, MONITORS * sizeof(*monitors));
    find_dwell(work, monitors);
    choose_runs(work);
    qsort(work->chosen, work->chosen_count, sizeof(*work->chosen), compare);
    if (work->request->fills_up) {
        fill_up(work);
    }
    fill(work, out);
}

bool
sq_choose_coverage(const struct sq_choose_request *request,
                   struct sq_choice *out, struct sq_err *err) {
    size_t count = request->shots.count;
    if (!request->fingerprints || !count) {
        return true;
    }
    SQ_ARENA(arena, SIZE_MAX);
    struct work work = {
        .request = request,
        .run_of = sq_arena_alloc(&arena, count, sizeof(*work.run_of), err),
        .order = sq_arena_alloc(&arena, count, sizeof(*work.order), err),
        .dwell = sq_arena_alloc(&arena, count, sizeof(*work.dwell), err),
        .runs = sq_arena_alloc(&arena, count, sizeof(*work.runs), err),
        .chosen = sq_arena_alloc(&arena, request->max_count + 2,
                                 sizeof(*work.chosen), err),
    };
    struct monitor_state *monitors =
        sq_arena_alloc(&arena, MONITORS, sizeof(*monitors), err);
    bool ok = monitors && work.run_of && work.order && work.dwell && work.runs
           && work.chosen;
    if (ok) {
        memset(monitors, 0, MONITORS * sizeof(*monitors));
        run_all(&work, monitors, out);
    }
    return ok;
}
