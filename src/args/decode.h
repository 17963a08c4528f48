/* Decodes a JSON object into an args struct, using its argument table. */
#ifndef SQ_ARGS_DECODE_H
#define SQ_ARGS_DECODE_H

#include "args/arg.h"
#include "json/value.h"

/*
 * Fills args, which must be zeroed and have no plain texts and lists, from the
 * members of object (NULL: none). Members named in `common` (NULL: none) are
 * ignored, because the caller reads them; rows of `common` without a text do
 * not appear in hints. Fails with SQ_ERR_ARGUMENT and a hint for unknown
 * members, wrong types, values out of range and missing required members. Texts
 * point into the arena of the JSON.
 */
bool sq_args_decode(const struct sq_arg *table, const struct sq_json *object,
                    const struct sq_arg *common, void *args,
                    struct sq_err *err);

#endif
