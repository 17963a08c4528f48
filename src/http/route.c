/*
 * Decides what a request asks for, and answers or passes on its message; one
 * for the site beside the protocol gets a page, or runs on a thread.
 */
#include "http/private.h"
#include "util/mem.h"

#define MAX_PREFLIGHT_BYTES ((size_t)1000)

/* A request that runs on a thread of the pool. */
struct job {
    struct sq_http_exchange *exchange;
    const struct sq_http_site *site;
    struct sq_http_site_call call;
    struct sq_buf place; /* the path and the query */
    struct sq_buf body;
};

/* Returns whether the request is for the site. */
static bool
site_owns(const struct sq_http_client *client) {
    const struct sq_http_site *site = client->loop->options->site;
    struct sq_span path = client->head.path;
    return site && sq_span_take_prefix(&path, site->prefix)
        && (path.len == 0 || path.ptr[0] == '/');
}

static void
destroy_job(struct job *job) {
    sq_cancel_destroy(job->call.cancel);
    sq_buf_finish(&job->place);
    sq_buf_finish(&job->body);
    sq_mem_free(job);
}

/* Sets what is cancelled when the client leaves; NULL: nothing. */
static void
set_cancel(struct sq_http_exchange *exchange, struct sq_cancel *cancel) {
    SQ_LOCKED(exchange->loop->lock);
    exchange->cancel = cancel;
}

static void
run_job(void *context) {
    struct job *job = context;
    const struct sq_mcp_sink sink = job->call.sink;
    job->site->run(job->site->context, &job->call);
    set_cancel(job->exchange, NULL);
    destroy_job(job);
    sink.release(sink.context);
}

/* Takes the body of the request from its client, and copies the rest. */
static struct job *
create_job(struct sq_http_exchange *exchange) {
    struct sq_http_client *client = exchange->client;
    struct sq_span path = client->head.path;
    struct sq_span query = client->head.query;
    struct job *job = sq_mem_zalloc(1, sizeof(*job));
    if (!job) {
        return NULL;
    }
    job->exchange = exchange;
    job->site = client->loop->options->site;
    sq_span_take_prefix(&path, job->site->prefix);
    sq_buf_init(&job->place, SQ_HTTP_MAX_HEAD);
    if (!sq_cancel_create(&job->call.cancel, NULL)
        || !sq_buf_append(&job->place, path.ptr, path.len, NULL)
        || !sq_buf_append(&job->place, query.ptr, query.len, NULL)) {
        destroy_job(job);
        return NULL;
    }
    const char *place = (const char *)job->place.data;
    job->call.path = (struct sq_span){ place, path.len };
    job->call.query = (struct sq_span){ place + path.len, query.len };
    job->body = client->body_bytes;
    sq_buf_init(&client->body_bytes, SQ_MAX_JSON_BYTES);
    job->call.body = sq_buf_span(&job->body);
    job->call.sink = sq_http_exchange_sink(exchange);
    return job;
}

/*
 * Starts the call of an exchange on another thread. Returns false if there are
 * too many or there is no memory; nothing has happened then.
 */
static bool
start_job(struct sq_http_exchange *exchange) {
    struct job *job = create_job(exchange);
    if (!job) {
        return false;
    }
    sq_http_exchange_hold(exchange); /* of the sink */
    set_cancel(exchange, job->call.cancel);
    if (!sq_pool_submit(exchange->loop->pool, run_job, job, NULL)) {
        set_cancel(exchange, NULL);
        destroy_job(job);
        sq_http_exchange_drop(exchange);
        return false;
    }
    return true;
}

static void
send_page(struct sq_http_client *client) {
    const struct sq_http_page *page = client->page;
    const struct sq_http_answer answer = {
        .status = page->status,
        .type = page->type,
        .length = page->body.len,
        .extra = page->headers,
    };
    sq_http_send_head(client, &answer);
    sq_http_send_body(client, page->body.ptr, page->body.len);
}

/* Like sq_http_route_head, for a request for the site. */
static bool
route_site_head(struct sq_http_client *client) {
    const struct sq_http_options *options = client->loop->options;
    client->policy = 0;
    sq_mem_free(client->page);
    client->page = sq_mem_zalloc(1, sizeof(*client->page));
    if (!client->page) {
        client->is_broken = true;
        return false;
    }
    client->step = options->site->route(options->site->context, &client->head,
                                        client->page);
    if (client->step == SQ_HTTP_SITE_PAGE && client->page->status >= 400) {
        sq_http_report(client, client->page->status, client->page->body);
        send_page(client);
        return false;
    }
    client->is_trusted =
        client->is_trusted || client->step != SQ_HTTP_SITE_PAGE;
    return true;
}

static bool
refuse(struct sq_http_client *client, int status, const char *text) {
    const struct sq_http_refusal refusal = { status, text };
    sq_http_refuse(client, &refusal);
    return false;
}

/* Refuses a request whose body was read: the connection stays open. */
static bool
refuse_and_finish(struct sq_http_client *client, int status, const char *text) {
    refuse(client, status, text);
    sq_http_client_finish(client);
    return false;
}

static bool
is_metadata(const struct sq_http_client *client) {
    struct sq_span path = client->head.path;
    return client->loop->options->metadata
        && (sq_span_is(path, SQ_HTTP_METADATA_PATH)
            || sq_span_is(path, SQ_HTTP_METADATA_PATH SQ_HTTP_PATH)
            || (client->loop->options->metadata_path
                && sq_span_is(path, client->loop->options->metadata_path)));
}

/* Returns whether this is a CORS preflight request of an allowed origin. */
static bool
is_preflight(const struct sq_http_client *client) {
    struct sq_span origin;
    return sq_span_is(client->head.method, "OPTIONS")
        && sq_http_head_find(&client->head, "origin", &origin)
        && sq_http_access_is_listed(&client->loop->options->access, origin);
}

static bool
accepts(const struct sq_http_client *client, const char *type) {
    struct sq_span value;
    return !sq_http_head_find(&client->head, "accept", &value)
        || sq_http_head_lists(&client->head, "accept", type)
        || sq_http_head_lists(&client->head, "accept", "*/*")
        || sq_http_head_lists(&client->head, "accept",
                              type[0] == 'a' ? "application/*" : "text/*");
}

/* Returns whether the site's page sends a message of the protocol. */
static bool
is_from_page(const struct sq_http_client *client) {
    return site_owns(client) && client->step == SQ_HTTP_SITE_MCP;
}

/* Finds a session that this client may use; NULL if there is none. */
static struct sq_http_session *
find_session(const struct sq_http_client *client, struct sq_span id) {
    struct sq_http_session *session = sq_http_session_find(client->loop, id);
    return session && session->user.is_person == is_from_page(client)
                && session->user.policy == client->policy
             ? session
             : NULL;
}

static bool
check_post(struct sq_http_client *client) {
    const struct sq_http_head *head = &client->head;
    struct sq_span encoding;
    if (!sq_http_head_lists(head, "content-type", "application/json")) {
        return refuse(client, 415, "Content-Type must be application/json");
    }
    if (sq_http_head_find(head, "content-encoding", &encoding)
        && !sq_span_is(encoding, "identity")) {
        return refuse(client, 415,
                      "the body has a Content-Encoding; send it without one");
    }
    if (!accepts(client, "application/json")
        && !accepts(client, "text/event-stream")) {
        return refuse(client, 406,
                      "Accept must list application/json and "
                      "text/event-stream");
    }
    if (head->framing == SQ_HTTP_LENGTH && head->length > SQ_MAX_JSON_BYTES) {
        return refuse(client, 413, "the body is too large");
    }
    return true;
}

/* Checks a request that may be answered. */
static bool
check_trusted(struct sq_http_client *client, bool is_post) {
    return (!client->loop->is_draining
            || refuse(client, 503, "the server is stopping"))
        && (!is_post || check_post(client));
}

/* Checks a request for the protocol: its place, its method and its token. */
static bool
check_protocol(struct sq_http_client *client, bool is_post) {
    const struct sq_http_access *access = &client->loop->options->access;
    const struct sq_http_head *head = &client->head;
    if (!sq_span_is(head->path, SQ_HTTP_PATH)) {
        return refuse(client, 404, "there is nothing here; use " SQ_HTTP_PATH);
    }
    if (is_preflight(client)) {
        return true;
    }
    if (!is_post && !sq_span_is(head->method, "GET")
        && !sq_span_is(head->method, "DELETE")) {
        return refuse(client, 405, "use POST");
    }
    client->policy = sq_http_access_find_token(access, head);
    if (client->policy < 0) {
        return refuse(
            client, 401,
            sq_http_access_has_token(head)
                ? "the token is not valid; use the one in the token file of "
                  "the server"
                : "send the token in the header Authorization: Bearer");
    }
    client->is_trusted = true;
    return check_trusted(client, is_post);
}

bool
sq_http_route_head(struct sq_http_client *client) {
    const struct sq_http_access *access = &client->loop->options->access;
    const struct sq_http_head *head = &client->head;
    struct sq_http_refusal refusal;
    bool is_post = sq_span_is(head->method, "POST");
    sq_http_loop_refresh(client->loop, false);
    if (!sq_http_access_check_names(access, head, &refusal)) {
        return refuse(client, refusal.status, refusal.text);
    }
    if (!is_post && (head->framing == SQ_HTTP_CHUNKED || head->length > 0)) {
        return refuse(client, 400, "only POST may have a body");
    }
    if (is_metadata(client)) {
        return is_preflight(client) || sq_span_is(head->method, "GET")
            || refuse(client, 405, "use GET");
    }
    if (site_owns(client)) {
        return route_site_head(client) && check_trusted(client, is_post);
    }
    return check_protocol(client, is_post);
}

static struct sq_http_exchange *
begin_exchange(struct sq_http_client *client) {
    struct sq_http_exchange *exchange = sq_http_exchange_create(client->loop);
    if (!exchange) {
        refuse_and_finish(client, 503, "out of memory");
        return NULL;
    }
    exchange->client = client;
    exchange->head = &client->head;
    exchange->accepts_json = accepts(client, "application/json");
    exchange->accepts_events = accepts(client, "text/event-stream");
    client->exchange = exchange;
    return exchange;
}

/* Refuses the request of an exchange that has not begun. */
static void
refuse_exchange(struct sq_http_exchange *exchange, int status,
                const char *text) {
    struct sq_http_client *client = exchange->client;
    exchange->client = NULL;
    client->exchange = NULL;
    refuse_and_finish(client, status, text);
    sq_http_exchange_drop(exchange);
}

static void
receive(struct sq_http_exchange *exchange,
        struct sq_mcp_connection *connection) {
    struct sq_http_client *client = exchange->client;
    sq_http_exchange_receive(exchange, connection,
                             sq_buf_span(&client->body_bytes));
    exchange->head = NULL;
    sq_buf_finish(&client->body_bytes);
    sq_buf_init(&client->body_bytes, SQ_MAX_JSON_BYTES);
}

static void
post_stateless(struct sq_http_exchange *exchange) {
    struct sq_mcp_sink sink = sq_http_exchange_sink(exchange);
    struct sq_mcp_connection *connection;
    const struct sq_mcp_user user = {
        .is_stateless = true,
        .is_person = is_from_page(exchange->client),
        .policy = exchange->client->policy,
    };
    if (!sq_mcp_connection_create(exchange->loop->server, &sink, &user,
                                  &connection, NULL)) {
        refuse_exchange(exchange, 503, "out of memory");
        return;
    }
    exchange->connection = connection;
    receive(exchange, connection);
    sq_http_exchange_flush(exchange);
}

/* A message without a session may start one. */
static void
post_first(struct sq_http_exchange *exchange) {
    struct sq_http_loop *loop = exchange->loop;
    enum sq_mcp_revision revision;
    if (!sq_http_session_make_space(loop)) {
        refuse_exchange(exchange, 503, "too many sessions are in use");
        return;
    }
    const struct sq_mcp_user user = {
        .is_person = is_from_page(exchange->client),
        .policy = exchange->client->policy,
    };
    struct sq_http_session *session = sq_http_session_create(loop, &user);
    if (!session) {
        refuse_exchange(exchange, 503, "out of memory");
        return;
    }
    receive(exchange, session->connection);
    if (sq_mcp_connection_has_session(session->connection, &revision)) {
        sq_http_session_open(session, revision);
        exchange->session = session;
        exchange->starts_session = true;
    } else {
        sq_http_session_drop(session);
    }
    sq_http_exchange_flush(exchange);
}

enum version {
    VERSION_UNKNOWN,
    VERSION_LEGACY, /* has sessions; or none is named */
    VERSION_MODERN,
};

/* Returns which version the header names. */
static enum version
version_of(const struct sq_http_head *head) {
    struct sq_span version;
    enum sq_mcp_revision revision = SQ_MCP_LAST_LEGACY;
    return sq_http_head_find(head, "mcp-protocol-version", &version)
                && !sq_mcp_revision_find(version, &revision)
             ? VERSION_UNKNOWN
         : sq_mcp_is_modern(revision) ? VERSION_MODERN
                                      : VERSION_LEGACY;
}

static const char unknown_version[] =
    "MCP-Protocol-Version is not one that this server supports; send the one "
    "that initialize answered";

static void
post(struct sq_http_client *client) {
    struct sq_http_exchange *exchange = begin_exchange(client);
    struct sq_span id;
    if (!exchange) {
        return;
    }
    bool has_id = sq_http_head_find(&client->head, "mcp-session-id", &id);
    struct sq_http_session *session = has_id ? find_session(client, id) : NULL;
    if (session && version_of(&client->head) == VERSION_UNKNOWN) {
        refuse_exchange(exchange, 400, unknown_version);
    } else if (version_of(&client->head) != VERSION_LEGACY) {
        post_stateless(exchange);
    } else if (!has_id) {
        post_first(exchange);
    } else if (!session) {
        refuse_exchange(exchange, 404,
                        "there is no such session; send initialize");
    } else {
        sq_http_exchange_hold(exchange); /* of the session's list */
        exchange->session = session;
        exchange->stream = ++session->streams;
        exchange->next_stream = session->running;
        session->running = exchange;
        receive(exchange, session->connection);
        sq_http_exchange_flush(exchange);
    }
}

/* Returns the session of a request, or answers with an error. */
static struct sq_http_session *
require_session(struct sq_http_client *client) {
    struct sq_span id;
    if (version_of(&client->head) == VERSION_UNKNOWN) {
        refuse_and_finish(client, 400, unknown_version);
        return NULL;
    }
    if (version_of(&client->head) == VERSION_MODERN
        || !sq_http_head_find(&client->head, "mcp-session-id", &id)) {
        refuse_and_finish(client, 405,
                          "without a session (Mcp-Session-Id) only POST is "
                          "possible");
        return NULL;
    }
    struct sq_http_session *session = find_session(client, id);
    if (!session) {
        refuse_and_finish(client, 404,
                          "there is no such session; send initialize");
    }
    return session;
}

static void
get(struct sq_http_client *client) {
    struct sq_http_session *session = require_session(client);
    struct sq_span id;
    struct sq_span before;
    uint64_t stream = 0;
    uint64_t after = UINT64_MAX; /* no earlier events */
    if (!session) {
        return;
    }
    if (!accepts(client, "text/event-stream")) {
        refuse_and_finish(client, 406, "Accept must list text/event-stream");
    } else if (sq_http_head_find(&client->head, "last-event-id", &id)
               && (!sq_span_take_until(&id, '-', &before)
                   || !sq_span_to_uint64(before, &stream)
                   || !sq_span_to_uint64(id, &after))) {
        refuse_and_finish(client, 400, "Last-Event-ID is malformed");
    } else if (!sq_http_session_resume(session, client, stream, after)) {
        refuse_and_finish(client, 404, "there is no such stream");
    }
}

static void delete (struct sq_http_client *client) {
    const struct sq_http_answer answer = { .status = 204 };
    struct sq_http_session *session = require_session(client);
    if (session) {
        sq_mcp_connection_end_session(session->connection);
        sq_http_session_end(session);
        sq_http_send_head(client, &answer);
        sq_http_client_finish(client);
    }
}

/* A page of an allowed origin may send all headers that it asks for. */
static void
send_preflight(struct sq_http_client *client) {
    static const char usual[] =
        "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, "
        "MCP-Protocol-Version, Mcp-Method, Mcp-Name";
    struct sq_span asked = { usual, sizeof(usual) - 1 };
    SQ_BUF(extra, SQ_HTTP_MAX_HEAD + MAX_PREFLIGHT_BYTES);
    sq_http_head_find(&client->head, "access-control-request-headers", &asked);
    bool ok = sq_buf_printf(&extra, NULL,
                            "Access-Control-Allow-Methods: POST, GET, "
                            "DELETE\r\n"
                            "Access-Control-Allow-Headers: %.*s\r\n"
                            "Access-Control-Max-Age: 600\r\n",
                            SQ_SPAN_ARGS(asked))
           && sq_buf_append(&extra, "", 1, NULL);
    const struct sq_http_answer answer = {
        .status = 204,
        .extra = ok ? (const char *)extra.data : NULL,
    };
    client->is_broken = client->is_broken || !ok;
    sq_http_send_head(client, &answer);
    sq_http_client_finish(client);
}

static void
answer_for_site(struct sq_http_client *client) {
    if (client->step == SQ_HTTP_SITE_PAGE) {
        send_page(client);
        sq_http_client_finish(client);
        return;
    }
    struct sq_http_exchange *exchange = begin_exchange(client);
    if (exchange && !start_job(exchange)) {
        refuse_exchange(exchange, 503, "too many requests are waiting");
    }
}

void
sq_http_route(struct sq_http_client *client) {
    struct sq_span method = client->head.method;
    if (site_owns(client) && client->step != SQ_HTTP_SITE_MCP) {
        answer_for_site(client);
    } else if (is_preflight(client)) {
        send_preflight(client);
    } else if (is_metadata(client)) {
        const char *metadata = client->loop->options->metadata;
        const struct sq_http_answer answer = {
            .status = 200,
            .type = "application/json",
            .length = strlen(metadata),
        };
        sq_http_send_head(client, &answer);
        sq_http_client_write(client, metadata, answer.length);
        sq_http_client_finish(client);
    } else if (sq_span_is(method, "POST")) {
        post(client);
    } else if (sq_span_is(method, "GET")) {
        get(client);
    } else {
        delete (client);
    }
}
