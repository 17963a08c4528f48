/* Compares the pictures of a listing, for sampling by their contents. */
#ifndef SQ_TOOLS_ARCHIVE_COMPARE_H
#define SQ_TOOLS_ARCHIVE_COMPARE_H

#include "archive/store/fingerprint.h"
#include "tools/archive/shot_query.h"

/*
 * Limit of compared shots: even a known fingerprint costs one stat of the file.
 */
#define SQ_COMPARE_MAX 20000

/*
 * The shots of a listing that are compared: all, or an even sample of
 * SQ_COMPARE_MAX.
 */
struct sq_compare_sample {
    struct sq_shots shots;
    const uint32_t *indexes; /* of each in the listing; in the call's arena */
};

bool sq_compare_sample(struct sq_call *call, const struct sq_shots *all,
                       struct sq_compare_sample *out, struct sq_err *err);

/* Fills query->segments with the scenes of the first monitor. */
bool sq_compare_scenes(struct sq_call *call, struct sq_shot_query *query,
                       struct sq_err *err);

/*
 * Returns in *out the fingerprints of the shots of a sample; the caller frees
 * them with sq_mem_free. *out is unchanged if there are none.
 */
bool sq_compare_all(struct sq_call *call, struct sq_shot_query *query,
                    const struct sq_compare_sample *sample,
                    struct sq_image_fingerprint **out, struct sq_err *err);

#endif
