#include "sys/ticket_queue.h"

#include <pthread.h>

#include "support/test.h"

static struct sq_ticket_queue *turns;

static struct sq_ticket *
join(const char *name) {
    struct sq_ticket *turn = NULL;
    struct sq_err err = { 0 };
    T_OK(sq_ticket_queue_join(turns, name, &turn, &err), &err);
    return turn;
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
    struct sq_err err = { 0 };
    T_OK(sq_ticket_queue_create(&turns, &err), &err);
}

static void
first_come_first_served(void) {
    begin();
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

static void
queues_of_other_devices_are_not_awaited(void) {
    begin();
    struct sq_ticket *phone = join("phone");
    struct sq_ticket *tablet = join("tablet");
    T(has_turn(tablet, "tablet"));
    T(has_turn(phone, "phone"));
    sq_ticket_leave(phone);
    sq_ticket_leave(tablet);
    sq_ticket_queue_destroy(turns);
}

static void
device_can_be_chosen_later(void) {
    begin();
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

static void
caller_that_gives_up_is_skipped(void) {
    struct sq_err err = { 0 };
    struct sq_cancel *cancel = NULL;
    begin();
    struct sq_ticket *first = join("phone");
    struct sq_ticket *second = join("phone");
    struct sq_ticket *third = join("phone");
    struct sq_ticket *last = join("phone");
    struct sq_deadline soon = sq_deadline_in(10, NULL);
    T(!sq_ticket_await(second, "phone", &soon, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &err), &err);
    sq_cancel_set(cancel);
    struct sq_deadline called_off = sq_deadline_in(T_PATIENCE_MS, cancel);
    T(!sq_ticket_await(third, "phone", &called_off, &err));
    T_INT(err.code, SQ_ERR_CANCELLED);
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
};

static int served[MANY];
static int served_count; /* protected by the queue */

static void *
walk(void *context) {
    struct walker *walker = context;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    if (sq_ticket_await(walker->turn, "phone", &deadline, NULL)) {
        served[served_count++] = walker->number;
    }
    sq_ticket_leave(walker->turn);
    return NULL;
}

static void
order_is_by_ticket_not_by_thread(void) {
    struct walker walkers[MANY];
    pthread_t threads[MANY];
    begin();
    served_count = 0;
    for (int i = 0; i < MANY; i++) {
        walkers[i] = (struct walker){ join(i % 3 ? "phone" : ""), i };
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

static bool
use(void *context, struct sq_err *err) {
    struct sq_ticket_queue *line = NULL;
    struct sq_ticket *turn = NULL;
    (void)context;
    bool ok = sq_ticket_queue_create(&line, err)
           && sq_ticket_queue_join(line, "phone", &turn, err);
    sq_ticket_leave(turn);
    sq_ticket_queue_destroy(line);
    return ok;
}

static void
out_of_memory_is_reported(void) {
    T_INT(t_alloc_torture(use, NULL), 2);
}

T_MAIN(T_CASE(first_come_first_served),
       T_CASE(queues_of_other_devices_are_not_awaited),
       T_CASE(device_can_be_chosen_later),
       T_CASE(caller_that_gives_up_is_skipped),
       T_CASE(order_is_by_ticket_not_by_thread),
       T_CASE(out_of_memory_is_reported))
