/*
 * inspect: opens the inspector of a running server in a browser, or starts a
 * server with it.
 */
#include <stdio.h>
#include <unistd.h>

#include "app/commands/serve.h"
#include "app/print_message.h"
#include "app/terminal/output.h"
#include "inspector/hub.h"
#include "inspector/inspector.h"
#include "sys/clock.h"
#include "sys/process.h"
#include "sys/sockets.h"
#include "sys/terminal.h"

#define LINK_FILE "squint/inspector-link"
#define ANSWER_MS 5000
#define MAX_ANSWER ((size_t)16 << 10)
#define REQUEST_SIZE 800
#define NS_PER_MS 1000000

struct inspect_args {
    struct sq_serve_args serve;
    bool print_only;
};

static const struct sq_arg inspect_options[] = {
    SQ_TEXT(inspect_args, serve.listen, "listen", 0,
            "address of the server; port 0: start one at any free port",
            .placeholder = "ADDRESS:PORT", .initial = SQ_SERVE_ADDRESS),
    SQ_TEXT(inspect_args, serve.token_file, "tokenFile", 0,
            "file with the token of the server; created if missing",
            .placeholder = "FILE"),
    SQ_BOOL(inspect_args, print_only, "printOnly",
            "print the link on standard output, do not open a browser"),
    SQ_BOOL(inspect_args, serve.paused, "paused",
            "hold calls that act until a person continues them"),
    SQ_BOOL(inspect_args, serve.approve, "approve",
            "hold each call that acts until a person approves it"),
    SQ_ARGS_END,
};

/* A running server and how to ask it. */
struct place {
    char host[SQ_SERVE_HOST_SIZE];
    int port;
    char base[SQ_SERVE_HOST_SIZE + 32]; /* "http://127.0.0.1:4477" */
    char token[SQ_HTTP_TOKEN_SIZE];
    char secret[SQ_HTTP_TOKEN_SIZE];
};

/* Writes a link into a file of its own; prints where it is. */
static void
store_link(const char *link) {
    char path[SQ_PATH_SIZE];
    char line[SQ_INSPECTOR_LINK_SIZE + 2];
    struct sq_err err = { 0 };
    int len = snprintf(line, sizeof(line), "%s\n", link);
    if (!sq_user_path(SQ_USER_STATE, LINK_FILE, path)) {
        sq_print_message("inspector: run squint inspect on a terminal for a "
                         "link");
    } else if (sq_http_secret_write(path, line, (size_t)len, &err)) {
        sq_print_message("inspector: a link for one browser is in %s", path);
    } else {
        sq_print_error("squint", &err);
    }
}

bool
sq_serve_show_link(const char *link, enum sq_link_use use, struct sq_err *err) {
    static const char *const names[] = { "xdg-open", "open" };
    char program[SQ_PATH_SIZE];
    bool is_found = false;
    if (use == SQ_LINK_PRINT) {
        const struct sq_output output = { .is_page = false };
        char line[SQ_INSPECTOR_LINK_SIZE + 2];
        snprintf(line, sizeof(line), "%s\n", link);
        return sq_output_print(&output, sq_span_of(line), err);
    }
    if (sq_is_terminal(STDERR_FILENO)) {
        sq_print_message("inspector, for one browser: %s", link);
    } else {
        store_link(link);
    }
    for (size_t i = 0; use == SQ_LINK_OPEN && !is_found && i < 2; i++) {
        is_found = sq_probe_program(names[i], program);
    }
    const char *const argv[] = { program, link, NULL };
    return !is_found || sq_detached_start(argv, err);
}

struct sq_hub *
sq_serve_make_hub(const struct sq_setup *setup,
                  struct sq_inspector *inspector) {
    const struct sq_hub_options options = {
        .inspector = inspector,
        .calls = setup->host->calls,
        .gate = setup->host->call_gate,
        .number_client = sq_host_number_client,
        .context = setup->host,
    };
    struct sq_hub *hub = NULL;
    struct sq_err err = { 0 };
    if (!sq_hub_create(&options, &hub, &err)) {
        sq_log_event(&setup->config, SQ_LOG_WARNING,
                     "this inspector shows only clients of this server: %s",
                     err.message);
    }
    return hub;
}

/*
 * Asks the server for a link. Appends its whole answer. Any program may listen
 * there, so the token is not sent, only a proof that we know it.
 */
static bool
ask(int fd, const struct place *place, const struct sq_deadline *deadline,
    struct sq_buf *out, struct sq_err *err) {
    const char *host = place->base + strlen("http://");
    struct sq_inspector_access access;
    char proof[SQ_INSPECTOR_PROOF_SIZE];
    char request[REQUEST_SIZE];
    size_t got = 1;
    sq_inspector_access_init(&access, place->token, place->secret, place->port);
    sq_inspector_access_make_proof(&access, sq_span_of(host),
                                   sq_clock_wall_ns() / NS_PER_MS, proof);
    int len = snprintf(request, sizeof(request),
                       "POST " SQ_INSPECTOR_PREFIX "/link HTTP/1.1\r\n"
                       "Host: %s\r\n" SQ_INSPECTOR_PROOF_HEADER ": %s\r\n"
                       "Content-Type: application/json\r\n"
                       "Content-Length: 2\r\nConnection: close\r\n\r\n{}",
                       host, proof);
    if (!sq_socket_write(fd, request, (size_t)len, deadline, err)) {
        return false;
    }
    while (got > 0) {
        uint8_t *space;
        if (!sq_buf_reserve(out, 1024, &space, err)
            || !sq_socket_read_some(fd, space, 1024, &got, deadline, err)) {
            return false;
        }
        sq_buf_commit(out, got);
    }
    return true;
}

/* Reads the path of the link from the answer of the server. */
static bool
read_path(struct sq_span answer, struct sq_arena *arena,
          const struct place *place, const char **out, struct sq_err *err) {
    const struct sq_json *value;
    struct sq_span line;
    bool is_good = sq_span_starts_with(answer, "HTTP/1.1 200 ");
    while (is_good && sq_span_take_line(&answer, &line) && line.len > 0) {
    }
    struct sq_span path = { 0 };
    if (is_good && sq_json_parse(sq_span_trim(answer), arena, &value, NULL)) {
        path = sq_json_text_of(value, "path");
    }
    if (!sq_span_starts_with(path, SQ_INSPECTOR_PREFIX "/")) {
        sq_fail(err, SQ_ERR_UNSUPPORTED,
                "the server at %s has no inspector for this token",
                place->base);
        return sq_fail_hint(err,
                            "Start it with squint serve --inspect, or give "
                            "another address with --listen.");
    }
    *out = sq_arena_strdup(arena, path, err);
    return *out != NULL;
}

/* Opens the inspector of the server at fd. */
static bool
open_running(int fd, const struct place *place, struct sq_arena *arena,
             enum sq_link_use use, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(ANSWER_MS, NULL);
    const char *path;
    char link[SQ_INSPECTOR_LINK_SIZE];
    SQ_BUF(answer, MAX_ANSWER);
    bool ok = ask(fd, place, &deadline, &answer, err)
           && read_path(sq_buf_span(&answer), arena, place, &path, err);
    if (ok) {
        snprintf(link, sizeof(link), "%s%s", place->base, path);
    }
    return ok && sq_serve_show_link(link, use, err);
}

static void
print_message(const char *message) {
    sq_print_message("squint inspect: %s", message);
}

static bool
inspect_run(const struct sq_run *run, struct sq_err *err) {
    const struct inspect_args *inspect = run->args;
    struct sq_serve_args serve = inspect->serve;
    struct place place = { 0 };
    int fd = -1;
    serve.inspect = true;
    serve.link_use = inspect->print_only ? SQ_LINK_PRINT : SQ_LINK_OPEN;
    serve.print_message = print_message;
    const char *address = serve.listen ? serve.listen : SQ_SERVE_ADDRESS;
    if (!sq_serve_read_address(address, place.host, &place.port, err)
        || !sq_serve_load_secrets(serve.token_file, place.token, place.secret,
                                  err)) {
        return false;
    }
    bool is_v6 = strchr(place.host, ':') != NULL;
    snprintf(place.base, sizeof(place.base), "http://%s%s%s:%d",
             is_v6 ? "[" : "", place.host, is_v6 ? "]" : "", place.port);
    const struct sq_deadline deadline = sq_deadline_in(ANSWER_MS, NULL);
    struct sq_err local_err = { 0 };
    if (place.port == 0
        || !sq_socket_connect(place.host, place.port, &deadline, &fd,
                              &local_err)) {
        return sq_serve(run->setup, &serve, run->status, err);
    }
    if (serve.paused || serve.approve) {
        sq_socket_close(fd);
        sq_fail(err, SQ_ERR_ARGUMENT,
                "a server already runs at %s, which %s does not change",
                address, serve.paused ? "--paused" : "--approve");
        return sq_fail_hint(err, "Leave it out, and use Pause or Approve on "
                                 "the page.");
    }
    bool ok = open_running(fd, &place, &run->setup->arena, serve.link_use, err);
    sq_socket_close(fd);
    return ok;
}

const struct sq_command sq_command_inspect = {
    .name = "inspect",
    .usage = "[options]",
    .summary = "see in a browser what agents see and do",
    .options = inspect_options,
    .uses = SQ_USE_ALL,
    .is_server = true,
    .run = inspect_run,
};
