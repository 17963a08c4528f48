/* Writes the document of RFC 9728 about the server. */
#include "http/serve.h"

#include <stdio.h>

#define MAX_URL 200

/* Returns whether a path has parts that clients resolve: "." and "..". */
static bool
has_dots(struct sq_span path) {
    bool found = false;
    while (!found && path.len > 0) {
        struct sq_span part;
        if (!sq_span_take_until(&path, '/', &part)) {
            part = path;
            path.len = 0;
        }
        found = sq_span_is(part, ".") || sq_span_is(part, "..");
    }
    return found;
}

/* Splits a web address without a query into scheme, host and path. */
static bool
split_url(const char *url, struct sq_span *host, struct sq_span *path) {
    struct sq_span rest = sq_span_of(url);
    if (!sq_span_take_prefix(&rest, "https://")
        && !sq_span_take_prefix(&rest, "http://")) {
        return false;
    }
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.ptr[i] <= ' ' || rest.ptr[i] > '~'
            || strchr("@?#\"\\<>,", rest.ptr[i])) {
            return false;
        }
    }
    size_t len = strcspn(rest.ptr, "/");
    *host = (struct sq_span){ rest.ptr, len };
    *path = (struct sq_span){ rest.ptr + len, rest.len - len };
    return sq_http_is_host(*host) && !has_dots(*path);
}

bool
sq_http_resource_init(struct sq_http_resource *out, const char *url,
                      struct sq_err *err) {
    struct sq_span host;
    struct sq_span path;
    if (!split_url(url, &host, &path) || path.len == 0
        || strlen(url) > MAX_URL) {
        sq_fail(err, SQ_ERR_ARGUMENT, "\"%.100s\" is not an address of clients",
                url);
        return sq_fail_hint(err, "Give --public-url the whole address of the "
                                 "endpoint, such as "
                                 "https://squint.example.org/mcp.");
    }
    *out = (struct sq_http_resource){ 0 };
    size_t start = (size_t)(host.ptr - url);
    snprintf(out->url, sizeof(out->url), "%s", url);
    snprintf(out->document, sizeof(out->document),
             "%.*s" SQ_HTTP_METADATA_PATH "%s", (int)(start + host.len), url,
             path.ptr);
    out->host = (struct sq_span){ out->url + start, host.len };
    out->path = out->document + start + host.len;
    return true;
}

static void
put_texts(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_begin_array_of(w, key);
    sq_json_put_string(w, sq_span_of(text));
    sq_json_end_array(w);
}

bool
sq_http_resource_write(const struct sq_http_resource *resource,
                       const char *authorization_server, struct sq_buf *out,
                       struct sq_err *err) {
    struct sq_json_writer w;
    struct sq_span host;
    struct sq_span path;
    if (!split_url(authorization_server, &host, &path)) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "\"%.100s\" is not an address of an OAuth server",
                authorization_server);
        return sq_fail_hint(err, "Give --authorization-server its address, "
                                 "such as https://auth.example.org.");
    }
    sq_json_open(&w, out);
    sq_json_put_string(sq_json_at(&w, "resource"), sq_span_of(resource->url));
    put_texts(&w, "authorization_servers", authorization_server);
    put_texts(&w, "bearer_methods_supported", "header");
    return sq_json_close(&w, err);
}
