/* Writes the actions of a journal for other programs. Pure. */
#ifndef SQ_APP_REPLAY_EXPORT_H
#define SQ_APP_REPLAY_EXPORT_H

#include "app/replay/script.h"
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

enum sq_export_form {
    SQ_EXPORT_SH,
    SQ_EXPORT_MAESTRO,
    SQ_EXPORT_FORMS,
};

/* The names of the forms; ends with NULL. */
extern const char *const sq_export_names[SQ_EXPORT_FORMS + 1];

/* Appends a script in one of the forms. */
bool sq_export(enum sq_export_form form, const struct sq_replay_script *script,
               struct sq_buf *out, struct sq_err *err);

#endif
