/*
 * Parses and formats the file names of screenshots. There is one row per
 * program that takes screenshots. Its spellings are used both to parse and to
 * format names, so the 16 bytes of a shot are enough to find its file. A name
 * that would be formatted differently is marked SQ_SHOT_LITERAL and must be
 * stored along with the shot. All functions are pure, run in linear time and
 * allocate no memory.
 */
#ifndef SQ_ARCHIVE_NAMES_NAME_H
#define SQ_ARCHIVE_NAMES_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/shot.h"
#include "archive/window.h"
#include "sys/zone.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_NAME_SIZE 256 /* of a file name, with its NUL */

struct sq_name_strategy {
    const char *id;      /* "manictime" */
    int version;         /* increases when its spellings change */
    const char *example; /* a typical name */
};

/* Upper limit of the number of rows. */
#define SQ_NAME_ROWS 33

size_t sq_name_strategy_count(void);
const struct sq_name_strategy *sq_name_strategy_at(size_t row);

/* Returns the version of the table; discard results of another version. */
uint32_t sq_name_table_version(void);

/*
 * Parses a file name (without folders). *first is the row to try first and is
 * set to the row that matched; start with 0. The shot has SQ_SHOT_FULL or
 * SQ_SHOT_THUMB; with SQ_SHOT_LITERAL seq may be a hash of its stem. zone
 * applies to names without an offset; NULL: UTC. Returns false and changes
 * nothing if no row matches.
 */
bool sq_name_parse(struct sq_span name, const struct sq_zone *zone,
                   uint8_t *first, struct sq_shot *out);

/*
 * Sets the patterns of the user, which replace those that were set before; they
 * are copied. They count before the table, and their names are SQ_SHOT_LITERAL.
 * Not while other threads parse names.
 */
bool sq_name_set_own(const char *const *patterns, size_t count,
                     struct sq_err *err);

/* Checks one of them, and writes a name that it reads, without extension. */
bool sq_name_check_own(const char *pattern, char example[SQ_NAME_SIZE],
                       struct sq_err *err);

/*
 * Returns whether a name that sq_name_parse does not know is a screenshot with
 * only a counter in its name, such as "Screenshot (12).png".
 */
bool sq_name_is_counted(struct sq_span name);

/*
 * Parses such a name; changed_utc is the mtime of the file and becomes the time
 * of the shot. The shot is SQ_SHOT_LITERAL.
 */
bool sq_name_parse_counted(struct sq_span name, int64_t changed_utc,
                           const struct sq_zone *zone, struct sq_shot *out);

/*
 * Writes when a shot may have been taken: within the second or the minute that
 * its name has. Without an offset in the name, that may be twice when clocks
 * are set back. Returns 1 or 2 windows.
 */
size_t sq_name_windows(const struct sq_shot *shot, const struct sq_zone *zone,
                       struct sq_window out[2]);

/* Returns whether the time of a shot is the mtime of its file. */
bool sq_name_is_by_change(const struct sq_shot *shot);

/* Returns whether a file name can be formatted for an untrusted shot. */
bool sq_name_can_format(const struct sq_shot *shot);

/*
 * Formats the name of a shot that is not SQ_SHOT_LITERAL, or of its thumbnail.
 * Returns its length without the NUL.
 */
size_t sq_name_format(const struct sq_shot *shot, bool thumbnail,
                      char out[SQ_NAME_SIZE]);

/*
 * Returns the name without its extension and without ".thumbnail". A picture
 * and its thumbnail have the same stem.
 */
struct sq_span sq_name_stem(struct sq_span name);

/*
 * Returns whether a name has the extension of a supported picture, and which.
 */
bool sq_name_ending(struct sq_span name, enum sq_shot_ending *out);

/* Returns the MIME type, such as "image/jpeg". */
const char *sq_name_mime(const struct sq_shot *shot);

#define SQ_SHAPE_SIZE 64
#define SQ_SHAPES 64

struct sq_shape {
    char text[SQ_SHAPE_SIZE];
    uint64_t count;
};

/* A plain value; a zeroed one is empty. */
struct sq_shapes {
    struct sq_shape items[SQ_SHAPES];
    size_t count;
    uint64_t others; /* names of all other shapes */
};

/*
 * Writes the shape of a name. Each digit becomes "#". Runs of eight or more
 * mixed letters and digits, and of more than twenty digits, become "*". A shape
 * that is too long ends in "...".
 */
void sq_shape_of(struct sq_span name, char out[SQ_SHAPE_SIZE]);

/* Counts a name. If the table is full, rare shapes are merged into `others`. */
void sq_shapes_add(struct sq_shapes *shapes, struct sq_span name);

/* Sorts by frequency, most frequent first, then by text. */
void sq_shapes_sort(struct sq_shapes *shapes);

enum sq_excluded_days {
    SQ_EXCLUDED_ANY_DAY,
    SQ_EXCLUDED_WEEKDAYS,
    SQ_EXCLUDED_DATES,
};

/* Times that recur, or days. A time that crosses midnight belongs to the day on
 * which it begins. */
struct sq_excluded_time {
    enum sq_excluded_days days;
    int32_t first;  /* weekday, 0: Sunday, or days since 1970 */
    int32_t last;   /* included; a weekday may be before the first */
    int32_t from_s; /* seconds of the day */
    int32_t to_s;   /* excluded; up to from_s: on the next day */
};

/*
 * Parses DAYS, TIMES or both: "Sat", "Mon-Fri", "2026-09-07",
 * "2026-09-07..2026-09-11", "20:00-06:00". Case is ignored.
 */
bool sq_excluded_time_read(struct sq_span text, struct sq_excluded_time *out,
                           struct sq_err *err);

/* Returns whether a local time, in seconds since 1970, is excluded. */
bool sq_excluded_time_has(const struct sq_excluded_time *time, int64_t local_s);

#endif
