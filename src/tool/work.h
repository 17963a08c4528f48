/*
 * What takes a processor for long, or much memory: making pictures, reading
 * many of them. All calls of a program share one gate that lets one in per
 * processor.
 */
#ifndef SQ_TOOL_WORK_H
#define SQ_TOOL_WORK_H

#include <stdbool.h>

#include "sys/gate.h"

/* More than this at a time would only cost memory. */
#define SQ_MAX_WORKERS 8

/* One call's place in it. A value: zeroed it lets everything happen at once. */
struct sq_work {
    struct sq_gate *gate; /* NULL: there is nobody to share with */
    bool is_begun;
};

/*
 * Wait for a place, with the deadline of the call; true at once if it has one.
 * Urgent is what keeps a device waiting. work may be NULL.
 */
bool sq_work_begin(struct sq_work *work, bool is_urgent,
                   const struct sq_deadline *deadline, struct sq_err *err);

/* Give it to the next one. Safe if it has none; work may be NULL. */
void sq_work_end(struct sq_work *work);

#endif
