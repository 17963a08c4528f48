/* The manual, written from the table of operations. */
#ifndef SQ_TOOLS_RTFM_H
#define SQ_TOOLS_RTFM_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/*
 * Append a page as Markdown: the overview without a tool's name (NULL or
 * empty), a tool's page, or an operation's. "ui" with "tap", "ui_tap" and
 * "tap" are the same page. Unknown names are SQ_ERR_NOT_FOUND, with the known
 * ones as the hint; out is then as it was.
 */
bool sq_rtfm(const char *tool_name, const char *operation, struct sq_buf *out,
             struct sq_err *err);

/* Append docs/tools.md: everything on one page. */
bool sq_rtfm_all(struct sq_buf *out, struct sq_err *err);

#endif
