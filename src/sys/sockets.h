/*
 * Stream sockets with a deadline on every wait. Descriptors are non-blocking,
 * close on exec and send small messages without delay. A peer that disconnects
 * is an error, never a signal.
 */
#ifndef SQ_SYS_SOCKETS_H
#define SQ_SYS_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/err.h"

/*
 * Connects to "localhost", a host name or a numeric address; tries every
 * address it resolves to. Fails with SQ_ERR_NOT_FOUND if no server listens.
 * "localhost" and numeric addresses need no lookup.
 */
bool sq_socket_connect(const char *host, int port,
                       const struct sq_deadline *deadline, int *out,
                       struct sq_err *err);

/*
 * Like getaddrinfo() for stream sockets. The caller frees *out with
 * freeaddrinfo. The system's resolver has no deadline, so it runs on a
 * thread of its own, which is abandoned if the deadline or a cancel comes
 * first. Fails with SQ_ERR_NOT_FOUND and a hint if the host does not exist.
 */
struct addrinfo;
bool sq_lookup(const char *host, const struct sq_deadline *deadline,
               struct addrinfo **out, struct sq_err *err);

/*
 * Connects to a Unix domain socket. Fails with SQ_ERR_NOT_FOUND if no server
 * listens.
 */
bool sq_socket_connect_path(const char *path,
                            const struct sq_deadline *deadline, int *out,
                            struct sq_err *err);

/*
 * Listens on a loopback address, or on any other, given as a number, if it is
 * public: only for servers that every caller must prove its identity to. If
 * *port is 0, picks a free port and stores it there.
 */
bool sq_socket_listen(const char *host, bool is_public, int *port, int *out,
                      struct sq_err *err);

/*
 * Listens on a Unix domain socket that only its owner may use. Replaces the
 * socket of a process that has ended; fails if another process listens there or
 * the path is not a socket.
 */
bool sq_socket_listen_path(const char *path, int *out, struct sq_err *err);

/*
 * Takes a listening socket that a service manager has opened for this process:
 * the descriptor 3 + index. Sets *port to its port, 0 for a Unix socket.
 */
bool sq_socket_inherit(int index, int *port, int *out, struct sq_err *err);

/* Sends small messages without delay. Does nothing for Unix sockets. */
void sq_socket_send_at_once(int fd);

/*
 * Confirms received bytes immediately from now until the next read, where the
 * system can. A peer that waits for this before it sends more, as adb's server
 * does, would otherwise wait 40 ms.
 */
void sq_socket_acknowledge_at_once(int fd);

/*
 * Writes the address and port of the other end, or that it is a Unix socket.
 */
#define SQ_SOCKET_PEER_SIZE 80
void sq_socket_name_peer(int fd, char out[SQ_SOCKET_PEER_SIZE]);

/* Closes the sending side; the peer sees the end of the stream. */
void sq_socket_end_writing(int fd);

bool sq_socket_accept(int listener, const struct sq_deadline *deadline,
                      int *out, struct sq_err *err);

/* Reads at least one byte. *got is 0 if the peer has closed its end. */
bool sq_socket_read_some(int fd, void *into, size_t capacity, size_t *got,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/*
 * Reads exactly len bytes. Fails with SQ_ERR_TRUNCATED if the peer closes
 * before.
 */
bool sq_socket_read(int fd, void *into, size_t len,
                    const struct sq_deadline *deadline, struct sq_err *err);

bool sq_socket_write(int fd, const void *from, size_t len,
                     const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Passes a descriptor through a Unix socket, whose other end must be a process
 * of this user. *out is owned by the caller.
 */
bool sq_socket_pass(int socket, int fd, const struct sq_deadline *deadline,
                    struct sq_err *err);
bool sq_socket_take(int socket, int *out, const struct sq_deadline *deadline,
                    struct sq_err *err);

/* Fails if the other end of a Unix socket is of another user. */
bool sq_socket_check_peer(int socket, struct sq_err *err);

/*
 * Returns whether nothing can be read, not even an end of stream: checks that
 * an idle connection is still usable. Never waits.
 */
bool sq_socket_is_quiet(int fd);

/* Accepts -1. */
void sq_socket_close(int fd);

#endif
