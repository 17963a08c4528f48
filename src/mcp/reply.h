/* Writes results, errors and notifications. */
#ifndef SQ_MCP_REPLY_H
#define SQ_MCP_REPLY_H

#include <stdbool.h>

#include "json/writer.h"
#include "mcp/request.h"
#include "util/err.h"

enum sq_mcp_error_code {
    SQ_MCP_PARSE_ERROR = -32700,
    SQ_MCP_INVALID_REQUEST = -32600,
    SQ_MCP_METHOD_NOT_FOUND = -32601,
    SQ_MCP_INVALID_PARAMS = -32602,
    SQ_MCP_INTERNAL_ERROR = -32603,
    SQ_MCP_HEADER_MISMATCH = -32020,
    SQ_MCP_MISSING_CAPABILITY = -32021,
    SQ_MCP_UNSUPPORTED_VERSION = -32022,
    SQ_MCP_RESOURCE_NOT_FOUND = -32002, /* legacy revisions only */
    SQ_MCP_NOT_SERVED = -32000,         /* too many calls, or shutting down */
};

/* Writes the members of an object; context is the caller's data. */
typedef void sq_mcp_body(struct sq_json_writer *w,
                         const struct sq_mcp_request *request,
                         const void *context);

/*
 * The first writes no members. The second writes "uri"; its context is a struct
 * sq_span. The third writes the questions of a call that need an answer.
 */
sq_mcp_body sq_mcp_put_nothing;
sq_mcp_body sq_mcp_put_uri;
sq_mcp_body sq_mcp_put_questions;

/*
 * Returns a result whose members the body writes. Adds the members that the
 * revision requires in every result. Returns NULL if it cannot be written or is
 * too large.
 */
struct sq_mcp_message *sq_mcp_write_result(const struct sq_mcp_request *request,
                                           sq_mcp_body *body,
                                           const void *context,
                                           struct sq_err *err);

/* Answers with such a result. Returns false and sends nothing on failure. */
bool sq_mcp_try_result(struct sq_mcp_request *request, sq_mcp_body *body,
                       const void *context, struct sq_err *err);

/* Like sq_mcp_try_result, but answers with an error on failure. */
void sq_mcp_reply_result(struct sq_mcp_request *request, sq_mcp_body *body,
                         const void *context);

struct sq_mcp_error {
    int code; /* enum sq_mcp_error_code */
    struct sq_span message;
    sq_mcp_body *data; /* members of error.data; NULL: none */
    const void *context;
};

/* Writes all members of an error message, starting with "jsonrpc". */
void sq_mcp_put_error(struct sq_json_writer *w,
                      const struct sq_mcp_request *request,
                      const struct sq_mcp_error *error);

/*
 * Returns an error message, or NULL without memory. It has no id if the request
 * has none or is NULL.
 */
struct sq_mcp_message *sq_mcp_write_error(const struct sq_mcp_request *request,
                                          const struct sq_mcp_error *error);

/* Answers with an error. */
void sq_mcp_reply_error(struct sq_mcp_request *request,
                        const struct sq_mcp_error *error);

/* Answers with an error that has only a code and a text. */
void sq_mcp_reply_error_text(struct sq_mcp_request *request, int code,
                             const char *text);

/* Sends an error that belongs to no request. */
void sq_mcp_send_error(const struct sq_mcp_sink *sink, int code,
                       const char *text);

/*
 * Writes how long a list or resource may be cached. Writes nothing in legacy
 * revisions.
 */
void sq_mcp_put_cache(struct sq_json_writer *w,
                      const struct sq_mcp_request *request, int fresh_ms,
                      const char *scope);

/* Writes the member "extensions" that declares tasks. */
void sq_mcp_put_tasks_extension(struct sq_json_writer *w);

/* Writes "key": "text", or nothing if text is NULL. */
void sq_mcp_put_text(struct sq_json_writer *w, const char *key,
                     const char *text);

/*
 * Returns a notification whose params the body writes. Returns NULL if the sink
 * has too little space or there is no memory.
 */
struct sq_mcp_message *sq_mcp_notification(const struct sq_mcp_sink *sink,
                                           const char *method,
                                           sq_mcp_body *params,
                                           const struct sq_mcp_request *request,
                                           const void *context);

#endif
