/*
 * A conversation with the protocol inside this process: send messages, receive
 * answers. Everything received is compared with our own rules for its revision,
 * and with the official schema if it is on this machine. JSON is written with
 * single quotes.
 */
#ifndef SQ_TEST_MCP_TALK_H
#define SQ_TEST_MCP_TALK_H

#include "mcp/server.h"
#include "support/test.h"

struct t_schema;

extern struct t_talk {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *connection;
    struct sq_mcp_sink sink;
    struct sq_mcp_message *first; /* received, but not read */
    size_t capacity;              /* reported by the sink */
    int lost;                     /* answers there was no memory for */
    struct t_schema *schema;      /* our own rules; NULL: nothing is compared */
    struct t_schema *official;    /* or NULL */
    char method[64];              /* of the last request */
} talk;

/*
 * Ends the conversation before it. Calls run in the same thread: answers are
 * there when t_talk_send returns.
 */
void t_talk_begin(const struct sq_mcp_host *host);

/* All messages must have been read. Does nothing if there is none. */
void t_talk_end(void);

/* Compare messages from now on with the rules of that revision. */
void t_talk_set_revision(enum sq_mcp_revision revision);

/* Expect a legacy revision and initialize; begin with the fake host before. */
void t_talk_handshake(enum sq_mcp_revision revision);
void t_talk_open(enum sq_mcp_revision revision);

/* The text with double quotes in place of single ones, as of t_text. */
const char *t_quoted(const char *text);

void t_talk_send(const char *text);

/* The same for a legacy request of that method, and a modern one. */
void t_talk_request(const char *method, const char *params);
void t_talk_request_modern(const char *method, const char *members);

/* The next message; the caller destroys it. NULL if there is none. */
struct sq_mcp_message *t_talk_next(void);

/* The next message matches; "<any>" stands for any text. */
#define T_EXPECT(pattern) t_talk_expect_message((pattern), __FILE__, __LINE__)
bool t_talk_expect_message(const char *pattern, const char *file, int line);

/* Sends a request, and expects its answer. */
#define T_ANSWER(method, params, pattern)                                      \
    (t_talk_request((method), (params)), T_EXPECT(pattern))
#define T_ANSWER_MODERN(method, members, pattern)                              \
    (t_talk_request_modern((method), (members)), T_EXPECT(pattern))

/* There is no further message. */
#define T_SILENT() T(talk.first == NULL)

/* Whether text matches a pattern with holes. */
bool t_matches(const char *pattern, struct sq_span text);

#endif
