/*
 * The client's side of a websocket (RFC 6455), as far as the Chrome DevTools
 * Protocol needs it: text messages, no extensions. Pure.
 */
#ifndef SQ_DEVICE_BROWSER_WEBSOCKET_H
#define SQ_DEVICE_BROWSER_WEBSOCKET_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_WEBSOCKET_KEY_SIZE 25    /* in base64, with its NUL */
#define SQ_WEBSOCKET_ACCEPT_SIZE 29 /* the same */

/* Writes what a server must answer to a key, which proves that it is one. */
void sq_websocket_accept(const char *key, char out[SQ_WEBSOCKET_ACCEPT_SIZE]);

/*
 * Checks the head of an answer, with its empty line. Fails with SQ_ERR_FORMAT
 * unless it accepts the websocket.
 */
bool sq_websocket_check_head(struct sq_span head, const char *key,
                             struct sq_err *err);

enum sq_websocket_kind {
    SQ_WEBSOCKET_MORE = 0, /* of a message in several parts */
    SQ_WEBSOCKET_TEXT = 1,
    SQ_WEBSOCKET_CLOSE = 8,
    SQ_WEBSOCKET_PING = 9,
    SQ_WEBSOCKET_PONG = 10,
};

/* What is received. Zero it first. */
struct sq_websocket {
    bool in_message; /* it has further parts */
};

/*
 * Takes the next frame of a server from `rest`. *is_whole: there was one; else
 * nothing is taken. *ends: it is the last part of a message. Fails with
 * SQ_ERR_FORMAT if it is malformed, with SQ_ERR_LIMIT if it has more than `max`
 * bytes.
 */
struct sq_websocket_frame {
    bool is_whole;
    enum sq_websocket_kind kind;
    bool ends;
    struct sq_span bytes; /* in `rest` */
};
bool sq_websocket_take(struct sq_websocket *socket, struct sq_span *rest,
                       size_t max, struct sq_websocket_frame *out,
                       struct sq_err *err);

/* Appends a frame with a whole message, masked by 4 random bytes. */
bool sq_websocket_append(struct sq_buf *out, enum sq_websocket_kind kind,
                         struct sq_span bytes, const uint8_t mask[4],
                         struct sq_err *err);

#endif
