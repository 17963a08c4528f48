/*
 * Who comes first is served first: one line of turns for many named places.
 * A turn is taken the moment somebody arrives and waited for later, on any
 * thread, so that the order is that of arrival whoever runs first.
 */
#ifndef SQ_SYS_TICKET_QUEUE_H
#define SQ_SYS_TICKET_QUEUE_H

#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

#define SQ_TICKET_NAME_SIZE 96

struct sq_ticket_queue;
struct sq_ticket;

bool sq_ticket_queue_create(struct sq_ticket_queue **out, struct sq_err *err);

/* Accepts NULL; nobody may stand in line. */
void sq_ticket_queue_destroy(struct sq_ticket_queue *turns);

/*
 * Stand in line for the place of that name, shorter than SQ_TICKET_NAME_SIZE.
 * Empty: which place is not known yet, and until it is, everybody behind has
 * to wait. Never waits itself. To be ended by sq_ticket_leave.
 */
bool sq_ticket_queue_join(struct sq_ticket_queue *turns, const char *name,
                          struct sq_ticket **out, struct sq_err *err);

/* The name it stands in line for; lives as long as the turn. */
const char *sq_ticket_name(const struct sq_ticket *turn);

/*
 * Wait until nobody in front wants the place of that name, which is the one
 * the turn stands for from now on: then it is ours until sq_ticket_leave.
 * SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the deadline comes first; the turn
 * is then still to be left.
 */
bool sq_ticket_await(struct sq_ticket *turn, const char *name,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Let the next ones go on, wherever in line it stood. Accepts NULL. */
void sq_ticket_leave(struct sq_ticket *turn);

#endif
