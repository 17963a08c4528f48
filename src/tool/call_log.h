/*
 * Keeps the latest calls of all clients in memory, for the inspector and the
 * journal: arguments, results with pictures exactly as sent, errors, times and
 * tokens. Without space for all, the oldest answers are dropped first. Records
 * nothing without a listener. All functions are thread-safe.
 */
#ifndef SQ_TOOL_CALL_LOG_H
#define SQ_TOOL_CALL_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/view.h"
#include "image/measure/measure.h"
#include "tool/tool.h"
#include "util/err.h"
#include "util/span.h"

enum sq_call_state {
    SQ_CALL_RUNNING,
    SQ_CALL_HELD, /* waits at the gate for a person: tool/call_gate.h */
    SQ_CALL_SUCCEEDED,
    SQ_CALL_FAILED,
};

/* One content block of an answer. */
struct sq_logged_block {
    enum sq_block_kind kind;
    enum sq_audience audience;
    const char *mime_type; /* constant; may be NULL */
    struct sq_span data;   /* a picture's bytes, or text */
    struct sq_span uri;    /* of a link or resource; else empty */
    struct sq_span name;   /* of a link; else empty */
    struct sq_size size;   /* of a picture in pixels; 0x0: not known */
    int tokens;            /* of a picture by the log's profile */
};

/*
 * One call in one state. Immutable and reference-counted: each change of state
 * makes a new value with the same sequence number.
 */
struct sq_logged_call {
    uint64_t sequence; /* 1 for the first call of the log */
    uint64_t version;  /* of the log, when this value was added */
    enum sq_call_state state;
    uint64_t client;            /* number of the connection; 0: not a client */
    struct sq_span client_name; /* may be empty */
    struct sq_span tool;        /* as the client called it: "ui" */
    struct sq_span operation;   /* "tap"; empty if the call has none */
    struct sq_span device;      /* empty: none, or not known yet */
    struct sq_span arguments;   /* a JSON object on one line */
    bool has_secrets; /* typed texts of the arguments are "[secret N]"; while
                         it runs, all are "[hidden]" */
    bool acts;        /* changes something: the gate can hold it */
    bool is_person;   /* sent by the person who watches, not by an agent */
    bool is_light;    /* its answer is no longer kept, without space for it */

    int64_t started_wall_ns; /* since 1970-01-01 UTC */
    int64_t total_ns;        /* until the answer; -1: not answered yet */
    int64_t held_ns;         /* waiting for a person */
    int64_t device_ns;       /* in operations of the device; -1: not known */

    const struct sq_logged_block *blocks;
    int block_count;
    int picture_tokens; /* of all pictures */
    int text_tokens;    /* estimate: 4 bytes each */

    enum sq_err_code error; /* SQ_ERR_NONE: none */
    struct sq_span message; /* of the error; else empty */
    struct sq_span hint;    /* what to do about it; may be empty */
    struct sq_span details; /* JSON object of the error; may be empty */

    /* From the receipt, in pixels of the picture that the client saw. */
    bool has_point;
    struct sq_img_pt point; /* that was touched */
    bool has_end;
    struct sq_img_pt end; /* of a swipe or drag */
    struct sq_img_rects change;
    struct sq_span screenshot_id; /* of that picture; may be empty */
    struct sq_span picture_id;    /* of the picture in the answer; or empty */
};

struct sq_call_log;

/* Limits of what is kept. Zero means the default. */
struct sq_call_log_options {
    int max_calls;                          /* default 10,000 */
    size_t max_bytes;                       /* default 64 MB */
    const struct sq_token_profile *profile; /* NULL: counts no tokens */
    struct sq_json_mask mask;               /* for the arguments; zero: none */
    /* Returns whether an argument of an operation may be typed text. */
    bool (*may_be_typed)(struct sq_span operation, struct sq_span argument);
};

bool sq_call_log_create(const struct sq_call_log_options *options,
                        struct sq_call_log **out, struct sq_err *err);

/* Remove all listeners first. Accepts NULL. */
void sq_call_log_destroy(struct sq_call_log *log);

/*
 * Someone who wants calls to be recorded. The caller owns it, and keeps it
 * until it has been removed.
 */
struct sq_call_listener {
    /*
     * Called for every new value, in the order of their versions, on the thread
     * of the call and one at a time. May read the log; must not wait, nor add
     * or remove a listener. May be NULL: calls are only recorded.
     */
    void (*changed)(void *context, const struct sq_logged_call *call);
    void *context;
    struct sq_call_listener *next; /* private */
};

void sq_call_log_listen(struct sq_call_log *log,
                        struct sq_call_listener *listener);

/* When this returns, changed is not running and is not called again. */
void sq_call_log_unlisten(struct sq_call_log *log,
                          struct sq_call_listener *listener);

/* Returns whether there is a listener. One relaxed load; log may be NULL. */
bool sq_call_log_is_on(const struct sq_call_log *log);

/* What is known of a call before it runs. Texts are copied. */
struct sq_call_start {
    uint64_t client;
    struct sq_span client_name;
    struct sq_span tool;
    struct sq_span operation;
    const struct sq_json *arguments; /* an object or NULL */
    bool acts;
    bool is_person;
};

/*
 * Records that a call has started. Returns NULL if there is no listener or
 * no memory; the functions below accept that. The caller passes the value on to
 * sq_call_log_end.
 */
struct sq_logged_call *sq_call_log_begin(struct sq_call_log *log,
                                         const struct sq_call_start *start);

/* Records that a running call waits at the gate, or goes on. */
void sq_call_log_hold(struct sq_call_log *log, struct sq_logged_call **call,
                      bool is_held);

/* How a call ended. */
struct sq_call_end {
    const struct sq_json *arguments; /* as when it began */
    const struct sq_result *result;  /* may be NULL */
    const struct sq_err *err;        /* NULL: it succeeded */
    int64_t device_ns;               /* -1: not known */
    const char *device;              /* NULL: none, or not known */
    int text_tokens; /* if other texts are sent than the result has; else 0 */
};

/* Records the answer and releases the call. call may be NULL. */
void sq_call_log_end(struct sq_call_log *log, struct sq_logged_call *call,
                     const struct sq_call_end *end);

/*
 * Writes the current values of the kept calls whose version is greater than
 * `after`, by ascending versions, at most max of them: pass 0 first, then the
 * version of the last value. Returns their number. Release each.
 */
int sq_call_log_newer(struct sq_call_log *log, uint64_t after,
                      const struct sq_logged_call **out, int max);

/* Returns the current value of a call; NULL if it is not kept. Release it. */
const struct sq_logged_call *sq_call_log_get(struct sq_call_log *log,
                                             uint64_t sequence);

/* Ends the use of a value. Accepts NULL. */
void sq_logged_call_release(const struct sq_logged_call *call);

/* Adds a use of a value, for another thread or a later time. */
const struct sq_logged_call *
sq_logged_call_keep(const struct sq_logged_call *call);

/* The range of what is kept, and what was lost without memory. */
struct sq_call_log_state {
    uint64_t first_sequence; /* of the oldest kept call; 0: none */
    uint64_t last_sequence;
    uint64_t version; /* of the latest value */
    int count;
    size_t bytes;
    uint64_t lost; /* values that there was no memory for */
};

struct sq_call_log_state sq_call_log_state(struct sq_call_log *log);

#define SQ_MAX_CALL_TOTALS 64
#define SQ_TOTAL_NAME_SIZE 40

/* What one client has cost, also by calls that are no longer kept. */
struct sq_call_total {
    uint64_t client; /* 0: clients that left no room for themselves */
    char client_name[SQ_TOTAL_NAME_SIZE]; /* perhaps cut */
    int64_t calls;                        /* that were answered */
    int64_t pictures;
    int64_t picture_tokens;
    int64_t text_tokens;
};

/* Writes the totals of agents, not of the person. Returns their number. */
int sq_call_log_totals(struct sq_call_log *log,
                       struct sq_call_total out[SQ_MAX_CALL_TOTALS]);

#endif
