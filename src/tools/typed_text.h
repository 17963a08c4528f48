/* The text that an operation types. Pure. */
#ifndef SQ_TOOLS_TYPED_TEXT_H
#define SQ_TOOLS_TYPED_TEXT_H

#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Fails with SQ_ERR_ARGUMENT if the text has a character that no keyboard has a
 * key for. CR is accepted only before LF.
 */
bool sq_typed_text_check(struct sq_span text, struct sq_err *err);

/* Copies the text with CR LF as LF. */
bool sq_typed_text_copy(struct sq_span text, struct sq_arena *arena,
                        struct sq_span *out, struct sq_err *err);

#endif
