/* Serves the demo phone on a loopback port to any number of clients. */
#ifndef SQ_DEMO_ADBD_SERVER_H
#define SQ_DEMO_ADBD_SERVER_H

#include <poll.h>

#include "demo/adbd/phone.h"

struct sq_adbd_server;

/*
 * Listens on a loopback address. If *port is 0, uses a free port and sets
 * *port. The phone must outlive the server.
 */
bool sq_adbd_server_create(struct sq_adbd_phone *phone, const char *host,
                           int *port, struct sq_adbd_server **out,
                           struct sq_err *err);

/* Closes all connections and frees the server. Accepts NULL. */
void sq_adbd_server_destroy(struct sq_adbd_server *server);

/*
 * Serves clients until one of the descriptors has one of its events or hangs
 * up. Runs on the calling thread, as all functions of the phone do.
 */
bool sq_adbd_server_run(struct sq_adbd_server *server,
                        const struct pollfd *until, size_t count,
                        struct sq_err *err);

#endif
