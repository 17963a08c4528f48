/* The choice between raw frames and PNG, at its exact limits. */
#include "device/android/capture_format.h"

#include <limits.h>
#include <stdio.h>

#include "support/test.h"

#define MS ((int64_t)1000000)
#define RAW false
#define PNG true

/* A device on which both formats took this long. */
static struct sq_capture_format
measured(int64_t raw_ns, int64_t png_ns) {
    return (struct sq_capture_format){ .raw = { raw_ns }, .png = { png_ns } };
}

static void
png_is_tried_when_raw_frames_are_slow(void) {
    static const struct {
        int64_t raw_ns;
        bool is_png;
    } cases[] = {
        { 0, false },
        { 150 * MS, false },
        { 150 * MS + 1, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sq_capture_format format = measured(cases[i].raw_ns, 0);
        T_INT(sq_capture_format_prefers_png(&format), cases[i].is_png);
        T_INT(sq_capture_format_next_is_png(&format), cases[i].is_png);
    }
}

static void
faster_format_is_preferred(void) {
    static const struct {
        int64_t raw_ns;
        int64_t png_ns;
        bool is_png;
    } cases[] = {
        { 500 * MS, 500 * MS - 1, true },
        { 500 * MS, 500 * MS, false },
        { 500 * MS, 500 * MS + 1, false },
        { 2, 1, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sq_capture_format format =
            measured(cases[i].raw_ns, cases[i].png_ns);
        T_INT(sq_capture_format_prefers_png(&format), cases[i].is_png);
        T_INT(sq_capture_format_next_is_png(&format), cases[i].is_png);
    }
}

/* A format that was never measured is not the slower one. */
static void
unknown_format_is_not_retried(void) {
    struct sq_capture_format format = measured(100 * MS, 0);
    format.since_retry = 1000;
    T(!sq_capture_format_next_is_png(&format));
}

/*
 * Captures until one is in the slower format, and returns how many these were.
 * Durations are as given each time.
 */
static int
captures_until_retry(struct sq_capture_format *format, int64_t raw_ns,
                     int64_t png_ns) {
    bool slower_is_png = raw_ns <= png_ns;
    for (int i = 1; i < 10000; i++) {
        bool is_png = sq_capture_format_next_is_png(format);
        sq_capture_format_add(format, is_png, is_png ? png_ns : raw_ns);
        if (is_png == slower_is_png) {
            return i;
        }
    }
    return 0;
}

static void
each_retry_doubles_the_interval_seven_times(void) {
    static const int intervals[] = { 9,   17,  33,   65,   129,
                                     257, 513, 1025, 1025, 1025 };
    struct sq_capture_format slow_raw = measured(900 * MS, 300 * MS);
    struct sq_capture_format slow_png = measured(300 * MS, 900 * MS);
    for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++) {
        T_INT(captures_until_retry(&slow_raw, 900 * MS, 300 * MS),
              intervals[i]);
        T_INT(captures_until_retry(&slow_png, 300 * MS, 900 * MS),
              intervals[i]);
    }
    T_INT(slow_raw.retries, 7);
    T_INT(slow_png.retries, 7);
}

static void
only_the_slower_format_counts_as_a_retry(void) {
    struct sq_capture_format format = measured(900 * MS, 300 * MS);
    sq_capture_format_add(&format, PNG, 300 * MS);
    sq_capture_format_add(&format, PNG, 300 * MS);
    T_INT(format.since_retry, 2);
    T_INT(format.retries, 0);
    sq_capture_format_add(&format, RAW, 900 * MS);
    T_INT(format.since_retry, 0);
    T_INT(format.retries, 1);
    sq_capture_format_add(&format, PNG, 300 * MS);
    T_INT(format.since_retry, 1);
    T_INT(format.retries, 1);
}

static void
format_that_became_faster_is_used(void) {
    struct sq_capture_format format = measured(900 * MS, 300 * MS);
    format.since_retry = 8;
    T(!sq_capture_format_next_is_png(&format));
    sq_capture_format_add(&format, RAW, 100 * MS);
    T(!sq_capture_format_prefers_png(&format));
    T(!sq_capture_format_next_is_png(&format));
}

static void
durations_go_to_their_format(void) {
    struct sq_capture_format format = { 0 };
    sq_capture_format_add(&format, RAW, 400 * MS);
    T_INT(format.raw.ns, 400 * MS);
    T_INT(format.png.ns, 0);
    sq_capture_format_add(&format, PNG, 200 * MS);
    T_INT(format.raw.ns, 400 * MS);
    T_INT(format.png.ns, 200 * MS);
    /* Slower measurements count for a quarter. */
    sq_capture_format_add(&format, PNG, 600 * MS);
    T_INT(format.png.ns, 300 * MS);
}

static void
limits_leave_time_for_a_png(void) {
    static const struct {
        int64_t raw_ns;
        int64_t png_ns;
        bool is_png;
        int left_ms;
        int limit_ms;
    } cases[] = {
        /* Half of the time, if nothing is known or raw frames are faster. */
        { 0, 0, RAW, 10000, 5001 },
        { 100 * MS, 900 * MS, RAW, 10000, 5001 },
        { 0, 0, RAW, 1, 1 },
        { 0, 0, RAW, INT_MAX, INT_MAX / 2 + 1 },
        /* All of it, if raw frames need more than half. */
        { 5000 * MS, 9000 * MS, RAW, 10000, 5001 },
        { 5000 * MS + 1, 9000 * MS, RAW, 10000, 10000 },
        { 6000 * MS, 0, RAW, 10000, 10000 },
        /* A retry: a second, the time of a PNG, or half of the time. */
        { 9000 * MS, 8000 * MS, RAW, 10000, 1001 },
        { 9000 * MS, 1001 * MS, RAW, 10000, 1001 },
        { 9000 * MS, 999 * MS, RAW, 10000, 1000 },
        { 9000 * MS, 400 * MS, RAW, 10000, 401 },
        { 9000 * MS, 400 * MS, RAW, 600, 301 },
        /* A PNG gets all of it. */
        { 0, 0, PNG, 10000, 10000 },
        { 9000 * MS, 400 * MS, PNG, 10000, 10000 },
        { 400 * MS, 9000 * MS, PNG, 10000, 10000 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sq_capture_format format =
            measured(cases[i].raw_ns, cases[i].png_ns);
        if (!T_INT(sq_capture_format_limit_ms(&format, cases[i].is_png,
                                              cases[i].left_ms),
                   cases[i].limit_ms)) {
            printf("# case %zu\n", i);
        }
    }
}

static void
timeout_gives_an_estimate(void) {
    static const struct {
        int64_t before_ns;
        int64_t ns;
        size_t received;
        size_t total;
        int64_t after_ns;
    } cases[] = {
        /* A tenth was received, so all takes ten times as long. */
        { 0, 400 * MS, 100, 1000, 4000 * MS },
        { 30000 * MS, 400 * MS, 100, 1000, 4000 * MS },
        { 100 * MS, 400 * MS, 999, 1000, 400400400 },
        /* Nothing received, or the size is unknown: at least this long. */
        { 100 * MS, 400 * MS, 0, 0, 400 * MS },
        { 100 * MS, 400 * MS, 0, 1000, 400 * MS },
        { 100 * MS, 400 * MS, 50, 0, 400 * MS },
        { 30000 * MS, 400 * MS, 0, 0, 30000 * MS },
        { 30000 * MS, 400 * MS, 0, 1000, 30000 * MS },
        /* Everything was received, but the exchange did not end. */
        { 30000 * MS, 400 * MS, 1000, 1000, 30000 * MS },
        { 100 * MS, 400 * MS, 1000, 1000, 400 * MS },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sq_capture_format format = measured(cases[i].before_ns, 0);
        sq_capture_format_add_timeout(&format, cases[i].ns, cases[i].received,
                                      cases[i].total);
        if (!T_INT(format.raw.ns, cases[i].after_ns)) {
            printf("# case %zu\n", i);
        }
        T_INT(format.png.ns, 0);
    }
}

static void
failed_retries_count(void) {
    struct sq_capture_format format = measured(900 * MS, 300 * MS);
    format.since_retry = 8;
    sq_capture_format_add_timeout(&format, 300 * MS, 100, 1000);
    T_INT(format.since_retry, 0);
    T_INT(format.retries, 1);
    format.since_retry = 16;
    sq_capture_format_add_too_large(&format);
    T_INT(format.since_retry, 0);
    T_INT(format.retries, 2);
}

static void
frame_that_is_too_large_is_slower_than_any_png(void) {
    struct sq_capture_format format = measured(100 * MS, 0);
    sq_capture_format_add_too_large(&format);
    T_INT(format.raw.ns, 60000 * MS);
    T(sq_capture_format_next_is_png(&format));
    sq_capture_format_add(&format, PNG, 59999 * MS);
    T(sq_capture_format_next_is_png(&format));
}

static void
shapes_may_differ_by_one_percent(void) {
    static const struct {
        struct sq_size picture;
        struct sq_size screen;
        bool is_same;
    } cases[] = {
        { { 1080, 2400 }, { 1080, 2400 }, true },
        { { 1080, 2400 }, { 540, 1200 }, true },
        /* Exactly one percent, and a little more. */
        { { 1000, 1000 }, { 990, 1000 }, true },
        { { 1000, 1000 }, { 1010, 1000 }, true },
        { { 1000, 1000 }, { 989, 1000 }, false },
        { { 1000, 1000 }, { 1011, 1000 }, false },
        { { 1000, 1000 }, { 1000, 1010 }, true },
        { { 1000, 1000 }, { 1000, 990 }, false },
        { { 991, 1000 }, { 1000, 1000 }, true },
        { { 990, 1000 }, { 1000, 1000 }, false },
        /* Rotated, and of another panel. */
        { { 2400, 1080 }, { 1080, 2400 }, false },
        { { 1080, 2400 }, { 2400, 1080 }, false },
        { { 8, 16 }, { 4, 32 }, false },
        { { 4, 32 }, { 8, 16 }, false },
        { { 16384, 16384 }, { 16384, 16384 }, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (!T_INT(sq_capture_has_shape(cases[i].picture, cases[i].screen),
                   cases[i].is_same)) {
            printf("# case %zu\n", i);
        }
    }
}

T_MAIN(T_CASE(png_is_tried_when_raw_frames_are_slow),
       T_CASE(faster_format_is_preferred),
       T_CASE(unknown_format_is_not_retried),
       T_CASE(each_retry_doubles_the_interval_seven_times),
       T_CASE(only_the_slower_format_counts_as_a_retry),
       T_CASE(format_that_became_faster_is_used),
       T_CASE(durations_go_to_their_format),
       T_CASE(limits_leave_time_for_a_png), T_CASE(timeout_gives_an_estimate),
       T_CASE(failed_retries_count),
       T_CASE(frame_that_is_too_large_is_slower_than_any_png),
       T_CASE(shapes_may_differ_by_one_percent))
