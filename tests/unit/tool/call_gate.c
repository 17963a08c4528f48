#include "tool/call_gate.h"

#include <pthread.h>
#include <stdatomic.h>

#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "sys/deadline.h"

#define MANY 8

static struct sq_call_gate *gate;

/* A call on a thread of its own. */
struct caller {
    struct sq_gate_call call;
    pthread_t thread;
    struct sq_cancel *cancel;
    struct sq_err err;
    bool ok;
    int order; /* of its release; 0: not released */
    atomic_int waits;
};

static atomic_int released_count;

static void
count_wait(void *context) {
    struct caller *caller = context;
    atomic_fetch_add(&caller->waits, 1);
}

static bool
count_release(void *context, struct sq_err *err) {
    struct caller *caller = context;
    caller->order = atomic_fetch_add(&released_count, 1) + 1;
    return true;
}

static void *
enter(void *context) {
    struct caller *caller = context;
    caller->ok =
        sq_call_gate_enter(gate, &caller->call, caller->cancel, &caller->err);
    return NULL;
}

static void
wait_until_held(int count) {
    struct sq_deadline limit = sq_deadline_in(T_PATIENCE_MS, NULL);
    while (sq_call_gate_waiting(gate, NULL, 0) != count
           && sq_deadline_check(&limit, NULL)) {
        sq_wait_ms(1, &limit, NULL);
    }
    T_INT(sq_call_gate_waiting(gate, NULL, 0), count);
}

static void
start(struct caller *caller, uint64_t id) {
    *caller = (struct caller){
        .call = { .id = id,
                  .name = "tap",
                  .waits = count_wait,
                  .released = count_release,
                  .context = caller },
    };
    T_INT(pthread_create(&caller->thread, NULL, enter, caller), 0);
}

static void
join(struct caller *caller) {
    pthread_join(caller->thread, NULL);
}

static void
begin(int max_wait_ms, enum sq_gate_mode mode) {
    T_OK(sq_call_gate_create(max_wait_ms, &gate, &t_err));
    atomic_store(&released_count, 0);
    sq_call_gate_set_mode(gate, mode);
}

static void
end(void) {
    sq_call_gate_destroy(gate);
    gate = NULL;
}

T_FIXTURE(NULL, end);

T_CASE(open_gate_does_not_hold) {
    struct caller caller;
    begin(0, SQ_GATE_RUN);
    start(&caller, 1);
    join(&caller);
    T(caller.ok);
    T_INT(atomic_load(&caller.waits), 0);
    T_INT(caller.order, 0);
    sq_call_gate_destroy(NULL);
    T_INT(sq_call_gate_mode(NULL), SQ_GATE_RUN);
}

T_CASE(released_calls_go_on_in_the_order_of_their_arrival) {
    struct caller callers[MANY];
    uint64_t ids[MANY] = { 0 };
    begin(T_PATIENCE_MS, SQ_GATE_HOLD);
    for (int i = 0; i < MANY; i++) {
        start(&callers[i], (uint64_t)i + 1);
        wait_until_held(i + 1);
        T_INT(atomic_load(&callers[i].waits), 1);
    }
    T_INT(sq_call_gate_waiting(gate, ids, MANY), MANY);
    T_INT(ids[0], 1);
    T_INT(ids[MANY - 1], MANY);
    sq_call_gate_set_mode(gate, SQ_GATE_RUN);
    for (int i = 0; i < MANY; i++) {
        join(&callers[i]);
        T_OK(callers[i].ok, &callers[i].err);
        T_INT(callers[i].order, i + 1);
    }
}

T_CASE(it_knows_since_when_no_agent_uses_a_device) {
    T_OK(sq_call_gate_create(1000, &gate, &t_err));
    T(sq_call_gate_idle_ns(gate) > 0);
    sq_call_gate_begin_use(gate);
    sq_call_gate_begin_use(gate);
    T(sq_call_gate_idle_ns(gate) == 0);
    sq_call_gate_end_use(gate);
    T(sq_call_gate_idle_ns(gate) == 0);
    int64_t before_ns = sq_clock_monotonic_ns();
    sq_call_gate_end_use(gate);
    int64_t idle_ns = sq_call_gate_idle_ns(gate);
    T(idle_ns >= 0 && idle_ns <= sq_clock_monotonic_ns() - before_ns);
}

T_CASE(a_step_passes_exactly_one_call) {
    struct caller callers[3];
    begin(T_PATIENCE_MS, SQ_GATE_RUN);
    sq_call_gate_step(gate); /* for the next call to arrive */
    T_INT(sq_call_gate_mode(gate), SQ_GATE_HOLD);
    start(&callers[0], 1);
    join(&callers[0]);
    T_OK(callers[0].ok, &callers[0].err);
    start(&callers[1], 2);
    wait_until_held(1);
    start(&callers[2], 3);
    wait_until_held(2);
    sq_call_gate_step(gate);
    join(&callers[1]);
    T_OK(callers[1].ok, &callers[1].err);
    wait_until_held(1);
    T(sq_call_gate_release(gate, 3));
    join(&callers[2]);
    T_OK(callers[2].ok, &callers[2].err);
    T(!sq_call_gate_release(gate, 3));
}

T_CASE(a_refused_call_says_why) {
    struct caller callers[2];
    begin(T_PATIENCE_MS, SQ_GATE_APPROVE);
    start(&callers[0], 7);
    wait_until_held(1);
    start(&callers[1], 8);
    wait_until_held(2);
    T(!sq_call_gate_refuse(gate, 9, SQ_SPAN("unknown")));
    T(sq_call_gate_refuse(gate, 8, SQ_SPAN("not the shop")));
    join(&callers[1]);
    T(!callers[1].ok);
    T_INT(callers[1].err.code, SQ_ERR_REFUSED);
    T_STR(callers[1].err.message,
          "tap was not done: a person refused it: not the shop");
    T(callers[1].err.hint[0] != '\0');
    T_INT(callers[1].order, 0);
    T(sq_call_gate_release(gate, 7));
    join(&callers[0]);
    T_OK(callers[0].ok, &callers[0].err);
}

T_CASE(a_call_is_held_for_a_limited_time) {
    struct caller callers[2];
    begin(1, SQ_GATE_HOLD);
    start(&callers[0], 1);
    join(&callers[0]);
    T(!callers[0].ok);
    T_INT(callers[0].err.code, SQ_ERR_HELD);
    T_HAS(callers[0].err.message, "paused");
    sq_call_gate_set_mode(gate, SQ_GATE_APPROVE);
    start(&callers[1], 2);
    join(&callers[1]);
    T_INT(callers[1].err.code, SQ_ERR_HELD);
    T_HAS(callers[1].err.message, "approved");
    T_HAS(callers[1].err.hint, "changed nothing");
    const struct sq_gate_call step = { .name = "tap", .hint = "Do the rest." };
    T(!sq_call_gate_enter(gate, &step, NULL, &t_err));
    T_STR(t_err.hint, "Do the rest.");
    T_INT(sq_call_gate_waiting(gate, NULL, 0), 0);
}

T_CASE(a_held_call_can_be_cancelled) {
    struct caller caller;
    struct sq_cancel *cancel;
    begin(T_PATIENCE_MS, SQ_GATE_HOLD);
    T_OK(sq_cancel_create(&cancel, &t_err));
    caller =
        (struct caller){ .call = { .id = 1, .name = "tap" }, .cancel = cancel };
    T_INT(pthread_create(&caller.thread, NULL, enter, &caller), 0);
    wait_until_held(1);
    sq_cancel_set(cancel);
    join(&caller);
    T(!caller.ok);
    T_INT(caller.err.code, SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
}

static bool
fail_release(void *context, struct sq_err *err) {
    return sq_fail_nomem(err);
}

T_CASE(a_call_that_cannot_go_on_fails) {
    const struct sq_gate_call call = { .id = 1,
                                       .name = "tap",
                                       .released = fail_release };
    begin(T_PATIENCE_MS, SQ_GATE_RUN);
    sq_call_gate_step(gate);
    T_FAILS(sq_call_gate_enter(gate, &call, NULL, &t_err), SQ_ERR_NOMEM);
    T_INT(sq_call_gate_waiting(gate, NULL, 0), 0);
}

static void
count_change(void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
}

T_CASE(the_watcher_gets_changes) {
    struct caller caller;
    atomic_int changes = 0;
    begin(T_PATIENCE_MS, SQ_GATE_RUN);
    sq_call_gate_watch(gate, count_change, &changes);
    sq_call_gate_set_mode(gate, SQ_GATE_HOLD);
    T_INT(atomic_load(&changes), 1);
    start(&caller, 1);
    wait_until_held(1);
    T_INT(atomic_load(&changes), 2);
    T(sq_call_gate_release(gate, 1));
    join(&caller);
    T_INT(atomic_load(&changes), 4);
    sq_call_gate_watch(gate, NULL, NULL);
    sq_call_gate_set_mode(gate, SQ_GATE_RUN);
    T_INT(atomic_load(&changes), 4);
}

/* Starts a tap of a client, and returns whether it had to wait. */
static bool
is_held(struct caller *caller, uint64_t client, bool has_kind) {
    *caller = (struct caller){ .call = { .id = 9,
                                         .name = "tap",
                                         .client = client,
                                         .has_kind = has_kind,
                                         .waits = count_wait,
                                         .context = caller } };
    T_INT(pthread_create(&caller->thread, NULL, enter, caller), 0);
    bool must_wait = client != 1 || !has_kind;
    if (must_wait) {
        wait_until_held(1);
        sq_call_gate_refuse(gate, 9, SQ_SPAN(""));
    }
    join(caller);
    return atomic_load(&caller->waits) > 0;
}

T_CASE(a_kind_is_approved_for_one_client_and_a_time) {
    struct caller first;
    struct caller second;
    struct caller other;
    struct sq_gate_grant grants[SQ_GATE_MAX_GRANTS];
    begin(0, SQ_GATE_APPROVE);
    start(&first, 1);
    start(&second, 2);
    wait_until_held(2);
    T(!sq_call_gate_release_kind(gate, 1, INT64_MAX / 2)); /* has none */
    T(sq_call_gate_refuse(gate, 1, SQ_SPAN("")));
    T(sq_call_gate_refuse(gate, 2, SQ_SPAN("")));
    join(&first);
    join(&second);
    first.call = (struct sq_gate_call){
        .id = 3, .name = "tap", .client = 1, .has_kind = true
    };
    T_INT(pthread_create(&first.thread, NULL, enter, &first), 0);
    wait_until_held(1);
    T(sq_call_gate_release_kind(gate, 3, INT64_MAX / 2));
    join(&first);
    T_OK(first.ok, &first.err);
    T_INT(sq_call_gate_grants(gate, grants), 1);
    T_INT(grants[0].client, 1);
    T(!is_held(&other, 1, true));
    T(is_held(&other, 2, true));
    T(is_held(&other, 1, false));
    sq_call_gate_set_mode(gate, SQ_GATE_APPROVE);
    T_INT(sq_call_gate_grants(gate, grants), 0);
}

T_CASE(an_approval_of_a_kind_ends) {
    struct caller caller = {
        .call = { .id = 3, .name = "tap", .client = 1, .has_kind = true }
    };
    struct sq_gate_grant grants[SQ_GATE_MAX_GRANTS];
    begin(0, SQ_GATE_APPROVE);
    for (int i = 0; i < 2; i++) { /* held again although it was approved */
        T_INT(pthread_create(&caller.thread, NULL, enter, &caller), 0);
        wait_until_held(1);
        T(i == 0 ? sq_call_gate_release_kind(gate, 3, 1)
                 : sq_call_gate_release(gate, 3));
        join(&caller);
        T_INT(sq_call_gate_grants(gate, grants), 0);
    }
}

static const struct sq_gate_rule rules[] = {
    { SQ_GATE_APPROVE, { .operation = "input", .app = "com.bank \"x\"" } },
    { SQ_GATE_HOLD, { .client = "bot" } },
};

/* The mode in which a call of a client is held, by a gate that reads a file. */
static enum sq_gate_mode
mode_by_file(const char *path, const char *operation, const char *client) {
    struct sq_call_gate *reader = NULL;
    struct sq_gate_call call = { .name = operation };
    snprintf(call.about.operation, sizeof(call.about.operation), "%s",
             operation);
    snprintf(call.about.client, sizeof(call.about.client), "%s", client);
    T_OK(sq_call_gate_create(1, &reader, &t_err));
    sq_call_gate_follow(reader, path);
    enum sq_gate_mode mode = sq_call_gate_mode_of(reader, &call);
    sq_call_gate_destroy(reader);
    return mode;
}

T_CASE(rules_are_in_the_file_and_the_strictest_counts) {
    struct sq_gate_rule found[SQ_GATE_MAX_RULES];
    t_scratch_start();
    const char *path = t_scratch_path("gate");
    begin(0, SQ_GATE_RUN);
    T_OK(sq_call_gate_keep(gate, path, &t_err));
    T(sq_call_gate_set_rules(gate, rules, SQ_COUNT(rules)));
    T_INT(mode_by_file(path, "input", "me"), SQ_GATE_APPROVE);
    T_INT(mode_by_file(path, "tap", "me"), SQ_GATE_RUN);
    T_INT(mode_by_file(path, "input", "bot"), SQ_GATE_HOLD);
    T(sq_call_gate_set_mode(gate, SQ_GATE_APPROVE));
    T_INT(mode_by_file(path, "tap", "me"), SQ_GATE_APPROVE);
    T_INT(mode_by_file(path, "tap", "bot"), SQ_GATE_HOLD);
    sq_call_gate_destroy(gate);
    T_OK(sq_call_gate_create(0, &gate, &t_err));
    T_OK(sq_call_gate_keep(gate, path, &t_err));
    T_INT(sq_call_gate_rules(gate, found), 2);
    T(memcmp(found, rules, sizeof(rules)) == 0);
    T(sq_call_gate_set_rules(gate, NULL, 0));
    T(sq_call_gate_set_mode(gate, SQ_GATE_RUN));
    T_INT(mode_by_file(path, "input", "bot"), SQ_GATE_RUN);
    t_scratch_end();
}

T_CASE(a_file_that_cannot_be_read_holds_everything) {
    static const char *const lines[] = {
        "run [{\"mode\":\"run\"}]\n",
        "run [\n",
        "run x\n",
        "run\n\n",
        "run",
        "run [{\"mode\":\"approve\",\"operation\":\"a name that is much too "
        "long for an operation\"}]\n",
        "hold []\n",
    };
    t_scratch_start();
    const char *path = t_scratch_path("gate");
    for (size_t i = 0; i < SQ_COUNT(lines); i++) {
        t_put(path, lines[i], strlen(lines[i]));
        T_INT(mode_by_file(path, "tap", "me"), SQ_GATE_HOLD);
    }
    t_put(path, "hold\nrun\n", 9); /* of an earlier version */
    T_INT(mode_by_file(path, "tap", "me"), SQ_GATE_RUN);
    t_scratch_end();
}

T_CASE(a_call_waits_for_its_rule_or_its_own_demand) {
    struct caller ruled;
    struct caller demanding;
    begin(T_PATIENCE_MS, SQ_GATE_APPROVE);
    sq_call_gate_set_rules(gate, rules + 1, 1);
    start(&ruled, 1); /* its client is not known */
    demanding = (struct caller){ .call = { .id = 2,
                                           .name = "tap",
                                           .about = { .client = "me" },
                                           .least = SQ_GATE_APPROVE } };
    T_INT(pthread_create(&demanding.thread, NULL, enter, &demanding), 0);
    wait_until_held(2);
    sq_call_gate_set_mode(gate, SQ_GATE_RUN);
    wait_until_held(2);
    sq_call_gate_set_rules(gate, NULL, 0);
    wait_until_held(1);
    join(&ruled);
    T_OK(ruled.ok, &ruled.err);
    T(sq_call_gate_refuse(gate, 2, SQ_SPAN("")));
    join(&demanding);
    T_INT(demanding.err.code, SQ_ERR_REFUSED);
}
