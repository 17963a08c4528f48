/*
 * A connection to a gRPC server over HTTP/2 without TLS, for one call at a
 * time. Every wait has a deadline. After a failure the connection cannot be
 * used again: destroy it.
 */
#ifndef SQ_GRPC_CHANNEL_H
#define SQ_GRPC_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* The cause of an error (sq_err.cause) that the server has reported itself. */
#define SQ_GRPC_CAUSE(status) (1000 + (status))
#define SQ_GRPC_UNAUTHENTICATED 16

/* The longest request in bytes. */
#define SQ_GRPC_MAX_REQUEST ((size_t)60 << 10)

struct sq_grpc_server {
    const char *host; /* numeric */
    int port;
    struct sq_span token; /* sent with every call; empty: none */
    /*
     * How many bytes the server may send before they are read; at least the
     * 65,535 of HTTP/2.
     */
    uint32_t window;
};

struct sq_grpc_channel;

/*
 * Connects. The caller frees *out with sq_grpc_destroy. Fails with
 * SQ_ERR_NOT_FOUND if no server listens.
 */
bool sq_grpc_connect(const struct sq_grpc_server *server,
                     const struct sq_deadline *deadline,
                     struct sq_grpc_channel **out, struct sq_err *err);

/* Accepts NULL. A call that has not ended is abandoned. */
void sq_grpc_destroy(struct sq_grpc_channel *channel);

/*
 * Reads what the server has sent between two calls. Returns whether the
 * connection can be used for another call. Never waits.
 */
bool sq_grpc_is_usable(struct sq_grpc_channel *channel);

/* Receives the messages of a call in parts, as they arrive. */
struct sq_grpc_sink {
    void *context;
    size_t max_message; /* in bytes; a longer message is an error */
    /* Called before each message with its length. */
    bool (*begin)(void *context, size_t len, struct sq_err *err);
    bool (*take)(void *context, struct sq_span bytes, struct sq_err *err);
};

/*
 * Sends a request to a method such as "/package.Service/method". The sink is
 * copied; what it points to must live until the call has ended.
 */
bool sq_grpc_start(struct sq_grpc_channel *channel, const char *method,
                   struct sq_span request, const struct sq_grpc_sink *sink,
                   const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Waits for something to arrive and passes it to the sink. Sets *ended when the
 * call has ended successfully. Fails with the server's message if it reports a
 * failure; err->cause is then SQ_GRPC_CAUSE of its status.
 */
bool sq_grpc_step(struct sq_grpc_channel *channel,
                  const struct sq_deadline *deadline, bool *ended,
                  struct sq_err *err);

/* Returns whether sq_grpc_step would not wait. */
bool sq_grpc_has_input(const struct sq_grpc_channel *channel);

/*
 * Calls a method with one message as its answer, which is appended to *reply;
 * its limit is that of the buffer.
 */
bool sq_grpc_call(struct sq_grpc_channel *channel, const char *method,
                  struct sq_span request, struct sq_buf *reply,
                  const struct sq_deadline *deadline, struct sq_err *err);

#endif
