/* Reports a selector that matches several elements. */
#ifndef SQ_TOOLS_ELEMENTS_ALTERNATIVES_H
#define SQ_TOOLS_ELEMENTS_ALTERNATIVES_H

#include "device/device.h"
#include "tool/tool.h"
#include "tools/elements/selector.h"

/*
 * Fails with SQ_ERR_AMBIGUOUS_MATCH and lists the matches in the result's
 * details, the best tap target first: by score, then clickable, long-clickable,
 * focusable, then the smaller one. Always returns false.
 */
bool sq_fail_ambiguous(struct sq_call *call, const struct sq_screen *screen,
                       struct sq_selection *selection, struct sq_err *err);

/* Does the same for the elements that nearestTo names. */
bool sq_fail_ambiguous_anchor(struct sq_call *call,
                              const struct sq_screen *screen,
                              const struct sq_selection *selection,
                              struct sq_err *err);

#endif
