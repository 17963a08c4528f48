/*
 * Plays a journal against a device. A touched element is found again by its
 * selector, else by its text, else by its picture; what then differs from the
 * recording is reported.
 */
#ifndef SQ_APP_REPLAY_REPLAY_H
#define SQ_APP_REPLAY_REPLAY_H

#include "app/host/host.h"
#include "app/replay/action.h"

enum sq_replay_outcome {
    SQ_REPLAY_SAME,
    SQ_REPLAY_HEALED,  /* the target was elsewhere, or found in another way */
    SQ_REPLAY_DIFFERS, /* `why` says in what */
    SQ_REPLAY_SKIPPED, /* it acted and failed in the recording */
    SQ_REPLAY_OUTCOMES,
};

/* Returns "same", "healed", "differs" or "skipped". */
const char *sq_replay_outcome_name(enum sq_replay_outcome outcome);

#define SQ_REPLAY_WHY_SIZE 400

/* What happened to one action. */
struct sq_replay_step {
    const struct sq_replay_action *action;
    enum sq_replay_outcome outcome;
    /* How the target was found: "selector", "text", "image" or "point"; NULL.
     */
    const char *by;
    bool has_moved;
    struct sq_dev_pt from; /* in device pixels, if has_moved */
    struct sq_dev_pt to;
    char why[SQ_REPLAY_WHY_SIZE];
};

struct sq_replay_options {
    struct sq_host *host;
    const struct sq_journal *journal;
    const char *device; /* NULL: the only one */
    /* NULL: that of commands. Points of pictures belong to it. */
    struct sq_session *session;
    /* Texts by their numbers, {"1": "..."}; NULL: see sq_replay_secret. */
    const struct sq_json *secrets;
    struct sq_cancel *cancel;
    /* Called after each action; may be NULL. */
    void (*report)(void *context, const struct sq_replay_step *step);
    void *context;
};

struct sq_replay_summary {
    int counts[SQ_REPLAY_OUTCOMES];
    int not_run; /* after a target that was not found */
};

/*
 * Plays all actions. Stops at a target that is nowhere on the screen. Fails
 * only if it cannot go on, such as without memory or without a device.
 */
bool sq_replay_run(const struct sq_replay_options *options,
                   const struct sq_replay_actions *actions,
                   struct sq_replay_summary *out, struct sq_err *err);

/*
 * Finds the text of a secret: in the object, or in the environment variable
 * SQUINT_SECRET_N if there is no object.
 */
bool sq_replay_secret(const struct sq_json *secrets, uint64_t number,
                      struct sq_span *out);

#endif
