/* Chooses the format of the next capture: raw frame or PNG. */
#include "device/android/capture_format.h"

#define NS_PER_MS 1000000
/* If a raw frame takes longer than this, PNG is tried. */
#define SLOW_RAW_NS ((int64_t)150 * NS_PER_MS)
/*
 * Captures until the slower format is tried again, and how often this number
 * is doubled.
 */
#define FIRST_RETRY 8
#define MAX_RETRIES 7
/*
 * The retry of a raw frame is stopped once it has taken as long as a PNG, or
 * this long. The bytes received by then give an estimate of its duration.
 */
#define RETRY_NS ((int64_t)1000 * NS_PER_MS)
/* The duration recorded for a raw frame that is too large. */
#define TOO_LARGE_NS ((int64_t)60000 * NS_PER_MS)

bool
sq_capture_format_prefers_png(const struct sq_capture_format *format) {
    if (format->png.ns == 0) {
        return format->raw.ns > SLOW_RAW_NS;
    }
    return format->png.ns < format->raw.ns;
}

bool
sq_capture_format_next_is_png(const struct sq_capture_format *format) {
    bool is_retry = format->png.ns > 0
                 && format->since_retry >= FIRST_RETRY << format->retries;
    return sq_capture_format_prefers_png(format) != is_retry;
}

static int64_t
min_ns(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int
sq_capture_format_limit_ms(const struct sq_capture_format *format, bool is_png,
                           int left_ms) {
    int64_t limit_ns = (int64_t)left_ms * NS_PER_MS / 2;
    bool is_retry = sq_capture_format_prefers_png(format) && format->png.ns > 0;
    if (is_png || (!is_retry && format->raw.ns > limit_ns)) {
        return left_ms;
    }
    if (is_retry) {
        limit_ns = min_ns(limit_ns, min_ns(RETRY_NS, format->png.ns));
    }
    return (int)(limit_ns / NS_PER_MS) + 1;
}

/* Counts a capture towards the next retry. */
static void
count(struct sq_capture_format *format, bool is_png) {
    bool is_retry = is_png != sq_capture_format_prefers_png(format);
    format->since_retry = is_retry ? 0 : format->since_retry + 1;
    if (is_retry && format->retries < MAX_RETRIES) {
        format->retries++;
    }
}

void
sq_capture_format_add(struct sq_capture_format *format, bool is_png,
                      int64_t ns) {
    count(format, is_png);
    sq_estimate_add(is_png ? &format->png : &format->raw, ns);
}

void
sq_capture_format_add_timeout(struct sq_capture_format *format, int64_t ns,
                              size_t received, size_t total) {
    count(format, false);
    if (received > 0 && total > received) {
        format->raw.ns =
            (int64_t)((double)ns * (double)total / (double)received);
    } else if (ns > format->raw.ns) {
        format->raw.ns = ns;
    }
}

void
sq_capture_format_add_too_large(struct sq_capture_format *format) {
    count(format, false);
    format->raw.ns = TOO_LARGE_NS;
}

bool
sq_capture_has_shape(struct sq_size picture, struct sq_size screen) {
    int64_t left = (int64_t)picture.width * screen.height;
    int64_t right = (int64_t)screen.width * picture.height;
    int64_t difference = left > right ? left - right : right - left;
    return difference * 100 <= left;
}
