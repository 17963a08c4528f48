/* Manages the keys of references. */
#include "archive/archive_private.h"

#include <sodium.h>
#include <string.h>

#include "util/mem.h"

bool
sq_user_key_init(struct sq_user_key *keys, const char *folder,
                 struct sq_err *err) {
    keys->is_persistent = folder != NULL;
    if (folder) {
        size_t size = strlen(folder) + 1;
        keys->folder = sq_mem_alloc(1, size);
        if (!keys->folder) {
            return sq_fail_nomem(err);
        }
        memcpy(keys->folder, folder, size);
    }
    return sq_lock_create(&keys->lock, err);
}

void
sq_user_key_finish(struct sq_user_key *keys) {
    sq_lock_destroy(keys->lock);
    sq_mem_free(keys->folder);
    sodium_memzero(keys, sizeof(*keys));
}

/*
 * Loads the user's key if needed. The lock must be held; a loaded key never
 * changes.
 */
static bool
load_user_key(struct sq_user_key *keys, struct sq_err *err) {
    if (!keys->has_user && keys->folder) {
        keys->has_user = sq_ref_key_load(keys->folder, &keys->user, err);
        keys->is_persistent = keys->has_user;
    }
    return keys->has_user;
}

bool
sq_user_key_choose(struct sq_user_key *keys, const struct sq_ref_key **out,
                   struct sq_err *err) {
    sq_lock_lock(keys->lock);
    bool has_user = load_user_key(keys, NULL);
    if (!has_user && !keys->has_temporary) {
        keys->has_temporary = sq_ref_key_make(&keys->temporary, err);
    }
    bool ok = has_user || keys->has_temporary;
    sq_lock_unlock(keys->lock);
    if (ok) {
        *out = has_user ? &keys->user : &keys->temporary;
    }
    return ok;
}

bool
sq_user_key_read(struct sq_user_key *keys, struct sq_span text,
                 struct sq_ref *out, const struct sq_ref_key **key,
                 struct sq_err *err) {
    sq_lock_lock(keys->lock);
    bool has_user = load_user_key(keys, err);
    bool has_temporary = keys->has_temporary;
    sq_lock_unlock(keys->lock);
    if (has_user && sq_ref_read(&keys->user, text, out)) {
        *key = &keys->user;
        return true;
    }
    if (has_temporary && sq_ref_read(&keys->temporary, text, out)) {
        *key = &keys->temporary;
        return true;
    }
    return false;
}

bool
sq_user_key_load(struct sq_user_key *keys) {
    sq_lock_lock(keys->lock);
    bool is_persistent = load_user_key(keys, NULL);
    sq_lock_unlock(keys->lock);
    return is_persistent;
}

bool
sq_user_key_is_persistent(struct sq_user_key *keys) {
    sq_lock_lock(keys->lock);
    bool is_persistent = keys->is_persistent;
    sq_lock_unlock(keys->lock);
    return is_persistent;
}
