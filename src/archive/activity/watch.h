/*
 * Handles ActivityWatch events, which its database and its server return in the
 * same form.
 */
#ifndef SQ_ARCHIVE_ACTIVITY_WATCH_H
#define SQ_ARCHIVE_ACTIVITY_WATCH_H

#include "archive/activity/activity.h"
#include "json/reader.h"

/* The bucket type that records the foreground window. */
#define SQ_WATCH_BUCKET_TYPE "currentwindow"

struct sq_watch_event {
    struct sq_span timestamp; /* ISO 8601; UTC unless it has an offset */
    double duration_s;
    const struct sq_json *data; /* {"app": ..., "title": ...} */
};

/*
 * Returns the start of an event in whole seconds. Returns false if its
 * timestamp cannot be parsed.
 */
bool sq_watch_event_start(const struct sq_watch_event *event, int64_t *utc);

/* Adds the event if it may overlap the window. */
bool sq_watch_event_add(const struct sq_watch_event *event,
                        enum sq_granularity granularity,
                        const struct sq_window *window, struct sq_segments *out,
                        struct sq_err *err);

#endif
