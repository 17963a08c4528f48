/* Stores element lists of devices, and which views were seen. */
#include "session/session.h"

#include <stdio.h>
#include <string.h>

#include "session/state.h"
#include "sys/clock.h"
#include "util/minmax.h"

#define MAX_LIST_BYTES ((size_t)16 << 20)
/* After this time, equal pictures may show different screens. */
#define MAX_TREE_AGE_NS ((int64_t)60 * 1000000000)
/* Android shows the last character of a password for 1.5 s. */
#define SECRET_SHOWN_NS ((int64_t)4 * 1000000000)

void
sq_element_list_finish(struct sq_element_list *list) {
    sq_arena_finish(&list->arena);
    *list = (struct sq_element_list){ 0 };
}

bool
sq_element_keep(struct sq_element *element, struct sq_arena *arena,
                struct sq_err *err) {
    return sq_arena_keep(arena, &element->label, err)
        && sq_arena_keep(arena, &element->type, err)
        && sq_arena_keep(arena, &element->resource_id, err)
        && sq_arena_keep(arena, &element->row, err);
}

bool
sq_element_same(const struct sq_element *a, const struct sq_element *b) {
    if (a->id || b->id) {
        return a->id == b->id;
    }
    return sq_dev_rect_equal(a->bounds, b->bounds)
        && sq_span_equal(a->type, b->type)
        && sq_span_equal(a->resource_id, b->resource_id)
        && sq_span_equal(a->label, b->label);
}

struct sq_tree_stamp
sq_tree_stamp_now(const struct sq_device *device,
                  const struct sq_screen *screen) {
    struct sq_tree_stamp stamp = {
        .change = device->change,
        .view = device->view,
        .size = screen->size,
        .rotation = screen->rotation,
        .at_ns = sq_clock_monotonic_ns(),
    };
    memcpy(stamp.app, screen->app, sizeof(stamp.app));
    return stamp;
}

static bool
copy_elements(struct sq_arena *arena, const struct sq_element *elements,
              size_t count, struct sq_element **out, struct sq_err *err) {
    struct sq_element *items =
        sq_arena_alloc(arena, count, sizeof(*items), err);
    if (!items) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = elements[i];
        if (!sq_element_keep(&items[i], arena, err)) {
            return false;
        }
    }
    *out = items;
    return true;
}

/* Copies elements into a list. */
static bool
make_list(const struct sq_element *elements, size_t count,
          struct sq_element_list *out, struct sq_err *err) {
    sq_arena_init(&out->arena, MAX_LIST_BYTES);
    out->all.is_known = true;
    out->all.count = count;
    return copy_elements(&out->arena, elements, count, &out->all.items, err);
}

enum which_list {
    LATEST,
    ON_SCREEN,
};

/* Replaces a list of the device by *list, which has the old one afterwards. */
static bool
swap_list(struct sq_session *session, const char *device_id,
          enum which_list which, struct sq_element_list *list,
          struct sq_err *err) {
    struct sq_session_device *state;
    sq_lock_lock(session->lock);
    bool ok = sq_session_device_get(session, device_id, &state, err);
    if (ok) {
        struct sq_element_list *kept =
            which == LATEST ? &state->elements : &state->on_screen;
        struct sq_element_list old = *kept;
        *kept = *list;
        *list = old;
    }
    sq_lock_unlock(session->lock);
    return ok;
}

bool
sq_session_set_elements(struct sq_session *session, const char *device_id,
                        uint64_t change, const struct sq_element *elements,
                        size_t count, struct sq_err *err) {
    SQ_FREED(sq_element_list_finish)
    struct sq_element_list list = { .stamp = { .change = change } };
    return make_list(elements, count, &list, err)
        && swap_list(session, device_id, LATEST, &list, err);
}

bool
sq_session_set_on_screen(struct sq_session *session, const char *device_id,
                         const struct sq_tree_stamp *stamp,
                         const struct sq_element *elements, size_t count,
                         struct sq_err *err) {
    SQ_FREED(sq_element_list_finish)
    struct sq_element_list list = { .stamp = *stamp };
    return make_list(elements, count, &list, err)
        && swap_list(session, device_id, ON_SCREEN, &list, err);
}

static const struct sq_element_list *
find_list(const struct sq_session *session, const char *device_id) {
    const struct sq_session_device *state =
        sq_session_device_find(session, device_id);
    return state && state->elements.all.is_known ? &state->elements : NULL;
}

/* Finds an element. The lock must be held; *out points into the list. */
static bool
find_element(const struct sq_session *session, const char *device_id, int index,
             const struct sq_element **out, struct sq_err *err) {
    const struct sq_element_list *list = find_list(session, device_id);
    if (!list) {
        if (session->has_key) {
            sq_fail(
                err, SQ_ERR_STALE_ELEMENT,
                "$elementIndex %d is a position in a list, but no lists are "
                "kept between the requests of this client",
                index);
            return sq_fail_hint(
                err,
                "Give the index of nine digits that @dump or @find answers, "
                "or a selector, or x and y with $screenshotId. For a mark on "
                "a picture, elementIndexes of that answer has it.");
        }
        sq_fail(err, SQ_ERR_STALE_ELEMENT,
                "there is no element list of this device yet");
        return sq_fail_hint(err, "Run @dump or @find first.");
    }
    for (size_t i = 0; i < list->all.count; i++) {
        if (list->all.items[i].index == index) {
            *out = &list->all.items[i];
            return true;
        }
    }
    sq_fail(
        err, SQ_ERR_ARGUMENT,
        "$elementIndex %d is not in the latest list, which has %zu elements",
        index, list->all.count);
    return sq_fail_hint(err, "Use an index of the latest @dump or @find.");
}

bool
sq_session_element(struct sq_session *session, const char *device_id, int index,
                   struct sq_arena *arena, struct sq_element *out,
                   struct sq_err *err) {
    sq_lock_lock(session->lock);
    const struct sq_element *found;
    struct sq_element copy = { 0 };
    bool ok = find_element(session, device_id, index, &found, err);
    if (ok) {
        copy = *found;
        ok = sq_element_keep(&copy, arena, err);
    }
    sq_lock_unlock(session->lock);
    if (ok) {
        *out = copy;
    }
    return ok;
}

int
sq_session_index_of(struct sq_session *session, const char *device_id,
                    const struct sq_element *element) {
    int index = -1;
    if (session->has_key) {
        return sq_session_element_number(session, device_id, element);
    }
    sq_lock_lock(session->lock);
    const struct sq_element_list *list = find_list(session, device_id);
    for (size_t i = 0; list && index < 0 && i < list->all.count; i++) {
        if (sq_element_same(&list->all.items[i], element)) {
            index = list->all.items[i].index;
        }
    }
    sq_lock_unlock(session->lock);
    return index;
}

const struct sq_element *
sq_element_at(const struct sq_element *elements, size_t count,
              struct sq_dev_pt point) {
    const struct sq_element *smallest = NULL;
    const struct sq_element *topmost = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct sq_element *element = &elements[i];
        if (!sq_dev_rect_has(element->bounds, point)) {
            continue;
        }
        topmost = element;
        if (!smallest
            || sq_dev_rect_area(element->bounds)
                   <= sq_dev_rect_area(smallest->bounds)) {
            smallest = element;
        }
    }
    bool is_known = topmost == smallest && topmost && !topmost->is_covered;
    return is_known ? topmost : NULL;
}

/* Returns whether a list read at `then` still matches the current screen. */
static bool
is_still_valid(const struct sq_tree_stamp *then,
               const struct sq_tree_stamp *now) {
    if (now->size.width == 0) {
        return then->change == now->change;
    }
    return then->view == now->view && then->rotation == now->rotation
        && sq_size_equal(then->size, now->size)
        && strcmp(then->app, now->app) == 0
        && now->at_ns - then->at_ns <= MAX_TREE_AGE_NS;
}

void
sq_session_on_screen(struct sq_session *session, const char *device_id,
                     const struct sq_tree_stamp *now, struct sq_arena *arena,
                     struct sq_elements *out) {
    sq_lock_lock(session->lock);
    const struct sq_session_device *state =
        sq_session_device_find(session, device_id);
    const struct sq_element_list *list = state ? &state->on_screen : NULL;
    bool is_valid =
        list && list->all.is_known && is_still_valid(&list->stamp, now);
    out->is_known = is_valid
                 && copy_elements(arena, list->all.items, list->all.count,
                                  &out->items, NULL);
    out->count = out->is_known ? list->all.count : 0;
    sq_lock_unlock(session->lock);
}

/* Returns the place of a fingerprint; SQ_SEEN_VIEWS: it has none. */
static size_t
find_view(const struct sq_session *session, const char *fingerprint) {
    size_t at = 0;
    while (at < SQ_SEEN_VIEWS && strcmp(session->views[at], fingerprint) != 0) {
        at++;
    }
    return at;
}

void
sq_session_note_view(struct sq_session *session, const char *fingerprint) {
    sq_lock_lock(session->lock);
    const size_t at = find_view(session, fingerprint);
    memmove(session->views[1], session->views[0],
            sq_min_size(at, SQ_SEEN_VIEWS - 1) * sizeof(session->views[0]));
    snprintf(session->views[0], sizeof(session->views[0]), "%s", fingerprint);
    sq_lock_unlock(session->lock);
}

bool
sq_session_saw_view(struct sq_session *session, const char *fingerprint) {
    sq_lock_lock(session->lock);
    bool seen =
        fingerprint[0] && find_view(session, fingerprint) < SQ_SEEN_VIEWS;
    sq_lock_unlock(session->lock);
    return seen;
}

void
sq_session_set_secret(struct sq_session *session, const char *device_id,
                      struct sq_dev_rect bounds, const char *app) {
    struct sq_session_device *state;
    sq_lock_lock(session->lock);
    if (sq_session_device_get(session, device_id, &state, NULL)) {
        state->secret = bounds;
        state->secret_ns = sq_clock_monotonic_ns();
        snprintf(state->secret_app, sizeof(state->secret_app), "%s", app);
    }
    sq_lock_unlock(session->lock);
}

/*
 * Returns whether a capture may show the end of the text in the field that was
 * typed into: phones hide it after a while, and when the field loses the focus.
 */
static bool
may_show_typed(const struct sq_session_device *state,
               const struct sq_capture *capture) {
    const char *app = capture->screen.app;
    return state->secret_ns
        && sq_clock_monotonic_ns() - state->secret_ns < SECRET_SHOWN_NS
        && capture->password_focus != SQ_PASSWORD_NOT_FOCUSED
        && (!app[0] || !state->secret_app[0]
            || strcmp(app, state->secret_app) == 0);
}

size_t
sq_session_secrets(struct sq_session *session, const struct sq_device *device,
                   const struct sq_capture *capture,
                   struct sq_dev_rect out[SQ_SESSION_SECRETS]) {
    size_t count = 0;
    sq_lock_lock(session->lock);
    const struct sq_session_device *state =
        sq_session_device_find(session, device->info.id);
    if (state && may_show_typed(state, capture)) {
        out[count++] = state->secret;
    }
    const struct sq_element_list *list = find_list(session, device->info.id);
    bool is_current = list && list->stamp.change == device->change;
    for (size_t i = 0;
         is_current && i < list->all.count && count < SQ_SESSION_SECRETS; i++) {
        if (list->all.items[i].flags & SQ_NODE_PASSWORD) {
            out[count++] = list->all.items[i].bounds;
        }
    }
    sq_lock_unlock(session->lock);
    return count;
}
