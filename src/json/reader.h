/*
 * JSON parser, strict RFC 8259. Duplicate keys, invalid UTF-8 and a byte-order
 * mark are errors, so that no two programs can read one text differently. One
 * exception: an unpaired surrogate escape is read as U+FFFD.
 */
#ifndef SQ_JSON_READER_H
#define SQ_JSON_READER_H

#include <stdbool.h>

#include "json/value.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Parses a text of at most SQ_MAX_JSON_BYTES, nested at most SQ_MAX_JSON_DEPTH
 * deep. The tree is owned by the arena and points into the text: both must
 * outlive it. Error messages contain line, column (in characters) and byte
 * offset. Fails with SQ_ERR_TRUNCATED if the text is an incomplete JSON value.
 */
bool sq_json_parse(struct sq_span text, struct sq_arena *arena,
                   const struct sq_json **out, struct sq_err *err);

#endif
