/*
 * Seals the state that a server gives a client to send back with its next
 * request, so that the client can neither change it nor use it elsewhere.
 */
#ifndef SQ_MCP_STATE_H
#define SQ_MCP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_MCP_KEY_BYTES 32

/* Bytes of a state before it is sealed. */
#define SQ_MCP_MAX_STATE ((size_t)4 << 10)

/*
 * Appends the sealed state. `purpose` is what it is for; only a request for the
 * same purpose can open it.
 */
bool sq_mcp_state_seal(const uint8_t key[SQ_MCP_KEY_BYTES],
                       struct sq_span purpose, struct sq_span state,
                       struct sq_buf *out, struct sq_err *err);

/*
 * Opens a sealed state into the arena. Fails with SQ_ERR_ARGUMENT if it was
 * changed, is for another purpose or too old.
 */
bool sq_mcp_state_open(const uint8_t key[SQ_MCP_KEY_BYTES],
                       struct sq_span purpose, struct sq_span sealed,
                       struct sq_arena *arena, struct sq_span *out,
                       struct sq_err *err);

#endif
