/*
 * The HTTP transport (Streamable HTTP): serves many clients on sockets. Modern
 * requests are stateless; legacy clients have sessions.
 */
#ifndef SQ_HTTP_SERVE_H
#define SQ_HTTP_SERVE_H

#include "http/access.h"
#include "http/site.h"
#include "mcp/server.h"

/* Limits and times; zero means the default. */
struct sq_http_limits {
    int max_clients;   /* open connections */
    int max_sessions;  /* of legacy clients */
    int head_ms;       /* until a head is complete */
    int body_ms;       /* until a body is complete */
    int idle_ms;       /* between requests */
    int stalled_ms;    /* until the client reads the next bytes */
    int flush_ms;      /* until it has read everything that was sent */
    int keep_alive_ms; /* between comments on a quiet stream */
    int session_ms;    /* until an unused session ends */
};

#define SQ_HTTP_MAX_LISTENERS 8

struct sq_http_options {
    struct sq_http_access access;
    struct sq_http_limits limits;
    int listeners[SQ_HTTP_MAX_LISTENERS]; /* sockets; closed at the end */
    int listener_count;
    /*
     * For clients without a token: the document of RFC 9728 about where tokens
     * are issued, and its address. Both may be NULL.
     */
    const char *metadata;
    const char *metadata_url;
    const char *metadata_path; /* further path of the document; may be NULL */
    const struct sq_http_site *site; /* beside the protocol; may be NULL */
    /* Called when clients are served and signals are handled. May be NULL. */
    void (*started)(const struct sq_http_options *options);
    void *context; /* of the functions below */
    /*
     * Reports refused requests, which the caller limits in number: one line
     * without its end. May be NULL.
     */
    void (*report)(void *context, const char *line);
    /*
     * Called before a request is checked: updates `access`. is_forced: a
     * hangup signal asks for it. Returns whether the token has changed. May be
     * NULL.
     */
    bool (*refresh)(void *context, bool is_forced);
    /* A hangup signal calls refresh instead of ending the server. */
    bool survives_hangup;
};

#define SQ_HTTP_PATH "/mcp"
#define SQ_HTTP_METADATA_PATH "/.well-known/oauth-protected-resource"

/*
 * Serves until a termination signal arrives, then lets running calls finish for
 * mcp->drain_ms. Returns the exit status of the process. Ends the process
 * instead if a call cannot be cancelled in time.
 */
int sq_http_serve(const struct sq_mcp_host *host,
                  const struct sq_mcp_options *mcp,
                  const struct sq_http_options *options);

#endif
