/*
 * What one folder of an archive holds, as one block of memory without
 * pointers: the same bytes in the cache and in the index.
 */
#ifndef SQ_ARCHIVE_DAY_H
#define SQ_ARCHIVE_DAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/layout.h"
#include "archive/name.h"
#include "archive/shot.h"
#include "sys/deadline.h"
#include "sys/zone.h"
#include "util/err.h"

/* Behind the shots lie the inner folders, then the names kept aside. */
struct sq_day {
    uint32_t shot_count;
    uint32_t inner_count; /* folders of dates in it */
    uint32_t text_bytes;  /* of names kept aside */
    uint32_t unparsed;    /* pictures whose names say nothing */
    struct sq_shot shots[];
};

/* In the order of their numbers. */
const sq_place *sq_day_inner(const struct sq_day *day);

/*
 * For a shot of it that is SQ_SHOT_LITERAL, at its seq: the name of the
 * picture and then that of the thumbnail, each with a NUL, either may be "".
 */
const char *sq_day_text(const struct sq_day *day);

/* Where its first shot at or after that moment is. */
size_t sq_day_search(const struct sq_day *day, int64_t utc);

/* How many of its shots belong into another folder. */
uint32_t sq_day_misfiled(const struct sq_day *day, sq_place place);

/* All of it, in bytes. */
size_t sq_day_bytes(const struct sq_day *day);

/*
 * Whether foreign bytes are such a block and nothing in it points outside of
 * it. Pure.
 */
bool sq_day_check(const void *bytes, size_t len);

/* The file names of a shot of the day (or of a copy of its text). */
void sq_day_names(const struct sq_shot *shot, const char *text,
                  char full[SQ_NAME_SIZE], char thumb[SQ_NAME_SIZE]);

struct sq_day_reader;

/* Reads one folder after the other; for one thread at a time. */
bool sq_day_reader_create(const struct sq_zone *zone,
                          struct sq_day_reader **out, struct sq_err *err);

/* Accepts NULL. */
void sq_day_reader_destroy(struct sq_day_reader *reader);

/*
 * Read an open folder from its start. *out is for sq_mem_free. SQ_ERR_IO if
 * the system fails on the way, else SQ_ERR_NOMEM, SQ_ERR_LIMIT or the
 * deadline's.
 */
bool sq_day_read(struct sq_day_reader *reader, int folder, sq_place place,
                 const struct sq_deadline *deadline, struct sq_day **out,
                 struct sq_err *err);

#endif
