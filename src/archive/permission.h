/*
 * What may leave a folder of past screenshots. One function decides, and every
 * operation asks it; nothing else compares permissions.
 */
#ifndef SQ_ARCHIVE_PERMISSION_H
#define SQ_ARCHIVE_PERMISSION_H

#include <limits.h>
#include <stdbool.h>

#include "util/err.h"

/* Each includes those before it. */
enum sq_archive_permission {
    SQ_ARCHIVE_METADATA,  /* when, how large, which monitor */
    SQ_ARCHIVE_LABELS,    /* and what was done: titles of windows */
    SQ_ARCHIVE_THUMBNAIL, /* and pictures of at most SQ_ARCHIVE_THUMB_SIDE */
    SQ_ARCHIVE_FULL,
    SQ_ARCHIVE_PERMISSIONS,
};

/*
 * The longest side of a thumbnail: headings of a screen can be told, its body
 * text cannot be read.
 */
#define SQ_ARCHIVE_THUMB_SIDE 512

#define SQ_ARCHIVE_ANY_SIDE INT_MAX

struct sq_allowance {
    bool labels;  /* names of activities may leave */
    int max_side; /* of pictures that may leave; 0: none may */
};

struct sq_allowance sq_permission_allows(enum sq_archive_permission permission);

/* "metadata", "labels", "thumbnail", "full". */
const char *sq_permission_name(enum sq_archive_permission permission);

/*
 * Take the word off "PATH=word", in any capitals; without "=" or with a "/"
 * after it, all is path and everything is permitted. SQ_ERR_ARGUMENT for
 * another word; path and *out are untouched then.
 */
bool sq_permission_take(char *path, enum sq_archive_permission *out,
                        struct sq_err *err);

#endif
