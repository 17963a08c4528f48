/* The answer of an activity provider, as one line of text. */
#ifndef SQ_TEST_SEGMENTS_TEXT_H
#define SQ_TEST_SEGMENTS_TEXT_H

#include "archive/activity/activity.h"

/*
 * Segments as text, and those of a provider: "10:00:00-10:10:00 label; ..."
 * with the times of day in UTC, or "error_code: message". Valid until the next
 * call.
 */
const char *t_segments_text(const struct sq_segments *segments);
const char *t_gather(const struct sq_activity_ops *ops,
                     const struct sq_activity_source *source,
                     const struct sq_window *window);

/*
 * Has databases be read in processes of their own if the environment has
 * SQUINT_TEST_WORKERS: a test that is listed twice. Ends with sq_foreign_stop.
 */
void t_use_workers_if_asked(void);

#endif
