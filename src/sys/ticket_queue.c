/* A queue of tickets for named resources. */
#include "sys/ticket_queue.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sys/condition.h"
#include "util/mem.h"

struct sq_ticket {
    struct sq_ticket_queue *queue;
    struct sq_ticket *previous; /* in order of arrival */
    struct sq_ticket *next;
    char name[SQ_TICKET_NAME_SIZE];
};

struct sq_ticket_queue {
    pthread_mutex_t mutex; /* guards the queue; held briefly */
    pthread_cond_t moved;  /* a ticket has left or got its name */
    struct sq_ticket *last;
};

bool
sq_ticket_queue_create(struct sq_ticket_queue **out, struct sq_err *err) {
    struct sq_ticket_queue *queue = sq_mem_zalloc(1, sizeof(*queue));
    if (!queue) {
        return sq_fail_nomem(err);
    }
    if (!sq_condition_init(&queue->moved)) {
        sq_mem_free(queue);
        return sq_fail_nomem(err);
    }
    if (pthread_mutex_init(&queue->mutex, NULL) != 0) {
        pthread_cond_destroy(&queue->moved);
        sq_mem_free(queue);
        return sq_fail_nomem(err);
    }
    *out = queue;
    return true;
}

void
sq_ticket_queue_destroy(struct sq_ticket_queue *queue) {
    if (queue) {
        assert(!queue->last);
        pthread_cond_destroy(&queue->moved);
        pthread_mutex_destroy(&queue->mutex);
        sq_mem_free(queue);
    }
}

static void
set_name(struct sq_ticket *ticket, const char *name) {
    assert(strlen(name) < sizeof(ticket->name));
    snprintf(ticket->name, sizeof(ticket->name), "%s", name);
}

bool
sq_ticket_queue_join(struct sq_ticket_queue *queue, const char *name,
                     struct sq_ticket **out, struct sq_err *err) {
    struct sq_ticket *ticket = sq_mem_zalloc(1, sizeof(*ticket));
    if (!ticket) {
        return sq_fail_nomem(err);
    }
    ticket->queue = queue;
    set_name(ticket, name);
    pthread_mutex_lock(&queue->mutex);
    ticket->previous = queue->last;
    if (ticket->previous) {
        ticket->previous->next = ticket;
    }
    queue->last = ticket;
    pthread_mutex_unlock(&queue->mutex);
    *out = ticket;
    return true;
}

const char *
sq_ticket_name(const struct sq_ticket *ticket) {
    return ticket->name;
}

static bool
must_wait(const struct sq_ticket *ticket) {
    const struct sq_ticket *other = ticket->previous;
    while (other && other->name[0] && strcmp(other->name, ticket->name) != 0) {
        other = other->previous;
    }
    return other != NULL;
}

bool
sq_ticket_await(struct sq_ticket *ticket, const char *name,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_ticket_queue *queue = ticket->queue;
    pthread_mutex_lock(&queue->mutex);
    if (strcmp(ticket->name, name) != 0) {
        set_name(ticket, name);
        pthread_cond_broadcast(&queue->moved);
    }
    bool ok = sq_deadline_check(deadline, err);
    while (ok && must_wait(ticket)) {
        sq_condition_wait(&queue->moved, &queue->mutex, deadline);
        ok = !must_wait(ticket) || sq_deadline_check(deadline, err);
    }
    pthread_mutex_unlock(&queue->mutex);
    return ok;
}

void
sq_ticket_leave(struct sq_ticket *ticket) {
    if (!ticket) {
        return;
    }
    struct sq_ticket_queue *queue = ticket->queue;
    pthread_mutex_lock(&queue->mutex);
    if (ticket->previous) {
        ticket->previous->next = ticket->next;
    }
    if (ticket->next) {
        ticket->next->previous = ticket->previous;
    } else {
        queue->last = ticket->previous;
    }
    pthread_cond_broadcast(&queue->moved);
    pthread_mutex_unlock(&queue->mutex);
    sq_mem_free(ticket);
}
