/* Subscribes clients to resources and notifies them. */
#include "mcp/methods.h"

/* Returns the bit of a resource that can be subscribed to, or 0. */
static uint64_t
bit_of(const struct sq_mcp_host *host, struct sq_span uri) {
    size_t count = host->resource_count < SQ_MCP_MAX_SUBSCRIBABLE
                     ? host->resource_count
                     : SQ_MCP_MAX_SUBSCRIBABLE;
    for (size_t i = 0; i < count; i++) {
        if (sq_span_is(uri, host->resources[i].uri)) {
            return (uint64_t)1 << i;
        }
    }
    return 0;
}

static void
notify_host(const struct sq_mcp_host *host, uint64_t bits) {
    for (size_t i = 0; host->watched && i < SQ_MCP_MAX_SUBSCRIBABLE; i++) {
        if (bits >> i & 1) {
            host->watched(host->context, host->resources[i].uri);
        }
    }
}

/*
 * Returns the bit of the resource that params.uri names, or answers with an
 * error and returns 0.
 */
static uint64_t
require_resource(struct sq_mcp_request *request) {
    struct sq_span uri;
    if (!sq_json_string(sq_json_get(request->params, "uri"), &uri)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "params.uri must be a string");
        return 0;
    }
    uint64_t bit = bit_of(sq_mcp_request_host(request), uri);
    if (!bit) {
        const struct sq_mcp_error error = {
            .code = SQ_MCP_RESOURCE_NOT_FOUND,
            .message = SQ_SPAN("this resource cannot be subscribed to"),
            .data = sq_mcp_put_uri,
            .context = &uri,
        };
        sq_mcp_reply_error(request, &error);
    }
    return bit;
}

static void
change_subscription(struct sq_mcp_request *request, bool wanted) {
    struct sq_mcp_connection *connection = request->connection;
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    uint64_t bit = require_resource(request);
    if (!bit) {
        return;
    }
    sq_lock_lock(connection->lock);
    connection->subscribed &= ~bit;
    connection->subscribed |= wanted ? bit : 0;
    sq_lock_unlock(connection->lock);
    sq_mcp_reply_result(request, sq_mcp_put_nothing, NULL);
    notify_host(host, wanted ? bit : 0);
}

void
sq_mcp_run_subscribe(struct sq_mcp_request *request) {
    change_subscription(request, true);
}

void
sq_mcp_run_unsubscribe(struct sq_mcp_request *request) {
    change_subscription(request, false);
}

/* The lists that clients can be told of. */
static const struct {
    enum sq_mcp_list list;
    const char *filter; /* the member of a listener's filter */
    const char *method;
} lists[] = {
    { SQ_MCP_TOOL_LIST, "toolsListChanged",
      "notifications/tools/list_changed" },
    { SQ_MCP_PROMPT_LIST, "promptsListChanged",
      "notifications/prompts/list_changed" },
    { SQ_MCP_RESOURCE_LIST, "resourcesListChanged",
      "notifications/resources/list_changed" },
};

/*
 * Reads the filter of a listener: the lists that may change, and the bits of
 * the resources that can be subscribed to.
 */
static bool
read_filter(struct sq_mcp_request *request, uint64_t *bits) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    const struct sq_json *filter =
        sq_json_get(request->params, "notifications");
    const struct sq_json *uris = sq_json_get(filter, "resourceSubscriptions");
    bool ok = sq_json_is(filter, SQ_JSON_OBJECT)
           && (!uris || sq_json_is(uris, SQ_JSON_ARRAY));
    *bits = 0;
    for (const struct sq_json *item = sq_json_first(uris); ok && item;
         item = sq_json_next(item)) {
        struct sq_span uri = { 0 };
        ok = sq_json_string(item, &uri);
        *bits |= bit_of(host, uri);
    }
    for (size_t i = 0; i < SQ_COUNT(lists); i++) {
        bool wanted = sq_json_bool_of(filter, lists[i].filter);
        request->lists |= wanted ? lists[i].list & host->changing_lists : 0u;
    }
    return ok;
}

static void
put_subscription_meta(struct sq_json_writer *w,
                      const struct sq_mcp_request *listener) {
    sq_json_begin_object_of(w, "_meta");
    sq_json_put_value(sq_json_at(w, SQ_MCP_META_SUBSCRIPTION), listener->id);
    sq_json_end_object(w);
}

static void
put_acknowledgment(struct sq_json_writer *w,
                   const struct sq_mcp_request *listener, const void *context) {
    uint64_t bits = *(const uint64_t *)context;
    const struct sq_mcp_host *host = sq_mcp_request_host(listener);
    put_subscription_meta(w, listener);
    sq_json_begin_object_of(w, "notifications");
    for (size_t i = 0; i < SQ_COUNT(lists); i++) {
        if (listener->lists & lists[i].list) {
            sq_json_put_bool(sq_json_at(w, lists[i].filter), true);
        }
    }
    if (bits) {
        sq_json_begin_array_of(w, "resourceSubscriptions");
        for (size_t i = 0; i < SQ_MCP_MAX_SUBSCRIBABLE; i++) {
            if (bits >> i & 1) {
                sq_json_put_string(w, sq_span_of(host->resources[i].uri));
            }
        }
        sq_json_end_array(w);
    }
    sq_json_end_object(w);
}

void
sq_mcp_run_listen(struct sq_mcp_request *request) {
    struct sq_mcp_connection *connection = request->connection;
    struct sq_err err = { 0 };
    uint64_t bits;
    if (!read_filter(request, &bits)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "params.notifications must be an object, and its "
                      "resourceSubscriptions a list of URIs");
        return;
    }
    request->is_listener = true;
    if (!sq_mcp_request_register(request, &err)) {
        sq_mcp_reply_refusal(request, &err);
        return;
    }
    struct sq_mcp_message *acknowledgment = sq_mcp_notification(
        &request->sink, "notifications/subscriptions/acknowledged",
        put_acknowledgment, request, &bits);
    if (!acknowledgment) {
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR,
                      "cannot send the acknowledgment");
        return;
    }
    sq_mcp_request_notify(request, acknowledgment);
    /* Set only now, because no notification may precede the acknowledgment. */
    sq_lock_lock(connection->lock);
    request->is_acknowledged = true;
    request->subscribed = bits;
    sq_lock_unlock(connection->lock);
    notify_host(connection->server->host, bits);
}

static void
put_cancelled(struct sq_json_writer *w, const struct sq_mcp_request *listener,
              const void *context) {
    (void)context;
    put_subscription_meta(w, listener);
    sq_json_put_value(sq_json_at(w, "requestId"), listener->id);
    sq_mcp_put_text(w, "reason", "the server is stopping");
}

void
sq_mcp_listener_end(struct sq_mcp_request *listener) {
    /*
     * The specification requires a result on one page and a notification on
     * another, so send both. The result comes first: it marks a regular end.
     */
    sq_mcp_reply_result(listener, sq_mcp_put_nothing, NULL);
    struct sq_mcp_message *message =
        sq_mcp_notification(&listener->sink, "notifications/cancelled",
                            put_cancelled, listener, NULL);
    if (message) {
        sq_mcp_request_notify(listener, message);
    }
}

/* What a listener, or a client that subscribed, is told of. */
struct news {
    const char *method;
    struct sq_span uri; /* of the resource; empty: a list */
    uint64_t bit;       /* of the resource */
    unsigned list;      /* enum sq_mcp_list */
};

static void
put_news(struct sq_json_writer *w, const struct sq_mcp_request *listener,
         const void *context) {
    const struct news *news = context;
    if (listener) {
        put_subscription_meta(w, listener);
    }
    if (news->bit) {
        sq_mcp_put_uri(w, listener, &news->uri);
    }
}

static void
send_news(const struct sq_mcp_sink *sink, const struct sq_mcp_request *listener,
          const struct news *news) {
    struct sq_mcp_message *message =
        sq_mcp_notification(sink, news->method, put_news, listener, news);
    if (message) {
        sink->send(sink->context, message);
    }
}

/* Tells a client; every legacy one with a session is told of lists. */
static void
tell(struct sq_mcp_connection *connection, const struct news *news) {
    SQ_LOCKED(connection->lock);
    if (connection->closed) {
        return;
    }
    if (news->bit ? connection->subscribed & news->bit : connection->is_ready) {
        send_news(&connection->sink, NULL, news);
    }
    for (struct sq_mcp_request *request = connection->requests; request;
         request = request->next) {
        if (request->subscribed & news->bit
            || (request->is_acknowledged && request->lists & news->list)) {
            send_news(&request->sink, request, news);
        }
    }
}

static void
tell_all(struct sq_mcp_server *server, const struct news *news) {
    SQ_LOCKED(server->lock);
    for (struct sq_mcp_connection *connection = server->connections; connection;
         connection = connection->next) {
        tell(connection, news);
    }
}

void
sq_mcp_server_resource_updated(struct sq_mcp_server *server, const char *uri) {
    const struct news news = {
        .method = "notifications/resources/updated",
        .uri = sq_span_of(uri),
        .bit = bit_of(server->host, sq_span_of(uri)),
    };
    if (news.bit) {
        tell_all(server, &news);
    }
}

void
sq_mcp_server_list_changed(struct sq_mcp_server *server,
                           enum sq_mcp_list list) {
    for (size_t i = 0; i < SQ_COUNT(lists); i++) {
        if (lists[i].list == list) {
            tell_all(server,
                     &(struct news){ .method = lists[i].method, .list = list });
        }
    }
}

bool
sq_mcp_server_is_watched(struct sq_mcp_server *server, const char *uri) {
    uint64_t bit = bit_of(server->host, sq_span_of(uri));
    uint64_t bits = 0;
    SQ_LOCKED(server->lock);
    for (struct sq_mcp_connection *connection = server->connections; connection;
         connection = connection->next) {
        sq_lock_lock(connection->lock);
        bits |= connection->closed ? 0 : connection->subscribed;
        for (struct sq_mcp_request *request = connection->requests; request;
             request = request->next) {
            bits |= connection->closed ? 0 : request->subscribed;
        }
        sq_lock_unlock(connection->lock);
    }
    return bits & bit;
}
