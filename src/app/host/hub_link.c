/* Reports calls to the inspector of the user, which decides on held ones. */
#include <stdio.h>
#include <string.h>

#include "app/host/private.h"
#include "inspector/hub.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "sys/sockets.h"
#include "tools/reply.h"
#include "util/mem.h"

#define QUEUE 256     /* values that wait to be sent */
#define MAX_HELD 64   /* calls that wait for the person */
#define CONNECT_MS 50 /* a local socket answers soon or never */
#define RETRY_NS 1000000000
#define WRITE_MS 10000 /* an inspector that reads nothing has ended */
#define FLUSH_MS 500   /* for the last calls of a process that ends */
#define FOREVER_MS 1000000000
#define MAX_ANSWER 4096

struct sq_hub_link {
    struct sq_call_log *calls;
    struct sq_call_gate *gate;
    char path[SQ_PATH_SIZE];
    struct sq_call_listener listener;
    struct sq_pool *pool; /* one thread that reads, one that writes */
    atomic_bool is_up;
    struct sq_lock *lock; /* guards everything below */
    int64_t tried_ns;
    int threads; /* that use the connection */
    int fd;
    struct sq_cancel *cancel; /* ends the connection */
    const struct sq_logged_call *queue[QUEUE];
    int first;
    int count;
    bool gate_changed;
    bool is_sending;
    /* Used by the writing thread only: */
    uint64_t held[MAX_HELD]; /* calls that the inspector knows to wait */
    int held_count;
};

/* Called by the log for each new value; must not wait. */
static void
note_call(void *context, const struct sq_logged_call *call) {
    struct sq_hub_link *link = context;
    sq_lock_lock(link->lock);
    if (link->count == QUEUE) { /* the oldest is lost */
        sq_logged_call_release(link->queue[link->first]);
        link->first = (link->first + 1) % QUEUE;
        link->count--;
    }
    link->queue[(link->first + link->count++) % QUEUE] =
        sq_logged_call_keep(call);
    sq_lock_broadcast(link->lock);
    sq_lock_unlock(link->lock);
}

static void
note_gate(void *context) {
    struct sq_hub_link *link = context;
    sq_lock_lock(link->lock);
    link->gate_changed = true;
    sq_lock_broadcast(link->lock);
    sq_lock_unlock(link->lock);
}

/* Ends the connection: calls that wait for the person are not done. */
static void
go_down(struct sq_hub_link *link) {
    atomic_store(&link->is_up, false);
    sq_cancel_set(link->cancel);
    sq_call_gate_set_attended(link->gate, false);
}

/* The last of the two threads closes the connection. */
static void
end_thread(struct sq_hub_link *link) {
    go_down(link);
    sq_lock_lock(link->lock);
    bool is_last = link->threads == 1;
    link->threads -= !is_last;
    sq_lock_broadcast(link->lock);
    sq_lock_unlock(link->lock);
    if (!is_last) {
        return;
    }
    sq_call_gate_watch(link->gate, NULL, NULL);
    sq_call_log_unlisten(link->calls, &link->listener);
    sq_socket_close(link->fd);
    sq_lock_lock(link->lock);
    for (; link->count > 0; link->count--) {
        sq_logged_call_release(link->queue[link->first]);
        link->first = (link->first + 1) % QUEUE;
    }
    sq_cancel_destroy(link->cancel);
    link->cancel = NULL;
    link->threads = 0;
    sq_lock_unlock(link->lock);
}

static void
put_block(struct sq_json_writer *w, const struct sq_logged_block *block) {
    bool is_text =
        block->kind == SQ_BLOCK_TEXT || block->kind == SQ_BLOCK_RESOURCE_TEXT;
    sq_json_begin_object(w);
    sq_put_int(w, "kind", block->kind);
    sq_put_int(w, "audience", block->audience);
    sq_put_text(w, "type", block->mime_type ? block->mime_type : "");
    sq_json_put_string(sq_json_at(w, "uri"), block->uri);
    sq_json_put_string(sq_json_at(w, "name"), block->name);
    if (is_text) {
        sq_json_put_string(sq_json_at(w, "text"), block->data);
    } else if (block->data.len <= SQ_HUB_MAX_PICTURE) {
        sq_json_put_base64(sq_json_at(w, "data"), block->data.ptr,
                           block->data.len);
    }
    sq_json_end_object(w);
}

static void
put_end(struct sq_json_writer *w, const struct sq_logged_call *call) {
    sq_put_int(w, "deviceNs", call->device_ns);
    sq_put_int(w, "textTokens", call->text_tokens);
    sq_json_put_string(sq_json_at(w, "device"), call->device);
    sq_json_begin_array_of(w, "blocks");
    for (int i = 0; i < call->block_count; i++) {
        put_block(w, &call->blocks[i]);
    }
    sq_json_end_array(w);
    if (call->error != SQ_ERR_NONE) {
        sq_put_int(w, "error", call->error);
        sq_json_put_string(sq_json_at(w, "message"), call->message);
        sq_json_put_string(sq_json_at(w, "hint"), call->hint);
    }
}

static bool
write_call(const struct sq_logged_call *call, struct sq_buf *out) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_put_int(&w, "call", (int64_t)call->sequence);
    sq_put_int(&w, "state", call->state);
    sq_put_int(&w, "client", (int64_t)call->client);
    sq_json_put_string(sq_json_at(&w, "clientName"), call->client_name);
    sq_json_put_string(sq_json_at(&w, "tool"), call->tool);
    sq_json_put_string(sq_json_at(&w, "operation"), call->operation);
    sq_put_bool(&w, "acts", call->acts);
    sq_json_put_raw(sq_json_at(&w, "arguments"), call->arguments);
    if (call->total_ns >= 0) {
        put_end(&w, call);
    }
    return sq_json_end_line(&w, NULL);
}

static bool
send_line(struct sq_hub_link *link, const struct sq_buf *line) {
    const struct sq_deadline limit = sq_deadline_in(WRITE_MS, link->cancel);
    return sq_socket_write(link->fd, line->data, line->len, &limit, NULL);
}

static bool
send_hold(struct sq_hub_link *link, uint64_t id, struct sq_buf *line) {
    struct sq_gate_call call;
    struct sq_json_writer w;
    SQ_BUF(shown, SQ_MAX_JSON_BYTES / 2);
    if (!sq_call_gate_get(link->gate, id, &call)) {
        return true;
    }
    sq_json_open(&w, line);
    sq_put_int(&w, "hold", (int64_t)id);
    sq_put_text(&w, "name", call.name);
    sq_put_bool(&w, "hasKind", call.has_kind);
    sq_put_int(&w, "least", call.least);
    const struct sq_gate_rule about = { SQ_GATE_APPROVE, call.about };
    sq_gate_put_rules(sq_json_at(&w, "about"), &about, 1);
    if (sq_call_gate_shown(link->gate, id, &shown, NULL)) {
        sq_json_put_raw(sq_json_at(&w, "shown"), sq_buf_span(&shown));
    }
    return sq_json_end_line(&w, NULL) && send_line(link, line);
}

static bool
has(const uint64_t *ids, int count, uint64_t id) {
    int at = 0;
    while (at < count && ids[at] != id) {
        at++;
    }
    return at < count;
}

/* Tells the inspector which calls wait now, and which no longer do. */
static bool
send_held(struct sq_hub_link *link) {
    uint64_t now[MAX_HELD];
    int count = sq_call_gate_waiting(link->gate, now, MAX_HELD);
    bool ok = true;
    SQ_BUF(line, SQ_MAX_JSON_BYTES);
    count = count < MAX_HELD ? count : MAX_HELD;
    for (int i = 0; ok && i < link->held_count; i++) {
        sq_buf_clear(&line);
        ok = has(now, count, link->held[i])
          || (sq_buf_printf(&line, NULL, "{\"left\":%llu}\n",
                            (unsigned long long)link->held[i])
              && send_line(link, &line));
    }
    for (int i = 0; ok && i < count; i++) {
        sq_buf_clear(&line);
        ok = has(link->held, link->held_count, now[i])
          || send_hold(link, now[i], &line);
    }
    memcpy(link->held, now, sizeof(now));
    link->held_count = count;
    return ok;
}

static bool
send_call(struct sq_hub_link *link, const struct sq_logged_call *call) {
    SQ_BUF(line, SQ_HUB_MAX_LINE);
    bool ok = !write_call(call, &line) || send_line(link, &line);
    sq_logged_call_release(call);
    return ok;
}

static void
run_writer(void *context) {
    struct sq_hub_link *link = context;
    bool ok = true;
    while (ok && atomic_load(&link->is_up)) {
        const struct sq_logged_call *call = NULL;
        sq_lock_lock(link->lock);
        link->is_sending = false;
        sq_lock_broadcast(link->lock);
        while (link->count == 0 && !link->gate_changed
               && !sq_cancel_is_set(link->cancel)) {
            sq_lock_wait(link->lock);
        }
        if (link->count > 0) {
            call = link->queue[link->first];
            link->first = (link->first + 1) % QUEUE;
            link->count--;
        } else {
            link->gate_changed = false;
        }
        link->is_sending = true;
        sq_lock_unlock(link->lock);
        ok = call ? send_call(link, call) : send_held(link);
    }
    end_thread(link);
}

/* Does what the person has decided. */
static void
obey(const struct sq_hub_link *link, struct sq_span line) {
    const struct sq_json *answer;
    int64_t id;
    SQ_ARENA(arena, 1 << 16);
    if (sq_json_parse(line, &arena, &answer, NULL)
        && sq_json_int(sq_json_get(answer, "id"), &id)) {
        if (sq_json_bool_of(answer, "release")) {
            sq_call_gate_release(link->gate, (uint64_t)id);
        } else {
            sq_call_gate_refuse(link->gate, (uint64_t)id,
                                sq_json_text_of(answer, "reason"));
        }
    }
}

static void
run_reader(void *context) {
    struct sq_hub_link *link = context;
    const struct sq_deadline limit = sq_deadline_in(FOREVER_MS, link->cancel);
    uint8_t *space;
    size_t got = 1;
    SQ_BUF(text, MAX_ANSWER);
    while (got > 0 && sq_buf_reserve(&text, 512, &space, NULL)
           && sq_socket_read_some(link->fd, space, 512, &got, &limit, NULL)) {
        sq_buf_commit(&text, got);
        struct sq_span rest = sq_buf_span(&text);
        struct sq_span line;
        while (sq_span_take_until(&rest, '\n', &line)) {
            obey(link, line);
        }
        sq_buf_drop(&text, text.len - rest.len);
    }
    end_thread(link);
}

/* Connects to an inspector of the same user. Lock held. */
static bool
connect(struct sq_hub_link *link) {
    const struct sq_deadline limit = sq_deadline_in(CONNECT_MS, NULL);
    if (!sq_socket_connect_path(link->path, &limit, &link->fd, NULL)) {
        return false;
    }
    if (!sq_socket_check_peer(link->fd, NULL)
        || !sq_cancel_create(&link->cancel, NULL)) {
        sq_socket_close(link->fd);
        return false;
    }
    link->threads = 2;
    link->held_count = 0;
    link->gate_changed = true;
    atomic_store(&link->is_up, true);
    return true;
}

void
sq_hub_link_touch(struct sq_hub_link *link, bool needs_person) {
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES];
    if (!link || !link->path[0] || atomic_load(&link->is_up)) {
        return;
    }
    bool is_urgent = needs_person
                  || sq_call_gate_reread(link->gate) != SQ_GATE_RUN
                  || sq_call_gate_rules(link->gate, rules) > 0;
    int64_t now = sq_clock_monotonic_ns();
    sq_lock_lock(link->lock);
    bool is_due = is_urgent || now - link->tried_ns >= RETRY_NS;
    while (is_urgent && link->threads > 0 && !atomic_load(&link->is_up)) {
        sq_lock_wait(link->lock); /* the former connection ends */
    }
    bool ok = false;
    if (is_due && link->threads == 0) {
        link->tried_ns = now;
        ok = connect(link);
    }
    sq_lock_unlock(link->lock);
    if (!ok) {
        return;
    }
    sq_call_log_listen(link->calls, &link->listener);
    sq_call_gate_watch(link->gate, note_gate, link);
    sq_call_gate_set_attended(link->gate, true);
    if (!sq_pool_submit(link->pool, run_reader, link, NULL)) {
        end_thread(link);
    }
    if (!sq_pool_submit(link->pool, run_writer, link, NULL)) {
        end_thread(link);
    }
}

bool
sq_hub_link_create(struct sq_call_log *calls, struct sq_call_gate *gate,
                   struct sq_hub_link **out, struct sq_err *err) {
    struct sq_hub_link *link = sq_mem_zalloc(1, sizeof(*link));
    if (!link) {
        return sq_fail_nomem(err);
    }
    link->calls = calls;
    link->gate = gate;
    link->tried_ns = -RETRY_NS;
    link->listener =
        (struct sq_call_listener){ .changed = note_call, .context = link };
    /* Without a private folder there is no hub: the path stays empty. */
    sq_hub_path(link->path, NULL);
    if (!sq_lock_create(&link->lock, err)
        || !sq_pool_create(2, 2, &link->pool, err)) {
        sq_hub_link_destroy(link);
        return false;
    }
    *out = link;
    return true;
}

void
sq_hub_link_destroy(struct sq_hub_link *link) {
    if (!link) {
        return;
    }
    if (link->lock) {
        const struct sq_deadline limit = sq_deadline_in(FLUSH_MS, NULL);
        sq_lock_lock(link->lock);
        while (atomic_load(&link->is_up)
               && (link->count > 0 || link->is_sending)
               && sq_deadline_check(&limit, NULL)) {
            sq_lock_wait(link->lock);
        }
        if (link->threads > 0 && link->cancel) {
            sq_cancel_set(link->cancel);
        }
        sq_lock_unlock(link->lock);
    }
    sq_pool_destroy(link->pool);
    sq_lock_destroy(link->lock);
    sq_mem_free(link);
}
