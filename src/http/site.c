/* Requests for the site beside the protocol: pages, and calls on threads. */
#include "http/private.h"

#include "util/mem.h"

/* A request that runs on a thread of the pool. */
struct job {
    struct sq_http_exchange *exchange;
    const struct sq_http_site *site;
    struct sq_http_site_call call;
    struct sq_buf place; /* the path and the query */
    struct sq_buf body;
};

bool
sq_http_site_owns(const struct sq_http_client *client) {
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

bool
sq_http_site_start(struct sq_http_exchange *exchange) {
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

void
sq_http_site_send_page(struct sq_http_client *client) {
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

bool
sq_http_site_route_head(struct sq_http_client *client) {
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
        sq_http_site_send_page(client);
        return false;
    }
    client->is_trusted =
        client->is_trusted || client->step != SQ_HTTP_SITE_PAGE;
    return true;
}

void
sq_http_site_cancel_all(struct sq_http_loop *loop) {
    for (struct sq_http_client *client = loop->clients; client;
         client = client->next) {
        SQ_LOCKED(loop->lock);
        if (client->exchange && client->exchange->cancel) {
            sq_cancel_set(client->exchange->cancel);
        }
    }
}
