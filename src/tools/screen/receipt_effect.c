/*
 * Looks at the screen before and after an action: what has changed, in pixels
 * and in words, and whether it rests.
 */
#include <string.h>

#include "tools/screen/late_change.h"
#include "tools/screen/receipt.h"

#define BEFORE_MS 5000 /* limit of the capture before an action */

/*
 * A default receipt reads the elements once if that usually takes at most this
 * time, and twice up to SQ_CHEAP_LIST_MS.
 */
#define ONCE_MS 300

/*
 * The time for reading text: in a default receipt it leaves some of SQ_AUTO_MS
 * for a picture, if it was not enough.
 */
#define TEXT_MS 320
#define FULL_TEXT_MS 5000

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

static bool
takes_at_most(const struct sq_act *act, int ms) {
    return sq_elements_take_at_most(act->call->device, ms);
}

/*
 * Where the elements of both states can be read, they say what must not be
 * read: passwords. Elsewhere text is read where a screenshot would be shown.
 */
static bool
lists_both(const struct sq_act *act) {
    return act->level == SQ_RECEIPT_FULL
        || takes_at_most(act, SQ_CHEAP_LIST_MS);
}

static bool
reads_text(const struct sq_act *act) {
    const struct sq_redactor *redactor = act->call->redactor;
    return act->says_words && act->call->reader
        && (lists_both(act) || !redactor
            || redactor->passwords != SQ_REDACT_ALWAYS);
}

/*
 * Without the elements: what is not read are the password fields that this
 * session knows, and a touched field, whose cursor would be read as a letter.
 * Nothing is read if a password field has the focus, or if the text was typed
 * into a field that is not known.
 */
static void
assume_fields(struct sq_act *act, int after) {
    const struct sq_capture *capture =
        after ? &act->watch.after : &act->watch.before;
    struct sq_call *call = act->call;
    struct sq_dev_rect secrets[SQ_SESSION_SECRETS];
    struct sq_fields *fields = &act->fields[after];
    if (fields->is_known || !reads_text(act) || lists_both(act)
        || capture->password_focus == SQ_PASSWORD_FOCUSED
        || (after && act->types && !act->hit.is_known)) {
        return;
    }
    size_t count =
        sq_session_secrets(call->session, call->device, capture, secrets);
    fields->items =
        sq_arena_alloc(call->arena, count + 1, sizeof(*fields->items), NULL);
    fields->is_known = fields->items != NULL;
    for (size_t i = 0; fields->is_known && i < count; i++) {
        fields->items[fields->count++] =
            (struct sq_field){ .bounds = secrets[i], .is_secret = true };
    }
    if (fields->is_known && after && act->hit.is_known
        && act->hit.element.flags & SQ_NODE_EDITABLE) {
        fields->items[fields->count++] =
            (struct sq_field){ .bounds = act->touched };
    }
}

/*
 * Reads the tree and what it has. A screen that cannot have elements, as that
 * of a game on the demo phone, has no fields.
 */
static bool
read_tree(struct sq_act *act, int after, struct sq_tree *tree,
          struct sq_tree_state *state, struct sq_err *err) {
    struct sq_call *call = act->call;
    bool ok = sq_tree_fetch(call, tree, state, err);
    if (ok && state->outcome == SQ_TREE_READ) {
        return sq_fields_of(tree, call->arena, &act->fields[after], err)
            && sq_tree_elements(tree, call->arena, &act->elements[after], err);
    }
    act->fields[after].is_known = ok && state->outcome == SQ_TREE_MISSING
                               && call->device->ops->elements_are_instant;
    return ok;
}

static void
read_before(struct sq_act *act, const struct sq_deadline *limit) {
    struct sq_call *call = act->call;
    struct sq_elements *elements = &act->elements[0];
    const struct sq_deadline whole = call->deadline;
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_tree_state state;
    if (!act->says_words) {
        return;
    }
    if (!takes_at_most(act, SQ_CHEAP_LIST_MS)
        && !(act->level == SQ_RECEIPT_FULL && call->reader)) {
        if (act->level == SQ_RECEIPT_FULL) {
            return;
        }
        assume_fields(act, 0);
        if (act->fields[0].is_known) {
            sq_reader_begin(call->reader); /* is ready after the action */
        }
        const struct sq_tree_stamp now =
            sq_tree_stamp_now(call->device, &act->watch.before.screen);
        sq_session_on_screen(call->session, call->device->info.id, &now,
                             call->arena, elements);
        act->is_from_list = elements->is_known;
        return;
    }
    call->deadline = *limit;
    if (!read_tree(act, 0, &tree, &state, NULL)
        || !sq_elements_keep(call->arena, elements)) {
        elements->is_known = false;
    }
    call->deadline = whole;
}

/* Captures the screen before the action; this must leave time to act. */
bool
sq_act_look_before(struct sq_act *act, struct sq_err *err) {
    struct sq_call *call = act->call;
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, BEFORE_MS);
    struct sq_err local_err = { 0 };
    act->watch.needs_pixels = reads_text(act);
    /* Text is read in the frames, or a part of the last one is shown. */
    act->watch.finds_password_focus =
        act->says_words && (act->watch.needs_pixels || call->is_short)
        && call->redactor && call->redactor->passwords == SQ_REDACT_FOCUSED;
    act->watching =
        sq_watch_begin(&act->watch, call->device, &limit, &local_err);
    act->is_blind = !act->watching;
    if (act->watching) {
        sq_late_change_look_first(call, &act->watch, &limit);
        read_before(act, &limit);
    } else {
        sq_act_note_error(act, "Looking at the screen before", &local_err);
    }
    /* Last chance to cancel: nothing has happened yet. */
    return sq_deadline_check(&call->deadline, err);
}

/* Reads the text that changed in the pixels. */
static void
read_text(struct sq_act *act) {
    const bool is_full = act->level == SQ_RECEIPT_FULL;
    const struct sq_deadline limit =
        is_full ? sq_deadline_within(&act->call->deadline, FULL_TEXT_MS)
                : sq_deadline_within(&act->soon, TEXT_MS);
    SQ_FREED(sq_image_finish) struct sq_image before = { 0 };
    SQ_FREED(sq_image_finish) struct sq_image after = { 0 };
    if (reads_text(act) && act->fields[0].is_known && act->fields[1].is_known
        && act->change.any && !act->change.resized
        && sq_watch_decode(&act->watch, &before, &after, NULL)) {
        const struct sq_two_pictures pictures = {
            .before = { &before, &act->watch.before.screen, &act->fields[0] },
            .after = { &after, &act->watch.after.screen, &act->fields[1] },
            .where = act->change.where,
        };
        sq_text_change_read(act->call, &pictures, !is_full, &limit,
                            &act->words);
    }
}

/* Returns whether another app is in front than before the action. */
static bool
is_other_app(const struct sq_watch *watch) {
    const char *before = watch->before.screen.app;
    const char *after = watch->after.screen.app;
    return before[0] && after[0] && strcmp(before, after) != 0;
}

/* Returns whether nothing of the screen before the action is of use. */
static bool
is_new_screen(const struct sq_act *act) {
    return act->lists || act->sees_other || act->change.resized
        || is_other_app(&act->watch);
}

/* Compares the elements, or else the text. */
static void
find_words(struct sq_act *act) {
    if (!act->says_words || !act->has_change
        || !sq_may_name(act->call, &act->watch.before.screen)
        || !sq_may_name(act->call, &act->watch.after.screen)) {
        return;
    }
    act->may_show = act->watch.after.password_focus != SQ_PASSWORD_FOCUSED;
    if (act->elements[0].is_known && act->elements[1].is_known
        && !sq_word_change_compare(act->call, &act->elements[0],
                                   &act->elements[1], &act->words)) {
        act->words = (struct sq_word_change){ 0 };
    }
    if (act->words.count == 0) {
        assume_fields(act, 1);
        read_text(act);
    }
}

/* Makes the list that the receipt shows. */
static bool
make_list(struct sq_act *act, struct sq_err *err) {
    struct sq_call *call = act->call;
    struct sq_screen screen;
    act->has_list =
        sq_device_screen(call->device, &screen, &call->deadline, err)
        && sq_session_view(call->session, call->device->info.id, &screen,
                           &act->list_view, err)
        && sq_listing_make(&act->tree, &act->list_view.view, false, call->arena,
                           &act->list, err);
    sq_listing_number(call, &act->list);
    return act->has_list;
}

/* Returns whether the elements after the action are needed. */
static bool
needs_tree(const struct sq_act *act) {
    bool compares = act->says_words && (act->has_change || act->sees_other)
                 && (act->elements[0].is_known || is_new_screen(act)
                     || (act->fields[0].is_known && lists_both(act)))
                 && takes_at_most(act, ONCE_MS);
    return act->level == SQ_RECEIPT_FULL || compares
        || (act->hit.is_known && act->level == SQ_RECEIPT_FAST
            && act->call->device->ops->elements_are_instant);
}

/*
 * Notes whether the touched element, or the only switch or checkbox inside it,
 * is checked now. Its label may differ.
 */
static void
update_hit(struct sq_hit *hit, const struct sq_tree *after) {
    const struct sq_node *node = hit->is_known ? after->root : NULL;
    while (node) {
        const struct sq_element now =
            sq_element_of(node, hit->element.label, 0);
        if (sq_element_same(&now, &hit->element)) {
            break;
        }
        node = sq_node_after(node);
    }
    const struct sq_node *checkable = node ? sq_only_checkable(node) : NULL;
    if (checkable) {
        hit->has_state = true;
        hit->is_checked = checkable->flags & SQ_NODE_CHECKED;
    }
}

/* Reads the tree; only a full receipt reports that it could not. */
static bool
read_now(struct sq_act *act, struct sq_err *err) {
    struct sq_tree_state state;
    if (!read_tree(act, 1, &act->tree, &state, err)) {
        return false;
    }
    if (state.outcome != SQ_TREE_READ) {
        if (act->level == SQ_RECEIPT_FULL) {
            sq_act_note(act, "%s", state.text);
            act->note_quotes = act->note_quotes || state.quotes;
        }
        find_words(act);
        return true;
    }
    update_hit(&act->hit, &act->tree);
    find_words(act);
    bool shows = act->says_words && (act->has_change || act->sees_other)
              && (is_new_screen(act) || act->words.is_other_screen)
              && sq_may_name(act->call, sq_watch_screen(&act->watch));
    return (act->level != SQ_RECEIPT_FULL && !shows) || make_list(act, err);
}

void
sq_act_read_after(struct sq_act *act) {
    struct sq_call *call = act->call;
    const struct sq_deadline whole = call->deadline;
    struct sq_err err = { 0 };
    if (act->has_tree) {
        return;
    }
    act->has_tree = true;
    act->soon = sq_deadline_within(&whole, SQ_AUTO_MS);
    if (!needs_tree(act)) {
        find_words(act);
        return;
    }
    if (act->level != SQ_RECEIPT_FULL) {
        call->deadline = act->soon;
    }
    bool ok = read_now(act, &err);
    call->deadline = whole;
    if (!ok && act->level == SQ_RECEIPT_FULL) {
        sq_act_note_error(act, "Listing the elements", &err);
    } else if (!ok) {
        find_words(act);
    }
}

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
