/*
 * Finds out what has changed on the screen after the receipt of the latest
 * action, to report it first in the next answer that looks. Says where, not
 * why.
 */
#ifndef SQ_TOOLS_SCREEN_LATE_CHANGE_H
#define SQ_TOOLS_SCREEN_LATE_CHANGE_H

#include "device/device.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/screen/watch.h"

/*
 * Compares a capture, of which nothing is hidden yet, with what the last
 * receipt of this client saw. A difference is reported in the call's answer,
 * and in a later one if the call fails.
 */
void sq_late_change_look(struct sq_call *call, const struct sq_capture *capture,
                         const struct sq_deadline *deadline);

/* Does the same with the first frame of a watch. */
void sq_late_change_look_first(struct sq_call *call,
                               const struct sq_watch *watch,
                               const struct sq_deadline *deadline);

/*
 * Looks at the screen once, between two calls of the client, and remembers a
 * change for its next answer. Returns whether another look may find one.
 */
bool sq_late_change_look_again(struct sq_session *session,
                               struct sq_device *device,
                               const struct sq_deadline *deadline);

/*
 * Makes the call report a change that was seen and not reported, in pixels of
 * that picture; NULL: of the picture in which the answers of this client count.
 */
void sq_late_change_report(struct sq_call *call,
                           const struct sq_frame *picture);

#endif
