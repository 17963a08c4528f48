/* Error messages for errno values, and for a lack of descriptors. */
#include "sys/call.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool
sq_is_out_of_descriptors(int number) {
    return number == EMFILE || number == ENFILE;
}

void
sq_errno_text(int number, char out[SQ_ERRNO_TEXT_SIZE]) {
    if (strerror_r(number, out, SQ_ERRNO_TEXT_SIZE) != 0) {
        snprintf(out, SQ_ERRNO_TEXT_SIZE, "error %d", number);
    }
}

bool
sq_errno_fail(struct sq_err *err, const char *format, ...) {
    char why[SQ_ERRNO_TEXT_SIZE];
    char what[200];
    va_list args;
    int number = errno;
    sq_errno_text(number, why);
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    if (sq_is_out_of_descriptors(number)) {
        sq_fail(err, SQ_ERR_EXHAUSTED,
                "cannot %s: this process has no file descriptor left (%s)",
                what, why);
        return sq_fail_hint(err, "%s", SQ_DESCRIPTORS_HINT);
    }
    return sq_fail(err, number == ENOMEM ? SQ_ERR_NOMEM : SQ_ERR_IO,
                   "cannot %s: %s", what, why);
}
