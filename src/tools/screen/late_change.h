/*
 * Finds out what has changed on the screen after an answer that looked, to
 * report it first in the next answer. Says where, not why. Only for the client
 * that acted last: what others know of the screen is older than that action.
 */
#ifndef SQ_TOOLS_SCREEN_LATE_CHANGE_H
#define SQ_TOOLS_SCREEN_LATE_CHANGE_H

#include "device/device.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/screen/watch.h"

/*
 * The call has acted, beginning at that time. look_ms: how long a look takes;
 * negative: not known. has_change: its answer says that something has changed;
 * if another client acted shortly before, the answer says that, too.
 */
void sq_late_change_acted(struct sq_call *call, int64_t begun_ns, int look_ms,
                          bool has_change);

/* Remembers the last frame of a watch as what the client has seen. */
void sq_late_change_remember(struct sq_call *call,
                             const struct sq_watch *watch);

/*
 * Compares a capture, of which nothing is hidden yet, with what this client saw
 * last, and remembers it. A difference is reported in the call's answer, and in
 * a later one if the call fails.
 */
void sq_late_change_look(struct sq_call *call, const struct sq_capture *capture,
                         const struct sq_deadline *deadline);

/* Does the same with the first frame of a watch. */
void sq_late_change_look_first(struct sq_call *call,
                               const struct sq_watch *watch,
                               const struct sq_deadline *deadline);

/*
 * Looks at the screen once, between two calls of the client, and remembers a
 * change for its next answer. Returns whether another look may find one. Where
 * captures are slow, it takes one only if the device says that something was
 * drawn.
 */
bool sq_late_change_look_again(struct sq_device *device, uint64_t client,
                               const struct sq_deadline *deadline);

/* Returns whether such a look may find something after this call. */
bool sq_late_change_is_awaited(const struct sq_call *call);

/*
 * Makes the call report a change that was seen and not reported, in pixels of
 * that picture; NULL: of the picture in which the answers of this client count.
 */
void sq_late_change_report(struct sq_call *call,
                           const struct sq_frame *picture);

#endif
