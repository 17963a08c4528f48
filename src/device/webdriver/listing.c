/* Lists what servers lend, and chooses one of it. */
#include <stdio.h>
#include <string.h>

#include "device/webdriver/private.h"
#include "util/limits.h"
#include "util/mem.h"

#define MAX_STATUS_BYTES ((size_t)2 << 20)
#define MAX_STATUS_MEMORY ((size_t)16 << 20)
#define MAX_LABELS 200
#define STATUS_MS 3000
#define SLOTS_MS 10000 /* for the status before a session is started */
#define THREADS 8      /* that ask servers at the same time */

/* The slots of a Grid that have the same label. */
struct slots {
    char label[SQ_WD_NAME_SIZE];
    int count;
    int unused;
};

/* What an endpoint says about itself. Values point into the arena. */
struct status {
    struct sq_arena arena;
    struct sq_buf body;
    const struct sq_json *nodes; /* of a Grid; NULL: it is none */
    struct slots *slots;
    int slot_count;
    int left_out; /* slots of more than MAX_LABELS labels */
    int waiting;
    bool is_agent; /* WebDriverAgent without Appium */
    bool is_ready; /* for another session */
};

/* Names a kind of slot by what people call it. */
static void
label_of(const struct sq_json *stereotype, char out[SQ_WD_NAME_SIZE]) {
    static const char *const keys[] = { "squint:name", "appium:deviceName",
                                        "appium:udid", "browserName",
                                        "platformName" };
    struct sq_span name = { 0 };
    for (size_t i = 0; name.len == 0 && i < SQ_COUNT(keys); i++) {
        name = sq_json_text_of(stereotype, keys[i]);
    }
    size_t len = name.len < SQ_WD_NAME_SIZE ? name.len : SQ_WD_NAME_SIZE - 1;
    for (size_t i = 0; i < len; i++) {
        out[i] = sq_wd_is_name_char(name.ptr[i]) ? name.ptr[i] : '-';
    }
    out[len] = '\0';
}

static bool
is_free(const struct sq_json *slot) {
    const struct sq_json *session = sq_json_get(slot, "session");
    return !session || sq_json_is(session, SQ_JSON_NULL);
}

static void
add_slot(struct status *status, const struct sq_json *slot) {
    char label[SQ_WD_NAME_SIZE];
    int at = 0;
    label_of(sq_json_get(slot, "stereotype"), label);
    while (at < status->slot_count
           && strcmp(status->slots[at].label, label) != 0) {
        at++;
    }
    if (at == MAX_LABELS || !label[0]) {
        status->left_out++;
        return;
    }
    status->slot_count += at == status->slot_count;
    memcpy(status->slots[at].label, label, sizeof(label));
    status->slots[at].count++;
    status->slots[at].unused += is_free(slot);
}

/*
 * Returns the slot after `last` of the nodes that are up, or NULL. *node is
 * its node; first NULL.
 */
static const struct sq_json *
next_slot(const struct status *status, const struct sq_json **node,
          const struct sq_json *last) {
    const struct sq_json *slot = sq_json_next(last);
    while (!slot) {
        *node = *node ? sq_json_next(*node) : sq_json_first(status->nodes);
        if (!*node) {
            return NULL;
        }
        if (sq_span_is(sq_json_text_of(*node, "availability"), "UP")) {
            slot = sq_json_first(sq_json_get(*node, "slots"));
        }
    }
    return slot;
}

static bool
read_slots(struct status *status, const struct sq_json *nodes,
           struct sq_err *err) {
    const struct sq_json *node = NULL;
    const struct sq_json *slot = NULL;
    const size_t size = MAX_LABELS * sizeof(*status->slots);
    status->slots =
        sq_arena_alloc(&status->arena, MAX_LABELS, sizeof(*status->slots), err);
    if (!status->slots) {
        return false;
    }
    memset(status->slots, 0, size);
    status->nodes = nodes;
    while ((slot = next_slot(status, &node, slot))) {
        add_slot(status, slot);
    }
    return true;
}

static bool
ask(struct sq_wd_client *client, const char *path, struct status *status,
    const struct sq_json **value, const struct sq_deadline *deadline,
    struct sq_err *err) {
    const struct sq_wd_request request = { .method = "GET", .path = path };
    int code;
    return sq_wd_send(client, &request, &code, &status->body, deadline, err)
        && sq_wd_parse(client->endpoint, code, sq_buf_span(&status->body),
                       &status->arena, value, err);
}

static void
begin_status(struct status *status) {
    *status = (struct status){ .is_ready = true };
    sq_arena_init(&status->arena, MAX_STATUS_MEMORY);
    sq_buf_init(&status->body, MAX_STATUS_BYTES);
}

static void
finish_status(struct status *status) {
    sq_arena_finish(&status->arena);
    sq_buf_finish(&status->body);
}

/* Asks a server for its state. The caller has begun *out, and finishes it. */
static bool
read_status(const struct sq_wd_endpoint *endpoint, bool wants_queue,
            struct status *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_wd_client client = { .endpoint = endpoint };
    struct status queue;
    const struct sq_json *value;
    begin_status(&queue);
    bool ok = ask(&client, "/status", out, &value, deadline, err);
    if (ok) {
        out->is_ready = sq_json_bool_of(value, "ready");
        out->is_agent = sq_json_is(sq_json_get(value, "ios"), SQ_JSON_OBJECT);
    }
    if (ok && sq_json_is(sq_json_get(value, "nodes"), SQ_JSON_ARRAY)) {
        ok = read_slots(out, sq_json_get(value, "nodes"), err);
        if (ok && wants_queue
            && ask(&client, "/se/grid/newsessionqueue/queue", &queue, &value,
                   deadline, NULL)) {
            out->waiting = (int)sq_json_count(value);
        }
    }
    finish_status(&queue);
    sq_wd_client_finish(&client);
    return ok;
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
list_slots(const char *name, const struct status *status,
           struct sq_device_list *out, struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && i < status->slot_count; i++) {
        const struct slots *slots = &status->slots[i];
        char id[2 * SQ_WD_NAME_SIZE];
        snprintf(id, sizeof(id), "%s/%s", name, slots->label);
        struct sq_device_info info = make_info(id);
        snprintf(info.name, sizeof(info.name),
                 "%s of a Selenium Grid, %d of %d free, %d waiting",
                 slots->label, slots->unused, slots->count, status->waiting);
        ok = sq_device_list_add(out, &info, err);
    }
    return ok;
}

static void
mark_unusable(struct sq_device_info *info, const struct sq_err *why) {
    info->state = why->cause == SQ_WD_NO_ACCESS      ? SQ_DEVICE_UNAUTHORIZED
                : why->code == SQ_ERR_DEVICE_OFFLINE ? SQ_DEVICE_OFFLINE
                                                     : SQ_DEVICE_UNUSABLE;
    info->is_stopped = true; /* so that it does not hide other devices */
    snprintf(info->why, sizeof(info->why), "%.*s", SQ_DEVICE_TEXT_SIZE - 1,
             why->message);
    snprintf(info->hint, sizeof(info->hint), "%.*s", SQ_DEVICE_TEXT_SIZE - 1,
             why->hint);
}

/* Says what a server is that is listed as one device. */
static void
describe(const struct status *status, char out[SQ_DEVICE_TEXT_SIZE]) {
    int count = 0;
    int unused = 0;
    for (int i = 0; i < status->slot_count; i++) {
        count += status->slots[i].count;
        unused += status->slots[i].unused;
    }
    if (!status->nodes) {
        snprintf(out, SQ_DEVICE_TEXT_SIZE, "%s%s",
                 status->is_agent ? "WebDriverAgent of an iPhone"
                                  : "WebDriver server",
                 status->is_ready ? "" : ", in use");
    } else if (count == 0) {
        snprintf(out, SQ_DEVICE_TEXT_SIZE, "Selenium Grid without a node");
    } else {
        snprintf(out, SQ_DEVICE_TEXT_SIZE,
                 "Selenium Grid, %d of %d slots free, %d waiting", unused,
                 count, status->waiting);
    }
}

/* An entry that is being listed, by a thread. */
struct job {
    const char *entry;
    size_t index;
    const struct sq_deadline *deadline;
    char name[SQ_WD_NAME_SIZE];
    struct sq_wd_endpoint endpoint;
    struct status status;
    struct sq_err err; /* why it is not known */
};

static void
look_at(void *context) {
    struct job *job = context;
    const struct sq_deadline limit =
        sq_deadline_within(job->deadline, STATUS_MS);
    if (sq_wd_endpoint_parse(job->entry, job->index, &job->endpoint,
                             &job->err)) {
        (void)read_status(&job->endpoint, true, &job->status, &limit,
                          &job->err);
    }
}

/* Fails for a name that another entry has, or a device of another kind. */
static bool
check_name(const struct job *jobs, size_t count, const struct job *job,
           struct sq_err *err) {
    bool is_taken = false;
    for (const struct sq_device_kind *kind = sq_device_kinds; kind->name;
         kind++) {
        is_taken |= strcmp(job->name, kind->name) == 0; /* demo, browser */
    }
    for (size_t i = 0; i < count; i++) {
        is_taken |= &jobs[i] != job && strcmp(jobs[i].name, job->name) == 0;
    }
    if (!is_taken) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "another device has the name %s", job->name);
    return sq_fail_hint(err, "Give each entry of webdriver.endpoints a name of "
                             "its own: NAME=URL.");
}

static bool
list_one(const struct job *job, struct sq_device_list *out,
         struct sq_err *err) {
    const struct status *status = &job->status;
    struct sq_device_info info = make_info(job->name);
    bool has_slots =
        job->endpoint.capabilities.len == 0 && status->slot_count > 0;
    if (sq_is_fatal(job->err.code)) {
        return sq_fail_with(err, &job->err);
    }
    if (has_slots && !list_slots(job->name, status, out, err)) {
        return false;
    }
    describe(status, info.name);
    if (job->err.cause == SQ_WD_OTHER_ANSWER
        || job->err.cause == SQ_WD_NO_COMMAND) {
        /* Not every server tells its status; its sessions will show it. */
        snprintf(info.name, sizeof(info.name),
                 "WebDriver server that does not tell its status");
    } else if (job->err.code != SQ_ERR_NONE) {
        mark_unusable(&info, &job->err);
    }
    if (has_slots && status->left_out > 0) {
        snprintf(info.name, sizeof(info.name),
                 "Selenium Grid, any slot; %d slots are not listed",
                 status->left_out);
    }
    return (has_slots && status->left_out == 0)
        || sq_device_list_add(out, &info, err);
}

/* Asks the servers, some at the same time: one that is silent delays none. */
static bool
look_at_all(struct job *jobs, size_t count, struct sq_err *err) {
    struct sq_pool *pool = NULL;
    bool ok = count < 2 || sq_pool_create(THREADS, (int)count, &pool, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (jobs[i].err.code == SQ_ERR_NONE
            && (!pool || !sq_pool_submit(pool, look_at, &jobs[i], NULL))) {
            look_at(&jobs[i]);
        }
    }
    sq_pool_destroy(pool); /* waits for them */
    return ok;
}

bool
sq_webdriver_list(const struct sq_devices_options *options,
                  struct sq_device_list *out,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_strings *entries = &options->webdriver.endpoints;
    struct job *jobs = sq_mem_zalloc(entries->count + 1, sizeof(*jobs));
    if (!jobs) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < entries->count; i++) {
        struct sq_span rest = sq_span_of(entries->items[i]);
        jobs[i] = (struct job){ entries->items[i], i, .deadline = deadline };
        begin_status(&jobs[i].status);
        sq_wd_take_name(&rest, i, jobs[i].name);
    }
    for (size_t i = 0; i < entries->count; i++) {
        (void)check_name(jobs, entries->count, &jobs[i], &jobs[i].err);
    }
    bool ok = look_at_all(jobs, entries->count, err);
    for (size_t i = 0; i < entries->count; i++) {
        ok = ok && list_one(&jobs[i], out, err);
        finish_status(&jobs[i].status);
        sq_wd_endpoint_finish(&jobs[i].endpoint);
    }
    sq_mem_free(jobs);
    return ok;
}

static bool
is_equal(const struct sq_json *a, const struct sq_json *b) {
    struct sq_json_writer w;
    SQ_BUF(one, SQ_MAX_JSON_BYTES);
    SQ_BUF(other, SQ_MAX_JSON_BYTES);
    sq_json_writer_init(&w, &one);
    sq_json_put_value(&w, a);
    bool ok = b && sq_json_writer_done(&w, NULL);
    sq_json_writer_init(&w, &other);
    sq_json_put_value(&w, b);
    return ok && sq_json_writer_done(&w, NULL)
        && sq_span_equal(sq_buf_span(&one), sq_buf_span(&other));
}

/* Returns whether all slots of a label ask for this. */
static bool
is_common(const struct status *status, const char *label,
          const struct sq_json *member) {
    const struct sq_json *node = NULL;
    const struct sq_json *slot = NULL;
    bool is_same = true;
    while (is_same && (slot = next_slot(status, &node, slot))) {
        const struct sq_json *stereotype = sq_json_get(slot, "stereotype");
        char other[SQ_WD_NAME_SIZE];
        label_of(stereotype, other);
        is_same = strcmp(label, other) != 0
               || is_equal(member,
                           sq_json_get_span(stereotype, sq_json_key(member)));
    }
    return is_same;
}

/* Writes what the slots of a label have in common. Returns false without one.
 */
static bool
put_common(const struct status *status, const char *label,
           struct sq_json_writer *w) {
    const struct sq_json *node = NULL;
    const struct sq_json *slot = NULL;
    while ((slot = next_slot(status, &node, slot))) {
        const struct sq_json *stereotype = sq_json_get(slot, "stereotype");
        char own[SQ_WD_NAME_SIZE];
        label_of(stereotype, own);
        if (strcmp(label, own) != 0) {
            continue;
        }
        sq_json_begin_object(w);
        for (const struct sq_json *member = sq_json_first(stereotype); member;
             member = sq_json_next(member)) {
            if (is_common(status, label, member)) {
                sq_json_put_key_span(w, sq_json_key(member));
                sq_json_put_value(w, member);
            }
        }
        sq_json_end_object(w);
        return true;
    }
    return false;
}

/* Takes the capabilities of the slots of a Grid by their label. */
static bool
choose_slot(struct sq_wd_endpoint *endpoint, const char *label,
            struct sq_buf *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, SLOTS_MS);
    struct status status;
    struct sq_json_writer w;
    endpoint->is_grid = true;
    begin_status(&status);
    bool ok = read_status(endpoint, false, &status, &limit, err);
    sq_json_writer_init(&w, out);
    if (ok && !put_common(&status, label, &w)) {
        sq_fail(err, SQ_ERR_DEVICE_NOT_FOUND, "%s has no slot \"%.60s\" now",
                endpoint->name, label);
        ok = sq_fail_hint(err, "@devices lists its slots; check its nodes.");
    }
    ok = ok && sq_json_writer_done(&w, err);
    finish_status(&status);
    return ok;
}

void
sq_wd_endpoint_look(struct sq_wd_endpoint *endpoint,
                    const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, STATUS_MS);
    struct status status;
    begin_status(&status);
    endpoint->is_agent =
        read_status(endpoint, false, &status, &limit, NULL) && status.is_agent;
    endpoint->is_grid = status.nodes != NULL;
    finish_status(&status);
}

bool
sq_wd_endpoint_find(const struct sq_devices_options *options, const char *id,
                    struct sq_wd_endpoint *out, struct sq_buf *capabilities,
                    const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_strings *entries = &options->webdriver.endpoints;
    for (size_t i = 0; i < entries->count; i++) {
        char name[SQ_WD_NAME_SIZE];
        struct sq_span rest = sq_span_of(entries->items[i]);
        struct sq_span after = sq_span_of(id);
        sq_wd_take_name(&rest, i, name);
        if (!sq_span_take_prefix(&after, name)
            || (after.len > 0 && after.ptr[0] != '/')) {
            continue;
        }
        if (!sq_wd_endpoint_parse(entries->items[i], i, out, err)) {
            return false;
        }
        if (after.len > 0) {
            return choose_slot(out, after.ptr + 1, capabilities, deadline, err);
        }
        if (out->capabilities.len == 0) {
            sq_wd_endpoint_look(out, deadline);
        }
        return sq_buf_append(capabilities, out->capabilities.ptr,
                             out->capabilities.len, err);
    }
    return sq_fail(err, SQ_ERR_DEVICE_NOT_FOUND,
                   "webdriver.endpoints has no \"%.60s\"", id);
}
