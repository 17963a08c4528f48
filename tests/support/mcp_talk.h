/*
 * A conversation with the protocol inside this process: send messages, receive
 * answers. Everything received is compared with our own rules for its revision,
 * and with the official schema if it is on this machine.
 */
#ifndef SQ_TEST_MCP_TALK_H
#define SQ_TEST_MCP_TALK_H

#include "mcp/server.h"
#include "support/test.h"

struct t_schema;

struct t_talk {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *connection;
    struct sq_mcp_sink sink;
    struct sq_mcp_message *first; /* received, but not read */
    size_t capacity;              /* reported by the sink */
    int lost;                     /* answers there was no memory for */
    struct t_schema *schema;      /* our own rules; NULL: nothing is compared */
    struct t_schema *official;    /* or NULL */
    char method[64];              /* of the last request */
};

/* Calls run in the same thread: answers are there when t_talk_send returns. */
void t_talk_begin(struct t_talk *talk, const struct sq_mcp_host *host);

/* All messages must have been read. */
void t_talk_end(struct t_talk *talk);

/* Compare messages from now on with the rules of that revision. */
void t_talk_set_revision(struct t_talk *talk, enum sq_mcp_revision revision);

/* Expect a legacy revision and initialize. */
void t_talk_handshake(struct t_talk *talk, enum sq_mcp_revision revision);

void t_talk_send(struct t_talk *talk, const char *text);

/* The same for a legacy request of that method, and a modern one. */
void t_talk_request(struct t_talk *talk, const char *method,
                    const char *params);
void t_talk_request_modern(struct t_talk *talk, const char *method,
                           const char *members);

/* The next message; the caller destroys it. NULL if there is none. */
struct sq_mcp_message *t_talk_next(struct t_talk *talk);

/* The next message matches; "<any>" stands for any text. */
#define T_EXPECT(talk, pattern)                                                \
    t_talk_expect_message((talk), (pattern), __FILE__, __LINE__)
bool t_talk_expect_message(struct t_talk *talk, const char *pattern,
                           const char *file, int line);

/* There is no further message. */
#define T_SILENT(talk) T((talk)->first == NULL)

/* Whether text matches a pattern with holes. */
bool t_matches(const char *pattern, struct sq_span text);

#endif
