/* Quotes text for commands on the device. All untrusted words go through it. */
#ifndef SQ_DEVICE_ANDROID_QUOTE_H
#define SQ_DEVICE_ANDROID_QUOTE_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Appends text as exactly one word of a POSIX shell, including the empty text.
 * Fails with SQ_ERR_ARGUMENT if the text contains NUL. The buffer is unchanged
 * on failure.
 */
bool sq_shell_quote(struct sq_buf *out, struct sq_span text,
                    struct sq_err *err);

#endif
