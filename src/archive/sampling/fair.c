/*
 * Chooses segments if there are more than the limit: equally many per day (or
 * part of a day), and applications by their share of the time. A seat is one
 * chosen segment; rows are times, columns are applications. See
 * docs/decisions/0019-fair-sampling.md.
 */
#include <stdlib.h>
#include <string.h>

#include "archive/sampling/private.h"
#include "util/minmax.h"

#define MAX_ROWS 128
#define MAX_APPS 256        /* the last one stands for all others */
#define GUARANTEED_SHARE 20 /* an app with 1/20 of the time gets a seat */
#define MAX_PASSES 16       /* passes that exchange seats */
#define LEAST_GAIN 1e-6     /* minimum gain of an exchange */

struct app {
    uint32_t label; /* one more than the highest: none */
    int64_t time_s;
    uint32_t seats;
    bool is_shown; /* it has candidates */
    bool is_full;  /* no more seats are possible */
};

/* One application in one row. */
struct cell {
    int64_t time_s;
    uint32_t count; /* candidates */
    uint32_t taken;
};

struct fair {
    const struct sq_choose_request *request;
    const struct sq_candidate *candidates;
    size_t count;
    uint32_t *row_of; /* row of each candidate */
    uint32_t *app_of;
    bool *is_chosen;
    bool is_by_day;  /* rows are days, not parts of one */
    bool keeps_rows; /* no app gets more at the cost of another row */
    size_t row_count;
    uint32_t capacity[MAX_ROWS]; /* candidates of each row */
    uint32_t left[MAX_ROWS];     /* seats it can still get */
    uint32_t quota[MAX_ROWS];    /* seats it got at the start */
    int64_t row_time_s[MAX_ROWS];
    bool is_seen[MAX_ROWS]; /* visited by the current search */
    struct app *apps;       /* sorted by time, longest first */
    size_t app_count;
    struct cell *cells; /* matrix of rows x app_count */
};

static struct cell *
cell_of(struct fair *fair, size_t row, size_t app) {
    return &fair->cells[row * fair->app_count + app];
}

void
sq_share_evenly(const uint32_t *capacity, size_t count, size_t total,
                uint32_t *out) {
    memset(out, 0, count * sizeof(*out));
    while (total > 0) {
        size_t open = 0;
        for (size_t i = 0; i < count; i++) {
            open += out[i] < capacity[i];
        }
        if (open == 0) {
            return;
        }
        size_t share = total / open;
        size_t extra = share ? 0 : total; /* one each, spread over open rows */
        size_t nth = 0;
        size_t given = 0;
        for (size_t i = 0; i < count; i++) {
            if (out[i] >= capacity[i]) {
                continue;
            }
            size_t part = share;
            if (extra && nth == (2 * given + 1) * open / (2 * extra)) {
                part = given < extra;
            }
            part = sq_min_size(part, capacity[i] - out[i]);
            out[i] += (uint32_t)part;
            given += part;
            nth++;
        }
        total -= given;
    }
}

/* Numbers the candidates by the unit of time they lie in; returns the count. */
static size_t
number_rows(struct fair *fair, int64_t unit_s) {
    int64_t last = INT64_MIN;
    size_t rows = 0;
    for (size_t i = 0; i < fair->count; i++) {
        const struct sq_shot *shot =
            &fair->request->shots.items[fair->candidates[i].shot];
        int64_t unit = sq_shot_local_s(shot) / unit_s;
        rows += unit > last;
        last = sq_max_int64(unit, last);
        fair->row_of[i] = (uint32_t)(rows - 1);
    }
    return rows;
}

/* Returns the number of an app; that of the shots without a label is `none`. */
static uint32_t
slot_of(uint32_t label, uint32_t none) {
    return label < none ? label : none;
}

/* Sorts apps with candidates first, those with the most time first. */
static int
compare_apps(const void *a, const void *b) {
    const struct app *one = a;
    const struct app *two = b;
    return one->is_shown != two->is_shown ? two->is_shown - one->is_shown
         : one->time_s != two->time_s
             ? (one->time_s < two->time_s) - (one->time_s > two->time_s)
             : (one->label > two->label) - (one->label < two->label);
}

/*
 * Adds the time of each app, including time without screenshots, and the time
 * of the shots without a label, which is the last one.
 */
static void
add_times(struct fair *fair, uint32_t none) {
    const struct sq_choose_request *request = fair->request;
    for (size_t i = 0; i < request->segment_count; i++) {
        const struct sq_segment *segment = &request->segments[i];
        if (segment->label < none) {
            fair->apps[segment->label].time_s +=
                sq_segment_time_s(segment, &request->window);
        }
    }
    for (size_t i = 0; i < fair->count; i++) {
        uint32_t label = slot_of(fair->candidates[i].label, none);
        fair->apps[label].is_shown = true;
        fair->apps[label].time_s +=
            label == none ? fair->candidates[i].weight : 0;
    }
}

/* Sorts the apps by time, and sets the app of each candidate. */
static bool
find_apps(struct fair *fair, struct sq_arena *arena, struct sq_err *err) {
    uint32_t none = 0;
    for (size_t i = 0; i < fair->count; i++) {
        uint32_t label = fair->candidates[i].label;
        none = label != SQ_NO_LABEL && label >= none ? label + 1 : none;
    }
    size_t count = (size_t)none + 1;
    uint32_t *ranks = sq_arena_alloc(arena, count, sizeof(*ranks), err);
    fair->apps = sq_arena_alloc(arena, count, sizeof(*fair->apps), err);
    if (!ranks || !fair->apps) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        fair->apps[i] = (struct app){ .label = i };
    }
    add_times(fair, none);
    fair->keeps_rows = fair->apps[none].is_shown;
    qsort(fair->apps, count, sizeof(*fair->apps), compare_apps);
    for (size_t i = 0; i < count && fair->apps[i].is_shown; i++) {
        size_t app = sq_min_size(i, MAX_APPS - 1);
        ranks[fair->apps[i].label] = (uint32_t)app;
        fair->apps[app].time_s += i > app ? fair->apps[i].time_s : 0;
        fair->app_count = app + 1;
    }
    for (size_t i = 0; i < fair->count; i++) {
        fair->app_of[i] = ranks[slot_of(fair->candidates[i].label, none)];
    }
    return true;
}

static void
fill_cells(struct fair *fair) {
    for (size_t i = 0; i < fair->count; i++) {
        size_t row = fair->row_of[i];
        struct cell *cell = cell_of(fair, row, fair->app_of[i]);
        cell->count++;
        cell->time_s += fair->candidates[i].weight;
        fair->row_time_s[row] += fair->candidates[i].weight;
    }
}

/* Returns how many more seats an app should have in a row. */
static double
deficit(struct fair *fair, size_t row, size_t app) {
    const struct cell *cell = cell_of(fair, row, app);
    double share =
        (double)(cell->time_s + 1) / (double)(fair->row_time_s[row] + 1);
    return share * fair->quota[row] - cell->taken;
}

/*
 * Assigns a free seat to the app, in the row where it has the largest deficit.
 */
static bool
seat_directly(struct fair *fair, size_t app) {
    size_t best = fair->row_count;
    double most = 0;
    for (size_t row = 0; row < fair->row_count; row++) {
        const struct cell *cell = cell_of(fair, row, app);
        if (fair->left[row] == 0 || cell->taken >= cell->count) {
            continue;
        }
        double gain = deficit(fair, row, app);
        if (best == fair->row_count || gain > most) {
            best = row;
            most = gain;
        }
    }
    if (best == fair->row_count) {
        return false;
    }
    cell_of(fair, best, app)->taken++;
    fair->left[best]--;
    return true;
}

/*
 * Assigns a seat to the app in any row, moving others to other rows if needed
 * (an augmenting path). Each row is tried once: at most MAX_ROWS deep.
 */
static bool
seat_by_moving(struct fair *fair, size_t app) {
    if (seat_directly(fair, app)) {
        return true;
    }
    for (size_t row = 0; row < fair->row_count; row++) {
        struct cell *cell = cell_of(fair, row, app);
        if (fair->is_seen[row] || cell->taken >= cell->count) {
            continue;
        }
        fair->is_seen[row] = true;
        for (size_t other = 0; other < fair->app_count; other++) {
            struct cell *other_cell = cell_of(fair, row, other);
            if (other != app && other_cell->taken > 0
                && seat_by_moving(fair, other)) {
                other_cell->taken--;
                cell->taken++;
                return true;
            }
        }
    }
    return false;
}

static bool
seat(struct fair *fair, size_t app) {
    memset(fair->is_seen, 0, sizeof(fair->is_seen));
    if (!seat_by_moving(fair, app)) {
        return false;
    }
    fair->apps[app].seats++;
    return true;
}

/*
 * Does the same in a row without free seats, because the app must be shown.
 * Another row gets one seat less, but not its last one if some time has no
 * records: a few recorded days must not hide the others.
 */
static bool
seat_beyond_quota(struct fair *fair, size_t app) {
    if (fair->keeps_rows) {
        size_t giver = 0;
        while (giver < fair->row_count
               && (fair->left[giver] == 0 || fair->quota[giver] < 2)) {
            giver++;
        }
        if (giver == fair->row_count) {
            return false;
        }
        fair->left[giver]--;
    }
    for (size_t row = 0; row < fair->row_count; row++) {
        const struct cell *cell = cell_of(fair, row, app);
        if (cell->taken < cell->count) {
            fair->left[row]++;
            return seat(fair, app);
        }
    }
    return false;
}

/* Returns the next app: the most time per seat (Sainte-Lague). */
static size_t
find_next(const struct fair *fair) {
    size_t best = fair->app_count;
    double most = -1;
    for (size_t app = 0; app < fair->app_count; app++) {
        double gain =
            (double)fair->apps[app].time_s / (2.0 * fair->apps[app].seats + 1);
        if (!fair->apps[app].is_full && gain > most) {
            most = gain;
            best = app;
        }
    }
    return best;
}

static void
give_seats(struct fair *fair, size_t seats) {
    int64_t total_s = 0;
    size_t given = 0;
    for (size_t app = 0; app < fair->app_count; app++) {
        total_s += fair->apps[app].time_s;
    }
    for (size_t app = 0; app < fair->app_count && given < seats; app++) {
        if (fair->apps[app].time_s * GUARANTEED_SHARE >= total_s) {
            given += seat(fair, app) || seat_beyond_quota(fair, app);
        }
    }
    while (given < seats) {
        size_t app = find_next(fair);
        if (app == fair->app_count) {
            break;
        }
        fair->apps[app].is_full = !seat(fair, app);
        given += !fair->apps[app].is_full;
    }
}

/* Returns by how much one more seat increases the error of a cell. */
static double
cost_change(struct fair *fair, size_t row, size_t app, int more) {
    double over = -deficit(fair, row, app);
    return (over + more) * (over + more) - over * over;
}

/* Exchanges seats of two apps in two rows if both rows become more typical. */
static bool
try_swap(struct fair *fair, const size_t rows[2], const size_t apps[2]) {
    struct cell *here[2];
    struct cell *there[2];
    double change = 0;
    for (int i = 0; i < 2; i++) {
        here[i] = cell_of(fair, rows[i], apps[i]);
        there[i] = cell_of(fair, rows[1 - i], apps[i]);
        if (here[i]->taken == 0 || there[i]->taken >= there[i]->count) {
            return false;
        }
        change += cost_change(fair, rows[i], apps[i], -1)
                + cost_change(fair, rows[1 - i], apps[i], 1);
    }
    if (change > -LEAST_GAIN) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        here[i]->taken--;
        there[i]->taken++;
    }
    return true;
}

/* Tries to exchange the seats of one cell with all later rows. */
static bool
swap_cell(struct fair *fair, size_t row, size_t app) {
    for (size_t other = row + 1; other < fair->row_count; other++) {
        const struct cell *cell = cell_of(fair, other, app);
        bool has_free = cell->taken < cell->count;
        for (size_t other_app = 0; has_free && other_app < fair->app_count;
             other_app++) {
            const size_t rows[2] = { row, other };
            const size_t apps[2] = { app, other_app };
            if (other_app != app && try_swap(fair, rows, apps)) {
                return true;
            }
        }
    }
    return false;
}

/*
 * Improves the rows by exchanging seats, so that each shows its own
 * applications by their share. The number of seats per row and per app does not
 * change.
 */
static void
improve(struct fair *fair) {
    bool has_changed = true;
    for (int pass = 0; has_changed && pass < MAX_PASSES; pass++) {
        has_changed = false;
        for (size_t row = 0; row < fair->row_count; row++) {
            for (size_t app = 0; app < fair->app_count; app++) {
                has_changed = (cell_of(fair, row, app)->taken > 0
                               && swap_cell(fair, row, app))
                           || has_changed;
            }
        }
    }
}

/* Chooses the longest segments of one cell, spread over its time. */
static void
choose_in_cell(struct fair *fair, size_t row, size_t app, size_t start) {
    const struct cell *cell = cell_of(fair, row, app);
    size_t end = start + fair->capacity[row];
    size_t best = end;
    size_t nth = 0;
    for (size_t i = start; i < end; i++) {
        if (fair->app_of[i] != app) {
            continue;
        }
        if (best == end
            || fair->candidates[i].weight > fair->candidates[best].weight) {
            best = i;
        }
        size_t group = nth * cell->taken / cell->count;
        nth++;
        if (nth * cell->taken / cell->count > group) {
            fair->is_chosen[best] = true;
            best = end;
        }
    }
}

static void
choose_in_cells(struct fair *fair) {
    size_t start = 0;
    memset(fair->is_chosen, 0, fair->count * sizeof(*fair->is_chosen));
    for (size_t row = 0; row < fair->row_count; row++) {
        for (size_t app = 0; app < fair->app_count; app++) {
            if (cell_of(fair, row, app)->taken > 0) {
                choose_in_cell(fair, row, app, start);
            }
        }
        start += fair->capacity[row];
    }
}

/*
 * Finds the rows: days, or the coarsest unit that gives each seat a row.
 * Neighbours share a row if there are more units than seats.
 */
static void
find_rows(struct fair *fair, size_t seats) {
    static const int64_t units_s[] = { SQ_HOUR_S, SQ_HOUR_S / 6,
                                       SQ_HOUR_S / 60 };
    size_t rows = fair->is_by_day ? number_rows(fair, SQ_DAY_S) : 0;
    for (size_t i = 0;
         !fair->is_by_day && rows < seats && i < SQ_COUNT(units_s); i++) {
        rows = number_rows(fair, units_s[i]);
    }
    fair->row_count = sq_min_size(rows, sq_min_size(seats, MAX_ROWS));
    for (size_t i = 0; i < fair->count; i++) {
        size_t row = (size_t)fair->row_of[i] * fair->row_count / rows;
        fair->row_of[i] = (uint32_t)row;
        fair->capacity[row]++;
    }
}

/* Chooses that many candidates; returns the number of their shots. */
static size_t
choose_count(void *context, size_t seats) {
    struct fair *fair = context;
    size_t shots = 0;
    memset(fair->capacity, 0, sizeof(fair->capacity));
    memset(fair->row_time_s, 0, sizeof(fair->row_time_s));
    memset(fair->cells, 0, MAX_ROWS * fair->app_count * sizeof(*fair->cells));
    for (size_t app = 0; app < fair->app_count; app++) {
        fair->apps[app].seats = 0;
        fair->apps[app].is_full = false;
    }
    find_rows(fair, seats);
    fill_cells(fair);
    sq_share_evenly(fair->capacity, fair->row_count, seats, fair->quota);
    memcpy(fair->left, fair->quota, sizeof(fair->left));
    give_seats(fair, seats);
    improve(fair);
    choose_in_cells(fair);
    for (size_t i = 0; i < fair->count; i++) {
        shots += fair->is_chosen[i] ? sq_candidate_shots(&fair->request->shots,
                                                         &fair->candidates[i])
                                    : 0;
    }
    return shots;
}

/* Moves as many candidates as the limit allows for all their shots to the
 * start; returns their number. */
static bool
choose_within(struct fair *fair, struct sq_candidate *candidates,
              size_t *chosen, struct sq_err *err) {
    size_t count = fair->count;
    size_t limit = fair->request->max_count;
    SQ_ARENA(arena, SIZE_MAX);
    fair->row_of = sq_arena_alloc(&arena, count, sizeof(*fair->row_of), err);
    fair->app_of = sq_arena_alloc(&arena, count, sizeof(*fair->app_of), err);
    fair->is_chosen =
        sq_arena_alloc(&arena, count, sizeof(*fair->is_chosen), err);
    if (!fair->row_of || !fair->app_of || !fair->is_chosen
        || !find_apps(fair, &arena, err)) {
        return false;
    }
    fair->cells = sq_arena_alloc(&arena, MAX_ROWS * fair->app_count,
                                 sizeof(*fair->cells), err);
    if (!fair->cells) {
        return false;
    }
    fair->is_by_day = number_rows(fair, SQ_DAY_S) >= SQ_CHOOSE_MIN_DAYS;
    choose_count(fair, sq_largest_fit(sq_min_size(count, limit), limit,
                                      choose_count, fair));
    *chosen = 0;
    for (size_t i = 0; i < count; i++) {
        if (fair->is_chosen[i]) {
            candidates[(*chosen)++] = candidates[i];
        }
    }
    return true;
}

bool
sq_choose_fair(const struct sq_choose_request *request,
               struct sq_candidate *candidates, size_t count,
               struct sq_choice *out, struct sq_err *err) {
    struct fair fair = { .request = request,
                         .candidates = candidates,
                         .count = count };
    size_t kept = count;
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all += sq_candidate_shots(&request->shots, &candidates[i]);
    }
    if (all > request->max_count
        && !choose_within(&fair, candidates, &kept, err)) {
        return false;
    }
    sq_choose_keep(request, candidates, kept, out);
    out->wanted = all;
    out->is_by_day = fair.is_by_day;
    return true;
}
