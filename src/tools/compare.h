/* What the pictures of a listing show, for lists that are chosen by it. */
#ifndef SQ_TOOLS_COMPARE_H
#define SQ_TOOLS_COMPARE_H

#include "archive/fingerprint.h"
#include "tools/shot_query.h"

/* Even fingerprints that are known cost a look at each file. */
#define SQ_COMPARE_MAX 20000

/*
 * Fill survey->segments with the scenes of the first monitor. Never fails for
 * want of pictures: `why` then says what was wrong.
 */
bool sq_compare_scenes(struct sq_call *call, struct sq_shot_query *survey,
                       struct sq_err *why, struct sq_err *err);

/*
 * The fingerprints of all shots of the listing, for sq_mem_free; *out stays as
 * it is if there are none, or more than SQ_COMPARE_MAX.
 */
bool sq_compare_all(struct sq_call *call, struct sq_shot_query *survey,
                    struct sq_image_fingerprint **out, struct sq_err *err);

#endif
