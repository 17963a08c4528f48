/*
 * Computes fingerprints that a call had no time for, in one low-priority thread
 * after the call was answered.
 */
#ifndef SQ_ARCHIVE_STORE_BACKGROUND_H
#define SQ_ARCHIVE_STORE_BACKGROUND_H

#include "archive/archive.h"
#include "archive/store/check_cache.h"

struct sq_background;

#define SQ_BACKGROUND_MAX 4096 /* pictures per job */

struct sq_background_item {
    struct sq_archive_pick pick;
    struct sq_file_state state;
};

/* Creates the state without starting a thread. */
bool sq_background_create(struct sq_archive *archive,
                          struct sq_background **out, struct sq_err *err);

/*
 * Stops the running job, which takes at most a few rows of a picture, and frees
 * everything. Accepts NULL.
 */
void sq_background_destroy(struct sq_background *background);

/* Returns how far the running job is. */
struct sq_archive_computing
sq_background_progress(struct sq_background *background);

/* Returns whether a job is running. */
bool sq_background_is_busy(struct sq_background *background);

/*
 * Starts a job that computes these items in order. Always takes ownership of
 * items (allocated with sq_mem). Does nothing if another job is running or no
 * thread can be started.
 */
void sq_background_start(struct sq_background *background,
                         struct sq_background_item *items, size_t count);

#endif
