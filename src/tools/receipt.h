/*
 * The receipt of an acting operation: where it landed, what it hit, whether
 * the screen came to rest and what has changed. What goes wrong after the
 * action becomes a note in it: an action that happened never looks failed.
 */
#ifndef SQ_TOOLS_RECEIPT_H
#define SQ_TOOLS_RECEIPT_H

#include "config/config.h"
#include "device/device.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/touched_element.h"
#include "tools/listing.h"
#include "tools/screen_picture.h"
#include "tools/target.h"
#include "tools/watch.h"

/* What every acting operation has in its args struct, and in its table. */
#define SQ_RECEIPT_FIELDS                                                      \
    int receipt;                                                               \
    bool look;                                                                 \
    bool has_receipt;                                                          \
    bool has_look

#define SQ_RECEIPT_ROWS(args)                                                  \
    SQ_CHOICE(args, receipt, "receipt", sq_receipt_words,                      \
              "Check of the effect: fast, or full with a new list"),           \
        SQ_BOOL(args, look, "look", "Show what changed")

/* By enum sq_receipt. */
extern const char *const sq_receipt_words[];

#define SQ_NOTE_SIZE 400

/* One action from before to after. A value: zero it. */
struct sq_act {
    struct sq_call *call;
    enum sq_receipt level;
    bool asked; /* for that level, which is more than the default */
    bool look;
    bool watching;       /* there is a picture of before, none of after */
    bool is_blind;       /* there should have been one, and is not */
    struct sq_buf reply; /* with room for the least that must be said */
    struct sq_watch watch;
    char note[SQ_NOTE_SIZE];
    bool note_quotes; /* a device or another program */
    struct sq_hit hit;
    bool is_doubtful; /* what was looked at does not show the effect */

    /* What is known after. */
    bool settled;
    bool has_change;
    struct sq_change change;
    struct sq_frame view;     /* in which the next is */
    struct sq_img_rect where; /* the change; with any, and not resized */
    struct sq_screen_picture shot;
    bool has_list; /* with FULL: the elements now on the screen */
    struct sq_tree tree;
    struct sq_listing list;
    struct sq_frame list_view;
    struct sq_tree_stamp list_stamp;
    uint64_t after_hash; /* of the last look; 0: there was none */
};

/* The choice of a call: its receipt and look arguments over the config. */
struct sq_act_wish {
    bool has_receipt;
    int receipt;
    bool look;
};

#define SQ_ACT_WISH(args)                                                      \
    (&(struct sq_act_wish){ (args)->has_receipt, (args)->receipt,              \
                            (args)->look })

/*
 * Get ready: make sure that the answer can be written whatever happens, and
 * look at the screen if the receipt will compare. Changes nothing.
 */
bool sq_act_begin(struct sq_act *act, struct sq_call *call,
                  const struct sq_act_wish *wish, struct sq_err *err);

/*
 * Find out what the action will touch, as far as the receipt tells it: after
 * sq_act_begin, before the action. Fails only when the call is over.
 */
bool sq_act_aim(struct sq_act *act, const struct sq_target *target,
                struct sq_err *err);

/* Say something in the receipt, after what was said before. */
void sq_act_note(struct sq_act *act, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, for what went wrong while doing what the text says. */
void sq_act_note_error(struct sq_act *act, const char *doing,
                       const struct sq_err *err);

/* Wait until the screen is at rest. sq_act_end does it unless it is done. */
void sq_act_watch(struct sq_act *act);

/* Writes members that say what was done: at most 2 KB, from what is known. */
typedef void sq_act_put(struct sq_json_writer *w, const void *context);

/*
 * The action has happened: watch what becomes of it and add the answer to
 * the result. more (may be NULL) writes further members, of any length.
 */
bool sq_act_end(struct sq_act *act, sq_act_put *put, sq_act_put *more,
                const void *context, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_act_finish(struct sq_act *act);

#endif
