/*
 * Finds out which device a call means that names none: the one that the user
 * has chosen before, or asks the client's user.
 */
#include <stdio.h>

#include "app/host/private.h"

#define MAX_QUESTION_BYTES ((size_t)64 << 10)

/*
 * The demo phone is used only if nothing else is connected, a browser only by
 * its name.
 */
static bool
is_choice(const struct sq_device_info *info) {
    return info->state == SQ_DEVICE_ONLINE && strcmp(info->kind, "demo") != 0
        && strcmp(info->kind, "browser") != 0;
}

#define BEFORE_CHOICES                                                         \
    "{\"message\":\"Several devices are connected. Which one should squint "   \
    "use?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"         \
    "\"deviceId\":{\"type\":\"string\",\"title\":\"Device\",\"enum\":"
#define AFTER_CHOICES "}},\"required\":[\"deviceId\"]}}"

static bool
write_choices(const struct sq_device_list *list, bool with_names,
              struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_array(&w);
    for (size_t i = 0; i < list->count; i++) {
        if (is_choice(&list->items[i])) {
            /* Writes the id of a device, or its name and id. */
            const struct sq_device_info *info = &list->items[i];
            char text[SQ_DEVICE_TEXT_SIZE + SQ_DEVICE_ID_SIZE + 4];
            bool has_name = info->name[0] && strcmp(info->name, info->id) != 0;
            if (with_names && has_name) {
                snprintf(text, sizeof(text), "%s (%s)", info->name, info->id);
                sq_json_put_clean(&w, sq_span_of(text));
            } else {
                sq_json_put_string(&w, sq_span_of(info->id));
            }
        }
    }
    sq_json_end_array(&w);
    return sq_json_writer_done(&w, err);
}

/*
 * Writes a form with one choice. enumNames is the only way to name choices that
 * all revisions with forms have.
 */
static bool
write_form(const struct sq_device_list *list, struct sq_buf *out,
           struct sq_err *err) {
    return sq_buf_printf(out, err, "%s", BEFORE_CHOICES)
        && write_choices(list, false, out, err)
        && sq_buf_printf(out, err, "%s", ",\"enumNames\":")
        && write_choices(list, true, out, err)
        && sq_buf_printf(out, err, "%s", AFTER_CHOICES);
}

/* Returns the arguments with deviceId added, owned by the call. */
static bool
add_device(struct sq_mcp_call *call, const struct sq_json *arguments,
           struct sq_span device, const struct sq_json **out,
           struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(text, SQ_MAX_JSON_BYTES);
    sq_json_open(&w, &text);
    for (const struct sq_json *member = sq_json_first(arguments); member;
         member = sq_json_next(member)) {
        const char *key =
            sq_arena_strdup(call->arena, sq_json_key(member), err);
        if (key && strcmp(key, "deviceId") != 0 && strcmp(key, "udid") != 0) {
            sq_json_put_value(sq_json_at(&w, key), member);
        }
    }
    sq_json_put_string(sq_json_at(&w, "deviceId"), device);
    bool ok = sq_json_close(&w, err);
    struct sq_span copy = sq_buf_span(&text);
    return ok && sq_arena_keep(call->arena, &copy, err)
        && sq_json_parse(copy, call->arena, out, err);
}

static const struct sq_device_info *
find_choice(const struct sq_device_list *list, struct sq_span id) {
    for (size_t i = 0; i < list->count; i++) {
        if (is_choice(&list->items[i]) && sq_span_is(id, list->items[i].id)) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Finds the device that the user chose before, if it is still connected. */
static const struct sq_device_info *
find_remembered(const struct sq_device_list *list,
                const struct sq_mcp_call *call) {
    const struct sq_device_choice choice = sq_session_choice(call->state);
    const struct sq_device_info *info =
        choice.id[0] ? find_choice(list, sq_span_of(choice.id)) : NULL;
    return info && info->connection == choice.connection ? info : NULL;
}

/* Says why no device was chosen; the caller adds which there are. */
static bool
fail_unchosen(const struct sq_json *answer, struct sq_err *err) {
    const struct sq_json *content = sq_json_get(answer, "content");
    struct sq_span id = sq_json_text_of(content, "deviceId");
    bool accepts = sq_span_is(sq_json_text_of(answer, "action"), "accept");
    if (!accepts) {
        return sq_fail(err, SQ_ERR_MULTIPLE_DEVICES,
                       "several devices are connected, and the user chose "
                       "none");
    }
    if (id.len == 0) {
        return sq_fail(err, SQ_ERR_MULTIPLE_DEVICES,
                       "several devices are connected, and the client's answer "
                       "has no $deviceId");
    }
    int shown = id.len < SQ_DEVICE_ID_SIZE ? (int)id.len : SQ_DEVICE_ID_SIZE;
    sq_fail_quoting(err, SQ_ERR_MULTIPLE_DEVICES,
                    "several devices are connected, and the answer \"%.*s\" "
                    "is none of them",
                    shown, id.ptr);
    return false;
}

/* Replaces the error of a question that the client could not answer. */
static bool
fail_unasked(struct sq_err *err) {
    char reason[SQ_ERR_MESSAGE_SIZE];
    if (err->code != SQ_ERR_UNSUPPORTED && err->code != SQ_ERR_FORMAT) {
        return false;
    }
    snprintf(reason, sizeof(reason), "%s", err->message);
    *err = (struct sq_err){ 0 };
    return sq_fail(err, SQ_ERR_MULTIPLE_DEVICES,
                   "several devices are connected, and the user could not be "
                   "asked: %.100s",
                   reason);
}

static bool
ask(struct sq_mcp_call *call, const struct sq_device_list *list,
    const struct sq_device_info **out, struct sq_err *err) {
    const struct sq_json *answer;
    SQ_BUF(form, MAX_QUESTION_BYTES);
    bool ok = write_form(list, &form, err);
    const struct sq_mcp_question question = { "device", "elicitation/create",
                                              sq_buf_span(&form) };
    ok = ok
      && (sq_mcp_call_ask(call, &question, 1, &answer, err)
          || fail_unasked(err));
    if (!ok) {
        return false;
    }
    bool accepts = sq_span_is(sq_json_text_of(answer, "action"), "accept");
    *out = accepts
             ? find_choice(list, sq_json_text_of(sq_json_get(answer, "content"),
                                                 "deviceId"))
             : NULL;
    return *out || fail_unchosen(answer, err);
}

bool
sq_host_choose_device(struct sq_host *host, struct sq_mcp_call *call,
                      const struct sq_json *arguments,
                      const struct sq_json **out, struct sq_err *err) {
    SQ_FREED(sq_device_list_finish) struct sq_device_list list = { 0 };
    bool ok = sq_devices_list(host->devices, &list, &call->deadline, err);
    const struct sq_device_info *chosen =
        ok ? find_remembered(&list, call) : NULL;
    ok = ok && (chosen || ask(call, &list, &chosen, err));
    if (ok) {
        struct sq_device_choice choice = { .connection = chosen->connection };
        snprintf(choice.id, sizeof(choice.id), "%s", chosen->id);
        sq_session_set_choice(call->state, &choice);
        ok = add_device(call, arguments, sq_span_of(chosen->id), out, err);
    }
    return ok;
}

#define MAX_NOTE_BYTES 2000

void
sq_host_note_choice(const struct sq_mcp_call *call,
                    const struct sq_json *arguments, struct sq_result *out) {
    struct sq_block *block;
    struct sq_json_writer w;
    if (sq_session_keeps_lists(call->state)
        || !sq_result_add(out, SQ_BLOCK_TEXT, MAX_NOTE_BYTES, &block, NULL)) {
        return;
    }
    block->mime_type = "application/json";
    block->priority = 0.7;
    sq_json_writer_init(&w, &block->data);
    struct sq_span device = sq_json_text_of(arguments, "deviceId");
    sq_json_begin_object(&w);
    sq_json_put_string(sq_json_at(&w, "deviceId"), device);
    sq_json_put_string(sq_json_at(&w, "note"),
                       SQ_SPAN("The user chose this device for this call "
                               "only: give its deviceId in later calls, or "
                               "the user is asked again."));
    sq_json_end_object(&w);
    if (!sq_json_writer_done(&w, NULL)) {
        sq_buf_finish(&block->data);
        out->count--;
    }
}
