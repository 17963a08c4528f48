/* The demo phone on a loopback port, for as many clients as come. */
#ifndef SQ_ADBD_SERVER_H
#define SQ_ADBD_SERVER_H

#include <poll.h>

#include "adbd/phone.h"

struct sq_adbd_server;

/*
 * Listen on a loopback address; *port 0 takes a free one and says which. The
 * phone must outlive the server.
 */
bool sq_adbd_server_create(struct sq_adbd_phone *phone, const char *host,
                           int *port, struct sq_adbd_server **out,
                           struct sq_err *err);

/* Closes all connections. Accepts NULL. */
void sq_adbd_server_destroy(struct sq_adbd_server *server);

/*
 * Serve until one of the descriptors has one of its events, or is hung up.
 * Runs on the caller's thread, as everything about the phone does.
 */
bool sq_adbd_server_run(struct sq_adbd_server *server,
                        const struct pollfd *until, size_t count,
                        struct sq_err *err);

#endif
