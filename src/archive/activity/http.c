/* Implements a minimal HTTP client for servers on this machine. */
#include "archive/activity/http.h"

#include <stdio.h>
#include <string.h>

#include "sys/sockets.h"

#define MAX_REQUEST_BYTES 4096
#define READ_BYTES 16384
#define MAX_HEAD_BYTES 65536

static bool
fail_url(struct sq_span text, const char *problem, struct sq_err *err) {
    size_t len = text.len < 80 ? text.len : 80;
    sq_fail(err, SQ_ERR_ARGUMENT, "the URL \"%.*s\" %s", (int)len, text.ptr,
            problem);
    return sq_fail_hint(
        err, "Use a URL of this machine, such as http://localhost:5600.");
}

/* Returns whether a host is this machine: user data must not leave it. */
static bool
is_local(struct sq_span host) {
    if (sq_span_is(host, "localhost") || sq_span_is(host, "::1")) {
        return true;
    }
    bool is_numeric = sq_span_starts_with(host, "127.");
    for (size_t i = 0; is_numeric && i < host.len; i++) {
        is_numeric = sq_is_digit(host.ptr[i]) || host.ptr[i] == '.';
    }
    return is_numeric;
}

/* Splits "host", "host:port" or "[::1]:port". */
static bool
split_address(struct sq_span address, struct sq_span *host,
              struct sq_span *port) {
    *port = (struct sq_span){ "80", 2 };
    *host = address;
    if (sq_span_take_prefix(&address, "[")) {
        if (!sq_span_take_until(&address, ']', host)
            || (address.len && !sq_span_take_prefix(&address, ":"))) {
            return false;
        }
        *port = address.len ? address : *port;
        return true;
    }
    struct sq_span name;
    if (sq_span_take_until(&address, ':', &name)) {
        *host = name;
        *port = address;
    }
    return true;
}

static bool
copy(struct sq_span text, char *out, size_t size) {
    if (text.len >= size) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~') {
            return false;
        }
        out[i] = text.ptr[i];
    }
    out[text.len] = '\0';
    return true;
}

bool
sq_http_url_parse(struct sq_span text, struct sq_http_url *out,
                  struct sq_err *err) {
    struct sq_http_url url;
    struct sq_span rest = sq_span_trim(text);
    struct sq_span host;
    struct sq_span port;
    int64_t number;
    if (!sq_span_take_prefix(&rest, "http://")) {
        return fail_url(text, "does not begin with http://", err);
    }
    const char *slash = rest.len ? memchr(rest.ptr, '/', rest.len) : NULL;
    size_t address_len = slash ? (size_t)(slash - rest.ptr) : rest.len;
    struct sq_span address = { rest.ptr, address_len };
    struct sq_span path = { rest.ptr + address_len, rest.len - address_len };
    while (path.len && path.ptr[path.len - 1] == '/') {
        path.len--;
    }
    if (!split_address(address, &host, &port)
        || !sq_span_to_int64(port, &number) || number < 1 || number > 65535
        || !copy(host, url.host, sizeof(url.host))
        || !copy(path, url.path, sizeof(url.path))) {
        return fail_url(text, "is not valid", err);
    }
    if (!is_local(host)) {
        return fail_url(text, "is not on this machine", err);
    }
    url.port = (int)number;
    *out = url;
    return true;
}

bool
sq_http_escape(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        char lower = sq_ascii_lower(text.ptr[i]);
        bool is_plain = (lower >= 'a' && lower <= 'z') || sq_is_digit(lower)
                     || (byte && strchr("-._~", byte));
        ok = is_plain ? sq_buf_append(out, &byte, 1, err)
                      : sq_buf_printf(out, err, "%%%02X", byte);
    }
    return ok;
}

static bool
fail_format(const char *problem, struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT, "the server's response is not HTTP: %s",
            problem);
    return sq_fail_hint(
        err, "Check whether another program is listening at this address.");
}

/* Parses a status line such as "HTTP/1.1 200 OK". */
static bool
read_status(struct sq_span line, int *out, struct sq_err *err) {
    int64_t status;
    if (!sq_span_take_prefix(&line, "HTTP/1.") || line.len < 5
        || line.ptr[1] != ' ' || (line.len > 5 && line.ptr[5] != ' ')
        || !sq_span_to_int64((struct sq_span){ line.ptr + 2, 3 }, &status)
        || status < 200) {
        return fail_format("no status line", err);
    }
    *out = (int)status;
    return true;
}

/* Parses a header; *length is that of the body, or UINT64_MAX. */
static bool
read_header(struct sq_span line, uint64_t *length, struct sq_err *err) {
    struct sq_span name;
    uint64_t value;
    if (!sq_span_take_until(&line, ':', &name) || !name.len
        || name.ptr[0] == ' ' || name.ptr[0] == '\t') {
        return fail_format("a header without a name", err);
    }
    line = sq_span_trim(line);
    if (sq_span_is_word(name, "content-length")) {
        if (!sq_span_to_uint64(line, &value)
            || (*length != UINT64_MAX && *length != value)) {
            return fail_format("its length is unclear", err);
        }
        *length = value;
    } else if (sq_span_is_word(name, "transfer-encoding")) {
        return fail_format("HTTP/1.0 has no transfer encoding", err);
    } else if (sq_span_is_word(name, "content-encoding")
               && !sq_span_is_word(line, "identity")) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED,
                       "the server's response is compressed");
    }
    return true;
}

/* Takes a line that is complete. */
static bool
take_line(struct sq_span *rest, struct sq_span *line) {
    if (!sq_span_take_until(rest, '\n', line)) {
        return false;
    }
    line->len -= line->len > 0 && line->ptr[line->len - 1] == '\r';
    return true;
}

/* Handles a response of which something is missing. */
static bool
fail_incomplete(bool is_end, struct sq_err *err) {
    return !is_end
        || sq_fail(err, SQ_ERR_TRUNCATED,
                   "the server closed the connection before the response was "
                   "complete");
}

static bool
fail_head(struct sq_span bytes, bool is_end, struct sq_err *err) {
    return bytes.len > MAX_HEAD_BYTES
             ? sq_fail(err, SQ_ERR_LIMIT, "the server sends too many headers")
             : fail_incomplete(is_end, err);
}

bool
sq_http_reply_parse(struct sq_span bytes, bool is_end,
                    struct sq_http_reply *out, struct sq_err *err) {
    uint64_t length = UINT64_MAX;
    struct sq_span rest = bytes;
    struct sq_span line = { 0 };
    *out = (struct sq_http_reply){ 0 };
    for (bool is_status = true; is_status || line.len > 0; is_status = false) {
        if (!take_line(&rest, &line)) {
            return fail_head(bytes, is_end, err);
        }
        if (is_status ? !read_status(line, &out->status, err)
                      : line.len > 0 && !read_header(line, &length, err)) {
            return false;
        }
    }
    if (length != UINT64_MAX && rest.len < length) {
        return fail_incomplete(is_end, err);
    }
    out->body = length == UINT64_MAX
                  ? rest
                  : (struct sq_span){ rest.ptr, (size_t)length };
    out->is_complete = is_end || length != UINT64_MAX;
    return true;
}

/* HTTP/1.0, so that the body ends with its length or with the connection. */
static bool
send_request(int fd, const struct sq_http_url *url, struct sq_span path,
             const struct sq_deadline *deadline, struct sq_err *err) {
    bool is_v6 = strchr(url->host, ':') != NULL;
    SQ_BUF(request, MAX_REQUEST_BYTES);
    return sq_buf_printf(&request, err,
                         "GET %s%.*s HTTP/1.0\r\n"
                         "Host: %s%s%s:%d\r\n"
                         "Accept: application/json\r\n"
                         "Connection: close\r\n\r\n",
                         url->path, SQ_SPAN_ARGS(path), is_v6 ? "[" : "",
                         url->host, is_v6 ? "]" : "", url->port)
        && sq_socket_write(fd, request.data, request.len, deadline, err);
}

static bool
receive(int fd, const struct sq_deadline *deadline, struct sq_buf *bytes,
        struct sq_http_reply *out, struct sq_err *err) {
    bool ok = true;
    size_t got = 1;
    while (ok && got > 0 && !out->is_complete) {
        uint8_t *room;
        ok = sq_buf_reserve(bytes, READ_BYTES, &room, err)
          && sq_socket_read_some(fd, room, READ_BYTES, &got, deadline, err);
        if (ok) {
            sq_buf_commit(bytes, got);
            ok = sq_http_reply_parse(sq_buf_span(bytes), got == 0, out, err);
        }
    }
    return ok;
}

static bool
check_status(const struct sq_http_url *url, int status, struct sq_err *err) {
    return status == 200
        || sq_fail(err, status == 404 ? SQ_ERR_NOT_FOUND : SQ_ERR_IO,
                   "http://%s:%d answered with status %d", url->host, url->port,
                   status);
}

bool
sq_http_get(const struct sq_http_url *url, struct sq_span path,
            const struct sq_deadline *deadline, struct sq_buf *out,
            struct sq_err *err) {
    int fd = -1;
    struct sq_http_reply reply = { 0 };
    SQ_BUF(bytes, out->max + MAX_HEAD_BYTES);
    bool ok = sq_socket_connect(url->host, url->port, deadline, &fd, err)
           && send_request(fd, url, path, deadline, err)
           && receive(fd, deadline, &bytes, &reply, err)
           && check_status(url, reply.status, err)
           && sq_buf_append(out, reply.body.ptr, reply.body.len, err);
    sq_socket_close(fd);
    return ok;
}
