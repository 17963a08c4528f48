/*
 * A web site that the server offers beside the protocol, below one path. Its
 * files are answered immediately; other requests run on threads of their own
 * and answer with JSON or with a stream of events.
 */
#ifndef SQ_HTTP_SITE_H
#define SQ_HTTP_SITE_H

#include "http/head.h"
#include "mcp/message.h"

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
     * Decides by the head what a request asks for. has_token: it carries the
     * token of the server. *page is zeroed and must be filled for
     * SQ_HTTP_SITE_PAGE. Called on the loop's thread: must not wait.
     */
    enum sq_http_site_step (*route)(void *context,
                                    const struct sq_http_head *head,
                                    bool has_token, struct sq_http_page *page);
    /* Answers a request. Called on any thread. */
    void (*run)(void *context, const struct sq_http_site_call *call);
};

#endif
