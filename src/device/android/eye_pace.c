/* Decides when the eye sends a scaled picture instead of the whole frame. */
#include "device/android/eye_pace.h"

#include "util/minmax.h"

#define NS_PER_MS 1000000
#define MEBIBYTE ((int64_t)1 << 20)
#define PIXEL_BYTES 4
/* How long a whole frame may take: to be coded, transferred and decoded. */
#define PATIENCE_NS ((int64_t)100 * NS_PER_MS)
/* Of that, what a mebibyte takes to be coded and decoded. */
#define CODING_NS ((int64_t)15 * NS_PER_MS)
/* Assumed as long as nothing was measured: about 10 MB/s, a good Wi-Fi. */
#define UNKNOWN_NS ((int64_t)100 * NS_PER_MS)
/* Fewer bytes may have been in the buffers of sockets. */
#define LEAST_BYTES ((size_t)128 << 10)
/* Bytes that take longer than screencap takes to write its frame. */
#define LEAST_UNREADY_BYTES ((size_t)1 << 20)
/* Below this, a scaled picture would not be faster. */
#define LEAST_LIMIT ((int64_t)64 << 10)
/* Above this it is always faster, since the coding itself takes long. */
#define MOST_LIMIT ((int64_t)2 << 20)

void
sq_eye_pace_add(struct sq_eye_pace *pace, size_t bytes, int64_t ns,
                bool is_ready) {
    if (bytes >= (is_ready ? LEAST_BYTES : LEAST_UNREADY_BYTES)) {
        int64_t each_ns =
            (int64_t)((double)ns * (double)MEBIBYTE / (double)bytes);
        sq_estimate_add(&pace->mebibyte, each_ns > 0 ? each_ns : 1);
    }
}

uint32_t
sq_eye_pace_limit(const struct sq_eye_pace *pace, struct sq_size frame,
                  struct sq_size picture) {
    int64_t each_ns = pace->mebibyte.ns > 0 ? pace->mebibyte.ns : UNKNOWN_NS;
    int64_t limit = sq_min_int64(PATIENCE_NS * MEBIBYTE / (each_ns + CODING_NS),
                                 MOST_LIMIT);
    int64_t frame_pixels = (int64_t)frame.width * frame.height;
    int64_t pixels = (int64_t)picture.width * picture.height;
    if (pixels * 2 > frame_pixels || limit >= frame_pixels * PIXEL_BYTES) {
        return 0;
    }
    return (uint32_t)sq_max_int64(limit, LEAST_LIMIT);
}
