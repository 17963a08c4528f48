/* What the files of this folder share. */
#ifndef SQ_DEVICE_WEBDRIVER_PRIVATE_H
#define SQ_DEVICE_WEBDRIVER_PRIVATE_H

#include "device/device.h"
#include "device/webdriver/webdriver.h"
#include "json/reader.h"
#include "json/writer.h"

#define SQ_WD_NAME_SIZE 46 /* two fit in the id of a device */
#define SQ_WD_SESSION_SIZE 256
#define SQ_WD_PATH_SIZE (2 * SQ_WD_SESSION_SIZE + 80)

/* An entry of webdriver.endpoints: [NAME=]URL[ CAPABILITIES]. */
struct sq_wd_endpoint {
    char name[SQ_WD_NAME_SIZE];
    char *url; /* without a slash at its end; may contain a password */
    struct sq_span capabilities; /* a JSON object, or empty */
    char *memory;                /* of both */
    size_t size;                 /* of the memory */
};

/*
 * Reads an entry; `index` names it if it has no name. Replaces ${NAME} by the
 * variable of the environment. Errors never contain its value. The caller
 * calls sq_wd_endpoint_finish.
 */
bool sq_wd_endpoint_parse(const char *entry, size_t index,
                          struct sq_wd_endpoint *out, struct sq_err *err);

/* Erases the memory. Safe on a zeroed value. */
void sq_wd_endpoint_finish(struct sq_wd_endpoint *endpoint);

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
    const char *name; /* of the server, for messages; not owned */
    const char *url;  /* not owned */
    void *easy;       /* libcurl's */
    void *multi;
    void *headers;
};

struct sq_wd_request {
    const char *method;
    const char *path;    /* begins with a slash */
    struct sq_span body; /* of a POST; empty: {} */
};

/*
 * Sends a request, and puts the body of the answer into out, which is cleared
 * before. Fails with SQ_ERR_DEVICE_OFFLINE if there is no answer,
 * SQ_ERR_UNSUPPORTED without libcurl, SQ_ERR_LIMIT for a longer answer than out
 * may hold.
 */
bool sq_wd_send(struct sq_wd_client *client,
                const struct sq_wd_request *request, int *status,
                struct sq_buf *out, const struct sq_deadline *deadline,
                struct sq_err *err);

/* Safe on a zeroed value. */
void sq_wd_client_finish(struct sq_wd_client *client);

/*
 * Reads the value of an answer. Fails with the error that the server reports,
 * as ours; server names it. *value points into arena and body. Pure.
 */
bool sq_wd_parse(const char *server, int status, struct sq_span body,
                 struct sq_arena *arena, const struct sq_json **value,
                 struct sq_err *err);

/* The cause of an error of a session that does not exist any more. */
#define SQ_WD_SESSION_ENDED 1
/* The cause of an error because a dialog is open. */
#define SQ_WD_DIALOG_OPEN 2

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
    struct sq_wd_endpoint endpoint;
    struct sq_buf capabilities;
    struct sq_wd_client client;
    enum sq_wd_platform platform;
    bool is_emulated_phone;           /* a browser whose pointer is a finger */
    char session[SQ_WD_SESSION_SIZE]; /* its id; empty: none */
    char model[SQ_DEVICE_TEXT_SIZE];
    char version[SQ_DEVICE_TEXT_SIZE];
    struct sq_screen screen; /* as last read */
    struct sq_buf body;      /* of the last answer */
    struct sq_arena arena;   /* of its values */
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

/* Ends it, if there is one. Waits a short time only. */
void sq_wd_end(struct sq_webdriver *wd);

/*
 * Calls a command of the session; the path is relative to it: "/url". *value
 * (may be NULL) is valid until the next call.
 */
bool sq_wd_call(struct sq_webdriver *wd, const struct sq_wd_request *request,
                const struct sq_json **value,
                const struct sq_deadline *deadline, struct sq_err *err);

#define SQ_WD_REQUEST(method, path, body)                                      \
    (&(struct sq_wd_request){ method, path, body })
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

/* Writes one command that is the same for all: `{"NAME":"TEXT"}`. */
bool sq_wd_write_text(struct sq_buf *out, const char *name, struct sq_span text,
                      struct sq_err *err);

/*
 * Writes the path of a command of the element with the focus:
 * "/element/ID/WHAT". Fails if there is none.
 */
bool sq_wd_active_element(struct sq_webdriver *wd, const char *what,
                          char path[SQ_WD_PATH_SIZE],
                          const struct sq_deadline *deadline,
                          struct sq_err *err);

sq_screen_fn sq_wd_screen;
sq_capture_fn sq_wd_capture;
sq_tree_fn sq_wd_tree;
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
