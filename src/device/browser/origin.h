/*
 * Origins of web pages, and which of them may be opened. Pure: nothing is
 * looked up in the network.
 */
#ifndef SQ_DEVICE_BROWSER_ORIGIN_H
#define SQ_DEVICE_BROWSER_ORIGIN_H

#include <stdbool.h>

#include "args/optional.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_HOST_SIZE 256
#define SQ_NAME_CHARACTERS                                                     \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define SQ_MAX_RULES_BYTES ((size_t)32 << 10)

struct sq_origin {
    bool is_https;
    char host[SQ_HOST_SIZE]; /* in lower case; an IPv6 address in brackets */
    int port;
    bool is_local; /* this computer or a private network, by its name */
};

/*
 * Reads the origin of a URL. Fails with SQ_ERR_ARGUMENT unless it is an http or
 * https URL whose host is plain ASCII, and with a name or password in it.
 */
bool sq_origin_parse(struct sq_span url, struct sq_origin *out,
                     struct sq_err *err);

/*
 * Fails with SQ_ERR_INVALID_OPERATION unless an entry of browser.allow matches:
 * "*" matches everything that is not local, any other entry is
 * [SCHEME://]HOST[:PORT], where HOST may begin with "*.".
 */
bool sq_origin_check(const struct sq_origin *origin,
                     const struct sq_strings *allow, struct sq_err *err);

/* Fails with SQ_ERR_ARGUMENT if an entry of browser.allow is malformed. */
bool sq_origin_check_rules(const struct sq_strings *allow, struct sq_err *err);

/*
 * Appends the same rules, by host, for --host-resolver-rules of Chromium, which
 * apply to everything that a page requests. The entries must be valid.
 */
bool sq_origin_resolver_rules(const struct sq_strings *allow,
                              struct sq_buf *out, struct sq_err *err);

/* Returns the origin of a URL as text: all before the path. */
struct sq_span sq_browser_origin(const char *url);

#endif
