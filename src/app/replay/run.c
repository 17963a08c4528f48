/* Runs recorded actions on a device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/replay/private.h"
#include "json/reader.h"
#include "tool/masked_arguments.h"

#define MAX_CALL_BYTES ((size_t)16 << 20)
#define NAME_SIZE 64

bool
sq_replay_secret(const struct sq_json *secrets, uint64_t number,
                 struct sq_span *out) {
    char name[NAME_SIZE];
    if (secrets) {
        snprintf(name, sizeof(name), "%" PRIu64, number);
        return sq_json_string(sq_json_get(secrets, name), out);
    }
    snprintf(name, sizeof(name), "SQUINT_SECRET_%" PRIu64, number);
    const char *value = getenv(name);
    if (value) {
        *out = sq_span_of(value);
    }
    return value != NULL;
}

void
sq_replay_call_finish(struct sq_replay_call *call) {
    sq_result_finish(&call->result);
    sq_buf_finish(&call->text);
    sq_arena_finish(&call->arena);
}

static void
put_member(struct sq_json_writer *w, const struct sq_json *member,
           const struct sq_json *secrets) {
    char name[NAME_SIZE];
    struct sq_span key = sq_json_key(member);
    struct sq_span text = { 0 };
    struct sq_span value;
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(key));
    sq_json_string(member, &text);
    uint64_t secret = sq_secret_number(text);
    sq_json_put_key(w, name);
    if (secret && sq_replay_secret(secrets, secret, &value)) {
        sq_json_put_string(w, value);
    } else {
        sq_json_put_value(w, member);
    }
}

static void
put_text(struct sq_json_writer *w, const char *key, struct sq_span text) {
    if (text.len > 0) {
        sq_json_put_key(w, key);
        sq_json_put_string(w, text);
    }
}

static void
put_place(struct sq_json_writer *w, const struct sq_replay_place *place) {
    if (place->has_point) {
        sq_json_put_key(w, "x");
        sq_json_put_int(w, place->point.x);
        sq_json_put_key(w, "y");
        sq_json_put_int(w, place->point.y);
        put_text(w, "screenshotId", place->screenshot_id);
    } else {
        sq_json_put_key(w, "selector");
        sq_json_begin_object(w);
        put_text(w, "resourceId", place->resource_id);
        put_text(w, "text", place->label);
        sq_json_end_object(w);
    }
}

/*
 * Returns whether a recorded argument is left out: a device or picture that
 * only the recording had, or the place if there is another.
 */
static bool
is_left_out(struct sq_span name, const struct sq_replay_place *place) {
    return sq_span_is(name, "deviceId") || sq_span_is(name, "udid")
        || sq_span_is(name, "operation") || sq_span_is(name, "screenshotId")
        || sq_span_is(name, "screenshotRef")
        || (place && sq_replay_is_place(name));
}

static bool
write_arguments(const struct sq_replay_options *options,
                const struct sq_json *arguments,
                const struct sq_replay_place *place, struct sq_buf *out,
                struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    for (const struct sq_json *member = sq_json_first(arguments); member;
         member = sq_json_next(member)) {
        if (!is_left_out(sq_json_key(member), place)) {
            put_member(&w, member, options->secrets);
        }
    }
    if (place) {
        put_place(&w, place);
    }
    if (options->device) {
        put_text(&w, "deviceId", sq_span_of(options->device));
    }
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

/* Parses the first text of the answer. */
static void
read_reply(struct sq_replay_call *call) {
    int at = 0;
    while (at < call->result.count
           && call->result.blocks[at].kind != SQ_BLOCK_TEXT) {
        at++;
    }
    if (at < call->result.count
        && !sq_json_parse(sq_buf_span(&call->result.blocks[at].data),
                          &call->arena, &call->reply, NULL)) {
        call->reply = NULL;
    }
}

/* Errors after which no further action can be tried. */
static bool
ends_replay(enum sq_err_code code) {
    return sq_is_fatal(code) || code == SQ_ERR_NO_DEVICES
        || code == SQ_ERR_MULTIPLE_DEVICES || code == SQ_ERR_DEVICE_NOT_FOUND
        || code == SQ_ERR_DEVICE_OFFLINE;
}

static bool
run(const struct sq_replay_options *options, const char *operation,
    const struct sq_json *arguments, const struct sq_replay_place *place,
    struct sq_replay_call *out, struct sq_err *err) {
    const struct sq_host_watch watch = { .cancel = options->cancel,
                                         .session = options->session,
                                         .continues = true };
    const struct sq_json *given;
    sq_arena_init(&out->arena, MAX_CALL_BYTES);
    sq_buf_init(&out->text, MAX_CALL_BYTES);
    if (!write_arguments(options, arguments, place, &out->text, err)
        || !sq_json_parse(sq_buf_span(&out->text), &out->arena, &given, err)) {
        return false;
    }
    out->ok = sq_host_run(options->host, operation, given, &watch, &out->result,
                          &out->err);
    if (!out->ok && ends_replay(out->err.code)) {
        return sq_fail_with(err, &out->err);
    }
    read_reply(out);
    return true;
}

bool
sq_replay_do(const struct sq_replay_options *options,
             const struct sq_replay_action *action,
             const struct sq_replay_place *place, struct sq_replay_call *out,
             struct sq_err *err) {
    return run(options, action->tool->name, action->arguments, place, out, err);
}

bool
sq_replay_look(const struct sq_replay_options *options,
               struct sq_replay_call *out, struct sq_err *err) {
    return run(options, "screenshot", NULL, NULL, out, err);
}
