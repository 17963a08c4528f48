/* What an archive is inside; for archive*.c only. */
#ifndef SQ_ARCHIVE_ARCHIVE_PRIVATE_H
#define SQ_ARCHIVE_ARCHIVE_PRIVATE_H

#include "archive/keyring.h"
#include "archive/root.h"

struct sq_archive {
    struct sq_root roots[SQ_ARCHIVE_MAX_ROOTS];
    size_t count;
    struct sq_keyring keyring;
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

/* Whether a window wants that root. */
static inline bool
sq_archive_wants(const struct sq_archive_window *window, size_t root) {
    return window->root == SQ_ARCHIVE_ANY || window->root == (int)root;
}

#endif
