/* Records errors and maps error codes to names. */
#include "util/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [SQ_ERR_NONE] = "none",
    [SQ_ERR_NOMEM] = "no_memory",
    [SQ_ERR_EXISTS] = "exists",
    [SQ_ERR_ARGUMENT] = "argument",
    [SQ_ERR_FORMAT] = "format",
    [SQ_ERR_TRUNCATED] = "truncated",
    [SQ_ERR_LIMIT] = "limit",
    [SQ_ERR_UNSUPPORTED] = "unsupported",
    [SQ_ERR_NOT_FOUND] = "not_found",
    [SQ_ERR_IO] = "io",
    [SQ_ERR_TIMEOUT] = "timeout",
    [SQ_ERR_CANCELLED] = "cancelled",
    [SQ_ERR_EXHAUSTED] = "exhausted",
    [SQ_ERR_INVALID_OPERATION] = "invalid_operation",
    [SQ_ERR_NO_DEVICES] = "no_devices",
    [SQ_ERR_MULTIPLE_DEVICES] = "multiple_devices",
    [SQ_ERR_DEVICE_NOT_FOUND] = "device_not_found",
    [SQ_ERR_DEVICE_OFFLINE] = "device_offline",
    [SQ_ERR_PACKAGE_NOT_FOUND] = "package_not_found",
    [SQ_ERR_SCREENSHOT_FAILED] = "screenshot_failed",
    [SQ_ERR_SECURE_SCREEN] = "secure_screen",
    [SQ_ERR_ELEMENT_NOT_FOUND] = "element_not_found",
    [SQ_ERR_AMBIGUOUS_MATCH] = "ambiguous_match",
    [SQ_ERR_AMBIGUOUS_FRAME] = "ambiguous_frame",
    [SQ_ERR_STALE_ELEMENT] = "stale_element",
    [SQ_ERR_STALE_SCREENSHOT] = "stale_screenshot",
    [SQ_ERR_UNKNOWN_SCREENSHOT] = "unknown_screenshot",
    [SQ_ERR_HELD] = "held",
    [SQ_ERR_REFUSED] = "refused",
};

static void set(struct sq_err *err, enum sq_err_code code, const char *format,
                va_list args) __attribute__((format(printf, 3, 0)));

static void
set(struct sq_err *err, enum sq_err_code code, const char *format,
    va_list args) {
    vsnprintf(err->message, sizeof(err->message), format, args);
    err->code = code;
    err->hint[0] = '\0';
    err->quotes = false;
    err->about_json = false;
    err->cause = 0;
}

bool
sq_err_set(struct sq_err *err, enum sq_err_code code, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        set(err, code, format, args);
        va_end(args);
    }
    return false;
}

bool
sq_err_set_quoting(struct sq_err *err, enum sq_err_code code,
                   const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        set(err, code, format, args);
        va_end(args);
        err->quotes = true;
    }
    return false;
}

bool
sq_err_set_hint(struct sq_err *err, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->hint, sizeof(err->hint), format, args);
        va_end(args);
    }
    return false;
}

bool
sq_err_set_cause(struct sq_err *err, int cause) {
    if (err) {
        err->cause = cause;
    }
    return false;
}

bool
sq_err_set_about_json(struct sq_err *err) {
    if (err) {
        err->about_json = true;
    }
    return false;
}

bool
sq_err_copy(struct sq_err *err, const struct sq_err *other) {
    if (err) {
        *err = *other;
    }
    return false;
}

bool
sq_err_set_context(struct sq_err *err, const char *format, ...) {
    if (err) {
        char old[sizeof(err->message)];
        memcpy(old, err->message, sizeof(old));
        va_list args;
        va_start(args, format);
        int used = vsnprintf(err->message, sizeof(err->message), format, args);
        va_end(args);
        int capacity = (int)sizeof(err->message) - used;
        if (used >= 0 && capacity > 0) {
            /* If both together are too long, the end is truncated. */
            snprintf(err->message + used, (size_t)capacity, ": %.*s", capacity,
                     old);
        }
    }
    return false;
}

const char *
sq_err_name(enum sq_err_code code) {
    return names[code];
}
