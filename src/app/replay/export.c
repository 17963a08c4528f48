/*
 * Writes the actions of a journal for other programs: as a shell script, or as
 * a flow for Maestro.
 */
#include "app/replay/replay.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

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
    struct sq_json_writer w;
    SQ_BUF(text, VALUE_BYTES);
    sq_json_writer_init(&w, &text);
    sq_json_put_value(&w, value);
    return sq_json_writer_done(&w, err)
        && put_quoted(out, sq_buf_span(&text), err);
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
    /* Writes the flag of an argument: "--selector.resource-id". */
    struct sq_span name = sq_json_key(member);
    size_t used = (size_t)snprintf(flag, NAME_SIZE, "%s", prefix);
    for (size_t i = 0; i < name.len && used + 3 < NAME_SIZE; i++) {
        unsigned char byte = (unsigned char)name.ptr[i];
        if (isupper(byte)) {
            flag[used++] = '-';
        }
        flag[used++] = (char)tolower(byte);
    }
    flag[used] = '\0';
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
put_command(const struct sq_journal *journal,
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

static bool
export_sh(const struct sq_journal *journal,
          const struct sq_replay_actions *actions, struct sq_buf *out,
          struct sq_err *err) {
    bool ok = sq_buf_append(out, head, sizeof(head) - 1, err);
    for (size_t i = 0; ok && i < actions->count; i++) {
        ok = !is_exported(&actions->items[i])
          || put_command(journal, &actions->items[i], out, err);
    }
    return ok;
}

#define TEXT_BYTES ((size_t)1 << 20)
#define DEFAULT_WAIT_MS 5000

/* One flow that is being written. */
struct flow {
    const struct sq_journal *journal;
    struct sq_buf *out;
};

/* What Maestro reads a text as. In all, "${" begins an expression. */
enum meaning {
    PLAIN,
    PATTERN,    /* a regular expression: what has a meaning there is escaped */
    RESOURCE_ID /* the same, perhaps after the package: "com.shop:id/name" */
};

/*
 * Appends a text in double quotes. In YAML, escapes of JSON mean the same.
 */
static bool
put_text(struct flow *flow, struct sq_span text, enum meaning meaning,
         struct sq_err *err) {
    struct sq_json_writer w;
    SQ_BUF(escaped, TEXT_BYTES);
    bool ok =
        meaning != RESOURCE_ID || sq_buf_append(&escaped, "(.*:id/)?", 9, err);
    for (size_t i = 0; ok && i < text.len; i++) {
        bool is_special =
            meaning == PLAIN
                ? text.ptr[i] == '$' && i + 1 < text.len
                      && text.ptr[i + 1] == '{'
                : strchr("\\^$.|?*+()[]{}", text.ptr[i]) && text.ptr[i] != '\0';
        ok = (!is_special || sq_buf_append(&escaped, "\\", 1, err))
          && sq_buf_append(&escaped, &text.ptr[i], 1, err);
    }
    sq_json_writer_init(&w, flow->out);
    sq_json_put_string(&w, sq_buf_span(&escaped));
    return ok && sq_json_writer_done(&w, err);
}

static bool
put_line(struct flow *flow, const char *before, struct sq_span text,
         enum meaning meaning, struct sq_err *err) {
    return text.len == 0
        || (sq_buf_printf(flow->out, err, "%s", before)
            && put_text(flow, text, meaning, err)
            && sq_buf_append(flow->out, "\n", 1, err));
}

/* Writes a point in percent of the screen. */
static bool
put_percent(struct flow *flow, const char *key, int x, int y,
            struct sq_size screen, struct sq_err *err) {
    return sq_buf_printf(flow->out, err, "    %s: \"%d%%,%d%%\"\n", key,
                         (int)((int64_t)x * 100 / screen.width),
                         (int)((int64_t)y * 100 / screen.height));
}

static bool
put_comment(struct flow *flow, const struct sq_replay_action *action,
            const char *why, struct sq_err *err) {
    return sq_buf_printf(flow->out, err, "# call %" PRIu64 ": %s %s\n",
                         action->call->number, action->tool->name, why);
}

/* Writes a tap on the target of an action, as a command with that name. */
static bool
put_touch(struct flow *flow, const struct sq_replay_action *action,
          const char *command, struct sq_err *err) {
    const struct sq_json *selector = sq_json_get(action->arguments, "selector");
    struct sq_replay_target target;
    sq_replay_find_target(flow->journal, action, &target);
    struct sq_span id = target.resource_id;
    struct sq_span text = target.label;
    if (id.len == 0 && text.len == 0) {
        id = sq_json_text_of(selector, "resourceId");
        text = sq_json_text_of(selector, "text");
    }
    /* The text of an element may be that of its children: only if needed. */
    bool by_text =
        id.len == 0 || target.is_id_shared || sq_json_get(selector, "text");
    if (id.len > 0 || text.len > 0) {
        return sq_buf_printf(flow->out, err, "- %s:\n", command)
            && put_line(flow, "    id: ", id, RESOURCE_ID, err)
            && (!by_text || put_line(flow, "    text: ", text, PATTERN, err));
    }
    if (target.has_point && target.device.width > 0) {
        return sq_buf_printf(flow->out, err, "- %s:\n", command)
            && put_percent(flow, "point", target.device_point.x,
                           target.device_point.y, target.device, err);
    }
    return put_comment(flow, action, "has no target that Maestro can find",
                       err);
}

static bool
put_tap(struct flow *flow, const struct sq_replay_action *action,
        struct sq_err *err) {
    bool is_long = sq_json_int_of(action->arguments, "durationMs") > 0;
    bool is_double = sq_json_int_of(action->arguments, "numberOfTaps") == 2;
    return put_touch(flow, action,
                     is_long     ? "longPressOn"
                     : is_double ? "doubleTapOn"
                                 : "tapOn",
                     err);
}

static bool
put_typed(struct flow *flow, struct sq_span text, struct sq_err *err) {
    uint64_t secret = sq_secret_number(text);
    return secret
             ? sq_buf_printf(flow->out, err,
                             "- inputText: \"${SQUINT_SECRET_%" PRIu64 "}\"\n",
                             secret)
             : put_line(flow, "- inputText: ", text, PLAIN, err);
}

static bool
put_input(struct flow *flow, const struct sq_replay_action *action,
          struct sq_err *err) {
    struct sq_span text = sq_json_text_of(action->arguments, "text");
    return (!sq_replay_has_target(action)
            || put_touch(flow, action, "tapOn", err))
        && (!sq_json_bool_of(action->arguments, "clear")
            || sq_buf_printf(flow->out, err, "- eraseText: 200\n"))
        && put_typed(flow, text, err)
        && (!sq_json_bool_of(action->arguments, "submit")
            || sq_buf_printf(flow->out, err, "- pressKey: Enter\n"))
        && (!sq_json_bool_of(action->arguments, "hideKeyboard")
            || sq_buf_printf(flow->out, err, "- hideKeyboard\n"));
}

static bool
put_swipe(struct flow *flow, const struct sq_replay_action *action,
          struct sq_err *err) {
    const struct sq_json *done = sq_json_get(action->reply, "swiped");
    const struct sq_size screen = sq_replay_device_size(flow->journal, action);
    done = done ? done : sq_json_get(action->reply, "scrolled");
    const struct sq_json *from = sq_json_get(done, "from");
    const struct sq_json *to = sq_json_get(done, "to");
    if (!from || !to || screen.width == 0) {
        return put_comment(flow, action, "has no recorded path", err);
    }
    return sq_buf_printf(flow->out, err, "- swipe:\n")
        && put_percent(flow, "start", sq_json_int_of(from, "deviceX"),
                       sq_json_int_of(from, "deviceY"), screen, err)
        && put_percent(flow, "end", sq_json_int_of(to, "deviceX"),
                       sq_json_int_of(to, "deviceY"), screen, err)
        && sq_buf_printf(flow->out, err, "    duration: %d\n",
                         sq_json_int_of(done, "durationMs"));
}

static bool
put_launch(struct flow *flow, const struct sq_replay_action *action,
           struct sq_err *err) {
    return put_line(flow, "- launchApp:\n    appId: ",
                    sq_json_text_of(action->reply, "launched"), PLAIN, err)
        && sq_buf_printf(flow->out, err, "    stopApp: false\n");
}

static bool
put_rotate(struct flow *flow, const struct sq_replay_action *action,
           struct sq_err *err) {
    static const char *const names[][2] = {
        { "portrait", "PORTRAIT" },
        { "landscape", "LANDSCAPE_LEFT" },
        { "portraitReversed", "UPSIDE_DOWN" },
        { "landscapeReversed", "LANDSCAPE_RIGHT" },
    };
    struct sq_span name = sq_json_text_of(action->arguments, "orientation");
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        if (sq_span_is(name, names[i][0])) {
            return sq_buf_printf(flow->out, err, "- setOrientation: %s\n",
                                 names[i][1]);
        }
    }
    return put_comment(flow, action, "to auto is not possible in Maestro", err);
}

static bool
put_screenshot(struct flow *flow, const struct sq_replay_action *action,
               struct sq_err *err) {
    return sq_buf_printf(flow->out, err, "- takeScreenshot: call-%" PRIu64 "\n",
                         action->call->number);
}

static bool
put_stop(struct flow *flow, const struct sq_replay_action *action,
         struct sq_err *err) {
    return put_line(
        flow, "- stopApp: ", sq_json_text_of(action->arguments, "packageName"),
        PLAIN, err);
}

static bool
put_open(struct flow *flow, const struct sq_replay_action *action,
         struct sq_err *err) {
    return put_line(flow,
                    "- openLink: ", sq_json_text_of(action->arguments, "url"),
                    PLAIN, err);
}

static bool
put_key(struct flow *flow, const struct sq_replay_action *action,
        struct sq_err *err) {
    static const char *const keys[][2] = {
        { "back", "back" },
        { "home", "pressKey: Home" },
        { "enter", "pressKey: Enter" },
        { "delete", "pressKey: Backspace" },
        { "volume_up", "pressKey: Volume Up" },
        { "volume_down", "pressKey: Volume Down" },
        { "power", "pressKey: Power" },
    };
    struct sq_span name = sq_json_text_of(action->arguments, "name");
    for (size_t i = 0; i < SQ_COUNT(keys); i++) {
        if (sq_span_is(name, keys[i][0])) {
            return sq_buf_printf(flow->out, err, "- %s\n", keys[i][1]);
        }
    }
    return put_comment(flow, action, "is a key that Maestro does not have",
                       err);
}

static bool
put_find(struct flow *flow, const struct sq_replay_action *action,
         struct sq_err *err) {
    const struct sq_json *selector = sq_json_get(action->arguments, "selector");
    struct sq_span text = sq_json_text_of(selector, "text");
    struct sq_span id = sq_json_text_of(selector, "resourceId");
    bool is_seen = sq_json_int_of(action->reply, "count") > 0;
    if (text.len == 0 && id.len == 0) {
        return put_comment(flow, action, "has no text or id to assert", err);
    }
    return sq_buf_printf(flow->out, err, "- assert%sVisible:\n",
                         is_seen ? "" : "Not")
        && put_line(flow, "    id: ", id, RESOURCE_ID, err)
        && put_line(flow, "    text: ", text, PATTERN, err);
}

static bool
put_wait(struct flow *flow, const struct sq_replay_action *action,
         struct sq_err *err) {
    const struct sq_json *until = sq_json_get(action->arguments, "until");
    const struct sq_json *selector = sq_json_get(action->arguments, "selector");
    struct sq_span own = sq_json_text_of(action->arguments, "text");
    struct sq_span word = sq_json_text_of(action->arguments, "until");
    selector = selector ? selector : until;
    struct sq_span text = own.len ? own : sq_json_text_of(selector, "text");
    int timeout = sq_json_int_of(action->arguments, "timeoutMs");
    if (text.len == 0) {
        return sq_buf_printf(flow->out, err, "- waitForAnimationToEnd\n");
    }
    return sq_buf_printf(flow->out, err, "- extendedWaitUntil:\n")
        && put_line(flow,
                    sq_span_is(word, "gone") ? "    notVisible: "
                                             : "    visible: ",
                    text, PATTERN, err)
        && sq_buf_printf(flow->out, err, "    timeout: %d\n",
                         timeout ? timeout : DEFAULT_WAIT_MS);
}

static bool
put_action(struct flow *flow, const struct sq_replay_action *action,
           struct sq_err *err) {
    static const struct {
        const char *operation;
        bool (*put)(struct flow *, const struct sq_replay_action *,
                    struct sq_err *);
    } rows[] = {
        { "tap", put_tap },       { "input", put_input },
        { "swipe", put_swipe },   { "scroll", put_swipe },
        { "launch", put_launch }, { "stop", put_stop },
        { "open", put_open },     { "key", put_key },
        { "find", put_find },     { "wait", put_wait },
        { "rotate", put_rotate }, { "screenshot", put_screenshot },
    };
    if (action->error.len > 0) {
        return true;
    }
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        if (strcmp(action->tool->name, rows[i].operation) == 0) {
            return rows[i].put(flow, action, err);
        }
    }
    return !(action->tool->flags & SQ_TOOL_ACTS)
        || put_comment(flow, action, "has no counterpart in Maestro", err);
}

/* Returns the first app that was launched; empty if none was. */
static struct sq_span
first_app(const struct sq_replay_actions *actions) {
    struct sq_span app = { 0 };
    for (size_t i = 0; i < actions->count && app.len == 0; i++) {
        app = sq_json_text_of(actions->items[i].reply, "launched");
    }
    return app;
}

static bool
export_maestro(const struct sq_journal *journal,
               const struct sq_replay_actions *actions, struct sq_buf *out,
               struct sq_err *err) {
    struct flow flow = { journal, out };
    struct sq_span app = first_app(actions);
    bool ok =
        put_line(&flow, "appId: ", app.len ? app : SQ_SPAN("com.example.app"),
                 PLAIN, err)
        && sq_buf_printf(out, err, "---\n");
    for (size_t i = 0; ok && i < actions->count; i++) {
        ok = put_action(&flow, &actions->items[i], err);
    }
    return ok;
}

const char *const sq_export_names[] = {
    [SQ_EXPORT_SH] = "sh",
    [SQ_EXPORT_MAESTRO] = "maestro",
    [SQ_EXPORT_FORMS] = NULL,
};

bool
sq_export(enum sq_export_form form, const struct sq_replay_script *script,
          struct sq_buf *out, struct sq_err *err) {
    static bool (*const exports[])(const struct sq_journal *,
                                   const struct sq_replay_actions *,
                                   struct sq_buf *, struct sq_err *) = {
        [SQ_EXPORT_SH] = export_sh,
        [SQ_EXPORT_MAESTRO] = export_maestro,
    };
    return exports[form](&script->journal, &script->actions, out, err);
}
