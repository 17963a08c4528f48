/* Raw frames, gzip or PNG: whichever is fastest, within the deadline. */

#include "device/android/state.h"
#include "support/gzip_maker.h"
#include "sys/clock.h"
#include "unit/device/android/capturing.h"

/* A phone without gzip, as before Android 8. */
#define NO_GZIP                                                                \
    { .words = "|gzip", .errors = "sh: gzip: not found\n", .status = 127 }

/* A phone that gives raw frames and PNG. */
static const struct rule both_ways[] = {
    NO_GZIP,
    { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
    { .words = "screencap", SHOWS(bright) },
    { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
    { .words = "SurfaceFlinger", .out = "" },
    { 0 }
};

T_FIXTURE(NULL, end);

T_CASE(faster_format_is_used) {
    struct sq_android *android;
    char text[200];
    begin(both_ways);
    android = (struct sq_android *)phone;
    T_OK(take(NULL, &t_err));
    T(phone->ops->capture_is_cheap);
    T_LACKS(last_command(), "screencap -p");
    /* Simulates a slow cable, which is noticed only after some captures. */
    sq_estimate_add(&android->format.time[SQ_CAPTURE_RAW],
                    900 * (int64_t)1000000);
    T(android->format.time[SQ_CAPTURE_RAW].ns > 0
      && android->format.time[SQ_CAPTURE_RAW].ns < 900 * (int64_t)1000000);
    android->format.time[SQ_CAPTURE_RAW].ns = 900 * (int64_t)1000000;
    T_OK(take(NULL, &t_err));
    T(fake_adb_received(&server, "screencap -p"));
    T(android->format.time[SQ_CAPTURE_PNG].ns > 0);
    sq_android_describe_captures(phone, text, sizeof(text));
    T_HAS(text, "PNG is used");
    android->format.time[SQ_CAPTURE_PNG].ns = 2000 * (int64_t)1000000;
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &t_err));
    T(!fake_adb_received(&server, "screencap -p"));
    T(phone->ops->capture_is_cheap);
    sq_android_describe_captures(phone, text, sizeof(text));
    T_HAS(text, "raw frames are used");
}

#define MS ((int64_t)1000000)

/* The number of captures until the next raw one, while PNG is faster. */
static int
captures_until_raw(struct sq_android *android) {
    for (int i = 1; i < 1000; i++) {
        android->format.time[SQ_CAPTURE_RAW].ns = 900 * MS;
        android->format.time[SQ_CAPTURE_PNG].ns = 300 * MS;
        fake_adb_clear_log(&server);
        T_OK(take(NULL, &t_err));
        if (!fake_adb_received(&server, "screencap -p")) {
            return i;
        }
    }
    return 0;
}

/* A format that was slow may become fast. */
T_CASE(slower_format_is_tried_again) {
    begin(both_ways);
    struct sq_android *android = (struct sq_android *)phone;
    T_INT(captures_until_raw(android), 9);
    T_INT(captures_until_raw(android), 17);
    T_INT(captures_until_raw(android), 33);
    /* A temporary delay: raw frames are fast again, and stay in use. */
    T(android->format.time[SQ_CAPTURE_RAW].ns < 300 * MS);
    fake_adb_clear_log(&server);
    T_OK(take(NULL, &t_err));
    T(!fake_adb_received(&server, "screencap -p"));
}

/* A tenth of the raw frame arrives, and then nothing until the deadline. */
#define TENTH (FRAME_BYTES / 10)
static const struct rule slow_link[] = {
    NO_GZIP,
    { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
    { .words = "screencap", .bytes = bright, .count = TENTH, .stalls = true },
    { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
    { .words = "SurfaceFlinger", .out = "" },
    { 0 }
};

T_CASE(slow_link_uses_png) {
    char text[200];
    begin(slow_link);
    struct sq_android *android = (struct sq_android *)phone;
    T_OK(take_within(800, NULL, &t_err));
    T_BYTES(capture.bytes.data, capture.bytes.len, png, PNG_BYTES);
    /* The raw frame was seen first, and the picture last. */
    T_INT(seen.tries, 2);
    T(fake_adb_received(&server, "screencap"));
    /* Half of the time was for the frame, and a tenth of it arrived. */
    T(android->format.time[SQ_CAPTURE_RAW].ns > 3900 * MS
      && android->format.time[SQ_CAPTURE_RAW].ns < 9000 * MS);
    sq_android_describe_captures(phone, text, sizeof(text));
    T_HAS(text, "PNG is used");
    fake_adb_clear_log(&server);
    T_OK(take_within(800, NULL, &t_err));
    T_INT(seen.tries, 1);
    T(fake_adb_received(&server, "screencap -p"));
    T(android->format.time[SQ_CAPTURE_RAW].ns > 3900 * MS);
}

/* The same call still returns a picture, quickly. */
T_CASE(raw_retry_takes_no_longer_than_a_png) {
    begin(slow_link);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.time[SQ_CAPTURE_RAW].ns = 30000 * MS;
    android->format.time[SQ_CAPTURE_PNG].ns = 400 * MS;
    android->format.since_retry = 8;
    android->format.has_no_gzip = true;
    int64_t start = sq_clock_monotonic_ns();
    T_OK(take(NULL, &t_err));
    T(sq_clock_monotonic_ns() - start < LONG_MS * MS / 4);
    T_BYTES(capture.bytes.data, capture.bytes.len, png, PNG_BYTES);
    T_INT(seen.tries, 2);
    /* What arrived shows that it is faster than estimated, but slow. */
    T(android->format.time[SQ_CAPTURE_RAW].ns > 3900 * MS
      && android->format.time[SQ_CAPTURE_RAW].ns < 30000 * MS);
    T(android->format.time[SQ_CAPTURE_PNG].ns <= 400 * MS);
    T_INT(android->format.retries, 1);
}

T_CASE(frame_without_data_keeps_its_estimate) {
    static const struct rule table[] = {
        { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
        { .words = "screencap", .stalls = true },
        { .words = "dumpsys power", .out = "mWakefulness=Awake\n" },
        { .words = "SurfaceFlinger", .out = "" },
        { 0 }
    };
    begin(table);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.time[SQ_CAPTURE_RAW].ns = 30000 * MS;
    android->format.time[SQ_CAPTURE_PNG].ns = 40 * MS;
    android->format.since_retry = 8;
    android->format.has_no_gzip = true;
    T_OK(take(NULL, &t_err));
    T_INT(android->format.time[SQ_CAPTURE_RAW].ns, 30000 * MS);
}

/* Half of the time would not be enough. */
T_CASE(slow_raw_frames_that_are_faster_get_all_the_time) {
    begin(slow_link);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.time[SQ_CAPTURE_RAW].ns = 500 * MS;
    android->format.time[SQ_CAPTURE_PNG].ns = 900 * MS;
    T_FAILS(take_within(600, NULL, &t_err), SQ_ERR_TIMEOUT);
    T_INT(seen.tries, 1);
    T_HAS(t_err.hint, "slow");
    T(android->format.time[SQ_CAPTURE_RAW].ns > 5900 * MS);
}

T_BARE_CASE(too_slow_for_both_formats_is_an_error_with_a_hint) {
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
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        begin(cases[i].rules);
        T_FAILS(take_within(600, NULL, &t_err), SQ_ERR_TIMEOUT);
        T_HAS(t_err.hint, cases[i].advice);
        T(fake_adb_received(&server, "screencap -p"));
        T_INT(capture.bytes.len, 0);
        end();
    }
}

/* A phone that compresses this output of screencap. */
static void
begin_with_gzip(const void *bytes, size_t count, const char *errors) {
    static unsigned char stream[FRAME_BYTES];
    struct rule table[] = {
        { .words = "|gzip -1", .bytes = stream, .errors = errors },
        { .words = "screencap -p", .bytes = png, .count = PNG_BYTES },
        { .words = "screencap", SHOWS(bright) },
        { 0 },
    };
    uint8_t *made = t_gzip(bytes, count, &table[0].count);
    T(table[0].count < sizeof(stream));
    memcpy(stream, made, table[0].count);
    free(made);
    begin(table);
    ((struct sq_android *)phone)->format.time[SQ_CAPTURE_RAW].ns = 900 * MS;
}

/* The picture is the raw frame, also for the observer. */
T_CASE(gzip_is_used_if_raw_frames_are_slow) {
    char text[200];
    make_frames();
    begin_with_gzip(bright, FRAME_BYTES, NULL);
    struct sq_android *android = (struct sq_android *)phone;
    T_OK(take(NULL, &t_err));
    T(fake_adb_received(&server, "screencap|gzip -1"));
    T(!fake_adb_received(&server, "screencap -p"));
    T_BYTES(capture.bytes.data, capture.bytes.len, bright, FRAME_BYTES);
    T_BYTES(seen.bytes, FRAME_BYTES, bright, FRAME_BYTES);
    T_INT(seen.tries, 1);
    T(android->format.time[SQ_CAPTURE_GZIP].ns > 0);
    T_INT(phone->ops->capture_ms,
          (android->format.time[SQ_CAPTURE_GZIP].ns + MS - 1) / MS);
    android->format.time[SQ_CAPTURE_GZIP].ns = 100 * MS;
    sq_android_describe_captures(phone, text, sizeof(text));
    T_STR(text, "raw frames 900 ms, gzip 100 ms, PNG not tried: gzip is used");
}

T_CASE(device_without_gzip_is_asked_once) {
    char text[200];
    begin(both_ways);
    struct sq_android *android = (struct sq_android *)phone;
    android->format.time[SQ_CAPTURE_RAW].ns = 900 * MS;
    T_OK(take(NULL, &t_err));
    T(fake_adb_received(&server, "screencap|gzip -1"));
    T_BYTES(capture.bytes.data, capture.bytes.len, png, PNG_BYTES);
    T_INT(seen.tries, 1);
    sq_android_describe_captures(phone, text, sizeof(text));
    T_HAS(text, "gzip does not work");
    fake_adb_clear_log(&server);
    for (int i = 0; i < 20; i++) {
        T_OK(take(NULL, &t_err));
    }
    T(!fake_adb_received(&server, "gzip"));
}

/* gzip compresses nothing then: the error is that of screencap. */
T_CASE(failure_of_screencap_is_not_one_of_gzip) {
    begin_with_gzip("", 0, "Failed to take screenshot. Capturing failed.\n");
    struct sq_android *android = (struct sq_android *)phone;
    T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    T_HAS(t_err.message, "Capturing failed");
    T(!android->format.has_no_gzip);
}

/* A part of a frame, compressed correctly, is not shown. */
T_CASE(part_of_a_compressed_frame_is_an_error) {
    make_frames();
    begin_with_gzip(bright, FRAME_BYTES - 1, NULL);
    T_FAILS(take(NULL, &t_err), SQ_ERR_SCREENSHOT_FAILED);
    T_HAS(t_err.message, "only part");
    T_INT(capture.bytes.len, 0);
}
