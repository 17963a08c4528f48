/* Serves clients over HTTP: the protocol, other pages, and who has access. */
#ifndef SQ_HTTP_SERVE_H
#define SQ_HTTP_SERVE_H

#include <sys/types.h>

#include "mcp/server.h"

/*
 * Parses the head of an HTTP/1.1 request: the request line and the headers.
 * Strict where two programs could read one head differently: no bare LF, no
 * continuation lines, no second Host or Content-Length, never a length and a
 * transfer encoding. Does no I/O.
 */

/* Bytes of a head, and number of its headers. */
#define SQ_HTTP_MAX_HEAD ((size_t)8 << 10)
#define SQ_HTTP_MAX_HEADERS 64

struct sq_http_header {
    struct sq_span name; /* as sent; compare without case */
    struct sq_span value;
};

enum sq_http_framing {
    SQ_HTTP_NO_BODY,
    SQ_HTTP_LENGTH,
    SQ_HTTP_CHUNKED,
};

/* Points into the bytes it was parsed from. */
struct sq_http_head {
    struct sq_span method;
    struct sq_span path; /* without the query */
    struct sq_span query;
    struct sq_http_header headers[SQ_HTTP_MAX_HEADERS];
    int header_count;
    enum sq_http_framing framing;
    uint64_t length; /* of the body, with SQ_HTTP_LENGTH */
    bool is_version_1_1;
    bool keeps_alive;
    bool expects_continue;
};

enum sq_http_parse {
    SQ_HTTP_MORE, /* incomplete so far */
    SQ_HTTP_DONE,
    SQ_HTTP_BAD,
};

/* Why a request is refused. */
struct sq_http_refusal {
    int status;       /* such as 400 */
    const char *text; /* for the client; constant */
};

/*
 * Parses a head, which ends with an empty line. Returns SQ_HTTP_MORE if that
 * line is missing, and SQ_HTTP_BAD with the reason. *used is the length of the
 * head.
 */
enum sq_http_parse sq_http_head_parse(struct sq_span bytes,
                                      struct sq_http_head *out, size_t *used,
                                      struct sq_http_refusal *refusal);

/* Finds the first header with that name, given in lower case. */
bool sq_http_head_find(const struct sq_http_head *head, const char *name,
                       struct sq_span *out);

/*
 * Returns whether a header, a list separated by commas, contains the word in
 * lower case. Parameters after a semicolon are ignored.
 */
bool sq_http_head_lists(const struct sq_http_head *head, const char *name,
                        const char *word);

struct sq_http_token_file;

struct sq_http_access {
    const char *token; /* NULL: none is required, only in test fixtures */
    /* Tokens of clients with a policy of their own, which is their number. */
    const struct sq_http_token_file *limited;
    int limited_count;
    int port; /* we listen at it; 0: a Unix socket */
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

/*
 * Returns the number of the policy whose token the request has, from 1; 0 for
 * the token without limits of its own; -1 if it has none of them. Takes the
 * same time for each.
 */
int sq_http_access_find_token(const struct sq_http_access *access,
                              const struct sq_http_head *head);

/* Returns whether the origin is one of access->origins. */
bool sq_http_access_is_listed(const struct sq_http_access *access,
                              struct sq_span origin);

/*
 * A web site that the server offers beside the protocol, below one path. Its
 * files are answered immediately; other requests run on threads of their own
 * and answer with JSON or with a stream of events.
 */

/* What is done with a request. */
enum sq_http_site_step {
    SQ_HTTP_SITE_PAGE, /* send the page */
    SQ_HTTP_SITE_RUN,  /* pass it to run, on another thread */
    SQ_HTTP_SITE_MCP,  /* it carries a message of the protocol */
};

#define SQ_HTTP_PAGE_HEADERS_SIZE 900

struct sq_http_page {
    int status;
    const char *type;    /* constant */
    struct sq_span body; /* lives as long as the site, or in text */
    char headers[SQ_HTTP_PAGE_HEADERS_SIZE]; /* lines with their ends */
    char text[256];
};

/* A request that runs on its own thread. Its texts live until run returns. */
struct sq_http_site_call {
    struct sq_span path; /* below the prefix of the site */
    struct sq_span query;
    struct sq_span body;
    /*
     * Where to send messages: one SQ_MCP_ANSWER, or any number of
     * SQ_MCP_NOTIFICATION as events.
     */
    struct sq_mcp_sink sink;
    struct sq_cancel *cancel; /* set when the client has gone */
};

struct sq_http_site {
    void *context;
    const char *prefix; /* such as "/inspect"; also every path below it */
    /*
     * Decides by the head what a request asks for. *page is zeroed and must be
     * filled for SQ_HTTP_SITE_PAGE. Called on the loop's thread: must not wait.
     */
    enum sq_http_site_step (*route)(void *context,
                                    const struct sq_http_head *head,
                                    struct sq_http_page *page);
    /* Answers a request. Called on any thread. */
    void (*run)(void *context, const struct sq_http_site_call *call);
};

/*
 * The HTTP transport (Streamable HTTP): serves many clients on sockets. Modern
 * requests are stateless; legacy clients have sessions.
 */

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

/*
 * The address under which clients know the server, and the document of RFC 9728
 * about it. Does no I/O.
 */

#define SQ_HTTP_URL_SIZE 300

struct sq_http_resource {
    struct sq_span host;             /* of the address, with its port */
    char url[SQ_HTTP_URL_SIZE];      /* of the endpoint */
    char document[SQ_HTTP_URL_SIZE]; /* address of the document */
    const char *path;                /* of that address */
};

/*
 * Splits the address of the endpoint, such as https://example.org/mcp. Fails
 * with a hint if it is not one. The host points into *out.
 */
bool sq_http_resource_init(struct sq_http_resource *out, const char *url,
                           struct sq_err *err);

/*
 * Appends the document, which names the server that issues tokens. Fails with a
 * hint if that is not a web address.
 */
bool sq_http_resource_write(const struct sq_http_resource *resource,
                            const char *authorization_server,
                            struct sq_buf *out, struct sq_err *err);

/* 256 bits in hexadecimal, or what the user has written into the file. */
#define SQ_HTTP_TOKEN_SIZE 201
#define SQ_HTTP_MIN_TOKEN 32 /* characters: 128 bits in hexadecimal */

/* The file of the token, and its state when it was read. */
struct sq_http_token_file {
    char path[SQ_PATH_SIZE];
    char token[SQ_HTTP_TOKEN_SIZE];
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t changed_ns;
};

/*
 * Reads the token again if the file at `path` is another one than last time or
 * has changed, or if is_forced. *changed says whether the token is another one.
 * On failure the token stays; the error is not repeated until the file changes.
 */
bool sq_http_token_refresh(struct sq_http_token_file *file, bool is_forced,
                           bool *changed, struct sq_err *err);

/*
 * Reads the token from a file that only its owner may read. Creates the file
 * with a random token if it does not exist, and sets *is_new.
 */
bool sq_http_token_load(const char *path, char out[SQ_HTTP_TOKEN_SIZE],
                        bool *is_new, struct sq_err *err);

/*
 * Writes a file that only its owner may read, and creates its folder if needed.
 */
bool sq_http_secret_write(const char *path, const void *bytes, size_t count,
                          struct sq_err *err);

#endif
