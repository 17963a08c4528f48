/* The one way in which text becomes a word of a command on the device. */
#ifndef SQ_DEVICE_ANDROID_QUOTE_H
#define SQ_DEVICE_ANDROID_QUOTE_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Append text as exactly one word of a POSIX shell, whatever it holds; the
 * empty text is a word, too. NUL cannot be in a command: SQ_ERR_ARGUMENT. On
 * failure the buffer is as it was.
 */
bool sq_shell_quote(struct sq_buf *out, struct sq_span text,
                    struct sq_err *err);

#endif
