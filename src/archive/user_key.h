/*
 * The keys of references: the user's, which all processes of the user share,
 * and one of this process for as long as that cannot be had. What fails once
 * may work later, so the user's is asked for at every use until it is there;
 * references made with either stay good as long as this process lives. All
 * functions but init and finish may be called from any thread.
 */
#ifndef SQ_ARCHIVE_USER_KEY_H
#define SQ_ARCHIVE_USER_KEY_H

#include "archive/ref.h"
#include "sys/lock.h"

/* Start zeroed; the fields are private. */
struct sq_user_key {
    struct sq_lock *lock;
    char *folder; /* NULL: the user's key is kept nowhere */
    struct sq_ref_key user;
    struct sq_ref_key own;
    bool has_user;
    bool has_own;
    bool lasts;
};

/* folder holds the user's key, need not exist or outlive the call; or NULL. */
bool sq_user_key_init(struct sq_user_key *ring, const char *folder,
                      struct sq_err *err);

/* Safe on a zeroed value. */
void sq_user_key_finish(struct sq_user_key *ring);

/* The key for a new reference; the ring's. Fails if none can be had. */
bool sq_user_key_choose(struct sq_user_key *ring, const struct sq_ref_key **out,
                        struct sq_err *err);

/*
 * What a reference says, and in *key the ring's key it was made with. False if
 * with none of them; why then tells if the user's could not be tried, and else
 * is left alone.
 */
bool sq_user_key_read(struct sq_user_key *ring, struct sq_span text,
                      struct sq_ref *out, const struct sq_ref_key **key,
                      struct sq_err *why);

/* The same after trying to load the user's key, which may make it. */
bool sq_user_key_try(struct sq_user_key *ring);

/* Whether references outlive this process; true until it turned out not to. */
bool sq_user_key_lasts(struct sq_user_key *ring);

#endif
