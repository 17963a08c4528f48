/* Parses the heads and the bodies of HTTP requests. */

#include <strings.h>

#include "http/private.h"

#define MAX_METHOD 16

static bool
refuse(struct sq_http_refusal *refusal, int status, const char *text) {
    *refusal = (struct sq_http_refusal){ status, text };
    return false;
}

static bool
is_letter_or_digit(char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z')
        || (byte >= 'A' && byte <= 'Z');
}

static bool
is_token(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        if (byte == '\0'
            || (!is_letter_or_digit(byte)
                && !strchr("!#$%&'*+-.^_`|~", byte))) {
            return false;
        }
    }
    return text.len > 0;
}

/* Removes spaces and tabs at both ends. */
static struct sq_span
trim_blanks(struct sq_span text) {
    while (text.len > 0 && (*text.ptr == ' ' || *text.ptr == '\t')) {
        sq_span_skip(&text, 1);
    }
    while (
        text.len > 0
        && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t')) {
        text.len--;
    }
    return text;
}

/* Takes a line that ends with CR LF. */
static bool
take_line(struct sq_span *rest, struct sq_span *line) {
    const char *end =
        rest->len >= 2 ? memchr(rest->ptr, '\r', rest->len - 1) : NULL;
    if (!end || end[1] != '\n') {
        return false;
    }
    *line = (struct sq_span){ rest->ptr, (size_t)(end - rest->ptr) };
    rest->ptr = end + 2;
    rest->len -= line->len + 2;
    return true;
}

static bool
is_visible(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~') {
            return false;
        }
    }
    return true;
}

static bool
read_target(struct sq_span target, struct sq_http_head *out,
            struct sq_http_refusal *refusal) {
    if (target.len == 0 || target.ptr[0] != '/' || !is_visible(target)) {
        return refuse(refusal, 400, "the request target must be a path");
    }
    out->path = target;
    out->query = (struct sq_span){ 0 };
    if (sq_span_take_until(&target, '?', &out->path)) {
        out->query = target;
    }
    return true;
}

static bool
read_request_line(struct sq_span line, struct sq_http_head *out,
                  struct sq_http_refusal *refusal) {
    struct sq_span target;
    if (!sq_span_take_until(&line, ' ', &out->method)
        || !sq_span_take_until(&line, ' ', &target) || !is_token(out->method)
        || out->method.len > MAX_METHOD) {
        return refuse(refusal, 400, "the request line is malformed");
    }
    bool is_1_1 = sq_span_is(line, "HTTP/1.1");
    if (!is_1_1 && !sq_span_is(line, "HTTP/1.0")) {
        return line.len == strlen("HTTP/1.1")
                    && sq_span_starts_with(line, "HTTP/")
                 ? refuse(refusal, 505, "only HTTP/1.1 is supported")
                 : refuse(refusal, 400, "the request line is malformed");
    }
    out->is_version_1_1 = is_1_1;
    return read_target(target, out, refusal);
}

static bool
has_controls(struct sq_span value) {
    for (size_t i = 0; i < value.len; i++) {
        unsigned char byte = (unsigned char)value.ptr[i];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f) {
            return true;
        }
    }
    return false;
}

static bool
read_header(struct sq_span line, struct sq_http_head *out,
            struct sq_http_refusal *refusal) {
    struct sq_http_header header;
    if (out->header_count == SQ_HTTP_MAX_HEADERS) {
        return refuse(refusal, 431, "the request has too many headers");
    }
    if (!sq_span_take_until(&line, ':', &header.name)
        || !is_token(header.name)) {
        return refuse(refusal, 400, "a header is malformed");
    }
    header.value = trim_blanks(line);
    if (has_controls(header.value)) {
        return refuse(refusal, 400, "a header contains a control character");
    }
    out->headers[out->header_count++] = header;
    return true;
}

bool
sq_http_head_find(const struct sq_http_head *head, const char *name,
                  struct sq_span *out) {
    for (int i = 0; i < head->header_count; i++) {
        if (sq_span_is_word(head->headers[i].name, name)) {
            *out = head->headers[i].value;
            return true;
        }
    }
    return false;
}

static bool
list_contains(struct sq_span list, const char *word) {
    while (list.len > 0) {
        struct sq_span item;
        struct sq_span before;
        if (!sq_span_take_until(&list, ',', &item)) {
            item = list;
            list.len = 0;
        }
        if (sq_span_take_until(&item, ';', &before)) {
            item = before;
        }
        if (sq_span_is_word(trim_blanks(item), word)) {
            return true;
        }
    }
    return false;
}

bool
sq_http_head_lists(const struct sq_http_head *head, const char *name,
                   const char *word) {
    for (int i = 0; i < head->header_count; i++) {
        if (sq_span_is_word(head->headers[i].name, name)
            && list_contains(head->headers[i].value, word)) {
            return true;
        }
    }
    return false;
}

/* Two of these could be read differently by two programs. */
static bool
check_single(const struct sq_http_head *head, struct sq_http_refusal *refusal) {
    static const char *const single[] = {
        "host",           "content-length",       "transfer-encoding",
        "content-type",   "authorization",        "origin",
        "mcp-session-id", "mcp-protocol-version", "mcp-method",
        "mcp-name",       "last-event-id",        "expect",
    };
    for (int i = 0; i < head->header_count; i++) {
        struct sq_span name = head->headers[i].name;
        bool is_single =
            name.len > 10 && strncasecmp(name.ptr, "mcp-param-", 10) == 0;
        for (size_t k = 0; k < SQ_COUNT(single); k++) {
            is_single = is_single || sq_span_is_word(name, single[k]);
        }
        for (int k = 0; k < i && is_single; k++) {
            struct sq_span other = head->headers[k].name;
            if (name.len == other.len
                && strncasecmp(name.ptr, other.ptr, name.len) == 0) {
                return refuse(refusal, 400, "a header occurs twice");
            }
        }
    }
    return true;
}

static bool
read_framing(struct sq_http_head *head, struct sq_http_refusal *refusal) {
    struct sq_span encoding;
    struct sq_span length;
    bool has_length = sq_http_head_find(head, "content-length", &length);
    if (sq_http_head_find(head, "transfer-encoding", &encoding)) {
        head->framing = SQ_HTTP_CHUNKED;
        if (has_length || !head->is_version_1_1) {
            return refuse(refusal, 400,
                          "Transfer-Encoding is not allowed with "
                          "Content-Length or HTTP/1.0");
        }
        return sq_span_is_word(encoding, "chunked")
            || refuse(refusal, 501, "this Transfer-Encoding is not supported");
    }
    if (!has_length) {
        return true;
    }
    head->framing = SQ_HTTP_LENGTH;
    return sq_span_to_uint64(length, &head->length)
        || refuse(refusal, 400, "Content-Length is not a number");
}

static bool
read_meaning(struct sq_http_head *head, struct sq_http_refusal *refusal) {
    struct sq_span value;
    if (!check_single(head, refusal) || !read_framing(head, refusal)) {
        return false;
    }
    if (head->is_version_1_1 && !sq_http_head_find(head, "host", &value)) {
        return refuse(refusal, 400, "the Host header is missing");
    }
    head->keeps_alive = head->is_version_1_1
                     && !sq_http_head_lists(head, "connection", "close");
    if (sq_http_head_find(head, "expect", &value)) {
        head->expects_continue = true;
        return sq_span_is_word(value, "100-continue")
            || refuse(refusal, 417, "this expectation is not supported");
    }
    return true;
}

static bool
read_lines(struct sq_span head, struct sq_http_head *out,
           struct sq_http_refusal *refusal) {
    struct sq_span line;
    if (!take_line(&head, &line)) {
        return refuse(refusal, 400, "lines must end with CR LF");
    }
    bool ok = read_request_line(line, out, refusal);
    while (ok && head.len > 0) {
        ok = take_line(&head, &line)
               ? read_header(line, out, refusal)
               : refuse(refusal, 400, "lines must end with CR LF");
    }
    return ok && read_meaning(out, refusal);
}

/* Returns the length of the head without its last, empty line; 0: no end. */
static size_t
find_end(struct sq_span bytes) {
    for (size_t i = 0; i + 4 <= bytes.len; i++) {
        const char *at = memchr(bytes.ptr + i, '\r', bytes.len - i - 3);
        if (!at) {
            return 0;
        }
        i = (size_t)(at - bytes.ptr);
        if (memcmp(at, "\r\n\r\n", 4) == 0) {
            return i + 2;
        }
    }
    return 0;
}

enum sq_http_parse
sq_http_head_parse(struct sq_span bytes, struct sq_http_head *out, size_t *used,
                   struct sq_http_refusal *refusal) {
    size_t end = find_end(bytes);
    if (end > SQ_HTTP_MAX_HEAD || (end == 0 && bytes.len >= SQ_HTTP_MAX_HEAD)) {
        refuse(refusal, 431, "the head of the request is too large");
        return SQ_HTTP_BAD;
    }
    if (end == 0) {
        /* An early answer for a client that speaks another protocol. */
        bool is_text = bytes.len == 0 || is_letter_or_digit(bytes.ptr[0]);
        if (!is_text || memchr(bytes.ptr, '\0', bytes.len)) {
            refuse(refusal, 400, "this is not an HTTP request");
            return SQ_HTTP_BAD;
        }
        return SQ_HTTP_MORE;
    }
    *out = (struct sq_http_head){ 0 };
    *used = end + 2;
    return read_lines((struct sq_span){ bytes.ptr, end }, out, refusal)
             ? SQ_HTTP_DONE
             : SQ_HTTP_BAD;
}

/*
 * Decodes the body of a request. Extensions of chunks are skipped, as RFC 9112
 * requires; trailers are refused: a header could be hidden in them.
 */

#define MAX_DIGITS 8 /* of a chunk's size, in hexadecimal */

enum state {
    SIZE_LINE,
    DATA,
    DATA_END, /* the end of a line; likewise the next */
    LAST_END,
    END,
};

void
sq_http_body_init(struct sq_http_body *body, const struct sq_http_head *head) {
    *body =
        (struct sq_http_body){ .framing = head->framing, .left = head->length };
    body->state = head->framing == SQ_HTTP_CHUNKED ? SIZE_LINE
                : head->length > 0                 ? DATA
                                                   : END;
}

/* Takes as many bytes of the data as there are. */
static bool
take_data(struct sq_http_body *body, struct sq_span *input, struct sq_buf *out,
          struct sq_err *err) {
    size_t count = body->left < input->len ? (size_t)body->left : input->len;
    if (!sq_buf_append(out, input->ptr, count, err)) {
        return false;
    }
    sq_span_skip(input, count);
    body->left -= count;
    if (body->left == 0) {
        body->state = body->framing == SQ_HTTP_CHUNKED ? DATA_END : END;
    }
    return true;
}

/* Reads the line before a chunk: its size, and perhaps an extension. */
static bool
read_size(struct sq_http_body *body) {
    struct sq_span line = { body->line, body->line_len };
    uint32_t size;
    size_t digits = sq_span_take_hex(&line, MAX_DIGITS + 1, &size);
    size_t extension = line.len;
    body->extension_bytes += extension;
    body->line_len = 0;
    body->left = size;
    body->state = size > 0 ? DATA : LAST_END;
    line = trim_blanks(line);
    return digits > 0 && digits <= MAX_DIGITS
        && body->extension_bytes <= SQ_HTTP_MAX_EXTENSION
        && (extension == 0 || sq_span_starts_with(line, ";"))
        && !has_controls(line);
}

/* Takes a byte between the data of chunks. Returns false if it is wrong. */
static bool
take_byte(struct sq_http_body *body, char byte) {
    static const char line_end[] = "\r\n";
    if (body->state != SIZE_LINE) {
        if (byte != line_end[body->line_len++]) {
            return false;
        }
        if (byte == '\n') {
            body->state = body->state == DATA_END ? SIZE_LINE : END;
            body->line_len = 0;
        }
        return true;
    }
    if (byte == '\n') {
        return body->line_len > 0 && body->line[--body->line_len] == '\r'
            && read_size(body);
    }
    bool fits = body->line_len < sizeof(body->line);
    if (fits) {
        body->line[body->line_len++] = byte;
    }
    return fits;
}

enum sq_http_parse
sq_http_body_feed(struct sq_http_body *body, struct sq_span *input,
                  struct sq_buf *out, struct sq_http_refusal *refusal) {
    struct sq_err err = { 0 };
    if (body->framing == SQ_HTTP_LENGTH && body->left > out->max - out->len) {
        refuse(refusal, 413, "the body is too large");
        return SQ_HTTP_BAD;
    }
    while (body->state != END && input->len > 0) {
        if (body->state != DATA) {
            char byte = *input->ptr++;
            input->len--;
            if (!take_byte(body, byte)) {
                refuse(refusal, 400, "the chunked body is malformed");
                return SQ_HTTP_BAD;
            }
        } else if (!take_data(body, input, out, &err)) {
            bool is_long = err.code == SQ_ERR_LIMIT;
            refuse(refusal, is_long ? 413 : 503,
                   is_long ? "the body is too large" : "out of memory");
            return SQ_HTTP_BAD;
        }
    }
    return body->state == END ? SQ_HTTP_DONE : SQ_HTTP_MORE;
}
