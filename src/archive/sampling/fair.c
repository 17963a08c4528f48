/*
 * Chooses segments if there are more than the limit: equally many per day (or
 * part of a day), and applications by their share of the time. A seat is one
 * chosen segment; rows are times, columns are applications. See
 * docs/decisions/0019-fair-sampling.md.
 */
#include <stdlib.h>
#include <string.h>

#include "archive/sampling/private.h"
#include "util/mem.h"

#define MAX_ROWS 128
#define MAX_APPS 256        /* the last one stands for all others */
#define GUARANTEED_SHARE 20 /* an app with 1/20 of the time gets a seat */
#define NO_APP UINT32_MAX
#define MAX_PASSES 16   /* passes that exchange seats */
#define LEAST_GAIN 1e-6 /* minimum gain of an exchange */

struct app {
    uint32_t label;
    int64_t time_s;
    uint32_t seats;
    bool is_full; /* no more seats are possible */
};

/* One application in one row. */
struct cell {
    int64_t time_s;
    uint32_t count; /* candidates */
    uint32_t taken;
};

struct fair {
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
            part = part < capacity[i] - out[i] ? part : capacity[i] - out[i];
            out[i] += (uint32_t)part;
            given += part;
            nth++;
        }
        total -= given;
    }
}

/* Returns whether rows are days, not times of day. */
static bool
is_by_day(const struct sq_choose_request *request,
          const struct sq_candidate *items, size_t count) {
    int64_t days = 0;
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < count && days < SQ_CHOOSE_MIN_DAYS; i++) {
        int64_t day =
            sq_shot_local_s(&request->shots.items[items[i].shot]) / SQ_DAY_S;
        days += day > last;
        last = day > last ? day : last;
    }
    return days >= SQ_CHOOSE_MIN_DAYS;
}

/* Numbers the candidates by the unit of time they lie in; returns the count. */
static size_t
number_rows(const struct sq_choose_request *request, struct fair *fair,
            int64_t unit_s) {
    int64_t last = INT64_MIN;
    size_t rows = 0;
    for (size_t i = 0; i < fair->count; i++) {
        const struct sq_shot *shot =
            &request->shots.items[fair->candidates[i].shot];
        int64_t unit = sq_shot_local_s(shot) / unit_s;
        rows += unit > last;
        last = unit > last ? unit : last;
        fair->row_of[i] = (uint32_t)(rows - 1);
    }
    return rows;
}

static int
compare_labels(const void *a, const void *b) {
    uint32_t one = ((const struct app *)a)->label;
    uint32_t two = ((const struct app *)b)->label;
    return (one > two) - (one < two);
}

static int
compare_times(const void *a, const void *b) {
    int64_t one = ((const struct app *)a)->time_s;
    int64_t two = ((const struct app *)b)->time_s;
    return one != two ? (one < two) - (one > two) : compare_labels(a, b);
}

/* Returns the index of a label in apps sorted by label, or NO_APP. */
static uint32_t
find_label(const struct app *apps, size_t count, uint32_t label) {
    const struct app key = { .label = label };
    const struct app *found =
        bsearch(&key, apps, count, sizeof(*apps), compare_labels);
    return found ? (uint32_t)(found - apps) : NO_APP;
}

/* Lists one app per label, sorted by label; returns their number. */
static size_t
list_labels(const struct fair *fair, struct app *apps) {
    size_t count = 0;
    for (size_t i = 0; i < fair->count; i++) {
        apps[i] = (struct app){ .label = fair->candidates[i].label };
    }
    qsort(apps, fair->count, sizeof(*apps), compare_labels);
    for (size_t i = 0; i < fair->count; i++) {
        if (count == 0 || apps[count - 1].label != apps[i].label) {
            apps[count++] = apps[i];
        }
    }
    return count;
}

/*
 * Adds the time of each app, including time without screenshots, and the time
 * of the shots without a label.
 */
static void
add_times(const struct sq_choose_request *request, const struct fair *fair,
          struct app *apps, size_t count) {
    for (size_t i = 0; i < request->segment_count; i++) {
        uint32_t app = find_label(apps, count, request->segments[i].label);
        int64_t time_s =
            sq_segment_time_s(&request->segments[i], &request->window);
        if (app != NO_APP && time_s > 0) {
            apps[app].time_s += time_s;
        }
    }
    for (size_t i = 0; i < fair->count; i++) {
        if (fair->candidates[i].label == SQ_NO_LABEL) {
            /* The highest label is the last in the order of labels. */
            apps[count - 1].time_s += fair->candidates[i].weight;
        }
    }
}

/*
 * Sorts the apps by time and sets the app of each candidate; spare has space
 * for as many apps as there are candidates.
 */
static void
find_apps(const struct sq_choose_request *request, struct fair *fair,
          struct app *spare) {
    struct app *apps = fair->apps;
    size_t count = list_labels(fair, apps);
    fair->keeps_rows = apps[count - 1].label == SQ_NO_LABEL;
    add_times(request, fair, apps, count);
    memcpy(spare, apps, count * sizeof(*apps));
    qsort(apps, count, sizeof(*apps), compare_times);
    /* `seats` holds the rank by time until seats are assigned. */
    for (size_t i = 0; i < count; i++) {
        size_t app = i < MAX_APPS ? i : MAX_APPS - 1;
        spare[find_label(spare, count, apps[i].label)].seats = (uint32_t)app;
        if (i >= MAX_APPS) {
            apps[MAX_APPS - 1].time_s += apps[i].time_s;
        }
    }
    for (size_t i = 0; i < fair->count; i++) {
        uint32_t label = fair->candidates[i].label;
        fair->app_of[i] = spare[find_label(spare, count, label)].seats;
    }
    fair->app_count = count < MAX_APPS ? count : MAX_APPS;
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

/* Chooses that many candidates; returns the number of their shots. */
static size_t
choose_count(const struct sq_choose_request *request, struct fair *fair,
             size_t seats) {
    size_t shots = 0;
    memset(fair->capacity, 0, sizeof(fair->capacity));
    memset(fair->row_time_s, 0, sizeof(fair->row_time_s));
    memset(fair->cells, 0, MAX_ROWS * fair->app_count * sizeof(*fair->cells));
    for (size_t app = 0; app < fair->app_count; app++) {
        fair->apps[app].seats = 0;
        fair->apps[app].is_full = false;
    }
    /*
     * Finds the rows: days, or the coarsest unit that gives each seat a row.
     * Neighbours share a row if there are more units than seats.
     */
    static const int64_t units_s[] = { SQ_HOUR_S, SQ_HOUR_S / 6,
                                       SQ_HOUR_S / 60 };
    size_t rows = fair->is_by_day ? number_rows(request, fair, SQ_DAY_S) : 0;
    for (size_t i = 0; !fair->is_by_day && rows < seats
                       && i < sizeof(units_s) / sizeof(units_s[0]);
         i++) {
        rows = number_rows(request, fair, units_s[i]);
    }
    size_t most = seats < MAX_ROWS ? seats : MAX_ROWS;
    fair->row_count = rows < most ? rows : most;
    for (size_t i = 0; i < fair->count; i++) {
        size_t row = (size_t)fair->row_of[i] * fair->row_count / rows;
        fair->row_of[i] = (uint32_t)row;
        fair->capacity[row]++;
    }
    fill_cells(fair);
    sq_share_evenly(fair->capacity, fair->row_count, seats, fair->quota);
    memcpy(fair->left, fair->quota, sizeof(fair->left));
    give_seats(fair, seats);
    improve(fair);
    choose_in_cells(fair);
    for (size_t i = 0; i < fair->count; i++) {
        shots += fair->is_chosen[i]
                   ? sq_candidate_shots(&request->shots, &fair->candidates[i])
                   : 0;
    }
    return shots;
}

/* Chooses as many candidates as the limit allows for all their shots. */
static void
choose_within(const struct sq_choose_request *request, struct fair *fair) {
    size_t low = 1;
    size_t high =
        fair->count < request->max_count ? fair->count : request->max_count;
    if (choose_count(request, fair, high) <= request->max_count) {
        return;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (choose_count(request, fair, middle) <= request->max_count) {
            low = middle;
        } else {
            high = middle;
        }
    }
    choose_count(request, fair, low);
}

static bool
init(struct fair *fair, const struct sq_choose_request *request,
     struct sq_err *err) {
    size_t count = fair->count;
    struct app *spare = sq_mem_alloc(count, sizeof(*spare));
    fair->row_of = sq_mem_alloc(count, sizeof(*fair->row_of));
    fair->app_of = sq_mem_alloc(count, sizeof(*fair->app_of));
    fair->is_chosen = sq_mem_alloc(count, sizeof(*fair->is_chosen));
    fair->apps = sq_mem_alloc(count, sizeof(*fair->apps));
    bool ok =
        spare && fair->row_of && fair->app_of && fair->is_chosen && fair->apps;
    if (ok) {
        find_apps(request, fair, spare);
        fair->is_by_day = is_by_day(request, fair->candidates, count);
        fair->cells =
            sq_mem_alloc(MAX_ROWS * fair->app_count, sizeof(*fair->cells));
    }
    sq_mem_free(spare);
    return (ok && fair->cells) || sq_fail_nomem(err);
}

bool
sq_choose_fair(const struct sq_choose_request *request,
               const struct sq_candidate *candidates, size_t count,
               struct sq_arena *arena, struct sq_choice *out,
               struct sq_err *err) {
    struct fair fair = { .candidates = candidates, .count = count };
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all += sq_candidate_shots(&request->shots, &candidates[i]);
    }
    bool ok = true;
    if (all > request->max_count) {
        ok = init(&fair, request, err);
        if (ok) {
            choose_within(request, &fair);
        }
    }
    const struct sq_candidates chosen = { candidates, count, fair.is_chosen };
    ok = ok && sq_choose_keep(request, &chosen, arena, out, err);
    if (ok) {
        out->wanted = all;
        out->is_by_day = fair.is_by_day;
    }
    sq_mem_free(fair.row_of);
    sq_mem_free(fair.app_of);
    sq_mem_free(fair.is_chosen);
    sq_mem_free(fair.apps);
    sq_mem_free(fair.cells);
    return ok;
}
