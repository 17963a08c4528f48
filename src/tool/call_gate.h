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
#include "tool/gate_state.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

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

/* Returns how often the mode or the waiting calls have changed. */
uint64_t sq_call_gate_version(const struct sq_call_gate *gate);

/*
 * Sets the mode. SQ_GATE_RUN also releases all calls that wait, but for those
 * of a rule. No call is approved in advance any more. Returns false if it is in
 * force, but could not be written for the next start.
 */
bool sq_call_gate_set_mode(struct sq_call_gate *gate, enum sq_gate_mode mode);

/*
 * Replaces the rules: of the mode and those of the rules that are about a call,
 * the strictest counts. Otherwise as sq_call_gate_set_mode.
 */
bool sq_call_gate_set_rules(struct sq_call_gate *gate,
                            const struct sq_gate_rule *rules, int count);

/* Copies the rules. Returns their number. gate may be NULL: none. */
int sq_call_gate_rules(struct sq_call_gate *gate,
                       struct sq_gate_rule out[SQ_GATE_MAX_RULES]);

/*
 * Goes on in the mode that was the last with this file, with its rules, and
 * keeps each later one in it. A file that cannot be understood means
 * SQ_GATE_HOLD. Call it before the first call.
 */
bool sq_call_gate_keep(struct sq_call_gate *gate, const char *path,
                       struct sq_err *err);

/*
 * Obeys the mode in this file, which other processes write, from now on; a file
 * that does not exist means SQ_GATE_RUN. No person decides here before
 * sq_call_gate_set_attended.
 */
void sq_call_gate_follow(struct sq_call_gate *gate, const char *path);

/* Reads the file again if it has changed, and returns the mode. */
enum sq_gate_mode sq_call_gate_reread(struct sq_call_gate *gate);

/*
 * Says whether a person can decide. If not, calls that wait, and all that would
 * have to, fail immediately with SQ_ERR_HELD.
 */
void sq_call_gate_set_attended(struct sq_call_gate *gate, bool is_attended);

/*
 * Lets one call pass: the one that waits longest, or the next one to arrive if
 * none waits. Sets the mode to SQ_GATE_HOLD if it was SQ_GATE_RUN. Returns as
 * sq_call_gate_set_mode.
 */
bool sq_call_gate_step(struct sq_call_gate *gate);

/*
 * Releases or refuses one waiting call. The reason is shown to the client; it
 * is cut if long, and may be empty. Returns false if no such call waits.
 */
bool sq_call_gate_release(struct sq_call_gate *gate, uint64_t id);
bool sq_call_gate_refuse(struct sq_call_gate *gate, uint64_t id,
                         struct sq_span reason);

/*
 * Releases a waiting call and, for that time and while the mode stays, all
 * calls of the same name and client. Returns false if no such call waits or if
 * it has no kind.
 */
bool sq_call_gate_release_kind(struct sq_call_gate *gate, uint64_t id,
                               int64_t duration_ns);

/* Calls of a client that are approved in advance. */
struct sq_gate_grant {
    uint64_t client;
    char name[32];
    int64_t until_ns; /* by sq_clock_monotonic_ns */
};

#define SQ_GATE_MAX_GRANTS 32

/* Writes the valid ones. Returns their number. */
int sq_call_gate_grants(struct sq_call_gate *gate,
                        struct sq_gate_grant out[SQ_GATE_MAX_GRANTS]);

/* A call at the gate. */
struct sq_gate_call {
    uint64_t id;      /* names it in release and refuse; 0: has no name */
    const char *name; /* for errors: "tap" */
    struct sq_policy_scope about;
    enum sq_gate_mode least; /* it is held at least in this mode */
    uint64_t client;         /* who sent it */
    bool has_kind;           /* calls of that name and client are of one kind */
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

/* Returns the mode in which a call would be held, after reading the file. */
enum sq_gate_mode sq_call_gate_mode_of(struct sq_call_gate *gate,
                                       const struct sq_gate_call *call);

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

/* Copies a waiting call; its name must be a constant. False: none waits. */
bool sq_call_gate_get(struct sq_call_gate *gate, uint64_t id,
                      struct sq_gate_call *out);

/*
 * Appends what is to be seen of a waiting call. Fails if it does not wait, or
 * has nothing.
 */
bool sq_call_gate_shown(struct sq_call_gate *gate, uint64_t id,
                        struct sq_buf *out, struct sq_err *err);

/*
 * Says that a call of an agent begins to use devices, or no longer does. gate
 * may be NULL.
 */
void sq_call_gate_begin_use(struct sq_call_gate *gate);
void sq_call_gate_end_use(struct sq_call_gate *gate);

/* Returns for how long agents have used no device; 0 while one does. */
int64_t sq_call_gate_idle_ns(const struct sq_call_gate *gate);

/*
 * Called, with the gate's lock held, after the mode or the waiting calls have
 * changed. Must not wait nor use the gate. NULL: no watcher. When this
 * returns, the former function is not running.
 */
void sq_call_gate_watch(struct sq_call_gate *gate,
                        void (*changed)(void *context), void *context);

#endif
