/*
 * Messages that wait to be written. Any thread may put one in, and never waits
 * for the reader. One thread writes them; while that sleeps, whoever brings a
 * message does, for waking it takes longer. What may wait is bounded: beyond
 * the first limit results are refused and small errors take their place, beyond
 * the second the client is given up.
 */
#ifndef SQ_MCP_OUTBOX_H
#define SQ_MCP_OUTBOX_H

#include <stdbool.h>

#include "mcp/message.h"
#include "util/err.h"

#define SQ_MCP_OUTBOX_SOFT ((size_t)16 << 20)
#define SQ_MCP_OUTBOX_HARD ((size_t)64 << 20)

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
