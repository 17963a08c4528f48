/*
 * Lists the actions of a journal, and writes what happened to them as JSON.
 */
#include "app/replay/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool/masked_arguments.h"
#include "json/writer.h"
#include "tools/reply.h"
#include "tools/table.h"

static bool
add(struct sq_replay_actions *list, const struct sq_replay_action *action,
    struct sq_arena *arena, struct sq_err *err) {
    if (!action->tool || !(action->tool->flags & SQ_TOOL_NEEDS_DEVICE)) {
        return true;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        struct sq_replay_action *items =
            sq_arena_alloc(arena, capacity, sizeof(*items), err);
        if (!items) {
            return false;
        }
        if (list->count > 0) {
            memcpy(items, list->items, list->count * sizeof(*items));
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *action;
    return true;
}

/* Adds the steps of a call, of which the last may have failed. */
static bool
add_steps(struct sq_replay_actions *list, const struct sq_journal_call *call,
          struct sq_arena *arena, struct sq_err *err) {
    const struct sq_json *done =
        sq_json_first(call->error.len ? sq_json_get(call->details, "done")
                                      : sq_json_get(call->reply, "steps"));
    bool ok = true;
    int number = 0;
    for (const struct sq_json *step =
             sq_json_first(sq_json_get(call->arguments, "steps"));
         ok && step && done; step = sq_json_next(step)) {
        struct sq_span name = sq_json_text_of(step, "operation");
        sq_span_take_prefix(&name, "ui_");
        const struct sq_replay_action action = {
            .call = call,
            .step = ++number,
            .tool = sq_tools_find(name),
            .arguments = step,
            .reply = done,
        };
        ok = add(list, &action, arena, err);
        done = sq_json_next(done);
    }
    return ok;
}

static bool
list_actions(const struct sq_journal *journal, struct sq_arena *arena,
             struct sq_replay_actions *out, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < journal->count; i++) {
        const struct sq_journal_call *call = &journal->calls[i];
        const struct sq_replay_action action = {
            .call = call,
            .tool = sq_tools_find(call->operation),
            .arguments = call->arguments,
            .reply = call->reply,
            .error = call->error,
        };
        ok = sq_span_is(call->operation, "steps")
               ? add_steps(out, call, arena, err)
               : add(out, &action, arena, err);
    }
    return ok;
}

bool
sq_replay_is_place(struct sq_span name) {
    static const char *const places[] = {
        "x",
        "y",
        "elementIndex",
        "selector",
        "cell",
        "screenshotId",
        "deviceSpace",
        "screenshotRef",
        "applyScreenshotScale",
        "screenshotScaleX",
        "screenshotScaleY",
    };
    for (size_t i = 0; i < SQ_COUNT(places); i++) {
        if (sq_span_is(name, places[i])) {
            return true;
        }
    }
    return false;
}

bool
sq_replay_has_target(const struct sq_replay_action *action) {
    return strcmp(action->tool->name, "tap") == 0
        || (strcmp(action->tool->name, "input") == 0
            && (sq_json_get(action->arguments, "selector")
                || sq_json_get(action->arguments, "elementIndex")));
}

static bool
read_size(const struct sq_json *object, struct sq_size *out) {
    *out = (struct sq_size){ sq_json_int_of(object, "width"),
                             sq_json_int_of(object, "height") };
    return out->width > 0 && out->height > 0;
}

/* Returns the calls of the same client before an action, latest first. */
static const struct sq_journal_call *
previous_call(const struct sq_journal *journal,
              const struct sq_journal_call *call) {
    uint64_t client = call->client;
    while (call > journal->calls) {
        call--;
        if (call->client == client) {
            return call;
        }
    }
    return NULL;
}

struct sq_size
sq_replay_device_size(const struct sq_journal *journal,
                      const struct sq_replay_action *action) {
    struct sq_size size = { 0 };
    const struct sq_journal_call *call = action->call;
    while (call && !read_size(sq_json_get(call->reply, "device"), &size)) {
        call = previous_call(journal, call);
    }
    return call ? size : (struct sq_size){ 0 };
}

/* Returns whether the answer of a call has the picture with that id. */
static bool
has_picture(const struct sq_journal_call *call, struct sq_span id) {
    static const char *const parts[] = { "picture", "visualFallback" };
    bool found =
        sq_span_equal(sq_json_text_of(call->reply, "screenshotId"), id);
    for (size_t i = 0; i < SQ_COUNT(parts); i++) {
        const struct sq_json *part = sq_json_get(call->reply, parts[i]);
        found =
            found || sq_span_equal(sq_json_text_of(part, "screenshotId"), id);
    }
    return found;
}

static struct sq_span
picture_of(const struct sq_journal_call *call) {
    for (size_t i = 0; i < call->block_count; i++) {
        if (call->blocks[i].kind == SQ_BLOCK_IMAGE) {
            return call->blocks[i].base64;
        }
    }
    return (struct sq_span){ 0 };
}

/* Finds the picture with that id that the client got before an action. */
static struct sq_span
find_picture(const struct sq_journal *journal,
             const struct sq_replay_action *action, struct sq_span id) {
    const struct sq_journal_call *call =
        id.len ? previous_call(journal, action->call) : NULL;
    struct sq_span picture = { 0 };
    while (call && picture.len == 0) {
        if (has_picture(call, id)) {
            picture = picture_of(call);
        }
        call = previous_call(journal, call);
    }
    return picture;
}

void
sq_replay_find_target(const struct sq_journal *journal,
                      const struct sq_replay_action *action,
                      struct sq_replay_target *out) {
    const struct sq_json *element = sq_json_get(action->reply, "element");
    const struct sq_json *tapped = sq_json_get(action->reply, "tapped");
    struct sq_span id = sq_json_text_of(tapped, "screenshotId");
    *out = (struct sq_replay_target){
        .label = sq_json_text_of(element, "label"),
        .is_id_shared = sq_json_int_of(element, "sameIds") > 1,
        .is_in_container = sq_json_get(element, "at") != NULL,
        .has_point = sq_json_get(tapped, "x") && sq_json_get(tapped, "deviceX"),
        .point = { sq_json_int_of(tapped, "x"), sq_json_int_of(tapped, "y") },
        .device_point = { sq_json_int_of(tapped, "deviceX"),
                          sq_json_int_of(tapped, "deviceY") },
        .device = sq_replay_device_size(journal, action),
        .picture = find_picture(journal, action, id),
    };
    if (!out->is_in_container) {
        out->resource_id = sq_json_text_of(element, "resourceId");
    }
}

#define MAX_LIST_BYTES ((size_t)64 << 20)

bool
sq_replay_script_parse(struct sq_span text, struct sq_replay_script *out,
                       struct sq_err *err) {
    sq_arena_init(&out->arena, MAX_LIST_BYTES);
    return sq_journal_parse(text, &out->journal, err)
        && list_actions(&out->journal, &out->arena, &out->actions, err);
}

void
sq_replay_script_finish(struct sq_replay_script *script) {
    sq_journal_finish(&script->journal);
    sq_arena_finish(&script->arena);
}

#define NAME_SIZE 64

bool
sq_replay_secret(const struct sq_json *secrets, uint64_t number,
                 struct sq_span *out) {
    char name[NAME_SIZE];
    if (secrets) {
        snprintf(name, sizeof(name), "%" PRIu64, number);
        return sq_json_string(sq_json_get(secrets, name), out);
    }
    snprintf(name, sizeof(name), "SQUINT_SECRET_%" PRIu64, number);
    const char *value = getenv(name);
    if (value) {
        *out = sq_span_of(value);
    }
    return value != NULL;
}

uint64_t
sq_replay_secret_of(const struct sq_replay_action *action) {
    return action->error.len > 0
             ? 0
             : sq_secret_number(sq_json_text_of(action->arguments, "text"));
}

static void
put_point(struct sq_json_writer *w, const char *key, struct sq_dev_pt point) {
    sq_json_begin_object_of(w, key);
    sq_put_int(w, "deviceX", point.x);
    sq_put_int(w, "deviceY", point.y);
    sq_json_end_object(w);
}

const char *
sq_replay_outcome_name(enum sq_replay_outcome outcome) {
    static const char *const names[SQ_REPLAY_OUTCOMES] = {
        [SQ_REPLAY_SAME] = "same",
        [SQ_REPLAY_NOT_COMPARED] = "notCompared",
        [SQ_REPLAY_HEALED] = "healed",
        [SQ_REPLAY_DIFFERS] = "differs",
        [SQ_REPLAY_SKIPPED] = "skipped",
    };
    return names[outcome];
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
    /* Returns a name of what an action touched; empty if none is known. */
    const struct sq_replay_action *action = step->action;
    const struct sq_json *element = sq_json_get(action->reply, "element");
    const struct sq_json *selector = sq_json_get(action->arguments, "selector");
    struct sq_span label = sq_json_text_of(element, "label");
    struct sq_span text = sq_json_text_of(selector, "text");
    struct sq_span target = label.len ? label
                          : text.len  ? text
                                      : sq_json_text_of(element, "resourceId");
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
        sq_json_put_clean_member(w, "why", sq_span_of(step->why));
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
