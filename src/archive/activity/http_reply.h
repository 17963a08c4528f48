/* Parses an HTTP/1.1 response incrementally. Pure: no I/O. */
#ifndef SQ_ARCHIVE_ACTIVITY_HTTP_REPLY_H
#define SQ_ARCHIVE_ACTIVITY_HTTP_REPLY_H

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
    SQ_HTTP_BODY,        /* with a known length */
    SQ_HTTP_BODY_TO_END, /* until the connection closes */
    SQ_HTTP_CHUNK_SIZE,
    SQ_HTTP_CHUNK,
    SQ_HTTP_CHUNK_END,
    SQ_HTTP_TRAILER,
    SQ_HTTP_DONE,
};

/* A plain value; callers may read status, state and body. */
struct sq_http_reply {
    enum sq_http_state state;
    int status;
    struct sq_buf body;
    char line[SQ_HTTP_MAX_LINE]; /* the current line */
    size_t line_len;
    size_t lines;  /* of headers and trailers so far */
    uint64_t left; /* remaining bytes of the body or chunk */
    bool has_length;
    bool is_chunked;
};

/* Initialises a parser. A body longer than max_body fails with SQ_ERR_LIMIT. */
void sq_http_reply_init(struct sq_http_reply *reply, size_t max_body);

/* Safe on a zeroed value and twice. */
void sq_http_reply_finish(struct sq_http_reply *reply);

/* Parses the next bytes. Bytes after a complete response are ignored. */
bool sq_http_reply_feed(struct sq_http_reply *reply, const void *bytes,
                        size_t count, struct sq_err *err);

/*
 * Reports that the peer closed the connection. Fails with SQ_ERR_TRUNCATED if
 * the response is incomplete.
 */
bool sq_http_reply_end(struct sq_http_reply *reply, struct sq_err *err);

#endif
