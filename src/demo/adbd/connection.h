/*
 * The ADB transport protocol for one client, without I/O. The caller moves the
 * bytes and passes the current time. No function waits.
 */
#ifndef SQ_DEMO_ADBD_CONNECTION_H
#define SQ_DEMO_ADBD_CONNECTION_H

#include "demo/adbd/phone.h"

struct sq_adbd_connection;

/* Creates a connection. The phone must outlive it. */
bool sq_adbd_connection_create(struct sq_adbd_phone *phone,
                               struct sq_adbd_connection **out,
                               struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_connection_destroy(struct sq_adbd_connection *connection);

/*
 * Processes bytes from the client. Fails with SQ_ERR_FORMAT or SQ_ERR_LIMIT if
 * they are not valid packets; the connection must then be closed.
 */
bool sq_adbd_connection_receive(struct sq_adbd_connection *connection,
                                struct sq_span bytes, int64_t now_ns,
                                struct sq_err *err);

/*
 * Does the work that is due. *wake_ns is when to call again; INT64_MAX: only
 * after bytes were received or sent.
 */
bool sq_adbd_connection_advance(struct sq_adbd_connection *connection,
                                int64_t now_ns, int64_t *wake_ns,
                                struct sq_err *err);

/*
 * Returns bytes to send to the client. Valid until the next call of any
 * function here.
 */
struct sq_span
sq_adbd_connection_output(const struct sq_adbd_connection *connection);

/* Removes the first count bytes of the output after they were sent. */
void sq_adbd_connection_sent(struct sq_adbd_connection *connection,
                             size_t count);

/* Returns whether to close the connection once its output is sent. */
bool sq_adbd_connection_is_over(const struct sq_adbd_connection *connection);

#endif
