/* Plays journals. */
#include "app/replay/replay.h"

#include <stdio.h>
#include <string.h>

#include "app/replay/private.h"
#include "json/reader.h"

const char *
sq_replay_outcome_name(enum sq_replay_outcome outcome) {
    static const char *const names[SQ_REPLAY_OUTCOMES] = {
        [SQ_REPLAY_SAME] = "same",
        [SQ_REPLAY_HEALED] = "healed",
        [SQ_REPLAY_DIFFERS] = "differs",
        [SQ_REPLAY_SKIPPED] = "skipped",
    };
    return names[outcome];
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
    sq_json_put_key(w, key);
    sq_json_begin_object(w);
    sq_json_put_key(w, "x");
    sq_json_put_int(w, x);
    sq_json_put_key(w, "y");
    sq_json_put_int(w, y);
    sq_json_end_object(w);
}

/* Swipes across the same part of the screen, whatever its size. */
static bool
swipe(const struct sq_replay_options *options,
      const struct sq_replay_action *action, struct sq_replay_call *out,
      struct sq_err *err) {
    const struct sq_json *swiped = sq_json_get(action->reply, "swiped");
    const struct sq_size recorded =
        sq_replay_device_size(options->journal, action);
    struct sq_replay_call look = { 0 };
    struct sq_replay_action scaled = *action;
    struct sq_arena arena;
    struct sq_buf text;
    struct sq_json_writer w;
    sq_arena_init(&arena, 1 << 20);
    sq_buf_init(&text, 1 << 16);
    bool ok = sq_replay_look(options, &look, err);
    const struct sq_json *device = sq_json_get(look.reply, "device");
    const struct sq_size now = { sq_json_int_of(device, "width"),
                                 sq_json_int_of(device, "height") };
    sq_json_writer_init(&w, &text);
    sq_json_begin_object(&w);
    put_end(&w, "from", sq_json_get(swiped, "from"), recorded, now);
    put_end(&w, "to", sq_json_get(swiped, "to"), recorded, now);
    sq_json_put_key(&w, "durationMs");
    sq_json_put_int(&w, sq_json_int_of(swiped, "durationMs"));
    sq_json_put_key(&w, "deviceSpace");
    sq_json_put_bool(&w, true);
    sq_json_end_object(&w);
    ok = ok && sq_json_writer_done(&w, err)
      && sq_json_parse(sq_buf_span(&text), &arena, &scaled.arguments, err)
      && sq_replay_do(options, &scaled, NULL, out, err);
    sq_replay_call_finish(&look);
    sq_buf_finish(&text);
    sq_arena_finish(&arena);
    return ok;
}

static bool
play_action(const struct sq_replay_options *options,
            const struct sq_replay_action *action, struct sq_replay_step *step,
            bool *found, struct sq_err *err) {
    struct sq_replay_call now = { 0 };
    bool ok;
    *found = true;
    if (sq_replay_has_target(action)) {
        ok = sq_replay_act_on_target(options, action, step, &now, found, err);
    } else if (sq_json_get(action->reply, "swiped")) {
        ok = swipe(options, action, &now, err);
    } else {
        ok = sq_replay_do(options, action, NULL, &now, err);
    }
    if (ok && !*found) {
        snprintf(step->why, sizeof(step->why),
                 "the target is not on the screen: it was not found by its "
                 "selector, its text or its picture. It may be beyond the "
                 "edge: a replay scrolls only where the recording does");
    } else if (ok) {
        sq_replay_compare(action, &now, step);
    }
    if (step->why[0]) {
        step->outcome = SQ_REPLAY_DIFFERS;
    }
    sq_replay_call_finish(&now);
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
