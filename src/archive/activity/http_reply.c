/* Parses HTTP/1.1 responses incrementally. */
#include "archive/activity/http_reply.h"

#include <string.h>

#include "util/span.h"

void
sq_http_reply_init(struct sq_http_reply *reply, size_t max_body) {
    memset(reply, 0, sizeof(*reply));
    sq_buf_init(&reply->body, max_body);
}

void
sq_http_reply_finish(struct sq_http_reply *reply) {
    sq_buf_finish(&reply->body);
}

static bool
fail_format(const char *what, struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "the server's response is not HTTP: %s", what);
    return sq_fail_hint(
        err, "Check whether another program is listening at this address.");
}

/* Parses a status line such as "HTTP/1.1 200 OK". */
static bool
take_status(struct sq_http_reply *reply, struct sq_span line,
            struct sq_err *err) {
    int status = 0;
    if (!sq_span_take_prefix(&line, "HTTP/1.") || line.len < 5
        || line.ptr[1] != ' ' || (line.len > 5 && line.ptr[5] != ' ')) {
        return fail_format("no status line", err);
    }
    for (int i = 2; i < 5; i++) {
        if (line.ptr[i] < '0' || line.ptr[i] > '9') {
            return fail_format("no status", err);
        }
        status = status * 10 + (line.ptr[i] - '0');
    }
    reply->status = status;
    reply->has_length = false;
    reply->is_chunked = false;
    reply->left = 0;
    reply->state = SQ_HTTP_HEADER;
    return true;
}

static bool
take_length(struct sq_http_reply *reply, struct sq_span value,
            struct sq_err *err) {
    uint64_t length;
    if (!sq_span_to_uint64(value, &length)
        || (reply->has_length && length != reply->left)) {
        return fail_format("its length is unclear", err);
    }
    reply->has_length = true;
    reply->left = length;
    return true;
}

/* Handles the end of the headers: determines the kind of body. */
static bool
begin_body(struct sq_http_reply *reply, struct sq_err *err) {
    if (reply->status == 101) {
        return fail_format("it changes the protocol", err);
    }
    if (reply->status < 200) {
        reply->state = SQ_HTTP_STATUS;
    } else if (reply->status == 204 || reply->status == 304) {
        reply->state = SQ_HTTP_DONE;
    } else if (reply->is_chunked) {
        reply->state = SQ_HTTP_CHUNK_SIZE;
    } else if (!reply->has_length) {
        reply->state = SQ_HTTP_BODY_TO_END;
    } else if (reply->left > reply->body.max) {
        return sq_fail(err, SQ_ERR_LIMIT, "the server's response is too long");
    } else {
        reply->state = reply->left ? SQ_HTTP_BODY : SQ_HTTP_DONE;
    }
    return true;
}

static bool
take_header(struct sq_http_reply *reply, struct sq_span line,
            struct sq_err *err) {
    struct sq_span name;
    if (!line.len) {
        return begin_body(reply, err);
    }
    if (!sq_span_take_until(&line, ':', &name) || !name.len
        || name.ptr[0] == ' ' || name.ptr[0] == '\t') {
        return fail_format("a header without a name", err);
    }
    struct sq_span value = sq_span_trim(line);
    if (sq_span_is_word(name, "content-length")) {
        return take_length(reply, value, err);
    }
    if (sq_span_is_word(name, "transfer-encoding")) {
        reply->is_chunked = sq_span_is_word(value, "chunked");
        return reply->is_chunked
            || fail_format("an unknown transfer encoding", err);
    }
    if (sq_span_is_word(name, "content-encoding")
        && !sq_span_is_word(value, "identity")) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the server's response is compressed");
    }
    return true;
}

static int
hex_digit(char byte) {
    char small = sq_ascii_lower(byte);
    if (small >= '0' && small <= '9') {
        return small - '0';
    }
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/* Parses a chunk size such as "1f4" or "1f4;name=value". */
static bool
take_chunk_size(struct sq_http_reply *reply, struct sq_span line,
                struct sq_err *err) {
    uint64_t size = 0;
    size_t i = 0;
    for (; i < line.len && hex_digit(line.ptr[i]) >= 0; i++) {
        size = size * 16 + (uint64_t)hex_digit(line.ptr[i]);
        if (size > reply->body.max) {
            return sq_fail(err, SQ_ERR_LIMIT,
                           "the server's response is too long");
        }
    }
    if (i == 0 || (i < line.len && line.ptr[i] != ';' && line.ptr[i] != ' ')) {
        return fail_format("a chunk without a size", err);
    }
    reply->left = size;
    reply->state = size ? SQ_HTTP_CHUNK : SQ_HTTP_TRAILER;
    return true;
}

static bool
take_chunk_end(struct sq_http_reply *reply, struct sq_span line,
               struct sq_err *err) {
    reply->state = SQ_HTTP_CHUNK_SIZE;
    return line.len == 0 || fail_format("a chunk is longer than its size", err);
}

static bool
take_trailer(struct sq_http_reply *reply, struct sq_span line,
             struct sq_err *err) {
    (void)err;
    reply->state = line.len ? SQ_HTTP_TRAILER : SQ_HTTP_DONE;
    return true;
}

static bool
take_line(struct sq_http_reply *reply, struct sq_span line,
          struct sq_err *err) {
    static bool (*const take[])(struct sq_http_reply *, struct sq_span,
                                struct sq_err *) = {
        [SQ_HTTP_STATUS] = take_status,
        [SQ_HTTP_HEADER] = take_header,
        [SQ_HTTP_CHUNK_SIZE] = take_chunk_size,
        [SQ_HTTP_CHUNK_END] = take_chunk_end,
        [SQ_HTTP_TRAILER] = take_trailer,
    };
    bool is_head = reply->state == SQ_HTTP_STATUS
                || reply->state == SQ_HTTP_HEADER
                || reply->state == SQ_HTTP_TRAILER;
    reply->lines += is_head;
    if (reply->lines > SQ_HTTP_MAX_HEAD_LINES) {
        return sq_fail(err, SQ_ERR_LIMIT, "the server sends too many headers");
    }
    return take[reply->state](reply, line, err);
}

/*
 * Adds one byte to the current line, and handles the line when it is complete.
 */
static bool
feed_line(struct sq_http_reply *reply, char byte, struct sq_err *err) {
    if (byte != '\n') {
        if (reply->line_len == sizeof(reply->line)) {
            return sq_fail(err, SQ_ERR_LIMIT,
                           "the server sends a line that is too long");
        }
        reply->line[reply->line_len++] = byte;
        return true;
    }
    struct sq_span line = { reply->line, reply->line_len };
    line.len -= line.len > 0 && line.ptr[line.len - 1] == '\r';
    reply->line_len = 0;
    return take_line(reply, line, err);
}

/* Takes bytes of a body; *used is how many. */
static bool
feed_body(struct sq_http_reply *reply, const uint8_t *bytes, size_t count,
          size_t *used, struct sq_err *err) {
    bool has_end = reply->state != SQ_HTTP_BODY_TO_END;
    *used = has_end && reply->left < count ? (size_t)reply->left : count;
    if (!sq_buf_append(&reply->body, bytes, *used, err)) {
        return false;
    }
    if (has_end) {
        reply->left -= *used;
    }
    if (has_end && !reply->left) {
        reply->state =
            reply->state == SQ_HTTP_CHUNK ? SQ_HTTP_CHUNK_END : SQ_HTTP_DONE;
    }
    return true;
}

bool
sq_http_reply_feed(struct sq_http_reply *reply, const void *bytes, size_t count,
                   struct sq_err *err) {
    const uint8_t *at = bytes;
    bool ok = true;
    while (ok && count > 0 && reply->state != SQ_HTTP_DONE) {
        size_t used = 1;
        bool is_body = reply->state == SQ_HTTP_BODY
                    || reply->state == SQ_HTTP_BODY_TO_END
                    || reply->state == SQ_HTTP_CHUNK;
        ok = is_body ? feed_body(reply, at, count, &used, err)
                     : feed_line(reply, (char)*at, err);
        at += used;
        count -= used;
    }
    return ok;
}

bool
sq_http_reply_end(struct sq_http_reply *reply, struct sq_err *err) {
    if (reply->state == SQ_HTTP_BODY_TO_END) {
        reply->state = SQ_HTTP_DONE;
    }
    return reply->state == SQ_HTTP_DONE
        || sq_fail(err, SQ_ERR_TRUNCATED,
                   "the server closed the connection before the response was "
                   "complete");
}
