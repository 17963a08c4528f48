/* Maps error codes to their public names, which are stable and upper case. */
#ifndef SQ_TOOL_NAMES_H
#define SQ_TOOL_NAMES_H

#include "util/err.h"

/* Returns a name such as "INPUT_VALIDATION_FAILED"; never NULL. */
const char *sq_tool_error_name(enum sq_err_code code);

#endif
