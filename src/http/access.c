/* Decides who may use the server. */
#include "http/serve.h"

#include <sodium.h>
#include <stdio.h>
#include <strings.h>

#define MAX_NAME 256
#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *const loopback[] = { "localhost", "127.0.0.1", "[::1]",
                                        NULL };

static bool
is_same(struct sq_span a, struct sq_span b) {
    return a.len == b.len && strncasecmp(a.ptr, b.ptr, a.len) == 0;
}

static bool
is_in(const char *const *list, struct sq_span text) {
    while (list && *list && !is_same(text, sq_span_of(*list))) {
        list++;
    }
    return list && *list;
}

/* Splits "name:port"; the port is empty if there is none. */
static void
split_port(struct sq_span authority, struct sq_span *name,
           struct sq_span *port) {
    size_t at = authority.len;
    *name = authority;
    *port = (struct sq_span){ 0 };
    while (at > 0 && authority.ptr[at - 1] != ':'
           && authority.ptr[at - 1] != ']') {
        at--;
    }
    if (at > 0 && authority.ptr[at - 1] == ':') {
        name->len = at - 1;
        *port = (struct sq_span){ authority.ptr + at, authority.len - at };
    }
}

static bool
has_only(struct sq_span text, const char *allowed) {
    size_t i = 0;
    while (i < text.len && text.ptr[i] && strchr(allowed, text.ptr[i])) {
        i++;
    }
    return text.len > 0 && i == text.len;
}

bool
sq_http_is_host(struct sq_span text) {
    struct sq_span name;
    struct sq_span port;
    int64_t number = 0;
    split_port(text, &name, &port);
    if (name.len < text.len
        && (!has_only(port, DIGITS) || !sq_span_to_int64(port, &number)
            || number < 1 || number > 65535)) {
        return false;
    }
    if (name.len > 2 && name.ptr[0] == '[' && name.ptr[name.len - 1] == ']') {
        return has_only((struct sq_span){ name.ptr + 1, name.len - 2 },
                        DIGITS "abcdefABCDEF:.");
    }
    return has_only(name, DIGITS LETTERS "-._");
}

bool
sq_http_is_origin(struct sq_span text) {
    struct sq_span scheme;
    return sq_span_is(text, "null") || sq_span_is(text, "file://")
        || (sq_span_take_until(&text, ':', &scheme)
            && has_only(scheme, DIGITS LETTERS "+-.")
            && sq_span_take_prefix(&text, "//") && sq_http_is_host(text));
}

/*
 * Returns whether the authority is a loopback name with our port. Without a
 * port it means port 80, which is also allowed: proxies drop ours.
 */
static bool
is_own(const struct sq_http_access *access, struct sq_span authority) {
    struct sq_span name;
    struct sq_span port;
    int64_t number;
    split_port(authority, &name, &port);
    return is_in(loopback, name)
        && (port.len == 0 || access->port == 0
            || (sq_span_to_int64(port, &number) && number == access->port));
}

/*
 * Returns whether a Host is listed, with its port or without. A browser sends
 * no port that its scheme implies, so without one it is that of either scheme.
 */
static bool
is_listed_host(const struct sq_http_access *access, struct sq_span authority) {
    struct sq_span name;
    struct sq_span port;
    split_port(authority, &name, &port);
    if (is_in(access->hosts, authority) || is_in(access->hosts, name)) {
        return true;
    }
    for (const char *const *at = access->hosts; at && *at && !port.len; at++) {
        struct sq_span listed_name;
        struct sq_span listed_port;
        split_port(sq_span_of(*at), &listed_name, &listed_port);
        if ((sq_span_is(listed_port, "80") || sq_span_is(listed_port, "443"))
            && is_same(listed_name, name)) {
            return true;
        }
    }
    return false;
}

/* Removes the port that the scheme implies; browsers never send it. */
static struct sq_span
without_default_port(struct sq_span origin) {
    static const char *const schemes[][2] = { { "http://", ":80" },
                                              { "https://", ":443" } };
    for (size_t i = 0; i < SQ_COUNT(schemes); i++) {
        const char *port = schemes[i][1];
        size_t scheme_len = strlen(schemes[i][0]);
        size_t rest = origin.len - strlen(port);
        if (origin.len > scheme_len + strlen(port)
            && strncasecmp(origin.ptr, schemes[i][0], scheme_len) == 0
            && memcmp(origin.ptr + rest, port, strlen(port)) == 0) {
            return (struct sq_span){ origin.ptr, rest };
        }
    }
    return origin;
}

bool
sq_http_access_is_listed(const struct sq_http_access *access,
                         struct sq_span origin) {
    origin = without_default_port(origin);
    for (const char *const *at = access->origins; at && *at; at++) {
        if (is_same(without_default_port(sq_span_of(*at)), origin)) {
            return true;
        }
    }
    return false;
}

static bool
refuse(struct sq_http_refusal *refusal, const char *text) {
    *refusal = (struct sq_http_refusal){ 403, text };
    return false;
}

bool
sq_http_access_check_names(const struct sq_http_access *access,
                           const struct sq_http_head *head,
                           struct sq_http_refusal *refusal) {
    struct sq_span host;
    struct sq_span origin;
    if (sq_http_head_find(head, "host", &host) && !is_own(access, host)
        && !is_listed_host(access, host)) {
        return refuse(refusal, "this Host is not allowed; use localhost, or "
                               "start the server with --allow-host");
    }
    if (!sq_http_head_find(head, "origin", &origin)
        || sq_http_access_is_listed(access, origin)) {
        return true;
    }
    bool is_web = sq_span_take_prefix(&origin, "http://")
               || sq_span_take_prefix(&origin, "https://");
    return (is_web && is_own(access, origin))
        || refuse(refusal, "this Origin is not allowed; start the server with "
                           "--allow-origin if it should be");
}

/* Finds the token in the header Authorization: Bearer. */
static bool
find_token(const struct sq_http_head *head, struct sq_span *out) {
    static const char scheme[] = "bearer ";
    const size_t len = sizeof(scheme) - 1;
    struct sq_span value;
    bool ok = sq_http_head_find(head, "authorization", &value)
           && value.len > len && strncasecmp(value.ptr, scheme, len) == 0;
    if (ok) {
        *out = (struct sq_span){ value.ptr + len, value.len - len };
    }
    return ok;
}

bool
sq_http_access_has_token(const struct sq_http_head *head) {
    struct sq_span token;
    return find_token(head, &token);
}

int
sq_http_access_find_token(const struct sq_http_access *access,
                          const struct sq_http_head *head) {
    struct sq_span value = { 0 };
    char given[MAX_NAME] = { 0 };
    int found = -1;
    if (!access->token) {
        return 0;
    }
    bool is_bearer = find_token(head, &value);
    if (is_bearer && value.len < sizeof(given)) {
        memcpy(given, value.ptr, value.len);
    }
    for (int i = access->limited_count; i >= 0; i--) {
        char expected[MAX_NAME] = { 0 };
        snprintf(expected, sizeof(expected), "%s",
                 i > 0 ? access->limited[i - 1].token : access->token);
        found = sodium_memcmp(given, expected, sizeof(given)) == 0 ? i : found;
        sodium_memzero(expected, sizeof(expected));
    }
    sodium_memzero(given, sizeof(given));
    return is_bearer ? found : -1;
}
