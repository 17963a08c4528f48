/* What an archive is inside; for archive*.c only. */
#ifndef SQ_ARCHIVE_ARCHIVE_PRIVATE_H
#define SQ_ARCHIVE_ARCHIVE_PRIVATE_H

#include <sys/stat.h>

#include "archive/background.h"
#include "archive/user_key.h"
#include "archive/root.h"

struct sq_archive {
    struct sq_root roots[SQ_ARCHIVE_MAX_ROOTS];
    size_t count;
    struct sq_user_key keyring;
    struct sq_background *background;
};

/*
 * As sq_archive_list, but without asking why there is nothing; *out holds no
 * memory on failure.
 */
bool sq_archive_gather(struct sq_archive *archive,
                       const struct sq_archive_window *window,
                       const struct sq_deadline *deadline,
                       struct sq_archive_listing *out, struct sq_err *err);

/* Why a window of these roots is empty. */
bool sq_archive_explain(struct sq_archive *archive,
                        const struct sq_archive_window *window,
                        const struct sq_deadline *deadline,
                        enum sq_archive_reason *out, struct sq_err *err);

/*
 * Take the whole picture off a shot that has a thumbnail too, if its file has
 * no bytes. Fails only for our own lack of memory, time or descriptors.
 */
bool sq_archive_drop_empty(struct sq_archive *archive,
                           const struct sq_deadline *deadline,
                           struct sq_archive_pick *pick, struct sq_err *err);

/* What a failed open, stat or read of a file says about it. */
enum sq_archive_fault sq_archive_fault_of(int number);

int64_t sq_archive_mtime_ns(const struct stat *st);

#define SQ_ARCHIVE_FILE_SIZE (SQ_LAYOUT_PATH_SIZE + SQ_NAME_SIZE)

/* The path of a file inside its root; false: not a name of a picture. */
bool sq_archive_path(const struct sq_archive_pick *pick, const char *name,
                     char out[SQ_ARCHIVE_FILE_SIZE]);

struct sq_image_fingerprint;

/* Compute one fingerprint, and keep it for that state (unless it is NULL). */
bool sq_archive_make_fingerprint(struct sq_archive *archive,
                                 const struct sq_archive_pick *pick,
                                 const struct sq_file_state *state,
                                 const struct sq_deadline *deadline,
                                 struct sq_image_fingerprint *out,
                                 struct sq_err *err);

/* Write the fingerprints that the index lacks; a failure is ignored. */
void sq_archive_save_fingerprints(struct sq_archive *archive,
                                  const struct sq_deadline *deadline);

/* Whether a window wants that root. */
static inline bool
sq_archive_wants(const struct sq_archive_window *window, size_t root) {
    return window->root == SQ_ARCHIVE_ANY || window->root == (int)root;
}

#endif
