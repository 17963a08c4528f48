/* Parses and formats addresses of the adb server. */
#include "device/android/address.h"

#include <stdio.h>
#include <string.h>

#define LOCAL_HOST "127.0.0.1"
#define MAX_PORT 65535

static bool
fail_address(struct sq_span text, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "\"%.*s\" is not an address of an adb server",
            text.len < 80 ? (int)text.len : 80, text.ptr ? text.ptr : "");
    return sq_fail_hint(err, "Write tcp:HOST:PORT, tcp:PORT or "
                             "localfilesystem:PATH.");
}

/* Copies a span as a C string. Returns false if it does not fit. */
static bool
copy(struct sq_span text, char *out, size_t size) {
    if (text.len == 0 || text.len >= size || sq_span_contains(text, '\0')) {
        return false;
    }
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
    return true;
}

/* Copies a host name. "*" means all interfaces, so use localhost. */
static bool
copy_host(struct sq_span text, char *out, size_t size) {
    return copy(sq_span_is(text, "*") ? SQ_SPAN("localhost") : text, out, size);
}

static bool
read_port(struct sq_span text, int *out) {
    int64_t port;
    if (!sq_span_to_int64(text, &port) || port < 1 || port > MAX_PORT) {
        return false;
    }
    *out = (int)port;
    return true;
}

static bool
is_number(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') {
            return false;
        }
    }
    return text.len > 0;
}

/* Splits "[v6]:port", "host:port" or "host". *port is empty if absent. */
static bool
split(struct sq_span text, struct sq_span *host, struct sq_span *port) {
    *port = (struct sq_span){ 0 };
    if (sq_span_take_prefix(&text, "[")) {
        if (!sq_span_take_until(&text, ']', host)) {
            return false;
        }
        *port = text;
        return text.len == 0 || sq_span_take_prefix(port, ":");
    }
    if (!sq_span_take_until(&text, ':', host)) {
        *host = text;
    } else {
        *port = text;
    }
    return !sq_span_contains(*port, ':') && !sq_span_contains(*host, '/');
}

static bool
read_tcp(struct sq_span text, struct sq_adb_address *out) {
    struct sq_span host;
    struct sq_span port;
    if (is_number(text)) {
        host = SQ_SPAN(LOCAL_HOST);
        port = text;
    } else if (!split(text, &host, &port)) {
        return false;
    }
    out->port = SQ_ADB_PORT;
    return copy_host(host, out->host, sizeof(out->host))
        && (port.len == 0 || read_port(port, &out->port));
}

bool
sq_adb_address_parse(struct sq_span text, struct sq_adb_address *out,
                     struct sq_err *err) {
    struct sq_adb_address address = { 0 };
    struct sq_span rest = text;
    bool ok;
    if (sq_span_take_prefix(&rest, "localfilesystem:")) {
        ok = copy(rest, address.path, sizeof(address.path));
    } else {
        sq_span_take_prefix(&rest, "tcp:");
        ok = read_tcp(rest, &address);
    }
    if (!ok) {
        return fail_address(text, err);
    }
    *out = address;
    return true;
}

static bool
is_set(const char *text) {
    return text && text[0];
}

bool
sq_adb_address_choose(const char *configured,
                      const struct sq_adb_environment *environment,
                      struct sq_adb_address *out, struct sq_err *err) {
    if (is_set(configured)) {
        return sq_adb_address_parse(sq_span_of(configured), out, err);
    }
    if (is_set(environment->socket)) {
        return sq_adb_address_parse(sq_span_of(environment->socket), out, err)
            || sq_fail_in(err, "ADB_SERVER_SOCKET");
    }
    struct sq_adb_address address = { .port = SQ_ADB_PORT };
    const char *host =
        is_set(environment->host) ? environment->host : LOCAL_HOST;
    if (!copy_host(sq_span_of(host), address.host, sizeof(address.host))) {
        return fail_address(sq_span_of(host), err);
    }
    if (is_set(environment->port)
        && !read_port(sq_span_of(environment->port), &address.port)) {
        fail_address(sq_span_of(environment->port), err);
        return sq_fail_in(err, "ANDROID_ADB_SERVER_PORT");
    }
    *out = address;
    return true;
}

bool
sq_adb_address_is_local(const struct sq_adb_address *address) {
    return address->path[0] || strcmp(address->host, "localhost") == 0
        || strcmp(address->host, "::1") == 0
        || strncmp(address->host, "127.", 4) == 0;
}

void
sq_adb_address_show(const struct sq_adb_address *address,
                    char out[SQ_ADB_PLACE_SIZE]) {
    if (address->path[0]) {
        snprintf(out, SQ_ADB_PLACE_SIZE, "localfilesystem:%s", address->path);
    } else {
        bool is_v6 = strchr(address->host, ':') != NULL;
        snprintf(out, SQ_ADB_PLACE_SIZE, "tcp:%s%s%s:%d", is_v6 ? "[" : "",
                 address->host, is_v6 ? "]" : "", address->port);
    }
}
