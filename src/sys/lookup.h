/* The addresses of a host's name, asked for without waiting for ever. */
#ifndef SQ_SYS_LOOKUP_H
#define SQ_SYS_LOOKUP_H

#include <netdb.h>
#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

/*
 * As getaddrinfo() for stream sockets; *out is for sq_call_freeaddrinfo. The
 * system's resolver knows no deadline: it is asked on a thread of its own,
 * which is left alone with it where the deadline or a cancel comes first.
 * SQ_ERR_NOT_FOUND, with a hint, where there is no such host.
 */
bool sq_lookup(const char *host, const struct sq_deadline *deadline,
               struct addrinfo **out, struct sq_err *err);

#endif
