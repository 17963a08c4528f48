/* Writes the actions of a journal for other programs. Pure. */
#ifndef SQ_APP_REPLAY_EXPORT_H
#define SQ_APP_REPLAY_EXPORT_H

#include "app/replay/action.h"
#include "util/buf.h"

/*
 * Appends a shell script of squint commands. Targets are named by their
 * elements where the journal knows them.
 */
bool sq_export_sh(const struct sq_journal *journal,
                  const struct sq_replay_actions *actions, struct sq_buf *out,
                  struct sq_err *err);

/*
 * Appends a flow for Maestro, in YAML. What Maestro cannot do becomes a
 * comment.
 */
bool sq_export_maestro(const struct sq_journal *journal,
                       const struct sq_replay_actions *actions,
                       struct sq_buf *out, struct sq_err *err);

#endif
