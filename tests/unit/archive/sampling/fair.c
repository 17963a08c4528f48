/* Sampling under the limit is fair to days or hours, and to applications. */

#include "archive/sampling/sampling.h"
#include "support/test.h"

#define MAX_SHOTS 200000
#define MAX_SEGMENTS 20000
#define MAX_DAYS 200
#define MAX_APPS 400
#define DAY 86400
#define NINE (9 * 3600)
#define FIRST_DAY 20000 /* since 1970 */

static struct sq_shot shots[MAX_SHOTS];
static size_t shot_count;
static struct sq_segment segments[MAX_SEGMENTS];
static size_t segment_count;
static struct sq_arena arena;

static void
start(void) {
    shot_count = 0;
    segment_count = 0;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, (size_t)4 << 20);
}

static void
add_shots(int64_t from, int64_t to, int step_s, int monitors) {
    for (int64_t utc = from; utc < to; utc += step_s) {
        for (int i = 0; i < monitors && shot_count < MAX_SHOTS; i++) {
            shots[shot_count++] = (struct sq_shot){ .utc = (uint32_t)utc,
                                                    .monitor = (uint8_t)i,
                                                    .flags = SQ_SHOT_THUMB };
        }
    }
}

static int64_t
add_segment(int64_t from, int64_t length_s, uint32_t label) {
    segments[segment_count++] =
        (struct sq_segment){ from, from + length_s, label };
    return from + length_s;
}

static struct sq_choice
choose(enum sq_sampling sampling, size_t max_count) {
    struct sq_choice choice = { 0 };
    const struct sq_choose_request ask = {
        .shots = { shots, shot_count },
        .window = { 0, (int64_t)1 << 32 },
        .sampling = sampling,
        .max_count = max_count,
        .interval_s = SQ_INTERVAL_AUTO,
        .settle_s = SQ_SETTLE_S,
        .segments = segments,
        .segment_count = segment_count,
    };
    T_OK(sq_choose(&ask, &arena, &choice, &t_err));
    T(choice.count <= max_count);
    for (size_t i = 1; i < choice.count; i++) {
        T(choice.picks[i - 1].shot < choice.picks[i].shot);
    }
    return choice;
}

static size_t
day_of(int64_t utc) {
    return (size_t)(utc / DAY - FIRST_DAY);
}

/* The number of picks of each day and each label. */
static void
count_picks(const struct sq_choice *choice, int days[MAX_DAYS],
            int labels[MAX_APPS]) {
    memset(days, 0, MAX_DAYS * sizeof(*days));
    memset(labels, 0, MAX_APPS * sizeof(*labels));
    for (size_t i = 0; i < choice->count; i++) {
        const struct sq_pick *pick = &choice->picks[i];
        days[day_of(shots[pick->shot].utc)]++;
        if (pick->label < MAX_APPS) {
            labels[pick->label]++;
        }
    }
}

/*
 * Nine hours a day of seven applications: the first has the longest segments
 * every day, the others vary.
 */
static const int minutes[] = { 90, 30, 24, 18, 15, 9, 6 };
#define APPS 7

static void
add_days(int days) {
    for (int day = 0; day < days; day++) {
        int64_t from = (int64_t)(FIRST_DAY + day) * DAY + NINE;
        int64_t at = from;
        for (int round = 0; round < 3; round++) {
            for (uint32_t app = 0; app < APPS; app++) {
                at = add_segment(at, minutes[app] * 60, app);
            }
        }
        add_shots(from, at, 60, 1);
    }
}

T_FIXTURE(start, NULL);

T_CASE(four_months_show_every_application) {
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    add_days(120);
    struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, 20);
    T_INT(choice.count, 20);
    count_picks(&choice, days, labels);
    /* Minutes of a day, 576 in total: their share of 20, plus or minus one. */
    for (int app = 0; app < APPS; app++) {
        double part = 20.0 * minutes[app] / 192;
        printf("# application %d: %d of %.1f\n", app, labels[app], part);
        T(labels[app] >= 1 || minutes[app] * 20 < 192);
        T(labels[app] <= part + 1.01 && labels[app] >= part - 1.01);
    }
    /* One on every sixth day. */
    for (int six = 0; six < 20; six++) {
        int sum = 0;
        for (int day = six * 6; day < six * 6 + 6; day++) {
            sum += days[day];
        }
        T_INT(sum, 1);
    }
    T_HAS(choice.why, "evenly over the days");
}

T_CASE(nights_do_not_use_the_limit) {
    static const size_t limits[] = { 20, 48, 100 };
    static const enum sq_sampling ways[] = { SQ_SAMPLING_ACTIVITY,
                                             SQ_SAMPLING_INTERVAL };
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    add_days(7);
    for (size_t i = 0; i < 6; i++) {
        struct sq_choice choice = choose(ways[i % 2], limits[i / 2]);
        T_INT(choice.used, ways[i % 2]);
        T_INT(choice.count, limits[i / 2]);
        count_picks(&choice, days, labels);
        for (int day = 0; day < 7; day++) {
            T(days[day] == (int)limits[i / 2] / 7
              || days[day] == (int)limits[i / 2] / 7 + 1);
        }
        for (int app = 0; i % 2 == 0 && app < APPS; app++) {
            T(labels[app] >= 1 || minutes[app] * 20 < 192);
        }
    }
}

/* Each day also shows its two largest applications. */
T_CASE(days_show_their_own_applications) {
    add_days(7);
    struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, 48);
    int both[7] = { 0 };
    for (size_t i = 0; i < choice.count; i++) {
        uint32_t label = choice.picks[i].label;
        size_t day = day_of(shots[choice.picks[i].shot].utc);
        both[day] |= label < 2 ? 1 << label : 0;
    }
    for (int day = 0; day < 7; day++) {
        T_INT(both[day], 3);
    }
}

/* An application of one day only is not dropped. */
T_CASE(activity_of_a_single_day_is_shown) {
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    add_days(6);
    int64_t from = (int64_t)(FIRST_DAY + 6) * DAY + NINE;
    int64_t at = from;
    for (uint32_t app = 10; app < 14; app++) {
        /* 5 % of the total time each, more than a day's share of the limit. */
        at = add_segment(at, 6 * 576 * 60 / 16 + 60, app);
    }
    add_shots(from, at, 60, 1);
    struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, 9);
    count_picks(&choice, days, labels);
    T_INT(choice.count, 9);
    for (int app = 10; app < 14; app++) {
        T(labels[app] >= 1);
    }
}

/* Eight hours a day with a shot every ten minutes, on seven days. */
static void
add_week(void) {
    for (int day = 0; day < 7; day++) {
        int64_t from = (int64_t)(FIRST_DAY + day) * DAY + NINE;
        add_shots(from, from + 8 * 3600, 600, 1);
    }
}

/* A tracker that stopped on the second day must not hide the other five. */
T_CASE(days_without_records_are_shown) {
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    add_week();
    for (uint32_t i = 0; i < 16; i++) {
        int64_t day = FIRST_DAY + i / 8;
        add_segment(day * DAY + NINE + i % 8 * 3600, 3600, i % 3);
    }
    for (size_t most = 7; most <= 60; most++) {
        struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, most);
        T_INT(choice.used, SQ_SAMPLING_ACTIVITY);
        T_INT(choice.days, 7);
        T_INT(choice.days_unrecorded, 5);
        T_INT(choice.shots_unrecorded, 5 * 48);
        /* One per period, and one per hour without records. */
        T_INT(choice.wanted, 16 + 5 * 8);
        count_picks(&choice, days, labels);
        for (int day = 0; day < 7; day++) {
            T(days[day] > 0);
        }
    }
}

/* Gaps in a day are periods of their own; short pauses are not. */
T_CASE(gaps_between_records_are_shown) {
    int64_t nine = (int64_t)FIRST_DAY * DAY + NINE;
    add_segment(nine, 3600, 1);
    add_segment(nine + 3660, 3540, 2);
    add_segment(nine + 6 * 3600, 2 * 3600, 1);
    add_shots(nine, nine + 8 * 3600, 600, 1);
    struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, 100);
    T_INT(choice.count, 3 + 4);
    T_INT(choice.days, 1);
    T_INT(choice.days_unrecorded, 0);
    T_INT(choice.shots_unrecorded, 4 * 6 - 1); /* one just after a record */
    for (size_t i = 0; i < choice.count; i++) {
        int64_t into_s = shots[choice.picks[i].shot].utc - nine;
        bool is_gap = into_s >= 2 * 3600 && into_s < 6 * 3600;
        T(is_gap == (choice.picks[i].label == UINT32_MAX));
    }
    T_HAS(choice.why, "each hour without records");
}

/* One record of a week must not hide six days of it. */
T_CASE(long_record_shows_each_day) {
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    add_week();
    add_segment((int64_t)FIRST_DAY * DAY, 7 * DAY, 1);
    struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, 20);
    T_INT(choice.count, 7);
    count_picks(&choice, days, labels);
    T_INT(labels[1], 7);
    for (int day = 0; day < 7; day++) {
        T_INT(days[day], 1);
    }
}

T_CASE(hours_of_a_day_are_treated_equally) {
    for (int hour = 8; hour < 18; hour++) {
        int64_t at = (int64_t)FIRST_DAY * DAY + hour * 3600;
        for (int i = 0; i < 10; i++) {
            /* All long segments are in the morning. */
            int64_t length = hour < 10 ? 350 : 60 + i;
            add_segment(at + i * 360, length, (uint32_t)(i % 5));
        }
        add_shots(at, at + 3600, 20, 1);
    }
    struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, 20);
    int hours[24] = { 0 };
    T_INT(choice.count, 20);
    for (size_t i = 0; i < choice.count; i++) {
        hours[shots[choice.picks[i].shot].utc % DAY / 3600]++;
    }
    for (int hour = 8; hour < 18; hour++) {
        T_INT(hours[hour], 2);
    }
}

T_CASE(several_monitors_do_not_lower_the_count) {
    add_days(7);
    /* On three days there are two monitors. */
    shot_count = 0;
    for (int day = 0; day < 7; day++) {
        int64_t from = (int64_t)(FIRST_DAY + day) * DAY + NINE;
        add_shots(from, from + 9 * 3600, 60, day < 3 ? 2 : 1);
    }
    static const enum sq_sampling ways[] = { SQ_SAMPLING_ACTIVITY,
                                             SQ_SAMPLING_INTERVAL };
    for (size_t i = 0; i < 2; i++) {
        T(choose(ways[i], 20).count >= 19);
        T(choose(ways[i], 48).count >= 47);
        T(choose(ways[i], 100).count >= 99);
        T_INT(choose(ways[i], 1).count, 1);
    }
}

T_BARE_CASE(degenerate_times_are_handled) {
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    /*
     * One application; then each segment its own, more than are distinguished.
     */
    for (uint32_t apps = 1; apps <= MAX_APPS; apps += MAX_APPS - 1) {
        start();
        for (int i = 0; i < MAX_APPS; i++) {
            int64_t at = (int64_t)FIRST_DAY * DAY + i * 600;
            add_segment(at, 500, (uint32_t)i % apps);
            add_shots(at + 10, at + 500, 100, 1);
        }
        for (size_t cap = 1; cap <= 400; cap += 57) {
            struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, cap);
            T_INT(choice.count, cap);
            count_picks(&choice, days, labels);
        }
    }
    /* All in one second, and a single shot. */
    start();
    add_segment(1000, 100, 0);
    add_shots(1050, 1051, 1, 5);
    T_INT(choose(SQ_SAMPLING_ACTIVITY, 3).count, 3);
    T_INT(choose(SQ_SAMPLING_INTERVAL, 3).count, 3);
    T_INT(choose(SQ_SAMPLING_INTERVAL, 9).count, 5);
    start();
    add_shots(1050, 1051, 1, 1);
    T_INT(choose(SQ_SAMPLING_INTERVAL, 1).count, 1);
}

/* A random history: days off, quiet days, other applications each week. */
static int
make_history(void) {
    int days = (int)t_random_between(1, 60);
    int apps = (int)t_random_between(1, 12);
    start();
    for (int day = 0; day < days; day++) {
        int64_t at =
            (int64_t)(FIRST_DAY + day) * DAY + NINE + t_random_between(0, 3600);
        int64_t from = at;
        int stretches = (int)t_random_between(0, 25);
        for (int i = 0; i < stretches; i++) {
            int64_t length = t_random_between(30, 40)
                           * t_random_between(1, t_random_between(1, 60));
            uint32_t app = (uint32_t)(t_random_between(0, 3) * (day / 7)
                                      + t_random_between(0, apps))
                         % (uint32_t)(apps + 1);
            at = add_segment(at, length, app);
        }
        add_shots(from, at, 20, 1);
    }
    return days;
}

/* Candidates by day, and time by label, computed from the definition. */
static size_t
count_candidates(int rooms[MAX_DAYS], int64_t times[MAX_APPS]) {
    size_t count = 0;
    memset(rooms, 0, MAX_DAYS * sizeof(*rooms));
    memset(times, 0, MAX_APPS * sizeof(*times));
    for (size_t i = 0; i < segment_count; i++) {
        const struct sq_segment *segment = &segments[i];
        rooms[day_of(segment->start_utc)]++;
        times[segment->label] += segment->end_utc - segment->start_utc;
        count++;
    }
    return count;
}

/* Counts days with two more picks than a day that had more candidates. */
static int
count_unfair(const int picks[MAX_DAYS], const int rooms[MAX_DAYS]) {
    int least = 1000;
    int excess = 0;
    for (int day = 0; day < MAX_DAYS; day++) {
        if (rooms[day] > picks[day] && picks[day] < least) {
            least = picks[day];
        }
    }
    for (int day = 0; day < MAX_DAYS; day++) {
        excess += picks[day] > least + 1 ? picks[day] - least - 1 : 0;
    }
    return excess;
}

T_BARE_CASE(random_histories_are_sampled_fairly) {
    int rooms[MAX_DAYS];
    int64_t times[MAX_APPS];
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    for (int round = 0; round < 300; round++) {
        make_history();
        size_t cap = (size_t)t_random_between(1, 100);
        size_t count = count_candidates(rooms, times);
        if (count == 0) {
            continue;
        }
        struct sq_choice choice = choose(SQ_SAMPLING_ACTIVITY, cap);
        T_INT(choice.count, count < cap ? count : cap);
        count_picks(&choice, days, labels);
        int64_t all = 0;
        int sure = 0;
        for (int app = 0; app < MAX_APPS; app++) {
            all += times[app];
        }
        for (int app = 0; app < MAX_APPS; app++) {
            sure += times[app] > 0 && times[app] * 20 >= all;
        }
        for (int app = 0; app < MAX_APPS; app++) {
            bool must =
                times[app] > 0 && times[app] * 20 >= all && (size_t)sure <= cap;
            T(!must || labels[app] >= 1);
        }
        int with_shots = 0;
        for (int day = 0; day < MAX_DAYS; day++) {
            with_shots += rooms[day] > 0;
        }
        /*
         * Only an application that must be shown may take picks from the days.
         */
        if (with_shots >= 4 && cap >= (size_t)with_shots) {
            T(count_unfair(days, rooms) <= sure);
        }
    }
}

T_BARE_CASE(any_interval_uses_the_limit_and_all_days) {
    int rooms[MAX_DAYS];
    int days[MAX_DAYS];
    int labels[MAX_APPS];
    for (int round = 0; round < 300; round++) {
        make_history();
        size_t cap = (size_t)t_random_between(1, 100);
        if (shot_count == 0) {
            continue;
        }
        memset(rooms, 0, sizeof(rooms));
        int with_shots = 0;
        for (size_t i = 0; i < shot_count; i++) {
            with_shots += rooms[day_of(shots[i].utc)]++ == 0;
        }
        struct sq_choice choice = choose(SQ_SAMPLING_INTERVAL, cap);
        T_INT(choice.count, shot_count < cap ? shot_count : cap);
        count_picks(&choice, days, labels);
        if (with_shots >= 4) {
            T_INT(count_unfair(days, rooms), 0);
        }
    }
}

static bool
build(void *context, struct sq_err *err) {
    struct sq_choice choice;
    T_ARENA(own, (size_t)1 << 20);
    return sq_choose(context, &own, &choice, err);
}

T_CASE(every_allocation_can_fail) {
    add_days(7);
    struct sq_choose_request ask = {
        .shots = { shots, shot_count },
        .window = { 0, (int64_t)1 << 32 },
        .sampling = SQ_SAMPLING_ACTIVITY,
        .max_count = 20,
        .interval_s = SQ_INTERVAL_AUTO,
        .segments = segments,
        .segment_count = segment_count,
    };
    T(t_alloc_torture(build, &ask) >= 8);
    ask.sampling = SQ_SAMPLING_INTERVAL;
    T(t_alloc_torture(build, &ask) >= 4);
    sq_arena_finish(&arena);
}
