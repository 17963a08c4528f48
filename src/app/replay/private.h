/* Declarations shared by the files of this folder only. */
#ifndef SQ_APP_REPLAY_PRIVATE_H
#define SQ_APP_REPLAY_PRIVATE_H

#include "app/replay/replay.h"
#include "json/writer.h"
#include "tool/tool.h"

/* One call on the device and its answer. Start zeroed. */
struct sq_replay_call {
    bool ok;
    struct sq_err err;
    struct sq_result result;
    struct sq_arena arena;
    struct sq_buf text;
    const struct sq_json *reply; /* the first text as JSON; may be NULL */
};

/* Where an action acts instead of the recorded place. */
struct sq_replay_place {
    struct sq_span resource_id; /* a selector by both, or by one of them */
    struct sq_span label;
    bool has_point;
    struct sq_img_pt point;
    struct sq_span screenshot_id;
};

/*
 * Runs an action. place NULL: with the recorded arguments. Returns false only
 * if the replay must end.
 */
bool sq_replay_do(const struct sq_replay_options *options,
                  const struct sq_replay_action *action,
                  const struct sq_replay_place *place,
                  struct sq_replay_call *out, struct sq_err *err);

/* Takes a screenshot. */
bool sq_replay_look(const struct sq_replay_options *options,
                    struct sq_replay_call *out, struct sq_err *err);

void sq_replay_call_finish(struct sq_replay_call *call);

/*
 * Runs an action on its target, wherever that is now. Sets step->by and the
 * movement. *found is false if it is nowhere.
 */
bool sq_replay_act_on_target(const struct sq_replay_options *options,
                             const struct sq_replay_action *action,
                             struct sq_replay_step *step,
                             struct sq_replay_call *out, bool *found,
                             struct sq_err *err);

/*
 * Finds the part of the recorded picture around the touched point in a new
 * picture, and the point in it. Pure.
 */
bool sq_replay_find_in_picture(const struct sq_replay_target *target,
                               struct sq_span picture,
                               const struct sq_deadline *deadline,
                               struct sq_img_pt *out, bool *found,
                               struct sq_err *err);

/* Compares an answer with the recorded one. Sets step->why if they differ. */
void sq_replay_compare(const struct sq_replay_action *action,
                       const struct sq_replay_call *now,
                       struct sq_replay_step *step);

#endif
