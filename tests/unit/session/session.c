#include "session/session.h"

#include "support/test.h"

#define PHONE "phone"

static const struct sq_screen portrait = { .size = { 1080, 2400 },
                                           .rotation = 0,
                                           .density = 2.625 };
static const struct sq_screen landscape = { .size = { 2400, 1080 },
                                            .rotation = 1,
                                            .density = 2.625 };
static const struct sq_screen upside_down = { .size = { 1080, 2400 },
                                              .rotation = 2,
                                              .density = 2.625 };

static struct sq_session *session;
static struct sq_frame frame;    /* that was found last */
static struct sq_err last_error; /* of find_frame_for */

static void
stop(void) {
    sq_session_destroy(session);
    session = NULL;
}

static void
restart(int max_frames) {
    const struct sq_session_options options = { .max_dimension = 1000,
                                                .max_frames = max_frames };
    stop();
    T_OK(sq_session_create(&options, &session, &t_err));
}

static void
start(void) {
    restart(0);
}

static struct sq_frame
frame_of(const char *device, const struct sq_screen *screen, int side) {
    struct sq_frame made = {
        .view = sq_view_make(screen->size, sq_scaled_size(screen->size, side)),
        .rotation = screen->rotation,
    };
    snprintf(made.device_id, sizeof(made.device_id), "%s", device);
    memcpy(made.app, screen->app, sizeof(made.app));
    return made;
}

/* Adds a picture that was delivered; returns its id. */
static const char *
add_frame(const char *device, const struct sq_screen *screen, int side,
          bool is_region) {
    static char ids[8][SQ_FRAME_ID_SIZE];
    static int next;
    struct sq_frame added = frame_of(device, screen, side);
    added.is_region = is_region;
    T_OK(sq_session_name_frame(session, &added, &t_err));
    sq_session_add_frame(session, &added);
    char *id = ids[next++ % 8];
    snprintf(id, SQ_FRAME_ID_SIZE, "%s", added.id);
    return id;
}

static enum sq_err_code
find_frame_for(const char *device, const char *id,
               const struct sq_screen *screen, struct sq_frame *out) {
    struct sq_err err = { 0 };
    bool ok =
        sq_session_frame(session, device, sq_span_of(id), screen, out, &err);
    T(ok == (err.code == SQ_ERR_NONE));
    T(ok || err.hint[0]);
    last_error = err;
    return err.code;
}

static enum sq_err_code
find(const char *id, const struct sq_screen *screen) {
    return find_frame_for(PHONE, id, screen, &frame);
}

static struct sq_frame
view_of(const char *device, const struct sq_screen *screen) {
    struct sq_frame view = { 0 };
    T_OK(sq_session_view(session, device, screen, &view, &t_err));
    return view;
}

T_FIXTURE(start, stop);

T_CASE(default_view_before_any_screenshot) {
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T_INT(frame.view.image.width, 450);
    T_INT(frame.view.image.height, 1000);
    T_STR(frame.id, "");
    T(frame.is_default);
    struct sq_dev_pt at =
        sq_view_to_device(&frame.view, (struct sq_img_pt){ 200, 500 });
    T_INT(at.x, 480);
    T_INT(at.y, 1200);
}

T_CASE(without_an_id_the_latest_picture_is_used) {
    add_frame(PHONE, &portrait, 1000, false);
    const char *second = add_frame(PHONE, &portrait, 500, false);
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T_STR(frame.id, second);
    T_INT(frame.view.image.height, 500);
}

T_CASE(id_selects_an_older_picture) {
    const char *first = add_frame(PHONE, &portrait, 1000, false);
    add_frame(PHONE, &portrait, 500, false);
    T_INT(find(first, &portrait), SQ_ERR_NONE);
    T_INT(frame.view.image.height, 1000);
}

T_CASE(unknown_id_is_refused) {
    frame.rotation = 77;
    const char *mine = add_frame(PHONE, &portrait, 1000, false);
    T_INT(find("s99", &portrait), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_INT(find_frame_for("other", mine, &portrait, &frame),
          SQ_ERR_UNKNOWN_SCREENSHOT);
    T_INT(frame.rotation, 77);
}

T_CASE(stale_frame_is_refused) {
    const char *id = add_frame(PHONE, &portrait, 1000, false);
    T_INT(find(id, &landscape), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find("", &landscape), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find("", &upside_down), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find("", &portrait), SQ_ERR_NONE);
}

T_CASE(region_makes_points_ambiguous) {
    const char *whole = add_frame(PHONE, &portrait, 1000, false);
    const char *region = add_frame(PHONE, &portrait, 300, true);
    T_INT(find("", &portrait), SQ_ERR_AMBIGUOUS_FRAME);
    T_INT(find(region, &portrait), SQ_ERR_NONE);
    T_INT(frame.view.image.height, 300);
    T_INT(find(whole, &portrait), SQ_ERR_NONE);
    T_STR(view_of(PHONE, &portrait).id, whole);
    add_frame(PHONE, &portrait, 800, false);
    T_INT(find("", &portrait), SQ_ERR_NONE);
}

T_CASE(list_of_elements_ends_a_region) {
    add_frame(PHONE, &portrait, 300, true);
    struct sq_frame view = view_of(PHONE, &portrait);
    T(view.is_default);
    T_INT(find("", &portrait), SQ_ERR_AMBIGUOUS_FRAME);
    sq_session_add_frame(session, &view);
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T_STR(frame.id, view.id);
    /* Also a list in a view that was known before. */
    add_frame(PHONE, &portrait, 300, true);
    T_INT(find("", &portrait), SQ_ERR_AMBIGUOUS_FRAME);
    sq_session_add_frame(session, &view);
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T_STR(frame.id, view.id);
}

T_CASE(region_can_be_left) {
    sq_session_leave_region(session, PHONE);
    add_frame(PHONE, &portrait, 300, true);
    sq_session_leave_region(session, PHONE);
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T_STR(frame.id, "");
    const char *whole = add_frame(PHONE, &portrait, 1000, false);
    add_frame(PHONE, &portrait, 300, true);
    sq_session_leave_region(session, PHONE);
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T_STR(frame.id, whole);
}

T_CASE(outdated_region_is_not_suggested) {
    struct sq_screen here = portrait;
    struct sq_screen there = portrait;
    snprintf(here.app, sizeof(here.app), "com.here");
    snprintf(there.app, sizeof(there.app), "com.there");
    const char *whole = add_frame(PHONE, &here, 1000, false);
    add_frame(PHONE, &here, 300, true);
    T_INT(find("", &here), SQ_ERR_AMBIGUOUS_FRAME);
    T_INT(find("", &landscape), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find("", &there), SQ_ERR_STALE_SCREENSHOT);
    T_HAS(last_error.message, whole);
}

T_CASE(picture_of_another_app_is_stale) {
    struct sq_screen here = portrait;
    struct sq_screen there = portrait;
    snprintf(here.app, sizeof(here.app), "com.here");
    snprintf(there.app, sizeof(there.app), "com.there");
    const char *whole = add_frame(PHONE, &here, 1000, false);
    T_INT(find("", &here), SQ_ERR_NONE);
    T_INT(find("", &there), SQ_ERR_STALE_SCREENSHOT);
    T_HAS(last_error.message, "com.here");
    T_HAS(last_error.message, "com.there");
    T(last_error.quotes);
    T_INT(find(whole, &there), SQ_ERR_STALE_SCREENSHOT);
    /*
     * If the foreground app is unknown, a frame is not stale for that reason.
     */
    T_INT(find("", &portrait), SQ_ERR_NONE);
    /* A list of the new app gets its own view. */
    struct sq_frame view = view_of(PHONE, &there);
    T(view.is_default);
    T_STR(view.app, "com.there");
    sq_session_add_frame(session, &view);
    T_INT(find("", &there), SQ_ERR_NONE);
    T_STR(frame.id, view.id);
}

/* Only if a point has the same place in both pictures. */
T_CASE(points_can_follow_the_app) {
    struct sq_screen here = portrait;
    struct sq_screen there = portrait;
    struct sq_screen turned = upside_down;
    snprintf(here.app, sizeof(here.app), "com.here");
    snprintf(there.app, sizeof(there.app), "com.there");
    snprintf(turned.app, sizeof(turned.app), "com.there");
    sq_session_follow_app(session);
    const char *whole = add_frame(PHONE, &here, 1000, false);
    T_INT(find("", &there), SQ_ERR_NONE);
    T_STR(frame.app, "com.there");
    T_STR(frame.id, "");
    T(frame.is_default);
    T_INT(frame.view.image.width, 450);
    T_INT(find("", &here), SQ_ERR_NONE);
    T_STR(frame.id, whole);
    T_INT(find(whole, &there), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find("", &turned), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find("", &landscape), SQ_ERR_STALE_SCREENSHOT);
    add_frame(PHONE, &here, 300, true);
    T_INT(find("", &there), SQ_ERR_STALE_SCREENSHOT);
    add_frame(PHONE, &here, 999, false);
    T_INT(find("", &there), SQ_ERR_STALE_SCREENSHOT);
}

/* The ring of frames has been around once. */
T_CASE(device_can_be_forgotten) {
    restart(4);
    const char *ids[6];
    for (int i = 0; i < 6; i++) {
        ids[i] = add_frame(i % 2 ? PHONE : "other", &portrait, 100 + i, false);
    }
    sq_session_forget_device(session, PHONE);
    sq_session_forget_device(session, "unknown");
    T_INT(find("", &portrait), SQ_ERR_NONE);
    T(frame.is_default);
    for (int i = 2; i < 6; i++) {
        T_INT(
            find_frame_for(i % 2 ? PHONE : "other", ids[i], &portrait, &frame),
            i % 2 ? SQ_ERR_UNKNOWN_SCREENSHOT : SQ_ERR_NONE);
    }
    T_STR(add_frame(PHONE, &portrait, 500, false), "s7");
    T_INT(find_frame_for("other", "", &portrait, &frame), SQ_ERR_NONE);
    T_STR(frame.id, ids[4]);
}

T_CASE(lists_use_the_latest_full_picture) {
    add_frame(PHONE, &portrait, 1000, false);
    const char *second = add_frame(PHONE, &portrait, 700, false);
    struct sq_frame view = view_of(PHONE, &portrait);
    T_STR(view.id, second);
    T_INT(view.view.image.height, 700);
}

T_CASE(rotation_starts_a_new_view) {
    add_frame(PHONE, &portrait, 700, false);
    struct sq_frame view = view_of(PHONE, &landscape);
    T(view.is_default);
    T_INT(view.view.image.width, 1000);
    T_INT(view.view.image.height, 450);
    /* Until the list is delivered, nothing has changed. */
    T_INT(find("", &landscape), SQ_ERR_STALE_SCREENSHOT);
    T_INT(find(view.id, &landscape), SQ_ERR_UNKNOWN_SCREENSHOT);
    sq_session_add_frame(session, &view);
    T_INT(find("", &landscape), SQ_ERR_NONE);
    T_STR(frame.id, view.id);
    T_STR(view_of(PHONE, &landscape).id, view.id);
}

T_CASE(known_frame_becomes_the_latest_again) {
    struct sq_frame old = frame_of(PHONE, &portrait, 1000);
    T_OK(sq_session_name_frame(session, &old, &t_err));
    sq_session_add_frame(session, &old);
    add_frame(PHONE, &portrait, 500, false);
    sq_session_add_frame(session, &old);
    T_STR(view_of(PHONE, &portrait).id, old.id);
}

T_CASE(devices_have_separate_frames) {
    add_frame("a", &portrait, 1000, false);
    add_frame("b", &landscape, 600, true);
    T_INT(find_frame_for("a", "", &portrait, &frame), SQ_ERR_NONE);
    T_INT(find_frame_for("b", "", &landscape, &frame), SQ_ERR_AMBIGUOUS_FRAME);
    T_INT(frame.view.image.height, 1000);
}

T_CASE(old_frames_are_dropped_unless_in_use) {
    restart(4);
    const char *kept = add_frame("quiet", &portrait, 1000, false);
    const char *lost = add_frame(PHONE, &portrait, 1000, false);
    for (int i = 0; i < 6; i++) {
        add_frame(PHONE, &portrait, 900, false);
    }
    T_INT(find(lost, &portrait), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_INT(find_frame_for("quiet", kept, &portrait, &frame), SQ_ERR_NONE);
    T_INT(find_frame_for("quiet", "", &portrait, &frame), SQ_ERR_NONE);
}

T_CASE(ledger_adds_up) {
    const struct sq_ledger more = { 1, 2, 600, 50000, 900 };
    sq_session_charge(session, &more);
    sq_session_charge(session, &more);
    struct sq_ledger ledger = sq_session_ledger(session);
    T_INT(ledger.calls, 2);
    T_INT(ledger.images, 4);
    T_INT(ledger.image_tokens, 1200);
    T_INT(ledger.image_bytes, 100000);
    T_INT(ledger.text_bytes, 1800);
}

static bool
create_only(void *context, struct sq_err *err) {
    const struct sq_session_options options = { 0 };
    struct sq_session *made = NULL;
    bool ok = sq_session_create(&options, &made, err);
    T(ok == (made != NULL));
    sq_session_destroy(made);
    return ok;
}

/* The state that a caller can observe, before and after a failure. */
struct observed_state {
    struct sq_frame latest;
    struct sq_frame view;
    struct sq_ledger ledger;
};

static struct observed_state
observe_state(void) {
    struct observed_state observed_state;
    memset(&observed_state, 0, sizeof(observed_state));
    find_frame_for(PHONE, "", &portrait, &observed_state.latest);
    observed_state.view = view_of(PHONE, &portrait);
    observed_state.ledger = sq_session_ledger(session);
    return observed_state;
}

static bool
name_for_new_device(void *context, struct sq_err *err) {
    struct observed_state *before = context;
    struct sq_frame new = frame_of("new", &portrait, 100);
    bool ok = sq_session_name_frame(session, &new, err);
    if (!ok) {
        struct observed_state now = observe_state();
        T_STR(new.id, "");
        T_BYTES(&now, sizeof(now), before, sizeof(*before));
    }
    return ok;
}

T_CASE(failed_add_changes_nothing) {
    T(t_alloc_torture(create_only, NULL) > 0);
    add_frame(PHONE, &portrait, 1000, false);
    struct observed_state before = observe_state();
    T(t_alloc_torture(name_for_new_device, &before) > 0);
}

/* Before any picture, the view is that of a default one, in its pixels. */
T_CASE(screen_in_points_has_a_view_in_pixels) {
    const struct sq_screen screen = { .size = { 393, 852 },
                                      .density = 3,
                                      .pixels = { 1179, 2556 } };
    T_OK(sq_session_view(session, PHONE, &screen, &frame, &t_err));
    T_INT(frame.view.device.width, 393);
    T_INT(frame.view.device.height, 852);
    T_INT(frame.view.image.width, 461);
    T_INT(frame.view.image.height, 1000);
}
