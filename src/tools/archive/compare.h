/* Compares the pictures of a listing, for sampling by their contents. */
#ifndef SQ_TOOLS_ARCHIVE_COMPARE_H
#define SQ_TOOLS_ARCHIVE_COMPARE_H

#include "archive/store/fingerprint.h"
#include "tools/archive/shot_query.h"

/* Limit of shots: even a known fingerprint costs one stat of the file. */
#define SQ_COMPARE_MAX 20000

/*
 * Fills query->segments with the scenes of the first monitor. Missing or
 * unreadable pictures do not fail the call; `why` then has the reason.
 */
bool sq_compare_scenes(struct sq_call *call, struct sq_shot_query *query,
                       struct sq_err *other_err, struct sq_err *err);

/*
 * Returns in *out the fingerprints of all shots of the listing; the caller
 * frees them with sq_mem_free. *out is unchanged if there are none, or more
 * than SQ_COMPARE_MAX.
 */
bool sq_compare_all(struct sq_call *call, struct sq_shot_query *query,
                    struct sq_image_fingerprint **out, struct sq_err *err);

#endif
