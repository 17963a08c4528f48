/* Remembered periods: how often a file is read, and that answers are equal. */
#include <unistd.h>

#include "archive/activity/activity.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"

#define DAY 86400
#define FILE_AGE_S 60

/* A source with one period per hour, which counts how often it is read. */
static int reads;
static int hours; /* recorded since 1970 */

static bool
read_source(const struct sq_activity_source *source,
            const struct sq_window *window, const struct sq_deadline *deadline,
            struct sq_segments *out, struct sq_err *err) {
    bool ok = true;
    reads++;
    for (int i = 0; ok && i < hours; i++) {
        int64_t start = (int64_t)i * 3600;
        ok = start + 3000 <= window->from_utc || start >= window->to_utc
          || sq_segments_add(out, start, start + 3000,
                             sq_span_of(t_text("app %d", i % 5)), err);
    }
    return ok;
}

static const struct sq_activity_ops source_ops = {
    .id = "test",
    .title = "a test",
    .is_file = true,
    .read = read_source,
};

static struct sq_period_cache *cache;
static char path[600];

/* Writes a file of that many bytes that has not just changed. */
static void
put_file(const char *name, size_t size) {
    static const char bytes[100];
    t_album_put_bytes(name, bytes, size);
    t_album_age(name, FILE_AGE_S);
}

static void
start(void) {
    t_scratch_start();
    reads = 0;
    hours = 240;
    put_file("track.db", 10);
    snprintf(path, sizeof(path), "%s", t_scratch_path("track.db"));
    T_OK(sq_period_cache_create(sq_period_cache_free_segments, &cache, &t_err));
}

static void
end(void) {
    sq_period_cache_destroy(cache);
    cache = NULL;
    t_album_end();
}

/* Reads a window and compares it with what the source itself returns. */
static void
check(int64_t from, int64_t to) {
    T_FREED(sq_segments_finish) struct sq_segments found = { 0 };
    T_FREED(sq_segments_finish) struct sq_segments direct = { 0 };
    const struct sq_window window = { from, to };
    const struct sq_activity_source source = { .path = path, .cache = cache };
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    sq_segments_init(&found);
    sq_segments_init(&direct);
    T_OK(sq_period_cache_gather(&source_ops, &source, &window, &deadline,
                                &found, &t_err));
    int before = reads;
    T_OK(sq_activity_gather(&source_ops, &source, &window, &deadline, &direct,
                            &t_err));
    reads = before;
    T_INT(found.count, direct.count);
    for (size_t i = 0; i < found.count && i < direct.count; i++) {
        T_INT(found.items[i].start_utc, direct.items[i].start_utc);
        T_INT(found.items[i].end_utc, direct.items[i].end_utc);
        struct sq_span one = sq_segments_label(&found, found.items[i].label);
        struct sq_span two = sq_segments_label(&direct, direct.items[i].label);
        T(sq_span_equal(one, two));
    }
}

T_FIXTURE(start, end);

T_CASE(unchanged_file_is_read_once_per_day) {
    check(2 * DAY + 100, 2 * DAY + 5000);
    T_INT(reads, 1);
    check(2 * DAY + 100, 2 * DAY + 5000);
    check(2 * DAY, 3 * DAY);
    check(2 * DAY + 50000, 2 * DAY + 50001);
    T_INT(reads, 1);
    check(2 * DAY, 3 * DAY + 1);
    T_INT(reads, 2);
    check(3 * DAY, 4 * DAY);
    T_INT(reads, 2);
}

T_CASE(every_change_is_noticed) {
    static const char *const files[] = { "track.db", "track.db-wal",
                                         "track.db-journal" };
    check(0, DAY);
    for (size_t i = 0; i < 3; i++) {
        reads = 0;
        hours = 3 + (int)i;
        put_file(files[i], 20);
        check(0, DAY);
        T_INT(reads, 1);
        check(0, DAY);
        T_INT(reads, 1);
    }
    hours = 7;
    T_INT(unlink(t_scratch_path("track.db-wal")), 0);
    check(0, DAY);
    T_INT(reads, 2);
    /* The same size and time of modification, in another file. */
    hours = 8;
    T_INT(unlink(t_scratch_path("track.db")), 0);
    put_file("other.db", 20);
    put_file("track.db", 20);
    check(0, DAY);
    T_INT(reads, 3);
}

/* A file that was just written may change again within the same tick. */
T_CASE(file_that_just_changed_is_not_remembered) {
    t_album_put_bytes("track.db", "x", 1);
    check(0, DAY);
    hours = 5;
    check(0, DAY);
    T_INT(reads, 2);
}

/* Reading it takes long, and its tracker changes it all the time. */
T_CASE(large_file_is_read_again_after_a_while) {
    const int64_t now_s = sq_clock_wall_ns() / 1000000000;
    sq_clock_simulate(sq_clock_monotonic_ns());
    T_INT(truncate(path, 64 << 20), 0);
    check(0, DAY);
    T_INT(truncate(path, 65 << 20), 0);
    check(0, DAY);
    T_INT(reads, 1);
    /* What it will record later is not known yet. */
    check(now_s - 60, now_s + DAY);
    T_INT(reads, 2);
    T_INT(truncate(path, 66 << 20), 0);
    check(now_s - 60, now_s + DAY);
    T_INT(reads, 3);
    sq_clock_advance(SQ_PERIODS_VALID_NS);
    check(0, DAY);
    T_INT(reads, 4);
    T_INT(truncate(path, 67 << 20), 0);
    sq_clock_advance(SQ_PERIODS_VALID_NS);
    hours = 5;
    check(0, DAY);
    T_INT(reads, 5);
    sq_clock_simulate_end();
}

T_CASE(many_windows_stay_correct) {
    for (int i = 0; i < 300; i++) {
        int64_t from = t_random_between(0, 10 * DAY);
        if (i % 50 == 49) {
            hours = (int)t_random_between(0, 240);
            put_file("track.db", (size_t)t_random_between(1, 99));
        }
        check(from, from + t_random_between(1, 3 * DAY));
    }
    printf("# 300 windows: %d reads\n", reads);
    T(reads < 300);
}

static bool
gather_all(void *context, struct sq_err *err) {
    struct sq_activity_source source = { .path = path };
    const struct sq_window window = { 0, 2 * DAY };
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_period_cache *own = NULL;
    struct sq_segments found;
    sq_segments_init(&found);
    bool ok = sq_period_cache_create(sq_period_cache_free_segments, &own, err);
    source.cache = own;
    for (int i = 0; ok && i < 2; i++) {
        sq_segments_finish(&found);
        sq_segments_init(&found);
        ok = sq_period_cache_gather(&source_ops, &source, &window, &deadline,
                                    &found, err);
    }
    sq_segments_finish(&found);
    sq_period_cache_destroy(own);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    t_alloc_torture(gather_all, NULL);
}
