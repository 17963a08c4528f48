/* Watches the screen after an action: what has changed, and whether it rests.
 */
#include "tools/screen/late_change.h"
#include "tools/screen/receipt.h"

/* A screen that still changes this long after the reaction time is unsettled.
 */
#define UNSETTLED_MS 800

#define HIDDEN_POLL_MS 50

/*
 * A pressed element is at most this share of the screen, and changes at most
 * this far outside of its bounds. The status bar at the top has at most that
 * share of the longest side.
 */
#define PRESSED_SHARE 3
#define PRESSED_MARGIN_DP 8
#define STATUS_BAR_SHARE 20

/* Returns whether a change may show only that something is pressed. */
static bool
is_press(const struct sq_act *act, const struct sq_img_rect *where) {
    const struct sq_screen *screen = sq_watch_screen(&act->watch);
    const struct sq_dev_rect *touched = &act->touched;
    if (act->press == SQ_PRESS_NOWHERE) {
        return false;
    }
    bool is_small = sq_rect_area(sq_img_edges(*where)) * PRESSED_SHARE
                 <= (int64_t)screen->size.width * screen->size.height;
    bool is_there =
        act->has_point
        && sq_rect_contains(sq_img_edges(*where), act->point.x, act->point.y);
    double density = screen->density > 0 ? screen->density : 1;
    int margin = (int)(PRESSED_MARGIN_DP * density);
    const struct sq_rect reach = { touched->left - margin,
                                   touched->top - margin,
                                   touched->right + margin,
                                   touched->bottom + margin };
    bool is_inside = touched->right > touched->left
                  && sq_rect_is_around(reach, sq_img_edges(*where));
    /* Often the row is shown as pressed in which the element is. */
    return is_inside
        || (is_small && (is_there || act->press == SQ_PRESS_ANYWHERE));
}

/*
 * Returns whether the touched element can look pressed. On a web page it cannot
 * where frames are of elements, where none is, and where one draws itself.
 */
static bool
may_look_pressed(const struct sq_act *act) {
    const struct sq_hit *hit = &act->hit;
    bool is_element = hit->is_known
                        ? !sq_span_is(hit->element.type, "canvas")
                        : !act->has_point || !act->elements[0].is_known;
    return !act->call->device->ops->reveal
        || (!act->watch.is_kept && is_element);
}

/*
 * Returns whether the effect of the action may still come: nothing has changed,
 * or only the clock of the status bar and the touched element, which apps show
 * as pressed first.
 */
static bool
may_still_react(struct sq_act *act, const struct sq_deadline *limit) {
    struct sq_change change = act->change;
    struct sq_size size = sq_watch_screen(&act->watch)->size;
    int bar = sq_size_long_side(change.picture) / STATUS_BAR_SHARE;
    const struct sq_region app = { 0, bar, change.picture.width,
                                   change.picture.height - bar };
    if (!change.any || change.resized) {
        return !change.any;
    }
    if ((int)change.where.items[0].y < bar
        && !sq_watch_compare(&act->watch, act->call->device, &app, &change,
                             limit, NULL)) {
        return false;
    }
    const struct sq_img_rects parts =
        sq_areas_place(&change.where, change.picture, size);
    const struct sq_img_rect where = sq_rects_around(&parts);
    return !change.any || (may_look_pressed(act) && is_press(act, &where));
}

/*
 * Returns how long to watch an unchanged screen: at most half of the time
 * limit, which leaves time for the captures.
 */
static int
watch_ms(const struct sq_config *config) {
    const int most = config->limits.timeout_ms / 2;
    return config->ui.watch_ms < most ? config->ui.watch_ms : most;
}

/*
 * Watches until the effect has come to rest. Receipts of actions with an
 * immediate effect should cost little more than their captures.
 */
static bool
settle(struct sq_act *act, const struct sq_deadline *limit,
       struct sq_err *err) {
    struct sq_watch *watch = &act->watch;
    struct sq_device *device = act->call->device;
    const bool brief = act->level == SQ_RECEIPT_FAST && !act->look;
    const int react_ms = watch_ms(act->call->config);
    const struct sq_watch_rule rule = {
        .poll_ms = brief ? 25 : 60,
        .rest_ms = brief ? 50 : 60,
        .react_ms = react_ms,
        .limit_ms =
            react_ms + UNSETTLED_MS + 2 * act->call->device->ops->capture_ms,
    };
    uint64_t last;
    do {
        last = sq_watch_hash(watch);
        if (!sq_watch_settle(watch, device, &rule, limit, &act->settled, err)
            || !sq_watch_compare(watch, device, NULL, &act->change, limit,
                                 err)) {
            return false;
        }
    } while (sq_watch_hash(watch) != last && act->settled
             && watch->watched_ms < react_ms && may_still_react(act, limit));
    act->is_press_only = act->change.any && watch->watched_ms >= react_ms
                      && may_still_react(act, limit);
    return true;
}

static bool
watch_change(struct sq_act *act, struct sq_err *err) {
    struct sq_call *call = act->call;
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, call->config->limits.timeout_ms);
    if (act->looks_once
            ? !sq_watch_once(&act->watch, call->device, watch_ms(call->config),
                             &limit, err)
                  || !sq_watch_compare(&act->watch, call->device, NULL,
                                       &act->change, &limit, err)
            : !settle(act, &limit, err)) {
        return false;
    }
    struct sq_screen screen = *sq_watch_screen(&act->watch);
    if (!sq_answer_view(call, &screen, &act->view, err)) {
        return false;
    }
    act->has_change = true;
    if (act->change.any && !act->change.resized) {
        act->where = sq_areas_place(&act->change.where, act->change.picture,
                                    act->view.view.image);
    }
    sq_act_read_after(act);
    if (act->change.resized) {
        sq_act_note(act, "The screen has turned or changed its size.%s",
                    act->has_list ? "" : " Take a new screenshot.");
    }
    return true;
}

/* Waits as long as for a reaction until a screen may be seen. */
static bool
await_view(struct sq_act *act, const struct sq_deadline *limit) {
    struct sq_call *call = act->call;
    const struct sq_deadline soon =
        sq_deadline_within(limit, watch_ms(call->config));
    struct sq_err err = { 0 };
    while (!sq_watch_begin(&act->watch, call->device, limit, &err)) {
        if (err.code != SQ_ERR_SECURE_SCREEN
            || !sq_wait_ms(HIDDEN_POLL_MS, &soon, NULL)) {
            return false;
        }
        err = (struct sq_err){ 0 };
    }
    return true;
}

/*
 * The screen before the action was hidden, so it cannot be compared. If that of
 * now may be seen, its elements are read when it has settled.
 */
static void
watch_what_follows(struct sq_act *act) {
    struct sq_call *call = act->call;
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, call->config->limits.timeout_ms);
    if (!act->has_tree && act->says_words
        && sq_elements_take_at_most(call->device, SQ_CHEAP_LIST_MS)
        && await_view(act, &limit) && settle(act, &limit, NULL)) {
        act->sees_other = true;
        sq_act_read_after(act);
    }
    act->change = (struct sq_change){ .any = false };
}

void
sq_act_watch(struct sq_act *act) {
    const struct sq_watch *watch = &act->watch;
    struct sq_call *call = act->call;
    struct sq_err err = { 0 };
    if (act->is_blind) {
        watch_what_follows(act);
    }
    if (act->watching && !watch_change(act, &err)) {
        sq_act_note_error(act, "Looking at the screen afterwards", &err);
    }
    if (!call->has_receipt) {
        const struct sq_device_ops *ops = call->device->ops;
        sq_late_change_acted(call, act->begun_ns,
                             watch->has_after      ? watch->look_ms
                             : ops->capture_ms > 0 ? ops->capture_ms
                                                   : -1,
                             act->change.any || act->words.count > 0);
    }
    if (act->watching) {
        sq_late_change_remember(call, watch);
        call->has_receipt = true;
    }
    act->watching = false;
    if (act->may_show && call->is_short && act->watch.after.bytes.len > 0) {
        sq_capture_finish(&act->seen.captured);
        act->seen.captured = act->watch.after;
        act->watch.after = (struct sq_capture){ 0 };
    }
    sq_watch_finish(&act->watch);
}
