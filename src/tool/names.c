/* Maps error codes to their public names. */
#include "tool/names.h"

const char *
sq_tool_error_name(enum sq_err_code code) {
    static const char *const names[SQ_ERR_CODES] = {
        [SQ_ERR_NONE] = "NONE",
        [SQ_ERR_NOMEM] = "OUT_OF_MEMORY",
        [SQ_ERR_ARGUMENT] = "INPUT_VALIDATION_FAILED",
        [SQ_ERR_FORMAT] = "BAD_DATA",
        [SQ_ERR_TRUNCATED] = "BAD_DATA",
        [SQ_ERR_LIMIT] = "LIMIT_EXCEEDED",
        [SQ_ERR_UNSUPPORTED] = "UNSUPPORTED",
        [SQ_ERR_NOT_FOUND] = "NOT_FOUND",
        [SQ_ERR_IO] = "IO_ERROR",
        [SQ_ERR_TIMEOUT] = "TIMEOUT",
        [SQ_ERR_CANCELLED] = "CANCELLED",
        [SQ_ERR_EXHAUSTED] = "LIMIT_EXCEEDED",
        [SQ_ERR_INVALID_OPERATION] = "INVALID_OPERATION",
        [SQ_ERR_NO_DEVICES] = "NO_DEVICES",
        [SQ_ERR_MULTIPLE_DEVICES] = "MULTIPLE_DEVICES",
        [SQ_ERR_DEVICE_NOT_FOUND] = "DEVICE_NOT_FOUND",
        [SQ_ERR_DEVICE_OFFLINE] = "DEVICE_OFFLINE",
        [SQ_ERR_PACKAGE_NOT_FOUND] = "PACKAGE_NOT_FOUND",
        [SQ_ERR_SCREENSHOT_FAILED] = "SCREENSHOT_FAILED",
        [SQ_ERR_SECURE_SCREEN] = "SECURE_SCREEN",
        [SQ_ERR_ELEMENT_NOT_FOUND] = "ELEMENT_NOT_FOUND",
        [SQ_ERR_AMBIGUOUS_MATCH] = "AMBIGUOUS_MATCH",
        [SQ_ERR_AMBIGUOUS_FRAME] = "AMBIGUOUS_FRAME",
        [SQ_ERR_STALE_ELEMENT] = "STALE_ELEMENT_INDEX",
        [SQ_ERR_STALE_SCREENSHOT] = "STALE_SCREENSHOT",
        [SQ_ERR_UNKNOWN_SCREENSHOT] = "UNKNOWN_SCREENSHOT_ID",
    };
    return names[code];
}
