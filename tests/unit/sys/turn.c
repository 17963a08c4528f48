#include "sys/turn.h"

#include <pthread.h>

#include "support/test.h"

static struct sq_turns *turns;

static struct sq_turn *
join(const char *name) {
    struct sq_turn *turn = NULL;
    struct sq_err err = { 0 };
    T_OK(sq_turns_join(turns, name, &turn, &err), &err);
    return turn;
}

static bool
has_turn(struct sq_turn *turn, const char *name) {
    struct sq_deadline late = sq_deadline_in(T_PATIENCE_MS, NULL);
    return sq_turn_await(turn, name, &late, NULL);
}

static bool
must_wait(struct sq_turn *turn, const char *name) {
    struct sq_deadline soon = sq_deadline_in(1, NULL);
    return !sq_turn_await(turn, name, &soon, NULL);
}

static void
begin(void) {
    struct sq_err err = { 0 };
    T_OK(sq_turns_create(&turns, &err), &err);
}

static void
the_first_to_come_is_the_first_to_go(void) {
    begin();
    struct sq_turn *first = join("phone");
    struct sq_turn *second = join("phone");
    T_STR(sq_turn_name(first), "phone");
    T(must_wait(second, "phone"));
    T(has_turn(first, "phone"));
    T(has_turn(first, "phone"));
    sq_turn_leave(first);
    T(has_turn(second, "phone"));
    sq_turn_leave(second);
    sq_turns_destroy(turns);
}

static void
other_places_are_not_waited_for(void) {
    begin();
    struct sq_turn *phone = join("phone");
    struct sq_turn *tablet = join("tablet");
    T(has_turn(tablet, "tablet"));
    T(has_turn(phone, "phone"));
    sq_turn_leave(phone);
    sq_turn_leave(tablet);
    sq_turns_destroy(turns);
}

static void
where_one_belongs_may_turn_out_later(void) {
    begin();
    struct sq_turn *unknown = join("");
    struct sq_turn *phone = join("phone");
    struct sq_turn *tablet = join("tablet");
    T(must_wait(phone, "phone"));
    T(must_wait(tablet, "tablet"));
    T(has_turn(unknown, "phone"));
    T(must_wait(phone, "phone"));
    T(has_turn(tablet, "tablet"));
    sq_turn_leave(unknown);
    T(has_turn(phone, "phone"));
    sq_turn_leave(tablet);
    sq_turn_leave(phone);
    sq_turns_destroy(turns);
}

static void
whoever_gives_up_is_passed_over(void) {
    struct sq_err err = { 0 };
    struct sq_cancel *cancel = NULL;
    begin();
    struct sq_turn *first = join("phone");
    struct sq_turn *second = join("phone");
    struct sq_turn *third = join("phone");
    struct sq_turn *last = join("phone");
    struct sq_deadline soon = sq_deadline_in(10, NULL);
    T(!sq_turn_await(second, "phone", &soon, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    T_OK(sq_cancel_create(&cancel, &err), &err);
    sq_cancel_set(cancel);
    struct sq_deadline called_off = sq_deadline_in(T_PATIENCE_MS, cancel);
    T(!sq_turn_await(third, "phone", &called_off, &err));
    T_INT(err.code, SQ_ERR_CANCELLED);
    sq_turn_leave(second);
    sq_turn_leave(third);
    T(must_wait(last, "phone"));
    sq_turn_leave(first);
    T(has_turn(last, "phone"));
    sq_turn_leave(last);
    sq_turn_leave(NULL);
    sq_cancel_destroy(cancel);
    sq_turns_destroy(turns);
    sq_turns_destroy(NULL);
}

#define MANY 24

/* Threads that begin in the order least like that of the turns. */
struct walker {
    struct sq_turn *turn;
    int number;
};

static int served[MANY];
static int served_count; /* guarded by the turns */

static void *
walk(void *context) {
    struct walker *walker = context;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    if (sq_turn_await(walker->turn, "phone", &deadline, NULL)) {
        served[served_count++] = walker->number;
    }
    sq_turn_leave(walker->turn);
    return NULL;
}

static void
the_order_is_that_of_arrival_not_of_threads(void) {
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
    sq_turns_destroy(turns);
}

static bool
use(void *context, struct sq_err *err) {
    struct sq_turns *line = NULL;
    struct sq_turn *turn = NULL;
    (void)context;
    bool ok =
        sq_turns_create(&line, err) && sq_turns_join(line, "phone", &turn, err);
    sq_turn_leave(turn);
    sq_turns_destroy(line);
    return ok;
}

static void
survives_a_lack_of_memory(void) {
    T_INT(t_alloc_torture(use, NULL), 2);
}

T_MAIN(T_CASE(the_first_to_come_is_the_first_to_go),
       T_CASE(other_places_are_not_waited_for),
       T_CASE(where_one_belongs_may_turn_out_later),
       T_CASE(whoever_gives_up_is_passed_over),
       T_CASE(the_order_is_that_of_arrival_not_of_threads),
       T_CASE(survives_a_lack_of_memory))
