/*
 * Fingerprints that a call had no time for, computed by one thread of low
 * priority after the call has been answered.
 */
#ifndef SQ_ARCHIVE_BACKGROUND_H
#define SQ_ARCHIVE_BACKGROUND_H

#include "archive/archive.h"
#include "archive/check_cache.h"

struct sq_background;

#define SQ_BACKGROUND_MAX 4096 /* pictures of one job */

struct sq_background_item {
    struct sq_archive_pick pick;
    struct sq_file_state state;
};

/* Starts no thread yet. */
bool sq_background_create(struct sq_archive *archive,
                          struct sq_background **out, struct sq_err *err);

/* Ends the job under way within some rows of a picture. Accepts NULL. */
void sq_background_destroy(struct sq_background *background);

/* Whether a job is under way. */
bool sq_background_is_busy(struct sq_background *background);

/*
 * Compute these, in this order; items is for sq_mem_free, and taken over also
 * if nothing comes of it: another job is under way, or no thread can be had.
 */
void sq_background_start(struct sq_background *background,
                         struct sq_background_item *items, size_t count);

#endif
