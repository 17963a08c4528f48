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
    bool overlaps =
        *hint > 0 && shots->items[*hint - 1].utc >= segment->start_utc;
    size_t first =
        sq_shots_gallop(shots, overlaps ? 0 : *hint, segment->start_utc);
    size_t low = first;
    while (low < shots->count && !is_visual
           && shots->items[low].utc == segment->start_utc) {
        low++;
    }
    if (low == shots->count || shots->items[low].utc >= segment->end_utc) {
        low = first; /* there is no later one */
    }
    size_t settled = sq_shots_gallop(shots, low, settled_utc);
    size_t high = sq_shots_gallop(shots, low, segment->end_utc);
    size_t shot;
    *hint = high;
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
    struct sq_candidate *items;
    size_t count;
    size_t capacity;
    size_t hint;
    size_t unrecorded; /* shots at times without records */
};

static bool
add_candidate(struct collection *found, const struct sq_candidate *candidate,
              struct sq_err *err) {
    if (!sq_mem_grow(&found->items, &found->capacity, found->count + 1,
                     sizeof(*found->items))) {
        return sq_fail_nomem(err);
    }
    found->items[found->count++] = *candidate;
    return true;
}

/* Returns the end of the shots of one local hour or day. */
static size_t
end_of_unit(const struct sq_shots *shots, size_t low, size_t end,
            int64_t unit_s) {
    const struct sq_shot *first = &shots->items[low];
    int64_t unit = sq_shot_local_s(first) / unit_s;
    int64_t end_utc = first->utc - sq_shot_local_s(first) % unit_s + unit_s;
    for (size_t i = low + 1; i < end; i++) {
        const struct sq_shot *shot = &shots->items[i];
        bool is_inside = shot->quarters == first->quarters
                           ? shot->utc < end_utc
                           : sq_shot_local_s(shot) / unit_s == unit;
        if (!is_inside) {
            return i;
        }
    }
    return end;
}

/* Adds a candidate for each local hour or day of some shots. */
static bool
add_pieces(struct collection *found, size_t low, size_t end, int64_t unit_s,
           uint32_t label, struct sq_err *err) {
    const struct sq_shots *shots = &found->request->shots;
    bool ok = true;
    while (ok && low < end) {
        size_t high = end_of_unit(shots, low, end, unit_s);
        int64_t first = shots->items[low].utc;
        int64_t last = shots->items[high - 1].utc;
        const struct sq_candidate candidate = {
            .shot = (uint32_t)nearest(shots, low, high, (first + last) / 2),
            .low = (uint32_t)low,
            .high = (uint32_t)high,
            .label = label,
            .weight = last - first + 1,
        };
        ok = add_candidate(found, &candidate, err);
        low = high;
    }
    return ok;
}

/*
 * Adds the hours without records. The first SQ_SEGMENT_GAP_S after a record
 * belong to it: trackers write late.
 */
static bool
add_gap(struct collection *found, int64_t recorded_utc, int64_t end_utc,
        struct sq_err *err) {
    const struct sq_shots *shots = &found->request->shots;
    int64_t start_utc = recorded_utc + SQ_SEGMENT_GAP_S;
    if (start_utc >= end_utc) {
        return true;
    }
    size_t end = sq_shots_gallop(shots, found->hint, end_utc);
    size_t low = sq_shots_gallop(shots, found->hint, start_utc);
    found->unrecorded += end - low;
    return add_pieces(found, low, end, SQ_HOUR_S, SQ_NO_LABEL, err);
}

/* Adds a segment, or each local day of a longer one. */
static bool
add_segment(struct collection *found, struct sq_candidate *candidate,
            struct sq_err *err) {
    const struct sq_shots *shots = &found->request->shots;
    const struct sq_shot *shot = &shots->items[candidate->shot];
    int64_t next_day_utc =
        shot->utc - sq_shot_local_s(shot) % SQ_DAY_S + SQ_DAY_S;
    size_t end = candidate->high;
    if (shots->items[end - 1].utc < next_day_utc) {
        return add_candidate(found, candidate, err);
    }
    size_t next = sq_shots_gallop(shots, candidate->shot, next_day_utc);
    candidate->high = (uint32_t)next;
    candidate->weight = next_day_utc - shot->utc;
    return add_candidate(found, candidate, err)
        && add_pieces(found, next, end, SQ_DAY_S, candidate->label, err);
}

/* Collects the candidates of all segments and gaps. */
static bool
collect(struct collection *found, struct sq_choice *out, struct sq_err *err) {
    const struct sq_choose_request *request = found->request;
    const struct sq_window *window = &request->window;
    bool has_gaps = request->sampling == SQ_SAMPLING_ACTIVITY;
    int64_t recorded_utc = window->from_utc - SQ_SEGMENT_GAP_S;
    bool ok = true;
    for (size_t i = 0; ok && i < request->segment_count; i++) {
        const struct sq_segment *segment = &request->segments[i];
        struct sq_candidate candidate;
        if (!touches(segment, window)) {
            continue;
        }
        out->segments++;
        if (has_gaps) {
            ok = add_gap(found, recorded_utc, segment->start_utc, err);
            recorded_utc = sq_max_int64(recorded_utc, segment->end_utc);
        }
        if (represent(request, segment, &found->hint, &candidate)) {
            ok = ok && add_segment(found, &candidate, err);
        } else {
            out->segments_empty++;
        }
    }
    return ok
        && (!has_gaps || add_gap(found, recorded_utc, window->to_utc, err));
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

bool
sq_choose_activity(const struct sq_choose_request *request,
                   struct sq_choice *out, struct sq_err *err) {
    struct collection all = { .request = request };
    bool ok = request->segment_count == 0 || collect(&all, out, err);
    if (ok && out->segments > out->segments_empty) {
        ok = sq_choose_fair(request, all.items, all.count, out, err);
        out->shots_unrecorded = all.unrecorded;
        count_days(request, out);
        explain(out);
    }
    sq_mem_free(all.items);
    return ok;
}
