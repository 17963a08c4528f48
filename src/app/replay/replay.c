/* Plays journals: runs their actions, and compares the answers. */
#include "app/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/writer.h"
#include "tool/masked_arguments.h"
#include "tool/tool.h"
#include "tools/reply.h"

#define MAX_CALL_BYTES ((size_t)16 << 20)
#define NAME_SIZE 64 /* of an argument */

/* One call on the device and its answer. Start zeroed. */
struct call {
    bool ok;
    struct sq_err err;
    struct sq_result result;
    struct sq_arena arena;
    struct sq_buf text;
    const struct sq_json *reply; /* the first text as JSON; may be NULL */
};

/* Where an action acts instead of the recorded place. */
struct place {
    struct sq_span resource_id; /* a selector by both, or by one of them */
    struct sq_span label;
    bool has_point;
    struct sq_img_pt point;
    struct sq_span screenshot_id;
};

static void
finish_call(struct call *call) {
    sq_result_finish(&call->result);
    sq_buf_finish(&call->text);
    sq_arena_finish(&call->arena);
}

static void
put_text(struct sq_json_writer *w, const char *key, struct sq_span text) {
    if (text.len > 0) {
        sq_json_put_string(sq_json_at(w, key), text);
    }
}

/*
 * Returns whether a recorded argument is left out: a device or picture that
 * only the recording had, or the place if there is another.
 */
static bool
is_left_out(struct sq_span name, const struct place *place) {
    return sq_span_is(name, "deviceId") || sq_span_is(name, "udid")
        || sq_span_is(name, "operation") || sq_span_is(name, "screenshotId")
        || sq_span_is(name, "screenshotRef")
        || (place && sq_replay_is_place(name));
}

static bool
write_arguments(const struct sq_replay_options *options,
                const struct sq_json *arguments, const struct place *place,
                struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    for (const struct sq_json *member = sq_json_first(arguments); member;
         member = sq_json_next(member)) {
        if (!is_left_out(sq_json_key(member), place)) {
            const struct sq_json *secrets = options->secrets;
            char name[NAME_SIZE];
            struct sq_span key = sq_json_key(member);
            struct sq_span text = { 0 };
            struct sq_span value;
            snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(key));
            sq_json_string(member, &text);
            uint64_t secret = sq_secret_number(text);
            sq_json_put_key(&w, name);
            if (secret && sq_replay_secret(secrets, secret, &value)) {
                sq_json_put_string(&w, value);
            } else {
                sq_json_put_value(&w, member);
            }
        }
    }
    if (place) {
        if (place->has_point) {
            sq_put_int(&w, "x", place->point.x);
            sq_put_int(&w, "y", place->point.y);
            put_text(&w, "screenshotId", place->screenshot_id);
        } else {
            sq_json_begin_object_of(&w, "selector");
            put_text(&w, "resourceId", place->resource_id);
            put_text(&w, "text", place->label);
            sq_json_end_object(&w);
        }
    }
    if (options->device) {
        put_text(&w, "deviceId", sq_span_of(options->device));
    }
    return sq_json_close(&w, err);
}

/* Errors after which no further action can be tried. */
static bool
ends_replay(enum sq_err_code code) {
    return sq_is_fatal(code) || code == SQ_ERR_NO_DEVICES
        || code == SQ_ERR_MULTIPLE_DEVICES || code == SQ_ERR_DEVICE_NOT_FOUND
        || code == SQ_ERR_DEVICE_OFFLINE;
}

static bool
run(const struct sq_replay_options *options, const char *operation,
    const struct sq_json *arguments, const struct place *place,
    struct call *out, struct sq_err *err) {
    const struct sq_host_watch watch = { .cancel = options->cancel,
                                         .session = options->session,
                                         .continues = true };
    const struct sq_json *given;
    sq_arena_init(&out->arena, MAX_CALL_BYTES);
    sq_buf_init(&out->text, MAX_CALL_BYTES);
    if (!write_arguments(options, arguments, place, &out->text, err)
        || !sq_json_parse(sq_buf_span(&out->text), &out->arena, &given, err)) {
        return false;
    }
    out->ok = sq_host_run(options->host, operation, given, &watch, &out->result,
                          &out->err);
    if (!out->ok && ends_replay(out->err.code)) {
        return sq_fail_with(err, &out->err);
    }
    const struct sq_block *text = sq_result_first(&out->result, SQ_BLOCK_TEXT);
    if (text
        && !sq_json_parse(sq_buf_span(&text->data), &out->arena, &out->reply,
                          NULL)) {
        out->reply = NULL;
    }
    return true;
}

static bool
take_screenshot(const struct sq_replay_options *options, struct call *out,
                struct sq_err *err) {
    return run(options, "screenshot", NULL, NULL, out, err);
}

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

/* Compares whether the screen changed, if both answers say so. */
static void
compare_effect(const struct sq_json *recorded, const struct sq_json *now,
               struct sq_replay_step *step) {
    const struct sq_json *before = sq_json_get(recorded, "changed");
    const struct sq_json *after = sq_json_get(now, "changed");
    if (!before || !after) {
        return;
    }
    step->is_compared = true;
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

/*
 * Every recorded element must be listed again; there may be further ones. What
 * a receipt lists without being asked is what fits into it, and not compared.
 */
static void
compare_elements(const struct sq_replay_action *action,
                 const struct sq_json *now, struct sq_replay_step *step) {
    const struct sq_json *recorded = action->reply;
    bool is_asked =
        !(action->tool->flags & SQ_TOOL_ACTS)
        || sq_span_is(sq_json_text_of(action->arguments, "receipt"), "full");
    const struct sq_json *elements =
        is_asked ? sq_json_get(now, "elements") : NULL;
    step->is_compared = step->is_compared || elements;
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
    if (before.len == 0 || after.len == 0) {
        return;
    }
    step->is_compared = true;
    if (!sq_span_equal(before, after)) {
        differ(step, what, after, "\" now");
    }
}

static void
compare(const struct sq_replay_action *action, const struct call *now,
        struct sq_replay_step *step) {
    if (!now->ok) {
        const char *code = sq_tool_error_name(now->err.code);
        step->is_compared = true;
        if (!sq_span_is(action->error, code)) {
            snprintf(step->why, sizeof(step->why), "failed with %s: %.200s",
                     code, now->err.message);
        }
    } else if (action->error.len > 0) {
        differ(step, "succeeded, but failed with ", action->error,
               " in the recording");
    }
    if (now->ok && action->reply) {
        compare_effect(action->reply, now->reply, step);
        compare_elements(action, now->reply, step);
        compare_texts(action->reply, now->reply, "launched",
                      "the launched app is \"", step);
        compare_texts(sq_json_get(action->reply, "field"),
                      sq_json_get(now->reply, "field"), "text",
                      "the field contains \"", step);
    }
}

#define FIND_MS 30000
#define MAX_WAYS 4

/* One way to find a target. */
struct way {
    const char *by;
    bool is_recorded; /* with the recorded arguments */
    struct place place;
};

/* Lists the ways to find a target by its element, best first. */
static int
list_ways(const struct sq_replay_action *action,
          const struct sq_replay_target *target, struct way ways[MAX_WAYS]) {
    int count = 0;
    if (sq_json_get(action->arguments, "selector")) {
        ways[count++] = (struct way){ .by = "selector", .is_recorded = true };
    }
    if (target->resource_id.len > 0 && target->label.len > 0) {
        ways[count++] = (struct way){
            .by = "selector",
            .place = { .resource_id = target->resource_id,
                       .label = target->label },
        };
    }
    if (target->resource_id.len > 0) {
        ways[count++] =
            (struct way){ .by = "selector",
                          .place = { .resource_id = target->resource_id } };
    }
    if (target->label.len > 0) {
        ways[count++] =
            (struct way){ .by = "text", .place = { .label = target->label } };
    }
    return count;
}

/* The search for the target of one action. */
struct attempt {
    const struct sq_replay_options *options;
    const struct sq_replay_action *action;
    struct sq_replay_target target;
    struct sq_replay_step *step;
    struct call *out;
    bool found;
};

/* Runs the action at a place; NULL: with the recorded arguments. */
static bool
act(const struct attempt *attempt, const struct place *place,
    struct sq_err *err) {
    finish_call(attempt->out);
    *attempt->out = (struct call){ 0 };
    return run(attempt->options, attempt->action->tool->name,
               attempt->action->arguments, place, attempt->out, err);
}

static bool
try_elements(struct attempt *attempt, struct sq_err *err) {
    struct way ways[MAX_WAYS];
    const struct call *out = attempt->out;
    int count = list_ways(attempt->action, &attempt->target, ways);
    for (int i = 0; i < count && !attempt->found; i++) {
        if (!act(attempt, ways[i].is_recorded ? NULL : &ways[i].place, err)) {
            return false;
        }
        attempt->found = out->ok
                      || !(out->err.code == SQ_ERR_ELEMENT_NOT_FOUND
                           || out->err.code == SQ_ERR_AMBIGUOUS_MATCH
                           || out->err.code == SQ_ERR_UNSUPPORTED);
        attempt->step->by = ways[i].by;
        attempt->step->is_compared = attempt->found;
        attempt->step->outcome = i == 0 ? SQ_REPLAY_SAME : SQ_REPLAY_HEALED;
    }
    return true;
}

/* Acts where the recorded picture of the target is on the screen now. */
static bool
try_picture(struct attempt *attempt, struct sq_err *err) {
    struct call look = { 0 };
    struct place place = { .has_point = true };
    const struct sq_deadline deadline =
        sq_deadline_in(FIND_MS, attempt->options->cancel);
    bool ok = take_screenshot(attempt->options, &look, err);
    const struct sq_block *picture =
        sq_result_first(&look.result, SQ_BLOCK_IMAGE);
    if (ok && look.ok && picture) {
        ok = sq_replay_find_in_picture(&attempt->target,
                                       sq_buf_span(&picture->data), &deadline,
                                       &place.point, &attempt->found, err);
    }
    if (ok && attempt->found) {
        place.screenshot_id = sq_json_text_of(look.reply, "screenshotId");
        attempt->step->by = "image";
        attempt->step->is_compared = true;
        ok = act(attempt, &place, err);
    }
    finish_call(&look);
    return ok;
}

/* Acts at the recorded point, without a check. */
static bool
act_at_point(struct attempt *attempt, struct sq_err *err) {
    attempt->step->by = "point";
    attempt->found = true;
    return act(attempt, NULL, err);
}

/* Returns whether two points differ by more than a twentieth of the screen. */
static bool
is_elsewhere(struct sq_dev_pt a, struct sq_size a_size, struct sq_dev_pt b,
             struct sq_size b_size) {
    int64_t across = (int64_t)a.x * b_size.width - (int64_t)b.x * a_size.width;
    int64_t down = (int64_t)a.y * b_size.height - (int64_t)b.y * a_size.height;
    return llabs(across) * 20 > (int64_t)a_size.width * b_size.width
        || llabs(down) * 20 > (int64_t)a_size.height * b_size.height;
}

static struct sq_size
size_of_screen(const struct sq_replay_options *options) {
    struct call look = { 0 };
    struct sq_size size = { 0 };
    if (take_screenshot(options, &look, NULL) && look.ok) {
        const struct sq_json *device = sq_json_get(look.reply, "device");
        size = (struct sq_size){ sq_json_int_of(device, "width"),
                                 sq_json_int_of(device, "height") };
    }
    finish_call(&look);
    return size;
}

/* Compares where the target was touched with the recorded place. */
static void
note_movement(const struct sq_replay_target *target, struct sq_size now,
              const struct call *call, struct sq_replay_step *step) {
    const struct sq_json *tapped = sq_json_get(call->reply, "tapped");
    const struct sq_dev_pt to = { sq_json_int_of(tapped, "deviceX"),
                                  sq_json_int_of(tapped, "deviceY") };
    if (!target->has_point || !tapped || now.width == 0
        || target->device.width == 0
        || !is_elsewhere(target->device_point, target->device, to, now)) {
        return;
    }
    step->has_moved = true;
    step->from = target->device_point;
    step->to = to;
    step->outcome = SQ_REPLAY_HEALED;
}

static bool
act_on_target(const struct sq_replay_options *options,
              const struct sq_replay_action *action,
              struct sq_replay_step *step, struct call *out, bool *found,
              struct sq_err *err) {
    struct attempt attempt = {
        .options = options, .action = action, .step = step, .out = out
    };
    const struct sq_replay_target *target = &attempt.target;
    sq_replay_find_target(options->journal, action, &attempt.target);
    const struct sq_size now = size_of_screen(options);
    bool knows_element = target->label.len > 0 || target->resource_id.len > 0
                      || sq_json_get(action->arguments, "selector");
    bool knows_picture = target->has_point && target->picture.len > 0;
    bool ok = try_elements(&attempt, err);
    if (ok && !attempt.found) {
        step->by = NULL;
        step->outcome = knows_element ? SQ_REPLAY_HEALED : SQ_REPLAY_SAME;
        ok = !knows_picture || try_picture(&attempt, err);
    }
    if (ok && !attempt.found
        && (target->is_in_container || (!knows_element && !knows_picture))) {
        ok = act_at_point(&attempt, err);
    }
    *found = attempt.found;
    note_movement(target, now, out, step);
    return ok;
}

/* Scales one end of a swipe from the recorded screen to the one now. */
static void
put_end(struct sq_json_writer *w, const char *key, const struct sq_json *end,
        struct sq_size recorded, struct sq_size now) {
    int64_t x = sq_json_int_of(end, "deviceX");
    int64_t y = sq_json_int_of(end, "deviceY");
    if (recorded.width > 0 && now.width > 0) {
        x = x * now.width / recorded.width;
        y = y * now.height / recorded.height;
    }
    sq_json_begin_object_of(w, key);
    sq_put_int(w, "x", x);
    sq_put_int(w, "y", y);
    sq_json_end_object(w);
}

/* Swipes across the same part of the screen, whatever its size. */
static bool
swipe(const struct sq_replay_options *options,
      const struct sq_replay_action *action, struct call *out,
      struct sq_err *err) {
    const struct sq_json *swiped = sq_json_get(action->reply, "swiped");
    const struct sq_size recorded =
        sq_replay_device_size(options->journal, action);
    struct call look = { 0 };
    struct sq_replay_action scaled = *action;
    struct sq_json_writer w;
    SQ_ARENA(arena, 1 << 20);
    SQ_BUF(text, 1 << 16);
    bool ok = take_screenshot(options, &look, err);
    const struct sq_json *device = sq_json_get(look.reply, "device");
    const struct sq_size now = { sq_json_int_of(device, "width"),
                                 sq_json_int_of(device, "height") };
    sq_json_open(&w, &text);
    put_end(&w, "from", sq_json_get(swiped, "from"), recorded, now);
    put_end(&w, "to", sq_json_get(swiped, "to"), recorded, now);
    sq_put_int(&w, "durationMs", sq_json_int_of(swiped, "durationMs"));
    sq_put_bool(&w, "deviceSpace", true);
    sq_json_end_object(&w);
    ok = ok && sq_json_writer_done(&w, err)
      && sq_json_parse(sq_buf_span(&text), &arena, &scaled.arguments, err)
      && run(options, scaled.tool->name, scaled.arguments, NULL, out, err);
    finish_call(&look);
    return ok;
}

static bool
play_action(const struct sq_replay_options *options,
            const struct sq_replay_action *action, struct sq_replay_step *step,
            bool *found, struct sq_err *err) {
    struct call now = { 0 };
    bool ok;
    *found = true;
    if (sq_replay_has_target(action)) {
        ok = act_on_target(options, action, step, &now, found, err);
    } else if (sq_json_get(action->reply, "swiped")) {
        ok = swipe(options, action, &now, err);
    } else {
        ok = run(options, action->tool->name, action->arguments, NULL, &now,
                 err);
    }
    if (ok && !*found) {
        snprintf(step->why, sizeof(step->why),
                 "the target is not on the screen: it was not found by its "
                 "selector, its text or its picture. It may be beyond the "
                 "edge: a replay scrolls only where the recording does");
    } else if (ok) {
        compare(action, &now, step);
    }
    if (step->why[0]) {
        step->outcome = SQ_REPLAY_DIFFERS;
    } else if (step->outcome == SQ_REPLAY_SAME && !step->is_compared) {
        step->outcome = SQ_REPLAY_NOT_COMPARED;
    }
    finish_call(&now);
    return ok;
}

bool
sq_replay_run(const struct sq_replay_options *options,
              const struct sq_replay_actions *actions,
              struct sq_replay_summary *out, struct sq_err *err) {
    bool found = true;
    *out = (struct sq_replay_summary){ 0 };
    for (size_t i = 0; i < actions->count; i++) {
        const struct sq_replay_action *action = &actions->items[i];
        struct sq_replay_step step = { .action = action };
        if (!found) {
            out->not_run++;
            continue;
        }
        if (action->error.len > 0 && action->tool->flags & SQ_TOOL_ACTS) {
            step.outcome = SQ_REPLAY_SKIPPED;
        } else if (!play_action(options, action, &step, &found, err)) {
            return false;
        }
        out->counts[step.outcome]++;
        if (options->report) {
            options->report(options->context, &step);
        }
    }
    return true;
}
