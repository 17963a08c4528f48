/* Chooses one shot per activity segment, taken after the screen has settled. */
#include <stdio.h>

#include "archive/sampling/private.h"
#include "util/mem.h"

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
 * segments end. Shots of its first second may still show the previous segment,
 * unless the segment was derived from a picture.
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
    size_t low = sq_shots_gallop(shots, *hint, segment->start_utc + !is_visual);
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

/* Fills candidates, which has space for all segments; returns their number. */
static size_t
collect(const struct sq_choose_request *request,
        struct sq_candidate *candidates, struct sq_choice *out) {
    size_t count = 0;
    size_t hint = 0;
    for (size_t i = 0; i < request->segment_count; i++) {
        const struct sq_segment *segment = &request->segments[i];
        if (!touches(segment, &request->window)) {
            continue;
        }
        out->segments++;
        if (represent(request, segment, &hint, &candidates[count])) {
            count++;
        } else {
            out->segments_empty++;
        }
    }
    return count;
}

static void
explain(struct sq_choice *choice) {
    char without[64] = "";
    char limited[96] = "";
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
    snprintf(choice->why, sizeof(choice->why),
             "one for each of %zu periods of activity%s%s", choice->segments,
             without, limited);
}

bool
sq_choose_activity(const struct sq_choose_request *request,
                   struct sq_arena *arena, struct sq_choice *out, bool *found,
                   struct sq_err *err) {
    struct sq_candidate *candidates =
        sq_mem_alloc(request->segment_count + 1, sizeof(*candidates));
    if (!candidates) {
        return sq_fail_nomem(err);
    }
    size_t count = collect(request, candidates, out);
    bool ok =
        !count || sq_choose_fair(request, candidates, count, arena, out, err);
    sq_mem_free(candidates);
    if (ok && count) {
        *found = true;
        explain(out);
    }
    return ok;
}
