/* Answers: results, errors, and what is said in between. */
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
    SQ_MCP_UNSUPPORTED_VERSION = -32022,
    SQ_MCP_RESOURCE_NOT_FOUND = -32002, /* legacy revisions only */
    SQ_MCP_NOT_SERVED = -32000, /* too much at a time, or about to end */
};

/* Writes members of an object; what of, the caller says. */
typedef void sq_mcp_body(struct sq_json_writer *w,
                         const struct sq_mcp_request *request,
                         const void *context);

/* No members at all; "uri", which context is as a struct sq_span. */
sq_mcp_body sq_mcp_put_nothing;
sq_mcp_body sq_mcp_put_uri;

/*
 * A result whose members the body writes. Whatever else a revision wants in
 * every result is added. NULL if it cannot be written or is too large.
 */
struct sq_mcp_message *sq_mcp_write_result(const struct sq_mcp_request *request,
                                           sq_mcp_body *body,
                                           const void *context,
                                           struct sq_err *err);

/* Answer with it. False, and nothing is answered, if there is none. */
bool sq_mcp_try_result(struct sq_mcp_request *request, sq_mcp_body *body,
                       const void *context, struct sq_err *err);

/* The same; what cannot be written is answered with an error. */
void sq_mcp_reply_result(struct sq_mcp_request *request, sq_mcp_body *body,
                         const void *context);

struct sq_mcp_error {
    int code; /* enum sq_mcp_error_code */
    struct sq_span message;
    sq_mcp_body *data; /* members of error.data; NULL: none */
    const void *context;
};

/* All members of a message that says so, "jsonrpc" first. */
void sq_mcp_put_error(struct sq_json_writer *w,
                      const struct sq_mcp_request *request,
                      const struct sq_mcp_error *error);

/*
 * Without an id if the request has none or is NULL; the message is NULL
 * without memory.
 */
struct sq_mcp_message *sq_mcp_write_error(const struct sq_mcp_request *request,
                                          const struct sq_mcp_error *error);

/* Answer with an error. */
void sq_mcp_reply_error(struct sq_mcp_request *request,
                        const struct sq_mcp_error *error);

/* The same with just these words. */
void sq_mcp_reply_words(struct sq_mcp_request *request, int code,
                        const char *words);

/* An error about no request in particular. */
void sq_mcp_send_error(const struct sq_mcp_sink *sink, int code,
                       const char *words);

/* How long a list or resource may be kept; legacy revisions do not say. */
void sq_mcp_put_cache(struct sq_json_writer *w,
                      const struct sq_mcp_request *request, int fresh_ms,
                      const char *scope);

/* "key": "text", or nothing if text is NULL. */
void sq_mcp_put_text(struct sq_json_writer *w, const char *key,
                     const char *text);

/* A notification whose params the body writes; NULL if it is not to be. */
struct sq_mcp_message *sq_mcp_notification(const struct sq_mcp_sink *sink,
                                           const char *method,
                                           sq_mcp_body *params,
                                           const struct sq_mcp_request *request,
                                           const void *context);

#endif
