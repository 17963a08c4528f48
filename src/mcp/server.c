/* Creates and closes the server and its connections. */
#include "mcp/server.h"

#include <assert.h>

#include "mcp/methods.h"
#include "sys/call.h"
#include "sys/entropy.h"
#include "util/mem.h"

/*
 * Threads are created on demand. A call occupies one even while it waits for
 * its device, and other calls must not wait for a thread because of that: there
 * are as many threads as a client may have calls.
 */
#define DEFAULT_THREADS (2 * SQ_MCP_MAX_CALLS)

bool
sq_mcp_server_create(const struct sq_mcp_host *host,
                     const struct sq_mcp_options *options,
                     struct sq_mcp_server **out, struct sq_err *err) {
    struct sq_mcp_server *server = sq_mem_zalloc(1, sizeof(*server));
    if (!server) {
        return sq_fail_nomem(err);
    }
    server->host = host;
    server->options = *options;
    int threads = options->max_threads ? options->max_threads : DEFAULT_THREADS;
    if (options->key) {
        memcpy(server->key, options->key, sizeof(server->key));
    }
    bool ok =
        (options->key || sq_random_fill(server->key, sizeof(server->key)) == 0
         || sq_errno_fail(err, "create a key"))
        && sq_lock_create(&server->lock, err)
        && (!host->has_tasks || sq_mcp_tasks_create(&server->tasks, err))
        && (options->in_line
            || sq_pool_create(threads, DEFAULT_THREADS, &server->pool, err));
    if (!ok) {
        sq_mcp_server_destroy(server);
        return false;
    }
    if (host->attach) {
        host->attach(host->context, server);
    }
    *out = server;
    return true;
}

bool
sq_mcp_server_stop(struct sq_mcp_server *server, int timeout_ms) {
    if (server->tasks) {
        sq_mcp_tasks_cancel(server->tasks, NULL);
    }
    return !server->pool || sq_pool_stop(server->pool, timeout_ms);
}

void
sq_mcp_server_destroy(struct sq_mcp_server *server) {
    if (!server) {
        return;
    }
    assert(!server->connections);
    if (server->host->attach) {
        server->host->attach(server->host->context, NULL);
    }
    sq_pool_destroy(server->pool);
    sq_mcp_tasks_destroy(server->tasks);
    sq_lock_destroy(server->lock);
    sq_mem_free(server);
}

bool
sq_mcp_connection_create(struct sq_mcp_server *server,
                         const struct sq_mcp_sink *sink,
                         const struct sq_mcp_user *user,
                         struct sq_mcp_connection **out, struct sq_err *err) {
    struct sq_mcp_connection *connection =
        sq_mem_zalloc(1, sizeof(*connection));
    if (!connection) {
        return sq_fail_nomem(err);
    }
    if (!sq_lock_create(&connection->lock, err)) {
        sq_mem_free(connection);
        return false;
    }
    connection->server = server;
    connection->sink = *sink;
    if (user) {
        connection->user = *user;
    }
    atomic_init(&connection->log_level, SQ_MCP_LOG_LEVELS);
    sq_lock_lock(server->lock);
    connection->number = ++server->last_number;
    connection->next = server->connections;
    server->connections = connection;
    sq_lock_unlock(server->lock);
    *out = connection;
    return true;
}

bool
sq_mcp_connection_has_session(const struct sq_mcp_connection *connection,
                              enum sq_mcp_revision *revision) {
    if (connection->has_session) {
        *revision = connection->revision;
    }
    return connection->has_session;
}

int
sq_mcp_connection_busy(struct sq_mcp_connection *connection) {
    SQ_LOCKED(connection->lock);
    return connection->calls + connection->device_calls;
}

/* Answers a call as cancelled, unless it has been answered. */
static void
cancel_call(struct sq_mcp_request *request) {
    struct sq_err err = { 0 };
    if (request->is_answered) {
        return;
    }
    bool is_client = request->connection->is_ended_by_client;
    sq_fail(&err, SQ_ERR_CANCELLED, "the %s before this call had finished",
            is_client ? "client ended the session" : "server stopped");
    sq_fail_hint(&err,
                 "It may have been performed: check before you try "
                 "again. %s",
                 is_client ? "End a session only when all answers have arrived."
                           : "Stop the server only when all answers have "
                             "arrived, or start it with --drain-ms N.");
    struct sq_mcp_message *answer = sq_mcp_write_refusal(request, &err);
    sq_mcp_request_answer_early(request, answer);
}

void
sq_mcp_connection_end_listeners(struct sq_mcp_connection *connection) {
    struct sq_mcp_request *request;
    do {
        sq_lock_lock(connection->lock);
        request = connection->requests;
        while (request && !request->is_listener) {
            request = request->next;
        }
        sq_lock_unlock(connection->lock);
        if (request) {
            sq_mcp_listener_end(request);
            sq_mcp_request_release(request);
        }
    } while (request);
}

static void
forget_tasks(const struct sq_mcp_connection *connection) {
    struct sq_mcp_tasks *tasks = connection->server->tasks;
    if (tasks && connection->has_session) {
        sq_mcp_tasks_cancel(tasks, connection);
    }
}

void
sq_mcp_connection_close(struct sq_mcp_connection *connection) {
    sq_lock_lock(connection->lock);
    connection->closed = true;
    sq_lock_broadcast(connection->lock); /* calls that wait for answers */
    for (struct sq_mcp_request *request = connection->requests; request;
         request = request->next) {
        if (!request->is_listener) {
            cancel_call(request);
        }
    }
    sq_lock_unlock(connection->lock);
    forget_tasks(connection);
    sq_mcp_connection_end_listeners(connection);
}

void
sq_mcp_connection_end_session(struct sq_mcp_connection *connection) {
    sq_lock_lock(connection->lock);
    connection->is_ended_by_client = true;
    sq_lock_unlock(connection->lock);
    sq_mcp_connection_close(connection);
}

void
sq_mcp_connection_destroy(struct sq_mcp_connection *connection) {
    if (!connection) {
        return;
    }
    sq_mcp_connection_close(connection);
    sq_lock_lock(connection->lock);
    connection->is_abandoned = true;
    bool is_idle = connection->acquired == 0;
    sq_lock_unlock(connection->lock);
    if (is_idle) {
        sq_mcp_connection_free(connection);
    }
}

void
sq_mcp_connection_free(struct sq_mcp_connection *connection) {
    struct sq_mcp_server *server = connection->server;
    assert(!connection->requests);
    sq_lock_lock(server->lock);
    struct sq_mcp_connection **link = &server->connections;
    while (*link != connection) {
        link = &(*link)->next;
    }
    *link = connection->next;
    sq_lock_unlock(server->lock);
    if (connection->state && server->host->close_client) {
        server->host->close_client(server->host->context, connection->state);
    }
    forget_tasks(connection); /* of calls that ended after it was closed */
    sq_lock_destroy(connection->lock);
    sq_mem_free(connection);
}
