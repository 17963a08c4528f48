/*
 * Chooses one shot per activity segment, taken after the screen has settled,
 * and one per hour of the time without activity records.
 */
#include <stdio.h>

#include "archive/activity/segments.h"
#include "archive/sampling/private.h"
#include "util/mem.h"
#include "util/minmax.h"

/* A shot with a thumbnail may be later by 1/WAIT_SHARE of the segment. */
#define WAIT_SHARE 8

static size_t
nearest(const struct sq_shots *shots, size_t low, size_t high, int64_t utc) {
    size_t after = sq_shots_gallop(shots, low, utc);
    if (after >= high) {
        return high - 1;
    }
    if (after == low) {
        return low;
    }
    int64_t after_s = (int64_t)shots->items[after].utc - utc;
    int64_t before_s = utc - (int64_t)shots->items[after - 1].utc;
    return after_s <= before_s ? after : after - 1;
}

/*
 * Finds the shot that represents a segment; *hint is where the shots of earlier
 * segments end. Shots of its first second may still show the previous segment:
 * they are used only if the segment was derived from a picture or has no other.
 */
static bool
represent(const struct sq_choose_request *request,
          const struct sq_segment *segment, size_t *hint,
          struct sq_candidate *out) {
    const struct sq_shots *shots = &request->shots;
    int64_t length = segment->end_utc - segment->start_utc;
    bool is_visual = request->sampling == SQ_SAMPLING_VISUAL;
    int64_t settled_utc =
        segment->start_utc + (is_visual ? 0 : request->settle_s);
    size_t first = sq_shots_gallop(shots, *hint, segment->start_utc);
    size_t low = sq_shots_gallop(shots, first, segment->start_utc + !is_visual);
    if (low == shots->count || shots->items[low].utc >= segment->end_utc) {
        low = first; /* there is no later one */
    }
    size_t settled = sq_shots_gallop(shots, low, settled_utc);
    size_t high = sq_shots_gallop(shots, low, segment->end_utc);
    size_t shot;
    *hint = low;
    if (low >= high) {
        return false;
    }
    if (settled < high) {
        int64_t until =
            (int64_t)shots->items[settled].utc + length / WAIT_SHARE;
        shot = sq_shots_prefer(shots, settled, high, until);
    } else {
        shot = nearest(shots, low, high, segment->start_utc + length / 2);
    }
    *out = (struct sq_candidate){
        .shot = (uint32_t)shot,
        .low = (uint32_t)low,
        .high = (uint32_t)high,
        .label = segment->label,
        .weight = sq_segment_time_s(segment, &request->window),
    };
    return true;
}

static bool
touches(const struct sq_segment *segment, const struct sq_window *window) {
    return segment->end_utc > segment->start_utc
        && segment->end_utc > window->from_utc
        && segment->start_utc < window->to_utc;
}

/* The candidates found so far, and where the shots of later ones begin. */
struct collection {
    const struct sq_choose_request *request;
    struct sq_candidate *items; /* NULL: only count them */
    size_t count;
    size_t hint;
    size_t unrecorded; /* shots at times without records */
};

static void
add_candidate(struct collection *found, const struct sq_candidate *candidate) {
    if (found->items) {
        found->items[found->count] = *candidate;
    }
    found->count++;
}

/* Adds a candidate for each local hour or day of some shots. */
static void
add_pieces(struct collection *found, size_t low, size_t end, int64_t unit_s,
           uint32_t label) {
    const struct sq_shots *shots = &found->request->shots;
    while (low < end) {
        int64_t unit = sq_shot_local_s(&shots->items[low]) / unit_s;
        size_t high = low + 1;
        while (high < end
               && sq_shot_local_s(&shots->items[high]) / unit_s == unit) {
            high++;
        }
        int64_t first = shots->items[low].utc;
        int64_t last = shots->items[high - 1].utc;
        const struct sq_candidate candidate = {
            .shot = (uint32_t)nearest(shots, low, high, (first + last) / 2),
            .low = (uint32_t)low,
            .high = (uint32_t)high,
            .label = label,
            .weight = last - first + 1,
        };
        add_candidate(found, &candidate);
        low = high;
    }
}

/*
 * Adds the hours without records. The first SQ_SEGMENT_GAP_S after a record
 * belong to it: trackers write late.
 */
static void
add_gap(struct collection *found, int64_t recorded_utc, int64_t end_utc) {
    const struct sq_shots *shots = &found->request->shots;
    int64_t start_utc = recorded_utc + SQ_SEGMENT_GAP_S;
    size_t end = sq_shots_gallop(shots, found->hint, end_utc);
    size_t low = sq_shots_gallop(shots, found->hint, start_utc);
    found->unrecorded += end > low ? end - low : 0;
    add_pieces(found, low, end, SQ_HOUR_S, SQ_NO_LABEL);
}

/* Adds a segment, or each local day of a longer one. */
static void
add_segment(struct collection *found, struct sq_candidate *candidate) {
    const struct sq_shots *shots = &found->request->shots;
    const struct sq_shot *shot = &shots->items[candidate->shot];
    int64_t next_day_utc =
        shot->utc - sq_shot_local_s(shot) % SQ_DAY_S + SQ_DAY_S;
    size_t end = candidate->high;
    size_t next = sq_shots_gallop(shots, candidate->shot, next_day_utc);
    if (next < end) {
        candidate->high = (uint32_t)next;
        candidate->weight = next_day_utc - shot->utc;
    }
    add_candidate(found, candidate);
    add_pieces(found, next, end, SQ_DAY_S, candidate->label);
}

/* Collects or counts the candidates of all segments and gaps. */
static void
collect(struct collection *found, struct sq_choice *out) {
    const struct sq_choose_request *request = found->request;
    const struct sq_window *window = &request->window;
    bool has_gaps = request->sampling == SQ_SAMPLING_ACTIVITY;
    int64_t recorded_utc = window->from_utc - SQ_SEGMENT_GAP_S;
    out->segments = 0;
    out->segments_empty = 0;
    for (size_t i = 0; i < request->segment_count; i++) {
        const struct sq_segment *segment = &request->segments[i];
        struct sq_candidate candidate;
        if (!touches(segment, window)) {
            continue;
        }
        out->segments++;
        if (has_gaps) {
            add_gap(found, recorded_utc, segment->start_utc);
            recorded_utc = sq_max_int64(recorded_utc, segment->end_utc);
        }
        if (represent(request, segment, &found->hint, &candidate)) {
            add_segment(found, &candidate);
        } else {
            out->segments_empty++;
        }
    }
    if (has_gaps) {
        add_gap(found, recorded_utc, window->to_utc);
    }
}

/* Returns whether a segment overlaps the local day of a shot; *at only grows.
 */
static bool
has_record(const struct sq_choose_request *request, const struct sq_shot *shot,
           size_t *at) {
    int64_t local_s = sq_shot_local_s(shot);
    int64_t start = shot->utc - local_s % SQ_DAY_S;
    while (*at < request->segment_count
           && request->segments[*at].end_utc <= start) {
        ++*at;
    }
    return *at < request->segment_count
        && request->segments[*at].start_utc < start + SQ_DAY_S;
}

/* Counts the local days that have shots, and those without a record. */
static void
count_days(const struct sq_choose_request *request, struct sq_choice *out) {
    const struct sq_shots *shots = &request->shots;
    int64_t last = INT64_MIN;
    size_t at = 0;
    for (size_t i = 0; i < shots->count;) {
        const struct sq_shot *shot = &shots->items[i];
        int64_t local_s = sq_shot_local_s(shot);
        if (local_s / SQ_DAY_S > last) {
            out->days++;
            out->days_unrecorded += !has_record(request, shot, &at);
            last = local_s / SQ_DAY_S;
        }
        i = sq_shots_gallop(shots, i,
                            shot->utc - local_s % SQ_DAY_S + SQ_DAY_S);
    }
}

static void
explain(struct sq_choice *choice) {
    char without[64] = "";
    char limited[96] = "";
    const char *gaps =
        choice->shots_unrecorded ? " and each hour without records" : "";
    if (choice->segments_empty) {
        snprintf(without, sizeof(without), ", %zu of them without a screenshot",
                 choice->segments_empty);
    }
    if (choice->count < choice->wanted) {
        snprintf(limited, sizeof(limited),
                 "; within the limit spread evenly over the %s, activities "
                 "by their share",
                 choice->is_by_day ? "days" : "time");
    }
    if (!without[0] && !limited[0] && !gaps[0]) {
        return; /* the name and the count say it all */
    }
    snprintf(choice->why, sizeof(choice->why),
             "one for each of %zu periods of activity%s%s%s", choice->segments,
             without, gaps, limited);
}

bool
sq_choose_activity(const struct sq_choose_request *request,
                   struct sq_arena *arena, struct sq_choice *out, bool *found,
                   struct sq_err *err) {
    struct collection counted = { .request = request };
    collect(&counted, out);
    if (out->segments == out->segments_empty) {
        return true;
    }
    struct collection all = { .request = request };
    all.items = sq_mem_alloc(counted.count, sizeof(*all.items));
    if (!all.items) {
        return sq_fail_nomem(err);
    }
    collect(&all, out);
    bool ok = sq_choose_fair(request, all.items, all.count, arena, out, err);
    sq_mem_free(all.items);
    if (ok) {
        *found = true;
        out->shots_unrecorded = all.unrecorded;
        count_days(request, out);
        explain(out);
    }
    return ok;
}
