/* Finds the target of a recorded action on the screen of another device. */
#include <stdlib.h>

#include "app/replay/private.h"

#define FIND_MS 30000
#define MAX_WAYS 4

/* One way to find a target. */
struct way {
    const char *by;
    bool is_recorded; /* with the recorded arguments */
    struct sq_replay_place place;
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

/* Errors that say that the target was not found, so that nothing was done. */
static bool
is_not_found(enum sq_err_code code) {
    return code == SQ_ERR_ELEMENT_NOT_FOUND || code == SQ_ERR_AMBIGUOUS_MATCH
        || code == SQ_ERR_UNSUPPORTED;
}

/* The search for the target of one action. */
struct attempt {
    const struct sq_replay_options *options;
    const struct sq_replay_action *action;
    struct sq_replay_target target;
    struct sq_replay_step *step;
    struct sq_replay_call *out;
    bool found;
};

/* Runs the action at a place; NULL: with the recorded arguments. */
static bool
act(const struct attempt *attempt, const struct sq_replay_place *place,
    struct sq_err *err) {
    sq_replay_call_finish(attempt->out);
    *attempt->out = (struct sq_replay_call){ 0 };
    return sq_replay_do(attempt->options, attempt->action, place, attempt->out,
                        err);
}

static bool
try_elements(struct attempt *attempt, struct sq_err *err) {
    struct way ways[MAX_WAYS];
    const struct sq_replay_call *out = attempt->out;
    int count = list_ways(attempt->action, &attempt->target, ways);
    for (int i = 0; i < count && !attempt->found; i++) {
        if (!act(attempt, ways[i].is_recorded ? NULL : &ways[i].place, err)) {
            return false;
        }
        attempt->found = out->ok || !is_not_found(out->err.code);
        attempt->step->by = ways[i].by;
        attempt->step->outcome = i == 0 ? SQ_REPLAY_SAME : SQ_REPLAY_HEALED;
    }
    return true;
}

static struct sq_span
first_picture(const struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        if (result->blocks[i].kind == SQ_BLOCK_IMAGE) {
            return sq_buf_span(&result->blocks[i].data);
        }
    }
    return (struct sq_span){ 0 };
}

/* Acts where the recorded picture of the target is on the screen now. */
static bool
try_picture(struct attempt *attempt, struct sq_err *err) {
    struct sq_replay_call look = { 0 };
    struct sq_replay_place place = { .has_point = true };
    const struct sq_deadline deadline =
        sq_deadline_in(FIND_MS, attempt->options->cancel);
    bool ok = sq_replay_look(attempt->options, &look, err);
    struct sq_span picture = first_picture(&look.result);
    if (ok && look.ok && picture.len > 0) {
        ok = sq_replay_find_in_picture(&attempt->target, picture, &deadline,
                                       &place.point, &attempt->found, err);
    }
    if (ok && attempt->found) {
        place.screenshot_id = sq_json_text_of(look.reply, "screenshotId");
        attempt->step->by = "image";
        ok = act(attempt, &place, err);
    }
    sq_replay_call_finish(&look);
    return ok;
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
    struct sq_replay_call look = { 0 };
    struct sq_size size = { 0 };
    if (sq_replay_look(options, &look, NULL) && look.ok) {
        const struct sq_json *device = sq_json_get(look.reply, "device");
        size = (struct sq_size){ sq_json_int_of(device, "width"),
                                 sq_json_int_of(device, "height") };
    }
    sq_replay_call_finish(&look);
    return size;
}

/* Compares where the target was touched with the recorded place. */
static void
note_movement(const struct sq_replay_target *target, struct sq_size now,
              const struct sq_replay_call *call, struct sq_replay_step *step) {
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

bool
sq_replay_act_on_target(const struct sq_replay_options *options,
                        const struct sq_replay_action *action,
                        struct sq_replay_step *step, struct sq_replay_call *out,
                        bool *found, struct sq_err *err) {
    struct attempt attempt = {
        .options = options, .action = action, .step = step, .out = out
    };
    const struct sq_replay_target *target = &attempt.target;
    sq_replay_find_target(options->journal, action, &attempt.target);
    const struct sq_size now = size_of_screen(options);
    bool knows_element = target->label.len > 0 || target->resource_id.len > 0
                      || sq_json_get(action->arguments, "selector");
    bool knows_picture = target->has_point && target->picture.len > 0;
    if (!knows_element && !knows_picture) {
        step->by = "point";
        *found = true;
        return act(&attempt, NULL, err);
    }
    bool ok = try_elements(&attempt, err);
    if (ok && !attempt.found) {
        step->by = NULL;
        step->outcome = knows_element ? SQ_REPLAY_HEALED : SQ_REPLAY_SAME;
        ok = !knows_picture || try_picture(&attempt, err);
    }
    *found = attempt.found;
    if (ok && attempt.found && out->ok) {
        note_movement(target, now, out, step);
    }
    return ok;
}
