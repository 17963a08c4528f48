/*
 * Runs an operation by name, in the same way for every caller: the protocol,
 * the command line and the inspector.
 */
#ifndef SQ_TOOLS_RUN_H
#define SQ_TOOLS_RUN_H

#include "config/config.h"
#include "device/kinds.h"
#include "session/session.h"
#include "tool/tool.h"

/* The arguments of every operation on a device. */
extern const struct sq_arg sq_common_args[];

/* Returns sq_common_args if they apply to the tool, else NULL. */
const struct sq_arg *sq_tool_common_args(const struct sq_tool *tool);

/*
 * Queues a call for its device; the calls of a client on a device run in the
 * order in which they were queued. Never waits. *out stays NULL for calls that
 * need no device or cannot be parsed; otherwise end it with sq_ticket_leave
 * after the call was answered. Thread-safe.
 */
bool sq_tools_queue(struct sq_devices *devices, const struct sq_tool *tool,
                    const struct sq_json *arguments, uint64_t client,
                    struct sq_ticket **out, struct sq_err *err);

/*
 * Fails with this code because there is no such operation; the hint names the
 * one that is probably meant. Returns false.
 */
bool sq_fail_unknown_operation(struct sq_span name, enum sq_err_code code,
                               struct sq_err *err);

/* Checks the arguments of the operation call->tool, and does nothing else. */
bool sq_tools_check_step(struct sq_call *call, const struct sq_json *arguments,
                         struct sq_err *err);

/*
 * Runs the operation call->tool with these arguments on the device that the
 * call already holds. For operations that run others.
 */
bool sq_tools_run_step(struct sq_call *call, const struct sq_json *arguments,
                       struct sq_err *err);

/*
 * Gives the device of a running call to others, and takes it again with a new
 * ticket for the same device. The caller leaves the ticket of the call after
 * the first and owns the new one. A call that does not get its device again
 * must fail.
 */
void sq_tools_leave_device(struct sq_call *call);
bool sq_tools_return_to_device(struct sq_call *call, struct sq_ticket *turn,
                               struct sq_err *err);

/*
 * Waits for some milliseconds, and gives the device to other clients meanwhile:
 * call->device may then be another value, and call->other_acted says whether
 * one of them acted. A call whose pause failed has no device and must fail.
 */
bool sq_tools_pause(struct sq_call *call, int ms, struct sq_err *err);

/* Lets other clients that wait for the device have their turn, if any does. */
bool sq_tools_take_turns(struct sq_call *call, struct sq_err *err);

/*
 * Runs an operation with what `given` has of the first part of struct sq_call.
 * arguments is the JSON object of the request (NULL: none) and must outlive the
 * call. *result must be zeroed; the caller always finishes
 * it. After a failure it holds no blocks, but `details` may hold data to send
 * with the error. Thread-safe.
 */
bool sq_tools_run(const char *operation, const struct sq_json *arguments,
                  const struct sq_call *given, struct sq_result *result,
                  struct sq_err *err);

#endif
