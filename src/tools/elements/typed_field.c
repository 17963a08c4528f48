/* Reads, and restores, the field into which a text is typed. */
#include "tools/elements/typed_field.h"

#include "args/arg.h"
#include "sys/clock.h"
#include "tools/elements/selector.h"
#include "tools/reply.h"
#include "util/utf8.h"

/* Keys that are under way change the field within this time after each other;
 * a dead key does so only with its letter. */
#define REST_NS ((int64_t)1000 * 1000000)
#define POLL_MS 200
#define MAX_READS 200
#define MAX_UNDO_ROUNDS 3
#define MAX_SHOWN_BYTES 100

const struct sq_node *
sq_tree_focused(const struct sq_tree *tree) {
    const struct sq_node *node = tree->root;
    while (node && !(node->flags & SQ_NODE_FOCUSED)) {
        node = sq_node_after(node);
    }
    return node;
}

bool
sq_typed_field_has(const struct sq_typed_field *field,
                   const struct sq_node *node) {
    struct sq_span typed = field->typed;
    struct sq_span text = node->text;
    if (sq_node_is_secret(node)) {
        return sq_utf8_count(text) >= sq_utf8_count(typed);
    }
    if (sq_span_is(node->class_name, "file")) {
        return text.len > 0; /* it shows names, and paths were typed */
    }
    if (field->cleared && typed.len > 0) {
        return sq_span_equal(text, typed);
    }
    for (size_t at = 0; at + typed.len <= text.len; at++) {
        struct sq_span here = { text.ptr + at, typed.len };
        if (sq_span_equal(here, typed)) {
            return true;
        }
    }
    return false;
}

/* Reads the text of the field once. Fails if it cannot be read. */
static bool
read_once(const struct sq_typed_field *field, struct sq_span *out,
          bool *has_text) {
    struct sq_call *call = field->call;
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    const struct sq_node *node =
        sq_device_tree(call->device, &tree, &call->deadline, NULL)
            ? sq_tree_focused(&tree)
            : NULL;
    bool ok =
        node && node->flags & SQ_NODE_EDITABLE && !sq_node_is_secret(node);
    if (ok) {
        *has_text = sq_typed_field_has(field, node);
        *out = node->text;
        ok = out->len == 0 || sq_arena_keep(call->arena, out, NULL);
    }
    return ok;
}

/* When a field was read, and since when it has not changed. */
struct rest {
    int64_t read_ns;
    int64_t since_ns;
    int reads;
};

/* Waits before the next read. Returns false if the field rests. */
static bool
wait_for_read(const struct sq_typed_field *field, struct rest *rest) {
    if (rest->read_ns - rest->since_ns >= REST_NS || rest->reads++ >= MAX_READS
        || !sq_wait_ms(POLL_MS, &field->call->deadline, NULL)) {
        return false;
    }
    rest->read_ns = sq_clock_monotonic_ns();
    return true;
}

static void
begin_rest(struct rest *rest) {
    rest->since_ns = sq_clock_monotonic_ns();
}

/*
 * Reads the text of the field when it is *goal or stops changing. Without a
 * goal: when it has the typed text.
 */
static bool
read_at_rest(const struct sq_typed_field *field, const struct sq_span *goal,
             struct sq_span *out, bool *has_text) {
    struct rest rest = { 0 };
    bool ok = read_once(field, out, has_text);
    begin_rest(&rest);
    while (ok && !(goal ? sq_span_equal(*out, *goal) : *has_text)
           && wait_for_read(field, &rest)) {
        struct sq_span last = *out;
        ok = read_once(field, out, has_text);
        if (ok && !sq_span_equal(last, *out)) {
            begin_rest(&rest);
        }
    }
    return ok;
}

/* Reads how many characters the focused field has; -1: none has the focus. */
static bool
count(const struct sq_typed_field *field, int *out, struct sq_err *err) {
    struct sq_call *call = field->call;
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    bool ok = sq_device_tree(call->device, &tree, &call->deadline, err);
    const struct sq_node *node = ok ? sq_tree_focused(&tree) : NULL;
    bool is_field = node && node->flags & SQ_NODE_EDITABLE;
    *out = is_field ? (int)sq_utf8_count(node->text) : -1;
    return ok;
}

/* Counts the characters when there are none or they stop changing. */
static bool
count_at_rest(const struct sq_typed_field *field, int *out,
              struct sq_err *err) {
    struct rest rest = { 0 };
    bool ok = count(field, out, err);
    begin_rest(&rest);
    while (ok && *out > 0 && wait_for_read(field, &rest)) {
        int last = *out;
        ok = count(field, out, err);
        if (ok && *out != last) {
            begin_rest(&rest);
        }
    }
    return ok;
}

static bool
delete_around_cursor(const struct sq_typed_field *field, int characters,
                     enum sq_clear part, struct sq_err *err) {
    struct sq_call *call = field->call;
    const struct sq_hand hand = { .verb = SQ_HAND_CLEAR_FIELD,
                                  .choice = (int)part,
                                  .number = characters };
    return sq_device_hand(call->device, &hand, &call->deadline, err)
        || sq_fail_in(err, "clearing the field");
}

/*
 * No more keys are sent than there are characters: when the field is empty, all
 * of them have arrived, and none can delete what is typed next.
 */
static bool
delete_in_steps(struct sq_typed_field *field, int characters,
                struct sq_err *err) {
    int left = 0;
    field->cleared =
        delete_around_cursor(field, characters, SQ_CLEAR_BEFORE, err);
    bool ok = field->cleared && count_at_rest(field, &left, err);
    if (ok && left > 0) {
        ok = delete_around_cursor(field, left, SQ_CLEAR_AFTER, err)
          && count_at_rest(field, &left, err);
    }
    return ok;
}

bool
sq_typed_field_clear(struct sq_typed_field *field, struct sq_err *err) {
    int characters;
    if (!count(field, &characters, err)) {
        return sq_fail_in(err, "reading the field to clear it");
    }
    if (characters < 0) {
        sq_fail(err, SQ_ERR_INVALID_OPERATION, "no text field has the focus");
        return sq_fail_hint(err, "Name the field ${by selector|with "
                                 "--selector.text and its label}.");
    }
    if (characters > 0 && field->call->device->ops->has_text_ways) {
        return delete_in_steps(field, characters, err);
    }
    field->cleared = characters == 0
                  || delete_around_cursor(field, characters, SQ_CLEAR_ALL, err);
    return field->cleared;
}

void
sq_typed_field_begin(struct sq_typed_field *field) {
    bool has_text;
    field->knows_before = read_once(field, &field->before, &has_text);
}

void
sq_typed_field_await(const struct sq_typed_field *field) {
    struct sq_span now;
    bool has_text = false;
    read_at_rest(field, NULL, &now, &has_text);
}

bool
sq_typed_field_is_wrong(const struct sq_typed_field *field) {
    struct sq_span now;
    bool has_text = false;
    return field->knows_before && read_at_rest(field, NULL, &now, &has_text)
        && !has_text;
}

/* What it contained when typing began. */
static struct sq_span
base_of(const struct sq_typed_field *field) {
    return field->cleared ? (struct sq_span){ 0 } : field->before;
}

static bool
press_delete(const struct sq_typed_field *field, size_t count,
             struct sq_err *err) {
    struct sq_call *call = field->call;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = sq_device_key(call->device, "delete", &call->deadline, err);
    }
    return ok || sq_fail_in(err, "deleting what the field took of the text");
}

bool
sq_typed_field_undo(const struct sq_typed_field *field, struct sq_err *err) {
    const struct sq_span base = base_of(field);
    const size_t wanted = sq_utf8_count(base);
    struct sq_span now = { 0 };
    bool has_text = false;
    bool ok = read_once(field, &now, &has_text);
    for (int i = 0; ok && !sq_span_equal(now, base) && i < MAX_UNDO_ROUNDS
                    && sq_utf8_count(now) > wanted;
         i++) {
        if (!press_delete(field, sq_utf8_count(now) - wanted, err)) {
            return false;
        }
        ok = read_at_rest(field, &base, &now, &has_text);
    }
    return (ok && sq_span_equal(now, base))
        || sq_fail(err, SQ_ERR_IO,
                   "what the field took of the text could not be deleted");
}

static bool
is_ascii(struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] > '~') {
            return false;
        }
    }
    return true;
}

/* Types what was cleared. Only keys are certain to work. */
static void
restore(const struct sq_typed_field *field) {
    struct sq_call *call = field->call;
    const struct sq_span base = base_of(field);
    struct sq_span now = { 0 };
    bool has_text = false;
    if (field->cleared && field->before.len > 0 && is_ascii(field->before)
        && read_at_rest(field, &base, &now, &has_text) && now.len == 0) {
        sq_device_text(call->device, field->before, &call->deadline, NULL);
    }
}

bool
sq_typed_field_fail(const struct sq_typed_field *field, struct sq_err *err) {
    struct sq_call *call = field->call;
    const struct sq_err cause = *err;
    struct sq_span now = { 0 };
    bool has_text = false;
    if (!field->knows_before) {
        return false;
    }
    call->device->typing.first_way = 0;
    restore(field);
    if (!read_at_rest(field, &field->before, &now, &has_text)
        || !sq_reply_hide(call, &now, NULL)) {
        return sq_fail_in(err, "the field did not take the text, and cannot be "
                               "read now");
    }
    if (sq_span_equal(now, field->before)) {
        return sq_fail_in(err, "the field did not take the text and contains "
                               "what it did before");
    }
    struct sq_span shown = sq_utf8_shorten(now, MAX_SHOWN_BYTES);
    *err = (struct sq_err){ 0 };
    sq_fail_quoting(err, cause.code,
                    "the field did not take the text and now contains "
                    "\"%.*s%s\": %.140s",
                    SQ_SPAN_ARGS(shown), shown.len < now.len ? "..." : "",
                    cause.message);
    return sq_fail_hint(err, "%s", cause.hint);
}

static bool
has_password(const struct sq_tree *tree) {
    const struct sq_node *node = tree->root;
    while (node && !sq_node_is_secret(node)) {
        node = sq_node_after(node);
    }
    return node != NULL;
}

/* Returns whether a text is, or may be, typed into a field for passwords. */
static bool
is_for_password(const struct sq_json *arguments, bool is_step,
                const struct sq_tree *tree, struct sq_arena *arena) {
    const struct sq_json *named = sq_json_get(arguments, "selector");
    struct sq_selector selector = { 0 };
    struct sq_selection selection = { 0 };
    const struct sq_node *node = NULL;
    if (sq_json_is(named, SQ_JSON_OBJECT)
        && sq_args_decode(sq_selector_args, named, NULL, &selector, NULL)
        && sq_select(tree, &selector, arena, &selection, NULL)) {
        return selection.count > 0
            && sq_node_is_secret(selection.matches[0].node);
    }
    /* A step may type into a field that another one touches. */
    if (!is_step && !named && !sq_json_get(arguments, "elementIndex")) {
        node = sq_tree_focused(tree);
    }
    return node ? sq_node_is_secret(node) : has_password(tree);
}

uint32_t
sq_typed_texts_to_show(const struct sq_json *arguments,
                       const struct sq_tree *tree, struct sq_arena *arena) {
    const struct sq_json *steps = sq_json_get(arguments, "steps");
    uint32_t plain = 0;
    int number = 0;
    if (!sq_json_is(steps, SQ_JSON_ARRAY)) {
        return !is_for_password(arguments, false, tree, arena);
    }
    for (const struct sq_json *step = sq_json_first(steps); step && number < 32;
         step = sq_json_next(step)) {
        plain |= (uint32_t)!is_for_password(step, true, tree, arena)
              << number++;
    }
    return plain;
}
