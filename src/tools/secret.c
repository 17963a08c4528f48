/* Gets secrets, and decides where they may be typed. */
#include "tools/secret.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "redact/redact.h"
#include "sys/path.h"
#include "sys/worker.h"
#include "tool/policy.h"
#include "tools/elements/typed_field.h"

#define MAX_ANSWER_BYTES 2048
#define WORKER_MS 20000

/* Repeats the error of the worker: E, its number, the message, the hint. */
static bool
fail_as_worker(struct sq_span answer, struct sq_err *err) {
    int64_t code = SQ_ERR_IO;
    struct sq_span message = SQ_SPAN("squint secret-worker ended");
    if (sq_span_take_prefix(&answer, "E")
        && sq_span_take_int64(&answer, &code)) {
        sq_span_take_line(&answer, &message);
        sq_span_take_line(&answer, &message);
    }
    sq_fail(err, (enum sq_err_code)code, "%.*s",
            (int)(message.len < 300 ? message.len : 300), message.ptr);
    return sq_fail_hint(err, "%.*s", (int)(answer.len < 300 ? answer.len : 300),
                        answer.ptr);
}

static bool
check_value(const struct sq_call *call, struct sq_span value,
            struct sq_err *err) {
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        /* Phones get such characters by the clipboard, which apps can read. */
        if (c < ' ' || c == 0x7f
            || (c > 0x7f && call->device->ops->has_text_ways)) {
            return sq_fail(err, SQ_ERR_ARGUMENT,
                           "the secret has a character that no key types");
        }
    }
    return value.len > 0
        || sq_fail(err, SQ_ERR_ARGUMENT, "the secret is empty");
}

bool
sq_secret_fetch(struct sq_call *call, struct sq_span name,
                struct sq_secret *out, struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    char text[SQ_MAX_SECRET_NAME + 1];
    struct sq_app front = { 0 };
    const char *file = call->config->secrets.file;
    if (!sq_device_current_app(call->device, &front, &call->deadline, err)
        || !sq_policy_allows_secret(call->config, name, front.package, err)
        || !sq_worker_program(program, err)) {
        return false;
    }
    snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(name));
    const char *const argv[] = { program, "secret-worker", "--", text, file,
                                 NULL };
    const struct sq_process worker = { .argv = argv,
                                       .max_output = MAX_ANSWER_BYTES };
    const struct sq_deadline limit =
        sq_deadline_within(&call->deadline, WORKER_MS);
    if (!sq_process_run(&worker, &limit, &out->end, err)) {
        return sq_fail_in(err, "reading the secret");
    }
    out->value = sq_buf_span(&out->end.output);
    if (!sq_span_take_prefix(&out->value, "V")) {
        return fail_as_worker(out->value, err);
    }
    return check_value(call, out->value, err)
        && (!call->redactor
            || sq_redact_hide_typed(call->redactor->rules, out->value)
            || sq_fail(err, SQ_ERR_LIMIT,
                       "this process has typed as many secrets as it can "
                       "hide"));
}

/*
 * Checks where fields with the focus are, if not in the app or on the page:
 * each frame of another origin has one, and only one of them gets what is
 * typed.
 */
static bool
check_places(struct sq_call *call, struct sq_span name,
             const struct sq_tree *tree, const char *front,
             struct sq_err *err) {
    bool ok = true;
    for (const struct sq_node *node = tree->root; ok && node;
         node = sq_node_after(node)) {
        const struct sq_span place = node->package;
        if (node->flags & SQ_NODE_FOCUSED && node->flags & SQ_NODE_EDITABLE
            && place.len > 0 && !sq_span_is(place, front)) {
            const char *copy = sq_arena_strdup(call->arena, place, err);
            ok = copy && sq_policy_allows_secret(call->config, name, copy, err);
        }
    }
    return ok;
}

bool
sq_secret_check_field(struct sq_call *call, struct sq_span name,
                      struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_app front = { 0 };
    bool ok = sq_device_current_app(call->device, &front, &call->deadline, err)
           && sq_policy_allows_secret(call->config, name, front.package, err)
           && sq_device_tree(call->device, &tree, &call->deadline, err)
           && check_places(call, name, &tree, front.package, err);
    const struct sq_node *node = ok ? sq_tree_focused(&tree) : NULL;
    bool is_hidden = node && node->flags & SQ_NODE_EDITABLE
                  && node->flags & SQ_NODE_PASSWORD;
    if (ok && !is_hidden) {
        sq_fail(err, SQ_ERR_REFUSED,
                node ? "the focused field does not hide its text, and a secret "
                       "is only typed into one that does"
                     : "no field has the focus, and a secret is only typed "
                       "into one that hides its text");
        sq_fail_hint(err, "Nothing was typed. Name the password field ${by "
                          "selector|with --selector.text and its label}.");
    }
    return ok && is_hidden;
}

static bool
has(const char *text, struct sq_span value) {
    size_t len = strlen(text);
    bool found = false;
    for (size_t i = 0; !found && i + value.len <= len; i++) {
        found = memcmp(text + i, value.ptr, value.len) == 0;
    }
    return found;
}

void
sq_secret_forget(struct sq_secret *secret, struct sq_err *err) {
    struct sq_span value = secret->value;
    if (!secret->end.output.data) {
        return;
    }
    if (err && value.len > 0
        && (has(err->message, value) || has(err->hint, value))) {
        enum sq_err_code code = err->code;
        sodium_memzero(err, sizeof(*err));
        sq_fail(err, code, "the secret could not be typed");
    }
    sodium_memzero(secret->end.output.data, secret->end.output.len);
    sq_process_end_finish(&secret->end);
    sq_stack_wipe();
}
