/*
 * The address under which clients know the server, and the document of RFC 9728
 * about it. Does no I/O.
 */
#ifndef SQ_HTTP_RESOURCE_H
#define SQ_HTTP_RESOURCE_H

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_HTTP_URL_SIZE 300

struct sq_http_resource {
    struct sq_span host;             /* of the address, with its port */
    char url[SQ_HTTP_URL_SIZE];      /* of the endpoint */
    char document[SQ_HTTP_URL_SIZE]; /* address of the document */
    const char *path;                /* of that address */
};

/*
 * Splits the address of the endpoint, such as https://example.org/mcp. Fails
 * with a hint if it is not one. The host points into *out.
 */
bool sq_http_resource_init(struct sq_http_resource *out, const char *url,
                           struct sq_err *err);

/*
 * Appends the document, which names the server that issues tokens. Fails with a
 * hint if that is not a web address.
 */
bool sq_http_resource_write(const struct sq_http_resource *resource,
                            const char *authorization_server,
                            struct sq_buf *out, struct sq_err *err);

#endif
