/* Parses journals into actions, and writes what happened to them as JSON. */
#include "app/replay/script.h"

#include "app/replay/export.h"
#include "tool/masked_arguments.h"
#include "tools/reply.h"

#define MAX_LIST_BYTES ((size_t)64 << 20)

bool
sq_replay_script_parse(struct sq_span text, struct sq_replay_script *out,
                       struct sq_err *err) {
    sq_arena_init(&out->arena, MAX_LIST_BYTES);
    return sq_journal_parse(text, &out->journal, err)
        && sq_replay_actions_list(&out->journal, &out->arena, &out->actions,
                                  err);
}

void
sq_replay_script_finish(struct sq_replay_script *script) {
    sq_journal_finish(&script->journal);
    sq_arena_finish(&script->arena);
}

uint64_t
sq_replay_secret_of(const struct sq_replay_action *action) {
    return action->error.len > 0
             ? 0
             : sq_secret_number(sq_json_text_of(action->arguments, "text"));
}

static void
put_point(struct sq_json_writer *w, const char *key, struct sq_dev_pt point) {
    sq_json_put_key(w, key);
    sq_json_begin_object(w);
    sq_put_int(w, "deviceX", point.x);
    sq_put_int(w, "deviceY", point.y);
    sq_json_end_object(w);
}

/* Returns a name of what an action touched; empty if none is known. */
static struct sq_span
name_target(const struct sq_replay_action *action) {
    const struct sq_json *element = sq_json_get(action->reply, "element");
    const struct sq_json *selector = sq_json_get(action->arguments, "selector");
    struct sq_span label = sq_json_text_of(element, "label");
    struct sq_span text = sq_json_text_of(selector, "text");
    return label.len ? label
         : text.len  ? text
                     : sq_json_text_of(element, "resourceId");
}

void
sq_replay_put_step(struct sq_json_writer *w,
                   const struct sq_replay_step *step) {
    sq_json_begin_object(w);
    sq_put_int(w, "call", (int64_t)step->action->call->number);
    if (step->action->step > 0) {
        sq_put_int(w, "step", step->action->step);
    }
    sq_put_text(w, "operation", step->action->tool->name);
    struct sq_span target = name_target(step->action);
    if (target.len > 0) {
        sq_put_clean(w, "target", target);
    }
    sq_put_text(w, "result", sq_replay_outcome_name(step->outcome));
    if (step->by) {
        sq_put_text(w, "foundBy", step->by);
    }
    if (step->has_moved) {
        put_point(w, "from", step->from);
        put_point(w, "to", step->to);
    }
    if (step->why[0]) {
        sq_json_put_key(w, "why");
        sq_json_put_clean(w, sq_span_of(step->why));
    }
    sq_json_end_object(w);
}

void
sq_replay_put_summary(struct sq_json_writer *w,
                      const struct sq_replay_summary *summary) {
    for (int i = 0; i < SQ_REPLAY_OUTCOMES; i++) {
        sq_put_int(w, sq_replay_outcome_name((enum sq_replay_outcome)i),
                   summary->counts[i]);
    }
    sq_put_int(w, "notRun", summary->not_run);
}

const char *const sq_export_names[] = {
    [SQ_EXPORT_SH] = "sh",
    [SQ_EXPORT_MAESTRO] = "maestro",
    [SQ_EXPORT_FORMS] = NULL,
};

bool
sq_export(enum sq_export_form form, const struct sq_replay_script *script,
          struct sq_buf *out, struct sq_err *err) {
    static bool (*const exports[])(const struct sq_journal *,
                                   const struct sq_replay_actions *,
                                   struct sq_buf *, struct sq_err *) = {
        [SQ_EXPORT_SH] = sq_export_sh,
        [SQ_EXPORT_MAESTRO] = sq_export_maestro,
    };
    return exports[form](&script->journal, &script->actions, out, err);
}
