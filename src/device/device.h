/*
 * The interface to a device: its screen, elements, input and apps. Each kind of
 * device is one struct sq_device_ops and one row in kinds.c. An operation that
 * a kind lacks is NULL; the sq_device_* functions then fail with
 * SQ_ERR_UNSUPPORTED.
 */
#ifndef SQ_DEVICE_DEVICE_H
#define SQ_DEVICE_DEVICE_H

#include <stdatomic.h>

#include "device/device_hand.h"
#include "device/tree.h"
#include "eye/difference.h"
#include "eye/rest.h"
#include "geom/view.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/rows.h"
#include "image/pipeline/scale.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"

#define SQ_DEVICE_ID_SIZE 96
#define SQ_DEVICE_TEXT_SIZE 200
#define SQ_DEVICE_NOTICE_SIZE 320
#define SQ_DEVICE_CLIENTS 16 /* of a device that are distinguished */

enum sq_device_state {
    SQ_DEVICE_ONLINE,
    SQ_DEVICE_OFFLINE,
    SQ_DEVICE_UNAUTHORIZED,
    SQ_DEVICE_BOOTING,
    SQ_DEVICE_UNUSABLE,
};

/* Returns the name for display: "online", "offline", ... */
const char *sq_device_state_name(enum sq_device_state state);

/* One entry of the device list. */
struct sq_device_info {
    const char *kind; /* constant: "demo", "android", "ios" */
    char id[SQ_DEVICE_ID_SIZE];
    char name[SQ_DEVICE_TEXT_SIZE];
    enum sq_device_state state;
    bool is_stopped; /* not running, e.g. a simulator that is shut down */
    char why[SQ_DEVICE_TEXT_SIZE];  /* why it is unusable, or empty */
    char hint[SQ_DEVICE_TEXT_SIZE]; /* how to fix that, or empty */
    /*
     * Identifies the connection. If the number changes under the same id, the
     * device was disconnected in between and may be a different one. 0: not
     * known.
     */
    uint64_t connection;
};

struct sq_screen {
    struct sq_size size;      /* in the current rotation, in device space */
    bool rotation_is_unknown; /* and taken to be 0 */
    int rotation;             /* quarter turns, 0 to 3 */
    double density;           /* pixels per dp */
    /*
     * Size of the picture in pixels, if device space is not pixels. 0x0: the
     * same as size.
     */
    struct sq_size pixels;
    /* Package of the foreground app at that moment; empty: not known. */
    char app[SQ_DEVICE_TEXT_SIZE];
};

struct sq_app {
    char package[SQ_DEVICE_TEXT_SIZE];
    char activity[SQ_DEVICE_TEXT_SIZE];
    bool locked; /* the lock screen is on */
};

/* A part of a frame, and the size that it gets. */
struct sq_scaling {
    struct sq_size frame; /* in pixels */
    struct sq_region part;
    struct sq_size size;
    enum sq_kernel kernel;
};

/*
 * Chooses what is needed of a capture, so that a device with a slow connection
 * can scale it there. The result is the same, bit for bit, as if it was scaled
 * here.
 */
struct sq_scaling_chooser {
    /* Returns false if the whole frame is needed. */
    bool (*choose)(void *context, const struct sq_screen *screen,
                   struct sq_size frame, struct sq_scaling *out);
    void *context;
};

/* What to capture. All zero: the display that receives taps. */
struct sq_capture_request {
    const char *display;       /* the device's id of it; NULL: the default */
    bool picture_only;         /* do not read elements, not even for sizes */
    bool finds_password_focus; /* fill password_focus of the capture */
    /*
     * The caller scales the picture to this longest side. A device that is
     * configured to do so may scale it itself; 0: it must not.
     */
    int max_side;
    /*
     * What is needed of it; NULL: the whole frame. A device may ignore this;
     * see `scaled` of the capture.
     */
    const struct sq_scaling_chooser *chooser;
    /*
     * Receives the picture while it is being read; may be NULL. A device that
     * retries passes every attempt; the last one is the capture.
     */
    const struct sq_capture_observer *observer;
};

/* What is known of the screen since the last capture began. */
enum sq_drawn {
    SQ_DRAWN_UNKNOWN,
    SQ_DRAWN_SOMETHING,
    /* A capture must confirm it before anything is said about the screen. */
    SQ_DRAWN_PROBABLY_NOTHING,
    SQ_DRAWN_NOTHING,
};

/* Whether a field for a password had the focus when a capture was taken. */
enum sq_password_focus {
    SQ_PASSWORD_FOCUS_UNKNOWN,
    SQ_PASSWORD_NOT_FOCUSED,
    SQ_PASSWORD_FOCUSED,
    SQ_PASSWORD_FOCUS_UNTOLD, /* this device does not tell */
};

#define SQ_MAX_DISPLAYS 16
#define SQ_DISPLAY_ID_SIZE 24
#define SQ_DISPLAY_NAME_SIZE 64

/* The displays that can be captured; "0" is the one that receives taps. */
struct sq_displays {
    int count; /* 0: only one display, or not known */
    struct {
        char id[SQ_DISPLAY_ID_SIZE];
        char name[SQ_DISPLAY_NAME_SIZE]; /* as the device reports it */
    } entries[SQ_MAX_DISPLAYS];
};

/* A frame that stays on the device, of which a scaled picture was fetched. */
struct sq_scaled {
    uint64_t hash;        /* of its bytes, as eye/frame_hash.h; 0: none */
    struct sq_size frame; /* its size in pixels */
};

/* A capture: an encoded picture in any format that image/codec reads. */
struct sq_capture {
    struct sq_buf bytes;
    struct sq_screen screen; /* at the moment of the capture */
    bool secure;             /* the device refused to show its content */
    bool other_display;      /* not the display that receives taps */
    struct sq_displays displays;
    bool other_shape; /* not the screen's; do not map coordinates */
    enum sq_password_focus password_focus; /* only if requested */
    /* Set by tools/screen: password fields were looked for, but not found out.
     */
    bool passwords_unknown;
    /*
     * If the request has a chooser: `bytes` are what it has chosen for
     * `screen`, of this frame. With the hash 0 they are the whole frame.
     */
    struct sq_scaled scaled;
};

/* A frame of the screen whose pixels stay on the device. */
struct sq_kept_frame {
    uint64_t hash;           /* of its bytes, as eye/frame_hash.h; never 0 */
    struct sq_size size;     /* in pixels */
    struct sq_screen screen; /* at that moment */
};

/* Two such frames, by their hashes, and where to compare them. */
struct sq_frame_pair {
    uint64_t before;
    uint64_t after;
    struct sq_region area; /* in pixels; all zero: everywhere */
};

/* How to watch frames that stay on the device until they are at rest. */
struct sq_frame_watch {
    struct sq_rest_rule rule;
    uint64_t before; /* hash of the frame before the action; 0: none */
    uint32_t
        quiet_ms; /* how long the screen has been equal to it; 0: unknown */
    /* Called after each look, except the last; may be NULL. */
    void (*progress)(void *context);
    void *context;
};

struct sq_touch {
    struct sq_dev_pt at;
    int id;          /* of the node that it is for; 0: not known */
    bool only_focus; /* the node shall get the focus, and need not be touched */
    int count;       /* number of taps, 1 or 2; 0: see has_mouse */
    int duration_ms; /* 0: a tap; else a long press */
};

struct sq_swipe {
    struct sq_dev_pt from;
    struct sq_dev_pt to;
    int duration_ms;
    bool is_drag;   /* what is at its start is moved; else the screen may be */
    bool is_scroll; /* the screen shall move by its length, and not further */
};

/* The apps that can be launched. Spans point into the arena. */
struct sq_app_list {
    struct sq_app_entry {
        struct sq_span package;
        struct sq_span label;
    } * entries;
    size_t count;
    size_t capacity;
    struct sq_arena arena;
};

struct sq_device;

/*
 * The operations of a kind of device; those that are said to be optional may be
 * NULL. All may block until the deadline. They run on a worker thread while the
 * device is locked. Outputs are unchanged on failure.
 */

/*
 * Optional. Called before each operation: what was read for an earlier one
 * may not be true any more. Never waits.
 */
typedef void sq_begin_fn(struct sq_device *device, int answer_ms);
typedef bool sq_screen_fn(struct sq_device *device, struct sq_screen *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);
/*
 * *out is initialised and empty. Fails with sq_fail_display if the device
 * has no such display.
 */
typedef bool sq_capture_fn(struct sq_device *device,
                           const struct sq_capture_request *request,
                           struct sq_capture *out,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);
/*
 * Optional. Returns what is known without a capture. The device may need
 * a question before a capture to know this after it. Takes at most as long
 * as a short command.
 */
typedef enum sq_drawn sq_drawn_fn(struct sq_device *device,
                                  const struct sq_deadline *deadline);
/* Optional. Returns what a dialog asks that keeps all else waiting, or NULL. */
typedef const char *sq_dialog_fn(const struct sq_device *device);
/*
 * Optional. Captures a frame that stays on the device, and keeps the one
 * with the hash `needed` (0: none), too. Fails with SQ_ERR_UNSUPPORTED if
 * that is not possible, or if something must be explained that needs the
 * pixels; capture the screen then.
 */
typedef bool sq_keep_frame_fn(struct sq_device *device, uint64_t needed,
                              struct sq_kept_frame *out,
                              const struct sq_deadline *deadline,
                              struct sq_err *err);
/*
 * Optional. Captures such frames until the screen is at rest or the limit
 * is over, and keeps `before`, too. *out is the last one. Fails like
 * keep_frame.
 */
typedef bool sq_watch_frames_fn(struct sq_device *device,
                                const struct sq_frame_watch *watch,
                                struct sq_kept_frame *out, bool *settled,
                                const struct sq_deadline *deadline,
                                struct sq_err *err);
/*
 * Optional. Appends a part of a frame that stays on the device, as a raw
 * frame. Fails with SQ_ERR_UNSUPPORTED if it is not there any more.
 */
typedef bool sq_fetch_part_fn(struct sq_device *device, uint64_t hash,
                              const struct sq_scaling *scaling,
                              struct sq_buf *out,
                              const struct sq_deadline *deadline,
                              struct sq_err *err);
/*
 * Optional. Tells where two kept frames differ; nowhere if they do not. Fails
 * with SQ_ERR_UNSUPPORTED if they cannot be compared.
 */
typedef bool sq_compare_frames_fn(struct sq_device *device,
                                  const struct sq_frame_pair *pair,
                                  struct sq_eye_areas *where,
                                  const struct sq_deadline *deadline,
                                  struct sq_err *err);
/*
 * *out is zeroed. Fails with SQ_ERR_UNSUPPORTED if the current screen has
 * no tree.
 */
typedef bool sq_tree_fn(struct sq_device *device, struct sq_tree *out,
                        const struct sq_deadline *deadline, struct sq_err *err);
/*
 * Optional, for devices whose nodes have ids. Scrolls to a node. *found is
 * false if it does not exist any more.
 */
typedef bool sq_reveal_fn(struct sq_device *device, int id, bool *found,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);
/*
 * Optional. Starts to read the tree while captures are taken; the next
 * `tree` waits for it. abandon_tree ends what was started and not used.
 */
typedef void sq_start_tree_fn(struct sq_device *device,
                              const struct sq_deadline *deadline);
typedef void sq_abandon_tree_fn(struct sq_device *device);
/*
 * Optional. Tells whether a password field has the focus now. Without it,
 * the tree tells that.
 */
typedef enum sq_password_focus
sq_password_focus_fn(struct sq_device *device,
                     const struct sq_deadline *deadline);
typedef bool sq_current_app_fn(struct sq_device *device, struct sq_app *out,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);
typedef bool sq_tap_fn(struct sq_device *device, const struct sq_touch *touch,
                       const struct sq_deadline *deadline, struct sq_err *err);
typedef bool sq_swipe_fn(struct sq_device *device, const struct sq_swipe *swipe,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);
/*
 * Types into the focused element: either the whole text, or nothing and an
 * error.
 */
typedef bool sq_text_fn(struct sq_device *device, struct sq_span text,
                        const struct sq_deadline *deadline, struct sq_err *err);
typedef bool sq_name_fn(struct sq_device *device, const char *name,
                        const struct sq_deadline *deadline, struct sq_err *err);
/* *out is zeroed. */
typedef bool sq_apps_fn(struct sq_device *device, struct sq_app_list *out,
                        const struct sq_deadline *deadline, struct sq_err *err);

struct sq_device_ops {
    const char *kind;
    sq_begin_fn *begin;
    sq_screen_fn *screen;
    sq_capture_fn *capture;
    sq_drawn_fn *drawn;
    sq_dialog_fn *dialog;
    sq_keep_frame_fn *keep_frame;
    sq_watch_frames_fn *watch_frames;
    sq_fetch_part_fn *fetch_part;
    sq_compare_frames_fn *compare_frames;
    sq_tree_fn *tree;
    /* Optional, with reveal: also what is not on the screen (UNSEEN). */
    sq_tree_fn *whole_tree;
    sq_reveal_fn *reveal;
    sq_start_tree_fn *start_tree;
    sq_abandon_tree_fn *abandon_tree;
    sq_password_focus_fn *password_focus;
    sq_current_app_fn *current_app;
    sq_tap_fn *tap;
    sq_swipe_fn *swipe;
    sq_text_fn *text;
    /*
     * Optional. Fails with SQ_ERR_UNSUPPORTED if `text` would refuse the text.
     * Does nothing that can be seen. NULL: it takes any text.
     */
    sq_text_fn *can_type;
    sq_name_fn *key; /* SQ_ERR_ARGUMENT if it has no key of that name */
    sq_name_fn *launch;
    sq_name_fn *stop;
    sq_apps_fn *apps;
    void (*destroy)(struct sq_device *device);

    /* What else can be done and read; NULL: nothing. */
    const struct sq_hand_ops *hand;
    bool has_text_ways; /* text may arrive in several ways; see typing */
    bool apps_are_tabs; /* apps lists them; the foreground app is a page */
    /* A touch can be none: the mouse is moved there. */
    bool has_mouse;

    /* Screenshots describe it, and list the elements by default. */
    bool is_simulator;
    bool is_shared;            /* other processes may act on the same device */
    bool elements_are_instant; /* the tree costs about a millisecond */
    bool elements_are_cheap;   /* the tree costs at most about a capture */
    bool capture_is_cheap;     /* receipts include a capture by default */
    int capture_ms; /* expected duration of a capture; 0: not known */
    int tree_ms;    /* the same of the tree */
};

/* How the last text was typed, for devices with several ways. */
struct sq_typing {
    int first_way;   /* ways before this one did not work for this text */
    int way;         /* the one that was used */
    const char *by;  /* its name, constant; NULL: the only one */
    const char *tip; /* a constant sentence about its side effect, or NULL */
};

/* A change on the screen, in pixels of a capture. */
struct sq_late_change {
    struct sq_eye_areas where; /* no areas: no change */
    struct sq_size picture;
    struct sq_screen screen;
    int after_ms; /* when it was seen, since the action began; 0: not known */
};

/*
 * What the client knows of the screen that acted last; see
 * tools/screen/late_change.h. What others know became invalid with its action.
 */
struct sq_last_look {
    uint64_t client;
    uint64_t change;     /* of the device, after the action */
    int64_t acted_ns;    /* when the action began; 0: there was none */
    int64_t other_ns;    /* the same of another client before it */
    bool is_cheap;       /* another look takes little time */
    uint64_t hash;       /* of the frame that it saw last; 0: none */
    struct sq_buf frame; /* its bytes; empty: only the device has it */
    bool is_packed;
    struct sq_late_change untold; /* since then, in no answer yet */
};

/* What is known of other processes that act on the device: shared.c. */
struct sq_device_shared {
    struct sq_device_mark {
        int64_t at_ns;    /* of the last action, by the monotonic clock */
        uint64_t process; /* a random number; 0: none */
    } mark;
    bool is_known;
    bool is_locked;
    int lock;
};

/* Base of every device object. Must be its first member. */
struct sq_device {
    const struct sq_device_ops *ops;
    struct sq_device_info info;
    /* Set by its kind, in any thread: open it again before the next call. */
    atomic_bool is_lost;
    bool may_return;     /* when lost: a look may open it again itself */
    bool is_new_session; /* after it was lost, which no answer said yet */
    int64_t opening_ns;  /* of the call that opened it, which are not its own */
    /* What the device does not tell, as far as known: the two below. */
    bool password_focus_is_untold;
    bool display_is_untold; /* its size is read in another way */
    struct sq_typing typing;
    /*
     * Changes after every action, and is unique across devices and time.
     * Anything read from the screen under an older number may be stale.
     */
    uint64_t change;
    /*
     * Changes with it, and whenever a capture differs from the one before it.
     * See sq_device_saw.
     */
    uint64_t view;
    uint64_t seen; /* hash of the latest capture since `change`; 0: none */
    /*
     * Time spent in the operations below, since the device was opened. Includes
     * what an observer does while a capture is read.
     */
    int64_t busy_ns;
    int64_t began_ns; /* when the last of them began */
    /* What the latest clients know; see sq_device_note_client. */
    struct sq_device_client {
        uint64_t client;
        uint64_t change;  /* at the end of its last call */
        uint64_t used;    /* order of these ends */
        bool other_acted; /* its last call could not report it */
    } clients[SQ_DEVICE_CLIENTS];
    struct sq_last_look look;
    struct sq_device_shared shared;
    /*
     * What an answer to an action must say besides, such as a dialog that is
     * open. Quotes the device. Set by the action; empty: nothing.
     */
    char notice[SQ_DEVICE_NOTICE_SIZE];
};

/*
 * Notes that a call of a client ends here; other_acted: what another client did
 * before has still to be reported.
 */
void sq_device_note_client(struct sq_device *device, uint64_t client,
                           bool other_acted);

/*
 * Returns whether another client has acted since the last note of this one.
 * False if there is none, or it was long ago.
 */
bool sq_device_other_acted(const struct sq_device *device, uint64_t client);

/*
 * Begins a call; sq_device_leave ends it. One that `acts` waits until no other
 * process of the user acts on the device. device->change gets a new number if
 * one did since the last call of this process. Does nothing for devices that
 * are not shared.
 */
bool sq_device_enter(struct sq_device *device, bool acts,
                     const struct sq_deadline *deadline, struct sq_err *err);
void sq_device_leave(struct sq_device *device);

/* Sets device->change to a new number after an action. Any thread. */
void sq_device_changed(struct sq_device *device);

/*
 * Reports the hash of a capture of the display that receives taps, as
 * eye/frame_hash.h. What was read between two equal captures is still true.
 */
void sq_device_saw(struct sq_device *device, uint64_t hash);

/*
 * Call the operations above. Fail with SQ_ERR_UNSUPPORTED if the device has no
 * such operation. The request of a capture may be NULL, which means all zero.
 * Operations that act change device->change even if they fail, since part of
 * the action may have happened.
 */
sq_screen_fn sq_device_screen;
sq_capture_fn sq_device_capture;

/*
 * An operation begins to use the device. A part of the device that needs longer
 * than answer_ms for an answer counts as hanging; 0: as configured. What looks
 * between two calls passes SQ_NO_CALL: the next call tells what it met.
 */
#define SQ_NO_CALL (-1)
sq_begin_fn sq_device_begin;

sq_dialog_fn sq_device_dialog;
sq_drawn_fn sq_device_drawn;
sq_keep_frame_fn sq_device_keep_frame;
sq_watch_frames_fn sq_device_watch_frames;
sq_fetch_part_fn sq_device_fetch_part;
sq_compare_frames_fn sq_device_compare_frames;
sq_tree_fn sq_device_tree;
sq_tree_fn sq_device_whole_tree;
sq_reveal_fn sq_device_reveal;

/*
 * The caller calls sq_device_abandon_tree in the end, in any case, and does not
 * act before.
 */
sq_start_tree_fn sq_device_start_tree;
sq_abandon_tree_fn sq_device_abandon_tree;

sq_password_focus_fn sq_device_password_focus;
sq_current_app_fn sq_device_current_app;
sq_tap_fn sq_device_tap;
sq_swipe_fn sq_device_swipe;
sq_text_fn sq_device_text;
sq_text_fn sq_device_can_type;
sq_name_fn sq_device_key;
sq_name_fn sq_device_launch;
sq_name_fn sq_device_stop;
sq_apps_fn sq_device_apps;

/*
 * Sets SQ_ERR_ARGUMENT for an unknown display id. known lists the existing ids
 * for the message ("0, 2"). Returns false.
 */
bool sq_fail_display(struct sq_err *err, const char *id, const char *known);

void sq_device_destroy(struct sq_device *device);

void sq_capture_finish(struct sq_capture *capture);
/*
 * Adds an app to a list that was zeroed; both texts are copied. The caller
 * finishes the list, also after a failure.
 */
bool sq_app_list_add(struct sq_app_list *list, struct sq_span package,
                     struct sq_span label, struct sq_err *err);
void sq_app_list_finish(struct sq_app_list *list);
#endif
