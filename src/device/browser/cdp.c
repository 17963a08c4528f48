/* Exchanges messages of the Chrome DevTools Protocol. */
#include "device/browser/cdp.h"

#include <string.h>

#include "json/writer.h"
#include "sys/entropy.h"
#include "util/limits.h"

#define MAX_COMMAND_BYTES ((size_t)1 << 20)
#define MAX_VALUES_BYTES ((size_t)64 << 20)
#define MAX_FRAME_HEAD 16
#define PONG_MS 1000

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

static void
init(struct sq_cdp *cdp) {
    sq_buf_init(&cdp->frames, SQ_MAX_JSON_BYTES + MAX_FRAME_HEAD);
    sq_buf_init(&cdp->in, SQ_MAX_JSON_BYTES);
    sq_arena_init(&cdp->arena, MAX_VALUES_BYTES);
}

bool
sq_cdp_start(struct sq_cdp *cdp, const char *const *argv, struct sq_err *err) {
    init(cdp);
    return sq_channel_start(argv, &cdp->channel, err);
}

bool
sq_cdp_adopt(struct sq_cdp *cdp, int socket, bool is_websocket,
             struct sq_err *err) {
    init(cdp);
    cdp->link.is_websocket = is_websocket;
    return sq_channel_adopt(socket, "the browser", &cdp->channel, err);
}

void
sq_cdp_finish(struct sq_cdp *cdp) {
    sq_channel_destroy(cdp->channel);
    cdp->channel = NULL;
    sq_buf_finish(&cdp->frames);
    sq_buf_finish(&cdp->in);
    sq_arena_finish(&cdp->arena);
}

static bool
write_command(struct sq_buf *out, int64_t id,
              const struct sq_cdp_command *command, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    sq_json_put_int(sq_json_at(&w, "id"), id);
    sq_json_put_string(sq_json_at(&w, "method"), sq_span_of(command->method));
    if (command->session[0]) {
        sq_json_put_string(sq_json_at(&w, "sessionId"),
                           sq_span_of(command->session));
    }
    sq_json_begin_object_of(&w, "params");
    if (command->params.len > 2) { /* without its braces */
        sq_json_put_raw_members(&w,
                                (struct sq_span){ command->params.ptr + 1,
                                                  command->params.len - 2 });
    }
    if (command->key) {
        sq_json_put_string(sq_json_at(&w, command->key), command->text);
    }
    sq_json_end_object(&w);
    return sq_json_close(&w, err);
}

/* Sends a frame of the websocket. */
static bool
send_frame(struct sq_cdp *cdp, enum sq_websocket_kind kind,
           struct sq_span bytes, const struct sq_deadline *deadline,
           struct sq_err *err) {
    uint8_t mask[4];
    SQ_BUF(frame, MAX_COMMAND_BYTES + MAX_FRAME_HEAD);
    return (sq_random_fill(mask, sizeof(mask)) == 0
            || sq_fail(err, SQ_ERR_IO, "no random bytes"))
        && sq_websocket_append(&frame, kind, bytes, mask, err)
        && sq_channel_send(cdp->channel, sq_buf_span(&frame), deadline, err);
}

bool
sq_cdp_send(struct sq_cdp *cdp, const struct sq_cdp_command *command,
            int64_t *id, const struct sq_deadline *deadline,
            struct sq_err *err) {
    SQ_BUF(text, MAX_COMMAND_BYTES);
    *id = ++cdp->link.last_id;
    cdp->asks_page = command->session[0] != '\0';
    return write_command(&text, *id, command, err)
        && (cdp->link.is_websocket
                ? send_frame(cdp, SQ_WEBSOCKET_TEXT, sq_buf_span(&text),
                             deadline, err)
                : sq_buf_append_byte(&text, '\0', err)
                      && sq_channel_send(cdp->channel, sq_buf_span(&text),
                                         deadline, err));
}

/* Handles one frame of the websocket. */
static bool
handle_frame(struct sq_cdp *cdp, const struct sq_websocket_frame *frame,
             struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_in(PONG_MS, NULL);
    switch (frame->kind) {
    case SQ_WEBSOCKET_CLOSE:
        return sq_fail(err, SQ_ERR_DEVICE_OFFLINE,
                       "the browser has closed the connection");
    case SQ_WEBSOCKET_PING:
        return send_frame(cdp, SQ_WEBSOCKET_PONG, frame->bytes, &limit, err);
    case SQ_WEBSOCKET_PONG:
        return true;
    case SQ_WEBSOCKET_TEXT:
    case SQ_WEBSOCKET_MORE:
        break;
    }
    return sq_buf_append(&cdp->in, frame->bytes.ptr, frame->bytes.len, err)
        && (!frame->ends || sq_buf_append_byte(&cdp->in, '\0', err));
}

/* Takes the messages out of the frames that have arrived. */
static bool
unpack(struct sq_cdp *cdp, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(&cdp->frames);
    struct sq_websocket_frame frame;
    bool ok = true;
    do {
        ok = sq_websocket_take(&cdp->link.websocket, &rest, SQ_MAX_JSON_BYTES,
                               &frame, err)
          && (!frame.is_whole || handle_frame(cdp, &frame, err));
    } while (ok && frame.is_whole);
    sq_buf_drop(&cdp->frames, cdp->frames.len - rest.len);
    return ok;
}

/* Returns what stands for a message that cannot be read: an error if it answers
 * the command *id, else an event. */
static struct sq_span
stand_in(struct sq_span text, int64_t *id) {
    struct sq_span digits;
    *id = 0;
    return sq_span_take_prefix(&text, "{\"id\":")
                && sq_span_take_until(&text, ',', &digits)
                && sq_span_to_int64(digits, id)
             ? SQ_SPAN("the answer is too large")
             : SQ_SPAN("");
}

/* Begins to leave out a message that fills the buffer. */
static bool
cut(struct sq_cdp *cdp, struct sq_err *err) {
    int64_t id;
    struct sq_span why = stand_in(sq_buf_span(&cdp->in), &id);
    cdp->is_cut = true;
    sq_buf_clear(&cdp->in);
    return why.len > 0
             ? sq_buf_printf(&cdp->in, err,
                             "{\"id\":%lld,\"error\":{\"message\":\"%.*s\"}}",
                             (long long)id, SQ_SPAN_ARGS(why))
             : sq_buf_printf(&cdp->in, err, "{\"method\":\"too large\"}");
}

/* Leaves out what was received after `kept` bytes, up to the message's end. */
static void
drop_rest(struct sq_cdp *cdp, size_t kept) {
    uint8_t *from = cdp->in.data + kept;
    const uint8_t *end = memchr(from, '\0', cdp->in.len - kept);
    size_t left = end ? cdp->in.len - (size_t)(end - cdp->in.data) : 0;
    if (end) {
        memmove(from, end, left);
    }
    cdp->in.len = kept + left;
    cdp->is_cut = !end;
}

/* Receives what has arrived; if that is nothing and `until` is not NULL, waits
 * for more. */
static bool
receive(struct sq_cdp *cdp, const struct sq_deadline *until,
        struct sq_err *err) {
    struct sq_buf *into = cdp->link.is_websocket ? &cdp->frames : &cdp->in;
    bool got = false;
    sq_buf_drop(&cdp->in, cdp->used);
    cdp->used = 0;
    if (cdp->in.len == cdp->in.max && !cut(cdp, err)) {
        return false;
    }
    size_t kept = cdp->in.len;
    bool ok =
        sq_channel_take(cdp->channel, into, &got, err)
        && (got || !until || sq_channel_receive(cdp->channel, into, until, err))
        && (!cdp->link.is_websocket || unpack(cdp, err));
    if (ok && cdp->is_cut) {
        drop_rest(cdp, kept);
    }
    return ok;
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
    struct sq_err local_err = { 0 };
    sq_arena_reset(&cdp->arena);
    if (!sq_cdp_parse(text, &cdp->arena, out, &local_err)) {
        if (local_err.code != SQ_ERR_LIMIT) {
            return sq_fail_with(err, &local_err);
        }
        *out = (struct sq_cdp_message){ .is_error = true };
        out->error = stand_in(text, &out->id);
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
        if (!receive(cdp, deadline, err)) {
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
    if (!receive(cdp, wait_ms > 0 ? &until : NULL, &local_err)
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
