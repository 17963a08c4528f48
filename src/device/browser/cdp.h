/*
 * The Chrome DevTools Protocol: JSON messages, which end with a NUL byte on a
 * pipe, and are those of a websocket otherwise. Used by one thread at a time.
 */
#ifndef SQ_DEVICE_BROWSER_CDP_H
#define SQ_DEVICE_BROWSER_CDP_H

#include "device/browser/websocket.h"
#include "json/reader.h"
#include "sys/channel.h"
#include "util/arena.h"

#define SQ_CDP_ID_SIZE 80 /* of sessions, targets and frames */

/* One message. Spans and values point into the text and the arena. */
struct sq_cdp_message {
    int64_t id;             /* of the command that it answers; 0: an event */
    struct sq_span method;  /* of an event */
    struct sq_span session; /* empty: the browser itself */
    const struct sq_json *params; /* of an event, or the result of a command */
    bool is_error;
    struct sq_span error; /* its message */
};

/* Reads a message. Pure. Fails with SQ_ERR_FORMAT if it is malformed. */
bool sq_cdp_parse(struct sq_span text, struct sq_arena *arena,
                  struct sq_cdp_message *out, struct sq_err *err);

struct sq_cdp {
    struct sq_channel *channel;
    struct sq_cdp_link { /* plain values, which a keeper passes */
        int64_t last_id;
        bool is_websocket;
        struct sq_websocket websocket;
    } link;
    struct sq_buf frames; /* of the websocket, as they were received */
    struct sq_buf in;     /* messages, each with a NUL byte at its end */
    size_t used;          /* bytes of it that were read */
    bool is_cut;          /* the last one is too large: its rest is left out */
    struct sq_arena arena;
    bool asks_page; /* the last command is for a page */
    /* Sees every event, and may not call the functions here. */
    void (*on_event)(void *context, const struct sq_cdp_message *event);
    /* Returns whether a page gives no answer now, and why. */
    bool (*is_blocked)(void *context, struct sq_err *err);
    void *context;
};

/* A command to the page of a session; "": to the browser itself. */
struct sq_cdp_command {
    const char *session;
    const char *method;
    struct sq_span params; /* a JSON object */
    const char *key;       /* one more member of it, and its text */
    struct sq_span text;
};

#define SQ_CDP_COMMAND(session, method, params)                                \
    SQ_CDP_TEXT_COMMAND(session, method, params, NULL, (struct sq_span){ 0 })
#define SQ_CDP_TEXT_COMMAND(session, method, params, key, text)                \
    (&(const struct sq_cdp_command){ (session), (method), (params), (key),     \
                                     (text) })

/* Starts a browser. The caller calls sq_cdp_finish, also after a failure. */
bool sq_cdp_start(struct sq_cdp *cdp, const char *const *argv,
                  struct sq_err *err);

/*
 * Uses a connection to a browser that is running, which is owned from now on.
 * The caller calls sq_cdp_finish, also after a failure.
 */
bool sq_cdp_adopt(struct sq_cdp *cdp, int socket, bool is_websocket,
                  struct sq_err *err);

/* Ends a browser that was started. Safe on a zeroed value. */
void sq_cdp_finish(struct sq_cdp *cdp);

/* Sends a command. *id is that of the answer. */
bool sq_cdp_send(struct sq_cdp *cdp, const struct sq_cdp_command *command,
                 int64_t *id, const struct sq_deadline *deadline,
                 struct sq_err *err);

/*
 * Waits for the answer to a command. *result (may be NULL) is valid until the
 * next call of a function here. Fails with SQ_ERR_IO if the browser reports an
 * error, and as is_blocked does.
 */
bool sq_cdp_await(struct sq_cdp *cdp, int64_t id, const struct sq_json **result,
                  const struct sq_deadline *deadline, struct sq_err *err);

/* Sends a command and waits for its answer. */
bool sq_cdp_call(struct sq_cdp *cdp, const struct sq_cdp_command *command,
                 const struct sq_json **result,
                 const struct sq_deadline *deadline, struct sq_err *err);

/* Handles the events that have arrived; waits up to wait_ms for one. */
bool sq_cdp_pump(struct sq_cdp *cdp, int wait_ms,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
