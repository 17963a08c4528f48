/* Declarations shared by the search and the build of the index only. */
#ifndef SQ_ARCHIVE_SEARCH_SEARCH_PRIVATE_H
#define SQ_ARCHIVE_SEARCH_SEARCH_PRIVATE_H

#include "archive/archive_private.h"
#include "archive/search/search.h"

/* Returns whether text of a picture with that permission may be read. */
static inline bool
sq_search_may_read(enum sq_archive_permission permission) {
    return sq_permission_allows(permission).max_side == SQ_ARCHIVE_ANY_SIDE;
}

/* Returns in *out whether text of a root may be read and searched. */
bool sq_search_is_permitted(struct sq_archive *archive, size_t root,
                            const struct sq_deadline *deadline, bool *out,
                            struct sq_err *err);

/*
 * Opens the folder of a root, to which paths are relative. *trouble is what is
 * wrong with it; then *fd is -1. The caller closes *fd.
 */
bool sq_search_open_folder(struct sq_archive *archive, size_t root,
                           const struct sq_deadline *deadline, int *fd,
                           enum sq_archive_trouble *trouble,
                           struct sq_err *err);

/* Returns the state of a file now; false if it does not exist. */
bool sq_search_state_of(int folder, struct sq_span path,
                        struct sq_search_state *out);

#endif
