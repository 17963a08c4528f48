/* The calls of all clients for the page, and the gate that holds them. */
#include <inttypes.h>
#include <stdio.h>

#include "inspector/private.h"
#include "sys/clock.h"
#include "tool/tool.h"
#include "tools/reply.h"

#define NS_PER_MS 1e6
#define MAX_WAITING_CALLS 100
#define SENT_AT_ONCE 64
#define GRANT_NS ((int64_t)600 * 1000000000) /* 10 minutes */

static const char *const state_names[] = {
    [SQ_CALL_RUNNING] = "running",
    [SQ_CALL_HELD] = "held",
    [SQ_CALL_SUCCEEDED] = "succeeded",
    [SQ_CALL_FAILED] = "failed",
};

static const char *const block_kinds[] = {
    [SQ_BLOCK_TEXT] = "text",          [SQ_BLOCK_IMAGE] = "picture",
    [SQ_BLOCK_LINK] = "link",          [SQ_BLOCK_AUDIO] = "audio",
    [SQ_BLOCK_RESOURCE_TEXT] = "text", [SQ_BLOCK_RESOURCE_BYTES] = "bytes",
};

static const char *const audiences[] = {
    [SQ_FOR_BOTH] = "both",
    [SQ_FOR_MODEL] = "model",
    [SQ_FOR_USER] = "person",
};

/* Writes a time in milliseconds, unless it is not known. */
static void
put_time(struct sq_json_writer *w, const char *name, int64_t ns) {
    if (ns >= 0) {
        sq_put_double(w, name, (double)ns / NS_PER_MS);
    }
}

static void
put_raw(struct sq_json_writer *w, const char *name, struct sq_span json) {
    if (json.len > 0) {
        sq_json_put_raw(sq_json_at(w, name), json);
    }
}

static void
put_error(struct sq_json_writer *w, const struct sq_logged_call *call) {
    if (call->error == SQ_ERR_NONE) {
        return;
    }
    sq_json_begin_object_of(w, "failure");
    sq_put_text(w, "code", sq_tool_error_name(call->error));
    sq_json_put_clean_member(w, "message", call->message);
    sq_json_put_clean_member(w, "hint", call->hint);
    put_raw(w, "details", call->details);
    sq_json_end_object(w);
}

static void
put_content(struct sq_json_writer *w, const struct sq_logged_block *block) {
    if (block->kind == SQ_BLOCK_TEXT || block->kind == SQ_BLOCK_RESOURCE_TEXT) {
        sq_json_put_clean_member(w, "text", block->data);
    } else if (block->kind != SQ_BLOCK_LINK) {
        sq_json_put_base64(sq_json_at(w, "data"), block->data.ptr,
                           block->data.len);
    }
}

static void
put_blocks(struct sq_json_writer *w, const struct sq_logged_call *call,
           bool with_content) {
    sq_json_begin_array_of(w, "blocks");
    for (int i = 0; i < call->block_count; i++) {
        sq_json_begin_object(w);
        /* Writes what is known of a block without its content. */
        const struct sq_logged_block *block = &call->blocks[i];
        sq_put_text(w, "kind", block_kinds[block->kind]);
        sq_put_text(w, "audience", audiences[block->audience]);
        sq_put_int(w, "bytes", (int64_t)block->data.len);
        if (block->mime_type) {
            sq_put_text(w, "type", block->mime_type);
        }
        if (block->size.width > 0) {
            sq_put_size(w, "size", block->size);
            sq_put_int(w, "tokens", block->tokens);
        }
        if (block->uri.len > 0) {
            sq_json_put_clean_member(w, "uri", block->uri);
        }
        if (with_content) {
            put_content(w, &call->blocks[i]);
        }
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

static void
put_call(struct sq_json_writer *w, const struct sq_logged_call *call,
         bool with_content) {
    sq_put_int(w, "sequence", (int64_t)call->sequence);
    sq_put_int(w, "version", (int64_t)call->version);
    sq_put_text(w, "state", state_names[call->state]);
    sq_put_int(w, "client", (int64_t)call->client);
    sq_json_put_clean_member(w, "clientName", call->client_name);
    sq_json_put_clean_member(w, "tool", call->tool);
    sq_json_put_clean_member(w, "operation", call->operation);
    sq_json_put_clean_member(w, "device", call->device);
    put_raw(w, "arguments", call->arguments);
    sq_put_bool(w, "acts", call->acts);
    sq_put_if_true(w, "person", call->is_person);
    sq_put_if_true(w, "light", call->is_light);
    put_time(w, "startedMs", call->started_wall_ns);
    put_time(w, "totalMs", call->total_ns);
    put_time(w, "heldMs", call->held_ns);
    put_time(w, "deviceMs", call->device_ns);
    sq_put_int(w, "pictureTokens", call->picture_tokens);
    sq_put_int(w, "textTokens", call->text_tokens);
    if (call->has_point) {
        sq_put_img_pt(w, "point", call->point);
    }
    if (call->has_end) {
        sq_put_img_pt(w, "end", call->end);
    }
    if (call->change.count > 0) {
        sq_put_changed(w, &call->change, NULL);
    }
    if (call->screenshot_id.len > 0) {
        sq_json_put_clean_member(w, "screenshotId", call->screenshot_id);
    }
    sq_json_put_clean_member(w, "pictureId", call->picture_id);
    put_error(w, call);
    put_blocks(w, call, with_content);
}

bool
sq_inspector_call(const struct sq_inspector_request *request,
                  struct sq_json_writer *w, struct sq_err *err) {
    int64_t number = sq_json_int_of(request->arguments, "sequence");
    const struct sq_logged_call *call = sq_call_log_get(
        request->inspector->options.calls, number > 0 ? (uint64_t)number : 0);
    if (!call) {
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "this call is no longer in memory");
    }
    put_call(w, call, true);
    sq_logged_call_release(call);
    return true;
}

/* Writes what the person who decides must see, by the number of the call. */
static void
put_shown(struct sq_json_writer *w, struct sq_call_gate *gate,
          const uint64_t *ids, int count) {
    sq_json_begin_object_of(w, "shown");
    for (int i = 0; i < count; i++) {
        char id[24];
        struct sq_buf shown;
        sq_buf_init(&shown, SQ_MAX_JSON_BYTES);
        snprintf(id, sizeof(id), "%" PRIu64, ids[i]);
        if (sq_call_gate_shown(gate, ids[i], &shown, NULL)) {
            put_raw(w, id, sq_buf_span(&shown));
        }
        sq_buf_finish(&shown);
    }
    sq_json_end_object(w);
}

/* Writes which calls are approved in advance, and for how long. */
static void
put_grants(struct sq_json_writer *w, struct sq_call_gate *gate) {
    struct sq_gate_grant grants[SQ_GATE_MAX_GRANTS];
    int count = sq_call_gate_grants(gate, grants);
    sq_json_begin_array_of(w, "grants");
    for (int i = 0; i < count; i++) {
        sq_json_begin_object(w);
        sq_put_int(w, "client", (int64_t)grants[i].client);
        sq_put_text(w, "operation", grants[i].name);
        put_time(w, "leftMs", grants[i].until_ns - sq_clock_monotonic_ns());
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

/* Writes the mode of the gate and the calls that wait there. */
static void
put_gate(struct sq_json_writer *w, struct sq_call_gate *gate) {
    uint64_t ids[MAX_WAITING_CALLS];
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES];
    /* Read first: what follows is at least as new. */
    uint64_t version = sq_call_gate_version(gate);
    int count = sq_call_gate_waiting(gate, ids, MAX_WAITING_CALLS);
    sq_json_begin_object_of(w, "gate");
    sq_put_int(w, "version", (int64_t)version);
    sq_put_text(w, "mode", sq_gate_mode_names[sq_call_gate_mode(gate)]);
    sq_put_int(w, "count", count);
    put_grants(w, gate);
    sq_gate_put_rules(sq_json_at(w, "rules"), rules,
                      sq_call_gate_rules(gate, rules));
    sq_json_begin_array_of(w, "waiting");
    for (int i = 0; i < count && i < MAX_WAITING_CALLS; i++) {
        sq_json_put_int(w, (int64_t)ids[i]);
    }
    sq_json_end_array(w);
    put_shown(w, gate, ids,
              count < MAX_WAITING_CALLS ? count : MAX_WAITING_CALLS);
    sq_json_end_object(w);
}

static bool
decide(struct sq_call_gate *gate, const struct sq_json *arguments,
       struct sq_span action, struct sq_err *err) {
    int64_t number = sq_json_int_of(arguments, "id");
    uint64_t id = number > 0 ? (uint64_t)number : 0;
    bool ok = false;
    if (sq_span_is(action, "refuse")) {
        ok =
            sq_call_gate_refuse(gate, id, sq_json_text_of(arguments, "reason"));
    } else if (sq_span_is(action, "release")) {
        ok = sq_call_gate_release(gate, id);
    } else if (sq_span_is(action, "release-kind")) {
        ok = sq_call_gate_release_kind(gate, id, GRANT_NS);
    } else {
        return sq_fail(err, SQ_ERR_ARGUMENT, "unknown action");
    }
    return ok || sq_fail(err, SQ_ERR_NOT_FOUND, "this call no longer waits");
}

bool
sq_inspector_set_gate(const struct sq_inspector_request *request,
                      struct sq_json_writer *w, struct sq_err *err) {
    struct sq_call_gate *gate = request->inspector->options.gate;
    struct sq_span action = sq_json_text_of(request->arguments, "action");
    int mode = sq_gate_find_mode(action);
    bool is_step = sq_span_is(action, "step");
    bool is_rules = sq_span_is(action, "rules");
    struct sq_gate_rule rules[SQ_GATE_MAX_RULES];
    int count;
    if (is_rules
        && !sq_gate_read_rules(sq_json_get(request->arguments, "rules"), rules,
                               &count, err)) {
        return false;
    }
    if (is_step ? !sq_call_gate_step(gate)
        : is_rules
            ? !sq_call_gate_set_rules(gate, rules, count)
            : mode >= 0
                  && !sq_call_gate_set_mode(gate, (enum sq_gate_mode)mode)) {
        return sq_fail(err, SQ_ERR_IO,
                       "it is in force, but could not be saved for the next "
                       "start of the server");
    }
    if (!is_step && !is_rules && mode < 0 && action.len > 0
        && !decide(gate, request->arguments, action, err)) {
        return false;
    }
    put_gate(w, gate);
    return true;
}

/* Writes what each client has cost. */
static void
put_totals(struct sq_json_writer *w, struct sq_call_log *calls) {
    struct sq_call_total totals[SQ_MAX_CALL_TOTALS];
    int count = sq_call_log_totals(calls, totals);
    sq_json_begin_array_of(w, "totals");
    for (int i = 0; i < count; i++) {
        sq_json_begin_object(w);
        sq_put_int(w, "client", (int64_t)totals[i].client);
        sq_json_put_clean_member(w, "clientName",
                                 sq_span_of(totals[i].client_name));
        sq_put_int(w, "calls", totals[i].calls);
        sq_put_int(w, "pictures", totals[i].pictures);
        sq_put_int(w, "pictureTokens", totals[i].picture_tokens);
        sq_put_int(w, "textTokens", totals[i].text_tokens);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

/* Sends the state of the gate and of the recording, and the totals. */
static bool
send_state(const struct sq_inspector_request *request) {
    struct sq_json_writer w;
    struct sq_mcp_message *message = sq_inspector_begin_event(&w);
    if (!message) {
        return false;
    }
    sq_put_text(&w, "server", request->inspector->id);
    put_gate(&w, request->inspector->options.gate);
    sq_inspector_put_recording(&w, request->inspector);
    put_totals(&w, request->inspector->options.calls);
    return sq_inspector_send_event(request, message, &w);
}

static bool
send_call(const struct sq_inspector_request *request,
          const struct sq_logged_call *call) {
    struct sq_json_writer w;
    struct sq_mcp_message *message = sq_inspector_begin_event(&w);
    if (!message) {
        return false;
    }
    sq_json_begin_object_of(&w, "call");
    put_call(&w, call, false);
    sq_json_end_object(&w);
    return sq_inspector_send_event(request, message, &w);
}

/* Sends all calls that are newer than *after. */
static bool
send_calls(const struct sq_inspector_request *request, uint64_t *after) {
    const struct sq_logged_call *newer[SENT_AT_ONCE];
    bool ok = true;
    int count;
    do {
        count = sq_call_log_newer(request->inspector->options.calls, *after,
                                  newer, SENT_AT_ONCE);
        for (int i = 0; i < count; i++) {
            *after = newer[i]->version;
            ok = ok && send_call(request, newer[i]);
            sq_logged_call_release(newer[i]);
        }
    } while (ok && count == SENT_AT_ONCE);
    return ok;
}

void
sq_inspector_follow_calls(struct sq_inspector_request *request) {
    struct sq_inspector *inspector = request->inspector;
    int64_t given = sq_json_int_of(request->arguments, "after");
    bool is_known = sq_span_is(sq_json_text_of(request->arguments, "server"),
                               inspector->id);
    uint64_t after = is_known && given > 0 ? (uint64_t)given : 0;
    struct sq_cancel *cancel = request->call->cancel;
    uint64_t seen = 0;
    bool ok = true;
    while (ok && !sq_cancel_is_set(cancel)) {
        sq_lock_lock(inspector->news_lock);
        seen = inspector->news;
        sq_lock_unlock(inspector->news_lock);
        ok = send_state(request) && send_calls(request, &after);
        sq_lock_lock(inspector->news_lock);
        while (ok && inspector->news == seen && !sq_cancel_is_set(cancel)) {
            sq_lock_wait(inspector->news_lock);
        }
        sq_lock_unlock(inspector->news_lock);
    }
}
