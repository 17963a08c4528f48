/* A bounded list of the latest calls, with listeners. */
#include "tool/call_log.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "image/pipeline/codec.h"
#include "json/reader.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "tool/masked_arguments.h"
#include "util/arena.h"
#include "util/mem.h"

#define DEFAULT_CALLS 1000
#define DEFAULT_BYTES ((size_t)64 << 20)

/* Limit of one value, and of its arguments as text. */
#define MAX_VALUE_BYTES ((size_t)128 << 20)
#define MAX_ARGUMENT_BYTES ((size_t)8 << 20)

/* A longer reply is a list of elements, not a receipt. */
#define MAX_RECEIPT_BYTES ((size_t)256 << 10)
#define MAX_RECEIPT_MEMORY ((size_t)8 << 20)

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
    while (log->state.bytes > log->options.max_bytes) {
        drop_oldest(log);
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

static struct value *
make_value(void) {
    struct value *value = sq_mem_zalloc(1, sizeof(*value));
    if (value) {
        atomic_init(&value->uses, 1);
        sq_arena_init(&value->arena, MAX_VALUE_BYTES);
    }
    return value;
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
    struct sq_buf text;
    struct sq_json_writer w;
    sq_buf_init(&text, MAX_ARGUMENT_BYTES);
    sq_json_writer_init(&w, &text);
    sq_lock_lock(log->lock);
    bool has_hidden =
        sq_put_masked_arguments(&w, value->call.operation, arguments, &mask);
    sq_lock_unlock(log->lock);
    bool ok = sq_json_writer_done(&w, NULL);
    value->call.has_secrets = has_hidden && end;
    value->call.arguments = sq_buf_span(&text);
    ok = ok && sq_arena_keep(&value->arena, &value->call.arguments, NULL);
    sq_buf_finish(&text);
    return ok;
}

/* Makes the value's texts its own. */
static bool
keep_names(struct value *value) {
    struct sq_logged_call *call = &value->call;
    return sq_arena_keep(&value->arena, &call->client_name, NULL)
        && sq_arena_keep(&value->arena, &call->tool, NULL)
        && sq_arena_keep(&value->arena, &call->operation, NULL);
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

static bool
read_point(const struct sq_json *object, struct sq_img_pt *out) {
    int64_t x;
    int64_t y;
    if (!sq_json_int(sq_json_get(object, "x"), &x)
        || !sq_json_int(sq_json_get(object, "y"), &y)) {
        return false;
    }
    *out = (struct sq_img_pt){ (int)x, (int)y };
    return true;
}

/* Adds the rectangle of an object; nothing if it has none. */
static void
add_rect(const struct sq_json *object, struct sq_img_rects *out) {
    struct sq_img_pt start;
    if (out->count < SQ_MAX_RECTS && read_point(object, &start)) {
        out->items[out->count++] =
            (struct sq_img_rect){ start.x, start.y,
                                  start.x + sq_json_int_of(object, "width"),
                                  start.y + sq_json_int_of(object, "height") };
    }
}

/* Returns the part of a receipt that has the touched point; NULL if none. */
static const struct sq_json *
touch_of(const struct sq_json *receipt) {
    static const char *const names[] = { "tapped", "swiped", "scrolled",
                                         "typed" };
    const struct sq_json *touch = NULL;
    for (size_t i = 0; !touch && i < sizeof(names) / sizeof(names[0]); i++) {
        touch = sq_json_get(receipt, names[i]);
    }
    return sq_json_is(touch, SQ_JSON_OBJECT) ? touch : NULL;
}

/* Copies from the receipt where the call acted and what changed. */
static bool
keep_receipt(struct value *value, const struct sq_json *receipt) {
    struct sq_logged_call *call = &value->call;
    const struct sq_json *touch = touch_of(receipt);
    const struct sq_json *changed = sq_json_get(receipt, "changed");
    call->has_point = read_point(touch, &call->point)
                   || read_point(sq_json_get(touch, "from"), &call->point);
    call->has_end = read_point(sq_json_get(touch, "to"), &call->end);
    add_rect(changed, &call->change);
    if (sq_json_is(changed, SQ_JSON_ARRAY)) {
        changed = sq_json_first(changed);
        for (const struct sq_json *at = changed; at; at = sq_json_next(at)) {
            add_rect(at, &call->change);
        }
    }
    call->screenshot_id = sq_json_text_of(changed, "screenshotId");
    if (call->screenshot_id.len == 0) {
        call->screenshot_id = sq_json_text_of(touch, "screenshotId");
    }
    return sq_arena_keep(&value->arena, &call->screenshot_id, NULL);
}

static const struct sq_logged_block *
first_text(const struct sq_logged_call *call) {
    for (int i = 0; i < call->block_count; i++) {
        if (call->blocks[i].kind == SQ_BLOCK_TEXT) {
            return &call->blocks[i];
        }
    }
    return NULL;
}

static bool
read_receipt(struct value *value) {
    const struct sq_logged_block *text = first_text(&value->call);
    struct sq_arena arena;
    const struct sq_json *receipt = NULL;
    sq_arena_init(&arena, MAX_RECEIPT_MEMORY);
    if (text && text->data.len <= MAX_RECEIPT_BYTES
        && !sq_json_parse(text->data, &arena, &receipt, NULL)) {
        receipt = NULL; /* it is not JSON */
    }
    bool ok = keep_receipt(value, receipt);
    sq_arena_finish(&arena);
    return ok;
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
    }
    bool ok = value && (!end->result || keep_result(log, value, end->result))
           && (!end->err || keep_error(value, end->err))
           && keep_arguments(log, value, end->arguments, end)
           && read_receipt(value);
    if (ok) {
        publish(log, value);
        sq_logged_call_release(&value->call);
    } else {
        lose(log, value);
    }
    sq_logged_call_release(call);
}

const struct sq_logged_call *
sq_call_log_next(struct sq_call_log *log, uint64_t after) {
    const struct sq_logged_call *next = NULL;
    sq_lock_lock(log->lock);
    for (int i = 0; i < log->state.count; i++) {
        const struct sq_logged_call *call = &(*place(log, i))->call;
        if (call->version > after && (!next || call->version < next->version)) {
            next = call;
        }
    }
    next = next ? sq_logged_call_keep(next) : NULL;
    sq_lock_unlock(log->lock);
    return next;
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
