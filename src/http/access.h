/* Decides who may use the server: token, Host and Origin. Does no I/O. */
#ifndef SQ_HTTP_ACCESS_H
#define SQ_HTTP_ACCESS_H

#include "http/head.h"

struct sq_http_access {
    const char *token; /* NULL: none is required, only in test fixtures */
    int port;          /* we listen at it; 0: a Unix socket */
    /*
     * Further names by which clients may call us, "name" or "name:port", and
     * further web origins, "https://example.org". Arrays that end with NULL;
     * may be NULL.
     */
    const char *const *hosts;
    const char *const *origins;
};

/* Returns whether clients can send the text as Host: "name" or "name:port". */
bool sq_http_is_host(struct sq_span text);

/* Returns whether browsers can send the text as Origin: "https://name:port". */
bool sq_http_is_origin(struct sq_span text);

/*
 * Checks Host and Origin, against pages that resolve their own name to our
 * address. Loopback names with our port are always allowed.
 */
bool sq_http_access_check_names(const struct sq_http_access *access,
                                const struct sq_http_head *head,
                                struct sq_http_refusal *refusal);

/* Returns whether the request has a token, the right one or not. */
bool sq_http_access_has_token(const struct sq_http_head *head);

/* Returns whether the request has the token. Takes the same time if not. */
bool sq_http_access_check_token(const struct sq_http_access *access,
                                const struct sq_http_head *head);

/* Returns whether the origin is one of access->origins. */
bool sq_http_access_is_listed(const struct sq_http_access *access,
                              struct sq_span origin);

#endif
