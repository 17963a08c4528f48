/*
 * Names of apps that this process has seen in the foreground. The id of a frame
 * contains only a hash of the app's name; an error message needs the name.
 */
#ifndef SQ_SESSION_SEEN_APPS_H
#define SQ_SESSION_SEEN_APPS_H

#include "session/session.h"

/*
 * Remembers an app in the session's store, the latest SQ_SEEN_APPS. The
 * session's lock must be held. An empty name has no effect.
 */
void sq_seen_apps_add(struct sq_session *session, const char *app);

/*
 * Remembers the app in the foreground, and reads the id of a frame with the
 * names that are remembered; see sq_portable_frame_read. The session's lock
 * must be held.
 */
bool sq_seen_apps_read_frame(struct sq_session *session, struct sq_span id,
                             const char *device_id, const char *foreground,
                             struct sq_frame *out);

#endif
