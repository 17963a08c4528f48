/*
 * Parses the head of an HTTP/1.1 request: the request line and the headers.
 * Strict where two programs could read one head differently: no bare LF, no
 * continuation lines, no second Host or Content-Length, never a length and a
 * transfer encoding. Does no I/O.
 */
#ifndef SQ_HTTP_HEAD_H
#define SQ_HTTP_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/span.h"

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

#endif
