/*
 * A queue of tickets for many named resources. Clients get a resource in turn;
 * the tickets of one client are served in order of arrival. A ticket is taken
 * on arrival and waited for later, on any thread, so the order of a client's
 * calls does not depend on which thread runs first.
 */
#ifndef SQ_SYS_TICKET_QUEUE_H
#define SQ_SYS_TICKET_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/err.h"

#define SQ_TICKET_NAME_SIZE 96

struct sq_ticket_queue;
struct sq_ticket;

bool sq_ticket_queue_create(struct sq_ticket_queue **out, struct sq_err *err);

/* Accepts NULL. No ticket may be left in the queue. */
void sq_ticket_queue_destroy(struct sq_ticket_queue *queue);

/*
 * Adds a ticket of a client for the resource of that name, which is shorter
 * than SQ_TICKET_NAME_SIZE. An empty name means that the resource is not known
 * yet; until it is, all later tickets of the client wait. Never waits itself.
 * The caller ends the ticket with sq_ticket_leave.
 */
bool sq_ticket_queue_join(struct sq_ticket_queue *queue, const char *name,
                          uint64_t client, struct sq_ticket **out,
                          struct sq_err *err);

/*
 * Sets what sq_ticket_await calls, without any lock, before it waits for a
 * turn that it does not get immediately. NULL: nothing.
 */
void sq_ticket_set_waits(struct sq_ticket *ticket, void (*waits)(void *context),
                         void *context);

/* Returns the name of the ticket's resource; lives as long as the ticket. */
const char *sq_ticket_name(const struct sq_ticket *ticket);

/*
 * Sets the ticket's resource to that name and waits until no earlier ticket of
 * the client wants it and it is the client's turn. The caller then owns the
 * resource until sq_ticket_leave or sq_ticket_yield. Fails with SQ_ERR_TIMEOUT
 * or SQ_ERR_CANCELLED if the deadline comes first; the caller must still call
 * sq_ticket_leave.
 */
bool sq_ticket_await(struct sq_ticket *ticket, const char *name,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Returns whether another client waits for the resource. */
bool sq_ticket_is_wanted(struct sq_ticket *ticket);

/*
 * Lets other clients have the resource. Later tickets of the same client still
 * wait. The ticket gets the resource again with sq_ticket_await.
 */
void sq_ticket_yield(struct sq_ticket *ticket);

/*
 * Returns whether others had the resource between the last sq_ticket_yield and
 * the turn that the ticket has now.
 */
bool sq_ticket_was_passed(const struct sq_ticket *ticket);

/* Removes the ticket from the queue, wherever it is. Accepts NULL. */
void sq_ticket_leave(struct sq_ticket *ticket);

#endif
