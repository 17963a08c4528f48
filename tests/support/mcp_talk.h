/*
 * A conversation with the protocol inside this process: say a message, hear
 * what comes back. Everything heard is compared with our own rules of its
 * revision, and with the official schema where that is on this machine.
 */
#ifndef SQ_TEST_MCP_TALK_H
#define SQ_TEST_MCP_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "mcp/revision.h"
#include "mcp/server.h"
#include "support/test.h"

struct t_schema;

struct t_talk {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *connection;
    struct sq_mcp_sink sink;
    struct sq_mcp_message *first; /* heard, but not looked at */
    size_t capacity;              /* what the sink says */
    int lost;                     /* answers there was no memory for */
    struct t_schema *schema;      /* our own rules; NULL: nothing is compared */
    struct t_schema *official;    /* or NULL */
    char method[64];              /* of the last request */
};

/* Calls run in line: what a request brings is there when say returns. */
void t_talk_begin(struct t_talk *talk, const struct sq_mcp_host *host);

/* Nothing may be left unheard. */
void t_talk_end(struct t_talk *talk);

/* Compare what is heard from now on with that revision. */
void t_talk_expect(struct t_talk *talk, enum sq_mcp_revision revision);

/* Expect a legacy revision and shake hands. */
void t_talk_shake(struct t_talk *talk, enum sq_mcp_revision revision);

void t_talk_say(struct t_talk *talk, const char *text);

/* The same for a legacy request of that method, and a modern one. */
void t_talk_ask(struct t_talk *talk, const char *method, const char *params);
void t_talk_ask_modern(struct t_talk *talk, const char *method,
                       const char *members);

/* The next message; the caller destroys it. NULL if there is none. */
struct sq_mcp_message *t_talk_next(struct t_talk *talk);

/* The next message matches; "<any>" stands for any text. */
#define T_HEAR(talk, pattern) t_talk_hear((talk), (pattern), __FILE__, __LINE__)
bool t_talk_hear(struct t_talk *talk, const char *pattern, const char *file,
                 int line);

/* There is nothing more to hear. */
#define T_SILENT(talk) T((talk)->first == NULL)

/* Whether text matches a pattern with holes. */
bool t_matches(const char *pattern, struct sq_span text);

#endif
