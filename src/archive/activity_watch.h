/* What ActivityWatch's database and its server say alike: one event. */
#ifndef SQ_ARCHIVE_ACTIVITY_WATCH_H
#define SQ_ARCHIVE_ACTIVITY_WATCH_H

#include "archive/activity.h"
#include "json/value.h"

/* The kind of bucket that knows which window was in front. */
#define SQ_WATCH_BUCKET_TYPE "currentwindow"

struct sq_watch_event {
    struct sq_span timestamp; /* ISO 8601, UTC unless it says otherwise */
    double duration_s;
    const struct sq_json *data; /* {"app": ..., "title": ...} */
};

/* When an event began, in whole seconds; false: its time cannot be read. */
bool sq_watch_event_start(const struct sq_watch_event *event, int64_t *utc);

/* Add the event if it touches the window; one without a time is left out. */
bool sq_watch_event_add(const struct sq_watch_event *event,
                        enum sq_granularity granularity,
                        const struct sq_window *window, struct sq_segments *out,
                        struct sq_err *err);

#endif
