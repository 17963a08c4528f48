/* Serves other processes of the user, which report their calls. */
#include "inspector/hub.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "inspector/inspector.h"
#include "json/reader.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/lock.h"
#include "sys/sockets.h"
#include "tools/reply.h"
#include "util/base64.h"
#include "util/mem.h"

#define MAX_LINKS 32
#define MAX_WAITERS 128 /* calls of other processes that wait */
#define MAX_CALLS 512   /* of one process that are not answered */
#define MAX_CLIENTS 64  /* of one process */
#define READ_BYTES 65536
#define WRITE_MS 5000
#define FOREVER_MS 1000000000
#define NAME_SIZE 32

struct sq_hub {
    struct sq_hub_options options;
    char path[SQ_PATH_SIZE];
    int listener;
    struct sq_cancel *cancel;
    struct sq_pool *pool;
    struct sq_lock *lock; /* guards links */
    int links;
};

/* A call of another process. */
struct remote_call {
    uint64_t id; /* there; 0: the entry is free */
    struct sq_logged_call *logged;
    uint64_t client;
    bool uses_device;      /* as far as is known */
    struct waiter *waiter; /* NULL: it does not wait */
};

/* A connection of another process. */
struct link {
    struct sq_hub *hub;
    int fd;
    struct sq_lock *lock; /* guards writing, and waiters */
    int waiters;
    struct remote_call calls[MAX_CALLS];
    struct {
        uint64_t there;
        uint64_t here;
    } clients[MAX_CLIENTS];
    int client_count;
};

/* Waits at the gate for a call of another process, on a thread of its own. */
struct waiter {
    struct link *link;
    uint64_t id; /* there */
    struct sq_gate_call call;
    char name[NAME_SIZE];
    struct sq_buf shown;
    struct sq_cancel *cancel;
};

bool
sq_hub_path(char out[SQ_PATH_SIZE], struct sq_err *err) {
    struct sq_state_folder folder;
    if (!sq_state_folder_open(&folder, err)) {
        return false;
    }
    snprintf(out, SQ_PATH_SIZE, "%.*s/hub", SQ_PATH_SIZE - 5, folder.path);
    sq_state_folder_close(&folder);
    return true;
}

static struct remote_call *
find_call(struct link *link, uint64_t id) {
    int at = 0;
    while (at < MAX_CALLS && link->calls[at].id != id) {
        at++;
    }
    return at < MAX_CALLS ? &link->calls[at] : NULL;
}

/* Returns the number of a client of another process here. */
static uint64_t
number_of(struct link *link, uint64_t there) {
    const struct sq_hub_options *options = &link->hub->options;
    for (int i = 0; i < link->client_count; i++) {
        if (link->clients[i].there == there) {
            return link->clients[i].here;
        }
    }
    int at = link->client_count < MAX_CLIENTS ? link->client_count++ : 0;
    link->clients[at].there = there;
    link->clients[at].here = options->number_client(options->context);
    return link->clients[at].here;
}

/* The page gives way while a call of another process uses a device. */
static void
set_use(struct link *link, struct remote_call *call, bool uses) {
    struct sq_call_gate *gate = link->hub->options.gate;
    if (uses && !call->uses_device) {
        sq_call_gate_begin_use(gate);
    } else if (!uses && call->uses_device) {
        sq_call_gate_end_use(gate);
    }
    call->uses_device = uses;
}

static void
begin_call(struct link *link, struct remote_call *call,
           const struct sq_json *line) {
    const struct sq_json *arguments = sq_json_get(line, "arguments");
    const struct sq_call_start start = {
        .client = call->client,
        .client_name = sq_json_text_of(line, "clientName"),
        .tool = sq_json_text_of(line, "tool"),
        .operation = sq_json_text_of(line, "operation"),
        .arguments = sq_json_is(arguments, SQ_JSON_OBJECT) ? arguments : NULL,
        .acts = sq_json_bool_of(line, "acts"),
    };
    call->logged = sq_call_log_begin(link->hub->options.calls, &start);
}

/* Returns a constant for a type of another process. */
static const char *
type_of(struct sq_span type) {
    static const char *const types[] = { "image/jpeg", "image/png",
                                         "image/webp", "text/plain",
                                         "application/json" };
    for (size_t i = 0; i < SQ_COUNT(types); i++) {
        if (sq_span_is(type, types[i])) {
            return types[i];
        }
    }
    return NULL;
}

static bool
add_block(struct sq_result *result, const struct sq_json *given) {
    int kind = sq_json_int_of(given, "kind");
    int audience = sq_json_int_of(given, "audience");
    struct sq_span text = sq_json_text_of(given, "text");
    struct sq_span uri = sq_json_text_of(given, "uri");
    struct sq_block *block;
    if (kind < 0 || kind > SQ_BLOCK_RESOURCE_BYTES || audience < 0
        || audience > SQ_FOR_USER
        || !sq_result_add(result, (enum sq_block_kind)kind, SQ_HUB_MAX_LINE,
                          &block, NULL)) {
        return false;
    }
    block->audience = (enum sq_audience)audience;
    block->mime_type = type_of(sq_json_text_of(given, "type"));
    snprintf(block->uri, sizeof(block->uri), "%.*s", SQ_SPAN_ARGS(uri));
    return sq_json_get(given, "data")
             ? sq_base64_decode(sq_json_text_of(given, "data"), &block->data,
                                NULL)
             : text.len == 0
                   || sq_buf_append(&block->data, text.ptr, text.len, NULL);
}

static void
end_call(struct link *link, struct remote_call *call,
         const struct sq_json *line) {
    struct sq_result result = { 0 };
    struct sq_err failure = { 0 };
    char device[SQ_DEVICE_ID_SIZE];
    int64_t device_ns = -1;
    int code = sq_json_int_of(line, "error");
    snprintf(device, sizeof(device), "%.*s",
             SQ_SPAN_ARGS(sq_json_text_of(line, "device")));
    sq_json_int(sq_json_get(line, "deviceNs"), &device_ns);
    for (const struct sq_json *block =
             sq_json_first(sq_json_get(line, "blocks"));
         block && add_block(&result, block); block = sq_json_next(block)) {
    }
    if (code > 0 && code < SQ_ERR_CODES) {
        failure.code = (enum sq_err_code)code;
        snprintf(failure.message, sizeof(failure.message), "%.*s",
                 SQ_SPAN_ARGS(sq_json_text_of(line, "message")));
        snprintf(failure.hint, sizeof(failure.hint), "%.*s",
                 SQ_SPAN_ARGS(sq_json_text_of(line, "hint")));
    }
    result.harmless_texts = UINT32_MAX; /* its process has hidden the others */
    const struct sq_call_end end = {
        .arguments = sq_json_get(line, "arguments"),
        .result = &result,
        .err = code ? &failure : NULL,
        .device_ns = device_ns,
        .device = device,
        .text_tokens = sq_json_int_of(line, "textTokens"),
    };
    sq_call_log_end(link->hub->options.calls, call->logged, &end);
    sq_result_finish(&result);
    *call = (struct remote_call){ 0 };
}

static void
report_call(struct link *link, uint64_t id, const struct sq_json *line) {
    struct sq_call_log *calls = link->hub->options.calls;
    int state = sq_json_int_of(line, "state");
    struct remote_call *call = find_call(link, id);
    if (!call) {
        call = find_call(link, 0);
        if (!call) {
            return; /* too many */
        }
        *call = (struct remote_call){
            .id = id,
            .client = number_of(link, (uint64_t)sq_json_int_of(line, "client")),
        };
        begin_call(link, call, line);
    }
    set_use(link, call, state == SQ_CALL_RUNNING);
    if (state == SQ_CALL_SUCCEEDED || state == SQ_CALL_FAILED) {
        end_call(link, call, line);
    } else if (call->logged
               && (state == SQ_CALL_HELD)
                      != (call->logged->state == SQ_CALL_HELD)) {
        sq_call_log_hold(calls, &call->logged, state == SQ_CALL_HELD);
    }
}

static void
send_line(struct link *link, const struct sq_buf *line) {
    const struct sq_deadline limit =
        sq_deadline_in(WRITE_MS, link->hub->cancel);
    SQ_LOCKED(link->lock);
    sq_socket_write(link->fd, line->data, line->len, &limit, NULL);
}

static void
send_decision(struct link *link, uint64_t id, bool is_released,
              const struct sq_err *why) {
    static const char prefix[] = ": a person refused it";
    const char *reason = is_released ? NULL : strstr(why->message, prefix);
    SQ_BUF(line, SQ_ERR_MESSAGE_SIZE * 8);
    struct sq_json_writer w;
    reason = reason ? reason + strlen(prefix) : why->message;
    reason += strncmp(reason, ": ", 2) == 0 ? 2 : 0;
    sq_json_open(&w, &line);
    sq_put_int(&w, "id", (int64_t)id);
    sq_put_bool(&w, "release", is_released);
    sq_put_text(&w, "reason", reason);
    if (sq_json_end_line(&w, NULL)) {
        send_line(link, &line);
    }
}

static void
free_waiter(struct waiter *waiter) {
    sq_cancel_destroy(waiter->cancel);
    sq_buf_finish(&waiter->shown);
    sq_mem_free(waiter);
}

static void
run_waiter(void *context) {
    struct waiter *waiter = context;
    struct link *link = waiter->link;
    struct sq_err err = { 0 };
    bool ok = sq_call_gate_enter(link->hub->options.gate, &waiter->call,
                                 waiter->cancel, &err);
    if (ok || err.code != SQ_ERR_CANCELLED) {
        send_decision(link, waiter->id, ok, &err);
    }
    SQ_LOCKED(link->lock);
    struct remote_call *call = find_call(link, waiter->id);
    if (call && call->waiter == waiter) {
        call->waiter = NULL;
    }
    link->waiters--;
    sq_lock_broadcast(link->lock);
    free_waiter(waiter);
}

static bool
prepare_waiter(struct waiter *waiter, const struct remote_call *call,
               const struct sq_json *line) {
    const struct sq_json *shown = sq_json_get(line, "shown");
    const struct sq_json *about = sq_json_get(line, "about");
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES] = { 0 };
    int count;
    struct sq_json_writer w;
    snprintf(waiter->name, sizeof(waiter->name), "%.*s",
             SQ_SPAN_ARGS(sq_json_text_of(line, "name")));
    /* Without this, nothing is known: every rule may be about it. */
    sq_gate_read_rules(about, rules, &count, NULL);
    waiter->call = (struct sq_gate_call){
        .id = call->logged ? call->logged->sequence : 0,
        .name = waiter->name,
        .client = call->client,
        .shown = &waiter->shown,
        .least = sq_json_int_of(line, "least") == SQ_GATE_RUN ? SQ_GATE_RUN
                                                              : SQ_GATE_APPROVE,
        .about = rules[0].about,
        .has_kind = sq_json_bool_of(line, "hasKind"),
    };
    sq_json_writer_init(&w, &waiter->shown);
    if (sq_json_is(shown, SQ_JSON_OBJECT)) {
        sq_json_put_value(&w, shown);
        return sq_json_writer_done(&w, NULL);
    }
    return true;
}

/* Waits for the person; on failure the other process refuses the call late. */
static void
hold_call(struct link *link, uint64_t id, const struct sq_json *line) {
    struct remote_call *call = find_call(link, id);
    struct waiter *waiter =
        call && !call->waiter ? sq_mem_zalloc(1, sizeof(*waiter)) : NULL;
    if (!waiter) {
        return;
    }
    waiter->link = link;
    waiter->id = id;
    sq_buf_init(&waiter->shown, SQ_HUB_MAX_LINE);
    if (!sq_cancel_create(&waiter->cancel, NULL)
        || !prepare_waiter(waiter, call, line)) {
        free_waiter(waiter);
        return;
    }
    SQ_LOCKED(link->lock);
    link->waiters++;
    call->waiter = waiter;
    if (!sq_pool_submit(link->hub->pool, run_waiter, waiter, NULL)) {
        link->waiters--;
        call->waiter = NULL;
        free_waiter(waiter);
    }
}

static void
leave_call(struct link *link, uint64_t id) {
    SQ_LOCKED(link->lock);
    struct remote_call *call = find_call(link, id);
    if (call && call->waiter) {
        sq_cancel_set(call->waiter->cancel);
    }
}

static void
answer_person(struct link *link, const struct sq_json *question) {
    SQ_BUF(answer, SQ_HUB_MAX_LINE);
    if (sq_inspector_ask(link->hub->options.inspector, question,
                         link->hub->cancel, &answer)) {
        send_line(link, &answer);
    }
}

static void
read_line(struct link *link, struct sq_span text) {
    const struct sq_json *line;
    SQ_ARENA(arena, SQ_HUB_MAX_LINE * 4);
    int64_t id;
    if (!sq_json_parse(text, &arena, &line, NULL)) {
        return;
    }
    if (sq_json_int(sq_json_get(line, "call"), &id) && id > 0) {
        report_call(link, (uint64_t)id, line);
    } else if (sq_json_int(sq_json_get(line, "hold"), &id) && id > 0) {
        hold_call(link, (uint64_t)id, line);
    } else if (sq_json_int(sq_json_get(line, "left"), &id) && id > 0) {
        leave_call(link, (uint64_t)id);
    } else if (sq_json_get(line, "person")) {
        answer_person(link, line);
    }
}

static void
read_lines(struct link *link) {
    const struct sq_deadline limit =
        sq_deadline_in(FOREVER_MS, link->hub->cancel);
    SQ_BUF(text, SQ_HUB_MAX_LINE + READ_BYTES);
    uint8_t *space;
    size_t got = 1;
    size_t searched = 0;
    while (got > 0 && sq_buf_reserve(&text, READ_BYTES, &space, NULL)
           && sq_socket_read_some(link->fd, space, READ_BYTES, &got, &limit,
                                  NULL)) {
        sq_buf_commit(&text, got);
        const uint8_t *end;
        while (
            (end = memchr(text.data + searched, '\n', text.len - searched))) {
            size_t len = (size_t)(end - text.data);
            read_line(link, (struct sq_span){ (const char *)text.data, len });
            sq_buf_drop(&text, len + 1);
            searched = 0;
        }
        searched = text.len;
    }
}

/* Ends what the process has left: nothing more is known of its calls. */
static void
end_calls(struct link *link) {
    struct sq_err gone = { 0 };
    sq_fail(&gone, SQ_ERR_CANCELLED, "its process has ended");
    sq_lock_lock(link->lock);
    for (int i = 0; i < MAX_CALLS; i++) {
        if (link->calls[i].waiter) {
            sq_cancel_set(link->calls[i].waiter->cancel);
        }
    }
    while (link->waiters > 0) {
        sq_lock_wait(link->lock);
    }
    sq_lock_unlock(link->lock);
    const struct sq_call_end end = { .err = &gone, .device_ns = -1 };
    for (int i = 0; i < MAX_CALLS; i++) {
        if (link->calls[i].id) {
            set_use(link, &link->calls[i], false);
            sq_call_log_end(link->hub->options.calls, link->calls[i].logged,
                            &end);
        }
    }
}

static void
close_link(struct link *link) {
    struct sq_hub *hub = link->hub;
    sq_socket_close(link->fd);
    sq_lock_destroy(link->lock);
    sq_mem_free(link);
    SQ_LOCKED(hub->lock);
    hub->links--;
}

static void
run_link(void *context) {
    struct link *link = context;
    read_lines(link);
    end_calls(link);
    close_link(link);
}

/* Serves one more process; closes fd on failure. */
static void
add_link(struct sq_hub *hub, int fd) {
    struct link *link =
        sq_socket_check_peer(fd, NULL) ? sq_mem_zalloc(1, sizeof(*link)) : NULL;
    sq_lock_lock(hub->lock);
    bool ok =
        link && hub->links < MAX_LINKS && sq_lock_create(&link->lock, NULL);
    hub->links += ok;
    sq_lock_unlock(hub->lock);
    if (!ok) {
        sq_mem_free(link);
        sq_socket_close(fd);
        return;
    }
    link->hub = hub;
    link->fd = fd;
    if (!sq_pool_submit(hub->pool, run_link, link, NULL)) {
        close_link(link);
    }
}

static void
run_hub(void *context) {
    struct sq_hub *hub = context;
    const struct sq_deadline limit = sq_deadline_in(FOREVER_MS, hub->cancel);
    int fd;
    while (!sq_cancel_is_set(hub->cancel)) {
        if (sq_socket_accept(hub->listener, &limit, &fd, NULL)) {
            add_link(hub, fd);
        }
    }
}

bool
sq_hub_create(const struct sq_hub_options *options, struct sq_hub **out,
              struct sq_err *err) {
    struct sq_hub *hub = sq_mem_zalloc(1, sizeof(*hub));
    if (!hub) {
        return sq_fail_nomem(err);
    }
    hub->options = *options;
    hub->listener = -1;
    if (!sq_hub_path(hub->path, err) || !sq_lock_create(&hub->lock, err)
        || !sq_cancel_create(&hub->cancel, err)
        || !sq_pool_create(1 + MAX_LINKS + MAX_WAITERS, 1, &hub->pool, err)
        || !sq_socket_listen_path(hub->path, &hub->listener, err)) {
        sq_hub_destroy(hub);
        return false;
    }
    *out = hub;
    return true;
}

bool
sq_hub_start(struct sq_hub *hub, struct sq_err *err) {
    return sq_pool_submit(hub->pool, run_hub, hub, err);
}

void
sq_hub_destroy(struct sq_hub *hub) {
    if (!hub) {
        return;
    }
    if (hub->cancel) {
        sq_cancel_set(hub->cancel);
    }
    sq_pool_destroy(hub->pool);
    if (hub->listener >= 0) {
        sq_socket_close(hub->listener);
        sq_file_remove(hub->path);
    }
    sq_lock_destroy(hub->lock);
    sq_cancel_destroy(hub->cancel);
    sq_mem_free(hub);
}
