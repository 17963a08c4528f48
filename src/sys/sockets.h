/*
 * Stream sockets with a deadline on every wait. Descriptors are closed on
 * exec, never block, and send small messages at once. A peer that goes away
 * is an error, never a signal.
 */
#ifndef SQ_SYS_SOCKETS_H
#define SQ_SYS_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/err.h"

/*
 * "localhost", a name or a numeric address; tries all it resolves to. Where
 * nothing listens it is SQ_ERR_NOT_FOUND. Looking up a name does not see the
 * deadline; "localhost" and numbers need no lookup.
 */
bool sq_socket_connect(const char *host, int port,
                       const struct sq_deadline *deadline, int *out,
                       struct sq_err *err);

/* A socket in the file system; SQ_ERR_NOT_FOUND as above. */
bool sq_socket_connect_path(const char *path,
                            const struct sq_deadline *deadline, int *out,
                            struct sq_err *err);

/*
 * Listen on a loopback address; others are refused with SQ_ERR_ARGUMENT.
 * *port 0 takes a free one and says which.
 */
bool sq_socket_listen(const char *host, int *port, int *out,
                      struct sq_err *err);

bool sq_socket_accept(int listener, const struct sq_deadline *deadline,
                      int *out, struct sq_err *err);

/* At least one byte; *got 0: the peer has closed its end. */
bool sq_socket_read_some(int fd, void *into, size_t room, size_t *got,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/* Exactly so many; SQ_ERR_TRUNCATED if the peer ends before. */
bool sq_socket_read(int fd, void *into, size_t len,
                    const struct sq_deadline *deadline, struct sq_err *err);

bool sq_socket_write(int fd, const void *from, size_t len,
                     const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Whether there is nothing to read, not even an end: for connections that
 * nobody should speak on. Never waits.
 */
bool sq_socket_is_quiet(int fd);

/* Accepts -1. */
void sq_socket_close(int fd);

#endif
