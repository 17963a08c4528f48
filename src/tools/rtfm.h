/* Generates the manual from the table of operations. */
#ifndef SQ_TOOLS_RTFM_H
#define SQ_TOOLS_RTFM_H

#include <stdbool.h>

#include "tools/offer.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Appends a page as Markdown: the overview (both names empty), the page of a
 * tool, or of an operation. "ui" with "tap", "ui_tap" and "tap" are the
 * same page. Fails with SQ_ERR_NOT_FOUND and the known names as the hint if the
 * name is unknown; out is then unchanged. A page names only what is offered.
 */
bool sq_rtfm(struct sq_offer offer, struct sq_span tool,
             struct sq_span operation, struct sq_buf *out, struct sq_err *err);

#endif
