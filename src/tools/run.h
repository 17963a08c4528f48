/*
 * From an operation's name and its arguments to its answer, the same way for
 * every caller: the protocol, the command line, the inspector.
 */
#ifndef SQ_TOOLS_RUN_H
#define SQ_TOOLS_RUN_H

#include "config/config.h"
#include "device/kinds.h"
#include "session/session.h"
#include "tool/tool.h"

/* What a call may use; nothing in it is owned. */
struct sq_call_context {
    struct sq_session *session;
    const struct sq_config *config;
    struct sq_devices *devices;
    const struct sq_library *past;
    struct sq_span client;    /* may be empty */
    bool is_alone;            /* no other call of the session follows */
    struct sq_cancel *cancel; /* NULL: the call cannot be called off */
    struct sq_ticket *turn;   /* of sq_tools_queue; NULL: take one now */
    /*
     * For what is heavy. What SQ_TOOL_HEAVY has begun goes on until the caller
     * ends it: so its answer is gone before the next one is made. May be NULL.
     */
    struct sq_work *work;
    void (*progress)(struct sq_call *call, double done, double total,
                     const char *message); /* may be NULL */
    void *progress_context;
};

/* The arguments that every operation on a device takes. */
extern const struct sq_arg sq_common_args[];

/* Those, where they apply; NULL where not. */
const struct sq_arg *sq_tool_common_args(const struct sq_tool *tool);

/*
 * Stand in line for the device that a call is about: calls on a device run in
 * the order in which they did so. Never waits. *out stays NULL for calls that
 * need no device, or cannot be understood; else end it with sq_ticket_leave
 * when the call has been answered. Any thread.
 */
bool sq_tools_queue(struct sq_devices *devices, const struct sq_tool *tool,
                    const struct sq_json *arguments, struct sq_ticket **out,
                    struct sq_err *err);

/*
 * Run an operation. arguments is the JSON object as it was sent (NULL: none)
 * and must outlive the call. *result is zeroed before and the caller's to
 * finish in any case: with its blocks after a success; after a failure it
 * holds no block, and in `details` perhaps what belongs beside the error.
 * Any thread.
 */
bool sq_tools_run(const char *operation, const struct sq_json *arguments,
                  const struct sq_call_context *context,
                  struct sq_result *result, struct sq_err *err);

#endif
