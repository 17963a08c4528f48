/*
 * Lets a person hold the calls that change something, until they are released
 * one by one or all together, or refused. Calls that only look are never held.
 * One gate for all clients of a server. All functions are thread-safe.
 */
#ifndef SQ_TOOL_CALL_GATE_H
#define SQ_TOOL_CALL_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

enum sq_gate_mode {
    SQ_GATE_RUN,     /* nothing is held */
    SQ_GATE_HOLD,    /* the agent is paused */
    SQ_GATE_APPROVE, /* a person decides on each call */
};

struct sq_call_gate;

/*
 * max_wait_ms limits how long a call is held; 0: the default of 50 s, which is
 * below the usual time limit of clients.
 */
bool sq_call_gate_create(int max_wait_ms, struct sq_call_gate **out,
                         struct sq_err *err);

/* No call may be waiting. Accepts NULL. */
void sq_call_gate_destroy(struct sq_call_gate *gate);

/* Returns the mode. One relaxed load; gate may be NULL: SQ_GATE_RUN. */
enum sq_gate_mode sq_call_gate_mode(const struct sq_call_gate *gate);

/* Sets the mode. SQ_GATE_RUN also releases all calls that wait. */
void sq_call_gate_set_mode(struct sq_call_gate *gate, enum sq_gate_mode mode);

/*
 * Lets one call pass: the one that waits longest, or the next one to arrive if
 * none waits. Sets the mode to SQ_GATE_HOLD if it was SQ_GATE_RUN.
 */
void sq_call_gate_step(struct sq_call_gate *gate);

/*
 * Releases or refuses one waiting call. The reason is shown to the client; it
 * is cut if long, and may be empty. Returns false if no such call waits.
 */
bool sq_call_gate_release(struct sq_call_gate *gate, uint64_t id);
bool sq_call_gate_refuse(struct sq_call_gate *gate, uint64_t id,
                         struct sq_span reason);

/* A call at the gate. */
struct sq_gate_call {
    uint64_t id;      /* names it in release and refuse; 0: has no name */
    const char *name; /* for errors: "tap" */
    /* What a client whose call was not released should know; NULL: default. */
    const char *hint;
    /*
     * What the person who decides must see of it, for sq_call_gate_shown. May
     * be empty; `waits` may fill it. NULL: nothing.
     */
    const struct sq_buf *shown;
    /*
     * Called when the call must wait, and when it was released, on its thread.
     * waits is called before the call can be released; released is called
     * in the order in which the calls arrived, and must not wait. A failure of
     * released is a failure to enter. May be NULL.
     */
    void (*waits)(void *context);
    bool (*released)(void *context, struct sq_err *err);
    void *context;
};

/*
 * Waits until the call may act. Returns immediately in mode SQ_GATE_RUN. Fails
 * with SQ_ERR_HELD when the call was not released in time, SQ_ERR_REFUSED when
 * a person refused it, and SQ_ERR_CANCELLED. gate may be NULL.
 */
bool sq_call_gate_enter(struct sq_call_gate *gate,
                        const struct sq_gate_call *call,
                        struct sq_cancel *cancel, struct sq_err *err);

/*
 * Writes the ids of the waiting calls, oldest first, at most max of them.
 * Returns how many wait.
 */
int sq_call_gate_waiting(struct sq_call_gate *gate, uint64_t *ids, int max);

/*
 * Appends what is to be seen of a waiting call. Fails if it does not wait, or
 * has nothing.
 */
bool sq_call_gate_shown(struct sq_call_gate *gate, uint64_t id,
                        struct sq_buf *out, struct sq_err *err);

/*
 * Called, with the gate's lock held, after the mode or the waiting calls have
 * changed. Must not wait nor use the gate. NULL: no watcher. When this
 * returns, the former function is not running.
 */
void sq_call_gate_watch(struct sq_call_gate *gate,
                        void (*changed)(void *context), void *context);

#endif
