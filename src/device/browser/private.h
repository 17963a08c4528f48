/* What the parts of the browser share. */
#ifndef SQ_DEVICE_BROWSER_PRIVATE_H
#define SQ_DEVICE_BROWSER_PRIVATE_H

#include <stdio.h>

#include "device/browser/browser.h"
#include "device/browser/cdp.h"
#include "device/browser/origin.h"
#include "device/page_elements.h"
#include "image/draw/draw.h"
#include "sys/file.h"
#include "util/utf8.h"

#define SQ_TAB_PREFIX "tab." /* and a number: its name */
#define SQ_URL_SIZE 2048
#define SQ_BROWSER_ANSWER_MS 5000 /* for a page to answer */
#define SQ_BROWSER_BEGIN_MS 1000  /* for a command to be sent */
#define SQ_BROWSER_START_MS 30000 /* for the first page to answer */
#define SQ_MAX_TABS 32
#define SQ_DIALOG_TEXT_SIZE 2000
#define SQ_PAGE_FRAMES 4
#define SQ_MAX_DRAGGED ((size_t)64 << 10)
#define SQ_MAX_KEPT_LIST ((size_t)256 << 10)

/* A page with its own session. Its main frame has the id of its target. */
struct sq_tab {
    int number; /* in its name; never used again */
    bool is_ready;
    bool is_loading;
    bool is_crashed;
    int document; /* which of all documents it shows */
    int world;    /* the context of our own in it; 0: not known */
    char target[SQ_CDP_ID_SIZE];
    char session[SQ_CDP_ID_SIZE];
    char url[SQ_URL_SIZE];
};

/* A frame of another site, which has a process and a session of its own. */
struct sq_browser_frame {
    char target[SQ_CDP_ID_SIZE];
    char session[SQ_CDP_ID_SIZE];
    char parent[SQ_CDP_ID_SIZE]; /* the session that it is a part of */
    int context;                 /* the world of our own in it */
};

/* A field for files. */
struct sq_browser_upload {
    int node; /* its number in the browser; 0: see `object` */
    bool takes_many;
    char session[SQ_CDP_ID_SIZE];
    char object[SQ_CDP_ID_SIZE];
};

/*
 * An alert, confirm, prompt or beforeunload dialog, for which the page waits;
 * or a field that asks for files, whose names are typed.
 */
struct sq_dialog {
    bool is_open;
    bool has_cancel;
    bool has_field;
    int number;     /* of all dialogs so far */
    int first_node; /* the id of its first part */
    char session[SQ_CDP_ID_SIZE];
    struct sq_browser_upload upload; /* its node is 0: none */
    char text[SQ_DIALOG_TEXT_SIZE];
    struct sq_buf typed; /* in the field */
};

/* An element of a frame, and a hash of what it shows. */
struct sq_page_part {
    int64_t id;
    uint64_t hash;
    struct sq_dev_rect bounds;
};

/* What a page showed. */
struct sq_page_frame {
    uint64_t hash; /* 0: none */
    uint64_t used;
    int changes;
    int far_changes;
    struct sq_page_part *parts;
    int count;
};

/* What a page last listed. */
struct sq_browser_list {
    struct sq_buf json; /* empty: none, or something was done to the page */
    int document;
    int changes;
    int64_t at_ns;
    int64_t seen_ns; /* when the page was still like this */
};

/* What pages learn of their user, as far as it was set. */
struct sq_browser_looks {
    bool has_dark;
    int dark;        /* enum sq_dark */
    char locale[36]; /* empty: not set */
    bool has_time_zone;
    char time_zone[64]; /* empty: that of this computer */
    bool has_network;   /* it was switched on or off */
    bool is_offline;
    bool has_place;
    double latitude;
    double longitude;
};

/* Lines of consoles, and failed requests. */
struct sq_browser_log {
    size_t len;
    char text[32768];
};

struct sq_browser {
    struct sq_device base;
    struct sq_device_ops ops; /* with the measured tree_ms */
    struct sq_cdp cdp;
    struct sq_temp profile; /* empty: it is kept, or not ours */
    bool is_lost;           /* it has ended, or cannot be understood */
    bool is_starting;       /* its first page has not answered */
    struct sq_strings allow;
    struct sq_size size;
    bool is_mobile;
    double ratio;         /* pixels of a CSS pixel */
    double zoom;          /* of the page by two fingers, when last seen */
    bool may_download;    /* into a folder of the configuration */
    const char *upload;   /* folder for uploads; NULL: there are none */
    struct sq_font *font; /* for dialogs; NULL: not needed yet */
    /*
     * From `is_attached` to `next_node` there are only plain values, but
     * `typed`: a keeper passes them from one command to the next.
     */
    bool is_attached; /* to a browser that was running */
    struct sq_tab tabs[SQ_MAX_TABS];
    int tab_count;
    int current; /* index; -1: no tab is open */
    int last_tab;
    int last_document;
    struct sq_browser_frame frames[SQ_MAX_FRAMES];
    int frame_count;
    struct sq_dialog dialog;
    struct sq_browser_looks looks;
    struct sq_browser_log log;
    char file[100];                       /* that is downloaded */
    char download[SQ_DEVICE_NOTICE_SIZE]; /* what is to be told of it */
    bool is_hanging;                      /* a page did not answer in time */
    int next_node; /* the id of the next node that is listed */
    bool is_kept;  /* by a keeper, for the next command */
    int keeper;    /* the socket to it, or -1 */
    int lock;      /* which other commands wait for, or -1 */
    /* By the last list: all that the page shows is in one list, how often its
     * document was changed, and where. */
    bool is_watched;
    int changes;
    int far_changes; /* of what is not on the screen */
    int since;       /* after which of the changes they are placed */
    struct sq_dev_rect changed;
    struct sq_page_frame page_frames[SQ_PAGE_FRAMES];
    uint64_t frame_clock;
    struct sq_browser_list listed;
    int last_tree_ms; /* how long the last list took */
    struct sq_browser_before {
        int tab;
        int document;
        int dialog;
    } before;              /* the action that was begun last */
    int64_t began_ns;      /* when the call began that uses it */
    bool has_no_call;      /* a look between two calls uses it */
    int64_t heard_ns;      /* when a page has answered last */
    int64_t heard_id;      /* of that command */
    struct sq_buf dragged; /* as JSON; empty: nothing is */
};

typedef void sq_browser_event_fn(struct sq_browser *browser,
                                 const struct sq_cdp_message *event);
typedef bool sq_browser_fn(struct sq_browser *browser,
                           const struct sq_deadline *deadline,
                           struct sq_err *err);

#define SQ_CLOSE_TARGET(target)                                                \
    SQ_CDP_TEXT_COMMAND("", "Target.closeTarget", SQ_SPAN("{}"), "targetId",   \
                        sq_span_of(target))

/* Copies a text to an array, which is cut off at a character. */
#define SQ_COPY_TEXT(out, text) sq_copy_text((out), sizeof(out), (text))
static inline void
sq_copy_text(char *out, size_t size, struct sq_span text) {
    text = sq_utf8_shorten(text, size - 1);
    snprintf(out, size, "%.*s", SQ_SPAN_ARGS(text));
}

/* Returns the tab that is shown, or NULL. */
static inline struct sq_tab *
sq_browser_tab(struct sq_browser *browser) {
    return browser->current < 0 ? NULL : &browser->tabs[browser->current];
}

static inline struct sq_browser *
sq_browser_of(struct sq_device *device) {
    return (struct sq_browser *)device;
}

/*
 * browser.c: notes that the browser has ended or cannot be understood, so that
 * the next call starts another one. A look between two calls leaves that to
 * the next call, after which another one is started.
 */
void sq_browser_lost(struct sq_browser *browser);

/* Describes the screen as it is known. */
void sq_browser_describe(const struct sq_browser *browser,
                         struct sq_screen *out);

/* start.c: programs and profiles. */

/* Finds the program: `wanted`, or if that is NULL one in the usual places. */
bool sq_browser_find_program(const char *wanted, char out[SQ_PATH_SIZE],
                             struct sq_err *err);
bool sq_browser_start(struct sq_browser *browser,
                      const struct sq_browser_config *config,
                      struct sq_err *err);

/* Adds what the browser printed to an error of its start. Returns false. */
bool sq_browser_explain_start(struct sq_browser *browser, bool is_visible,
                              struct sq_err *err);

/* Connects to it, and opens a tab. */
bool sq_browser_attach(struct sq_browser *browser, const char *where,
                       const struct sq_deadline *deadline, struct sq_err *err);
sq_browser_fn sq_browser_attach_new_tab;

/* Attaches to a new tab if one of ours has opened it. */
sq_browser_event_fn sq_browser_attach_popup;

/* Closes our tabs. */
void sq_browser_detach(struct sq_browser *browser,
                       const struct sq_deadline *deadline);

/* keeper.c: a browser that a process keeps from one command to the next. */

/* Gets it, or starts one. Give it back also after a failure. */
bool sq_browser_borrow(struct sq_browser *browser,
                       const struct sq_browser_config *config,
                       const struct sq_deadline *deadline, struct sq_err *err);
void sq_browser_give_back(struct sq_browser *browser,
                          const struct sq_deadline *deadline);

/* notes.c: the log, and downloads. */

sq_browser_event_fn sq_browser_note;

/* Refuses downloads, or allows them into a folder, which is made. */
bool sq_browser_set_downloads(struct sq_browser *browser, const char *folder,
                              const struct sq_deadline *deadline,
                              struct sq_err *err);

/* Adds what is to be told of a download to the notice. */
void sq_browser_tell_download(struct sq_browser *browser);
sq_reading_fn sq_browser_read_logs;

/* emulate.c: sizes, phones that are imitated, dark mode, locale, place. */

/* Reads browser.window or browser.mobile. */
bool sq_browser_read_size(struct sq_browser *browser,
                          const struct sq_browser_config *config,
                          struct sq_err *err);

/* Tells a tab what is set. */
bool sq_browser_emulate(struct sq_browser *browser, const char *session,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* pages.c: tabs, and what is known of them by events. */

void sq_browser_event(void *context, const struct sq_cdp_message *event);
bool sq_browser_is_blocked(void *context, struct sq_err *err);

/*
 * Handles what has happened since, prepares new tabs, and gets the one that is
 * shown. Fails if there is none, if it has crashed, or if the browser ended.
 */
sq_browser_fn sq_browser_refresh;

/* Calls a command; see sq_cdp_call. The session NULL is the tab that is shown.
 */
bool sq_browser_call(struct sq_browser *browser,
                     const struct sq_cdp_command *command,
                     const struct sq_json **result,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Waits for the answer to a command that was sent. */
bool sq_browser_await(struct sq_browser *browser, int64_t id,
                      const struct sq_deadline *deadline, struct sq_err *err);

/* Calls a command whose parameters are printed. */
struct sq_browser_way {
    struct sq_browser *browser;
    const char *session;
    const struct sq_json **result;
    const struct sq_deadline *deadline;
    struct sq_err *err;
};
bool sq_browser_ask(const struct sq_browser_way *way, const char *method,
                    const char *params, ...)
    __attribute__((format(printf, 3, 4)));
#define SQ_BROWSER_ASK(browser, session, result, deadline, err, ...)           \
    sq_browser_ask(&(const struct sq_browser_way){ (browser), (session),       \
                                                   (result), (deadline),       \
                                                   (err) },                    \
                   __VA_ARGS__)

/*
 * Returns whether what was seen then is a moment old, and not from before this
 * call.
 */
bool sq_browser_is_fresh(const struct sq_browser *browser, int64_t seen_ns);

/*
 * Asks the page something, so that all events before the answer are known; not
 * if it has answered a moment ago, and nothing was sent since.
 */
sq_browser_fn sq_browser_sync;

/*
 * Begins an action. Fails unless a tab is shown. The dialog of the page, if one
 * is open, is to be answered.
 */
sq_browser_fn sq_browser_begin;

/*
 * Ends an action: waits until a page that began to load is complete, for a
 * limited time, and notes what else has happened. An action that opened a
 * dialog was done, although the browser has not answered: returns true then,
 * else ok.
 */
bool sq_browser_end(struct sq_browser *browser, bool ok,
                    const struct sq_deadline *deadline, struct sq_err *err);

bool sq_browser_goto(struct sq_browser *browser, struct sq_span url,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Open an empty tab, which is then shown, and close the one that is. */
sq_browser_fn sq_browser_new_tab;
sq_browser_fn sq_browser_close_tab;

/* Goes back (-1) or forward (1) in the history; closes a tab without one. */
bool sq_browser_history(struct sq_browser *browser, int step,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* input.c: mouse and keyboard. */

sq_tap_fn sq_browser_tap;
sq_swipe_fn sq_browser_swipe;
sq_text_fn sq_browser_text;
sq_name_fn sq_browser_key;
sq_hand_fn sq_browser_gesture;

/* keys.c: names of keys. Pure. */

struct sq_browser_key {
    const char *name;
    const char *key; /* as the DOM names it */
    const char *code;
    int number; /* of Windows, as keyCode */
    const char *text;
};

/*
 * Finds a key: "enter", "ctrl-a", "shift-tab". *modifiers are those of the
 * protocol. `own` has room for a key that is one letter or digit.
 */
bool sq_browser_key_find(const char *name, struct sq_browser_key *out,
                         char own[16], int *modifiers, struct sq_err *err);

/* elements.c: the walk over the page. */

/* Lists what is shown, or all of the page. */
bool sq_browser_tree(struct sq_browser *browser, bool all, struct sq_tree *out,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Looks how far a page is zoomed that fingers can zoom. */
sq_browser_fn sq_browser_find_zoom;

sq_reveal_fn sq_browser_reveal;

/* What a function of walk.js answered, and in which frame. */
struct sq_browser_answer {
    struct sq_browser_frame frame;
    char word[SQ_DEVICE_NOTICE_SIZE];
};

/*
 * Prepares a tap: "aimed", "done" if there is no need to click, or "gone".
 * Then "landed()" says "elsewhere" if the click would have reached something
 * else, and was stopped; "reached()" says "reached" after the mouse did.
 */
bool sq_browser_aim(struct sq_browser *browser, const struct sq_touch *touch,
                    struct sq_browser_answer *out,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_browser_says(struct sq_browser *browser,
                     const struct sq_browser_answer *aimed, const char *call,
                     const char *wanted, const struct sq_deadline *deadline);

/*
 * Sets the value of the field that has the focus: "set", "type" if keys do
 * that, "file" or "files" if it takes those, "none" if it takes no text, or "!"
 * and what it takes.
 */
bool sq_browser_enter(struct sq_browser *browser, struct sq_span text,
                      struct sq_browser_answer *out,
                      const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Waits in the page for a change after the count `changes`, and for rest.
 * *settled is whether it is at rest. The next list is of that moment.
 */
bool sq_browser_settle(struct sq_browser *browser, int changes,
                       const struct sq_rest_rule *rule, bool *settled,
                       const struct sq_deadline *deadline, struct sq_err *err);

/* Gives files to a field. Each line of `names` is a path. */
bool sq_browser_upload(struct sq_browser *browser,
                       const struct sq_browser_upload *upload,
                       struct sq_span names, const struct sq_deadline *deadline,
                       struct sq_err *err);

/* frames.c: what a page showed, without pixels. */

sq_keep_frame_fn sq_browser_keep_frame;
sq_watch_frames_fn sq_browser_watch_frames;
sq_compare_frames_fn sq_browser_compare_frames;

/* dialog.c: squint draws dialogs, which a browser without a window does not. */

sq_browser_event_fn sq_dialog_open;
bool sq_dialog_paint(struct sq_browser *browser, struct sq_buf *out,
                     struct sq_err *err);
bool sq_dialog_tree(const struct sq_browser *browser, struct sq_tree *out,
                    struct sq_err *err);
sq_dialog_fn sq_dialog_asked;
bool sq_dialog_tap(struct sq_browser *browser, struct sq_dev_pt at,
                   const struct sq_deadline *deadline, struct sq_err *err);
bool sq_dialog_key(struct sq_browser *browser, const char *name,
                   const struct sq_deadline *deadline, struct sq_err *err);
bool sq_dialog_type(struct sq_browser *browser, struct sq_span text,
                    struct sq_err *err);

#endif
