/* approve: decides on calls that wait for a person, without a browser. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "app/commands/serve.h"
#include "app/terminal/output.h"
#include "inspector/hub.h"
#include "inspector/inspector.h"
#include "json/writer.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/sockets.h"
#include "sys/terminal.h"
#include "tools/reply.h"

#define ANSWER_MS 10000
#define POLL_MS 250
#define MAX_QUESTION ((size_t)64 << 10)
#define MAX_TEXT ((size_t)4 << 20)
#define READ_BYTES 65536
#define NS_PER_MS 1000000
#define MAX_LATER 256

struct approve_args {
    bool refuse;
    const char *reason;
    bool kind;
    bool watch;
    bool json;
    const char *token_file;
};

static const struct sq_arg approve_options[] = {
    SQ_BOOL(approve_args, refuse, "refuse", "refuse the call"),
    SQ_TEXT(approve_args, reason, "reason", 0,
            "why, for the agent whose call is refused", .placeholder = "TEXT"),
    SQ_BOOL(approve_args, kind, "kind",
            "also approve the same operation of this client for 10 minutes"),
    SQ_BOOL(approve_args, watch, "watch",
            "ask about further calls, until Ctrl-C"),
    SQ_TEXT(approve_args, token_file, "tokenFile", 0,
            "token file of the inspector's server", .placeholder = "FILE"),
    SQ_BOOL(approve_args, json, "json", "print JSON, and ask nothing"),
    SQ_ARGS_END,
};

/* The connection to the inspector. */
struct desk {
    const struct approve_args *args;
    bool asks; /* the person at the terminal */
    int fd;
    char secret[SQ_HTTP_TOKEN_SIZE];
    struct sq_buf line; /* the latest answer */
    struct sq_arena arena;
    int64_t later[MAX_LATER]; /* calls that the person did not decide on */
    int later_count;
};

static bool
reach(struct desk *desk, struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    const struct sq_deadline limit = sq_deadline_in(ANSWER_MS, NULL);
    if (!sq_hub_path(path, err)) {
        return false;
    }
    if (!sq_socket_connect_path(path, &limit, &desk->fd, err)) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no inspector runs");
        return sq_fail_hint(err, "Start one with squint inspect. Without it, "
                                 "calls that need a person are refused.");
    }
    return sq_socket_check_peer(desk->fd, err);
}

/* Reads a line into desk->line. */
static bool
read_line(struct desk *desk, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_in(ANSWER_MS, NULL);
    uint8_t *space;
    size_t got = 1;
    sq_buf_clear(&desk->line);
    do {
        if (!sq_buf_reserve(&desk->line, READ_BYTES, &space, err)
            || !sq_socket_read_some(desk->fd, space, READ_BYTES, &got, &limit,
                                    err)) {
            return false;
        }
        sq_buf_commit(&desk->line, got);
    } while (got > 0 && desk->line.data[desk->line.len - 1] != '\n');
    return got > 0 || sq_fail(err, SQ_ERR_TRUNCATED, "the inspector has ended");
}

/* Asks what the page would ask. *out lives until the arena is reset. */
static bool
ask(struct desk *desk, const char *name, const struct sq_buf *arguments,
    const struct sq_json **out, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_in(ANSWER_MS, NULL);
    struct sq_inspector_access access;
    char proof[SQ_INSPECTOR_PROOF_SIZE];
    struct sq_json_writer w;
    const char *text;
    SQ_BUF(question, MAX_QUESTION);
    sq_inspector_access_init(&access, "", desk->secret, 0);
    sq_inspector_access_make_proof(&access, SQ_SPAN(SQ_INSPECTOR_HUB_HOST),
                                   sq_clock_wall_ns() / NS_PER_MS, proof);
    sq_json_open(&w, &question);
    sq_put_text(&w, "person", proof);
    sq_put_text(&w, "name", name);
    sq_json_put_raw(sq_json_at(&w, "arguments"), sq_buf_span(arguments));
    if (!sq_json_end_line(&w, err)
        || !sq_socket_write(desk->fd, question.data, question.len, &limit, err)
        || !read_line(desk, err)) {
        return false;
    }
    text = sq_arena_strdup(&desk->arena, sq_buf_span(&desk->line), err);
    if (!text
        || !sq_json_parse((struct sq_span){ text, desk->line.len },
                          &desk->arena, out, err)) {
        return false;
    }
    const struct sq_json *error = sq_json_get(*out, "error");
    struct sq_span message = sq_json_text_of(error, "message");
    struct sq_span hint = sq_json_text_of(error, "hint");
    if (error) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "%.*s", SQ_SPAN_ARGS(message));
        return sq_fail_hint(err, "%.*s", SQ_SPAN_ARGS(hint));
    }
    return true;
}

/* Asks about the gate: an action on a call, or "" to see which wait. */
static bool
ask_gate(struct desk *desk, const char *action, int64_t id, const char *reason,
         const struct sq_json **out, struct sq_err *err) {
    const struct sq_json *answer;
    struct sq_json_writer w;
    SQ_BUF(arguments, MAX_QUESTION / 2);
    sq_json_open(&w, &arguments);
    sq_put_text(&w, "action", action);
    sq_put_int(&w, "id", id);
    sq_put_text(&w, "reason", reason ? reason : "");
    if (!sq_json_close(&w, err)
        || !ask(desk, "gate", &arguments, &answer, err)) {
        return false;
    }
    *out = sq_json_get(answer, "gate");
    return true;
}

/* A text in the making. After a failure nothing more is put. */
struct words {
    struct sq_page *page;
    struct sq_err *err;
    bool ok;
};

static void
put(struct words *out, struct sq_span text) {
    out->ok = out->ok && sq_page_put(out->page, SQ_INK_PLAIN, text, out->err);
}

static void
say(struct words *out, const char *text) {
    put(out, sq_span_of(text));
}

static void
end_line(struct words *out) {
    out->ok = out->ok && sq_buf_append(out->page->out, "\n", 1, out->err);
}

static void
put_value(struct words *out, const struct sq_json *value) {
    struct sq_span text;
    struct sq_json_writer w;
    SQ_BUF(json, MAX_TEXT);
    if (sq_json_string(value, &text)) {
        say(out, "“");
        put(out, text);
        say(out, "”");
        return;
    }
    sq_json_writer_init(&w, &json);
    sq_json_put_value(&w, value);
    out->ok = out->ok && sq_json_writer_done(&w, out->err);
    put(out, sq_buf_span(&json));
}

static void
put_point(struct words *out, struct sq_span word, const struct sq_json *at) {
    say(out, " ");
    put(out, word);
    say(out, " ");
    put_value(out, sq_json_get(at, "x"));
    say(out, ",");
    put_value(out, sq_json_get(at, "y"));
}

/* One argument; each is said, whatever its name. */
static void
put_argument(struct words *out, const struct sq_json *arguments,
             const struct sq_json *member) {
    struct sq_span name = sq_json_key(member);
    bool has_point = sq_json_get(arguments, "x") && sq_json_get(arguments, "y");
    bool is_point = sq_json_count(member) == 2 && sq_json_get(member, "x")
                 && sq_json_get(member, "y");
    if (sq_span_is(name, "operation") || sq_span_is(name, "steps")
        || (has_point && sq_span_is(name, "y"))) {
        return;
    }
    if (has_point && sq_span_is(name, "x")) {
        put_point(out, SQ_SPAN("at"), arguments);
    } else if (is_point) {
        put_point(out, name, member);
    } else if (sq_span_is(name, "selector") && sq_json_first(member)) {
        say(out, " the element with");
        for (const struct sq_json *at = sq_json_first(member); at;
             at = sq_json_next(at)) {
            put_argument(out, member, at);
        }
    } else {
        say(out, " ");
        put(out, name);
        say(out, " ");
        put_value(out, member);
    }
}

/* "  tap the element with text “Pay”", and the steps of steps. */
static void
put_words(struct words *out, struct sq_span operation,
          const struct sq_json *arguments, int indent) {
    const struct sq_json *steps = sq_json_get(arguments, "steps");
    out->ok =
        out->ok
        && sq_page_printf(out->page, SQ_INK_PLAIN, out->err, "%*s", indent, "")
        && sq_page_put(out->page, SQ_INK_STRONG, operation, out->err);
    for (const struct sq_json *at = sq_json_first(arguments); at;
         at = sq_json_next(at)) {
        put_argument(out, arguments, at);
    }
    end_line(out);
    for (const struct sq_json *at = sq_json_first(steps); at;
         at = sq_json_next(at)) {
        put_words(out, sq_json_text_of(at, "operation"), at, indent + 2);
    }
}

/* Says who waits, and for what. */
static bool
put_call(struct desk *desk, struct sq_page *page, int64_t id,
         const struct sq_json *shown, struct sq_err *err) {
    const struct sq_json *call;
    struct words out = { page, err, true };
    SQ_BUF(arguments, 64);
    if (!sq_buf_printf(&arguments, err, "{\"sequence\":%" PRId64 "}", id)
        || !ask(desk, "call", &arguments, &call, err)) {
        return false;
    }
    const struct sq_json *given = sq_json_get(shown, "arguments");
    struct sq_span label = sq_json_text_of(shown, "label");
    out.ok =
        sq_page_printf(page, SQ_INK_PLAIN, err, "call %" PRId64 " of ", id);
    put(&out, sq_json_text_of(call, "clientName"));
    out.ok = out.ok
          && sq_page_printf(page, SQ_INK_PLAIN, err, " %d waits:\n",
                            sq_json_int_of(call, "client"));
    put_words(&out, sq_json_text_of(call, "operation"),
              given ? given : sq_json_get(call, "arguments"), 2);
    if (label.len > 0) {
        say(&out, "  on the element “");
        put(&out, label);
        say(&out, "”");
        end_line(&out);
    }
    return out.ok;
}

static bool
print(const struct sq_buf *text, struct sq_err *err) {
    const struct sq_output output = { .is_page = true };
    return sq_output_print(&output, sq_buf_span(text), err);
}

/* Asks the person, and does what the first letter of the answer says. */
static bool
ask_person(struct desk *desk, int64_t id, struct sq_buf *text,
           struct sq_err *err) {
    static const struct {
        char letter;
        const char *action;
    } answers[] = { { 'y', "release" },
                    { 'n', "refuse" },
                    { 'a', "release-kind" } };
    const struct sq_json *gate;
    char line[100];
    if (!sq_buf_printf(text, err,
                       "Approve? y: yes, n: no, a: all of this kind for 10 "
                       "minutes, Enter: later ")
        || !print(text, err)) {
        return false;
    }
    ssize_t got = sq_call_read(STDIN_FILENO, line, sizeof(line));
    if (got <= 0) {
        return sq_fail(err, SQ_ERR_CANCELLED, "there is no answer");
    }
    for (size_t i = 0; i < SQ_COUNT(answers); i++) {
        struct sq_err late = { 0 };
        if (sq_ascii_lower(line[0]) != answers[i].letter) {
            continue;
        }
        sq_buf_clear(text);
        return (ask_gate(desk, answers[i].action, id, desk->args->reason, &gate,
                         &late)
                || sq_buf_printf(text, err, "%s\n", late.message))
            && print(text, err);
    }
    desk->later[desk->later_count % MAX_LATER] = id;
    desk->later_count += desk->later_count < MAX_LATER;
    return true;
}

static bool
is_for_later(const struct desk *desk, int64_t id) {
    int at = 0;
    while (at < desk->later_count && desk->later[at] != id) {
        at++;
    }
    return at < desk->later_count;
}

/* Shows one call, and asks about it. */
static bool
go_through_call(struct desk *desk, int64_t id, const struct sq_json *shown,
                struct sq_buf *out, struct sq_err *err) {
    struct sq_err late = { 0 };
    SQ_BUF(own, MAX_TEXT);
    struct sq_page page = { .out = desk->asks ? &own : out };
    if (!put_call(desk, &page, id, shown, &late)) {
        return late.code == SQ_ERR_NOT_FOUND || sq_fail_with(err, &late);
    }
    return !desk->asks || ask_person(desk, id, &own, err);
}

/* Shows the calls that wait, and asks about them. Counts them. */
static bool
go_through(struct desk *desk, int *count, struct sq_buf *out,
           struct sq_err *err) {
    const struct sq_json *gate;
    bool ok = ask_gate(desk, "", 0, NULL, &gate, err);
    for (const struct sq_json *at =
             ok ? sq_json_first(sq_json_get(gate, "waiting")) : NULL;
         ok && at; at = sq_json_next(at)) {
        char key[24];
        int64_t id = 0;
        sq_json_int(at, &id);
        snprintf(key, sizeof(key), "%" PRId64, id);
        if (!is_for_later(desk, id)) {
            (*count)++;
            ok = go_through_call(desk, id,
                                 sq_json_get(sq_json_get(gate, "shown"), key),
                                 out, err);
        }
    }
    return ok;
}

/* Prints the latest answer as it is. */
static bool
print_json(const struct desk *desk, struct sq_buf *out, struct sq_err *err) {
    return sq_buf_append(out, desk->line.data, desk->line.len, err);
}

static bool
decide(struct desk *desk, const char *word, struct sq_buf *out,
       struct sq_err *err) {
    const struct approve_args *args = desk->args;
    const char *action = args->refuse ? "refuse"
                       : args->kind   ? "release-kind"
                                      : "release";
    const struct sq_json *gate;
    int64_t id;
    if (!sq_span_to_int64(sq_span_of(word), &id) || id < 1) {
        sq_fail(err, SQ_ERR_ARGUMENT, "\"%.40s\" is no number of a call", word);
        return sq_fail_hint(err, "squint approve lists the calls that wait.");
    }
    if (!ask_gate(desk, action, id, args->reason, &gate, err)) {
        return false;
    }
    return args->json
             ? print_json(desk, out, err)
             : sq_buf_printf(out, err, "%s call %" PRId64 "\n",
                             args->refuse ? "Refused" : "Approved", id);
}

/* Shows all calls that wait, once or until Ctrl-C. */
static bool
show(struct desk *desk, struct sq_buf *out, struct sq_err *err) {
    const struct sq_json *gate;
    int count = 0;
    if (desk->args->json) {
        return ask_gate(desk, "", 0, NULL, &gate, err)
            && print_json(desk, out, err);
    }
    bool ok = go_through(desk, &count, out, err);
    while (ok && desk->args->watch) {
        const struct sq_deadline limit = sq_deadline_in(ANSWER_MS, NULL);
        sq_arena_reset(&desk->arena);
        ok = sq_wait_ms(POLL_MS, &limit, err)
          && go_through(desk, &count, out, err);
    }
    return ok && (count > 0 || sq_buf_printf(out, err, "No call waits.\n"));
}

static bool
approve(struct desk *desk, const struct sq_run *run, struct sq_err *err) {
    const struct approve_args *args = desk->args;
    if (run->words->count > 0) {
        return decide(desk, run->words->word[0], run->out, err);
    }
    if (args->watch && !desk->asks) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "--watch needs a terminal");
    }
    return (!args->refuse && !args->kind)
             ? show(desk, run->out, err)
             : sq_fail(err, SQ_ERR_ARGUMENT, "the number of a call is missing");
}

static bool
approve_run(const struct sq_run *run, struct sq_err *err) {
    const struct approve_args *args = run->args;
    char token[SQ_HTTP_TOKEN_SIZE];
    struct desk desk = { .args = args, .fd = -1 };
    desk.asks = !args->json && sq_is_terminal(STDIN_FILENO)
             && sq_is_terminal(STDOUT_FILENO);
    sq_buf_init(&desk.line, SQ_HUB_MAX_LINE + READ_BYTES);
    sq_arena_init(&desk.arena, 4 * SQ_HUB_MAX_LINE);
    bool ok = reach(&desk, err)
           && sq_serve_load_secrets(args->token_file, token, desk.secret, err)
           && approve(&desk, run, err);
    sq_arena_finish(&desk.arena);
    sq_buf_finish(&desk.line);
    sq_socket_close(desk.fd);
    return ok;
}

const struct sq_command sq_command_approve = {
    .name = "approve",
    .usage = "[options] [CALL]",
    .summary = "decide on calls of agents that wait for you",
    .options = approve_options,
    .max_words = 1,
    .prints_page = true,
    .run = approve_run,
};
