/*
 * Messages that wait to be written. Any thread may put one in, and never waits
 * for the reader. One thread writes them; while that sleeps, whoever brings a
 * message does, for waking it takes longer.
 *
 * What waits takes a bounded amount of memory because those who put messages in
 * stop: the thread that reads from the client reads no further while the outbox
 * is full, and threads of calls wait until there is room (sink.await_room).
 */
#ifndef SQ_MCP_OUTBOX_H
#define SQ_MCP_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcp/message.h"
#include "util/err.h"

/* Bytes of memory, not of text: a short message takes more than its text. */
#define SQ_MCP_OUTBOX_LIMIT ((size_t)32 << 20)

struct sq_mcp_outbox;

/* Messages go to fd, which must not block and stays the caller's. */
bool sq_mcp_outbox_create(int fd, struct sq_mcp_outbox **out,
                          struct sq_err *err);

/* With all messages in it. Accepts NULL. */
void sq_mcp_outbox_destroy(struct sq_mcp_outbox *outbox);

/* Its two doors, as a sink; the outbox must outlive it. */
struct sq_mcp_sink sq_mcp_outbox_sink(struct sq_mcp_outbox *outbox);

/*
 * The writing thread is about to wait for sq_mcp_outbox_fd, which becomes
 * readable when there is something it has to see to: a message that could not
 * be written at once. Whether there are any already.
 */
bool sq_mcp_outbox_sleep(struct sq_mcp_outbox *outbox);

/* It waits no longer; says whether the descriptor has become readable. */
void sq_mcp_outbox_wake(struct sq_mcp_outbox *outbox, bool is_readable);

/* Below 0 once the system has failed us there: look from time to time. */
int sq_mcp_outbox_fd(const struct sq_mcp_outbox *outbox);

/*
 * Whether so much waits that no more should be asked for; once it is full, it
 * is so until half of that has been read.
 */
bool sq_mcp_outbox_is_full(struct sq_mcp_outbox *outbox);

/* Messages that have not been written, and all bytes that have been. */
size_t sq_mcp_outbox_count(struct sq_mcp_outbox *outbox);
uint64_t sq_mcp_outbox_written(struct sq_mcp_outbox *outbox);

/* It is about to end: nobody is to wait for room any more. */
void sq_mcp_outbox_close(struct sq_mcp_outbox *outbox);

enum sq_mcp_flush {
    SQ_MCP_FLUSH_ALL,    /* nothing is left */
    SQ_MCP_FLUSH_SOME,   /* the rest has to wait */
    SQ_MCP_FLUSH_CLOSED, /* nobody reads any more */
    SQ_MCP_FLUSH_FAILED, /* err says why; the client is to be given up */
};

/* Write what can be written without waiting. */
enum sq_mcp_flush sq_mcp_outbox_flush(struct sq_mcp_outbox *outbox,
                                      struct sq_err *err);

#endif
