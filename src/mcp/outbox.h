/*
 * The queue of outgoing messages. Any thread may add one and never waits for
 * the client to read. One thread writes them. While it sleeps, the thread that
 * adds a message writes it, because waking the other takes longer.
 *
 * The queue's memory is bounded because its producers stop: the thread that
 * reads from the client pauses while the outbox is full, and threads of calls
 * wait until there is space (sink.await_space).
 */
#ifndef SQ_MCP_OUTBOX_H
#define SQ_MCP_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcp/message.h"
#include "util/err.h"

/* In bytes of memory: a short message takes more than its text. */
#define SQ_MCP_OUTBOX_LIMIT ((size_t)32 << 20)

struct sq_mcp_outbox;

/*
 * Creates an outbox that writes to fd. fd must be non-blocking; the caller
 * closes it.
 */
bool sq_mcp_outbox_create(int fd, struct sq_mcp_outbox **out,
                          struct sq_err *err);

/* Frees the outbox and all messages in it. Accepts NULL. */
void sq_mcp_outbox_destroy(struct sq_mcp_outbox *outbox);

/* Returns a sink that adds to the outbox, which must outlive it. */
struct sq_mcp_sink sq_mcp_outbox_sink(struct sq_mcp_outbox *outbox);

/*
 * Called by the writing thread before it waits for sq_mcp_outbox_fd, which
 * becomes readable when a message could not be written immediately. Returns
 * whether any message is queued already.
 */
bool sq_mcp_outbox_sleep(struct sq_mcp_outbox *outbox);

/*
 * Called by the writing thread after the wait; is_readable is whether the
 * descriptor became readable.
 */
void sq_mcp_outbox_wake(struct sq_mcp_outbox *outbox, bool is_readable);

/*
 * Returns the descriptor to wait for. Negative after a system error: the caller
 * then checks periodically.
 */
int sq_mcp_outbox_fd(const struct sq_mcp_outbox *outbox);

/*
 * Returns whether the outbox is full, so that no more messages should be read
 * from the client. Once full, it stays so until half of it has been written.
 */
bool sq_mcp_outbox_is_full(struct sq_mcp_outbox *outbox);

/* Return the number of queued messages, and the bytes written so far. */
size_t sq_mcp_outbox_count(struct sq_mcp_outbox *outbox);
uint64_t sq_mcp_outbox_written(struct sq_mcp_outbox *outbox);

/* Wakes all threads that wait for space; none waits from then on. */
void sq_mcp_outbox_close(struct sq_mcp_outbox *outbox);

enum sq_mcp_flush {
    SQ_MCP_FLUSH_ALL,    /* nothing is left */
    SQ_MCP_FLUSH_SOME,   /* the client must read first */
    SQ_MCP_FLUSH_CLOSED, /* the client has closed its end */
    SQ_MCP_FLUSH_FAILED, /* err is set; drop the client */
};

/* Writes as much as possible without waiting. */
enum sq_mcp_flush sq_mcp_outbox_flush(struct sq_mcp_outbox *outbox,
                                      struct sq_err *err);

#endif
