/*
 * Limits heavy work, such as encoding pictures or reading many of them, to one
 * call per processor. All calls of a process share one quota of processors.
 */
#ifndef SQ_TOOL_WORK_H
#define SQ_TOOL_WORK_H

#include <stdbool.h>

#include "sys/lock.h"

/* More workers would only use more memory. */
#define SQ_MAX_WORKERS 8

/* One call's slot. A plain value; a zeroed one never waits. */
struct sq_work {
    struct sq_quota *processors; /* NULL: not limited */
    struct sq_quota_part slot;   /* held while it works */
};

/*
 * Waits for a slot until the call's deadline. Returns true immediately if the
 * call already has one. Urgent work, which blocks a device, goes first. work
 * may be NULL.
 */
bool sq_work_begin(struct sq_work *work, bool is_urgent,
                   const struct sq_deadline *deadline, struct sq_err *err);

/* Releases the slot. Does nothing if the call has none; work may be NULL. */
void sq_work_end(struct sq_work *work);

#endif
