/* Writes journals as shell scripts. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/replay/export.h"
#include "json/writer.h"
#include "tool/masked_arguments.h"
#include "tools/table.h"

#define NAME_SIZE 128
#define VALUE_BYTES ((size_t)1 << 20)

static const char head[] =
    "#!/bin/sh\n"
    "# Written by squint replay --export sh. Runs on the device of DEVICE, or\n"
    "# on the only one. Stops at the first command that fails.\n"
    "set -eu\n"
    ": \"${SQUINT:=squint}\"\n"
    "run() { \"$SQUINT\" \"$@\" ${DEVICE:+--device \"$DEVICE\"}; }\n";

/* Appends a word in single quotes, in which the shell changes nothing. */
static bool
put_quoted(struct sq_buf *out, struct sq_span text, struct sq_err *err) {
    bool ok = sq_buf_append(out, "'", 1, err);
    for (size_t i = 0; ok && i < text.len; i++) {
        ok = text.ptr[i] == '\'' ? sq_buf_append(out, "'\\''", 4, err)
                                 : sq_buf_append(out, &text.ptr[i], 1, err);
    }
    return ok && sq_buf_append(out, "'", 1, err);
}

/* Writes the flag of an argument: "--selector.resource-id". */
static void
write_flag(const char *prefix, struct sq_span name, char out[NAME_SIZE]) {
    size_t used = (size_t)snprintf(out, NAME_SIZE, "%s", prefix);
    for (size_t i = 0; i < name.len && used + 3 < NAME_SIZE; i++) {
        unsigned char byte = (unsigned char)name.ptr[i];
        if (isupper(byte)) {
            out[used++] = '-';
        }
        out[used++] = (char)tolower(byte);
    }
    out[used] = '\0';
}

static bool put_argument(const char *prefix, const struct sq_json *member,
                         struct sq_buf *out, struct sq_err *err);

static bool
put_object(const char *flag, const struct sq_json *object, struct sq_buf *out,
           struct sq_err *err) {
    char prefix[NAME_SIZE + 1];
    bool ok = true;
    snprintf(prefix, sizeof(prefix), "%s.", flag);
    for (const struct sq_json *member = sq_json_first(object); ok && member;
         member = sq_json_next(member)) {
        ok = put_argument(prefix, member, out, err);
    }
    return ok;
}

/* Writes a number or an array as JSON. */
static bool
put_json(const struct sq_json *value, struct sq_buf *out, struct sq_err *err) {
    struct sq_buf text;
    struct sq_json_writer w;
    sq_buf_init(&text, VALUE_BYTES);
    sq_json_writer_init(&w, &text);
    sq_json_put_value(&w, value);
    bool ok = sq_json_writer_done(&w, err)
           && put_quoted(out, sq_buf_span(&text), err);
    sq_buf_finish(&text);
    return ok;
}

static bool
put_value(const struct sq_json *value, struct sq_buf *out, struct sq_err *err) {
    struct sq_span text;
    if (!sq_json_string(value, &text)) {
        return put_json(value, out, err);
    }
    uint64_t secret = sq_secret_number(text);
    return secret
             ? sq_buf_printf(out, err, "\"$SQUINT_SECRET_%" PRIu64 "\"", secret)
             : put_quoted(out, text, err);
}

static bool
put_argument(const char *prefix, const struct sq_json *member,
             struct sq_buf *out, struct sq_err *err) {
    char flag[NAME_SIZE];
    bool truth;
    write_flag(prefix, sq_json_key(member), flag);
    if (sq_json_is(member, SQ_JSON_OBJECT)) {
        return put_object(flag, member, out, err);
    }
    if (sq_json_bool(member, &truth)) {
        return !truth || sq_buf_printf(out, err, " %s", flag);
    }
    return sq_json_is(member, SQ_JSON_NULL)
        || (sq_buf_printf(out, err, " %s=", flag)
            && put_value(member, out, err));
}

static bool
put_selector(const char *flag, struct sq_span text, struct sq_buf *out,
             struct sq_err *err) {
    return text.len == 0
        || (sq_buf_printf(out, err, " --selector.%s=", flag)
            && put_quoted(out, text, err));
}

/* Names the target by its element, if it was recorded by other means. */
static bool
put_target(const struct sq_replay_target *target, struct sq_buf *out,
           struct sq_err *err) {
    return put_selector("resource-id", target->resource_id, out, err)
        && put_selector("text", target->label, out, err);
}

static bool
put_action(const struct sq_journal *journal,
           const struct sq_replay_action *action, struct sq_buf *out,
           struct sq_err *err) {
    struct sq_replay_target target = { 0 };
    bool renamed = false;
    if (sq_replay_has_target(action)
        && !sq_json_get(action->arguments, "selector")) {
        sq_replay_find_target(journal, action, &target);
        renamed = target.label.len > 0 || target.resource_id.len > 0;
    }
    bool ok = sq_buf_printf(out, err, "run %s", sq_tool_verb(action->tool));
    for (const struct sq_json *member = sq_json_first(action->arguments);
         ok && member; member = sq_json_next(member)) {
        struct sq_span name = sq_json_key(member);
        bool is_left_out =
            sq_span_is(name, "operation") || sq_span_is(name, "deviceId")
            || sq_span_is(name, "udid") || sq_span_is(name, "screenshotId")
            || (renamed && sq_replay_is_place(name));
        ok = is_left_out || put_argument("--", member, out, err);
    }
    return ok && (!renamed || put_target(&target, out, err))
        && sq_buf_append(out, "\n", 1, err);
}

/* Returns whether a script repeats an action: it acted, waited or asserted. */
static bool
is_exported(const struct sq_replay_action *action) {
    return action->error.len == 0
        && (action->tool->flags & SQ_TOOL_ACTS
            || strcmp(action->tool->name, "wait") == 0
            || (strcmp(action->tool->name, "find") == 0
                && sq_json_int_of(action->reply, "count") > 0));
}

bool
sq_export_sh(const struct sq_journal *journal,
             const struct sq_replay_actions *actions, struct sq_buf *out,
             struct sq_err *err) {
    bool ok = sq_buf_append(out, head, sizeof(head) - 1, err);
    for (size_t i = 0; ok && i < actions->count; i++) {
        ok = !is_exported(&actions->items[i])
          || put_action(journal, &actions->items[i], out, err);
    }
    return ok;
}
