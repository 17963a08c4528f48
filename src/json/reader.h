/*
 * JSON in. Strict RFC 8259: what other readers let pass (duplicate keys,
 * broken UTF-8, a byte-order mark) is an error here, so that no two programs
 * can read one text differently. The one exception: an escape that is only
 * half of a surrogate pair is read as U+FFFD.
 */
#ifndef SQ_JSON_READER_H
#define SQ_JSON_READER_H

#include <stdbool.h>

#include "json/value.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Parse a text of at most SQ_MAX_JSON_BYTES, nested at most SQ_MAX_JSON_DEPTH
 * deep. The tree lives in the arena and points into the text: both must
 * outlive it. Errors name line, column (in characters) and byte offset;
 * SQ_ERR_TRUNCATED means that more text could have mended it.
 */
bool sq_json_parse(struct sq_span text, struct sq_arena *arena,
                   const struct sq_json **out, struct sq_err *err);

#endif
