/* Implements the slots that limit heavy work. */
#include "tool/work.h"

#include <stddef.h>

bool
sq_work_begin(struct sq_work *work, bool is_urgent,
              const struct sq_deadline *deadline, struct sq_err *err) {
    if (!work || !work->processors || work->slot.held > 0) {
        return true;
    }
    work->slot.is_urgent = is_urgent;
    if (!sq_deadline_check(deadline, err)
        || !sq_quota_take(work->processors, &work->slot, 1, deadline, err)) {
        sq_fail_in(err, "waiting for a free processor, with %d other calls",
                   sq_quota_waiting(work->processors));
        return sq_fail_hint(err, "Nothing was done. Pictures are made one per "
                                 "processor at a time: wait for the earlier "
                                 "calls, or send fewer at a time.");
    }
    return true;
}

void
sq_work_end(struct sq_work *work) {
    if (work) {
        sq_quota_release(&work->slot);
    }
}
