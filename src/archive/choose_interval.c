/* One shot every so many seconds. */
#include <stdio.h>

#include "archive/choose_private.h"
#include "util/mem.h"

/* A walk over the shots that are at least an interval apart. */
struct walk {
    const struct sq_shots *shots;
    int64_t interval_s;
    bool is_ruled; /* one per interval, however near to the one before */
    size_t next;   /* where to look for the next one */
};

static bool
step(struct walk *walk, size_t *shot) {
    const struct sq_shots *shots = walk->shots;
    if (walk->next >= shots->count) {
        return false;
    }
    /* One with a thumbnail is worth a little wait. */
    int64_t until =
        (int64_t)shots->items[walk->next].utc + walk->interval_s / 4;
    size_t taken = sq_shots_prefer(shots, walk->next, shots->count, until);
    int64_t utc = (int64_t)shots->items[taken].utc;
    int64_t into = walk->is_ruled
                     ? (utc - (int64_t)shots->items[0].utc) % walk->interval_s
                     : 0;
    walk->next =
        walk->interval_s > 0
            ? sq_shots_gallop(shots, taken, utc - into + walk->interval_s)
            : sq_shots_second_end(shots, taken);
    *shot = taken;
    return true;
}

static size_t
count_steps(struct walk walk, size_t *shots_in_all) {
    size_t count = 0;
    size_t shot;
    *shots_in_all = 0;
    while (step(&walk, &shot)) {
        size_t first = shot;
        while (first > 0
               && walk.shots->items[first - 1].utc
                      == walk.shots->items[shot].utc) {
            first--;
        }
        *shots_in_all += sq_shots_second_end(walk.shots, shot) - first;
        count++;
    }
    return count;
}

/* Keep `room` of `count` steps, spread evenly. */
static void
collect(struct walk walk, size_t count, struct sq_candidate *out, size_t room) {
    size_t kept = 0;
    size_t shot;
    for (size_t i = 0; kept < room && step(&walk, &shot); i++) {
        if (i == sq_spread_at(kept, room, count)) {
            out[kept++] = (struct sq_candidate){ .shot = (uint32_t)shot,
                                                 .label = SQ_NO_LABEL };
        }
    }
}

/* Each has the shots nearer to it than to its neighbours as stand-ins. */
static void
share_out(struct sq_candidate *candidates, size_t count, size_t all) {
    uint32_t low = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t high = (uint32_t)all;
        if (i + 1 < count) {
            uint32_t gap = candidates[i + 1].shot - candidates[i].shot;
            high = candidates[i].shot + gap / 2 + 1;
        }
        candidates[i].low = low;
        candidates[i].high = high;
        low = high;
    }
}

/* What is asked for, or the range divided by the cap. */
static int64_t
interval_of(const struct sq_choose_ask *ask) {
    size_t count = ask->shots.count;
    if (ask->interval_s >= 0) {
        return ask->interval_s;
    }
    if (count <= ask->max_count) {
        return 0;
    }
    int64_t range = (int64_t)ask->shots.items[count - 1].utc
                  - (int64_t)ask->shots.items[0].utc + 1;
    int64_t cap = (int64_t)ask->max_count;
    return (range + cap - 1) / cap;
}

static void
explain(const struct sq_choose_ask *ask, struct sq_choice *choice) {
    char *why = choice->why;
    if (!ask->shots.count) {
        snprintf(why, SQ_CHOICE_WHY_SIZE, "there are no screenshots");
    } else if (choice->interval_s == 0) {
        snprintf(why, SQ_CHOICE_WHY_SIZE, "%s",
                 choice->count < choice->wanted
                     ? "no thinning, but more than the limit: spread evenly"
                     : "every screenshot there is");
    } else {
        snprintf(why, SQ_CHOICE_WHY_SIZE, "one every %d seconds%s",
                 choice->interval_s,
                 choice->count < choice->wanted
                     ? ", spread evenly to stay within the limit"
                     : "");
    }
}

bool
sq_choose_interval(const struct sq_choose_ask *ask, struct sq_arena *arena,
                   struct sq_choice *out, struct sq_err *err) {
    struct walk walk = { &ask->shots, interval_of(ask), false, 0 };
    walk.is_ruled = ask->interval_s < 0 && walk.interval_s > 0;
    size_t all = 0;
    size_t count = count_steps(walk, &all);
    size_t room = count < ask->max_count ? count : ask->max_count;
    struct sq_candidate *candidates =
        sq_mem_alloc(room ? room : 1, sizeof(*candidates));
    if (!candidates) {
        return sq_fail_nomem(err);
    }
    collect(walk, count, candidates, room);
    share_out(candidates, room, ask->shots.count);
    bool ok = sq_choose_fit(ask, candidates, room, arena, out, err);
    sq_mem_free(candidates);
    if (ok) {
        out->wanted = all;
        out->interval_s = (int)walk.interval_s;
        explain(ask, out);
    }
    return ok;
}
