/*
 * What the names of screenshot files say. One row per program that takes
 * screenshots: its spellings are both how a name is read and how it is written,
 * so that a shot's 16 bytes are enough to find its file again. A name that
 * would come out differently is marked SQ_SHOT_LITERAL: whoever keeps the shot
 * keeps the name with it. Pure, linear, without memory of their own.
 */
#ifndef SQ_ARCHIVE_NAME_H
#define SQ_ARCHIVE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/shot.h"
#include "sys/zone.h"
#include "util/span.h"

#define SQ_NAME_SIZE 256 /* of a file's name, with its NUL */

struct sq_name_strategy {
    const char *id;      /* "manictime" */
    int version;         /* of what we know about its names */
    const char *example; /* a name as that program writes it */
};

/* More rows than this there are never. */
#define SQ_NAME_ROWS 32

size_t sq_name_strategy_count(void);
const struct sq_name_strategy *sq_name_strategy_at(size_t row);

/* One number for the whole table: what was parsed by another is worthless. */
uint32_t sq_name_table_version(void);

/*
 * Read a file's name (no folders). *first is the row to try before the others,
 * and becomes the one that fitted; start with 0. The shot has SQ_SHOT_FULL or
 * SQ_SHOT_THUMB; with SQ_SHOT_LITERAL seq may be a hash of its stem. The zone
 * is where names without an offset were written; NULL: in UTC. False, and
 * nothing touched, if no row knows the name.
 */
bool sq_name_parse(struct sq_span name, const struct sq_zone *zone,
                   uint8_t *first, struct sq_shot *out);

/*
 * Whether a name that sq_name_parse does not know is still that of a
 * screenshot, one that only a counter tells from others: "Screenshot (12).png".
 */
bool sq_name_is_counted(struct sq_span name);

/*
 * Read such a name of a file that was last changed then. The shot is
 * SQ_SHOT_LITERAL.
 */
bool sq_name_parse_counted(struct sq_span name, int64_t changed_utc,
                           const struct sq_zone *zone, struct sq_shot *out);

/* Whether the time of a shot is that of its file's last change. */
bool sq_name_is_by_change(const struct sq_shot *shot);

/* Whether a shot that came from elsewhere can be given a name at all. */
bool sq_name_can_format(const struct sq_shot *shot);

/*
 * The name of a shot that is not SQ_SHOT_LITERAL, or of its thumbnail.
 * Returns its length without the NUL.
 */
size_t sq_name_format(const struct sq_shot *shot, bool thumbnail,
                      char out[SQ_NAME_SIZE]);

/* A name without its ending and without ".thumbnail": the same for both. */
struct sq_span sq_name_stem(struct sq_span name);

/* Whether a name ends like a picture that is ever read, and how. */
bool sq_name_ending(struct sq_span name, enum sq_shot_ending *out);

/* "image/jpeg" and so on. */
const char *sq_name_mime(const struct sq_shot *shot);

#endif
