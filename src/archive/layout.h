/*
 * How an archive sorts its files into folders by date. A layout is a pattern
 * such as YYYY/MM/DD; folders are entered step by step, and each step keeps
 * the layouts that still fit, so that one archive may mix them.
 */
#ifndef SQ_ARCHIVE_LAYOUT_H
#define SQ_ARCHIVE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

#define SQ_LAYOUT_PATH_SIZE 16 /* "2026/02/27/06" with its NUL */

/*
 * A folder inside a root as one number: how deep, and which date. Numbers are
 * in the order of the dates; 0 is the root itself.
 */
typedef uint32_t sq_place;

#define SQ_PLACE_ROOT ((sq_place)0)

struct sq_layout {
    const char *id;      /* "day" */
    const char *pattern; /* "YYYY-MM-DD"; "" for flat */
};

size_t sq_layout_count(void);
const struct sq_layout *sq_layout_at(size_t row);

/* The folder called name inside parent; false if it is not one of a date. */
bool sq_layout_enter(sq_place parent, struct sq_span name, sq_place *out);

/* Relative to the root, "" for the root itself; returns the length. */
size_t sq_layout_path(sq_place place, char out[SQ_LAYOUT_PATH_SIZE]);

/* Whether a number from elsewhere is one that sq_layout_enter gives. */
bool sq_layout_is_place(uint32_t number);

/* Which row a folder belongs to: the shallowest that it fits. */
size_t sq_layout_of(sq_place place);

/* Where a layout puts a shot of that local time (seconds as if UTC). */
sq_place sq_layout_place_of(size_t row, int64_t local_s);

/*
 * Which days (since 1970) the dates of a folder cover, both included. The
 * root covers all. What lies in it can be a day off on both sides, for names
 * tell local time.
 */
void sq_layout_days(sq_place place, int32_t *first, int32_t *last);

/*
 * The seconds (from, and up to but not including) in which its shots lie. One
 * outside of them is in the wrong folder, and never listed: a window of a day
 * would not find it where a window of a year does.
 */
void sq_layout_seconds(sq_place place, int64_t *from_utc, int64_t *to_utc);

/* Whether it can have folders of its own. */
bool sq_layout_has_inner(sq_place place);

#endif
