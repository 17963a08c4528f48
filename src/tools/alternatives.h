/* What to say when a selector means several elements. */
#ifndef SQ_TOOLS_ALTERNATIVES_H
#define SQ_TOOLS_ALTERNATIVES_H

#include "device/device.h"
#include "tool/tool.h"
#include "tools/selector.h"

/*
 * Fail with SQ_ERR_AMBIGUOUS_MATCH and describe the matches in the result's
 * details, the best to tap first: by score, then what can be clicked, long
 * clicked, focused, then the smaller one. Returns false.
 */
bool sq_fail_ambiguous(struct sq_call *call, const struct sq_screen *screen,
                       struct sq_selection *selection, struct sq_err *err);

#endif
