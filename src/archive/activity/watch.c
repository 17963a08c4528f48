/* Converts ActivityWatch events to segments. */
#include "archive/activity/watch.h"

#include <math.h>

#include "util/time_text.h"

#define MAX_DURATION_S (31.0 * SQ_DAY_S)

bool
sq_watch_event_start(const struct sq_watch_event *event, int64_t *utc) {
    struct sq_moment start;
    bool is_read = sq_moment_read(event->timestamp, NULL, &start);
    *utc = start.earliest_us / 1000000;
    return is_read;
}

static struct sq_span
label_of(const struct sq_json *data, enum sq_granularity granularity) {
    static const char *const keys[][2] = {
        [SQ_BY_APP] = { "app", "title" },
        [SQ_BY_TITLE] = { "title", "app" },
        [SQ_ONLY_APP] = { "app" },
        [SQ_ONLY_TITLE] = { "title" },
    };
    struct sq_span label = { "", 0 };
    for (int i = 0; i < 2 && keys[granularity][i] && !label.len; i++) {
        sq_json_string(sq_json_get(data, keys[granularity][i]), &label);
    }
    return label;
}

bool
sq_watch_event_add(const struct sq_watch_event *event,
                   enum sq_granularity granularity,
                   const struct sq_window *window, struct sq_segments *out,
                   struct sq_err *err) {
    struct sq_moment start;
    struct sq_moment end = SQ_MOMENT_UNKNOWN;
    double duration_s = event->duration_s;
    if (sq_moment_read(event->timestamp, NULL, &start) && isfinite(duration_s)
        && duration_s >= 0 && duration_s <= MAX_DURATION_S) {
        end.earliest_us = start.earliest_us + (int64_t)(duration_s * 1e6 + 0.5);
        end.latest_us = end.earliest_us;
    }
    return sq_segments_add_between(out, window, start, end,
                                   label_of(event->data, granularity), err);
}
