/* Resolves host names within a deadline. */
#ifndef SQ_SYS_LOOKUP_H
#define SQ_SYS_LOOKUP_H

#include <netdb.h>
#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

/*
 * Like getaddrinfo() for stream sockets. The caller frees *out with
 * freeaddrinfo. The system's resolver has no deadline, so it runs on a
 * thread of its own, which is abandoned if the deadline or a cancel comes
 * first. Fails with SQ_ERR_NOT_FOUND and a hint if the host does not exist.
 */
bool sq_lookup(const char *host, const struct sq_deadline *deadline,
               struct addrinfo **out, struct sq_err *err);

#endif
