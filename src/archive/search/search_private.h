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

/* The folder of a root, to which paths are relative. */
struct sq_search_folder {
    bool is_permitted; /* its texts may be read and searched */
    enum sq_archive_trouble trouble;
    int fd; /* -1: there is trouble */
};
bool sq_search_enter(struct sq_archive *archive, size_t root,
                     const struct sq_deadline *deadline,
                     struct sq_search_folder *out, struct sq_err *err);
void sq_search_leave(const struct sq_search_folder *folder);

/* Returns the state of a file now; false if it does not exist. */
bool sq_search_state_of(int folder, struct sq_span path,
                        struct sq_search_state *out);

#endif
