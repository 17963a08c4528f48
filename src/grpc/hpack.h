/*
 * Reads and writes header fields as HTTP/2 compresses them (RFC 7541), as far
 * as a gRPC client needs it: the dynamic table is switched off, and only the
 * fields that decide about a call are kept. No I/O.
 */
#ifndef SQ_GRPC_HPACK_H
#define SQ_GRPC_HPACK_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_HPACK_MESSAGE_SIZE 200

/* What the header blocks of one response say. Begin with sq_hpack_init. */
struct sq_hpack_fields {
    int http_status;                     /* 0: not sent */
    int grpc_status;                     /* -1: not sent */
    char message[SQ_HPACK_MESSAGE_SIZE]; /* of grpc-message; may be empty */
};

void sq_hpack_init(struct sq_hpack_fields *fields);

/*
 * Reads one header block and adds what it says to *fields. Fails with
 * SQ_ERR_FORMAT if the block is malformed, or refers to the dynamic table,
 * which has no entries.
 */
bool sq_hpack_read(struct sq_span block, struct sq_hpack_fields *fields,
                   struct sq_err *err);

/*
 * Appends a field that must not be indexed, since it may be a secret. The name
 * is in lower case.
 */
bool sq_hpack_put(struct sq_buf *block, const char *name, struct sq_span value,
                  struct sq_err *err);

#endif
