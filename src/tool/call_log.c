/* A bounded list of the latest calls, with listeners. */
#include "tool/call_log.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "json/reader.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "tool/logged_receipt.h"
#include "tool/masked_arguments.h"
#include "util/arena.h"
#include "util/mem.h"

#define DEFAULT_CALLS 10000
#define DEFAULT_BYTES ((size_t)64 << 20)

/* Limit of one value, and of its arguments as text. */
#define MAX_VALUE_BYTES ((size_t)128 << 20)
#define MAX_ARGUMENT_BYTES ((size_t)8 << 20)

#define BYTES_PER_TOKEN 4

/* A value and what only this file knows of it. */
struct value {
    struct sq_logged_call call; /* first, so that a pointer to it is to both */
    atomic_int uses;
    struct sq_arena arena; /* owns the texts and blocks */
    int64_t started_ns;
    int64_t held_since_ns; /* 0: it is not held */
};

struct sq_call_log {
    atomic_int listening; /* number of listeners, read without a lock */

    /* Held while values are delivered; always taken before `lock`. */
    struct sq_lock *delivery;
    struct sq_call_listener *listeners;

    struct sq_lock *lock; /* guards everything below */
    struct sq_call_log_options options;
    struct value **kept; /* a ring of options.max_calls places */
    int first;           /* place of the oldest */
    int light;           /* how many of the oldest were made light */
    struct sq_call_total totals[SQ_MAX_CALL_TOTALS];
    int total_count;
    struct sq_call_log_state state;
    uint64_t last_secret; /* number of the last hidden text */
};

static struct value *
value_of(const struct sq_logged_call *call) {
    return (struct value *)(uintptr_t)call;
}

bool
sq_call_log_create(const struct sq_call_log_options *options,
                   struct sq_call_log **out, struct sq_err *err) {
    struct sq_call_log *log = sq_mem_zalloc(1, sizeof(*log));
    if (!log) {
        return sq_fail_nomem(err);
    }
    log->options = *options;
    if (!log->options.max_calls) {
        log->options.max_calls = DEFAULT_CALLS;
    }
    if (!log->options.max_bytes) {
        log->options.max_bytes = DEFAULT_BYTES;
    }
    log->kept =
        sq_mem_zalloc((size_t)log->options.max_calls, sizeof(*log->kept));
    bool ok = log->kept || sq_fail_nomem(err);
    if (!ok || !sq_lock_create(&log->delivery, err)
        || !sq_lock_create(&log->lock, err)) {
        sq_call_log_destroy(log);
        return false;
    }
    *out = log;
    return true;
}

const struct sq_logged_call *
sq_logged_call_keep(const struct sq_logged_call *call) {
    atomic_fetch_add_explicit(&value_of(call)->uses, 1, memory_order_relaxed);
    return call;
}

void
sq_logged_call_release(const struct sq_logged_call *call) {
    struct value *value = value_of(call);
    if (value && atomic_fetch_sub(&value->uses, 1) == 1) {
        sq_arena_finish(&value->arena);
        sq_mem_free(value);
    }
}

static size_t
bytes_of(const struct value *value) {
    return sizeof(*value) + value->arena.held;
}

/* Returns the place of the call that is `after` calls newer than the oldest. */
static struct value **
place(struct sq_call_log *log, int after) {
    return &log->kept[(log->first + after) % log->options.max_calls];
}

static void
drop_oldest(struct sq_call_log *log) {
    struct value **oldest = place(log, 0);
    assert(*oldest);
    log->state.bytes -= bytes_of(*oldest);
    sq_logged_call_release(&(*oldest)->call);
    *oldest = NULL;
    log->first = (log->first + 1) % log->options.max_calls;
    log->state.count--;
    log->light -= log->light > 0;
    log->state.first_sequence =
        log->state.count ? log->state.first_sequence + 1 : 0;
}

void
sq_call_log_destroy(struct sq_call_log *log) {
    if (log) {
        while (log->state.count > 0) {
            drop_oldest(log);
        }
        sq_lock_destroy(log->lock);
        sq_lock_destroy(log->delivery);
        sq_mem_free(log->kept);
        sq_mem_free(log);
    }
}

void
sq_call_log_listen(struct sq_call_log *log, struct sq_call_listener *listener) {
    sq_lock_lock(log->delivery);
    listener->next = log->listeners;
    log->listeners = listener;
    atomic_fetch_add(&log->listening, 1);
    sq_lock_unlock(log->delivery);
}

void
sq_call_log_unlisten(struct sq_call_log *log,
                     struct sq_call_listener *listener) {
    sq_lock_lock(log->delivery);
    struct sq_call_listener **link = &log->listeners;
    while (*link && *link != listener) {
        link = &(*link)->next;
    }
    if (*link) {
        *link = listener->next;
        atomic_fetch_sub(&log->listening, 1);
    }
    sq_lock_unlock(log->delivery);
}

bool
sq_call_log_is_on(const struct sq_call_log *log) {
    return log
        && atomic_load_explicit(&log->listening, memory_order_relaxed) > 0;
}

/*
 * Returns the place of a call among the kept ones; NULL if it is older than
 * they are.
 */
static struct value **
find(struct sq_call_log *log, uint64_t sequence) {
    const struct sq_call_log_state *state = &log->state;
    bool is_kept = state->count > 0 && sequence >= state->first_sequence
                && sequence <= state->last_sequence;
    return is_kept ? place(log, (int)(sequence - state->first_sequence)) : NULL;
}

/* Adds a new call, whose sequence number is one more than the last. */
static void
add(struct sq_call_log *log, struct value *value) {
    if (log->state.count == log->options.max_calls) {
        drop_oldest(log);
    }
    value->call.sequence = ++log->state.last_sequence;
    if (log->state.count == 0) {
        log->state.first_sequence = value->call.sequence;
    }
    *place(log, log->state.count++) = value;
    log->state.bytes += bytes_of(value);
    sq_logged_call_keep(&value->call);
}

static void
replace(struct sq_call_log *log, struct value **place, struct value *value) {
    log->state.bytes += bytes_of(value);
    log->state.bytes -= bytes_of(*place);
    sq_logged_call_release(&(*place)->call);
    *place = value;
    sq_logged_call_keep(&value->call);
}

static struct value *
make_value(void) {
    struct value *value = sq_mem_zalloc(1, sizeof(*value));
    if (value) {
        atomic_init(&value->uses, 1);
        sq_arena_init(&value->arena, MAX_VALUE_BYTES);
    }
    return value;
}

/* Makes the value's texts its own. */
static bool
keep_names(struct value *value) {
    struct sq_logged_call *call = &value->call;
    return sq_arena_keep(&value->arena, &call->client_name, NULL)
        && sq_arena_keep(&value->arena, &call->tool, NULL)
        && sq_arena_keep(&value->arena, &call->operation, NULL);
}

/* Returns a copy of a value with its own texts; NULL without memory. */
static struct value *
copy_value(const struct value *old) {
    struct value *value = make_value();
    if (value) {
        value->call = old->call;
        value->started_ns = old->started_ns;
        value->held_since_ns = old->held_since_ns;
    }
    if (value
        && (!keep_names(value)
            || !sq_arena_keep(&value->arena, &value->call.arguments, NULL))) {
        sq_logged_call_release(&value->call);
        value = NULL;
    }
    return value;
}

/* Returns a copy without the answer; NULL without memory. */
static struct value *
copy_light(const struct value *old) {
    struct value *value = copy_value(old);
    if (!value) {
        return NULL;
    }
    struct sq_logged_call *call = &value->call;
    call->blocks = NULL;
    call->block_count = 0;
    call->is_light = true;
    struct sq_span *const texts[] = { &call->device,     &call->message,
                                      &call->hint,       &call->details,
                                      &call->picture_id, &call->screenshot_id };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        if (!sq_arena_keep(&value->arena, texts[i], NULL)) {
            sq_logged_call_release(call);
            return NULL;
        }
    }
    return value;
}

/*
 * Drops the answer of the oldest call that has one. Returns false if there is
 * none. The lock is held.
 */
static bool
drop_answer(struct sq_call_log *log) {
    while (log->light < log->state.count - 1) {
        struct value **oldest = place(log, log->light++);
        struct value *light =
            (*oldest)->call.block_count > 0 ? copy_light(*oldest) : NULL;
        if (light) {
            replace(log, oldest, light);
            sq_logged_call_release(&light->call);
            return true;
        }
    }
    return false;
}

/* Returns the totals of a client; the lock is held. */
static struct sq_call_total *
total_of(struct sq_call_log *log, const struct sq_logged_call *call) {
    int at = 0;
    while (at < log->total_count && log->totals[at].client != call->client) {
        at++;
    }
    if (at < log->total_count) {
        return &log->totals[at];
    }
    if (at == SQ_MAX_CALL_TOTALS) {
        log->totals[0].client = 0;
        log->totals[0].client_name[0] = '\0';
        return &log->totals[0];
    }
    log->total_count++;
    log->totals[at].client = call->client;
    snprintf(log->totals[at].client_name, SQ_TOTAL_NAME_SIZE, "%.*s",
             SQ_SPAN_ARGS(call->client_name));
    return &log->totals[at];
}

static void
count_answer(struct sq_call_log *log, const struct sq_logged_call *call) {
    if (call->is_person || call->total_ns < 0) {
        return;
    }
    struct sq_call_total *total = total_of(log, call);
    total->calls++;
    total->picture_tokens += call->picture_tokens;
    total->text_tokens += call->text_tokens;
    for (int i = 0; i < call->block_count; i++) {
        total->pictures += call->blocks[i].kind == SQ_BLOCK_IMAGE;
    }
}

/* Stores a value, unless its call is no longer kept, and tells the listeners.
 */
static void
publish(struct sq_call_log *log, struct value *value) {
    sq_lock_lock(log->delivery);
    sq_lock_lock(log->lock);
    struct value **old = find(log, value->call.sequence);
    value->call.version = ++log->state.version;
    if (value->call.sequence == 0) {
        add(log, value);
    } else if (old) {
        replace(log, old, value);
    }
    count_answer(log, &value->call);
    while (log->state.bytes > log->options.max_bytes) {
        if (!drop_answer(log)) {
            drop_oldest(log);
        }
    }
    sq_lock_unlock(log->lock);
    for (const struct sq_call_listener *listener = log->listeners; listener;
         listener = listener->next) {
        if (listener->changed) {
            listener->changed(listener->context, &value->call);
        }
    }
    sq_lock_unlock(log->delivery);
}

/* Counts a value that could not be recorded, and frees what there is of it. */
static void
lose(struct sq_call_log *log, struct value *value) {
    sq_logged_call_release(value ? &value->call : NULL);
    sq_lock_lock(log->lock);
    log->state.lost++;
    sq_lock_unlock(log->lock);
}

/* Keeps the arguments without secrets. end is NULL while the call runs. */
static bool
keep_arguments(struct sq_call_log *log, struct value *value,
               const struct sq_json *arguments, const struct sq_call_end *end) {
    const struct sq_argument_mask mask = {
        .rules = log->options.mask,
        .may_be_typed = log->options.may_be_typed,
        .harmless_texts = end && end->result ? end->result->harmless_texts : 0,
        .last_secret = end ? &log->last_secret : NULL,
    };
    struct sq_json_writer w;
    SQ_BUF(text, MAX_ARGUMENT_BYTES);
    sq_json_writer_init(&w, &text);
    sq_lock_lock(log->lock);
    bool has_hidden =
        sq_put_masked_arguments(&w, value->call.operation, arguments, &mask);
    sq_lock_unlock(log->lock);
    bool ok = sq_json_writer_done(&w, NULL);
    value->call.has_secrets = has_hidden && end;
    value->call.arguments = sq_buf_span(&text);
    return ok && sq_arena_keep(&value->arena, &value->call.arguments, NULL);
}

struct sq_logged_call *
sq_call_log_begin(struct sq_call_log *log, const struct sq_call_start *start) {
    if (!sq_call_log_is_on(log)) {
        return NULL;
    }
    struct value *value = make_value();
    if (value) {
        value->started_ns = sq_clock_monotonic_ns();
        value->call = (struct sq_logged_call){
            .client = start->client,
            .client_name = start->client_name,
            .tool = start->tool,
            .operation = start->operation,
            .acts = start->acts,
            .is_person = start->is_person,
            .started_wall_ns = sq_clock_wall_ns(),
            .total_ns = -1,
            .device_ns = -1,
        };
    }
    if (!value || !keep_names(value)
        || !keep_arguments(log, value, start->arguments, NULL)) {
        lose(log, value);
        return NULL;
    }
    publish(log, value);
    return &value->call;
}

void
sq_call_log_hold(struct sq_call_log *log, struct sq_logged_call **call,
                 bool is_held) {
    if (!*call) {
        return;
    }
    int64_t now = sq_clock_monotonic_ns();
    struct value *value = copy_value(value_of(*call));
    if (!value) {
        lose(log, NULL);
        return;
    }
    value->call.state = is_held ? SQ_CALL_HELD : SQ_CALL_RUNNING;
    if (value->held_since_ns) {
        value->call.held_ns += now - value->held_since_ns;
    }
    value->held_since_ns = is_held ? now : 0;
    publish(log, value);
    sq_logged_call_release(*call);
    *call = &value->call;
}

static bool
keep_block(struct sq_call_log *log, struct value *value,
           const struct sq_block *block, struct sq_logged_block *out) {
    bool is_picture = block->kind == SQ_BLOCK_IMAGE;
    *out = (struct sq_logged_block){
        .kind = block->kind,
        .audience = block->audience,
        .mime_type = block->mime_type,
        .data = sq_buf_span(&block->data),
        .uri = sq_span_of(block->uri),
        .name = sq_span_of(block->name),
    };
    if (is_picture
        && sq_head_size(block->data.data, block->data.len, &out->size)
        && log->options.profile) {
        out->tokens = sq_token_cost(log->options.profile, out->size).tokens;
    }
    value->call.picture_tokens += out->tokens;
    if (block->kind == SQ_BLOCK_TEXT) {
        value->call.text_tokens += (int)(block->data.len / BYTES_PER_TOKEN + 1);
    }
    return sq_arena_keep(&value->arena, &out->data, NULL)
        && sq_arena_keep(&value->arena, &out->uri, NULL)
        && sq_arena_keep(&value->arena, &out->name, NULL);
}

static bool
keep_result(struct sq_call_log *log, struct value *value,
            const struct sq_result *result) {
    size_t count = (size_t)result->count;
    struct sq_logged_block *blocks =
        count ? sq_arena_alloc(&value->arena, count, sizeof(*blocks), NULL)
              : NULL;
    bool ok = blocks || !count;
    for (size_t i = 0; ok && i < count; i++) {
        ok = keep_block(log, value, &result->blocks[i], &blocks[i]);
    }
    value->call.blocks = blocks;
    value->call.block_count = result->count;
    value->call.details = sq_buf_span(&result->details);
    return ok && sq_arena_keep(&value->arena, &value->call.details, NULL);
}

static bool
keep_error(struct value *value, const struct sq_err *err) {
    struct sq_logged_call *call = &value->call;
    call->error = err->code;
    call->message = sq_span_of(err->message);
    call->hint = sq_span_of(err->hint);
    call->text_tokens +=
        (int)((call->message.len + call->hint.len) / BYTES_PER_TOKEN + 1);
    return sq_arena_keep(&value->arena, &call->message, NULL)
        && sq_arena_keep(&value->arena, &call->hint, NULL);
}

void
sq_call_log_end(struct sq_call_log *log, struct sq_logged_call *call,
                const struct sq_call_end *end) {
    if (!call) {
        return;
    }
    struct value *value = copy_value(value_of(call));
    if (value) {
        value->call.total_ns = sq_clock_monotonic_ns() - value->started_ns;
        value->call.device_ns = end->device_ns;
        value->call.state = end->err ? SQ_CALL_FAILED : SQ_CALL_SUCCEEDED;
        value->call.device = sq_span_of(end->device ? end->device : "");
    }
    bool ok = value && sq_arena_keep(&value->arena, &value->call.device, NULL)
           && (!end->result || keep_result(log, value, end->result))
           && (!end->err || keep_error(value, end->err))
           && keep_arguments(log, value, end->arguments, end)
           && sq_logged_receipt_read(&value->call, &value->arena);
    if (ok && end->text_tokens > 0) {
        value->call.text_tokens = end->text_tokens;
    }
    if (ok) {
        publish(log, value);
        sq_logged_call_release(&value->call);
    } else {
        lose(log, value);
    }
    sq_logged_call_release(call);
}

/* Adds a call to a list by ascending versions; drops the last if it is full. */
static void
insert(const struct sq_logged_call *call, const struct sq_logged_call **out,
       int *count, int max) {
    int at = *count;
    if (at == max) {
        if (call->version >= out[at - 1]->version) {
            return;
        }
        at--;
    } else {
        (*count)++;
    }
    while (at > 0 && out[at - 1]->version > call->version) {
        out[at] = out[at - 1];
        at--;
    }
    out[at] = call;
}

int
sq_call_log_newer(struct sq_call_log *log, uint64_t after,
                  const struct sq_logged_call **out, int max) {
    int count = 0;
    sq_lock_lock(log->lock);
    for (int i = 0; i < log->state.count; i++) {
        const struct sq_logged_call *call = &(*place(log, i))->call;
        if (call->version > after) {
            insert(call, out, &count, max);
        }
    }
    for (int i = 0; i < count; i++) {
        sq_logged_call_keep(out[i]);
    }
    sq_lock_unlock(log->lock);
    return count;
}

int
sq_call_log_totals(struct sq_call_log *log,
                   struct sq_call_total out[SQ_MAX_CALL_TOTALS]) {
    sq_lock_lock(log->lock);
    int count = log->total_count;
    memcpy(out, log->totals, (size_t)count * sizeof(*out));
    sq_lock_unlock(log->lock);
    return count;
}

const struct sq_logged_call *
sq_call_log_get(struct sq_call_log *log, uint64_t sequence) {
    sq_lock_lock(log->lock);
    struct value **found = find(log, sequence);
    const struct sq_logged_call *call =
        found ? sq_logged_call_keep(&(*found)->call) : NULL;
    sq_lock_unlock(log->lock);
    return call;
}

struct sq_call_log_state
sq_call_log_state(struct sq_call_log *log) {
    sq_lock_lock(log->lock);
    struct sq_call_log_state state = log->state;
    sq_lock_unlock(log->lock);
    return state;
}
