/* What the files of this folder share. */
#ifndef SQ_DEVICE_WEBDRIVER_PRIVATE_H
#define SQ_DEVICE_WEBDRIVER_PRIVATE_H

#include "device/device.h"
#include "device/webdriver/webdriver.h"
#include "json/reader.h"
#include "json/writer.h"
#include "sys/lock.h"

#define SQ_WD_NAME_SIZE 46 /* two fit in the id of a device */
#define SQ_WD_SESSION_SIZE 256
#define SQ_WD_PAGE_SIZE 80
#define SQ_WD_PATH_SIZE (2 * SQ_WD_SESSION_SIZE + 80)

/* An entry of webdriver.endpoints: [NAME=]URL[ CAPABILITIES]. */
struct sq_wd_endpoint {
    char name[SQ_WD_NAME_SIZE];
    const char *url; /* without a slash at its end; may contain a password */
    struct sq_span capabilities; /* a JSON object, or empty */
    bool is_agent; /* WebDriverAgent itself, without Appium; see session.c */
    bool is_grid;  /* a Selenium Grid, whose slot was chosen by its name */
    struct sq_buf text;    /* of both */
    struct sq_buf secrets; /* what must not be shown, each with a NUL */
};

/* Returns whether names of entries and slots may have it. */
bool sq_wd_is_name_char(char c);

/*
 * Takes NAME= from the start of an entry, but not from a URL; `index` names it
 * if it has no name.
 */
void sq_wd_take_name(struct sq_span *rest, size_t index,
                     char out[SQ_WD_NAME_SIZE]);

/*
 * Reads an entry. Replaces ${NAME} by the variable of the environment. Errors
 * never contain its value. The caller calls sq_wd_endpoint_finish.
 */
bool sq_wd_endpoint_parse(const char *entry, size_t index,
                          struct sq_wd_endpoint *out, struct sq_err *err);

/* Finishes a buffer, and erases its memory. */
void sq_wd_erase(struct sq_buf *buf);

/* Erases the memory. Safe on a zeroed value. */
void sq_wd_endpoint_finish(struct sq_wd_endpoint *endpoint);

/*
 * Copies what a server said, as far as it fits, without secrets of the entry:
 * servers repeat capabilities in their messages.
 */
void sq_wd_hide(const struct sq_wd_endpoint *endpoint, struct sq_span text,
                char *out, size_t size);

/*
 * Finds the endpoint of a device that was listed. Appends its capabilities, or
 * those of the slot of a Grid. The caller finishes *out in any case.
 */
bool sq_wd_endpoint_find(const struct sq_devices_options *options,
                         const char *id, struct sq_wd_endpoint *out,
                         struct sq_buf *capabilities,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/* A connection to a server. Zero it first. */
struct sq_wd_client {
    const struct sq_wd_endpoint *endpoint; /* not owned */
    void *easy;                            /* libcurl's */
    void *multi;
    void *headers;
    struct sq_buf *answer; /* not owned */
    struct sq_span unsent; /* what is left of the body of a POST */
    bool is_waiting;       /* for an answer that sq_wd_await can still get */
};

struct sq_wd_request {
    const char *method;
    const char *path;    /* begins with a slash */
    struct sq_span body; /* of a POST; empty: {} */
    /*
     * Stays under way after the deadline or a cancel, for sq_wd_await. The
     * body, and the buffer of the answer, must live as long.
     */
    bool outlives_call;
};

/*
 * Sends a request, and puts the body of the answer into out, which is cleared
 * before. *status is 0 without an answer. A POST is never sent twice. Fails
 * with SQ_ERR_DEVICE_OFFLINE if there is no answer, SQ_ERR_UNSUPPORTED without
 * libcurl, SQ_ERR_LIMIT for a longer answer than out may hold.
 */
bool sq_wd_send(struct sq_wd_client *client,
                const struct sq_wd_request *request, int *status,
                struct sq_buf *out, const struct sq_deadline *deadline,
                struct sq_err *err);

/* Waits longer for the answer of a request that outlives its call. */
bool sq_wd_await(struct sq_wd_client *client, int *status,
                 const struct sq_deadline *deadline, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_wd_client_finish(struct sq_wd_client *client);

/*
 * Reads the value of an answer. Fails with the error that the server reports,
 * as ours. *value points into arena and body. Pure.
 */
bool sq_wd_parse(const struct sq_wd_endpoint *endpoint, int status,
                 struct sq_span body, struct sq_arena *arena,
                 const struct sq_json **value, struct sq_err *err);

#define SQ_WD_SESSION_PATH "/session"

/* What to do when a session has ended. An action that is repeated would reach
 * another screen. */
#define SQ_WD_START_AGAIN "Take a screenshot: it starts a new session."

/* What to do about a server that does not know the commands. */
#define SQ_WD_CHECK_URL                                                        \
    "Check the port and the path of the URL in webdriver.endpoints: Appium 2 " \
    "and later, chromedriver and WebDriverAgent have no path, most clouds "    \
    "have /wd/hub."

/* The cause of an error of a session that does not exist any more. */
#define SQ_WD_SESSION_ENDED 1
/* The cause of an error because a dialog is open. */
#define SQ_WD_DIALOG_OPEN 2
/* The cause of an error because a server answers, but not as expected. */
#define SQ_WD_OTHER_ANSWER 3
/* The cause of an error because the node with the session is gone. */
#define SQ_WD_NODE_GONE 4
/* The cause of an error because the tab, or the frame in it, was closed. */
#define SQ_WD_TAB_CLOSED 5
/* The cause of an error because a user or a password is missing or wrong. */
#define SQ_WD_NO_ACCESS 6
/* The cause of an error because the server does not know a path. */
#define SQ_WD_NO_COMMAND 7

/*
 * Appends the picture of an answer: {"value":"BASE64"}, or with its data in
 * {"value":{"data":...}}. The text may be longer than our JSON reader takes.
 * Pure.
 */
bool sq_wd_picture(struct sq_span body, struct sq_buf *out, struct sq_err *err);

/* What lends the screen. */
enum sq_wd_platform {
    SQ_WD_OTHER, /* an app with a page source that we may not know */
    SQ_WD_ANDROID,
    SQ_WD_IOS,
    SQ_WD_BROWSER,
    SQ_WD_CHROME, /* a browser that takes commands of its DevTools */
};

struct sq_webdriver {
    struct sq_device base; /* must be first */
    struct sq_device_ops ops;
    int last_tree_ms; /* how long the last list took; 0: there was none */
    struct sq_wd_endpoint endpoint;
    struct sq_buf capabilities;
    struct sq_buf wanted; /* the body of the request for a session */
    struct sq_wd_client client;
    enum sq_wd_platform platform;
    bool is_emulated_phone; /* a browser whose pointer is a finger */
    struct sq_lock *lock;   /* one request at a time; guards the two below */
    char session[SQ_WD_SESSION_SIZE]; /* its id; empty: none */
    int64_t used_ns;                  /* when the last command ended */
    int idle_seconds;                 /* until the session is ended */
    struct sq_side_thread idle;       /* which ends it */
    char model[SQ_DEVICE_TEXT_SIZE];
    char version[SQ_DEVICE_TEXT_SIZE];
    char page[SQ_WD_PAGE_SIZE]; /* its frame; SQ_WD_CHROME; empty: not read */
    bool has_no_call;           /* see sq_device_begin */
    bool is_in_frame;           /* commands go to a frame, not to its page */
    size_t tab_count;           /* after the last tap; 0: not known */
    struct sq_screen screen;    /* as last read */
    struct sq_buf body;         /* of the last answer */
    struct sq_arena arena;      /* of its values */
    struct sq_cancel *late_cancel; /* of late.c, as the next one; not owned */
    struct sq_webdriver *next_late;
};

static inline struct sq_webdriver *
sq_webdriver_of(struct sq_device *device) {
    return (struct sq_webdriver *)(void *)device;
}

static inline bool
sq_wd_is_browser(const struct sq_webdriver *wd) {
    return wd->platform >= SQ_WD_BROWSER;
}

/* Starts a session with the endpoint's capabilities. */
bool sq_wd_start(struct sq_webdriver *wd, const struct sq_deadline *deadline,
                 struct sq_err *err);

/*
 * Takes the id of a session that a server has started, and what else it says
 * about it in wd->body.
 */
bool sq_wd_take_session(struct sq_webdriver *wd, int status,
                        struct sq_err *err);

/* Asks an endpoint what it is: a Grid, or WebDriverAgent. */
void sq_wd_endpoint_look(struct sq_wd_endpoint *endpoint,
                         const struct sq_deadline *deadline);

/* Ends it, if there is one, in any thread. Waits a short time only. */
void sq_wd_end(struct sq_webdriver *wd);

/*
 * Calls a command of the session; the path is relative to it: "/url". *value
 * (may be NULL) is valid until the next call.
 */
bool sq_wd_call(struct sq_webdriver *wd, const struct sq_wd_request *request,
                const struct sq_json **value,
                const struct sq_deadline *deadline, struct sq_err *err);

#define SQ_WD_REQUEST(method, path, body)                                      \
    (&(struct sq_wd_request){ method, path, body, false })
#define SQ_WD_GET(wd, path, value, deadline, err)                              \
    sq_wd_call(wd, SQ_WD_REQUEST("GET", path, { 0 }), value, deadline, err)
#define SQ_WD_POST(wd, path, body, value, deadline, err)                       \
    sq_wd_call(wd, SQ_WD_REQUEST("POST", path, body), value, deadline, err)

/* Appends the picture that a command of the session answers with. */
bool sq_wd_fetch(struct sq_webdriver *wd, const struct sq_wd_request *request,
                 struct sq_buf *out, const struct sq_deadline *deadline,
                 struct sq_err *err);

/*
 * Runs a script: `mobile: ...` of Appium with one object as its argument, or
 * JavaScript in a page without one (an empty span).
 */
bool sq_wd_execute(struct sq_webdriver *wd, struct sq_span script,
                   struct sq_span argument, const struct sq_json **value,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Evaluates an expression in the page; with SQ_WD_CHROME in a world of our own,
 * in which scripts of the page cannot change anything.
 */
bool sq_wd_evaluate(struct sq_webdriver *wd, struct sq_span code,
                    const struct sq_json **value,
                    const struct sq_deadline *deadline, struct sq_err *err);

#define SQ_WD_WORD_SIZE 400

/* Calls a function of the walk over the page that answers with a word. */
bool sq_wd_ask_page(struct sq_webdriver *wd, struct sq_span call,
                    char word[SQ_WD_WORD_SIZE],
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Lists the elements of the page, whose size was read, and of its frames; all:
 * also what is not on the screen.
 */
bool sq_wd_list_page(struct sq_webdriver *wd, bool all, struct sq_tree *out,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* The key of an element's id in the protocol. */
#define SQ_WD_ELEMENT_KEY "element-6066-11e4-a52e-4f735466cecf"

/* Copies the id of an element, tab or session. Returns false, and copies
 * nothing, if it fits in no path. */
bool sq_wd_copy_id(struct sq_span id, char out[SQ_WD_SESSION_SIZE]);

/* A command of Appium with one text as its argument, or without one. */
struct sq_wd_mobile {
    const char *command; /* without "mobile: " */
    const char *name;    /* of the argument; NULL: it has none */
    struct sq_span text;
};

bool sq_wd_mobile(struct sq_webdriver *wd, const struct sq_wd_mobile *call,
                  const struct sq_json **value,
                  const struct sq_deadline *deadline, struct sq_err *err);
#define SQ_WD_MOBILE(...) (&(struct sq_wd_mobile){ __VA_ARGS__ })

#define SQ_WD_MAX_BODY ((size_t)1 << 20) /* of a request */

/* Writes `{"NAME":"TEXT"}`. */
bool sq_wd_write_text(struct sq_buf *out, const char *name, struct sq_span text,
                      struct sq_err *err);

/* Sends that as a command. */
bool sq_wd_post_text(struct sq_webdriver *wd, const char *path,
                     const char *name, struct sq_span text,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Fails because nothing that takes text has the focus. */
bool sq_wd_fail_focus(struct sq_err *err);

/* Shows a tab that has opened since the last call, and says so. */
void sq_wd_show_new_tab(struct sq_webdriver *wd,
                        const struct sq_deadline *deadline);

/* Reads the id of the element with the focus. Fails if there is none. */
bool sq_wd_find_focus(struct sq_webdriver *wd, char id[SQ_WD_SESSION_SIZE],
                      const struct sq_deadline *deadline, struct sq_err *err);

sq_screen_fn sq_wd_screen;
sq_capture_fn sq_wd_capture;
sq_tree_fn sq_wd_tree;
sq_tree_fn sq_wd_whole_tree;
sq_reveal_fn sq_wd_reveal;
sq_current_app_fn sq_wd_current_app;
sq_tap_fn sq_wd_tap;
sq_swipe_fn sq_wd_swipe;
sq_text_fn sq_wd_text;
sq_name_fn sq_wd_key;
sq_name_fn sq_wd_launch;
sq_name_fn sq_wd_stop;
sq_apps_fn sq_wd_apps;
sq_hand_fn sq_wd_gesture;

#endif
