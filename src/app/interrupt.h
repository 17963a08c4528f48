/* Lets Ctrl-C cancel the work of a command, so that it can end tidily. */
#ifndef SQ_APP_INTERRUPT_H
#define SQ_APP_INTERRUPT_H

#include "sys/deadline.h"

struct sq_interrupt;

/*
 * Until sq_interrupt_destroy, SIGINT, SIGTERM and SIGHUP set a cancel token
 * instead of ending the process. At most one may exist.
 */
bool sq_interrupt_create(struct sq_interrupt **out, struct sq_err *err);

/* Restores the signals. The token must not be in use. Accepts NULL. */
void sq_interrupt_destroy(struct sq_interrupt *interrupt);

/* Returns the token, for deadlines. */
struct sq_cancel *sq_interrupt_cancel(const struct sq_interrupt *interrupt);

#endif
