/* The error codes as callers know them: stable, upper case. */
#ifndef SQ_TOOL_NAMES_H
#define SQ_TOOL_NAMES_H

#include "util/err.h"

/* "INPUT_VALIDATION_FAILED"; never NULL. */
const char *sq_tool_error_name(enum sq_err_code code);

#endif
