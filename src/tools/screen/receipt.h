/*
 * Writes the receipt of an acting operation: where it landed, what it hit,
 * whether the screen settled and what changed. A failure after the action
 * becomes a note in the receipt, so that a completed action is never reported
 * as failed.
 */
#ifndef SQ_TOOLS_SCREEN_RECEIPT_H
#define SQ_TOOLS_SCREEN_RECEIPT_H

#include "config/option.h"
#include "device/device.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/elements/listing.h"
#include "tools/elements/target.h"
#include "tools/screen/screen_picture.h"
#include "tools/screen/text_change.h"
#include "tools/screen/watch.h"
#include "tools/screen/word_change.h"

/* Fields and table rows that every acting operation has. */
#define SQ_RECEIPT_FIELDS                                                      \
    struct sq_opt_int receipt;                                                 \
    struct sq_opt_bool look

#define SQ_RECEIPT_ROWS(args)                                                  \
    SQ_CHOICE(args, receipt, "receipt", sq_receipt_words,                      \
              "Check of the effect",                                           \
              .help = "how the effect is checked; full also lists the "        \
                      "elements",                                              \
              .initial = "auto"),                                              \
        SQ_BOOL(args, look, "look", "Show what changed",                       \
                .help = "also give a picture of what changed")

#define SQ_NOTE_SIZE 400

/* How long a default receipt looks for words, or a picture instead of them. */
#define SQ_AUTO_MS 400

/* The element that an action touched: only what is certain. */
struct sq_hit {
    bool is_known;
    bool is_from_list;         /* from the list of an earlier call */
    struct sq_element element; /* its texts are in the call's arena */
    int same_ids;   /* elements with its resource id, itself included */
    bool has_state; /* it is checkable, and was seen after the action */
    bool is_checked;
};

/*
 * Which change may be no more than that something is shown as pressed: a change
 * of the touched element, none because the element itself shows the effect, or
 * any small one because the place is not known.
 */
enum sq_press {
    SQ_PRESS_AT_POINT,
    SQ_PRESS_NOWHERE,
    SQ_PRESS_ANYWHERE,
};

/* One action, from before it to after it. A plain value: zero it first. */
struct sq_act {
    struct sq_call *call;
    enum sq_receipt level;
    bool asked;      /* the call has a receipt argument */
    bool says_words; /* with FULL, and by default: see word_change.h */
    bool lists;      /* set before: the effect is another screen */
    bool look;
    bool looks_once;     /* captures are slow: one, after the reaction time */
    bool is_press_only;  /* only the touched element or the clock changed */
    bool is_off_screen;  /* set before: the screen does not show the effect */
    bool types;          /* set before: into a field, which has a cursor */
    enum sq_press press; /* set before */
    bool watching;       /* has a capture from before, none from after */
    bool is_blind;       /* a capture from before was wanted but failed */
    bool sees_other;     /* but one from after did not */
    struct sq_buf reply; /* with memory reserved for the minimal reply */
    struct sq_watch watch;
    char note[SQ_NOTE_SIZE];
    bool note_quotes; /* it quotes a device or another program */
    struct sq_hit hit;
    int64_t begun_ns; /* just before the action */
    bool has_point;   /* something was touched there */
    struct sq_dev_pt point;
    char named[SQ_FRAME_ID_SIZE]; /* the picture of the point; may be empty */
    struct sq_dev_rect touched;   /* its element; empty: not known */
    bool is_doubtful;             /* the captures do not show the effect */
    bool target_changed;          /* see sq_guard_check */

    /* Known after the action. */
    bool settled;
    bool has_change;
    struct sq_change change;
    struct sq_elements elements[2]; /* before and after, if known */
    bool is_from_list;              /* those before are of an earlier call */
    struct sq_fields fields[2];
    bool has_tree;           /* the elements after the action were asked for */
    struct sq_deadline soon; /* SQ_AUTO_MS after watching */
    struct sq_screen_text seen; /* with the last frame, if it may be shown */
    bool may_show; /* what changed: no app is hidden, no password focused */
    struct sq_word_change words;
    struct sq_frame view;      /* the view of `where` */
    struct sq_img_rects where; /* the change; if change.any and not resized */
    struct sq_screen_picture shot;
    bool shows_part; /* it shows what has no words; points do not count in it */
    bool has_list;   /* with FULL, or of another screen: what is there now */
    struct sq_tree tree;
    struct sq_listing list;
    struct sq_frame list_view;
};

/* The arguments receipt and look, which override the configuration. */
struct sq_act_options {
    struct sq_opt_int receipt;
    struct sq_opt_bool look;
};

#define SQ_ACT_OPTIONS(args)                                                   \
    (&(struct sq_act_options){ (args)->receipt, (args)->look })

/* Fails if the arguments of a call contradict each other. Pure. */
bool sq_act_check(const struct sq_act_options *options, struct sq_err *err);

/*
 * Prepares an action: reserves the memory of the reply, and captures the screen
 * if the receipt will compare. Changes nothing on the device.
 */
bool sq_act_begin(struct sq_act *act, struct sq_call *call,
                  const struct sq_act_options *options, struct sq_err *err);

/*
 * Finds out which element the action will touch, if the receipt reports it.
 * Call it after sq_act_begin and before the action. Fails only if the call is
 * over.
 */
bool sq_act_aim(struct sq_act *act, const struct sq_target *target,
                struct sq_err *err);

/* What a tap does if the screen around its point has changed. */
enum sq_guard {
    SQ_GUARD_REPORT, /* the receipt says targetChanged */
    SQ_GUARD_STRICT, /* the tap is refused, too */
};
extern const char *const sq_guard_words[];

/*
 * Compares the area around the target with its picture, if both are known: the
 * target is a point of a picture that is still stored, and the receipt looks at
 * the screen anyway or the guard is strict. Sets act->target_changed. A strict
 * guard then fails with SQ_ERR_STALE_SCREENSHOT. Call it before the tap.
 */
bool sq_guard_check(struct sq_act *act, const struct sq_target *target,
                    enum sq_guard guard, struct sq_err *err);

/* Appends a note to the receipt. */
void sq_act_note(struct sq_act *act, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a note about an error; `doing` describes what failed. */
void sq_act_note_error(struct sq_act *act, const char *doing,
                       const struct sq_err *err);

/* Waits until the screen has settled, unless this was done before. */
void sq_act_watch(struct sq_act *act);

/*
 * Captures the screen before the action, and reads its elements, or uses those
 * of the latest list, where the receipt compares them. Fails only if the call
 * is over.
 */
bool sq_act_look_before(struct sq_act *act, struct sq_err *err);

/*
 * Reads the elements after the action if the receipt needs them: what differs,
 * the state of what was touched, the list. Once.
 */
void sq_act_read_after(struct sq_act *act);

/* Makes the picture that the answer has, if any. Call it last. */
void sq_act_make_picture(struct sq_act *act);

/* Writes the members of the action: at most 2 KB, from known data. */
typedef void sq_act_put(struct sq_json_writer *w, const void *context);

/*
 * Completes an action that was performed: waits for the effect and adds the
 * reply to the result. more (may be NULL) writes further members of any length.
 */
bool sq_act_end(struct sq_act *act, sq_act_put *put, sq_act_put *more,
                const void *context, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_act_finish(struct sq_act *act);

#endif
