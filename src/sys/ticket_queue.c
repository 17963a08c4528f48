/* A queue of tickets for named resources. */
#include "sys/lock.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "util/mem.h"

struct sq_ticket {
    struct sq_ticket_queue *queue;
    struct sq_ticket *next; /* in order of arrival */
    uint64_t client;
    uint64_t since;  /* when its client began to wait for this turn */
    bool is_waiting; /* in sq_ticket_await */
    bool has_turn;
    bool was_passed; /* others had the resource since its last turn */
    void (*waits)(void *context); /* see sq_ticket_set_waits; may be NULL */
    void *waits_context;
    char name[SQ_TICKET_NAME_SIZE];
};

struct sq_ticket_queue {
    pthread_mutex_t mutex; /* guards the queue; held briefly */
    pthread_cond_t moved;  /* a ticket has got its turn */
    struct sq_ticket *first;
    uint64_t events; /* counts arrivals and ends of turns */
};

bool
sq_ticket_queue_create(struct sq_ticket_queue **out, struct sq_err *err) {
    struct sq_ticket_queue *queue = sq_mem_zalloc(1, sizeof(*queue));
    if (!queue || !sq_monitor_init(&queue->mutex, &queue->moved)) {
        sq_mem_free(queue);
        return sq_fail_nomem(err);
    }
    *out = queue;
    return true;
}

void
sq_ticket_queue_destroy(struct sq_ticket_queue *queue) {
    if (queue) {
        assert(!queue->first);
        sq_monitor_finish(&queue->mutex, &queue->moved);
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
                     uint64_t client, struct sq_ticket **out,
                     struct sq_err *err) {
    struct sq_ticket *ticket = sq_mem_zalloc(1, sizeof(*ticket));
    if (!ticket) {
        return sq_fail_nomem(err);
    }
    ticket->queue = queue;
    ticket->client = client;
    set_name(ticket, name);
    pthread_mutex_lock(&queue->mutex);
    ticket->since = ++queue->events;
    struct sq_ticket **end = &queue->first;
    while (*end) {
        end = &(*end)->next;
    }
    *end = ticket;
    pthread_mutex_unlock(&queue->mutex);
    *out = ticket;
    return true;
}

void
sq_ticket_set_waits(struct sq_ticket *ticket, void (*waits)(void *context),
                    void *context) {
    ticket->waits = waits;
    ticket->waits_context = context;
}

const char *
sq_ticket_name(const struct sq_ticket *ticket) {
    return ticket->name;
}

/* Returns whether an earlier ticket of the same client may want the same. */
static bool
follows_own(const struct sq_ticket *ticket) {
    const struct sq_ticket *other = ticket->queue->first;
    while (other != ticket
           && (other->client != ticket->client
               || (other->name[0] && strcmp(other->name, ticket->name) != 0))) {
        other = other->next;
    }
    return other != ticket;
}

/*
 * Gives a free resource to the client that has waited longest: since its
 * ticket arrived, or since its last turn ended. Called with the lock held.
 */
static void
give_turn(struct sq_ticket_queue *queue, const char *name) {
    struct sq_ticket *next = NULL;
    for (struct sq_ticket *ticket = queue->first; ticket;
         ticket = ticket->next) {
        if (strcmp(ticket->name, name) != 0) {
            continue;
        }
        if (ticket->has_turn) {
            return;
        }
        if (ticket->is_waiting && (!next || ticket->since < next->since)
            && !follows_own(ticket)) {
            next = ticket;
        }
    }
    for (struct sq_ticket *ticket = next ? queue->first : NULL; ticket;
         ticket = ticket->next) {
        ticket->was_passed =
            ticket->was_passed
            || (ticket != next && strcmp(ticket->name, name) == 0);
    }
    if (next) {
        next->has_turn = true;
        pthread_cond_broadcast(&queue->moved);
    }
}

/* Gives turns of all resources, after an unnamed ticket has ceased to be. */
static void
give_turns(struct sq_ticket_queue *queue) {
    for (struct sq_ticket *ticket = queue->first; ticket;
         ticket = ticket->next) {
        if (ticket->is_waiting && !ticket->has_turn) {
            give_turn(queue, ticket->name);
        }
    }
}

/* Ends a turn: the client queues again with its next ticket. */
static void
end_turn(struct sq_ticket *ticket) {
    struct sq_ticket_queue *queue = ticket->queue;
    uint64_t now = ++queue->events;
    for (struct sq_ticket *own = queue->first; own; own = own->next) {
        if (own->client == ticket->client
            && (!own->name[0] || strcmp(own->name, ticket->name) == 0)) {
            own->since = now;
        }
    }
    ticket->has_turn = false;
}

bool
sq_ticket_await(struct sq_ticket *ticket, const char *name,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_ticket_queue *queue = ticket->queue;
    pthread_mutex_lock(&queue->mutex);
    if (strcmp(ticket->name, name) != 0) {
        /* Sets the name; turns of other resources may become possible. */
        assert(!ticket->has_turn);
        set_name(ticket, name);
        give_turns(ticket->queue);
    }
    bool ok = sq_deadline_check(deadline, err);
    ticket->is_waiting = true;
    if (ok && !ticket->has_turn) {
        give_turn(queue, name);
    }
    if (ok && !ticket->has_turn && ticket->waits) {
        pthread_mutex_unlock(&queue->mutex);
        ticket->waits(ticket->waits_context);
        pthread_mutex_lock(&queue->mutex);
    }
    while (ok && !ticket->has_turn) {
        sq_condition_wait(&queue->moved, &queue->mutex, deadline);
        ok = ticket->has_turn || sq_deadline_check(deadline, err);
    }
    ticket->is_waiting = false;
    pthread_mutex_unlock(&queue->mutex);
    return ok;
}

bool
sq_ticket_is_wanted(struct sq_ticket *ticket) {
    struct sq_ticket_queue *queue = ticket->queue;
    SQ_MUTEX(&queue->mutex);
    const struct sq_ticket *other = queue->first;
    while (other
           && !(other->is_waiting && other->client != ticket->client
                && strcmp(other->name, ticket->name) == 0)) {
        other = other->next;
    }
    return other != NULL;
}

void
sq_ticket_yield(struct sq_ticket *ticket) {
    struct sq_ticket_queue *queue = ticket->queue;
    SQ_MUTEX(&queue->mutex);
    if (ticket->has_turn) {
        end_turn(ticket);
        ticket->was_passed = false;
        give_turn(queue, ticket->name);
    }
}

bool
sq_ticket_was_passed(const struct sq_ticket *ticket) {
    return ticket->was_passed;
}

void
sq_ticket_leave(struct sq_ticket *ticket) {
    if (!ticket) {
        return;
    }
    struct sq_ticket_queue *queue = ticket->queue;
    pthread_mutex_lock(&queue->mutex);
    if (ticket->has_turn) {
        end_turn(ticket);
    }
    struct sq_ticket **link = &queue->first;
    while (*link != ticket) {
        link = &(*link)->next;
    }
    *link = ticket->next;
    if (ticket->name[0]) {
        give_turn(queue, ticket->name);
    } else {
        give_turns(queue);
    }
    pthread_mutex_unlock(&queue->mutex);
    sq_mem_free(ticket);
}
