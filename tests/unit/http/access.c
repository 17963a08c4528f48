#include "http/serve.h"

#include "support/test.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static const char *const hosts[] = { "phone.example", "other.example:8080",
                                     "Tls.example:443", "plain.example:80",
                                     NULL };
static const char *const origins[] = { "https://app.example",
                                       "http://port.example:80", NULL };

static char text[2000];
static struct sq_http_head head;

/* Parses a request with one more header line; NULL: none. */
static void
make_head(const char *host, const char *line) {
    struct sq_http_refusal refusal;
    size_t used;
    snprintf(text, sizeof(text), "POST /mcp HTTP/1.1\r\nHost: %s\r\n%s%s\r\n",
             host, line ? line : "", line ? "\r\n" : "");
    T_INT(sq_http_head_parse(sq_span_of(text), &head, &used, &refusal),
          SQ_HTTP_DONE);
}

T_CASE(host_must_be_ours) {
    static const struct {
        const char *host;
        bool is_allowed;
    } rows[] = {
        { "localhost:4477", true },
        { "127.0.0.1:4477", true },
        { "[::1]:4477", true },
        { "LocalHost", true },
        { "phone.example", true },
        { "phone.example:1", true },
        { "other.example:8080", true },
        { "other.example", false },
        /* https on 443 and http on 80 send no port. */
        { "tls.example", true },
        { "tls.example:443", true },
        { "tls.example:8443", false },
        { "plain.example", true },
        { "plain.example:443", false },
        { "ls.example", false },
        { "localhost:4478", false },
        { "localhost:44770", false },
        { "localhost:", true },
        { "localhost:x", false },
        { "127.0.0.1.evil.example:4477", false },
        { "evil.example", false },
        { "a@localhost:4477", false },
        { "::1", false },
        { "[::1", false },
        { "0.0.0.0:4477", false },
        { "", false },
    };
    const struct sq_http_access access = { .token = TOKEN,
                                           .port = 4477,
                                           .hosts = hosts };
    T_EACH(i, rows) {
        struct sq_http_refusal refusal = { 0 };
        make_head(rows[i].host, NULL);
        bool is_allowed = sq_http_access_check_names(&access, &head, &refusal);
        T_INT(is_allowed, rows[i].is_allowed);
        T(is_allowed || (refusal.status == 403 && refusal.text));
    }
}

T_CASE(names_of_options_are_checked) {
    static const struct {
        const char *text;
        bool is_host;
        bool is_origin;
    } rows[] = {
        { "phone.example", true, false },
        { "my_phone:8080", true, false },
        { "phone.example:65535", true, false },
        { "[::1]", true, false },
        { "[fe80::1]:80", true, false },
        { "https://app.example", false, true },
        { "http://[::1]:3000", false, true },
        { "chrome-extension://abcdef", false, true },
        { "null", true, true },
        { "file://", false, true },
        { "", false, false },
        { "*", false, false },
        { "*.example", false, false },
        { "phone.example:", false, false },
        { "phone.example:0", false, false },
        { "phone.example:65536", false, false },
        { "phone.example:-1", false, false },
        { "phone.example/", false, false },
        { "::1", false, false },
        { "[]", false, false },
        { "a b", false, false },
        { "https://", false, false },
        { "https://*", false, false },
        { "https://app.example/", false, false },
        { "https://app.example/mcp", false, false },
        { "https://app.example:99999", false, false },
        { "https://a@app.example", false, false },
        { "://app.example", false, false },
    };
    T_EACH(i, rows) {
        struct sq_span name = sq_span_of(rows[i].text);
        T_INT(sq_http_is_host(name), rows[i].is_host);
        T_INT(sq_http_is_origin(name), rows[i].is_origin);
    }
    T(!sq_http_is_host((struct sq_span){ "a\0b", 3 }));
}

T_CASE(origin_must_be_allowed) {
    static const struct {
        const char *line;
        bool is_allowed;
    } rows[] = {
        { NULL, true },
        { "Origin: http://localhost:4477", true },
        { "Origin: https://127.0.0.1:4477", true },
        { "Origin: https://app.example", true },
        { "Origin: https://APP.example", true },
        { "Origin: https://app.example:443", true },
        { "Origin: https://app.example:80", false },
        { "Origin: http://port.example", true },
        { "Origin: HTTP://port.example:80", true },
        { "Origin: http://port.example:8080", false },
        { "Origin: https://port.example", false },
        { "Origin: https://:443", false },
        { "Origin: http://app.example", false },
        { "Origin: https://app.example.evil", false },
        { "Origin: http://localhost:1", false },
        { "Origin: null", false },
        { "Origin: file://", false },
        { "Origin:", false },
    };
    const struct sq_http_access access = { .token = TOKEN,
                                           .port = 4477,
                                           .origins = origins };
    T_EACH(i, rows) {
        struct sq_http_refusal refusal = { 0 };
        make_head("localhost:4477", rows[i].line);
        T_INT(sq_http_access_check_names(&access, &head, &refusal),
              rows[i].is_allowed);
    }
    T(sq_http_access_is_listed(&access, sq_span_of("https://app.example")));
    T(!sq_http_access_is_listed(&access, sq_span_of("http://localhost:4477")));
}

T_CASE(token_must_be_equal) {
    static const struct {
        const char *line;
        bool is_allowed;
    } rows[] = {
        { "Authorization: Bearer " TOKEN, true },
        { "Authorization: BEARER " TOKEN, true },
        { NULL, false },
        { "Authorization: Bearer ", false },
        { "Authorization: Bearer x" TOKEN, false },
        { "Authorization: Bearer " TOKEN "x", false },
        { "Authorization: Bearer 0123456789abcdef0123456789abcdeF", false },
        { "Authorization: Basic " TOKEN, false },
        { "Authorization: " TOKEN, false },
        { "X-Authorization: Bearer " TOKEN, false },
    };
    const struct sq_http_access access = { .token = TOKEN, .port = 4477 };
    T_EACH(i, rows) {
        make_head("localhost:4477", rows[i].line);
        T_INT(sq_http_access_find_token(&access, &head) == 0,
              rows[i].is_allowed);
    }
}

T_CASE(long_token_is_not_cut) {
    const struct sq_http_access access = { .token = TOKEN, .port = 4477 };
    char line[1200] = "Authorization: Bearer ";
    size_t start = strlen(line);
    memset(line + start, 'a', 1000);
    memcpy(line + start, TOKEN, strlen(TOKEN));
    make_head("localhost:4477", line);
    T(sq_http_access_find_token(&access, &head) < 0);
}
