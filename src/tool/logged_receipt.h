/* Where a logged call acted and what changed, from the receipt it answered. */
#ifndef SQ_TOOL_LOGGED_RECEIPT_H
#define SQ_TOOL_LOGGED_RECEIPT_H

#include "tool/call_log.h"
#include "util/arena.h"

/* Keeps what it finds in the arena. Returns false without memory. */
bool sq_logged_receipt_read(struct sq_logged_call *call,
                            struct sq_arena *arena);

#endif
