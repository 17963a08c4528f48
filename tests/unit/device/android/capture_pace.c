/* Raw frames or PNG: whichever is faster, within the deadline. */
#include "device/android/state.h"
#include "sys/clock.h"
#include "unit/device/android/capturing.h"

/* A phone that gives raw frames and PNG. */
static const struct rule both_ways[] = {
    { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
    { .words = "screencap", SHOWS(bright) },
    { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
    { .words = "SurfaceFlinger", .out = "" },
    { 0 }
};

static void
faster_format_is_used(void) {
    struct sq_android *android;
    struct sq_err err = { 0 };
    char text[200];
    begin(both_ways);
    android = (struct sq_android *)phone;
    T_OK(take(NULL, &err), &err);
    T(phone->ops->capture_is_cheap);
    T(strstr(last_command(), "screencap -p") == NULL);
    /* Simulates a slow cable, which is noticed only after some captures. */
    sq_estimate_add(&android->format.raw, 900 * (int64_t)1000000);
    T(android->format.raw.ns > 0
      && android->format.raw.ns < 900 * (int64_t)1000000);
    android->format.raw.ns = 900 * (int64_t)1000000;
    T_OK(take(NULL, &err), &err);
    T(fake_adb_received(&server, "screencap -p"));
    T(android->format.png.ns > 0);
    sq_android_describe_captures(phone, text, sizeof(text));
    T(strstr(text, "PNG is used") != NULL);
    android->format.png.ns = 2000 * (int64_t)1000000;
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &err), &err);
    T(!fake_adb_received(&server, "screencap -p"));
    T(phone->ops->capture_is_cheap);
    sq_android_describe_captures(phone, text, sizeof(text));
    T(strstr(text, "raw frames are used") != NULL);
    end();
}

#define MS ((int64_t)1000000)

/* The number of captures until the next raw one, while PNG is faster. */
static int
captures_until_raw(struct sq_android *android) {
    struct sq_err err = { 0 };
    for (int i = 1; i < 1000; i++) {
        android->format.raw.ns = 900 * MS;
        android->format.png.ns = 300 * MS;
        fake_adb_clear_log(&server);
        T_OK(take(NULL, &err), &err);
        if (!fake_adb_received(&server, "screencap -p")) {
            return i;
        }
    }
    return 0;
}

/* A format that was slow may become fast. */
static void
slower_format_is_tried_again(void) {
    struct sq_err err = { 0 };
    begin(both_ways);
    struct sq_android *android = (struct sq_android *)phone;
    T_INT(captures_until_raw(android), 9);
    T_INT(captures_until_raw(android), 17);
    T_INT(captures_until_raw(android), 33);
    /* A temporary delay: raw frames are fast again, and stay in use. */
    T(android->format.raw.ns < 300 * MS);
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &err), &err);
    T(!fake_adb_received(&server, "screencap -p"));
    end();
}

/* A tenth of the raw frame arrives, and then nothing until the deadline. */
#define TENTH (FRAME_BYTES / 10)
static const struct rule slow_link[] = {
    { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
    { .words = "screencap", .bytes = bright, .count = TENTH, .stalls = true },
    { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
    { .words = "SurfaceFlinger", .out = "" },
    { 0 }
};

static void
slow_link_uses_png(void) {
    struct sq_err err = { 0 };
    char text[200];
    begin(slow_link);
    struct sq_android *android = (struct sq_android *)phone;
    T_OK(take_within(800, NULL, &err), &err);
    T_BYTES(capture.bytes.data, capture.bytes.len, png, PNG_BYTES);
    /* The raw frame was seen first, and the picture last. */
    T_INT(seen.tries, 2);
    T(fake_adb_received(&server, "screencap"));
    /* Half of the time was for the frame, and a tenth of it arrived. */
    T(android->format.raw.ns > 3900 * MS && android->format.raw.ns < 9000 * MS);
    sq_android_describe_captures(phone, text, sizeof(text));
    T(strstr(text, "PNG is used") != NULL);
    fake_adb_clear_log(&server);
    T_OK(take_within(800, NULL, &err), &err);
    T_INT(seen.tries, 1);
    T(fake_adb_received(&server, "screencap -p"));
    T(android->format.raw.ns > 3900 * MS);
    end();
}

/* The same call still returns a picture, quickly. */
static void
raw_retry_takes_no_longer_than_a_png(void) {
    struct sq_err err = { 0 };
    begin(slow_link);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.raw.ns = 30000 * MS;
    android->format.png.ns = 400 * MS;
    android->format.since_retry = 8;
    int64_t start = sq_clock_monotonic_ns();
    T_OK(take(NULL, &err), &err);
    T(sq_clock_monotonic_ns() - start < LONG_MS * MS / 4);
    T_BYTES(capture.bytes.data, capture.bytes.len, png, PNG_BYTES);
    T_INT(seen.tries, 2);
    /* What arrived shows that it is faster than estimated, but slow. */
    T(android->format.raw.ns > 3900 * MS
      && android->format.raw.ns < 30000 * MS);
    T(android->format.png.ns <= 400 * MS);
    T_INT(android->format.retries, 1);
    end();
}

static void
frame_without_data_keeps_its_estimate(void) {
    static const struct rule table[] = {
        { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
        { .words = "screencap", .stalls = true },
        { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
        { .words = "SurfaceFlinger", .out = "" },
        { 0 }
    };
    struct sq_err err = { 0 };
    begin(table);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.raw.ns = 30000 * MS;
    android->format.png.ns = 40 * MS;
    android->format.since_retry = 8;
    T_OK(take(NULL, &err), &err);
    T_INT(android->format.raw.ns, 30000 * MS);
    end();
}

/* Half of the time would not be enough. */
static void
slow_raw_frames_that_are_faster_get_all_the_time(void) {
    struct sq_err err = { 0 };
    begin(slow_link);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.raw.ns = 500 * MS;
    android->format.png.ns = 900 * MS;
    T(!take_within(600, NULL, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    T_INT(seen.tries, 1);
    T(strstr(err.hint, "slow") != NULL);
    T(android->format.raw.ns > 5900 * MS);
    end();
}

static void
too_slow_for_both_formats_is_an_error_with_a_hint(void) {
    static const struct rule slow[] = { { .words = "screencap",
                                          .bytes = png,
                                          .count = PNG_BYTES / 2,
                                          .stalls = true },
                                        { 0 } };
    static const struct rule silent[] = {
        { .words = "screencap", .stalls = true }, { 0 }
    };
    static const struct {
        const struct rule *rules;
        const char *advice;
    } cases[] = { { slow, "slow" }, { silent, "Unlock it" } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sq_err err = { 0 };
        begin(cases[i].rules);
        T(!take_within(600, NULL, &err));
        T_INT(err.code, SQ_ERR_TIMEOUT);
        T(strstr(err.hint, cases[i].advice) != NULL);
        T(fake_adb_received(&server, "screencap -p"));
        T_INT(capture.bytes.len, 0);
        end();
    }
}

T_MAIN(T_CASE(faster_format_is_used), T_CASE(slower_format_is_tried_again),
       T_CASE(slow_link_uses_png), T_CASE(raw_retry_takes_no_longer_than_a_png),
       T_CASE(frame_without_data_keeps_its_estimate),
       T_CASE(slow_raw_frames_that_are_faster_get_all_the_time),
       T_CASE(too_slow_for_both_formats_is_an_error_with_a_hint))
