/* Writes the document of RFC 9728 about the server. */
#include "http/resource.h"

#include <stdio.h>
#include <string.h>

#include "http/serve.h"
#include "json/writer.h"

#define MAX_URL 200

static bool
is_endpoint(const char *url, struct sq_span rest) {
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.ptr[i] <= ' ' || rest.ptr[i] > '~'
            || strchr("@?#\"\\<>,", rest.ptr[i])) {
            return false;
        }
    }
    return strlen(url) <= MAX_URL && rest.len > 0 && rest.ptr[0] != '/'
        && sq_span_contains(rest, '/');
}

bool
sq_http_resource_init(struct sq_http_resource *out, const char *url,
                      struct sq_err *err) {
    struct sq_span rest = sq_span_of(url);
    bool is_web = sq_span_take_prefix(&rest, "https://")
               || sq_span_take_prefix(&rest, "http://");
    if (!is_web || !is_endpoint(url, rest)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "\"%.100s\" is not an address of clients",
                url);
        return sq_fail_hint(err, "Give --public-url the whole address of the "
                                 "endpoint, such as "
                                 "https://squint.example.org/mcp.");
    }
    *out = (struct sq_http_resource){ 0 };
    size_t start = (size_t)(rest.ptr - url);
    size_t host = strcspn(rest.ptr, "/");
    snprintf(out->url, sizeof(out->url), "%s", url);
    snprintf(out->document, sizeof(out->document),
             "%.*s" SQ_HTTP_METADATA_PATH "%s", (int)(start + host), url,
             rest.ptr + host);
    out->host = (struct sq_span){ out->url + start, host };
    out->path = out->document + start + host;
    return true;
}

static void
put_texts(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_key(w, key);
    sq_json_begin_array(w);
    sq_json_put_string(w, sq_span_of(text));
    sq_json_end_array(w);
}

bool
sq_http_resource_write(const struct sq_http_resource *resource,
                       const char *authorization_server, struct sq_buf *out,
                       struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "resource");
    sq_json_put_string(&w, sq_span_of(resource->url));
    put_texts(&w, "authorization_servers", authorization_server);
    put_texts(&w, "bearer_methods_supported", "header");
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}
