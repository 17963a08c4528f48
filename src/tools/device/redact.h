/* Removes what looks like a secret from lines of a log. Pure. */
#ifndef SQ_TOOLS_DEVICE_REDACT_H
#define SQ_TOOLS_DEVICE_REDACT_H

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Appends a line. Values after words such as "password=", "token:" and
 * "Bearer " become "[redacted]".
 */
bool sq_redact_line(struct sq_buf *out, struct sq_span line,
                    struct sq_err *err);

#endif
