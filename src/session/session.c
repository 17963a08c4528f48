/* Implements sessions: devices, frames, notices and costs of one client. */
#include "session/session.h"

#include <stdio.h>
#include <string.h>

#include "session/state.h"
#include "util/mem.h"

#define DEFAULT_MAX_FRAMES 64
#define DEFAULT_MAX_DIMENSION 1000

bool
sq_session_create(const struct sq_session_options *options,
                  struct sq_session **out, struct sq_err *err) {
    struct sq_session *session = sq_mem_zalloc(1, sizeof(*session));
    if (!session) {
        return sq_fail_nomem(err);
    }
    session->max_dimension =
        options->max_dimension ? options->max_dimension : DEFAULT_MAX_DIMENSION;
    session->max_frames =
        options->max_frames ? options->max_frames : DEFAULT_MAX_FRAMES;
    session->store = options->store;
    session->number = options->number;
    session->has_key = options->key != NULL;
    if (options->key) {
        memcpy(session->key, options->key, sizeof(session->key));
    }
    session->frames =
        sq_mem_zalloc((size_t)session->max_frames, sizeof(*session->frames));
    bool ok = (session->frames || sq_fail_nomem(err))
           && sq_lock_create(&session->lock, err);
    if (!ok) {
        sq_session_destroy(session);
        return false;
    }
    *out = session;
    return true;
}

uint64_t
sq_session_number(const struct sq_session *session) {
    return session->number;
}

static void
remove_device(struct sq_session_device **at) {
    struct sq_session_device *state = *at;
    *at = state->next;
    sq_element_list_finish(&state->elements);
    sq_element_list_finish(&state->on_screen);
    sq_mem_free(state);
}

void
sq_session_destroy(struct sq_session *session) {
    if (!session) {
        return;
    }
    while (session->devices) {
        remove_device(&session->devices);
    }
    sq_session_release_held(session);
    sq_lock_destroy(session->lock);
    sq_mem_free(session->frames);
    sq_mem_free(session);
}

struct sq_session_device *
sq_session_device_find(const struct sq_session *session,
                       const char *device_id) {
    struct sq_session_device *state = session->devices;
    while (state && strcmp(state->id, device_id) != 0) {
        state = state->next;
    }
    return state;
}

bool
sq_session_device_get(struct sq_session *session, const char *device_id,
                      struct sq_session_device **out, struct sq_err *err) {
    struct sq_session_device *state =
        sq_session_device_find(session, device_id);
    if (!state) {
        state = sq_mem_zalloc(1, sizeof(*state));
        if (!state) {
            return sq_fail_nomem(err);
        }
        snprintf(state->id, sizeof(state->id), "%s", device_id);
        state->next = session->devices;
        session->devices = state;
    }
    *out = state;
    return true;
}

bool
sq_session_is_frame_id(struct sq_span id) {
    int64_t number;
    if (sq_portable_frame_is_id(id)) {
        return true;
    }
    return sq_span_take_prefix(&id, "s") && sq_span_take_int64(&id, &number)
        && id.len == 0 && number >= 0;
}

static bool
is_set(const struct sq_frame *frame) {
    return frame->id[0] != '\0';
}

static bool
has_size(const struct sq_frame *frame, const struct sq_screen *screen) {
    return sq_size_equal(frame->view.device, screen->size)
        && frame->rotation == screen->rotation;
}

static bool
has_app(const struct sq_frame *frame, const struct sq_screen *screen) {
    return !frame->app[0] || !screen->app[0]
        || strcmp(frame->app, screen->app) == 0;
}

static bool
matches_screen(const struct sq_frame *frame, const struct sq_screen *screen) {
    return has_size(frame, screen) && has_app(frame, screen);
}

static struct sq_frame
default_frame(const struct sq_session *session, const char *device_id,
              const struct sq_screen *screen) {
    /* Picture size depends on pixels, even if taps use other units. */
    struct sq_size pixels =
        screen->pixels.width > 0 ? screen->pixels : screen->size;
    struct sq_frame frame = {
        .view = sq_view_make(screen->size,
                             sq_scaled_size(pixels, session->max_dimension)),
        .rotation = screen->rotation,
        .is_default = true,
    };
    snprintf(frame.device_id, sizeof(frame.device_id), "%s", device_id);
    memcpy(frame.app, screen->app, sizeof(frame.app));
    return frame;
}

static bool
name_frame(struct sq_session *session, struct sq_frame *frame,
           struct sq_err *err) {
    struct sq_session_device *state;
    if (!sq_session_device_get(session, frame->device_id, &state, err)) {
        return false;
    }
    if (session->has_key) {
        sq_seen_apps_add(session, frame->app);
        return sq_portable_frame_name(session->key, frame, err);
    }
    session->last_id++;
    snprintf(frame->id, sizeof(frame->id), "s%ld", session->last_id);
    return true;
}

bool
sq_session_name_frame(struct sq_session *session, struct sq_frame *frame,
                      struct sq_err *err) {
    sq_lock_lock(session->lock);
    bool ok = name_frame(session, frame, err);
    sq_lock_unlock(session->lock);
    return ok;
}

const struct sq_frame *
sq_session_frame_at(const struct sq_session *session, int age) {
    return &session->frames[(session->next_frame - age + session->max_frames)
                            % session->max_frames];
}

const struct sq_frame *
sq_session_find_frame(const struct sq_session *session, struct sq_span id) {
    for (int age = 1; age <= session->frame_count; age++) {
        const struct sq_frame *frame = sq_session_frame_at(session, age);
        if (sq_span_is(id, frame->id)) {
            return frame;
        }
    }
    /* Frames in use stay known, even if the ring buffer has dropped them. */
    for (const struct sq_session_device *state = session->devices; state;
         state = state->next) {
        if (sq_span_is(id, state->view.id)) {
            return &state->view;
        }
        if (sq_span_is(id, state->latest.id)) {
            return &state->latest;
        }
    }
    return NULL;
}

static bool
is_whole(const struct sq_frame *frame) {
    return !frame->is_region && !frame->other_display;
}

static void
store_frame(struct sq_session *session, const struct sq_frame *frame) {
    session->frames[session->next_frame] = *frame;
    session->next_frame = (session->next_frame + 1) % session->max_frames;
    if (session->frame_count < session->max_frames) {
        session->frame_count++;
    }
}

void
sq_session_add_frame(struct sq_session *session, const struct sq_frame *frame) {
    sq_lock_lock(session->lock);
    struct sq_session_device *state =
        sq_session_device_find(session, frame->device_id);
    if (state && is_set(frame)) {
        if (!sq_session_find_frame(session, sq_span_of(frame->id))) {
            store_frame(session, frame);
        }
        if (is_whole(frame)) {
            state->view = *frame;
        }
        state->latest = *frame;
    }
    sq_lock_unlock(session->lock);
}

void
sq_session_leave_region(struct sq_session *session, const char *device_id) {
    sq_lock_lock(session->lock);
    struct sq_session_device *state =
        sq_session_device_find(session, device_id);
    if (state && !is_whole(&state->latest)) {
        state->latest = state->view;
    }
    sq_lock_unlock(session->lock);
}

void
sq_session_follow_app(struct sq_session *session) {
    sq_lock_lock(session->lock);
    session->follows_app = true;
    sq_lock_unlock(session->lock);
}

void
sq_session_forget_device(struct sq_session *session, const char *device_id) {
    sq_lock_lock(session->lock);
    /* Keeps only the frames of other devices, in their order. */
    int count = session->frame_count;
    int next = (session->next_frame - count + session->max_frames)
             % session->max_frames;
    session->frame_count = 0;
    session->next_frame = next;
    for (int i = 0; i < count; i++) {
        const struct sq_frame frame = session->frames[next];
        next = (next + 1) % session->max_frames;
        if (strcmp(frame.device_id, device_id) != 0) {
            store_frame(session, &frame);
        }
    }
    struct sq_session_device **at = &session->devices;
    while (*at && strcmp((*at)->id, device_id) != 0) {
        at = &(*at)->next;
    }
    if (*at) {
        remove_device(at);
    }
    sq_lock_unlock(session->lock);
}

bool
sq_session_view(struct sq_session *session, const char *device_id,
                const struct sq_screen *screen, struct sq_frame *out,
                struct sq_err *err) {
    sq_lock_lock(session->lock);
    const struct sq_session_device *state =
        sq_session_device_find(session, device_id);
    bool ok = true;
    if (state && is_set(&state->view) && matches_screen(&state->view, screen)) {
        *out = state->view;
    } else {
        struct sq_frame fresh = default_frame(session, device_id, screen);
        ok = name_frame(session, &fresh, err);
        if (ok) {
            *out = fresh;
        }
    }
    sq_lock_unlock(session->lock);
    return ok;
}

/*
 * Returns whether only the unit has changed: a simulator counts in pixels until
 * its size in points is known.
 */
static bool
is_rescaled(const struct sq_frame *frame, const struct sq_screen *screen) {
    struct sq_size then = frame->view.device;
    int64_t across = (int64_t)then.width * screen->size.height;
    int64_t along = (int64_t)then.height * screen->size.width;
    int64_t apart = across > along ? across - along : along - across;
    return frame->rotation == screen->rotation && apart * 100 <= across;
}

static bool
fail_stale(const struct sq_frame *frame, const struct sq_screen *screen,
           struct sq_err *err) {
    if (has_size(frame, screen)) {
        sq_fail_quoting(
            err, SQ_ERR_STALE_SCREENSHOT,
            "screenshot %s shows %s, but %s is in the foreground now",
            frame->id, frame->app, screen->app);
    } else if (is_rescaled(frame, screen)) {
        sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                "the device reported a screen of %dx%d for screenshot %s, and "
                "reports %dx%d now",
                frame->view.device.width, frame->view.device.height, frame->id,
                screen->size.width, screen->size.height);
    } else {
        sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                "the screen has turned or changed its size since screenshot "
                "%s: it was %dx%d, rotation %d, and is %dx%d, rotation %d",
                frame->id, frame->view.device.width, frame->view.device.height,
                frame->rotation, screen->size.width, screen->size.height,
                screen->rotation);
    }
    return sq_fail_hint(err, "Take a new screenshot, or run @dump or @find, "
                             "and use coordinates from that.");
}

static bool
fail_other_display(const struct sq_frame *frame, struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "screenshot %s shows another display, which taps do not reach",
            frame->id);
    return sq_fail_hint(
        err,
        "Take a screenshot without $displayId, and use coordinates from that.");
}

static bool
fail_unnamed(struct sq_err *err) {
    sq_fail(
        err, SQ_ERR_AMBIGUOUS_FRAME,
        "it is unclear which picture the coordinates are in: no pictures are "
        "remembered between the requests of this client");
    return sq_fail_hint(err, "Give the $screenshotId of the picture.");
}

/* Chooses the frame for coordinates without an id; NULL if there is none. */
static bool
choose_latest(const struct sq_session_device *state,
              const struct sq_screen *screen, const struct sq_frame **out,
              struct sq_err *err) {
    const struct sq_frame *latest = &state->latest;
    *out = is_set(latest) ? latest : NULL;
    if (latest->other_display) {
        return fail_other_display(latest, err);
    }
    if (latest->is_region && matches_screen(latest, screen)) {
        sq_fail(
            err, SQ_ERR_AMBIGUOUS_FRAME,
            "the latest picture, %s, shows only a region of the screen, so it "
            "is unclear which picture the coordinates are in",
            latest->id);
        return sq_fail_hint(
            err,
            "${Give screenshotId:|Add --screenshot-id} %s for coordinates in "
            "that "
            "picture, or the id of a picture of the whole screen.",
            latest->id);
    }
    /* A region of a screen that has changed is no longer valid. */
    if (latest->is_region && is_set(&state->view)) {
        *out = &state->view;
    }
    return true;
}

/*
 * Returns whether a picture shows another app than the screen, but a point has
 * the same place in it as in the default view of the screen.
 */
static bool
is_other_app_in_default_size(const struct sq_session *session,
                             const struct sq_frame *frame,
                             const struct sq_screen *screen) {
    const struct sq_size size = frame->view.image;
    const struct sq_size usual =
        default_frame(session, frame->device_id, screen).view.image;
    return is_set(frame) && is_whole(frame) && has_size(frame, screen)
        && !has_app(frame, screen) && sq_size_equal(size, usual);
}

/* What a point or region refers to. */
struct target {
    const char *device_id;
    struct sq_span id; /* of the frame; empty: not named */
    const struct sq_screen *screen;
};

/* Finds a named frame; one that its id contains is returned in *opened. */
static bool
choose_named(struct sq_session *session, const struct target *target,
             struct sq_frame *opened, const struct sq_frame **out,
             struct sq_err *err) {
    const struct sq_frame *frame = sq_session_find_frame(session, target->id);
    if (!frame && session->has_key
        && sq_seen_apps_read_frame(session, target->id, target->device_id,
                                   target->screen->app, opened)) {
        frame = opened;
    }
    if (!frame || strcmp(frame->device_id, target->device_id) != 0) {
        struct sq_span id = target->id;
        int shown = id.len < SQ_FRAME_ID_SIZE ? (int)id.len : SQ_FRAME_ID_SIZE;
        sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
                "there is no recent screenshot \"%.*s\" of this device", shown,
                id.ptr ? id.ptr : "");
        return sq_fail_hint(err,
                            "Take a new screenshot and use its $screenshotId.");
    }
    *out = frame;
    return !frame->other_display || fail_other_display(frame, err);
}

static bool
choose_frame(struct sq_session *session, const struct target *target,
             struct sq_frame *opened, const struct sq_frame **out,
             struct sq_err *err) {
    if (target->id.len > 0) {
        return choose_named(session, target, opened, out, err);
    }
    const struct sq_session_device *state =
        sq_session_device_find(session, target->device_id);
    *out = NULL;
    if (!state) {
        return !session->has_key || fail_unnamed(err);
    }
    if (!choose_latest(state, target->screen, out, err)) {
        return false;
    }
    if (session->follows_app
        && is_other_app_in_default_size(session, &state->latest,
                                        target->screen)) {
        *out = NULL;
    }
    return true;
}

bool
sq_session_frame(struct sq_session *session, const char *device_id,
                 struct sq_span id, const struct sq_screen *screen,
                 struct sq_frame *out, struct sq_err *err) {
    sq_lock_lock(session->lock);
    const struct target target = { device_id, id, screen };
    const struct sq_frame *frame = NULL;
    struct sq_frame opened;
    bool ok = choose_frame(session, &target, &opened, &frame, err)
           && (!frame || matches_screen(frame, screen)
               || fail_stale(frame, screen, err));
    if (ok) {
        *out = frame ? *frame : default_frame(session, device_id, screen);
    }
    sq_lock_unlock(session->lock);
    return ok;
}

/* Returns the latest picture of a device that has a grid, or NULL. */
static const struct sq_frame *
latest_grid(const struct sq_session *session, const char *device_id) {
    for (int age = 1; age <= session->frame_count; age++) {
        const struct sq_frame *frame = sq_session_frame_at(session, age);
        if (frame->has_grid && strcmp(frame->device_id, device_id) == 0) {
            return frame;
        }
    }
    return NULL;
}

static bool
fail_no_grid(const struct sq_session *session, const struct sq_frame *frame,
             struct sq_err *err) {
    const struct sq_frame *other = latest_grid(session, frame->device_id);
    if (is_set(frame) && !frame->is_default) {
        sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                "no grid was drawn on screenshot %s, so it has no cells",
                frame->id);
    } else {
        sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                "there is no picture of this screen with a grid");
    }
    return other
             ? sq_fail_hint(err,
                            "Take a screenshot with $grid: true, or give "
                            "$screenshotId: %s for the grid of that picture.",
                            other->id)
             : sq_fail_hint(err, "Take a screenshot with $grid: true.");
}

bool
sq_session_grid_frame(struct sq_session *session, const char *device_id,
                      struct sq_span id, const struct sq_screen *screen,
                      struct sq_frame *out, struct sq_err *err) {
    struct sq_frame frame;
    if (!sq_session_frame(session, device_id, id, screen, &frame, err)) {
        return false;
    }
    if (!frame.has_grid) {
        sq_lock_lock(session->lock);
        fail_no_grid(session, &frame, err);
        sq_lock_unlock(session->lock);
        return false;
    }
    *out = frame;
    return true;
}

void
sq_session_set_choice(struct sq_session *session,
                      const struct sq_device_choice *choice) {
    sq_lock_lock(session->lock);
    if (!session->has_key) {
        session->choice = *choice;
    }
    sq_lock_unlock(session->lock);
}

struct sq_device_choice
sq_session_choice(struct sq_session *session) {
    sq_lock_lock(session->lock);
    struct sq_device_choice choice = session->choice;
    sq_lock_unlock(session->lock);
    return choice;
}

bool
sq_session_notice_was_sent(struct sq_session *session, const char *device_id,
                           enum sq_notice notice) {
    sq_lock_lock(session->lock);
    const struct sq_session_device *state =
        sq_session_device_find(session, device_id);
    bool notice_sent = state && state->notice_sent[notice];
    sq_lock_unlock(session->lock);
    return notice_sent;
}

void
sq_session_set_notice_sent(struct sq_session *session, const char *device_id,
                           enum sq_notice notice) {
    struct sq_session_device *state;
    sq_lock_lock(session->lock);
    if (sq_session_device_get(session, device_id, &state, NULL)) {
        state->notice_sent[notice] = true;
    }
    sq_lock_unlock(session->lock);
}

void
sq_session_charge(struct sq_session *session, const struct sq_ledger *more) {
    sq_lock_lock(session->lock);
    session->ledger.calls += more->calls;
    session->ledger.images += more->images;
    session->ledger.image_tokens += more->image_tokens;
    session->ledger.image_bytes += more->image_bytes;
    session->ledger.text_bytes += more->text_bytes;
    sq_lock_unlock(session->lock);
}

struct sq_ledger
sq_session_ledger(struct sq_session *session) {
    sq_lock_lock(session->lock);
    struct sq_ledger ledger = session->ledger;
    sq_lock_unlock(session->lock);
    return ledger;
}
