/*
 * Questions to the client while a call runs: requests on the wire in legacy
 * revisions, results that require input in modern ones.
 */
#ifndef SQ_MCP_ASK_H
#define SQ_MCP_ASK_H

#include <stdbool.h>

#include "json/writer.h"
#include "mcp/request.h"

/* Returns what the client declares, enum sq_mcp_capability. */
unsigned sq_mcp_read_capabilities(const struct sq_json *declared);

/* Returns what the client of a request declares: its own or its session's. */
unsigned sq_mcp_request_capabilities(const struct sq_mcp_request *request);

/*
 * Reads the answers and the state that the client has sent with a modern
 * request. Answers with an error and returns false if they are malformed.
 */
bool sq_mcp_read_input(struct sq_mcp_request *request);

/*
 * Answers the request if its handler needs input or capabilities of the client
 * first. Returns false if that is not why it failed.
 */
bool sq_mcp_reply_needs(struct sq_mcp_request *request);

/* Returns whether an answer has the members that its kind requires. */
bool sq_mcp_is_valid_answer(const char *method, const struct sq_json *answer);

/* Writes one member of inputRequests. */
void sq_mcp_put_question(struct sq_json_writer *w,
                         const struct sq_mcp_question *question);

/* Receives the client's answer to a question: a message without method. */
void sq_mcp_receive_answer(struct sq_mcp_connection *connection,
                           const struct sq_json *message);

#endif
