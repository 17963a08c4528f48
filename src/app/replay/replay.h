/*
 * Journals as lists of actions: plays them against a device, and writes them
 * for other programs. A touched element is found again by its selector, else by
 * its text, else by its picture; what then differs from the recording is
 * reported.
 */
#ifndef SQ_APP_REPLAY_REPLAY_H
#define SQ_APP_REPLAY_REPLAY_H

#include "app/host/host.h"
#include "inspector/inspector.h"
#include "journal/journal.h"

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

/* What is known of the place that an action touched. */
struct sq_replay_target {
    struct sq_span label;       /* of the element; may be empty */
    struct sq_span resource_id; /* may be empty */
    bool is_id_shared;          /* other elements had the id, too */
    /* The middle of the element is another place: only the point counts. */
    bool is_in_container;
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

enum sq_replay_outcome {
    SQ_REPLAY_SAME,
    SQ_REPLAY_NOT_COMPARED, /* done; the journal has nothing to compare with */
    SQ_REPLAY_HEALED,  /* the target was elsewhere, or found in another way */
    SQ_REPLAY_DIFFERS, /* `why` says in what */
    SQ_REPLAY_SKIPPED, /* it acted and failed in the recording */
    SQ_REPLAY_OUTCOMES,
};

/* Returns "same", "notCompared", "healed", "differs" or "skipped". */
const char *sq_replay_outcome_name(enum sq_replay_outcome outcome);

#define SQ_REPLAY_WHY_SIZE 400

/* What happened to one action. */
struct sq_replay_step {
    const struct sq_replay_action *action;
    enum sq_replay_outcome outcome;
    /* How the target was found: "selector", "text", "image" or "point"; NULL.
     */
    const char *by;
    bool is_compared; /* with something in the recording */
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

enum sq_export_form {
    SQ_EXPORT_SH,
    SQ_EXPORT_MAESTRO,
    SQ_EXPORT_FORMS,
};

/* The names of the forms; ends with NULL. */
extern const char *const sq_export_names[SQ_EXPORT_FORMS + 1];

/*
 * Appends a script in one of the forms: shell commands of squint, or a flow for
 * Maestro, in YAML. Targets are named by their elements where the journal knows
 * them; what Maestro cannot do becomes a comment.
 */
bool sq_export(enum sq_export_form form, const struct sq_replay_script *script,
               struct sq_buf *out, struct sq_err *err);

/*
 * Finds the part of the recorded picture around the touched point in a new
 * picture, and the point in it. Pure.
 */
bool sq_replay_find_in_picture(const struct sq_replay_target *target,
                               struct sq_span picture,
                               const struct sq_deadline *deadline,
                               struct sq_img_pt *out, bool *found,
                               struct sq_err *err);

/* Returns a player on the devices of the host, which must outlive it. */
struct sq_inspector_player sq_replay_player(struct sq_host *host);

#endif
