#include "sys/lock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "support/test.h"

static struct sq_ticket_queue *turns;

static struct sq_ticket *
join_as(uint64_t client, const char *name) {
    struct sq_ticket *turn = NULL;
    T_OK(sq_ticket_queue_join(turns, name, client, &turn, &t_err));
    return turn;
}

static struct sq_ticket *
join(const char *name) {
    return join_as(0, name);
}

static bool
has_turn(struct sq_ticket *turn, const char *name) {
    struct sq_deadline late = sq_deadline_in(T_PATIENCE_MS, NULL);
    return sq_ticket_await(turn, name, &late, NULL);
}

static bool
must_wait(struct sq_ticket *turn, const char *name) {
    struct sq_deadline soon = sq_deadline_in(1, NULL);
    return !sq_ticket_await(turn, name, &soon, NULL);
}

static void
begin(void) {
    T_OK(sq_ticket_queue_create(&turns, &t_err));
}

T_FIXTURE(begin, NULL);

T_CASE(first_come_first_served) {
    struct sq_ticket *first = join("phone");
    struct sq_ticket *second = join("phone");
    T_STR(sq_ticket_name(first), "phone");
    T(must_wait(second, "phone"));
    T(has_turn(first, "phone"));
    T(has_turn(first, "phone"));
    sq_ticket_leave(first);
    T(has_turn(second, "phone"));
    sq_ticket_leave(second);
    sq_ticket_queue_destroy(turns);
}

T_CASE(queues_of_other_devices_are_not_awaited) {
    struct sq_ticket *phone = join("phone");
    struct sq_ticket *tablet = join("tablet");
    T(has_turn(tablet, "tablet"));
    T(has_turn(phone, "phone"));
    sq_ticket_leave(phone);
    sq_ticket_leave(tablet);
    sq_ticket_queue_destroy(turns);
}

T_CASE(device_can_be_chosen_later) {
    struct sq_ticket *unknown = join("");
    struct sq_ticket *phone = join("phone");
    struct sq_ticket *tablet = join("tablet");
    T(must_wait(phone, "phone"));
    T(must_wait(tablet, "tablet"));
    T(has_turn(unknown, "phone"));
    T(must_wait(phone, "phone"));
    T(has_turn(tablet, "tablet"));
    sq_ticket_leave(unknown);
    T(has_turn(phone, "phone"));
    sq_ticket_leave(tablet);
    sq_ticket_leave(phone);
    sq_ticket_queue_destroy(turns);
}

T_CASE(caller_that_gives_up_is_skipped) {
    struct sq_cancel *cancel = NULL;
    struct sq_ticket *first = join("phone");
    struct sq_ticket *second = join("phone");
    struct sq_ticket *third = join("phone");
    struct sq_ticket *last = join("phone");
    struct sq_deadline soon = sq_deadline_in(10, NULL);
    T_FAILS(sq_ticket_await(second, "phone", &soon, &t_err), SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &t_err));
    sq_cancel_set(cancel);
    struct sq_deadline called_off = sq_deadline_in(T_PATIENCE_MS, cancel);
    T_FAILS(sq_ticket_await(third, "phone", &called_off, &t_err),
            SQ_ERR_CANCELLED);
    sq_ticket_leave(second);
    sq_ticket_leave(third);
    T(must_wait(last, "phone"));
    sq_ticket_leave(first);
    T(has_turn(last, "phone"));
    sq_ticket_leave(last);
    sq_ticket_leave(NULL);
    sq_cancel_destroy(cancel);
    sq_ticket_queue_destroy(turns);
    sq_ticket_queue_destroy(NULL);
}

#define MANY 24

/* Threads that start in an order very different from their tickets. */
struct walker {
    struct sq_ticket *turn;
    int number;
    bool yields; /* once, before it notes its number */
};

static int served[MANY];
static int served_count; /* protected by the queue */

static void *
walk(void *context) {
    struct walker *walker = context;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok = sq_ticket_await(walker->turn, "phone", &deadline, NULL);
    if (ok && walker->yields) {
        sq_ticket_yield(walker->turn);
        ok = sq_ticket_await(walker->turn, "phone", &deadline, NULL);
    }
    if (ok) {
        served[served_count++] = walker->number;
    }
    sq_ticket_leave(walker->turn);
    return NULL;
}

T_CASE(order_is_by_ticket_not_by_thread) {
    struct walker walkers[MANY];
    pthread_t threads[MANY];
    served_count = 0;
    for (int i = 0; i < MANY; i++) {
        walkers[i] =
            (struct walker){ .turn = join(i % 3 ? "phone" : ""), .number = i };
    }
    for (int i = MANY - 1; i >= 0; i--) {
        T_INT(pthread_create(&threads[i], NULL, walk, &walkers[i]), 0);
    }
    for (int i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
    }
    T_INT(served_count, MANY);
    for (int i = 0; i < MANY; i++) {
        T_INT(served[i], i);
    }
    sq_ticket_queue_destroy(turns);
}

static void
start(struct walker *walkers, pthread_t *threads, int count) {
    for (int i = 0; i < count; i++) {
        T_INT(pthread_create(&threads[i], NULL, walk, &walkers[i]), 0);
    }
}

static void
finish(pthread_t *threads, int count) {
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void
count_wait(void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
}

/* Lets the owner go when that many tickets wait. */
static void
leave_when(struct sq_ticket *owner, atomic_int *waiting, int count) {
    while (atomic_load(waiting) < count) {
        sched_yield();
    }
    sq_ticket_leave(owner);
}

/* Many tickets of one client, one of each of two others, which come last. */
T_CASE(clients_take_turns) {
    static const int expected[] = { 0, 20, 21, 1, 22, 2, 3 };
    struct walker walkers[MANY];
    pthread_t threads[MANY];
    atomic_int waiting = 0;
    served_count = 0;
    struct sq_ticket *owner = join_as(9, "phone");
    T(has_turn(owner, "phone"));
    for (int i = 0; i < MANY; i++) {
        /* Client 1 has 20 tickets, client 2 has 20 and 22, client 3 the rest */
        uint64_t client = i < 20 ? 1 : i % 2 ? 3 : 2;
        walkers[i] =
            (struct walker){ .turn = join_as(client, "phone"), .number = i };
        sq_ticket_set_waits(walkers[i].turn, count_wait, &waiting);
    }
    sq_ticket_leave(walkers[23].turn);
    start(walkers, threads, 23);
    leave_when(owner, &waiting, 23);
    finish(threads, 23);
    T_INT(served_count, 23);
    for (int i = 0; i < 7; i++) {
        T_INT(served[i], expected[i]);
    }
    for (int i = 7; i < 23; i++) {
        T_INT(served[i], i - 3);
    }
    sq_ticket_queue_destroy(turns);
}

/* A ticket that yields keeps its place before its client's later tickets. */
T_CASE(others_run_while_a_ticket_yields) {
    static const int expected[] = { 2, 0, 1 };
    struct walker walkers[3];
    pthread_t threads[3];
    atomic_int waiting = 0;
    served_count = 0;
    struct sq_ticket *owner = join_as(9, "phone");
    T(has_turn(owner, "phone"));
    T(!sq_ticket_is_wanted(owner));
    for (int i = 0; i < 3; i++) {
        walkers[i] = (struct walker){ .turn = join_as(i < 2 ? 1 : 2, "phone"),
                                      .number = i,
                                      .yields = i == 0 };
        sq_ticket_set_waits(walkers[i].turn, count_wait, &waiting);
    }
    start(walkers, threads, 3);
    while (atomic_load(&waiting) < 3) {
        sched_yield();
    }
    T(sq_ticket_is_wanted(owner));
    sq_ticket_yield(owner);
    finish(threads, 3);
    T(has_turn(owner, "phone"));
    T(sq_ticket_was_passed(owner));
    for (int i = 0; i < 3; i++) {
        T_INT(served[i], expected[i]);
    }
    sq_ticket_yield(owner);
    T(has_turn(owner, "phone"));
    T(!sq_ticket_was_passed(owner));
    sq_ticket_leave(owner);
    sq_ticket_queue_destroy(turns);
}

/* A client that does not know its device yet delays only itself. */
T_CASE(unknown_resources_delay_no_other_client) {
    struct sq_ticket *unknown = join_as(1, "");
    struct sq_ticket *own = join_as(1, "phone");
    struct sq_ticket *other = join_as(2, "phone");
    T(must_wait(own, "phone"));
    T(has_turn(other, "phone"));
    sq_ticket_leave(other);
    sq_ticket_leave(unknown);
    T(has_turn(own, "phone"));
    sq_ticket_leave(own);
    sq_ticket_queue_destroy(turns);
}

static bool
use(void *context, struct sq_err *err) {
    struct sq_ticket_queue *line = NULL;
    struct sq_ticket *turn = NULL;
    bool ok = sq_ticket_queue_create(&line, err)
           && sq_ticket_queue_join(line, "phone", 1, &turn, err);
    sq_ticket_leave(turn);
    sq_ticket_queue_destroy(line);
    return ok;
}

T_BARE_CASE(out_of_memory_is_reported) {
    T_INT(t_alloc_torture(use, NULL), 2);
}
