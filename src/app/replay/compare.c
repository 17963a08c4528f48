/* Compares answers with recorded ones. */
#include <stdio.h>
#include <string.h>

#include "app/replay/private.h"
#include "tool/masked_arguments.h"
#include "tool/names.h"

#define MAX_SHOWN 60

static void
differ(struct sq_replay_step *step, const char *before, struct sq_span text,
       const char *after) {
    int len = (int)(text.len < MAX_SHOWN ? text.len : MAX_SHOWN);
    if (step->why[0] == '\0') {
        snprintf(step->why, sizeof(step->why), "%s%.*s%s", before, len,
                 text.ptr ? text.ptr : "", after);
    }
}

static void
compare_outcome(const struct sq_replay_action *action,
                const struct sq_replay_call *now, struct sq_replay_step *step) {
    if (!now->ok) {
        const char *code = sq_tool_error_name(now->err.code);
        if (!sq_span_is(action->error, code)) {
            snprintf(step->why, sizeof(step->why), "failed with %s: %.200s",
                     code, now->err.message);
        }
    } else if (action->error.len > 0) {
        differ(step, "succeeded, but failed with ", action->error,
               " in the recording");
    }
}

/* Compares whether the screen changed, if both answers say so. */
static void
compare_effect(const struct sq_json *recorded, const struct sq_json *now,
               struct sq_replay_step *step) {
    const struct sq_json *before = sq_json_get(recorded, "changed");
    const struct sq_json *after = sq_json_get(now, "changed");
    if (!before || !after) {
        return;
    }
    bool had = !sq_json_is(before, SQ_JSON_NULL);
    bool has = !sq_json_is(after, SQ_JSON_NULL);
    if (had != has) {
        differ(step, has ? "changed the screen" : "did not change the screen",
               SQ_SPAN(""),
               had ? ", which it did in the recording"
                   : ", which it did not in the recording");
    }
}

/* Returns the label of an entry of a compact list: "3 20,30 Button Sign in". */
static struct sq_span
entry_label(const struct sq_json *entry) {
    struct sq_span text = { 0 };
    struct sq_span part;
    if (!sq_json_string(entry, &text)) {
        return sq_json_text_of(entry, "text");
    }
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) { /* the index and the point */
        ok = sq_span_take_until(&text, ' ', &part);
    }
    return ok ? text : (struct sq_span){ 0 };
}

static bool
has_label(const struct sq_json *elements, struct sq_span label) {
    const struct sq_json *entry = sq_json_first(elements);
    while (entry && !sq_span_equal(entry_label(entry), label)) {
        entry = sq_json_next(entry);
    }
    return entry != NULL;
}

/* Every recorded element must be listed again; there may be further ones. */
static void
compare_elements(const struct sq_json *recorded, const struct sq_json *now,
                 struct sq_replay_step *step) {
    const struct sq_json *elements = sq_json_get(now, "elements");
    for (const struct sq_json *entry =
             sq_json_first(sq_json_get(recorded, "elements"));
         entry && elements; entry = sq_json_next(entry)) {
        struct sq_span label = entry_label(entry);
        if (!has_label(elements, label)) {
            differ(step, "there is no element \"", label, "\"");
        }
    }
    if (elements && sq_json_count(elements) > 0
        && sq_json_count(sq_json_get(recorded, "elements")) == 0) {
        differ(step, "elements were found, but none in the recording",
               SQ_SPAN(""), "");
    }
}

static void
compare_texts(const struct sq_json *recorded, const struct sq_json *now,
              const char *name, const char *what, struct sq_replay_step *step) {
    struct sq_span before = sq_json_text_of(recorded, name);
    struct sq_span after = sq_json_text_of(now, name);
    if (before.len > 0 && after.len > 0 && !sq_span_equal(before, after)) {
        differ(step, what, after, "\" now");
    }
}

void
sq_replay_compare(const struct sq_replay_action *action,
                  const struct sq_replay_call *now,
                  struct sq_replay_step *step) {
    compare_outcome(action, now, step);
    if (now->ok && action->reply) {
        compare_effect(action->reply, now->reply, step);
        compare_elements(action->reply, now->reply, step);
        compare_texts(action->reply, now->reply, "launched",
                      "the launched app is \"", step);
        compare_texts(sq_json_get(action->reply, "field"),
                      sq_json_get(now->reply, "field"), "text",
                      "the field contains \"", step);
    }
}
