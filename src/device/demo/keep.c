/* Loads the state of a demo phone before its use, and saves it afterwards. */
#include "device/demo/demo.h"

#include "demo/phone/phone.h"

#define END_MS 1000 /* for saving the state at the end */

/* Fails only if the error is fatal; else it becomes a warning. */
static bool
warn(const struct sq_demo_keeper *keeper, const struct sq_err *why,
     struct sq_err *err) {
    if (sq_is_fatal(why->code) || why->code == SQ_ERR_TIMEOUT) {
        return sq_fail_with(err, why);
    }
    keeper->warn(keeper->context, why);
    return true;
}

static bool
save(struct sq_phone *phone, struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    struct sq_buf state;
    struct sq_err local_err = { 0 };
    sq_buf_init(&state, SQ_PHONE_STATE_MAX);
    bool ok = sq_phone_save(phone, &state, &local_err)
           && keeper->save(keeper->context, sq_buf_span(&state), &local_err);
    if (ok) {
        sq_buf_finish(&phone->kept);
        phone->kept = state;
        return true;
    }
    sq_buf_finish(&state);
    return warn(keeper, &local_err, err);
}

/* Reads the state. *is_bad: there is one that cannot be used. */
static bool
load(struct sq_phone *phone, bool *is_bad, struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    struct sq_buf state;
    struct sq_err local_err = { 0 };
    sq_buf_init(&state, SQ_PHONE_STATE_MAX);
    *is_bad = false;
    bool ok = keeper->load(keeper->context, &state, &local_err);
    if (ok && state.len > 0
        && !sq_span_equal(sq_buf_span(&state), sq_buf_span(&phone->kept))) {
        ok = sq_phone_restore(phone, sq_buf_span(&state), &local_err);
        *is_bad = !ok;
    }
    if (ok && state.len > 0) {
        sq_buf_finish(&phone->kept);
        phone->kept = state;
        return true;
    }
    sq_buf_finish(&state);
    return ok || warn(keeper, &local_err, err);
}

bool
sq_demo_refresh(struct sq_phone *phone, const struct sq_deadline *deadline,
                struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    bool is_bad = false;
    if (keeper && !load(phone, &is_bad, err)) {
        return false;
    }
    bool was_pending = phone->reaction.is_pending;
    if (!sq_phone_react(phone, false, err)) {
        return false;
    }
    bool has_reacted = was_pending && !phone->reaction.is_pending;
    if (!keeper || (!is_bad && !has_reacted)) {
        return true;
    }
    if (!keeper->begin(keeper->context, deadline, err)) {
        return false;
    }
    bool ok = save(phone, err);
    keeper->end(keeper->context);
    return ok;
}

void
sq_demo_end(struct sq_phone *phone) {
    const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
    phone->reaction.due_ns = 0;
    if (phone->options.keeper && phone->reaction.is_pending) {
        sq_demo_refresh(phone, &limit, NULL);
    }
}

bool
sq_demo_act(struct sq_phone *phone,
            bool (*act)(struct sq_phone *phone, const void *what,
                        struct sq_err *err),
            const void *what, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_demo_keeper *keeper = phone->options.keeper;
    bool is_bad;
    if (!sq_deadline_check(deadline, err)) {
        return false;
    }
    if (!keeper) {
        return act(phone, what, err);
    }
    if (!keeper->begin(keeper->context, deadline, err)) {
        return false;
    }
    bool ok = load(phone, &is_bad, err) && act(phone, what, err);
    if (ok) {
        struct sq_err ignored = { 0 };
        (void)save(phone, &ignored); /* the action was done */
    }
    keeper->end(keeper->context);
    return ok;
}
