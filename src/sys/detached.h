/* Starts a program that goes on by itself, such as a browser. */
#ifndef SQ_SYS_DETACHED_H
#define SQ_SYS_DETACHED_H

#include <stdbool.h>

#include "util/err.h"

/*
 * Starts a program without input and output, in a session of its own. argv[0]
 * is an absolute path; NULL ends it. Does not wait for its end. Fails if it
 * cannot be started.
 */
bool sq_detached_start(const char *const *argv, struct sq_err *err);

#endif
