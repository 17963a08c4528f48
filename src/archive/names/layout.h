/*
 * Describes how an archive sorts files into date folders: YYYY-MM-DD, or
 * YYYY/MM/DD, perhaps with folders of hours. One archive can have both.
 */
#ifndef SQ_ARCHIVE_NAMES_LAYOUT_H
#define SQ_ARCHIVE_NAMES_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_LAYOUT_PATH_SIZE 16 /* "2026/02/27/06" with its NUL */

/* A folder of a root as one number: depth and date. Sorted by date; 0: root. */
typedef uint32_t sq_place;

#define SQ_PLACE_ROOT ((sq_place)0)

/* Returns in *out the folder `name` of parent; false if it is no date. */
bool sq_layout_enter(sq_place parent, struct sq_span name, sq_place *out);

/* Writes the path in the root, "" for the root itself. Returns its length. */
size_t sq_layout_path(sq_place place, char out[SQ_LAYOUT_PATH_SIZE]);

/* Returns whether an untrusted number is a valid place. */
bool sq_layout_is_place(uint32_t number);

/*
 * Returns the first and last day (since 1970, inclusive) that a folder covers.
 * The root covers all days. Shots in it can be one day off on both sides,
 * because file names are in local time.
 */
void sq_layout_days(sq_place place, int32_t *first, int32_t *last);

/*
 * Returns the time range from_utc <= utc < to_utc of a folder's shots. A shot
 * outside of it is misfiled and never listed: otherwise a window of a year
 * would return it but a window of a day would not.
 */
void sq_layout_seconds(sq_place place, int64_t *from_utc, int64_t *to_utc);

#endif
