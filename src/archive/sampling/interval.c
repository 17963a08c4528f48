/* Chooses one shot every interval_s seconds, or as many as the limit allows. */
#include <stdio.h>

#include "archive/sampling/private.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_GAP_S 1800 /* a longer pause counts only this much */
#define WAIT_SHARE 4   /* wait 1/4 of an interval for a thumbnail */
#define MAX_SKIPPED 16 /* maximum of seconds skipped for it */

/* Iterates over shots that are at least an interval apart. */
struct walk {
    const struct sq_shots *shots;
    int64_t interval_s;
    size_t next; /* where to search for the next one */
};

static bool
step(struct walk *walk, size_t *shot) {
    const struct sq_shots *shots = walk->shots;
    if (walk->next >= shots->count) {
        return false;
    }
    /* Prefer a shot with a thumbnail if it is only slightly later. */
    int64_t until =
        (int64_t)shots->items[walk->next].utc + walk->interval_s / WAIT_SHARE;
    size_t chosen = sq_shots_prefer(shots, walk->next, shots->count, until);
    int64_t utc = (int64_t)shots->items[chosen].utc;
    walk->next = walk->interval_s > 0
                   ? sq_shots_gallop(shots, chosen, utc + walk->interval_s)
                   : sq_shots_second_end(shots, chosen);
    *shot = chosen;
    return true;
}

static size_t
count_steps(struct walk walk, size_t *shots_in_all) {
    size_t count = 0;
    size_t shot;
    *shots_in_all = 0;
    for (; step(&walk, &shot); count++) {
        const struct sq_candidate one = { .shot = (uint32_t)shot };
        *shots_in_all += sq_candidate_shots(walk.shots, &one);
    }
    return count;
}

/* Keeps `capacity` of `count` steps, evenly spread. */
static void
collect(struct walk walk, size_t count, struct sq_candidate *out,
        size_t capacity) {
    size_t kept = 0;
    size_t shot;
    for (size_t i = 0; kept < capacity && step(&walk, &shot); i++) {
        if (i == sq_spread_at(kept, capacity, count)) {
            out[kept++] = (struct sq_candidate){ .shot = (uint32_t)shot,
                                                 .label = SQ_NO_LABEL };
        }
    }
}

/* Candidates that are spread evenly. */
struct even {
    const struct sq_shots *shots;
    struct sq_candidate *items;
    size_t count;
};

/* Returns the number of shots of that many of them. */
static size_t
count_shots(void *context, size_t count) {
    const struct even *even = context;
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += sq_candidate_shots(
            even->shots, &even->items[sq_spread_at(i, count, even->count)]);
    }
    return sum;
}

/*
 * Picks as many as the cap allows with all shots of their seconds. Each can be
 * replaced by the shots nearer to it than to its neighbours.
 */
static void
keep(const struct sq_choose_request *request, struct sq_candidate *items,
     size_t count, struct sq_choice *out) {
    struct even even = { &request->shots, items, count };
    uint32_t low = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_last = i + 1 == count;
        items[i].low = low;
        low = is_last
                ? (uint32_t)request->shots.count
                : items[i].shot + (items[i + 1].shot - items[i].shot) / 2 + 1;
        items[i].high = low;
    }
    size_t kept = sq_largest_fit(sq_min_size(count, request->max_count),
                                 request->max_count, count_shots, &even);
    for (size_t i = 0; i < kept && i < count; i++) {
        items[i] = items[sq_spread_at(i, kept, count)];
    }
    sq_choose_keep(request, items, sq_min_size(kept, count), out);
}

/* The shots of one day, or of all days if they are few. */
struct day {
    uint32_t first;
    uint32_t end;     /* exclusive */
    uint32_t seconds; /* that have shots; measure() sets this and time_s */
    int64_t time_s;   /* that the shots cover, without long pauses */
};

/* Finds the days with shots, into days[] unless NULL; returns their number. */
static size_t
find_days(const struct sq_shots *shots, struct day *days) {
    size_t count = 0;
    for (size_t at = 0; at < shots->count;) {
        const struct sq_shot *shot = &shots->items[at];
        int64_t into_s = sq_shot_local_s(shot) % SQ_DAY_S;
        size_t end =
            sq_shots_gallop(shots, at, (int64_t)shot->utc - into_s + SQ_DAY_S);
        if (days) {
            days[count] =
                (struct day){ .first = (uint32_t)at, .end = (uint32_t)end };
        }
        count++;
        at = end;
    }
    return count;
}

/* Returns the time from one shot to a later one, as far as it counts. */
static int64_t
gap_s(const struct sq_shots *shots, size_t from, size_t to) {
    return sq_min_int64(shots->items[to].utc - shots->items[from].utc,
                        MAX_GAP_S);
}

static void
measure(const struct sq_shots *shots, struct day *day) {
    day->time_s = 0;
    day->seconds = 1;
    for (size_t i = (size_t)day->first + 1; i < day->end; i++) {
        int64_t gap = gap_s(shots, i - 1, i);
        day->time_s += gap;
        day->seconds += gap > 0;
    }
}

/* The output of spreading over a day. */
struct spread {
    const struct sq_shots *shots;
    struct sq_candidate *out;
    size_t count;
    bool has_ends; /* the first and last shot are included */
};

/* Returns when the nth of `quota` shots is due in the time of a day. */
static double
due_s(const struct spread *spread, const struct day *day, uint32_t nth,
      uint32_t quota) {
    return spread->has_ends && quota > 1
             ? (double)day->time_s * nth / (quota - 1)
             : (double)day->time_s * (nth + 0.5) / quota;
}

/*
 * Chooses this shot, or one with a thumbnail up to wait_s later. Returns the
 * index after its second.
 */
static size_t
take(struct spread *spread, const struct day *day, size_t shot,
     int64_t wait_s) {
    int64_t until = (int64_t)spread->shots->items[shot].utc + wait_s;
    shot = sq_shots_prefer(spread->shots, shot, day->end, until);
    spread->out[spread->count++] =
        (struct sq_candidate){ .shot = (uint32_t)shot, .label = SQ_NO_LABEL };
    return sq_shots_second_end(spread->shots, shot);
}

/* Chooses `quota` seconds of a measured day, evenly in the time with shots. */
static void
spread_day(struct spread *spread, const struct day *day, uint32_t quota) {
    uint32_t left = day->seconds; /* from this one on */
    uint32_t nth = 0;
    int64_t at_s = 0;
    double next_s = due_s(spread, day, nth, quota);
    size_t next = day->first; /* shots before it are not considered */
    size_t end;
    for (size_t i = day->first; i < day->end && nth < quota; i = end, left--) {
        end = sq_shots_second_end(spread->shots, i);
        bool must_take = left <= quota - nth;
        if (i >= next && (must_take || (double)at_s >= next_s)) {
            bool may_wait = left > quota - nth + MAX_SKIPPED;
            next = take(spread, day, i,
                        may_wait ? day->time_s / quota / WAIT_SHARE : -1);
            next_s = due_s(spread, day, ++nth, quota);
        }
        if (end < day->end) {
            at_s += gap_s(spread->shots, i, end);
        }
    }
}

/* Chooses equally many of each day; with too many days, one each of some. */
static bool
spread_days(struct spread *spread, struct day *days, size_t count, size_t total,
            struct sq_err *err) {
    if (count >= total) {
        for (size_t i = 0; i < total; i++) {
            struct day *day = &days[sq_spread_at(i, total, count)];
            measure(spread->shots, day);
            spread_day(spread, day, 1);
        }
        return true;
    }
    uint32_t *capacity = sq_mem_alloc(count, 2 * sizeof(*capacity));
    if (!capacity) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        measure(spread->shots, &days[i]);
        capacity[i] = days[i].seconds;
    }
    sq_share_evenly(capacity, count, total, capacity + count);
    for (size_t i = 0; i < count; i++) {
        if (capacity[count + i] > 0) {
            spread_day(spread, &days[i], capacity[count + i]);
        }
    }
    sq_mem_free(capacity);
    return true;
}

/* Chooses up to max_count, equally many per day; *day_count: 0 if few days. */
static bool
spread_all(const struct sq_choose_request *request,
           struct sq_candidate *candidates, size_t *count, size_t *day_count,
           struct sq_err *err) {
    const struct sq_shots *shots = &request->shots;
    struct spread spread = { .shots = shots, .out = candidates };
    size_t days = find_days(shots, NULL);
    bool ok = true;
    *day_count = days < SQ_CHOOSE_MIN_DAYS ? 0 : days;
    if (*day_count == 0) {
        struct day all_days = { .end = (uint32_t)shots->count };
        measure(shots, &all_days);
        spread.has_ends = true;
        spread_day(&spread, &all_days,
                   (uint32_t)sq_min_size(all_days.seconds, request->max_count));
    } else {
        struct day *each = sq_mem_alloc(days, sizeof(*each));
        ok = each || sq_fail_nomem(err);
        if (ok) {
            find_days(shots, each);
            ok = spread_days(&spread, each, days, request->max_count, err);
        }
        sq_mem_free(each);
    }
    *count = spread.count;
    return ok;
}

static void
explain(const struct sq_choose_request *request, struct sq_choice *choice) {
    char *why = choice->why;
    bool is_limited = choice->count < choice->wanted;
    if (!request->shots.count) {
        snprintf(why, SQ_CHOICE_WHY_SIZE, "there are no screenshots");
    } else if (choice->interval_s == 0) {
        snprintf(why, SQ_CHOICE_WHY_SIZE, "%s",
                 is_limited ? "more screenshots than the limit: spread evenly"
                            : "every screenshot");
    } else {
        snprintf(why, SQ_CHOICE_WHY_SIZE, "one every %d seconds%s",
                 choice->interval_s,
                 is_limited ? ", spread evenly to stay within the limit" : "");
    }
}

bool
sq_choose_interval(const struct sq_choose_request *request,
                   struct sq_choice *out, struct sq_err *err) {
    struct walk walk = { &request->shots,
                         request->interval_s > 0 ? request->interval_s : 0, 0 };
    size_t count = 0;
    size_t days = 0;
    struct sq_candidate *candidates =
        sq_mem_alloc(sq_min_size(request->max_count, request->shots.count) + 1,
                     sizeof(*candidates));
    if (!candidates) {
        return sq_fail_nomem(err);
    }
    bool ok = true;
    if (request->interval_s < 0 && request->shots.count > request->max_count) {
        ok = spread_all(request, candidates, &count, &days, err);
        keep(request, candidates, count, out);
        out->wanted = out->count;
        out->is_by_day = days > 0;
        snprintf(out->why, sizeof(out->why),
                 days ? "spread evenly over the %zu days that have screenshots"
                      : "spread evenly over the time that has screenshots",
                 days);
    } else {
        size_t all = count_steps(walk, &out->wanted);
        count = sq_min_size(all, request->max_count);
        collect(walk, all, candidates, count);
        keep(request, candidates, count, out);
        out->interval_s = (int)walk.interval_s;
        explain(request, out);
    }
    sq_mem_free(candidates);
    return ok;
}
