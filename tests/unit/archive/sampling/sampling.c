#include "archive/sampling/sampling.h"

#include "support/test.h"
#include "sys/clock.h"
#include "util/mem.h"

#define MAX_SHOTS 10000
#define DAY 86400

static struct sq_shot shots[MAX_SHOTS];
static size_t shot_count;
static struct sq_arena arena;

static void
start(void) {
    shot_count = 0;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, (size_t)1 << 20);
}

static void
add(int64_t utc, uint8_t monitor, bool has_thumb) {
    shots[shot_count] = (struct sq_shot){
        .utc = (uint32_t)utc,
        .monitor = monitor,
        .seq = (uint32_t)shot_count,
        .flags = has_thumb ? SQ_SHOT_FULL | SQ_SHOT_THUMB : SQ_SHOT_FULL,
    };
    shot_count++;
}

/* Adds one shot every `step` seconds. */
static void
add_every(int64_t from, int64_t to, int step) {
    for (int64_t utc = from; utc < to; utc += step) {
        add(utc, 0, true);
    }
}

static struct sq_choose_request
ask_for(enum sq_sampling sampling, size_t max_count) {
    return (struct sq_choose_request){
        .shots = { shots, shot_count },
        .window = { 0, (int64_t)1 << 32 },
        .sampling = sampling,
        .max_count = max_count,
        .interval_s = SQ_INTERVAL_AUTO,
        .settle_s = SQ_SETTLE_S,
    };
}

static struct sq_choice
choose(const struct sq_choose_request *ask) {
    struct sq_choice choice = { 0 };
    T_OK(sq_choose(ask, &arena, &choice, &t_err));
    T(choice.count <= ask->max_count);
    T(choice.count <= choice.wanted);
    bool is_by_period = choice.used == SQ_SAMPLING_ACTIVITY
                     || choice.used == SQ_SAMPLING_VISUAL;
    T(choice.why[0]
      || (is_by_period && choice.count == choice.wanted
          && choice.segments_empty == 0 && choice.shots_unrecorded == 0));
    for (size_t i = 0; i < choice.count; i++) {
        const struct sq_pick *pick = &choice.picks[i];
        T(pick->shot < ask->shots.count);
        T(pick->low <= pick->shot && pick->shot < pick->high);
        T(pick->high <= ask->shots.count);
        T(i == 0 || pick->shot > choice.picks[i - 1].shot);
    }
    return choice;
}

static int64_t
utc_of(const struct sq_choice *choice, size_t pick) {
    return shots[choice->picks[pick].shot].utc;
}

/* The chosen times, separated by blanks. */
static const char *
times(const struct sq_choice *choice) {
    static char text[1024];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < choice->count && used < sizeof(text) - 16; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld",
                                 i ? " " : "", (long long)utc_of(choice, i));
    }
    return text;
}

T_FIXTURE(start, NULL);

T_CASE(interval_keeps_the_first_shot_of_each) {
    add_every(1000, 2000, 10);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 100);
    ask.interval_s = 250;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1000 1250 1500 1750");
    T_INT(choice.used, SQ_SAMPLING_INTERVAL);
    T_INT(choice.interval_s, 250);
    T_INT(choice.wanted, 4);
    T_STR(choice.why, "one every 250 seconds");
    ask.interval_s = 0;
    choice = choose(&ask);
    T_INT(choice.count, 100);
    T_STR(choice.why, "every screenshot");
}

T_CASE(limit_is_spread_over_the_whole_day) {
    add_every(0, DAY, 60);
    static const int intervals[] = { SQ_INTERVAL_AUTO, 0, 60, 600 };
    for (size_t i = 0; i < 4; i++) {
        struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 20);
        ask.interval_s = intervals[i];
        struct sq_choice choice = choose(&ask);
        T_INT(choice.count, 20);
        T_INT(utc_of(&choice, 0), 0);
        /* Not only the morning: the last is near the end of the day. */
        T(utc_of(&choice, 19) >= DAY - DAY / 20 - 600);
        for (size_t j = 1; j < choice.count; j++) {
            int64_t gap = utc_of(&choice, j) - utc_of(&choice, j - 1);
            T(gap >= DAY / 20 - 600 && gap <= DAY / 19 + 1200);
        }
    }
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 1);
    T_INT(choose(&ask).count, 1);
}

T_CASE(shots_of_one_second_come_together) {
    for (int i = 0; i < 100; i++) {
        for (uint8_t monitor = 0; monitor < 3; monitor++) {
            add(1000 + i * 60, monitor, true);
        }
    }
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 20);
    struct sq_choice choice = choose(&ask);
    T_INT(choice.count % 3, 0);
    T(choice.count >= 15);
    for (size_t i = 0; i < choice.count; i += 3) {
        T_INT(utc_of(&choice, i), utc_of(&choice, i + 2));
        T_INT(shots[choice.picks[i + 2].shot].monitor, 2);
    }
    T(utc_of(&choice, choice.count - 1) > 1000 + 80 * 60);
    ask.max_count = 2;
    choice = choose(&ask);
    T_INT(choice.count, 2);
    T_INT(utc_of(&choice, 1), 1000);
}

T_CASE(shot_with_a_thumbnail_is_preferred) {
    add(1000, 0, false);
    add(1020, 0, true);
    add(1100, 0, false);
    add(1199, 0, true);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 10);
    ask.interval_s = 100;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1020 1199");
    static const struct sq_segment segments[] = { { 990, 1300, 0 } };
    ask = ask_for(SQ_SAMPLING_ACTIVITY, 10);
    ask.segments = segments;
    ask.segment_count = 1;
    choice = choose(&ask);
    T_STR(times(&choice), "1020");
}

T_CASE(each_segment_shows_its_settled_screen) {
    static const struct sq_segment segments[] = {
        { 500, 1100, 0 },  /* began before the window */
        { 1100, 1200, 1 }, /* a shot in its first second */
        { 1200, 1202, 2 }, /* too short to settle: its middle */
        { 1202, 1203, 3 }, /* only its first second has a shot */
        { 1203, 1290, 4 }, /* none at all */
        { 1290, 1400, 5 },
    };
    add(1000, 0, true);
    add(1100, 0, true);
    add(1102, 0, true);
    add(1103, 0, true);
    add(1150, 0, true);
    add(1201, 0, true);
    add(1202, 0, true);
    add(1300, 0, true);
    add(1390, 0, true);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 10);
    ask.window = (struct sq_window){ 1000, 1400 };
    ask.segments = segments;
    ask.segment_count = 6;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1000 1103 1201 1202 1300");
    T_INT(choice.used, SQ_SAMPLING_ACTIVITY);
    T_INT(choice.segments, 6);
    T_INT(choice.segments_empty, 1);
    T_INT(choice.picks[1].label, 1);
    T_STR(choice.why, "one for each of 6 periods of activity, 1 of them "
                      "without a screenshot");
}

static struct sq_choice
choose_one(const struct sq_segment *segment, int settle_s) {
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 10);
    ask.window = (struct sq_window){ 1000, 1400 };
    ask.segments = segment;
    ask.segment_count = 1;
    ask.settle_s = settle_s;
    return choose(&ask);
}

/* If the whole segment is too short, the shot nearest its middle is taken. */
T_CASE(unsettled_segment_gives_the_shot_nearest_its_middle) {
    static const struct sq_segment segment = { 1000, 1020, 0 };
    struct sq_choice choice;
    add(1018, 0, true);
    choice = choose_one(&segment, 30);
    T_STR(times(&choice), "1018");
    start();
    add(1005, 0, true);
    add(1008, 0, true);
    choice = choose_one(&segment, 30);
    T_STR(times(&choice), "1008");
    start();
    add(1008, 0, true);
    add(1012, 0, true);
    add(1020, 0, true);
    choice = choose_one(&segment, 30);
    T_STR(times(&choice), "1012");
    T_INT(choice.picks[0].high, 2);
    start();
    add(1007, 0, true);
    add(1012, 0, true);
    choice = choose_one(&segment, 30);
    T_STR(times(&choice), "1012");
    /* Shots after the end of the array are not considered. */
    start();
    add(1005, 0, true);
    add(1010, 0, true);
    shot_count = 1;
    choice = choose_one(&segment, 30);
    T_STR(times(&choice), "1005");
}

/* A shot with a thumbnail may be later by an eighth of the segment. */
T_CASE(thumbnail_can_be_slightly_later) {
    static const struct sq_segment segment = { 1000, 1080, 0 };
    struct sq_choice choice;
    add(1003, 0, false);
    add(1013, 0, true);
    choice = choose_one(&segment, SQ_SETTLE_S);
    T_STR(times(&choice), "1013");
    start();
    add(1003, 0, false);
    add(1014, 0, true);
    choice = choose_one(&segment, SQ_SETTLE_S);
    T_STR(times(&choice), "1003");
}

/* Segments are counted if they have a second in common with the window. */
T_CASE(adjacent_segments_are_not_counted) {
    static const struct sq_segment segments[] = {
        { 900, 1000, 0 },  { 999, 1001, 1 },  { 1100, 1100, 2 },
        { 1200, 1300, 3 }, { 1399, 1500, 4 }, { 1400, 1500, 5 },
    };
    add(1250, 0, true);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 10);
    ask.window = (struct sq_window){ 1000, 1400 };
    ask.segments = segments;
    ask.segment_count = 6;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1250");
    T_INT(choice.segments, 3);
    T_INT(choice.segments_empty, 2);
}

/* The picture at the start of a scene already shows that scene. */
T_CASE(scenes_need_no_time_to_settle) {
    static const struct sq_segment segments[] = { { 1000, 1060, 0 },
                                                  { 1060, 1120, 1 } };
    add_every(1000, 1120, 30);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_VISUAL, 10);
    ask.segments = segments;
    ask.segment_count = 2;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1000 1060");
    T_INT(choice.used, SQ_SAMPLING_VISUAL);
}

T_CASE(limit_prefers_long_segments) {
    struct sq_segment segments[100];
    for (int i = 0; i < 100; i++) {
        segments[i] =
            (struct sq_segment){ i * 1000, i * 1000 + 100, (uint32_t)i };
        segments[i].end_utc += i % 10 == 7 ? 800 : 0;
        add_every(i * 1000, segments[i].end_utc, 10);
    }
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 10);
    ask.segments = segments;
    ask.segment_count = 100;
    struct sq_choice choice = choose(&ask);
    T_INT(choice.count, 10);
    T_INT(choice.wanted, 100);
    for (size_t i = 0; i < choice.count; i++) {
        T_INT(choice.picks[i].label, i * 10 + 7);
    }
    T_HAS(choice.why, "spread evenly over the time, activities by");
}

T_CASE(without_activity_the_note_names_the_fallback) {
    static const struct sq_segment elsewhere[] = { { 10, 20, 0 } };
    add_every(1000, 2000, 10);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 5);
    struct sq_err busy = { 0 };
    sq_fail(&busy, SQ_ERR_TIMEOUT, "the database is busy");
    ask.no_segments = &busy;
    struct sq_choice choice = choose(&ask);
    T(!choice.why_quotes);
    T_INT(choice.used, SQ_SAMPLING_INTERVAL);
    T_INT(choice.count, 5);
    T_HAS(choice.why, "instead of activity_transition");
    T_HAS(choice.why, "the database is busy");
    T_HAS(choice.why, "spread evenly");
    ask.segments = elsewhere;
    ask.segment_count = 1;
    choice = choose(&ask);
    T_HAS(choice.why, "no screenshot was taken in any");
    ask = ask_for(SQ_SAMPLING_COVERAGE, 5);
    choice = choose(&ask);
    T_INT(choice.used, SQ_SAMPLING_INTERVAL);
    T_HAS(choice.why, "could not be compared");
    ask.shots.count = 0;
    choice = choose(&ask);
    T_INT(choice.count, 0);
    T_STR(choice.why, "there are no screenshots");
}

/* A random day: shots, monitors and segments. */
static size_t
make_day(struct sq_segment *segments) {
    size_t count = (size_t)t_random_between(0, 60);
    int64_t utc = t_random_between(0, 500);
    start();
    for (int i = 0, all = (int)t_random_between(0, 700); i < all; i++) {
        utc += t_random_between(0, 1) * t_random_between(1, 300);
        uint8_t monitor = 0;
        if (shot_count && shots[shot_count - 1].utc == (uint32_t)utc) {
            monitor = (uint8_t)(shots[shot_count - 1].monitor
                                + t_random_between(0, 1));
        }
        add(utc, monitor, t_random_between(0, 3) > 0);
    }
    int64_t at = t_random_between(0, 1000);
    for (size_t i = 0; i < count; i++) {
        int64_t end = at + t_random_between(0, 2000);
        segments[i] = (struct sq_segment){ at, end, (uint32_t)(i % 7) };
        at = end + t_random_between(0, 1) * t_random_between(0, 500);
    }
    return count;
}

T_BARE_CASE(selection_is_deterministic) {
    struct sq_segment segments[64];
    for (int round = 0; round < 400; round++) {
        size_t count = make_day(segments);
        struct sq_choose_request ask =
            ask_for((enum sq_sampling)t_random_between(0, 1),
                    (size_t)t_random_between(1, 40));
        ask.interval_s = (int)t_random_between(-1, 400);
        ask.segments = segments;
        ask.segment_count = count;
        struct sq_choice choice = choose(&ask);
        struct sq_choice again = choose(&ask);
        T_INT(again.count, choice.count);
        for (size_t i = 0; i < choice.count; i++) {
            T_INT(again.picks[i].shot, choice.picks[i].shot);
        }
        T(choice.count > 0 || shot_count == 0);
        for (size_t i = 0;
             choice.used == SQ_SAMPLING_ACTIVITY && i < choice.count; i++) {
            const struct sq_segment *own = NULL;
            bool is_first = false; /* in the first second of a segment */
            uint32_t first_label = 0;
            for (size_t j = 0; j < count; j++) {
                if (segments[j].start_utc < utc_of(&choice, i)
                    && utc_of(&choice, i) < segments[j].end_utc) {
                    own = &segments[j];
                }
                if (segments[j].start_utc == utc_of(&choice, i)
                    && segments[j].end_utc > segments[j].start_utc) {
                    is_first = true;
                    first_label = segments[j].label;
                }
            }
            T(choice.picks[i].label == (own ? own->label : UINT32_MAX)
              || (is_first && choice.picks[i].label == first_label));
        }
    }
}

T_CASE(unusable_shot_has_replacements) {
    add_every(1000, 1100, 10);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 2);
    ask.interval_s = 0;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1000 1090");
    /* Nearest first, the later of two equals, each only once. */
    uint32_t seen[16] = { 0 };
    int tries = 0;
    while (sq_choice_replace(&ask.shots, &choice, 0)) {
        seen[choice.picks[0].shot]++;
        T(choice.picks[0].shot != choice.picks[1].shot);
        tries++;
    }
    T_INT(seen[0], 0);
    T_INT(seen[1], 1);
    while (sq_choice_replace(&ask.shots, &choice, 1)) {
        seen[choice.picks[1].shot]++;
        tries++;
    }
    T(tries >= 7);
    for (int i = 0; i < 16; i++) {
        T(seen[i] <= 1);
    }
}

T_CASE(replacements_are_near_and_of_the_same_monitor) {
    static const struct sq_segment segments[] = { { 990, 1200, 4 } };
    add(1000, 0, true);
    add(1005, 1, true);
    add(1010, 0, true);
    add(1030, 0, true);
    add(1100, 1, true);
    add(1300, 0, true);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 5);
    ask.segments = segments;
    ask.segment_count = 1;
    struct sq_choice choice = choose(&ask);
    T_STR(times(&choice), "1000");
    T(sq_choice_replace(&ask.shots, &choice, 0));
    T_STR(times(&choice), "1010");
    T(sq_choice_replace(&ask.shots, &choice, 0));
    T_STR(times(&choice), "1030");
    /* Shots of the other monitor and of the next segment are not used. */
    T(!sq_choice_replace(&ask.shots, &choice, 0));
    T_STR(times(&choice), "1030");
}

/* Five million shots and a thousand segments: must not be a linear search. */
T_BARE_CASE(large_listings_are_searched_quickly) {
    enum { MANY = 5000000, STRETCHES = 1000 };
    struct sq_shot *many = sq_mem_zalloc(MANY, sizeof(*many));
    struct sq_segment segments[STRETCHES];
    T(many);
    for (uint32_t i = 0; i < MANY; i++) {
        many[i] = (struct sq_shot){ .utc = 1000000000 + i * 30,
                                    .flags = SQ_SHOT_THUMB };
    }
    for (int i = 0; i < STRETCHES; i++) {
        int64_t from = 1000000000 + (int64_t)i * 149000;
        segments[i] = (struct sq_segment){ from, from + 140000, 0 };
    }
    start();
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_ACTIVITY, 100);
    ask.shots = (struct sq_shots){ many, MANY };
    ask.segments = segments;
    ask.segment_count = STRETCHES;
    struct sq_choice choice;
    int64_t before = sq_clock_cpu_ns();
    T_OK(sq_choose(&ask, &arena, &choice, &t_err));
    printf("# %d stretches of %d shots: %.3f ms\n", STRETCHES, MANY,
           (double)(sq_clock_cpu_ns() - before) / 1e6);
    T_INT(choice.count, 100);
    T(choice.wanted > STRETCHES); /* also the hours between them */
    sq_mem_free(many);
}

static bool
build(void *context, struct sq_err *err) {
    struct sq_choice choice;
    T_ARENA(own, (size_t)1 << 20);
    return sq_choose(context, &own, &choice, err);
}

T_CASE(every_allocation_can_fail) {
    static const struct sq_segment segments[] = { { 0, 1500, 0 },
                                                  { 1500, 2500, 1 } };
    add_every(1000, 2000, 10);
    struct sq_choose_request ask = ask_for(SQ_SAMPLING_INTERVAL, 7);
    T_INT(t_alloc_torture(build, &ask), 2);
    ask.sampling = SQ_SAMPLING_ACTIVITY;
    ask.segments = segments;
    ask.segment_count = 2;
    T_INT(t_alloc_torture(build, &ask), 2);
    sq_arena_finish(&arena);
}
