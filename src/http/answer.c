/* Writes the heads of answers, and answers that refuse a request. */
#include "http/private.h"

#include <event2/bufferevent.h>
#include <stdio.h>

#include "sys/clock.h"
#include "sys/sockets.h"

#define HEAD_SIZE 1200
#define BODY_SIZE 600
#define LINE_SIZE 600
#define MAX_SHOWN 80 /* bytes of a header in a line */

/* How many refusals are reported in which time. */
#define MAX_REPORTS 10
#define REPORTS_NS ((int64_t)10 * 1000000000)

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
    { 429, "Too Many Requests" },
    { 431, "Request Header Fields Too Large" },
    { 501, "Not Implemented" },
    { 503, "Service Unavailable" },
    { 505, "HTTP Version Not Supported" },
};

static const char *
reason_of(int status) {
    for (size_t i = 0; i < SQ_COUNT(reasons); i++) {
        if (reasons[i].status == status) {
            return reasons[i].reason;
        }
    }
    return "Error";
}

void
sq_http_send_head(struct sq_http_client *client,
                  const struct sq_http_answer *answer) {
    SQ_BUF(head, HEAD_SIZE + SQ_HTTP_MAX_HEAD);
    sq_buf_printf(&head, NULL, "HTTP/1.1 %d %s\r\n", answer->status,
                  reason_of(answer->status));
    if (answer->type) {
        sq_buf_printf(&head, NULL, "Content-Type: %s\r\n", answer->type);
    }
    if (answer->is_chunked) {
        sq_buf_printf(&head, NULL, "Transfer-Encoding: chunked\r\n");
    } else if (answer->status != 204) {
        sq_buf_printf(&head, NULL, "Content-Length: %zu\r\n", answer->length);
    }
    if (answer->session) {
        sq_buf_printf(&head, NULL, "Mcp-Session-Id: %s\r\n", answer->session);
    }
    sq_buf_printf(&head, NULL, "Cache-Control: no-store\r\n%s",
                  answer->extra ? answer->extra : "");
    /* Writes the headers for a web page of an allowed origin. */
    struct sq_span origin;
    if (sq_http_head_find(&client->head, "origin", &origin)
        && sq_http_access_is_listed(&client->loop->options->access, origin)) {
        sq_buf_printf(&head, NULL,
                      "Access-Control-Allow-Origin: %.*s\r\n"
                      "Access-Control-Expose-Headers: Mcp-Session-Id, "
                      "WWW-Authenticate, Retry-After, Allow\r\n"
                      "Vary: Origin\r\n",
                      SQ_SPAN_ARGS(origin));
    }
    bool ok = sq_buf_printf(&head, NULL, "%s\r\n",
                            client->closes ? "Connection: close\r\n" : "");
    client->is_broken = client->is_broken || !ok;
    sq_http_client_write(client, head.data, head.len);
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
sq_http_report_rest(struct sq_http_loop *loop) {
    char line[LINE_SIZE];
    int64_t now = sq_clock_monotonic_ns();
    if (now - loop->reports.since_ns < REPORTS_NS) {
        return;
    }
    if (loop->reports.left_out > 0) {
        snprintf(line, sizeof(line), "refused %d more requests",
                 loop->reports.left_out);
        loop->options->report(loop->options->context, line);
    }
    loop->reports.since_ns = now;
    loop->reports.count = loop->reports.left_out = 0;
}

/* Appends a header of the request, if it has it, as " (Name: value)". */
static void
put_header(const struct sq_http_head *head, const char *name,
           struct sq_buf *out) {
    struct sq_span value;
    if (sq_http_head_find(head, name, &value)) {
        value.len = value.len < MAX_SHOWN ? value.len : MAX_SHOWN;
        sq_buf_printf(out, NULL, " (%s: %.*s)", name, SQ_SPAN_ARGS(value));
    }
}

void
sq_http_report(struct sq_http_client *client, int status,
               struct sq_span reason) {
    struct sq_http_loop *loop = client->loop;
    bool is_of_interest = status == 401 || status == 403 || status == 413
                       || status == 429 || status == 503;
    if (!loop->options->report || !is_of_interest) {
        return;
    }
    sq_http_report_rest(loop);
    if (loop->reports.count == MAX_REPORTS) {
        loop->reports.left_out++;
        return;
    }
    char peer[SQ_SOCKET_PEER_SIZE];
    SQ_BUF(line, LINE_SIZE);
    sq_socket_name_peer((int)bufferevent_getfd(client->stream), peer);
    sq_buf_printf(&line, NULL, "refused %s: %d, %.*s", peer, status,
                  SQ_SPAN_ARGS(sq_span_trim(reason)));
    if (status == 403) {
        put_header(&client->head, "host", &line);
        put_header(&client->head, "origin", &line);
    }
    put_header(&client->head, "x-forwarded-for", &line);
    if (sq_buf_append(&line, "", 1, NULL)) {
        loop->reports.count++;
        loop->options->report(loop->options->context, (const char *)line.data);
    }
}

void
sq_http_refuse(struct sq_http_client *client,
               const struct sq_http_refusal *refusal) {
    char body[BODY_SIZE];
    char extra[BODY_SIZE] = "";
    sq_http_report(client, refusal->status, sq_span_of(refusal->text));
    const int status = refusal->status;
    const size_t size = sizeof(extra);
    struct sq_span encoding;
    if (status == 401) {
        write_challenge(client, extra, size);
    } else if (status == 405) {
        snprintf(extra, size, "Allow: POST, GET, DELETE\r\n");
    } else if (status == 415
               && sq_http_head_find(&client->head, "content-encoding",
                                    &encoding)) {
        snprintf(extra, size, "Accept-Encoding: identity\r\n");
    } else if (status == 503) {
        snprintf(extra, size, "Retry-After: 1\r\n");
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
