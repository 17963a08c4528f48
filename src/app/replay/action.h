/*
 * The actions of a journal: its calls on devices. A call of `steps` is one
 * action for each of its steps.
 */
#ifndef SQ_APP_REPLAY_ACTION_H
#define SQ_APP_REPLAY_ACTION_H

#include "geom/size.h"
#include "geom/view.h"
#include "journal/journal.h"
#include "tool/tool.h"

/* One operation on a device. Points into the journal. */
struct sq_replay_action {
    const struct sq_journal_call *call;
    int step; /* of the operation steps, from 1; 0: the call itself */
    const struct sq_tool *tool;
    const struct sq_json *arguments; /* an object */
    const struct sq_json *reply;     /* NULL: it failed */
    struct sq_span error;            /* empty: it succeeded */
};

struct sq_replay_actions {
    struct sq_replay_action *items; /* in the arena */
    size_t count;
    size_t capacity;
};

bool sq_replay_actions_list(const struct sq_journal *journal,
                            struct sq_arena *arena,
                            struct sq_replay_actions *out, struct sq_err *err);

/* What is known of the place that an action touched. */
struct sq_replay_target {
    struct sq_span label;       /* of the element; may be empty */
    struct sq_span resource_id; /* may be empty */
    bool has_point;
    struct sq_img_pt point; /* in the recorded picture */
    struct sq_dev_pt device_point;
    struct sq_size device;  /* size of the device; 0x0: not known */
    struct sq_span picture; /* in base64, that has the point; may be empty */
};

/*
 * Returns whether an action touches one place: a tap, or text for a named
 * field.
 */
bool sq_replay_has_target(const struct sq_replay_action *action);

/* Collects what the journal knows about the place. */
void sq_replay_find_target(const struct sq_journal *journal,
                           const struct sq_replay_action *action,
                           struct sq_replay_target *out);

/*
 * Returns the size of the device when the action was recorded; 0x0: not known.
 */
struct sq_size sq_replay_device_size(const struct sq_journal *journal,
                                     const struct sq_replay_action *action);

/* Returns whether an argument says where to act, or in which picture. */
bool sq_replay_is_place(struct sq_span name);

#endif
