/* Reads origins of URLs, and compares them with browser.allow. */
#include "device/browser/origin.h"

#include <stdio.h>
#include <string.h>

#define MAX_PORT 65535
#define HTTP_PORT 80
#define HTTPS_PORT 443

/* Takes an IPv4 address in its usual form. */
static bool
read_address(struct sq_span host, int parts[4]) {
    for (int i = 0; i < 4; i++) {
        int64_t part;
        bool is_plain = host.len > 0 && sq_is_digit(host.ptr[0])
                     && !(host.len > 1 && host.ptr[0] == '0'
                          && sq_is_digit(host.ptr[1]));
        if (!is_plain || !sq_span_take_int64(&host, &part) || part > 255
            || (i < 3 && !sq_span_take_prefix(&host, "."))) {
            return false;
        }
        parts[i] = (int)part;
    }
    return host.len == 0;
}

static bool
is_private(const int parts[4]) {
    int a = parts[0];
    int b = parts[1];
    return a == 0 || a == 10 || a == 127 || a >= 224 || (a == 169 && b == 254)
        || (a == 172 && b >= 16 && b < 32) || (a == 192 && b == 168)
        || (a == 100 && b >= 64 && b < 128);
}

/* The last label decides whether a browser reads a host as an IPv4 address. */
static bool
ends_like_address(struct sq_span host) {
    size_t at = host.len;
    while (at > 0 && host.ptr[at - 1] != '.') {
        at--;
    }
    return at < host.len && sq_is_digit(host.ptr[at]);
}

static bool
is_local_name(struct sq_span host) {
    static const char *const endings[] = { ".localhost", ".local",
                                           ".internal",  ".lan",
                                           ".home.arpa", ".home" };
    bool is_local = !sq_span_contains(host, '.');
    for (size_t i = 0; i < SQ_COUNT(endings); i++) {
        is_local = is_local || sq_span_ends_with(host, endings[i]);
    }
    return is_local;
}

static bool
fail_host(struct sq_err *err) {
    return sq_fail_argument(
        err, "the URL has no host that can be checked",
        "Write it as https://example.com/: a name in ASCII (xn--...), or an "
        "address such as 192.0.2.1, without a user name.");
}

/* Takes the host: a name or address, or an IPv6 address in brackets. */
static bool
take_host(struct sq_span *rest, struct sq_span *host) {
    size_t len = sq_span_starts_with(*rest, "[");
    const bool has_bracket = len > 0;
    const char *characters =
        has_bracket ? "0123456789abcdefABCDEF:." : SQ_NAME_CHARACTERS ".-_";
    while (len < rest->len && rest->ptr[len]
           && strchr(characters, rest->ptr[len])) {
        len++;
    }
    if (has_bracket) {
        len = len < rest->len && rest->ptr[len] == ']' ? len + 1 : 0;
    }
    if (len == 0 || len > rest->len || len >= SQ_HOST_SIZE) {
        return false;
    }
    *host = (struct sq_span){ rest->ptr, len };
    sq_span_skip(rest, len);
    return true;
}

/* Sets the host, and whether it is local. */
static bool
set_host(struct sq_span host, struct sq_origin *out) {
    int parts[4];
    for (size_t i = 0; i < host.len; i++) {
        out->host[i] = sq_ascii_lower(host.ptr[i]);
    }
    out->host[host.len] = '\0';
    host.ptr = out->host;
    if (host.ptr[host.len - 1] == '.') {
        host.len--;
    }
    if (host.len == 0) {
        return false;
    }
    if (host.ptr[0] == '[') {
        out->is_local = true;
        return true;
    }
    if (ends_like_address(host)) {
        bool is_address = read_address(host, parts);
        out->is_local = is_address && is_private(parts);
        return is_address;
    }
    out->is_local = is_local_name(host);
    return true;
}

/* Takes the scheme. Other schemes are refused. */
static bool
take_scheme(struct sq_span *rest, bool *is_https) {
    struct sq_span url = *rest;
    struct sq_span scheme;
    if (!sq_span_take_until(&url, ':', &scheme)
        || !sq_span_take_prefix(&url, "//")) {
        return false;
    }
    *is_https = sq_span_is_word(scheme, "https");
    *rest = url;
    return *is_https || sq_span_is_word(scheme, "http");
}

bool
sq_origin_parse(struct sq_span url, struct sq_origin *out, struct sq_err *err) {
    struct sq_origin origin = { 0 };
    struct sq_span host;
    int64_t port;
    if (!take_scheme(&url, &origin.is_https)) {
        return sq_fail_argument(err, "a browser opens http and https URLs only",
                                "Give a whole URL: https://example.com/");
    }
    if (!take_host(&url, &host) || !set_host(host, &origin)) {
        return fail_host(err);
    }
    origin.port = origin.is_https ? HTTPS_PORT : HTTP_PORT;
    if (sq_span_take_prefix(&url, ":")) {
        if (!sq_span_take_int64(&url, &port) || port < 0 || port > MAX_PORT) {
            return fail_host(err);
        }
        origin.port = (int)port;
    }
    if (url.len > 0 && !strchr("/?#", url.ptr[0])) {
        return fail_host(err);
    }
    *out = origin;
    return true;
}

/* An entry of browser.allow. */
struct rule {
    bool is_all;
    bool has_scheme;
    bool is_https;
    bool has_subdomains; /* "*." before the host */
    struct sq_span host;
    int port; /* 0: any */
};

static bool
parse_rule(const char *entry, struct rule *out) {
    struct sq_span rest = sq_span_of(entry);
    int64_t port;
    *out = (struct rule){ .is_all = sq_span_is(rest, "*") };
    if (out->is_all) {
        return true;
    }
    out->has_scheme = take_scheme(&rest, &out->is_https);
    out->has_subdomains = sq_span_take_prefix(&rest, "*.");
    if (!take_host(&rest, &out->host)) {
        return false;
    }
    if (out->has_scheme) {
        out->port = out->is_https ? HTTPS_PORT : HTTP_PORT;
    }
    if (sq_span_take_prefix(&rest, ":")) {
        bool is_any = sq_span_take_prefix(&rest, "*");
        if (!is_any
            && (!sq_span_take_int64(&rest, &port) || port < 1
                || port > MAX_PORT)) {
            return false;
        }
        out->port = is_any ? 0 : (int)port;
    }
    sq_span_take_prefix(&rest, "/");
    return rest.len == 0;
}

bool
sq_origin_check_rules(const struct sq_strings *allow, struct sq_err *err) {
    struct rule rule;
    for (size_t i = 0; i < allow->count; i++) {
        if (!parse_rule(allow->items[i], &rule)) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "browser.allow has \"%.100s\", which is no origin",
                    allow->items[i]);
            return sq_fail_hint(
                err, "Write *, https://example.com, *.example.com or "
                     "http://localhost:3000.");
        }
    }
    return true;
}

static bool
host_matches(const struct rule *rule, struct sq_span host) {
    if (rule->has_subdomains && host.len > rule->host.len) {
        size_t at = host.len - rule->host.len;
        if (host.ptr[at - 1] != '.') {
            return false;
        }
        host.ptr += at;
        host.len -= at;
    }
    bool is_same = host.len == rule->host.len;
    for (size_t i = 0; is_same && i < host.len; i++) {
        is_same = host.ptr[i] == sq_ascii_lower(rule->host.ptr[i]);
    }
    return is_same;
}

static bool
matches(const struct rule *rule, const struct sq_origin *origin) {
    if (rule->is_all) {
        return !origin->is_local;
    }
    return (!rule->has_scheme || rule->is_https == origin->is_https)
        && (rule->port == 0 || rule->port == origin->port)
        && host_matches(rule, sq_span_of(origin->host));
}

bool
sq_origin_check(const struct sq_origin *origin, const struct sq_strings *allow,
                struct sq_err *err) {
    struct rule rule;
    for (size_t i = 0; i < allow->count; i++) {
        if (parse_rule(allow->items[i], &rule) && matches(&rule, origin)) {
            return true;
        }
    }
    const char *scheme = origin->is_https ? "https" : "http";
    sq_fail(err, SQ_ERR_INVALID_OPERATION, "%s://%.200s:%d may not be opened%s",
            scheme, origin->host, origin->port,
            origin->is_local ? ": it is on this computer or in a private "
                               "network"
                             : "");
    return sq_fail_hint(err,
                        "${Ask the person to add|Add} %s://%.200s:%d to "
                        "--browser-allow or browser.allow if this is wanted.",
                        scheme, origin->host, origin->port);
}

/*
 * Appends rules that make local hosts impossible to reach, also by a name with
 * a dot at its end.
 */
static bool
put_local_rules(struct sq_buf *out, struct sq_err *err) {
    static const char *const patterns[] = {
        "localhost", "*.localhost", "*.local", "*.internal",    "*.lan",
        "*.home",    "*.home.arpa", "0.*",     "10.*",          "127.*",
        "169.254.*", "192.168.*",   "*:*:*",   "255.255.255.*",
    };
    bool ok = true;
    for (size_t i = 0; i < SQ_COUNT(patterns); i++) {
        ok = ok
          && sq_buf_printf(out, err, "MAP %s ~NOTFOUND,MAP %s. ~NOTFOUND,",
                           patterns[i], patterns[i]);
    }
    for (int i = 16; i < 32; i++) {
        ok = ok && sq_buf_printf(out, err, "MAP 172.%d.* ~NOTFOUND,", i);
    }
    for (int i = 64; i < 128; i++) {
        ok = ok && sq_buf_printf(out, err, "MAP 100.%d.* ~NOTFOUND,", i);
    }
    return ok;
}

bool
sq_origin_resolver_rules(const struct sq_strings *allow, struct sq_buf *out,
                         struct sq_err *err) {
    bool has_all = false;
    bool ok = true;
    for (size_t i = 0; ok && i < allow->count; i++) {
        struct rule rule;
        if (!parse_rule(allow->items[i], &rule)) {
            continue;
        }
        has_all = has_all || rule.is_all;
        if (!rule.is_all) {
            ok = sq_buf_printf(out, err, "EXCLUDE %.*s,",
                               SQ_SPAN_ARGS(rule.host))
              && (!rule.has_subdomains
                  || sq_buf_printf(out, err, "EXCLUDE *.%.*s,",
                                   SQ_SPAN_ARGS(rule.host)));
        }
    }
    return ok
        && (has_all ? put_local_rules(out, err)
                    : sq_buf_printf(out, err, "MAP * ~NOTFOUND"));
}

struct sq_span
sq_browser_origin(const char *url) {
    struct sq_span rest = sq_span_of(url);
    struct sq_span scheme;
    if (!sq_span_take_until(&rest, ':', &scheme)
        || !sq_span_take_prefix(&rest, "//")) {
        return sq_span_of(url);
    }
    size_t len = (size_t)(rest.ptr - url) + strcspn(rest.ptr, "/?#");
    return (struct sq_span){ url, len };
}
