/* A queue of tickets for named resources. */
#include "sys/ticket_queue.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sys/condition.h"
#include "util/mem.h"

struct sq_ticket {
    struct sq_ticket_queue *turns;
    struct sq_ticket *front; /* the previous one in order of arrival */
    struct sq_ticket *behind;
    char name[SQ_TICKET_NAME_SIZE];
};

struct sq_ticket_queue {
    pthread_mutex_t mutex; /* guards the queue; held briefly */
    pthread_cond_t moved;  /* a ticket has left or got its name */
    struct sq_ticket *last;
};

bool
sq_ticket_queue_create(struct sq_ticket_queue **out, struct sq_err *err) {
    struct sq_ticket_queue *turns = sq_mem_zalloc(1, sizeof(*turns));
    if (!turns) {
        return sq_fail_nomem(err);
    }
    if (!sq_condition_init(&turns->moved)) {
        sq_mem_free(turns);
        return sq_fail_nomem(err);
    }
    if (pthread_mutex_init(&turns->mutex, NULL) != 0) {
        pthread_cond_destroy(&turns->moved);
        sq_mem_free(turns);
        return sq_fail_nomem(err);
    }
    *out = turns;
    return true;
}

void
sq_ticket_queue_destroy(struct sq_ticket_queue *turns) {
    if (turns) {
        assert(!turns->last);
        pthread_cond_destroy(&turns->moved);
        pthread_mutex_destroy(&turns->mutex);
        sq_mem_free(turns);
    }
}

static void
set_name(struct sq_ticket *turn, const char *name) {
    assert(strlen(name) < sizeof(turn->name));
    snprintf(turn->name, sizeof(turn->name), "%s", name);
}

bool
sq_ticket_queue_join(struct sq_ticket_queue *turns, const char *name,
                     struct sq_ticket **out, struct sq_err *err) {
    struct sq_ticket *turn = sq_mem_zalloc(1, sizeof(*turn));
    if (!turn) {
        return sq_fail_nomem(err);
    }
    turn->turns = turns;
    set_name(turn, name);
    pthread_mutex_lock(&turns->mutex);
    turn->front = turns->last;
    if (turn->front) {
        turn->front->behind = turn;
    }
    turns->last = turn;
    pthread_mutex_unlock(&turns->mutex);
    *out = turn;
    return true;
}

const char *
sq_ticket_name(const struct sq_ticket *turn) {
    return turn->name;
}

static bool
must_wait(const struct sq_ticket *turn) {
    const struct sq_ticket *other = turn->front;
    while (other && other->name[0] && strcmp(other->name, turn->name) != 0) {
        other = other->front;
    }
    return other != NULL;
}

bool
sq_ticket_await(struct sq_ticket *turn, const char *name,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_ticket_queue *turns = turn->turns;
    pthread_mutex_lock(&turns->mutex);
    if (strcmp(turn->name, name) != 0) {
        set_name(turn, name);
        pthread_cond_broadcast(&turns->moved);
    }
    bool ok = sq_deadline_check(deadline, err);
    while (ok && must_wait(turn)) {
        sq_condition_wait(&turns->moved, &turns->mutex, deadline);
        ok = !must_wait(turn) || sq_deadline_check(deadline, err);
    }
    pthread_mutex_unlock(&turns->mutex);
    return ok;
}

void
sq_ticket_leave(struct sq_ticket *turn) {
    if (!turn) {
        return;
    }
    struct sq_ticket_queue *turns = turn->turns;
    pthread_mutex_lock(&turns->mutex);
    if (turn->front) {
        turn->front->behind = turn->behind;
    }
    if (turn->behind) {
        turn->behind->front = turn->front;
    } else {
        turns->last = turn->front;
    }
    pthread_cond_broadcast(&turns->moved);
    pthread_mutex_unlock(&turns->mutex);
    sq_mem_free(turn);
}
