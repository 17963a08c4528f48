/* Remembers names of apps in the session that stores for others. */
#include "session/state.h"

#include <stdio.h>
#include <string.h>

/* Returns the session that stores the names, with its lock held. */
static struct sq_session *
acquire_store(struct sq_session *session) {
    if (session->store) {
        sq_lock_lock(session->store->lock);
    }
    return session->store ? session->store : session;
}

static void
release_store(const struct sq_session *session) {
    if (session->store) {
        sq_lock_unlock(session->store->lock);
    }
}

static bool
is_known(const struct sq_session *store, const char *app) {
    for (size_t i = 0; i < store->app_count; i++) {
        if (strcmp(store->apps[i], app) == 0) {
            return true;
        }
    }
    return false;
}

static void
add(struct sq_session *store, const char *app) {
    if (!app[0] || is_known(store, app)) {
        return;
    }
    snprintf(store->apps[store->next_app], SQ_DEVICE_TEXT_SIZE, "%s", app);
    store->next_app = (store->next_app + 1) % SQ_SEEN_APPS;
    if (store->app_count < SQ_SEEN_APPS) {
        store->app_count++;
    }
}

void
sq_seen_apps_add(struct sq_session *session, const char *app) {
    add(acquire_store(session), app);
    release_store(session);
}

bool
sq_seen_apps_read_frame(struct sq_session *session, struct sq_span id,
                        const char *device_id, const char *foreground,
                        struct sq_frame *out) {
    struct sq_session *store = acquire_store(session);
    add(store, foreground);
    const struct sq_app_names apps = {
        (const char(*)[SQ_DEVICE_TEXT_SIZE])store->apps, store->app_count
    };
    bool ok = sq_portable_frame_read(session->key, id, device_id, &apps, out);
    release_store(session);
    return ok;
}
