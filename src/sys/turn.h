/*
 * Who comes first is served first: one line of turns for many named places.
 * A turn is taken the moment somebody arrives and waited for later, on any
 * thread, so that the order is that of arrival whoever runs first.
 */
#ifndef SQ_SYS_TURN_H
#define SQ_SYS_TURN_H

#include <stdbool.h>

#include "sys/deadline.h"
#include "util/err.h"

#define SQ_TURN_NAME_SIZE 96

struct sq_turns;
struct sq_turn;

bool sq_turns_create(struct sq_turns **out, struct sq_err *err);

/* Accepts NULL; nobody may stand in line. */
void sq_turns_destroy(struct sq_turns *turns);

/*
 * Stand in line for the place of that name, shorter than SQ_TURN_NAME_SIZE.
 * Empty: which place is not known yet, and until it is, everybody behind has
 * to wait. Never waits itself. To be ended by sq_turn_leave.
 */
bool sq_turns_join(struct sq_turns *turns, const char *name,
                   struct sq_turn **out, struct sq_err *err);

/* The name it stands in line for; lives as long as the turn. */
const char *sq_turn_name(const struct sq_turn *turn);

/*
 * Wait until nobody in front wants the place of that name, which is the one
 * the turn stands for from now on: then it is ours until sq_turn_leave.
 * SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED if the deadline comes first; the turn
 * is then still to be left.
 */
bool sq_turn_await(struct sq_turn *turn, const char *name,
                   const struct sq_deadline *deadline, struct sq_err *err);

/* Let the next ones go on, wherever in line it stood. Accepts NULL. */
void sq_turn_leave(struct sq_turn *turn);

#endif
