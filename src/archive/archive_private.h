/* Defines the internals of an archive; for archive*.c, search and store. */
#ifndef SQ_ARCHIVE_ARCHIVE_PRIVATE_H
#define SQ_ARCHIVE_ARCHIVE_PRIVATE_H

#include <sys/stat.h>

#include "archive/archive.h"
#include "archive/store/ref.h"
#include "archive/store/root.h"
#include "sys/lock.h"
#include "util/span.h"
#include "util/time_text.h"

struct sq_background;

#define SQ_BACKGROUND_MAX 4096 /* pictures per job */

struct sq_background_item {
    struct sq_archive_pick pick;
    struct sq_file_state state;
};

/* Creates the state without starting a thread. */
bool sq_background_create(struct sq_archive *archive,
                          struct sq_background **out, struct sq_err *err);

/*
 * Stops the running job, which takes at most a few rows of a picture, and frees
 * everything. Accepts NULL.
 */
void sq_background_destroy(struct sq_background *background);

/*
 * Starts a job that computes these items in order. Always takes ownership of
 * items (allocated with sq_mem). Does nothing if another job is running or no
 * thread can be started.
 */
void sq_background_start(struct sq_background *background,
                         struct sq_background_item *items, size_t count);

/* Zero it first. The fields are private. */
struct sq_user_key {
    struct sq_lock *lock;
    char *folder; /* NULL: there is no stored key */
    struct sq_ref_key user;
    struct sq_ref_key temporary;
    bool has_user;
    bool has_temporary;
};

/*
 * Initialises the keys. folder holds the user's key and need not exist; it is
 * copied. NULL: no stored key.
 */
bool sq_user_key_init(struct sq_user_key *keys, const char *folder,
                      struct sq_err *err);

/* Safe on a zeroed value. */
void sq_user_key_finish(struct sq_user_key *keys);

/* Returns the key for new references, owned by `keys`. Fails without one. */
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

#define SQ_COMPLETENESS_HEAD_BYTES 12
#define SQ_COMPLETENESS_TAIL_BYTES                                             \
    1024 /* some programs write a little after the end */

struct sq_file_ends {
    struct sq_span head; /* at least SQ_COMPLETENESS_HEAD_BYTES, or all bytes */
    struct sq_span tail; /* SQ_COMPLETENESS_TAIL_BYTES, or all bytes */
    uint64_t size;       /* of the file */
    bool is_fresh;       /* it may still be being written */
};

/*
 * Returns NONE and the format of the picture, or why it cannot be used: EMPTY,
 * GROWING, TRUNCATED or CORRUPT. Pure.
 */
enum sq_archive_fault sq_completeness_check(const struct sq_file_ends *ends,
                                            enum sq_shot_ending *ending);

/*
 * Returns whether a file last written at that time may still be being written.
 */
bool sq_completeness_is_fresh(int64_t written_ns);

struct sq_archive {
    struct sq_covers covers;
    struct sq_root_hiding hiding;
    struct sq_root roots[SQ_ARCHIVE_MAX_ROOTS];
    size_t count;
    struct sq_user_key keys;
    struct sq_background *background;
    sq_archive_filter *filter; /* NULL: none */
    void *filter_context;
};

/*
 * Works like sq_archive_list, but does not find out why a window is empty. *out
 * holds no memory on failure.
 */
bool sq_archive_gather(struct sq_archive *archive,
                       const struct sq_archive_window *window,
                       const struct sq_deadline *deadline,
                       struct sq_archive_listing *out, struct sq_err *err);

/* Finds out why a window of these roots is empty. */
bool sq_archive_explain(struct sq_archive *archive,
                        const struct sq_archive_window *window,
                        const struct sq_deadline *deadline,
                        enum sq_archive_reason *out, struct sq_err *err);

/* Maps the errno of a failed open, stat or read to a fault. */
enum sq_archive_fault sq_archive_fault_of(int number);

#define SQ_ARCHIVE_FILE_SIZE (SQ_LAYOUT_PATH_SIZE + SQ_NAME_SIZE)

/* Writes a file's path in its root; false if the name is not a picture's. */
bool sq_archive_path(const struct sq_archive_pick *pick, const char *name,
                     char out[SQ_ARCHIVE_FILE_SIZE]);

/* Returns whether a window includes that root. */
static inline bool
sq_archive_window_includes(const struct sq_archive_window *window,
                           size_t root) {
    return window->root == SQ_ARCHIVE_ANY || window->root == (int)root;
}

/* Returns the local day of a shot, counted from 1970. */
static inline int32_t
sq_shot_local_day(const struct sq_shot *shot) {
    return (int32_t)sq_days_of_seconds(sq_shot_local_s(shot));
}

#endif
