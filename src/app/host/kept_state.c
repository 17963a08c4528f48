/* Loads and saves what commands leave for the next one. */
#include "app/host/kept_state.h"

#include "app/print_message.h"
#include "demo/phone/phone.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "util/mem.h"

#define SESSION_FILE "session.json"
#define RESET_MS 5000
#define NS_PER_S 1000000000

struct sq_kept_state {
    struct sq_state_folder folder;
    struct sq_demo_keeper keeper;
    bool has_warned;
};

/* Once per command. */
static void
warn(void *context, const struct sq_err *why) {
    struct sq_kept_state *state = context;
    /* The state of another phone is not a mistake in the file. */
    bool is_damaged = why->code != SQ_ERR_UNSUPPORTED;
    if (!state->has_warned) {
        state->has_warned = true;
        sq_print_message(
            "squint: the demo phone starts again: %s%s%s%s",
            is_damaged ? state->folder.path : "", is_damaged ? "/" : "",
            is_damaged ? SQ_DEMO_STATE_FILE ": " : "", why->message);
    }
}

static bool
restore_session(const struct sq_state_folder *folder,
                struct sq_session *session, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    SQ_BUF(text, SQ_SESSION_STATE_MAX);
    bool ok = sq_state_folder_read(folder, SESSION_FILE, SQ_SESSION_STATE_MAX,
                                   &text, &local_err)
           && (text.len == 0
               || sq_session_restore(session, sq_clock_wall_ns() / NS_PER_S,
                                     sq_buf_span(&text), &local_err));
    if (!ok && local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_with(err, &local_err);
    }
    if (!ok) {
        sq_print_message("squint: earlier pictures are forgotten: %s/%s: %s",
                         folder->path, SESSION_FILE, local_err.message);
    }
    return true;
}

bool
sq_kept_state_open(struct sq_devices *devices, struct sq_session *session,
                   struct sq_kept_state **out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_kept_state *state = sq_mem_zalloc(1, sizeof(*state));
    *out = NULL;
    if (!state) {
        return sq_fail_nomem(err);
    }
    if (!sq_state_folder_open(&state->folder, &local_err)) {
        sq_mem_free(state);
        sq_print_message("squint: this command leaves nothing for the next: %s",
                         local_err.message);
        return true;
    }
    state->keeper = (struct sq_demo_keeper){ &state->folder, warn, state };
    if (!restore_session(&state->folder, session, err)) {
        sq_kept_state_close(state);
        return false;
    }
    sq_session_follow_app(session);
    sq_devices_keep_state(devices, &state->keeper);
    *out = state;
    return true;
}

static bool
write_session(const struct sq_state_folder *folder, struct sq_session *session,
              struct sq_err *err) {
    SQ_BUF(text, SQ_SESSION_STATE_MAX);
    return sq_session_save(session, sq_clock_wall_ns() / NS_PER_S, &text, err)
        && sq_state_folder_write(folder, SESSION_FILE, sq_buf_span(&text), err);
}

void
sq_kept_state_save(struct sq_kept_state *state, struct sq_session *session) {
    struct sq_err err = { 0 };
    if (!write_session(&state->folder, session, &err)) {
        sq_print_message("squint: the next command will not know this picture: "
                         "%s",
                         err.message);
    }
}

void
sq_kept_state_close(struct sq_kept_state *state) {
    if (state) {
        sq_state_folder_close(&state->folder);
        sq_mem_free(state);
    }
}

/* Removes the pictures of the demo phone from those that commands left. */
static bool
forget_pictures(const struct sq_state_folder *folder, struct sq_err *err) {
    const struct sq_session_options options = { .max_dimension = 0 };
    struct sq_session *session = NULL;
    if (!sq_session_create(&options, &session, err)) {
        return false;
    }
    bool ok = restore_session(folder, session, err);
    if (ok) {
        sq_session_forget_device(session, SQ_DEMO_ID);
        ok = write_session(folder, session, err);
    }
    sq_session_destroy(session);
    return ok;
}

bool
sq_kept_state_reset_demo(struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(RESET_MS, NULL);
    struct sq_state_folder folder;
    int lock;
    if (!sq_state_folder_open(&folder, err)) {
        return false;
    }
    bool ok = sq_state_folder_lock(&folder, SQ_DEMO_STATE_LOCK, &deadline,
                                   &lock, err);
    if (ok) {
        ok = sq_state_folder_remove(&folder, SQ_DEMO_STATE_FILE, err)
          && forget_pictures(&folder, err);
        sq_state_folder_unlock(lock);
    }
    sq_state_folder_close(&folder);
    return ok;
}
