/* A parsed journal with the list of its actions, ready to be played. */
#ifndef SQ_APP_REPLAY_SCRIPT_H
#define SQ_APP_REPLAY_SCRIPT_H

#include "app/replay/replay.h"
#include "json/writer.h"

struct sq_replay_script {
    struct sq_journal journal;
    struct sq_arena arena; /* owns the list of actions */
    struct sq_replay_actions actions;
};

/*
 * Parses the text of a journal, which must outlive *out. Zero *out before; the
 * caller finishes it, also after a failure.
 */
bool sq_replay_script_parse(struct sq_span text, struct sq_replay_script *out,
                            struct sq_err *err);

void sq_replay_script_finish(struct sq_replay_script *script);

/*
 * Returns the number of the secret that an action types; 0 if it types none or
 * is skipped.
 */
uint64_t sq_replay_secret_of(const struct sq_replay_action *action);

/* Writes what happened to one action, as a JSON object. */
void sq_replay_put_step(struct sq_json_writer *w,
                        const struct sq_replay_step *step);

/* Writes how many actions had each outcome, as members of an object. */
void sq_replay_put_summary(struct sq_json_writer *w,
                           const struct sq_replay_summary *summary);

#endif
