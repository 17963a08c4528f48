/*
 * Defines what may be returned from a root of archived screenshots.
 * sq_permission_allows decides; no other code compares permissions.
 */
#ifndef SQ_ARCHIVE_PERMISSION_H
#define SQ_ARCHIVE_PERMISSION_H

#include <limits.h>
#include <stdbool.h>

#include "util/err.h"

/*
 * Each permission includes all before it. If several entries of the
 * configuration cover a file, the lowest of their permissions holds.
 */
enum sq_archive_permission {
    SQ_ARCHIVE_NONE,      /* nothing, not even that it exists */
    SQ_ARCHIVE_METADATA,  /* time, size, monitor */
    SQ_ARCHIVE_LABELS,    /* and activities: window titles */
    SQ_ARCHIVE_THUMBNAIL, /* and pictures of at most SQ_ARCHIVE_THUMB_SIDE */
    SQ_ARCHIVE_FULL,
    SQ_ARCHIVE_PERMISSIONS,
};

/* Longest side of a thumbnail: headings are legible, body text is not. */
#define SQ_ARCHIVE_THUMB_SIDE 512

#define SQ_ARCHIVE_ANY_SIDE INT_MAX

struct sq_allowance {
    bool labels;  /* activity names may be returned */
    int max_side; /* longest side of returned pictures; 0: no pictures */
};

struct sq_allowance sq_permission_allows(enum sq_archive_permission permission);

/* Returns "none", "metadata", "labels", "thumbnail" or "full". */
const char *sq_permission_name(enum sq_archive_permission permission);

/*
 * Parses "PATH=word" and removes "=word" from path; case is ignored. Without
 * "=", or with a "/" after it, the whole text is a path and the permission is
 * FULL. Fails with SQ_ERR_ARGUMENT for an unknown word; path and *out are then
 * unchanged.
 */
bool sq_permission_take(char *path, enum sq_archive_permission *out,
                        struct sq_err *err);

#endif
