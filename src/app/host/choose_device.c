/* Asks the client's user which device a call means. */
#include <string.h>

#include "app/host/private.h"
#include "json/reader.h"
#include "tools/run.h"

#define MAX_QUESTION_BYTES ((size_t)64 << 10)

/* The demo phone is used only if nothing else is connected. */
static bool
is_choice(const struct sq_device_info *info) {
    return info->state == SQ_DEVICE_ONLINE && strcmp(info->kind, "demo") != 0;
}

#define BEFORE_CHOICES                                                         \
    "{\"message\":\"Several devices are connected. Which one should squint "   \
    "use?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"         \
    "\"deviceId\":{\"type\":\"string\",\"title\":\"Device\",\"enum\":"
#define AFTER_CHOICES "}},\"required\":[\"deviceId\"]}}"

/* Writes a form with one choice. */
static bool
write_form(const struct sq_device_list *list, struct sq_buf *out,
           struct sq_err *err) {
    struct sq_json_writer w;
    bool ok = sq_buf_printf(out, err, "%s", BEFORE_CHOICES);
    sq_json_writer_init(&w, out);
    sq_json_begin_array(&w);
    for (size_t i = 0; i < list->count; i++) {
        if (is_choice(&list->items[i])) {
            sq_json_put_string(&w, sq_span_of(list->items[i].id));
        }
    }
    sq_json_end_array(&w);
    return ok && sq_json_writer_done(&w, err)
        && sq_buf_printf(out, err, "%s", AFTER_CHOICES);
}

/* Returns the arguments with deviceId added, owned by the call. */
static bool
add_device(struct sq_mcp_call *call, const struct sq_json *arguments,
           struct sq_span device, const struct sq_json **out,
           struct sq_err *err) {
    struct sq_buf text;
    struct sq_json_writer w;
    sq_buf_init(&text, SQ_MAX_JSON_BYTES);
    sq_json_writer_init(&w, &text);
    sq_json_begin_object(&w);
    for (const struct sq_json *member = sq_json_first(arguments); member;
         member = sq_json_next(member)) {
        const char *key =
            sq_arena_strdup(call->arena, sq_json_key(member), err);
        if (key && strcmp(key, "deviceId") != 0 && strcmp(key, "udid") != 0) {
            sq_json_put_key(&w, key);
            sq_json_put_value(&w, member);
        }
    }
    sq_json_put_key(&w, "deviceId");
    sq_json_put_string(&w, device);
    sq_json_end_object(&w);
    bool ok = sq_json_writer_done(&w, err);
    struct sq_span copy = sq_buf_span(&text);
    ok = ok && sq_arena_keep(call->arena, &copy, err)
      && sq_json_parse(copy, call->arena, out, err);
    sq_buf_finish(&text);
    return ok;
}

static bool
is_listed(const struct sq_device_list *list, struct sq_span id) {
    for (size_t i = 0; i < list->count; i++) {
        if (is_choice(&list->items[i]) && sq_span_is(id, list->items[i].id)) {
            return true;
        }
    }
    return false;
}

static bool
ask(struct sq_mcp_call *call, const struct sq_device_list *list,
    struct sq_span *out, struct sq_err *err) {
    struct sq_buf form;
    const struct sq_json *answer;
    sq_buf_init(&form, MAX_QUESTION_BYTES);
    bool ok = write_form(list, &form, err);
    const struct sq_mcp_question question = { "device", "elicitation/create",
                                              sq_buf_span(&form) };
    ok = ok && sq_mcp_call_ask(call, &question, 1, &answer, err);
    sq_buf_finish(&form);
    if (!ok) {
        return false;
    }
    *out = sq_json_text_of(sq_json_get(answer, "content"), "deviceId");
    return is_listed(list, *out)
        || sq_fail(err, SQ_ERR_MULTIPLE_DEVICES,
                   "several devices are connected, and the user chose none");
}

bool
sq_host_choose_device(struct sq_host *host, struct sq_mcp_call *call,
                      const struct sq_json *arguments,
                      const struct sq_json **out, struct sq_err *err) {
    struct sq_device_list list = { 0 };
    struct sq_span device;
    bool ok = sq_devices_list(host->devices, &list, &call->deadline, err)
           && ask(call, &list, &device, err)
           && add_device(call, arguments, device, out, err);
    sq_device_list_finish(&list);
    return ok;
}
