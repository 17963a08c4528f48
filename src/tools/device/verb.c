/* Runs the operations of the tool `device`. */
#include "tools/device/verb.h"

#include "tools/reply.h"

static void
put_verb(struct sq_json_writer *w, const void *context) {
    const struct sq_verb *verb = context;
    if (verb->shows_package) {
        sq_put_package(w, verb->name, &verb->package);
    } else if (!verb->value) {
        sq_put_bool(w, verb->name, true);
    } else if (verb->is_given) {
        sq_put_clean(w, verb->name, sq_span_of(verb->value));
    } else {
        sq_put_text(w, verb->name, verb->value);
    }
}

bool
sq_verb_run(struct sq_call *call, struct sq_verb *verb,
            const struct sq_act_options *options, struct sq_err *err) {
    const char *remark = NULL;
    const char *outcome = NULL;
    SQ_FREED(sq_act_finish)
    struct sq_act act = { .is_off_screen = verb->is_off_screen };
    verb->hand.remark = &remark;
    verb->hand.outcome = &outcome;
    bool ok = sq_device_can(call->device, verb->hand.verb, err)
           && sq_act_begin(&act, call, options, err)
           && sq_device_hand(call->device, &verb->hand, &call->deadline, err);
    if (ok) {
        sq_session_leave_region(call->session, call->device->info.id);
        if (remark) {
            sq_act_note(&act, "%s", remark);
        }
        verb->value = outcome ? outcome : verb->value;
        ok = sq_act_end(&act, put_verb, NULL, verb, err);
    }
    return ok;
}

bool
sq_verb_package(struct sq_call *call, const struct sq_opt_text *name,
                struct sq_verb *verb, struct sq_err *err) {
    if (!name->given) {
        return true;
    }
    if (!sq_package_resolve(call, name->value, &verb->package, err)) {
        return false;
    }
    verb->hand.package = verb->package.name;
    return true;
}
