/*
 * Decides which entry of the configuration holds for a folder. Folders are
 * compared by device and inode, so that links, bind mounts and different
 * spellings of a path make no difference.
 */
#ifndef SQ_ARCHIVE_STORE_COVER_H
#define SQ_ARCHIVE_STORE_COVER_H

#include <sys/stat.h>

#include "archive/archive.h"

/* The subfolder with the screenshots that ManicTime creates. */
#define SQ_SCREENSHOTS_FOLDER "Screenshots"

struct sq_folder_id {
    uint64_t device;
    uint64_t inode; /* 0: no folder */
};

struct sq_folder_id sq_folder_id_of(const struct stat *st);

/* The configured folders, also those that are no roots. */
struct sq_covers {
    struct sq_cover {
        char *path;
        enum sq_archive_permission permission;
        int root; /* its number; -1: it is no root */
    } items[SQ_ARCHIVE_MAX_ROOTS];
    size_t count;
};

/* Which folders the paths of the covers name at a moment. */
struct sq_cover_ids {
    struct sq_folder_id folders[SQ_ARCHIVE_MAX_ROOTS];
    /* The folders whose screenshots are listed: "Screenshots" in it, if any. */
    struct sq_folder_id listed[SQ_ARCHIVE_MAX_ROOTS];
};

/* Returns 0 or errno. A folder that does not exist has no id. */
int sq_covers_find(const struct sq_covers *covers, struct sq_cover_ids *out);

/*
 * Lowers *permission to that of every cover that is a folder or encloses it;
 * path is relative to the folder of that descriptor. Returns 0 or errno.
 */
int sq_covers_limit(const struct sq_covers *covers,
                    const struct sq_cover_ids *ids, int folder,
                    const char *path, enum sq_archive_permission *permission);

/* The same for the covers that are this folder itself. */
void sq_covers_limit_one(const struct sq_covers *covers,
                         const struct sq_cover_ids *ids, struct sq_folder_id id,
                         enum sq_archive_permission *permission);

/*
 * Returns whether another root lists the screenshots of a folder: one that was
 * configured for this folder, or of two of these the first.
 */
bool sq_covers_is_foreign(const struct sq_covers *covers,
                          const struct sq_cover_ids *ids,
                          struct sq_folder_id id, int root);

#endif
