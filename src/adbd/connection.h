/*
 * One client's end of the ADB transport: bytes in, bytes out, and nothing in
 * between that waits. Whoever moves the bytes also tells the time.
 */
#ifndef SQ_ADBD_CONNECTION_H
#define SQ_ADBD_CONNECTION_H

#include "adbd/phone.h"

struct sq_adbd_connection;

/* The phone must outlive it. */
bool sq_adbd_connection_create(struct sq_adbd_phone *phone,
                               struct sq_adbd_connection **out,
                               struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_connection_destroy(struct sq_adbd_connection *connection);

/*
 * Take bytes of the client. SQ_ERR_FORMAT or SQ_ERR_LIMIT if they are no
 * packets: nothing but closing helps then.
 */
bool sq_adbd_connection_receive(struct sq_adbd_connection *connection,
                                struct sq_span bytes, int64_t now_ns,
                                struct sq_err *err);

/*
 * Do what is due by now. *wake_ns is when something else will be; INT64_MAX:
 * nothing before bytes have come or gone.
 */
bool sq_adbd_connection_advance(struct sq_adbd_connection *connection,
                                int64_t now_ns, int64_t *wake_ns,
                                struct sq_err *err);

/* Bytes for the client; valid until the next call of any function here. */
struct sq_span
sq_adbd_connection_output(const struct sq_adbd_connection *connection);

/* So many of them have gone. */
void sq_adbd_connection_sent(struct sq_adbd_connection *connection,
                             size_t count);

/* Whether it is to be closed once its output has gone. */
bool sq_adbd_connection_is_over(const struct sq_adbd_connection *connection);

#endif
