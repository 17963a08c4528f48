#include "archive/sampling/sampling.h"
#include "support/test.h"

#define MAX_SHOTS 2000

/* Four scenes that have nothing in common. */
static const uint64_t scenes[] = { 0x0000000000000000, 0xffffffff00000000,
                                   0x00000000ffffffff, 0xffff0000ffff0000,
                                   0x0f0f0f0f0f0f0f0f, 0xaaaaaaaaaaaaaaaa };

static struct sq_shot shots[MAX_SHOTS];
static struct sq_image_fingerprint prints[MAX_SHOTS];
static size_t shot_count;
static struct sq_arena arena;

static void
start(void) {
    shot_count = 0;
    sq_arena_finish(&arena);
    sq_arena_init(&arena, (size_t)1 << 20);
}

static void
add(int64_t utc, uint8_t monitor, uint64_t hash) {
    shots[shot_count] = (struct sq_shot){ .utc = (uint32_t)utc,
                                          .monitor = monitor,
                                          .flags = SQ_SHOT_THUMB };
    prints[shot_count] =
        (struct sq_image_fingerprint){ .hash = hash, .known = true };
    shot_count++;
}

/* Adds `count` pictures of a scene, one minute apart, with a little noise. */
static int64_t
add_scene(int64_t utc, int scene, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t noise = i % 3 ? (uint64_t)1 << (i % 8 * 3) : 0;
        add(utc + i * 60, 0, scenes[scene] ^ noise);
    }
    return utc + count * 60;
}

static struct sq_choice
choose(size_t max_count, const struct sq_segment *segments, size_t count) {
    struct sq_choice choice = { 0 };
    struct sq_choose_request ask = {
        .shots = { shots, shot_count },
        .window = { 0, (int64_t)1 << 32 },
        .sampling = SQ_SAMPLING_COVERAGE,
        .max_count = max_count,
        .fingerprints = prints,
        .segments = segments,
        .segment_count = count,
    };
    T_OK(sq_choose(&ask, &arena, &choice, &t_err));
    T(choice.count <= max_count);
    for (size_t i = 0; i < choice.count; i++) {
        const struct sq_pick *pick = &choice.picks[i];
        T(pick->shot < shot_count);
        T(pick->low <= pick->shot && pick->shot < pick->high);
        T(i == 0 || pick->shot > choice.picks[i - 1].shot);
    }
    return choice;
}

static bool
shows(const struct sq_choice *choice, int scene) {
    for (size_t i = 0; i < choice->count; i++) {
        if (sq_hash_distance(prints[choice->picks[i].shot].hash, scenes[scene])
            <= 2) {
            return true;
        }
    }
    return false;
}

T_FIXTURE(start, NULL);

T_CASE(each_scene_is_shown_once) {
    int64_t utc = 1000;
    for (int scene = 0; scene < 4; scene++) {
        utc = add_scene(utc, scene, 20);
    }
    utc = add_scene(utc, 0, 10);
    struct sq_choice choice = choose(20, NULL, 0);
    T_INT(choice.used, SQ_SAMPLING_COVERAGE);
    for (int scene = 0; scene < 4; scene++) {
        T(shows(&choice, scene));
    }
    /* The first and the last, and no picture that resembles a chosen one. */
    T_INT(choice.count, 5);
    T_INT(choice.picks[0].shot, 0);
    T_INT(choice.picks[4].shot, shot_count - 1);
    T_INT(choice.segments, 5);
    T_INT((int)(choice.coverage * 100), 100);
    T_HAS(choice.why, "100 %");
}

/* A white mail page, a dark editor and a purple chat: no gradients. */
T_CASE(brightness_alone_distinguishes_scenes) {
    static const uint8_t lights[] = { 245, 30, 53 };
    for (size_t i = 0; i < 60; i++) {
        add(1000 + (int64_t)i * 60, 0, 0);
        memset(prints[i].grid.cells, lights[i / 20] + (int)(i % 3),
               sizeof(prints[i].grid.cells));
    }
    struct sq_choice choice = choose(10, NULL, 0);
    T_INT(choice.segments, 3);
    T_INT(choice.count, 3);
    T_INT((int)(choice.coverage * 100), 100);
    for (size_t i = 0; i < choice.count; i++) {
        T_INT(choice.picks[i].shot / 20, i);
    }
    choice = choose(2, NULL, 0);
    T(choice.coverage > 0.6 && choice.coverage < 0.7);
}

T_CASE(below_full_coverage_the_rest_is_reported) {
    int64_t utc = 1000;
    for (int scene = 0; scene < 6; scene++) {
        utc = add_scene(utc, scene, scene == 3 ? 40 : 12);
    }
    struct sq_choice choice = choose(3, NULL, 0);
    T_INT(choice.count, 3);
    T(shows(&choice, 0) && shows(&choice, 5));
    /* Of those that differ equally, the longest. */
    T(choice.coverage > 0.4 && choice.coverage < 0.8);
    T_INT(choice.wanted, 6);
    choice = choose(1, NULL, 0);
    T_INT(choice.count, 1);
    T(shows(&choice, 3));
}

T_CASE(single_different_picture_is_not_a_scene) {
    int64_t utc = add_scene(1000, 0, 10);
    add(utc, 0, scenes[1]);
    add_scene(utc + 60, 0, 10);
    struct sq_choice choice = choose(10, NULL, 0);
    T_INT(choice.segments, 1);
    T(!shows(&choice, 1));
    T(choice.coverage < 1);
}

T_CASE(most_typical_picture_represents_its_segment) {
    int64_t utc = add_scene(1000, 0, 6);
    for (int i = 0; i < 9; i++) {
        /* The fifth is nearest to all the others. */
        uint64_t hash = scenes[1] ^ (i == 4 ? 0 : (uint64_t)7 << (i * 3));
        add(utc + i * 60, 0, hash);
    }
    add_scene(utc + 9 * 60, 2, 6);
    struct sq_choice choice = choose(10, NULL, 0);
    T_INT(choice.count, 3);
    T_INT(choice.picks[1].shot, 6 + 4);
    T_INT(choice.picks[1].low, 6);
    T_INT(choice.picks[1].high, 15);
}

/* Of equal pictures the latest, because its screen has settled. */
T_CASE(latest_of_equal_pictures_is_chosen) {
    int64_t utc = add_scene(1000, 0, 6);
    for (int i = 0; i < 5; i++) {
        add(utc + i * 60, 0, scenes[1]);
    }
    add_scene(utc + 5 * 60, 2, 6);
    struct sq_choice choice = choose(10, NULL, 0);
    T_INT(choice.count, 3);
    T_INT(choice.picks[1].shot, 10);
}

T_CASE(known_activities_divide_scenes) {
    static const struct sq_segment segments[] = { { 0, 1600, 4 },
                                                  { 1600, 9000, 8 } };
    add_scene(1000, 0, 40);
    struct sq_choice choice = choose(10, segments, 2);
    T_INT(choice.segments, 2);
    T_INT(choice.picks[0].label, 4);
    T_INT(choice.picks[choice.count - 1].label, 8);
}

T_CASE(each_monitor_is_covered) {
    for (int i = 0; i < 30; i++) {
        add(1000 + i * 60, 0, scenes[0]);
        add(1000 + i * 60, 1, scenes[1]);
    }
    struct sq_choice choice = choose(10, NULL, 0);
    T_INT(choice.segments, 2);
    T(shows(&choice, 0) && shows(&choice, 1));
    T_INT((int)(choice.coverage * 100), 100);
}

T_CASE(unreadable_pictures_are_skipped_and_counted) {
    add_scene(1000, 0, 10);
    for (size_t i = 0; i < 5; i++) {
        prints[i].known = false;
    }
    struct sq_choice choice = choose(10, NULL, 0);
    T_INT(choice.used, SQ_SAMPLING_COVERAGE);
    T_INT(choice.picks[0].shot, 5);
    T(choice.coverage > 0.4 && choice.coverage < 0.6);
    for (size_t i = 0; i < shot_count; i++) {
        prints[i].known = false;
    }
    choice = choose(10, NULL, 0);
    T_INT(choice.used, SQ_SAMPLING_INTERVAL);
}

T_BARE_CASE(selection_is_deterministic) {
    for (int round = 0; round < 200; round++) {
        int64_t utc = 0;
        start();
        for (int i = 0, all = (int)t_random_between(1, 300); i < all; i++) {
            utc += t_random_between(0, 90);
            add(utc, (uint8_t)t_random_between(0, 2),
                scenes[t_random_between(0, 5)]
                    ^ (t_random() & t_random() & t_random()));
            prints[shot_count - 1].known = t_random_between(0, 9) > 0;
        }
        size_t cap = (size_t)t_random_between(1, 30);
        struct sq_choice choice = choose(cap, NULL, 0);
        struct sq_choice again = choose(cap, NULL, 0);
        T_INT(again.count, choice.count);
        T(choice.coverage <= 1);
        for (size_t i = 0; i < choice.count; i++) {
            T_INT(again.picks[i].shot, choice.picks[i].shot);
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
    add_scene(add_scene(1000, 0, 10), 1, 10);
    struct sq_choose_request ask = {
        .shots = { shots, shot_count },
        .window = { 0, (int64_t)1 << 32 },
        .sampling = SQ_SAMPLING_COVERAGE,
        .max_count = 5,
        .fingerprints = prints,
    };
    T_INT(t_alloc_torture(build, &ask), 3);
    sq_arena_finish(&arena);
}
