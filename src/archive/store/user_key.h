/*
 * Manages the keys of references: the user's key, which all processes of the
 * user share, and a temporary key of this process while the user's is not
 * available. Loading the user's key is retried at every use until it succeeds.
 * References made with either key stay valid while this process runs. All
 * functions except init and finish are thread-safe.
 */
#ifndef SQ_ARCHIVE_STORE_USER_KEY_H
#define SQ_ARCHIVE_STORE_USER_KEY_H

#include "archive/store/ref.h"
#include "sys/lock.h"

/* Zero it first. The fields are private. */
struct sq_user_key {
    struct sq_lock *lock;
    char *folder; /* NULL: there is no stored key */
    struct sq_ref_key user;
    struct sq_ref_key temporary;
    bool has_user;
    bool has_temporary;
    bool is_persistent;
};

/*
 * Initialises the keys. folder holds the user's key and need not exist; it is
 * copied. NULL: no stored key.
 */
bool sq_user_key_init(struct sq_user_key *keys, const char *folder,
                      struct sq_err *err);

/* Safe on a zeroed value. */
void sq_user_key_finish(struct sq_user_key *keys);

/*
 * Returns the key for new references, owned by `keys`. Fails if no key is
 * available.
 */
bool sq_user_key_choose(struct sq_user_key *keys, const struct sq_ref_key **out,
                        struct sq_err *err);

/*
 * Decodes a reference and returns in *key the key it was made with, owned by
 * `keys`. Returns false if no key matches. *err is then set if the user's key
 * could not be loaded, and unchanged otherwise.
 */
bool sq_user_key_read(struct sq_user_key *keys, struct sq_span text,
                      struct sq_ref *out, const struct sq_ref_key **key,
                      struct sq_err *err);

/*
 * Loads the user's key if possible, which may create it. Returns whether it is
 * loaded, so that references outlive this process.
 */
bool sq_user_key_load(struct sq_user_key *keys);

/*
 * Returns whether references outlive this process; true until loading the
 * user's key has failed.
 */
bool sq_user_key_is_persistent(struct sq_user_key *keys);

#endif
