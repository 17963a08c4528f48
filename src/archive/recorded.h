/*
 * The screenshots that squint has recorded, and the removal of old ones. Their
 * names are those of ManicTime, so a list in the folder of each day says which
 * files are squint's; no other file is ever removed.
 */
#ifndef SQ_ARCHIVE_RECORDED_H
#define SQ_ARCHIVE_RECORDED_H

#include "archive/archive.h"

/* The list in the folder of a day: sizes, times and names, a line per shot. */
#define SQ_RECORDED_LIST "squint-recorded.txt"
#define SQ_RECORDED_DAY_SIZE 11 /* "2026-01-15" */

/*
 * Adds a shot, whose picture and thumbnail have been written: its name in an
 * open folder, "DAY/NAME", without the extension.
 */
bool sq_recorded_add(int folder, const char *stem, struct sq_err *err);

/* What stays. */
struct sq_recorded_limits {
    int64_t now;       /* seconds since 1970 */
    int64_t max_age_s; /* 0: any */
    int64_t max_bytes; /* of all recorded files; 0: any */
    bool is_rehearsal; /* nothing is removed */
};

struct sq_recorded_result {
    int64_t removed; /* shots; with is_rehearsal those that would be */
    int64_t removed_bytes;
    int64_t kept;
    int64_t kept_bytes;
    int64_t changed; /* kept, because their files were changed since */
    int64_t failed;  /* kept, because they could not be removed */
    int failure;     /* errno of the last of these */
    char from[SQ_RECORDED_DAY_SIZE]; /* days of the removed ones; "": none */
    char to[SQ_RECORDED_DAY_SIZE];
};

/*
 * Removes recorded shots beyond the limits, oldest first, each with its
 * thumbnail, and folders of days that are empty then. path may not exist.
 * Checks the deadline before each day; *out is true also on failure.
 */
bool sq_recorded_prune(const char *path,
                       const struct sq_recorded_limits *limits,
                       const struct sq_deadline *deadline,
                       struct sq_recorded_result *out, struct sq_err *err);

#endif
