/* Exchanges messages of the Chrome DevTools Protocol. */
#include "device/browser/cdp.h"

#include <string.h>

#include "json/writer.h"
#include "util/limits.h"

#define MAX_COMMAND_BYTES ((size_t)1 << 20)
#define MAX_VALUES_BYTES ((size_t)64 << 20)

bool
sq_cdp_parse(struct sq_span text, struct sq_arena *arena,
             struct sq_cdp_message *out, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_cdp_message message = { 0 };
    if (!sq_json_parse(text, arena, &value, err)) {
        return sq_fail_in(err, "a message of the browser");
    }
    bool is_answer = sq_json_int(sq_json_get(value, "id"), &message.id);
    message.method = sq_json_text_of(value, "method");
    message.session = sq_json_text_of(value, "sessionId");
    message.params = sq_json_get(value, is_answer ? "result" : "params");
    const struct sq_json *error = sq_json_get(value, "error");
    message.is_error = error != NULL;
    message.error = sq_json_text_of(error, "message");
    if (is_answer ? message.id < 0 : message.method.len == 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "a message of the browser is neither an answer nor an "
                       "event");
    }
    *out = message;
    return true;
}

bool
sq_cdp_start(struct sq_cdp *cdp, const char *const *argv, struct sq_err *err) {
    sq_buf_init(&cdp->in, SQ_MAX_JSON_BYTES);
    sq_arena_init(&cdp->arena, MAX_VALUES_BYTES);
    return sq_channel_start(argv, &cdp->channel, err);
}

void
sq_cdp_finish(struct sq_cdp *cdp) {
    sq_channel_destroy(cdp->channel);
    cdp->channel = NULL;
    sq_buf_finish(&cdp->in);
    sq_arena_finish(&cdp->arena);
}

static bool
write_command(struct sq_buf *out, int64_t id,
              const struct sq_cdp_command *command, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "id");
    sq_json_put_int(&w, id);
    sq_json_put_key(&w, "method");
    sq_json_put_string(&w, sq_span_of(command->method));
    if (command->session[0]) {
        sq_json_put_key(&w, "sessionId");
        sq_json_put_string(&w, sq_span_of(command->session));
    }
    sq_json_put_key(&w, "params");
    sq_json_put_raw(&w, command->params);
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err) && sq_buf_append_byte(out, '\0', err);
}

bool
sq_cdp_send(struct sq_cdp *cdp, const struct sq_cdp_command *command,
            int64_t *id, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_buf text;
    sq_buf_init(&text, MAX_COMMAND_BYTES);
    *id = ++cdp->last_id;
    cdp->asks_page = command->session[0] != '\0';
    bool ok = write_command(&text, *id, command, err)
           && sq_channel_send(cdp->channel, sq_buf_span(&text), deadline, err);
    sq_buf_finish(&text);
    return ok;
}

/* Forgets what was read, so that there is room for more. */
static void
compact(struct sq_cdp *cdp) {
    size_t left = cdp->in.len - cdp->used;
    if (cdp->used == 0) {
        return;
    }
    memmove(cdp->in.data, cdp->in.data + cdp->used, left);
    cdp->in.len = left;
    cdp->used = 0;
}

/* Takes the next complete message. Returns false if there is none. */
static bool
take_text(struct sq_cdp *cdp, struct sq_span *out) {
    struct sq_span rest = sq_buf_span(&cdp->in);
    rest.ptr += cdp->used;
    rest.len -= cdp->used;
    bool has_one = rest.len > 0 && sq_span_take_until(&rest, '\0', out);
    cdp->used += has_one ? out->len + 1 : 0;
    return has_one;
}

/* Reads one message; an event is handled. */
static bool
handle(struct sq_cdp *cdp, struct sq_span text, struct sq_cdp_message *out,
       struct sq_err *err) {
    sq_arena_reset(&cdp->arena);
    if (!sq_cdp_parse(text, &cdp->arena, out, err)) {
        return false;
    }
    if (out->id == 0) {
        cdp->on_event(cdp->context, out);
    }
    return true;
}

static bool
answer(const struct sq_cdp_message *message, const struct sq_json **result,
       struct sq_err *err) {
    if (message->is_error) {
        struct sq_span why = message->error;
        why.len = why.len < 200 ? why.len : 200;
        return sq_fail_quoting(err, SQ_ERR_IO, "the browser refused: %.*s",
                               SQ_SPAN_ARGS(why));
    }
    if (result) {
        *result = message->params;
    }
    return true;
}

bool
sq_cdp_await(struct sq_cdp *cdp, int64_t id, const struct sq_json **result,
             const struct sq_deadline *deadline, struct sq_err *err) {
    for (;;) {
        struct sq_cdp_message message;
        struct sq_span text;
        while (take_text(cdp, &text)) {
            if (!handle(cdp, text, &message, err)) {
                return false;
            }
            if (message.id == id) {
                return answer(&message, result, err);
            }
        }
        if (cdp->asks_page && cdp->is_blocked(cdp->context, err)) {
            return false;
        }
        compact(cdp);
        if (!sq_channel_receive(cdp->channel, &cdp->in, deadline, err)) {
            return false;
        }
    }
}

bool
sq_cdp_call(struct sq_cdp *cdp, const struct sq_cdp_command *command,
            const struct sq_json **result, const struct sq_deadline *deadline,
            struct sq_err *err) {
    int64_t id;
    return sq_cdp_send(cdp, command, &id, deadline, err)
        && sq_cdp_await(cdp, id, result, deadline, err);
}

bool
sq_cdp_pump(struct sq_cdp *cdp, int wait_ms, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_deadline until = sq_deadline_within(deadline, wait_ms);
    struct sq_err local_err = { 0 };
    bool got = false;
    compact(cdp);
    if (!sq_channel_take(cdp->channel, &cdp->in, &got, err)) {
        return false;
    }
    if (!got && wait_ms > 0
        && !sq_channel_receive(cdp->channel, &cdp->in, &until, &local_err)
        && local_err.code != SQ_ERR_TIMEOUT) {
        return sq_fail_with(err, &local_err);
    }
    struct sq_cdp_message message;
    struct sq_span text;
    bool ok = true;
    while (ok && take_text(cdp, &text)) {
        ok = handle(cdp, text, &message, err);
    }
    return ok;
}
