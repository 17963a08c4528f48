/* The choice between raw frames, gzip and PNG, at its exact limits. */
#include "device/android/capture.h"

#include <limits.h>

#include "support/test.h"

#define MS ((int64_t)1000000)
#define RAW SQ_CAPTURE_RAW
#define GZIP SQ_CAPTURE_GZIP
#define PNG SQ_CAPTURE_PNG

/* A device on which the formats took this long; 0: not tried. */
static struct sq_capture_format
measured(int64_t raw_ns, int64_t gzip_ns, int64_t png_ns) {
    return (struct sq_capture_format){
        .time = { [RAW] = { raw_ns }, [GZIP] = { gzip_ns }, [PNG] = { png_ns } }
    };
}

/* The same without gzip. */
static struct sq_capture_format
without_gzip(int64_t raw_ns, int64_t png_ns) {
    struct sq_capture_format format = measured(raw_ns, 0, png_ns);
    format.has_no_gzip = true;
    return format;
}

T_CASE(others_are_tried_in_order_while_the_fastest_is_slow) {
    static const struct {
        int64_t ns[SQ_CAPTURE_FORMS];
        enum sq_capture_form next;
    } cases[] = {
        { { 0, 0, 0 }, RAW },
        { { 150 * MS, 0, 0 }, RAW },
        { { 150 * MS + 1, 0, 0 }, GZIP },
        { { 400 * MS, 150 * MS, 0 }, GZIP },
        { { 400 * MS, 150 * MS + 1, 0 }, PNG },
        { { 400 * MS, 900 * MS, 0 }, PNG },
        { { 400 * MS, 0, 300 * MS }, GZIP },
        { { 400 * MS, 0, 150 * MS }, PNG },
        /* Known without a raw frame: after one that was not complete. */
        { { 0, 0, 400 * MS }, RAW },
        { { 0, 0, 100 * MS }, PNG },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct sq_capture_format format =
            measured(cases[i].ns[0], cases[i].ns[1], cases[i].ns[2]);
        bool ok = T_INT(sq_capture_format_preferred(&format), cases[i].next)
               && T_INT(sq_capture_format_next(&format), cases[i].next);
        if (!ok) {
            printf("# case %zu\n", i);
        }
    }
}

/* A slow eye has a slow link, on which gzip and PNG are slower. */
T_CASE(only_raw_frames_are_tried_beside_the_eye) {
    struct sq_capture_format format = { .has_eye = true };
    T_INT(sq_capture_format_next(&format), SQ_CAPTURE_EYE);
    sq_capture_format_add(&format, SQ_CAPTURE_EYE, 300 * MS);
    T_INT(sq_capture_format_next(&format), RAW);
    sq_capture_format_add_timeout(&format, RAW, 300 * MS, 1, 8);
    T_INT(sq_capture_format_next(&format), SQ_CAPTURE_EYE);
    T_INT(sq_capture_format_fallback(&format, RAW, false), SQ_CAPTURE_EYE);
    sq_capture_format_add(&format, SQ_CAPTURE_EYE, 900 * MS);
    T_INT(sq_capture_format_next(&format), SQ_CAPTURE_EYE);
    format.has_eye = false; /* now it is as without it */
    T_INT(sq_capture_format_next(&format), GZIP);
    format = (struct sq_capture_format){ .has_eye = true };
    sq_capture_format_add(&format, SQ_CAPTURE_EYE, 181 * MS);
    sq_capture_format_add(&format, RAW, 120 * MS); /* a fast link */
    T_INT(sq_capture_format_next(&format), RAW);
    T_INT(sq_capture_format_limit_ms(&format, SQ_CAPTURE_EYE, 10000), 121);
    sq_capture_format_add(&format, SQ_CAPTURE_EYE, 180 * MS);
    T_INT(sq_capture_format_next(&format),
          SQ_CAPTURE_EYE); /* better all in all */
    T_INT(sq_capture_format_limit_ms(&format, SQ_CAPTURE_EYE, 10000), 5001);
    T_INT(sq_capture_format_limit_ms(&format, RAW, 10000), 5001);
}

/* Returns what is known if a picture from the eye and a raw one take this. */
static struct sq_capture_format
with_eye(int64_t eye_ns, int64_t raw_ns) {
    struct sq_capture_format format = { .has_eye = true };
    sq_capture_format_add(&format, SQ_CAPTURE_EYE, eye_ns);
    sq_capture_format_add(&format, RAW, raw_ns);
    return format;
}

T_CASE(eye_looks_if_it_is_faster_than_a_list) {
    struct sq_capture_format format = { .has_eye = true };
    T(sq_capture_format_can_look(&format)); /* nothing is known yet */
    format = with_eye(999 * MS, 120 * MS);
    T_INT(sq_capture_format_preferred(&format), RAW);
    T(sq_capture_format_can_look(&format));
    format = with_eye(1000 * MS, 120 * MS);
    T(!sq_capture_format_can_look(&format));
    format = with_eye(1200 * MS, 900 * MS);
    T_INT(sq_capture_format_preferred(&format), SQ_CAPTURE_EYE);
    T(sq_capture_format_can_look(&format));
    format.has_eye = false;
    T(!sq_capture_format_can_look(&format));
}

T_CASE(fastest_format_is_preferred) {
    static const struct {
        int64_t ns[SQ_CAPTURE_FORMS];
        enum sq_capture_form best;
    } cases[] = {
        { { 410 * MS, 169 * MS, 209 * MS }, GZIP },
        { { 172 * MS, 211 * MS, 359 * MS }, RAW },
        { { 2700 * MS, 560 * MS, 559 * MS }, PNG },
        /* The earlier one if they are equal. */
        { { 500 * MS, 500 * MS, 500 * MS }, RAW },
        { { 500 * MS, 499 * MS, 499 * MS }, GZIP },
        { { 500 * MS, 501 * MS, 500 * MS - 1 }, PNG },
        { { 3, 2, 1 }, PNG },
    };
    T_EACH(i, cases) {
        struct sq_capture_format format =
            measured(cases[i].ns[0], cases[i].ns[1], cases[i].ns[2]);
        T_INT(sq_capture_format_preferred(&format), cases[i].best);
    }
}

T_CASE(gzip_that_does_not_work_is_not_used_again) {
    struct sq_capture_format format = measured(400 * MS, 0, 0);
    T_INT(sq_capture_format_next(&format), GZIP);
    format.has_no_gzip = true;
    T_INT(sq_capture_format_next(&format), PNG);
    sq_capture_format_add(&format, PNG, 300 * MS);
    for (int i = 0; i < 1000; i++) {
        enum sq_capture_form form = sq_capture_format_next(&format);
        T(form != GZIP);
        sq_capture_format_add(&format, form, form == RAW ? 400 * MS : 300 * MS);
    }
    /* Even if it worked before. */
    format = measured(400 * MS, 100 * MS, 300 * MS);
    format.has_no_gzip = true;
    T_INT(sq_capture_format_preferred(&format), PNG);
    T_INT(sq_capture_format_fallback(&format, RAW, false), PNG);
}

/* A format that was never measured is not a slower one. */
T_CASE(unknown_format_is_not_retried) {
    struct sq_capture_format format = measured(100 * MS, 0, 0);
    format.since_retry = 1000;
    T_INT(sq_capture_format_next(&format), RAW);
    /* It is tried first instead. */
    format = measured(400 * MS, 0, 300 * MS);
    format.since_retry = 1000;
    T_INT(sq_capture_format_next(&format), GZIP);
}

/*
 * Captures until one is in a slower format, and returns how many these were.
 * Durations are as given each time.
 */
static int
captures_until_retry(struct sq_capture_format *format,
                     const int64_t ns[SQ_CAPTURE_FORMS],
                     enum sq_capture_form *retried) {
    for (int i = 1; i < 10000; i++) {
        enum sq_capture_form preferred = sq_capture_format_preferred(format);
        *retried = sq_capture_format_next(format);
        sq_capture_format_add(format, *retried, ns[*retried]);
        if (*retried != preferred) {
            return i;
        }
    }
    return 0;
}

T_CASE(each_retry_doubles_the_interval_seven_times) {
    static const int intervals[] = { 9,   17,  33,   65,   129,
                                     257, 513, 1025, 1025, 1025 };
    static const struct {
        int64_t ns[SQ_CAPTURE_FORMS];
        enum sq_capture_form slower[2]; /* in turn */
    } cases[] = {
        { { 900 * MS, 0, 300 * MS }, { RAW, RAW } },
        { { 300 * MS, 0, 900 * MS }, { PNG, PNG } },
        { { 900 * MS, 170 * MS, 300 * MS }, { PNG, RAW } },
        { { 100 * MS, 170 * MS, 300 * MS }, { GZIP, PNG } },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        const int64_t *ns = cases[i].ns;
        struct sq_capture_format format = ns[GZIP]
                                            ? measured(ns[0], ns[1], ns[2])
                                            : without_gzip(ns[0], ns[2]);
        for (size_t k = 0; k < SQ_COUNT(intervals); k++) {
            enum sq_capture_form retried;
            T_INT(captures_until_retry(&format, ns, &retried), intervals[k]);
            T_INT(retried, cases[i].slower[k % 2]);
        }
        T_INT(format.retries, 7);
    }
}

T_CASE(only_a_slower_format_counts_as_a_retry) {
    struct sq_capture_format format = without_gzip(900 * MS, 300 * MS);
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

/* A PNG after a raw frame that took too long, before gzip is tried. */
T_CASE(first_capture_in_a_format_is_no_retry) {
    struct sq_capture_format format = { 0 };
    sq_capture_format_add_timeout(&format, RAW, 400 * MS, 1, 10);
    sq_capture_format_add(&format, PNG, 900 * MS);
    T_INT(format.retries, 0);
    T_INT(format.since_retry, 2);
    T_INT(sq_capture_format_next(&format), GZIP);
}

T_CASE(format_that_became_faster_is_used) {
    struct sq_capture_format format = measured(900 * MS, 200 * MS, 300 * MS);
    format.since_retry = 8;
    format.last_retry = PNG;
    T_INT(sq_capture_format_next(&format), RAW);
    sq_capture_format_add(&format, RAW, 100 * MS);
    T_INT(sq_capture_format_preferred(&format), RAW);
    T_INT(sq_capture_format_next(&format), RAW);
}

T_CASE(durations_go_to_their_format) {
    struct sq_capture_format format = { 0 };
    sq_capture_format_add(&format, RAW, 400 * MS);
    T_INT(format.time[RAW].ns, 400 * MS);
    T_INT(format.time[GZIP].ns, 0);
    T_INT(format.time[PNG].ns, 0);
    sq_capture_format_add(&format, GZIP, 170 * MS);
    sq_capture_format_add(&format, PNG, 200 * MS);
    T_INT(format.time[RAW].ns, 400 * MS);
    T_INT(format.time[GZIP].ns, 170 * MS);
    T_INT(format.time[PNG].ns, 200 * MS);
    /* Slower measurements count for a quarter. */
    sq_capture_format_add(&format, PNG, 600 * MS);
    T_INT(format.time[PNG].ns, 300 * MS);
}

T_CASE(limits_leave_time_for_another_format) {
    static const struct {
        int64_t ns[SQ_CAPTURE_FORMS];
        enum sq_capture_form form;
        int left_ms;
        int limit_ms;
    } cases[] = {
        /* Half of the time, if nothing is known or it is the fastest. */
        { { 0, 0, 0 }, RAW, 10000, 5001 },
        { { 100 * MS, 0, 900 * MS }, RAW, 10000, 5001 },
        { { 0, 0, 0 }, RAW, 1, 1 },
        { { 0, 0, 0 }, RAW, INT_MAX, INT_MAX / 2 + 1 },
        { { 900 * MS, 200 * MS, 0 }, GZIP, 10000, 5001 },
        /* All of it, if the fastest needs more than half. */
        { { 5000 * MS, 0, 9000 * MS }, RAW, 10000, 5001 },
        { { 5000 * MS + 1, 0, 9000 * MS }, RAW, 10000, 10000 },
        { { 6000 * MS, 0, 0 }, RAW, 10000, 10000 },
        { { 9000 * MS, 6000 * MS, 0 }, GZIP, 10000, 10000 },
        /* A slower one: a second, the fastest's time, or half of the time. */
        { { 9000 * MS, 0, 8000 * MS }, RAW, 10000, 1001 },
        { { 9000 * MS, 0, 1001 * MS }, RAW, 10000, 1001 },
        { { 9000 * MS, 0, 999 * MS }, RAW, 10000, 1000 },
        { { 9000 * MS, 0, 400 * MS }, RAW, 10000, 401 },
        { { 9000 * MS, 0, 400 * MS }, RAW, 600, 301 },
        { { 9000 * MS, 300 * MS, 400 * MS }, RAW, 10000, 301 },
        { { 200 * MS, 300 * MS, 0 }, GZIP, 10000, 201 },
        /* The first one in a format, if another is known. */
        { { 400 * MS, 0, 0 }, GZIP, 10000, 401 },
        { { 9000 * MS, 0, 700 * MS }, GZIP, 10000, 701 },
        /* A PNG gets all of it. */
        { { 0, 0, 0 }, PNG, 10000, 10000 },
        { { 9000 * MS, 0, 400 * MS }, PNG, 10000, 10000 },
        { { 400 * MS, 0, 9000 * MS }, PNG, 10000, 10000 },
    };
    T_EACH(i, cases) {
        struct sq_capture_format format =
            measured(cases[i].ns[0], cases[i].ns[1], cases[i].ns[2]);
        T_INT(sq_capture_format_limit_ms(&format, cases[i].form,
                                         cases[i].left_ms),
              cases[i].limit_ms);
    }
}

T_CASE(another_format_follows_in_the_same_call) {
    static const struct {
        int64_t ns[SQ_CAPTURE_FORMS];
        enum sq_capture_form failed;
        bool is_too_large;
        enum sq_capture_form then;
    } cases[] = {
        { { 0, 0, 0 }, RAW, false, PNG },
        { { 900 * MS, 0, 0 }, RAW, false, PNG },
        { { 900 * MS, 200 * MS, 300 * MS }, RAW, false, GZIP },
        { { 900 * MS, 200 * MS, 300 * MS }, RAW, true, PNG },
        { { 400 * MS, 0, 0 }, GZIP, false, RAW },
        { { 400 * MS, 500 * MS, 300 * MS }, GZIP, false, PNG },
        { { 400 * MS, 0, 0 }, GZIP, true, PNG },
        { { 400 * MS, 300 * MS, 0 }, PNG, false, PNG },
    };
    T_EACH(i, cases) {
        struct sq_capture_format format =
            measured(cases[i].ns[0], cases[i].ns[1], cases[i].ns[2]);
        T_INT(sq_capture_format_fallback(&format, cases[i].failed,
                                         cases[i].is_too_large),
              cases[i].then);
    }
}

T_CASE(timeout_gives_an_estimate) {
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
    for (size_t i = 0; i < 2 * SQ_COUNT(cases); i++) {
        size_t at = i / 2;
        enum sq_capture_form form = i % 2 ? GZIP : RAW;
        struct sq_capture_format format = { 0 };
        format.time[form].ns = cases[at].before_ns;
        sq_capture_format_add_timeout(&format, form, cases[at].ns,
                                      cases[at].received, cases[at].total);
        if (!T_INT(format.time[form].ns, cases[at].after_ns)) {
            printf("# case %zu\n", i);
        }
        T_INT(format.time[form == RAW ? GZIP : RAW].ns, 0);
        T_INT(format.time[PNG].ns, 0);
    }
}

T_CASE(failed_retries_count) {
    struct sq_capture_format format = without_gzip(900 * MS, 300 * MS);
    format.since_retry = 8;
    sq_capture_format_add_timeout(&format, RAW, 300 * MS, 100, 1000);
    T_INT(format.since_retry, 0);
    T_INT(format.retries, 1);
    format.since_retry = 16;
    sq_capture_format_add_too_large(&format, RAW);
    T_INT(format.since_retry, 0);
    T_INT(format.retries, 2);
}

T_CASE(frame_that_is_too_large_is_slower_than_any_png) {
    struct sq_capture_format format = measured(100 * MS, 90 * MS, 0);
    sq_capture_format_add_too_large(&format, RAW);
    T_INT(format.time[RAW].ns, 60000 * MS);
    T_INT(format.time[GZIP].ns, 60000 * MS);
    T_INT(sq_capture_format_next(&format), PNG);
    sq_capture_format_add(&format, PNG, 59999 * MS);
    T_INT(sq_capture_format_next(&format), PNG);
}

T_CASE(shapes_may_differ_by_one_percent) {
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
    T_EACH(i, cases) {
        T_INT(sq_capture_has_shape(cases[i].picture, cases[i].screen),
              cases[i].is_same);
    }
}
