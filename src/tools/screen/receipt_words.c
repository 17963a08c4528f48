/* Reads the elements for receipts, and the words that changed. */
#include <string.h>

#include "tools/screen/receipt.h"

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

bool
sq_act_reads_text(const struct sq_act *act) {
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
    if (fields->is_known || !sq_act_reads_text(act) || lists_both(act)
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

void
sq_act_read_before(struct sq_act *act, const struct sq_deadline *limit) {
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

/* Reads the text that changed in the pixels. */
static void
read_text(struct sq_act *act) {
    const bool is_full = act->level == SQ_RECEIPT_FULL;
    const struct sq_deadline limit =
        is_full ? sq_deadline_within(&act->call->deadline, FULL_TEXT_MS)
                : sq_deadline_within(&act->soon, TEXT_MS);
    SQ_FREED(sq_image_finish) struct sq_image before = { 0 };
    SQ_FREED(sq_image_finish) struct sq_image after = { 0 };
    if (sq_act_reads_text(act) && act->fields[0].is_known
        && act->fields[1].is_known && act->change.any && !act->change.resized
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
                                   &act->elements[1], &act->words, NULL)) {
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
    sq_hit_update(&act->hit, &act->tree);
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
