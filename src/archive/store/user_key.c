/* Manages the keys of references. */
#include "archive/store/user_key.h"

#include <sodium.h>
#include <string.h>

#include "util/mem.h"

bool
sq_user_key_init(struct sq_user_key *ring, const char *folder,
                 struct sq_err *err) {
    ring->lasts = folder != NULL;
    if (folder) {
        size_t size = strlen(folder) + 1;
        ring->folder = sq_mem_alloc(1, size);
        if (!ring->folder) {
            return sq_fail_nomem(err);
        }
        memcpy(ring->folder, folder, size);
    }
    return sq_lock_create(&ring->lock, err);
}

void
sq_user_key_finish(struct sq_user_key *ring) {
    sq_lock_destroy(ring->lock);
    sq_mem_free(ring->folder);
    sodium_memzero(ring, sizeof(*ring));
}

/*
 * Loads the user's key if needed. The lock must be held; a loaded key never
 * changes.
 */
static bool
have_user_key(struct sq_user_key *ring, struct sq_err *err) {
    if (!ring->has_user && ring->folder) {
        ring->has_user = sq_ref_key_load(ring->folder, &ring->user, err);
        ring->lasts = ring->has_user;
    }
    return ring->has_user;
}

bool
sq_user_key_choose(struct sq_user_key *ring, const struct sq_ref_key **out,
                   struct sq_err *err) {
    sq_lock_lock(ring->lock);
    bool has_user = have_user_key(ring, NULL);
    if (!has_user && !ring->has_own) {
        ring->has_own = sq_ref_key_make(&ring->own, err);
    }
    bool ok = has_user || ring->has_own;
    sq_lock_unlock(ring->lock);
    if (ok) {
        *out = has_user ? &ring->user : &ring->own;
    }
    return ok;
}

bool
sq_user_key_read(struct sq_user_key *ring, struct sq_span text,
                 struct sq_ref *out, const struct sq_ref_key **key,
                 struct sq_err *err) {
    sq_lock_lock(ring->lock);
    bool has_user = have_user_key(ring, err);
    bool has_own = ring->has_own;
    sq_lock_unlock(ring->lock);
    if (has_user && sq_ref_read(&ring->user, text, out)) {
        *key = &ring->user;
        return true;
    }
    if (has_own && sq_ref_read(&ring->own, text, out)) {
        *key = &ring->own;
        return true;
    }
    return false;
}

bool
sq_user_key_try(struct sq_user_key *ring) {
    sq_lock_lock(ring->lock);
    bool lasts = have_user_key(ring, NULL);
    sq_lock_unlock(ring->lock);
    return lasts;
}

bool
sq_user_key_lasts(struct sq_user_key *ring) {
    sq_lock_lock(ring->lock);
    bool lasts = ring->lasts;
    sq_lock_unlock(ring->lock);
    return lasts;
}
