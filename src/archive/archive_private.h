/* Defines the internals of an archive; only for archive*.c. */
#ifndef SQ_ARCHIVE_ARCHIVE_PRIVATE_H
#define SQ_ARCHIVE_ARCHIVE_PRIVATE_H

#include <sys/stat.h>

#include "archive/store/background.h"
#include "archive/store/root.h"
#include "archive/store/user_key.h"

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

/*
 * Clears the full picture of a shot if its file is empty and the shot also has
 * a thumbnail. Fails only if we are out of memory, time or descriptors.
 */
bool sq_archive_drop_empty(struct sq_archive *archive,
                           const struct sq_deadline *deadline,
                           struct sq_archive_pick *pick, struct sq_err *err);

/* Maps the errno of a failed open, stat or read to a fault. */
enum sq_archive_fault sq_archive_fault_of(int number);

int64_t sq_archive_mtime_ns(const struct stat *st);

#define SQ_ARCHIVE_FILE_SIZE (SQ_LAYOUT_PATH_SIZE + SQ_NAME_SIZE)

/*
 * Writes the path of a file relative to its root. Returns false if the name is
 * not that of a picture.
 */
bool sq_archive_path(const struct sq_archive_pick *pick, const char *name,
                     char out[SQ_ARCHIVE_FILE_SIZE]);

struct sq_image_fingerprint;

/* Computes one fingerprint and stores it for that file state (unless NULL). */
bool sq_archive_make_fingerprint(struct sq_archive *archive,
                                 const struct sq_archive_pick *pick,
                                 const struct sq_file_state *state,
                                 const struct sq_deadline *deadline,
                                 struct sq_image_fingerprint *out,
                                 struct sq_err *err);

/* Writes new fingerprints to the file; failures are ignored. */
void sq_archive_save_fingerprints(struct sq_archive *archive,
                                  const struct sq_deadline *deadline);

/* Returns whether a window includes that root. */
static inline bool
sq_archive_window_includes(const struct sq_archive_window *window,
                           size_t root) {
    return window->root == SQ_ARCHIVE_ANY || window->root == (int)root;
}

#endif
