/* An HTTP/1.1 response taken apart as it arrives. Pure: bytes in, body out. */
#ifndef SQ_ARCHIVE_HTTP_REPLY_H
#define SQ_ARCHIVE_HTTP_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"

#define SQ_HTTP_MAX_LINE 8192
#define SQ_HTTP_MAX_HEAD_LINES 200

enum sq_http_state {
    SQ_HTTP_STATUS,
    SQ_HTTP_HEADER,
    SQ_HTTP_BODY,        /* so many bytes */
    SQ_HTTP_BODY_TO_END, /* until the peer closes */
    SQ_HTTP_CHUNK_SIZE,
    SQ_HTTP_CHUNK,
    SQ_HTTP_CHUNK_END,
    SQ_HTTP_TRAILER,
    SQ_HTTP_DONE,
};

/* A value: read status, state and body freely. */
struct sq_http_reply {
    enum sq_http_state state;
    int status;
    struct sq_buf body;
    char line[SQ_HTTP_MAX_LINE]; /* the one under way */
    size_t line_len;
    size_t lines;  /* of heads and trailers so far */
    uint64_t left; /* bytes of the body or chunk */
    bool has_length;
    bool is_chunked;
};

/* Start; a body longer than max_body is SQ_ERR_LIMIT. */
void sq_http_reply_init(struct sq_http_reply *reply, size_t max_body);

/* Safe on a zeroed value and twice. */
void sq_http_reply_finish(struct sq_http_reply *reply);

/* Take the next bytes. What follows a whole response is not looked at. */
bool sq_http_reply_feed(struct sq_http_reply *reply, const void *bytes,
                        size_t count, struct sq_err *err);

/* The peer has closed: SQ_ERR_TRUNCATED if the response was not whole. */
bool sq_http_reply_end(struct sq_http_reply *reply, struct sq_err *err);

#endif
