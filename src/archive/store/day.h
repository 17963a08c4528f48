/*
 * Represents the contents of one archive folder as one memory block without
 * pointers. The cache and the index file use the same bytes.
 */
#ifndef SQ_ARCHIVE_STORE_DAY_H
#define SQ_ARCHIVE_STORE_DAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/names/layout.h"
#include "archive/names/name.h"
#include "archive/shot.h"
#include "sys/deadline.h"
#include "sys/zone.h"
#include "util/err.h"

/*
 * The shots are followed by the subfolders and then by the stored file names.
 */
struct sq_day {
    uint32_t shot_count;
    uint32_t inner_count; /* date folders inside it */
    uint32_t text_bytes;  /* of stored file names */
    uint32_t unparsed;    /* pictures with unknown file names */
    struct sq_shot shots[];
};

/* Returns the subfolders, sorted by number. */
const sq_place *sq_day_inner(const struct sq_day *day);

/*
 * Returns the stored file names. For a shot with SQ_SHOT_LITERAL, seq is the
 * offset of two NUL-terminated names: the picture and the thumbnail. Either may
 * be "".
 */
const char *sq_day_text(const struct sq_day *day);

/* Returns the index of the first shot at or after that time. */
size_t sq_day_search(const struct sq_day *day, int64_t utc);

/* Returns how many of its shots belong into another folder. */
uint32_t sq_day_misfiled(const struct sq_day *day, sq_place place);

/* Returns the size of the whole block in bytes. */
size_t sq_day_bytes(const struct sq_day *day);

/*
 * Checks that untrusted bytes are a valid block without references beyond its
 * end. Pure.
 */
bool sq_day_check(const void *bytes, size_t len);

/* Writes the file names of a shot; text is sq_day_text or a copy of it. */
void sq_day_names(const struct sq_shot *shot, const char *text,
                  char full[SQ_NAME_SIZE], char thumb[SQ_NAME_SIZE]);

struct sq_day_reader;

/* Creates a reader of folders; for one thread at a time. */
bool sq_day_reader_create(const struct sq_zone *zone,
                          struct sq_day_reader **out, struct sq_err *err);

/* Accepts NULL. */
void sq_day_reader_destroy(struct sq_day_reader *reader);

/*
 * Reads an open folder from its start. The caller frees *out with sq_mem_free.
 * Fails with SQ_ERR_IO if the system fails, else with SQ_ERR_NOMEM,
 * SQ_ERR_LIMIT or the error of the deadline.
 */
bool sq_day_read(struct sq_day_reader *reader, int folder, sq_place place,
                 const struct sq_deadline *deadline, struct sq_day **out,
                 struct sq_err *err);

#endif
