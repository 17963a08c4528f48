/* A counting semaphore with deadlines and urgent waiters. */
#include "sys/gate.h"

#include <assert.h>

#include "sys/call.h"
#include "sys/condition.h"
#include "util/mem.h"

/* Lives on the stack of the waiting thread. */
struct waiter {
    struct waiter *next;
    pthread_cond_t admitted;
    bool is_admitted;
};

struct queue {
    struct waiter *first;
    struct waiter **last; /* where the next waiter is linked */
};

struct sq_gate {
    pthread_mutex_t mutex; /* guards everything below */
    int free_places;
    struct queue urgent;
    struct queue others;
};

bool
sq_gate_create(int places, struct sq_gate **out, struct sq_err *err) {
    assert(places > 0);
    struct sq_gate *gate = sq_mem_zalloc(1, sizeof(*gate));
    if (!gate) {
        return sq_fail_nomem(err);
    }
    if (pthread_mutex_init(&gate->mutex, NULL) != 0) {
        sq_mem_free(gate);
        return sq_fail_nomem(err);
    }
    gate->free_places = places;
    gate->urgent.last = &gate->urgent.first;
    gate->others.last = &gate->others.first;
    *out = gate;
    return true;
}

void
sq_gate_destroy(struct sq_gate *gate) {
    if (gate) {
        assert(!gate->urgent.first && !gate->others.first);
        pthread_mutex_destroy(&gate->mutex);
        sq_mem_free(gate);
    }
}

static void
remove_waiter(struct queue *queue, struct waiter *waiter) {
    struct waiter **link = &queue->first;
    while (*link != waiter) {
        link = &(*link)->next;
    }
    *link = waiter->next;
    if (queue->last == &waiter->next) {
        queue->last = link;
    }
}

/* Gives a free place to the longest waiter. */
static void
admit_next(struct sq_gate *gate) {
    struct queue *queue = gate->urgent.first ? &gate->urgent : &gate->others;
    struct waiter *waiter = queue->first;
    if (waiter) {
        remove_waiter(queue, waiter);
        gate->free_places--;
        waiter->is_admitted = true;
        pthread_cond_signal(&waiter->admitted);
    }
}

/* Called with the mutex held. */
static bool
wait_for_place(struct sq_gate *gate, struct queue *queue,
               const struct sq_deadline *deadline, struct sq_err *err) {
    struct waiter waiter = { 0 };
    if (!sq_condition_init(&waiter.admitted)) {
        return sq_fail_nomem(err);
    }
    *queue->last = &waiter;
    queue->last = &waiter.next;
    bool ok = true;
    while (ok && !waiter.is_admitted) {
        sq_condition_wait(&waiter.admitted, &gate->mutex, deadline);
        ok = waiter.is_admitted || sq_deadline_check(deadline, err);
    }
    if (!ok) {
        remove_waiter(queue, &waiter);
    }
    pthread_cond_destroy(&waiter.admitted);
    return ok;
}

bool
sq_gate_enter(struct sq_gate *gate, bool is_urgent,
              const struct sq_deadline *deadline, struct sq_err *err) {
    if (!sq_deadline_check(deadline, err)) {
        return false;
    }
    pthread_mutex_lock(&gate->mutex);
    bool ok = true;
    if (gate->free_places > 0) {
        gate->free_places--;
    } else {
        ok = wait_for_place(gate, is_urgent ? &gate->urgent : &gate->others,
                            deadline, err);
    }
    pthread_mutex_unlock(&gate->mutex);
    return ok;
}

void
sq_gate_leave(struct sq_gate *gate) {
    pthread_mutex_lock(&gate->mutex);
    gate->free_places++;
    admit_next(gate);
    pthread_mutex_unlock(&gate->mutex);
}

static int
queue_length(const struct queue *queue) {
    int count = 0;
    for (const struct waiter *waiter = queue->first; waiter;
         waiter = waiter->next) {
        count++;
    }
    return count;
}

int
sq_gate_waiting(struct sq_gate *gate) {
    pthread_mutex_lock(&gate->mutex);
    int count = queue_length(&gate->urgent) + queue_length(&gate->others);
    pthread_mutex_unlock(&gate->mutex);
    return count;
}

int
sq_processor_count(void) {
    int count = sq_call_processors();
    return count > 0 ? count : 1;
}
