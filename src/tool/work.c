/* Implements the slots that limit heavy work. */
#include "tool/work.h"

#include <stddef.h>

bool
sq_work_begin(struct sq_work *work, bool is_urgent,
              const struct sq_deadline *deadline, struct sq_err *err) {
    if (!work || !work->gate || work->is_begun) {
        return true;
    }
    if (!sq_gate_enter(work->gate, is_urgent, deadline, err)) {
        sq_fail_in(err, "waiting for a free processor, with %d other calls",
                   sq_gate_waiting(work->gate));
        return sq_fail_hint(err, "Nothing was done. Pictures are made one per "
                                 "processor at a time: wait for the earlier "
                                 "calls, or send fewer at a time.");
    }
    work->is_begun = true;
    return true;
}

void
sq_work_end(struct sq_work *work) {
    if (work && work->is_begun) {
        work->is_begun = false;
        sq_gate_leave(work->gate);
    }
}
