/*
 * Compares the headers of a message with its body, as modern revisions require
 * of transports that have headers. A gateway that routes by headers and we, who
 * read the body, must not see different requests.
 */
#ifndef SQ_MCP_HEADERS_H
#define SQ_MCP_HEADERS_H

#include <stdbool.h>

#include "mcp/request.h"

/*
 * Checks the header of the protocol version against the version in _meta.
 * Answers with an error and returns false if they differ. Returns true if the
 * transport has no headers.
 */
bool sq_mcp_check_version_header(struct sq_mcp_request *request,
                                 struct sq_span version);

/*
 * Checks the headers that repeat the method, the name and arguments of a
 * request, in the same way.
 */
bool sq_mcp_check_headers(struct sq_mcp_request *request,
                          const struct sq_mcp_method *method,
                          struct sq_span method_name);

#endif
