/*
 * Writes the actions of a journal for other programs: as a shell script, or as
 * a flow for Maestro.
 */
#include "app/replay/replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "app/flags.h"
#include "tool/masked_arguments.h"
#include "tools/table.h"

#define NAME_SIZE 128
#define VALUE_BYTES ((size_t)1 << 20)
#define DEFAULT_WAIT_MS 5000

/* What is being written. After a failure nothing more is. */
struct export {
    const struct sq_journal *journal;
    const struct sq_replay_action *action;
    struct sq_buf *out;
    struct sq_err *err;
    bool ok;
};

__attribute__((format(printf, 2, 3))) static void
print(struct export *e, const char *format, ...) {
    va_list args;
    char line[2 * NAME_SIZE];
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    e->ok = e->ok && sq_buf_printf(e->out, e->err, "%s", line);
}

static const char head[] =
    "#!/bin/sh\n"
    "# Written by squint replay --export sh. Runs on the device of DEVICE, or\n"
    "# on the only one. Stops at the first command that fails.\n"
    "set -eu\n"
    ": \"${SQUINT:=squint}\"\n"
    "run() { \"$SQUINT\" \"$@\" ${DEVICE:+--device \"$DEVICE\"}; }\n";

/* Appends a word in single quotes, in which the shell changes nothing. */
static void
put_quoted(struct export *e, struct sq_span text) {
    print(e, "'");
    for (size_t i = 0; e->ok && i < text.len; i++) {
        e->ok = text.ptr[i] == '\''
                  ? sq_buf_append(e->out, "'\\''", 4, e->err)
                  : sq_buf_append(e->out, &text.ptr[i], 1, e->err);
    }
    print(e, "'");
}

/* Writes a text, a secret, or a number or array as JSON. */
static void
put_value(struct export *e, const struct sq_json *value) {
    struct sq_span text;
    uint64_t secret = 0;
    SQ_BUF(json, VALUE_BYTES);
    if (sq_json_string(value, &text)) {
        secret = sq_secret_number(text);
    } else {
        struct sq_json_writer w;
        sq_json_writer_init(&w, &json);
        sq_json_put_value(&w, value);
        e->ok = e->ok && sq_json_writer_done(&w, e->err);
        text = sq_buf_span(&json);
    }
    if (secret) {
        print(e, "\"$SQUINT_SECRET_%" PRIu64 "\"", secret);
    } else {
        put_quoted(e, text);
    }
}

/* Writes an argument, or the members of an object: "--selector.resource-id". */
static void
put_argument(struct export *e, const char *prefix,
             const struct sq_json *member) {
    char name[NAME_SIZE / 2];
    char part[NAME_SIZE / 2];
    char flag[NAME_SIZE];
    bool truth;
    snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(sq_json_key(member)));
    sq_flag_name(name, part, sizeof(part));
    snprintf(flag, sizeof(flag), "%.60s%s", prefix, part);
    if (sq_json_is(member, SQ_JSON_OBJECT)) {
        snprintf(flag, sizeof(flag), "%.60s%s.", prefix, part);
        for (const struct sq_json *inner = sq_json_first(member); inner;
             inner = sq_json_next(inner)) {
            put_argument(e, flag, inner);
        }
    } else if (sq_json_bool(member, &truth)) {
        print(e, "%s%s", truth ? " " : "", truth ? flag : "");
    } else if (!sq_json_is(member, SQ_JSON_NULL)) {
        print(e, " %s=", flag);
        put_value(e, member);
    }
}

static void
put_selector(struct export *e, const char *flag, struct sq_span text) {
    if (text.len > 0) {
        print(e, " --selector.%s=", flag);
        put_quoted(e, text);
    }
}

/* Names the target by its element, if it was recorded by other means. */
static void
put_command(struct export *e) {
    const struct sq_replay_action *action = e->action;
    struct sq_replay_target target = { 0 };
    if (sq_replay_has_target(action)
        && !sq_json_get(action->arguments, "selector")) {
        sq_replay_find_target(e->journal, action, &target);
    }
    bool renamed = target.label.len > 0 || target.resource_id.len > 0;
    print(e, "run %s", sq_tool_verb(action->tool));
    for (const struct sq_json *member = sq_json_first(action->arguments);
         member; member = sq_json_next(member)) {
        struct sq_span name = sq_json_key(member);
        bool is_left_out =
            sq_span_is(name, "operation") || sq_span_is(name, "deviceId")
            || sq_span_is(name, "udid") || sq_span_is(name, "screenshotId")
            || (renamed && sq_replay_is_place(name));
        if (!is_left_out) {
            put_argument(e, "--", member);
        }
    }
    put_selector(e, "resource-id", target.resource_id);
    put_selector(e, "text", target.label);
    print(e, "\n");
}

/* Writes an action that a script repeats: it acted, waited or asserted. */
static void
export_sh(struct export *e) {
    const struct sq_replay_action *action = e->action;
    if (action->error.len == 0
        && (action->tool->flags & SQ_TOOL_ACTS
            || strcmp(action->tool->name, "wait") == 0
            || (strcmp(action->tool->name, "find") == 0
                && sq_json_int_of(action->reply, "count") > 0))) {
        put_command(e);
    }
}

/* What Maestro reads a text as. In all, "${" begins an expression. */
enum meaning {
    PLAIN,
    PATTERN,    /* a regular expression: what has a meaning there is escaped */
    RESOURCE_ID /* the same, perhaps after the package: "com.shop:id/name" */
};

/*
 * Appends a line with a text in double quotes, if there is one. In YAML,
 * escapes of JSON mean the same.
 */
static void
put_line(struct export *e, const char *before, struct sq_span text,
         enum meaning meaning) {
    struct sq_json_writer w;
    SQ_BUF(escaped, VALUE_BYTES);
    if (text.len == 0 || !e->ok) {
        return;
    }
    bool ok = meaning != RESOURCE_ID
           || sq_buf_append(&escaped, "(.*:id/)?", 9, e->err);
    for (size_t i = 0; ok && i < text.len; i++) {
        bool is_special =
            meaning == PLAIN
                ? text.ptr[i] == '$' && i + 1 < text.len
                      && text.ptr[i + 1] == '{'
                : strchr("\\^$.|?*+()[]{}", text.ptr[i]) && text.ptr[i] != '\0';
        ok = (!is_special || sq_buf_append(&escaped, "\\", 1, e->err))
          && sq_buf_append(&escaped, &text.ptr[i], 1, e->err);
    }
    print(e, "%s", before);
    sq_json_writer_init(&w, e->out);
    sq_json_put_string(&w, sq_buf_span(&escaped));
    e->ok = ok && e->ok && sq_json_writer_done(&w, e->err);
    print(e, "\n");
}

/* Writes a point in percent of the screen. */
static void
put_percent(struct export *e, const char *key, int x, int y,
            struct sq_size screen) {
    print(e, "    %s: \"%d%%,%d%%\"\n", key,
          (int)((int64_t)x * 100 / screen.width),
          (int)((int64_t)y * 100 / screen.height));
}

static void
put_comment(struct export *e, const char *why) {
    print(e, "# call %" PRIu64 ": %s %s\n", e->action->call->number,
          e->action->tool->name, why);
}

/* Writes a tap on the target of an action, as a command with that name. */
static void
put_touch(struct export *e, const char *command) {
    const struct sq_json *selector =
        sq_json_get(e->action->arguments, "selector");
    struct sq_replay_target target;
    sq_replay_find_target(e->journal, e->action, &target);
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
        print(e, "- %s:\n", command);
        put_line(e, "    id: ", id, RESOURCE_ID);
        put_line(e, "    text: ", by_text ? text : SQ_SPAN(""), PATTERN);
    } else if (target.has_point && target.device.width > 0) {
        print(e, "- %s:\n", command);
        put_percent(e, "point", target.device_point.x, target.device_point.y,
                    target.device);
    } else {
        put_comment(e, "has no target that Maestro can find");
    }
}

static void
put_tap(struct export *e) {
    const struct sq_json *arguments = e->action->arguments;
    put_touch(e, sq_json_int_of(arguments, "durationMs") > 0 ? "longPressOn"
                 : sq_json_int_of(arguments, "numberOfTaps") == 2
                     ? "doubleTapOn"
                     : "tapOn");
}

static void
put_input(struct export *e) {
    const struct sq_json *arguments = e->action->arguments;
    struct sq_span text = sq_json_text_of(arguments, "text");
    uint64_t secret = sq_secret_number(text);
    if (sq_replay_has_target(e->action)) {
        put_touch(e, "tapOn");
    }
    if (sq_json_bool_of(arguments, "clear")) {
        print(e, "- eraseText: 200\n");
    }
    if (secret) {
        print(e, "- inputText: \"${SQUINT_SECRET_%" PRIu64 "}\"\n", secret);
    } else {
        put_line(e, "- inputText: ", text, PLAIN);
    }
    if (sq_json_bool_of(arguments, "submit")) {
        print(e, "- pressKey: Enter\n");
    }
    if (sq_json_bool_of(arguments, "hideKeyboard")) {
        print(e, "- hideKeyboard\n");
    }
}

static void
put_swipe(struct export *e) {
    const struct sq_json *done = sq_json_get(e->action->reply, "swiped");
    const struct sq_size screen = sq_replay_device_size(e->journal, e->action);
    done = done ? done : sq_json_get(e->action->reply, "scrolled");
    const struct sq_json *from = sq_json_get(done, "from");
    const struct sq_json *to = sq_json_get(done, "to");
    if (!from || !to || screen.width == 0) {
        put_comment(e, "has no recorded path");
        return;
    }
    print(e, "- swipe:\n");
    put_percent(e, "start", sq_json_int_of(from, "deviceX"),
                sq_json_int_of(from, "deviceY"), screen);
    put_percent(e, "end", sq_json_int_of(to, "deviceX"),
                sq_json_int_of(to, "deviceY"), screen);
    print(e, "    duration: %d\n", sq_json_int_of(done, "durationMs"));
}

static void
put_launch(struct export *e) {
    put_line(e, "- launchApp:\n    appId: ",
             sq_json_text_of(e->action->reply, "launched"), PLAIN);
    print(e, "    stopApp: false\n");
}

static void
put_stop(struct export *e) {
    put_line(e, "- stopApp: ",
             sq_json_text_of(e->action->arguments, "packageName"), PLAIN);
}

static void
put_open(struct export *e) {
    put_line(e, "- openLink: ", sq_json_text_of(e->action->arguments, "url"),
             PLAIN);
}

/* Writes the command for the word in an argument. */
static void
put_word(struct export *e, const char *argument, const char *const (*words)[2],
         const char *otherwise) {
    struct sq_span name = sq_json_text_of(e->action->arguments, argument);
    while (words[0][0] && !sq_span_is(name, words[0][0])) {
        words++;
    }
    if (words[0][0]) {
        print(e, "- %s\n", words[0][1]);
    } else {
        put_comment(e, otherwise);
    }
}

static void
put_rotate(struct export *e) {
    static const char *const words[][2] = {
        { "portrait", "setOrientation: PORTRAIT" },
        { "landscape", "setOrientation: LANDSCAPE_LEFT" },
        { "portraitReversed", "setOrientation: UPSIDE_DOWN" },
        { "landscapeReversed", "setOrientation: LANDSCAPE_RIGHT" },
        { NULL, NULL },
    };
    put_word(e, "orientation", words, "to auto is not possible in Maestro");
}

static void
put_key(struct export *e) {
    static const char *const words[][2] = {
        { "back", "back" },
        { "home", "pressKey: Home" },
        { "enter", "pressKey: Enter" },
        { "delete", "pressKey: Backspace" },
        { "volume_up", "pressKey: Volume Up" },
        { "volume_down", "pressKey: Volume Down" },
        { "power", "pressKey: Power" },
        { NULL, NULL },
    };
    put_word(e, "name", words, "is a key that Maestro does not have");
}

static void
put_screenshot(struct export *e) {
    print(e, "- takeScreenshot: call-%" PRIu64 "\n", e->action->call->number);
}

static void
put_find(struct export *e) {
    const struct sq_json *selector =
        sq_json_get(e->action->arguments, "selector");
    struct sq_span text = sq_json_text_of(selector, "text");
    struct sq_span id = sq_json_text_of(selector, "resourceId");
    bool is_seen = sq_json_int_of(e->action->reply, "count") > 0;
    if (text.len == 0 && id.len == 0) {
        put_comment(e, "has no text or id to assert");
        return;
    }
    print(e, "- assert%sVisible:\n", is_seen ? "" : "Not");
    put_line(e, "    id: ", id, RESOURCE_ID);
    put_line(e, "    text: ", text, PATTERN);
}

static void
put_wait(struct export *e) {
    const struct sq_json *arguments = e->action->arguments;
    const struct sq_json *selector = sq_json_get(arguments, "selector");
    struct sq_span text = sq_json_text_of(arguments, "text");
    struct sq_span word = sq_json_text_of(arguments, "until");
    int timeout = sq_json_int_of(arguments, "timeoutMs");
    selector = selector ? selector : sq_json_get(arguments, "until");
    text = text.len ? text : sq_json_text_of(selector, "text");
    if (text.len == 0) {
        print(e, "- waitForAnimationToEnd\n");
        return;
    }
    print(e, "- extendedWaitUntil:\n");
    put_line(e, sq_span_is(word, "gone") ? "    notVisible: " : "    visible: ",
             text, PATTERN);
    print(e, "    timeout: %d\n", timeout ? timeout : DEFAULT_WAIT_MS);
}

static void
export_maestro(struct export *e) {
    static const struct {
        const char *operation;
        void (*put)(struct export *);
    } rows[] = {
        { "tap", put_tap },       { "input", put_input },
        { "swipe", put_swipe },   { "scroll", put_swipe },
        { "launch", put_launch }, { "stop", put_stop },
        { "open", put_open },     { "key", put_key },
        { "find", put_find },     { "wait", put_wait },
        { "rotate", put_rotate }, { "screenshot", put_screenshot },
    };
    const struct sq_replay_action *action = e->action;
    for (size_t i = 0; action->error.len == 0 && i < SQ_COUNT(rows); i++) {
        if (strcmp(action->tool->name, rows[i].operation) == 0) {
            rows[i].put(e);
            return;
        }
    }
    if (action->error.len == 0 && action->tool->flags & SQ_TOOL_ACTS) {
        put_comment(e, "has no counterpart in Maestro");
    }
}

/* A flow names the first app that was launched. */
static void
begin_maestro(struct export *e, const struct sq_replay_actions *actions) {
    struct sq_span app = { 0 };
    for (size_t i = 0; i < actions->count && app.len == 0; i++) {
        app = sq_json_text_of(actions->items[i].reply, "launched");
    }
    put_line(e, "appId: ", app.len ? app : SQ_SPAN("com.example.app"), PLAIN);
    print(e, "---\n");
}

const char *const sq_export_names[] = {
    [SQ_EXPORT_SH] = "sh",
    [SQ_EXPORT_MAESTRO] = "maestro",
    [SQ_EXPORT_FORMS] = NULL,
};

bool
sq_export(enum sq_export_form form, const struct sq_replay_script *script,
          struct sq_buf *out, struct sq_err *err) {
    struct export e = { .journal = &script->journal, .out = out, .err = err };
    e.ok = form == SQ_EXPORT_MAESTRO
        || sq_buf_append(out, head, sizeof(head) - 1, err);
    if (form == SQ_EXPORT_MAESTRO) {
        begin_maestro(&e, &script->actions);
    }
    for (size_t i = 0; e.ok && i < script->actions.count; i++) {
        e.action = &script->actions.items[i];
        if (form == SQ_EXPORT_MAESTRO) {
            export_maestro(&e);
        } else {
            export_sh(&e);
        }
    }
    return e.ok;
}
