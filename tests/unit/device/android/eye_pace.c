/* When the eye scales pictures. */
#include "device/android/eye.h"

#include "support/test.h"

#define MS ((int64_t)1000000)
#define MEBIBYTE ((size_t)1 << 20)

static const struct sq_size phone = { 1080, 2400 };
static const struct sq_size small = { 450, 1000 };

/* The limit after a mebibyte took this long. */
static uint32_t
limit_at(int64_t ms) {
    struct sq_eye_pace pace = { 0 };
    sq_eye_pace_add(&pace, 4 * MEBIBYTE, 4 * ms * MS, true);
    return sq_eye_pace_limit(&pace, phone, small);
}

T_CASE(slower_links_scale_smaller_frames) {
    T_INT(limit_at(5), 2 * MEBIBYTE); /* 200 MB/s */
    T_INT(limit_at(35), 2 * MEBIBYTE);
    T_INT(limit_at(85), MEBIBYTE);
    T_INT(limit_at(185), MEBIBYTE / 2);
    T_INT(limit_at(100000), 64 << 10);
}

/* Small frames are never large, however they are coded. */
T_CASE(small_frames_are_not_scaled) {
    const struct sq_size frame = { 480, 800 };
    const struct sq_size picture = { 240, 400 };
    struct sq_eye_pace pace = { 0 };
    sq_eye_pace_add(&pace, 4 * MEBIBYTE, 4 * 30 * MS, true);
    T_INT(sq_eye_pace_limit(&pace, frame, picture), 0);
    sq_eye_pace_add(&pace, 4 * MEBIBYTE, 4 * 800 * MS, true);
    T(sq_eye_pace_limit(&pace, frame, picture) > 0);
}

T_CASE(unknown_links_are_taken_for_slow_ones) {
    const struct sq_eye_pace unknown = { 0 };
    T_INT(sq_eye_pace_limit(&unknown, phone, small), MEBIBYTE * 100 / 115);
}

T_CASE(nearly_whole_frames_are_not_scaled) {
    const struct sq_eye_pace unknown = { 0 };
    const struct sq_size large = { 800, 1800 };
    const struct sq_size half = { 1080, 1200 };
    T_INT(sq_eye_pace_limit(&unknown, phone, phone), 0);
    T_INT(sq_eye_pace_limit(&unknown, phone, large), 0);
    T(sq_eye_pace_limit(&unknown, phone, half) > 0);
}

T_CASE(few_bytes_tell_nothing) {
    struct sq_eye_pace pace = { 0 };
    sq_eye_pace_add(&pace, MEBIBYTE / 16, 1, true);
    sq_eye_pace_add(&pace, MEBIBYTE / 2, 1,
                    false); /* it waited for screencap */
    T_INT(sq_eye_pace_limit(&pace, phone, small), MEBIBYTE * 100 / 115);
    sq_eye_pace_add(&pace, MEBIBYTE / 2, 0, true);
    T_INT(sq_eye_pace_limit(&pace, phone, small), 2 * MEBIBYTE);
    sq_eye_pace_add(&pace, 2 * MEBIBYTE, 1600 * MS, false); /* it is slow now */
    T(sq_eye_pace_limit(&pace, phone, small) < MEBIBYTE);
}
