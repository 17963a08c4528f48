/*
 * What a session knows as JSON, so that a later process can continue it: which
 * pictures were taken, which one points refer to, which past screenshots are
 * the hits of the latest search and the cells of the latest sheet, and how
 * large the pictures were that were returned of them. No pixels, no texts, and
 * no element lists.
 */
#ifndef SQ_SESSION_SAVED_H
#define SQ_SESSION_SAVED_H

#include "session/session.h"

#define SQ_SESSION_STATE_MAX ((size_t)64 << 10)

/* Appends the latest frames, hits, cells and sizes. now_s: the time, in seconds
 * since 1970. */
bool sq_session_save(struct sq_session *session, int64_t now_s,
                     struct sq_buf *out, struct sq_err *err);

/*
 * Adds what is in a text that sq_session_save wrote to a new session. A text
 * older than SQ_SESSION_MAX_AGE_S has no effect. Fails with SQ_ERR_FORMAT or
 * SQ_ERR_UNSUPPORTED if it is not such a text; the session is then unchanged.
 */
#define SQ_SESSION_MAX_AGE_S 86400
bool sq_session_restore(struct sq_session *session, int64_t now_s,
                        struct sq_span text, struct sq_err *err);

#endif
