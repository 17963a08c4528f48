/* Creates the inspector; decides what a request asks for, and who may ask. */
#include "inspector/inspector.h"

#include <stdio.h>

#include "inspector/private.h"
#include "journal/journal.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/entropy.h"
#include "util/mem.h"

#define NS_PER_SECOND 1000000000
#define NS_PER_MS 1000000

/* A web page of another site cannot send this header without our consent. */
#define OWN_HEADER "x-squint-inspector"

#define CALL_PREFIX "/api/"

#define COMMON_HEADERS                                                         \
    "Content-Security-Policy: default-src 'none'; script-src 'self'; "         \
    "style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "       \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"          \
    "Cross-Origin-Opener-Policy: same-origin\r\n"                              \
    "Cross-Origin-Resource-Policy: same-origin\r\n"                            \
    "Referrer-Policy: no-referrer\r\n"                                         \
    "X-Content-Type-Options: nosniff\r\n"

/* The browser goes on by itself, so that the cookie is one of our own page. */
static const char opened[] =
    "<!doctype html><meta charset=utf-8><title>squint</title>"
    "<link rel=icon href=\"data:,\">"
    "<meta http-equiv=refresh content=\"0;url=" SQ_INSPECTOR_PREFIX "/\">"
    "<a href=\"" SQ_INSPECTOR_PREFIX "/\">Continue to the inspector</a>\n";

static enum sq_http_site_step
send_page(struct sq_http_page *page, int status, const char *type,
          struct sq_span body) {
    page->status = status;
    page->type = type;
    page->body = body;
    snprintf(page->headers, sizeof(page->headers), COMMON_HEADERS);
    return SQ_HTTP_SITE_PAGE;
}

static enum sq_http_site_step
send_text(struct sq_http_page *page, int status, const char *text) {
    return send_page(page, status, "text/plain; charset=utf-8",
                     sq_span_of(text));
}

void
sq_inspector_tell(struct sq_inspector *inspector) {
    SQ_LOCKED(inspector->news_lock);
    inspector->news++;
    sq_lock_broadcast(inspector->news_lock);
}

static void
note(void *context) {
    sq_inspector_tell(context);
}

static void
note_call(void *context, const struct sq_logged_call *call) {
    (void)call;
    sq_inspector_tell(context);
}

static int64_t
now(void) {
    return sq_clock_wall_ns() / NS_PER_SECOND;
}

static void
add_header(struct sq_http_page *page, const char *name, const char *value) {
    size_t len = strlen(page->headers);
    snprintf(page->headers + len, sizeof(page->headers) - len, "%s: %s\r\n",
             name, value);
}

/* Gives the browser of a link its cookie. */
static enum sq_http_site_step
open_link(struct sq_inspector *inspector, struct sq_span query,
          struct sq_http_page *page) {
    char cookie[SQ_INSPECTOR_COOKIE_SIZE];
    char value[SQ_INSPECTOR_COOKIE_SIZE + 100];
    if (!sq_span_take_prefix(&query, "key=")
        || !sq_inspector_access_use_key(&inspector->access, now(), query)) {
        return send_text(page, 403,
                         "This link was used before or is too old. Run squint "
                         "inspect for a new one.\n");
    }
    if (!sq_inspector_access_make_cookie(&inspector->access, now(), cookie,
                                         NULL)) {
        return send_text(page, 503,
                         "The system returned no random numbers. Try again.\n");
    }
    send_page(page, 200, "text/html; charset=utf-8", sq_span_of(opened));
    snprintf(value, sizeof(value),
             "%s; Path=" SQ_INSPECTOR_PREFIX
             "; HttpOnly; SameSite=Strict; Max-Age=%d",
             cookie, SQ_INSPECTOR_COOKIE_SECONDS);
    add_header(page, "Set-Cookie", value);
    return SQ_HTTP_SITE_PAGE;
}

/* Returns whether a program proves that it knows the person's secret. */
static bool
has_proof(const struct sq_inspector *inspector,
          const struct sq_http_head *head) {
    struct sq_span proof;
    struct sq_span host;
    return sq_http_head_find(head, SQ_INSPECTOR_PROOF_HEADER, &proof)
        && sq_http_head_find(head, "host", &host)
        && sq_inspector_access_check_proof(
               &inspector->access, host, inspector->started_ms,
               sq_clock_wall_ns() / NS_PER_MS, proof);
}

/* Gives a program that knows the secret a link for a browser. */
static enum sq_http_site_step
make_link(struct sq_inspector *inspector, struct sq_http_page *page) {
    char key[SQ_INSPECTOR_KEY_SIZE];
    if (!sq_inspector_access_make_key(&inspector->access, now(), key, NULL)) {
        return send_text(page, 503,
                         "The system returned no random numbers. Try again.\n");
    }
    snprintf(page->text, sizeof(page->text),
             "{\"path\":\"" SQ_INSPECTOR_PREFIX "/open?key=%s\"}\n", key);
    return send_page(page, 200, "application/json", sq_span_of(page->text));
}

/* Returns whether our own page has sent the request, not another site. */
static bool
is_from_own_page(const struct sq_http_head *head) {
    struct sq_span value;
    return sq_http_head_find(head, OWN_HEADER, &value)
        && (!sq_http_head_find(head, "sec-fetch-site", &value)
            || sq_span_is(value, "same-origin"));
}

static enum sq_http_site_step
send_file(struct sq_span path, struct sq_http_page *page) {
    const struct sq_inspector_file *file = sq_inspector_files;
    while (file->path && !sq_span_is(path, file->path)) {
        file++;
    }
    return file->path ? send_page(
               page, 200, file->type,
               (struct sq_span){ (const char *)file->bytes, file->size })
                      : send_text(page, 404, "There is no such file.\n");
}

static enum sq_http_site_step
route_page(struct sq_span path, bool is_get, const struct sq_http_head *head,
           struct sq_http_page *page) {
    bool is_mcp = sq_span_is(path, "/mcp");
    if (is_mcp || sq_span_starts_with(path, CALL_PREFIX)) {
        if (!is_from_own_page(head)) {
            return send_text(page, 403,
                             "Only the page itself may send this.\n");
        }
        if (is_get || !sq_span_is(head->method, "POST")) {
            return send_text(page, 405, "Use POST.\n");
        }
        return is_mcp ? SQ_HTTP_SITE_MCP : SQ_HTTP_SITE_RUN;
    }
    if (!is_get) {
        return send_text(page, 405, "Use GET.\n");
    }
    if (path.len == 0) {
        send_text(page, 303, "");
        add_header(page, "Location", SQ_INSPECTOR_PREFIX "/");
        return SQ_HTTP_SITE_PAGE;
    }
    return send_file(sq_span_is(path, "/") ? SQ_SPAN("/index.html") : path,
                     page);
}

/* Decides what a request asks for; see struct sq_http_site. */
static enum sq_http_site_step
inspector_route(void *context, const struct sq_http_head *head,
                struct sq_http_page *page) {
    struct sq_inspector *inspector = context;
    struct sq_span path = head->path;
    bool is_get = sq_span_is(head->method, "GET");
    sq_span_take_prefix(&path, SQ_INSPECTOR_PREFIX);
    if (is_get && sq_span_is(path, "/open")) {
        return open_link(inspector, head->query, page);
    }
    if (!is_get && sq_span_is(path, "/link")) {
        /* The token alone is not enough: every agent has it. */
        return has_proof(inspector, head)
                 ? make_link(inspector, page)
                 : send_text(page, 401, "Run squint inspect for a link.\n");
    }
    struct sq_span cookie = { 0 };
    sq_http_head_find(head, "cookie", &cookie);
    if (!sq_inspector_access_check(&inspector->access, now(), cookie)) {
        return send_text(page, 401,
                         "Run squint inspect: it opens this page with a link "
                         "that works once.\n");
    }
    return route_page(path, is_get, head, page);
}

bool
sq_inspector_create(const struct sq_inspector_options *options,
                    struct sq_inspector **out, struct sq_err *err) {
    struct sq_inspector *inspector = sq_mem_zalloc(1, sizeof(*inspector));
    if (!inspector) {
        return sq_fail_nomem(err);
    }
    inspector->options = *options;
    inspector->site = (struct sq_http_site){
        .context = inspector,
        .prefix = SQ_INSPECTOR_PREFIX,
        .route = inspector_route,
        .run = sq_inspector_run,
    };
    sq_inspector_access_init(&inspector->access, options->token,
                             options->secret, options->port);
    inspector->started_ms = sq_clock_wall_ns() / NS_PER_MS;
    if ((sq_random_hex(inspector->id, sizeof(inspector->id)) < 0
         && !sq_errno_fail(err, "create a random number"))
        || !sq_lock_create(&inspector->viewers_lock, err)
        || !sq_lock_create(&inspector->journal_lock, err)
        || !sq_lock_create(&inspector->news_lock, err)) {
        sq_inspector_destroy(inspector);
        return false;
    }
    /* Calls are recorded whether or not a page is open. */
    inspector->listener =
        (struct sq_call_listener){ .changed = note_call, .context = inspector };
    sq_call_log_listen(options->calls, &inspector->listener);
    sq_call_gate_watch(options->gate, note, inspector);
    *out = inspector;
    return true;
}

void
sq_inspector_destroy(struct sq_inspector *inspector) {
    if (!inspector) {
        return;
    }
    if (inspector->listener.changed) {
        sq_call_gate_watch(inspector->options.gate, NULL, NULL);
        sq_call_log_unlisten(inspector->options.calls, &inspector->listener);
    }
    sq_journal_writer_destroy(inspector->journal);
    for (int i = 0; i < SQ_INSPECTOR_MAX_VIEWERS; i++) {
        sq_image_finish(&inspector->viewers[i].image);
    }
    sq_lock_destroy(inspector->viewers_lock);
    sq_lock_destroy(inspector->journal_lock);
    sq_lock_destroy(inspector->news_lock);
    sq_mem_free(inspector);
}

const struct sq_http_site *
sq_inspector_site(const struct sq_inspector *inspector) {
    return &inspector->site;
}

void
sq_inspector_set_token(struct sq_inspector *inspector, const char *token) {
    sq_inspector_access_init(&inspector->access, token,
                             inspector->options.secret, inspector->access.port);
}

bool
sq_inspector_make_link(struct sq_inspector *inspector, const char *base,
                       char out[SQ_INSPECTOR_LINK_SIZE], struct sq_err *err) {
    char key[SQ_INSPECTOR_KEY_SIZE];
    if (!sq_inspector_access_make_key(&inspector->access, now(), key, err)) {
        return false;
    }
    snprintf(out, SQ_INSPECTOR_LINK_SIZE,
             "%s" SQ_INSPECTOR_PREFIX "/open?key=%s", base, key);
    return true;
}
