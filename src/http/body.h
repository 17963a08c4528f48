/* Decodes the body of a request as its bytes arrive. Does no I/O. */
#ifndef SQ_HTTP_BODY_H
#define SQ_HTTP_BODY_H

#include "http/head.h"
#include "util/buf.h"

/* All fields are private to body.c. */
struct sq_http_body {
    enum sq_http_framing framing;
    int state;
    uint64_t left;       /* bytes of the body or of the chunk */
    int digits;          /* of the chunk's size */
    int extension_bytes; /* of all chunks so far */
};

void sq_http_body_init(struct sq_http_body *body,
                       const struct sq_http_head *head);

/*
 * Takes bytes from *input and appends what they mean to out, whose maximum
 * limits the body. Returns SQ_HTTP_DONE at the end of the body; the rest of
 * *input belongs to the next request.
 */
enum sq_http_parse sq_http_body_feed(struct sq_http_body *body,
                                     struct sq_span *input, struct sq_buf *out,
                                     struct sq_http_refusal *refusal);

#endif
