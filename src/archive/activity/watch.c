/* Converts ActivityWatch events to segments. */
#include "archive/activity/watch.h"

#include <math.h>

#include "util/time_text.h"

#define MAX_DURATION_S (31.0 * SQ_DAY_S)

bool
sq_watch_event_start(const struct sq_watch_event *event, int64_t *utc) {
    struct sq_time_text time;
    if (!sq_time_parse(event->timestamp, &time, NULL)) {
        return false;
    }
    *utc = time.wall_s - time.offset_s;
    return true;
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
    struct sq_time_text time;
    double duration_s = event->duration_s;
    if (!sq_time_parse(event->timestamp, &time, NULL) || !isfinite(duration_s)
        || duration_s < 0 || duration_s > MAX_DURATION_S) {
        return true;
    }
    int64_t start = time.wall_s - time.offset_s;
    int64_t end = start + (int64_t)(duration_s + time.nanos / 1e9);
    return start >= window->to_utc || end <= window->from_utc
        || sq_segments_add(out, start, end, label_of(event->data, granularity),
                           err);
}
