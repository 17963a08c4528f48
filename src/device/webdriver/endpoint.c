/* Reads webdriver.endpoints, and lists what they lend. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/mem.h"

#define MAX_ENTRY 8192
#define MAX_STATUS_BYTES ((size_t)2 << 20)
#define MAX_STATUS_MEMORY ((size_t)16 << 20)
#define STATUS_MS 1500
#define MAX_VARIABLE 64

static bool
is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/* Takes NAME= from the start of an entry, but not from a URL. */
static void
take_name(struct sq_span *rest, size_t index, char out[SQ_WD_NAME_SIZE]) {
    size_t len = 0;
    while (len < rest->len && is_name_char(rest->ptr[len])) {
        len++;
    }
    if (len > 0 && len < SQ_WD_NAME_SIZE && len < rest->len
        && rest->ptr[len] == '=') {
        snprintf(out, SQ_WD_NAME_SIZE, "%.*s", (int)len, rest->ptr);
        rest->ptr += len + 1;
        rest->len -= len + 1;
    } else {
        snprintf(out, SQ_WD_NAME_SIZE, "webdriver%zu", index + 1);
    }
}

/* Appends the value of the variable at the start of the text: ${NAME}. */
static bool
expand_one(struct sq_span *rest, struct sq_buf *out, struct sq_err *err) {
    char name[MAX_VARIABLE];
    size_t len = 2;
    while (len < rest->len && rest->ptr[len] != '}') {
        len++;
    }
    if (len == rest->len || len == 2 || len - 2 >= sizeof(name)) {
        return sq_fail_argument(err,
                                "webdriver.endpoints has a \"${\" "
                                "without a name and \"}\"",
                                "Write ${NAME} for the variable NAME.");
    }
    snprintf(name, sizeof(name), "%.*s", (int)len - 2, rest->ptr + 2);
    rest->ptr += len + 1;
    rest->len -= len + 1;
    const char *value = getenv(name);
    if (!value) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "webdriver.endpoints uses the variable %s, which is not set",
                name);
        return sq_fail_hint(err, "Set it for squint, for example in the env of "
                                 "the client's configuration.");
    }
    return sq_buf_append(out, value, strlen(value), err);
}

static bool
expand(struct sq_span rest, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    while (ok && rest.len > 0) {
        if (sq_span_starts_with(rest, "${")) {
            ok = expand_one(&rest, out, err);
        } else {
            ok = sq_buf_append_byte(out, *rest.ptr, err);
            rest.ptr++;
            rest.len--;
        }
    }
    return ok && sq_buf_append_byte(out, '\0', err);
}

/* Splits "URL CAPABILITIES" in place. */
static bool
split(struct sq_wd_endpoint *endpoint, struct sq_err *err) {
    char *url = endpoint->memory;
    char *space = strchr(url, ' ');
    if (space) {
        *space = '\0';
        endpoint->capabilities = sq_span_trim(sq_span_of(space + 1));
    }
    size_t len = strlen(url);
    while (len > 0 && url[len - 1] == '/') {
        url[--len] = '\0';
    }
    endpoint->url = url;
    if (!sq_span_starts_with(sq_span_of(url), "http://")
        && !sq_span_starts_with(sq_span_of(url), "https://")) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the URL of %s does not begin with http:// or https://",
                endpoint->name);
        return sq_fail_hint(err, "Write NAME=http://HOST:PORT in "
                                 "webdriver.endpoints, after it a space and "
                                 "capabilities as JSON, if it needs some.");
    }
    if (endpoint->capabilities.len > 0) {
        const struct sq_json *json = NULL;
        struct sq_arena arena;
        sq_arena_init(&arena, MAX_STATUS_MEMORY);
        bool ok = sq_json_parse(endpoint->capabilities, &arena, &json, NULL)
               && sq_json_is(json, SQ_JSON_OBJECT);
        sq_arena_finish(&arena);
        if (!ok) {
            sq_fail(err, SQ_ERR_ARGUMENT,
                    "the capabilities of %s are no JSON object",
                    endpoint->name);
            return sq_fail_hint(err, "Write {\"browserName\":\"chrome\"}, or "
                                     "leave them out.");
        }
    }
    return true;
}

void
sq_wd_endpoint_finish(struct sq_wd_endpoint *endpoint) {
    if (endpoint->memory) {
        sodium_memzero(endpoint->memory, endpoint->size);
        sq_mem_free(endpoint->memory);
    }
    *endpoint = (struct sq_wd_endpoint){ .memory = NULL };
}

bool
sq_wd_endpoint_parse(const char *entry, size_t index,
                     struct sq_wd_endpoint *out, struct sq_err *err) {
    struct sq_wd_endpoint endpoint = { .memory = NULL };
    struct sq_span rest = sq_span_of(entry);
    struct sq_buf text;
    take_name(&rest, index, endpoint.name);
    sq_buf_init(&text, MAX_ENTRY);
    if (!expand(rest, &text, err)) {
        sq_buf_finish(&text);
        return false;
    }
    endpoint.memory = (char *)text.data;
    endpoint.size = text.len;
    if (!split(&endpoint, err)) {
        sq_wd_endpoint_finish(&endpoint);
        return false;
    }
    *out = endpoint;
    return true;
}

/* A kind of slot of a Grid. */
struct slots {
    char label[SQ_WD_NAME_SIZE];
    int count;
    int free;
    const struct sq_json *stereotype;
};

#define MAX_LABELS 32

/* What an endpoint says about itself. Values point into the arena. */
struct status {
    struct sq_arena arena;
    struct sq_buf body;
    struct slots slots[MAX_LABELS];
    int slot_count; /* 0: it is no Grid, or its nodes are down */
    int waiting;
    bool is_grid;
};

/* Names a kind of slot by what people call it. */
static void
label_of(const struct sq_json *stereotype, char out[SQ_WD_NAME_SIZE]) {
    static const char *const keys[] = { "squint:name", "appium:deviceName",
                                        "appium:udid", "browserName",
                                        "platformName" };
    struct sq_span name = { 0 };
    for (size_t i = 0; name.len == 0 && i < sizeof(keys) / sizeof(keys[0]);
         i++) {
        name = sq_json_text_of(stereotype, keys[i]);
    }
    size_t len = name.len < SQ_WD_NAME_SIZE ? name.len : SQ_WD_NAME_SIZE - 1;
    for (size_t i = 0; i < len; i++) {
        out[i] = is_name_char(name.ptr[i]) ? name.ptr[i] : '-';
    }
    out[len] = '\0';
}

static void
add_slot(struct status *status, const struct sq_json *slot) {
    const struct sq_json *stereotype = sq_json_get(slot, "stereotype");
    const struct sq_json *session = sq_json_get(slot, "session");
    char label[SQ_WD_NAME_SIZE];
    int at = 0;
    label_of(stereotype, label);
    while (at < status->slot_count
           && strcmp(status->slots[at].label, label) != 0) {
        at++;
    }
    if (!label[0] || at == MAX_LABELS) {
        return;
    }
    if (at == status->slot_count) {
        status->slots[status->slot_count++] =
            (struct slots){ .stereotype = stereotype };
        memcpy(status->slots[at].label, label, sizeof(label));
    }
    status->slots[at].count++;
    status->slots[at].free += !session || sq_json_is(session, SQ_JSON_NULL);
}

static void
add_nodes(struct status *status, const struct sq_json *nodes) {
    for (const struct sq_json *node = sq_json_first(nodes); node;
         node = sq_json_next(node)) {
        bool is_up = sq_span_is(sq_json_text_of(node, "availability"), "UP");
        const struct sq_json *slot =
            is_up ? sq_json_first(sq_json_get(node, "slots")) : NULL;
        for (; slot; slot = sq_json_next(slot)) {
            add_slot(status, slot);
        }
    }
}

static bool
ask(struct sq_wd_client *client, const char *path, struct status *status,
    const struct sq_json **value, const struct sq_deadline *deadline,
    struct sq_err *err) {
    const struct sq_wd_request request = { .method = "GET", .path = path };
    int code;
    return sq_wd_send(client, &request, &code, &status->body, deadline, err)
        && sq_wd_parse(client->name, code, sq_buf_span(&status->body),
                       &status->arena, value, err);
}

/* Asks a server for its state. *out is finished by the caller in any case. */
static bool
read_status(const struct sq_wd_endpoint *endpoint, struct status *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_wd_client client = { .name = endpoint->name,
                                   .url = endpoint->url };
    const struct sq_json *value;
    *out = (struct status){ .slot_count = 0 };
    sq_arena_init(&out->arena, MAX_STATUS_MEMORY);
    sq_buf_init(&out->body, MAX_STATUS_BYTES);
    bool ok = ask(&client, "/status", out, &value, deadline, err);
    if (ok && sq_json_is(sq_json_get(value, "nodes"), SQ_JSON_ARRAY)) {
        struct status queue = { .slot_count = 0 };
        sq_arena_init(&queue.arena, MAX_STATUS_MEMORY);
        sq_buf_init(&queue.body, MAX_STATUS_BYTES);
        out->is_grid = true;
        add_nodes(out, sq_json_get(value, "nodes"));
        if (ask(&client, "/se/grid/newsessionqueue/queue", &queue, &value,
                deadline, NULL)) {
            out->waiting = (int)sq_json_count(value);
        }
        sq_arena_finish(&queue.arena);
        sq_buf_finish(&queue.body);
    }
    sq_wd_client_finish(&client);
    return ok;
}

static void
finish_status(struct status *status) {
    sq_arena_finish(&status->arena);
    sq_buf_finish(&status->body);
}

static struct sq_device_info
make_info(const char *id) {
    struct sq_device_info info = {
        .kind = "webdriver",
        .state = SQ_DEVICE_ONLINE,
    };
    snprintf(info.id, sizeof(info.id), "%s", id);
    return info;
}

static bool
list_slots(const struct sq_wd_endpoint *endpoint, const struct status *status,
           struct sq_device_list *out, struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < status->slot_count; i++) {
        const struct slots *slots = &status->slots[i];
        char id[2 * SQ_WD_NAME_SIZE];
        snprintf(id, sizeof(id), "%s/%s", endpoint->name, slots->label);
        struct sq_device_info info = make_info(id);
        snprintf(info.name, sizeof(info.name),
                 "%s of a Selenium Grid, %d of %d free, %d waiting",
                 slots->label, slots->free, slots->count, status->waiting);
        ok = sq_device_list_add(out, &info, err);
    }
    return ok;
}

static void
mark_unusable(struct sq_device_info *info, const struct sq_err *why) {
    info->state = why->code == SQ_ERR_DEVICE_OFFLINE ? SQ_DEVICE_OFFLINE
                                                     : SQ_DEVICE_UNUSABLE;
    info->is_stopped = true; /* so that it does not hide other devices */
    snprintf(info->why, sizeof(info->why), "%.*s", SQ_DEVICE_TEXT_SIZE - 1,
             why->message);
    snprintf(info->hint, sizeof(info->hint), "%.*s", SQ_DEVICE_TEXT_SIZE - 1,
             why->hint);
}

static bool
list_endpoint(const char *entry, size_t index, struct sq_device_list *out,
              const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, STATUS_MS);
    struct sq_wd_endpoint endpoint = { .memory = NULL };
    struct status status = { .slot_count = 0 };
    struct sq_err local_err = { 0 };
    bool is_known = sq_wd_endpoint_parse(entry, index, &endpoint, &local_err)
                 && read_status(&endpoint, &status, &limit, &local_err);
    bool ok;
    if (is_known && status.is_grid && endpoint.capabilities.len == 0
        && status.slot_count > 0) {
        ok = list_slots(&endpoint, &status, out, err);
    } else {
        char name[SQ_WD_NAME_SIZE];
        struct sq_span rest = sq_span_of(entry);
        take_name(&rest, index, name);
        struct sq_device_info info = make_info(name);
        snprintf(info.name, sizeof(info.name), "%s",
                 status.is_grid ? "Selenium Grid" : "WebDriver server");
        if (!is_known) {
            mark_unusable(&info, &local_err);
        }
        ok = sq_is_fatal(local_err.code) ? sq_fail_with(err, &local_err)
                                         : sq_device_list_add(out, &info, err);
    }
    finish_status(&status);
    sq_wd_endpoint_finish(&endpoint);
    return ok;
}

bool
sq_webdriver_list(const struct sq_devices_options *options,
                  struct sq_device_list *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_strings *entries = &options->webdriver;
    bool ok = true;
    for (size_t i = 0; ok && i < entries->count; i++) {
        ok = list_endpoint(entries->items[i], i, out, deadline, err);
    }
    return ok;
}

/* Takes the capabilities of a slot of a Grid by its label. */
static bool
choose_slot(struct sq_wd_endpoint *endpoint, const char *label,
            struct sq_buf *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct status status;
    bool ok = read_status(endpoint, &status, deadline, err);
    const struct sq_json *found = NULL;
    for (int i = 0; ok && i < status.slot_count; i++) {
        if (strcmp(status.slots[i].label, label) == 0) {
            found = status.slots[i].stereotype;
        }
    }
    if (ok && !found) {
        ok =
            sq_fail(err, SQ_ERR_DEVICE_NOT_FOUND,
                    "%s has no slot \"%.60s\" any more", endpoint->name, label);
    }
    if (ok) {
        struct sq_json_writer w;
        sq_json_writer_init(&w, out);
        sq_json_put_value(&w, found);
        ok = sq_json_writer_done(&w, err);
    }
    finish_status(&status);
    return ok;
}

bool
sq_wd_endpoint_find(const struct sq_devices_options *options, const char *id,
                    struct sq_wd_endpoint *out, struct sq_buf *capabilities,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    for (size_t i = 0; i < options->webdriver.count; i++) {
        char name[SQ_WD_NAME_SIZE];
        struct sq_span rest = sq_span_of(options->webdriver.items[i]);
        struct sq_span after = sq_span_of(id);
        take_name(&rest, i, name);
        if (!sq_span_take_prefix(&after, name)
            || (after.len > 0 && after.ptr[0] != '/')) {
            continue;
        }
        if (!sq_wd_endpoint_parse(options->webdriver.items[i], i, out, err)) {
            return false;
        }
        return after.len > 0
                 ? choose_slot(out, after.ptr + 1, capabilities, deadline, err)
                 : sq_buf_append(capabilities, out->capabilities.ptr,
                                 out->capabilities.len, err);
    }
    return sq_fail(err, SQ_ERR_DEVICE_NOT_FOUND,
                   "webdriver.endpoints has no \"%.60s\"", id);
}
