/* Writes the heads of answers, and answers that refuse a request. */
#include "http/private.h"

#include <stdio.h>
#include <string.h>

#define HEAD_SIZE 1200
#define BODY_SIZE 600

static const struct {
    int status;
    const char *reason;
} reasons[] = {
    { 200, "OK" },
    { 202, "Accepted" },
    { 204, "No Content" },
    { 303, "See Other" },
    { 400, "Bad Request" },
    { 401, "Unauthorized" },
    { 403, "Forbidden" },
    { 404, "Not Found" },
    { 405, "Method Not Allowed" },
    { 406, "Not Acceptable" },
    { 408, "Request Timeout" },
    { 413, "Content Too Large" },
    { 415, "Unsupported Media Type" },
    { 417, "Expectation Failed" },
    { 431, "Request Header Fields Too Large" },
    { 501, "Not Implemented" },
    { 503, "Service Unavailable" },
    { 505, "HTTP Version Not Supported" },
};

static const char *
reason_of(int status) {
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Error";
}

/* Writes the headers for a web page of an allowed origin. */
static void
put_cors(const struct sq_http_client *client, struct sq_buf *out) {
    struct sq_span origin;
    if (sq_http_head_find(&client->head, "origin", &origin)
        && sq_http_access_is_listed(&client->loop->options->access, origin)) {
        sq_buf_printf(out, NULL,
                      "Access-Control-Allow-Origin: %.*s\r\n"
                      "Access-Control-Expose-Headers: Mcp-Session-Id\r\n"
                      "Vary: Origin\r\n",
                      SQ_SPAN_ARGS(origin));
    }
}

static void
put_body_headers(const struct sq_http_answer *answer, struct sq_buf *out) {
    if (answer->type) {
        sq_buf_printf(out, NULL, "Content-Type: %s\r\n", answer->type);
    }
    if (answer->is_chunked) {
        sq_buf_printf(out, NULL, "Transfer-Encoding: chunked\r\n");
    } else if (answer->status != 204) {
        sq_buf_printf(out, NULL, "Content-Length: %zu\r\n", answer->length);
    }
}

void
sq_http_send_head(struct sq_http_client *client,
                  const struct sq_http_answer *answer) {
    struct sq_buf head;
    sq_buf_init(&head, HEAD_SIZE + SQ_HTTP_MAX_HEAD);
    sq_buf_printf(&head, NULL, "HTTP/1.1 %d %s\r\n", answer->status,
                  reason_of(answer->status));
    put_body_headers(answer, &head);
    if (answer->session) {
        sq_buf_printf(&head, NULL, "Mcp-Session-Id: %s\r\n", answer->session);
    }
    sq_buf_printf(&head, NULL, "Cache-Control: no-store\r\n%s",
                  answer->extra ? answer->extra : "");
    put_cors(client, &head);
    bool ok = sq_buf_printf(&head, NULL, "%s\r\n",
                            client->closes ? "Connection: close\r\n" : "");
    client->is_broken = client->is_broken || !ok;
    sq_http_client_write(client, head.data, head.len);
    sq_buf_finish(&head);
}

void
sq_http_send_body(struct sq_http_client *client, const void *bytes,
                  size_t count) {
    if (!sq_span_is(client->head.method, "HEAD")) {
        sq_http_client_write(client, bytes, count);
    }
}

/* Writes the header that says how to get access, as RFC 6750 and 9728. */
static void
write_challenge(const struct sq_http_client *client, char *out, size_t size) {
    const struct sq_http_options *options = client->loop->options;
    bool is_wrong = sq_http_access_has_token(&client->head);
    bool is_named = options->metadata != NULL;
    snprintf(out, size, "WWW-Authenticate: Bearer%s%s%s%s%s\r\n",
             is_wrong ? " error=\"invalid_token\"" : "",
             is_wrong && is_named ? "," : "",
             is_named ? " resource_metadata=\"" : "",
             is_named ? options->metadata_url : "", is_named ? "\"" : "");
}

void
sq_http_refuse(struct sq_http_client *client,
               const struct sq_http_refusal *refusal) {
    char body[BODY_SIZE];
    char extra[BODY_SIZE] = "";
    if (refusal->status == 401) {
        write_challenge(client, extra, sizeof(extra));
    } else if (refusal->status == 405) {
        snprintf(extra, sizeof(extra), "Allow: POST, GET, DELETE\r\n");
    } else if (refusal->status == 503) {
        snprintf(extra, sizeof(extra), "Retry-After: 1\r\n");
    }
    int length =
        snprintf(body, sizeof(body),
                 "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":"
                 "-32000,\"message\":\"%s\"}}\n",
                 refusal->text);
    const struct sq_http_answer answer = {
        .status = refusal->status,
        .type = "application/json",
        .length = (size_t)length,
        .extra = extra,
    };
    sq_http_send_head(client, &answer);
    sq_http_send_body(client, body, (size_t)length);
}
