/*
 * Checks before a tap whether the screen around the point still shows what the
 * picture showed that the point was taken from.
 */
#ifndef SQ_TOOLS_SCREEN_GUARD_H
#define SQ_TOOLS_SCREEN_GUARD_H

#include "tools/screen/receipt.h"

/* What happens if it shows something else. */
enum sq_guard {
    SQ_GUARD_REPORT, /* the receipt says targetChanged */
    SQ_GUARD_STRICT, /* the tap is refused, too */
};
extern const char *const sq_guard_words[];

/*
 * Compares the area around the target with its picture, if both are known: the
 * target is a point of a picture that is still stored, and the receipt looks at
 * the screen anyway or the guard is strict. Sets act->target_changed. A strict
 * guard then fails with SQ_ERR_STALE_SCREENSHOT. Call it before the tap.
 */
bool sq_guard_check(struct sq_act *act, const struct sq_target *target,
                    enum sq_guard guard, struct sq_err *err);

#endif
