/* A little of HTTP: one GET to a server on this machine. */
#ifndef SQ_ARCHIVE_HTTP_H
#define SQ_ARCHIVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* "http://localhost:5600" taken apart. */
struct sq_http_url {
    char host[64];
    int port;
    char path[128]; /* what goes before every path; no slash at its end */
};

/*
 * Read a URL. Other schemes than http, and hosts that are not this machine
 * (localhost, 127.x.x.x, [::1]), are SQ_ERR_ARGUMENT.
 */
bool sq_http_url_parse(struct sq_span text, struct sq_http_url *out,
                       struct sq_err *err);

/*
 * Append text to out as it may stand in a path or query: all but letters,
 * digits and -._~ escaped.
 */
bool sq_http_escape(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err);

/*
 * Ask for a path, which begins with a slash, and append the body of a 200 to
 * out, at most out's own ceiling. Another status is SQ_ERR_NOT_FOUND for 404,
 * else SQ_ERR_IO.
 */
bool sq_http_get(const struct sq_http_url *url, struct sq_span path,
                 const struct sq_deadline *deadline, struct sq_buf *out,
                 struct sq_err *err);

#endif
