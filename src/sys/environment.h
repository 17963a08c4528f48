/* The names of the environment variables of this process. */
#ifndef SQ_SYS_ENVIRONMENT_H
#define SQ_SYS_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/span.h"

/* Returns the name of a variable by index; false after the last. */
bool sq_environment_name_at(size_t index, struct sq_span *out);

#endif
