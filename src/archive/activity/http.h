/* Implements a minimal HTTP client: one GET to a server on this machine. */
#ifndef SQ_ARCHIVE_ACTIVITY_HTTP_H
#define SQ_ARCHIVE_ACTIVITY_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* A parsed URL such as "http://localhost:5600". */
struct sq_http_url {
    char host[64];
    int port;
    char path[128]; /* prefix of every path; no slash at its end */
};

/*
 * Parses a URL. Fails with SQ_ERR_ARGUMENT unless the scheme is http and the
 * host is this machine (localhost, 127.x.x.x, [::1]).
 */
bool sq_http_url_parse(struct sq_span text, struct sq_http_url *out,
                       struct sq_err *err);

/*
 * Appends text to out, percent-encoded for a path or query: all bytes except
 * letters, digits and -._~ are escaped.
 */
bool sq_http_escape(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err);

struct sq_http_reply {
    int status;
    struct sq_span body;
    bool is_complete;
};

/*
 * Parses a response to an HTTP/1.0 request, of which these bytes have arrived;
 * is_end: no more will. The body points into them. Pure. Fails with
 * SQ_ERR_TRUNCATED if it is incomplete at its end.
 */
bool sq_http_reply_parse(struct sq_span bytes, bool is_end,
                         struct sq_http_reply *out, struct sq_err *err);

/*
 * Requests a path, which must begin with a slash, and appends the body of a 200
 * reply to out, up to the limit of out. Fails with SQ_ERR_NOT_FOUND for status
 * 404 and SQ_ERR_IO for any other.
 */
bool sq_http_get(const struct sq_http_url *url, struct sq_span path,
                 const struct sq_deadline *deadline, struct sq_buf *out,
                 struct sq_err *err);

#endif
