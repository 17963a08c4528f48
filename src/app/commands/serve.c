/* serve: serves clients over HTTP. */
#include "app/commands/serve.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/commands/doctor.h"
#include "app/confine.h"
#include "app/print_message.h"
#include "app/terminal/output.h"
#include "app/replay/replay.h"
#include "archive/library.h"
#include "inspector/hub.h"
#include "journal/audit.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/process.h"
#include "sys/sockets.h"
#include "sys/terminal.h"
#include "util/mem.h"

#define TOKEN_FILE "squint/http-token"
#define MAX_NAMES 16
#define URL_SIZE 300
#define METADATA_BYTES ((size_t)4 << 10)
#define MESSAGE_SIZE (SQ_PATH_SIZE + 100)

static const struct sq_arg serve_options[] = {
    SQ_TEXT(sq_serve_args, listen, "listen", 0,
            "address to listen at; port 0: any free port",
            .placeholder = "ADDRESS:PORT", .initial = SQ_SERVE_ADDRESS),
    SQ_TEXT(sq_serve_args, unix_path, "unix", 0,
            "listen on a Unix socket instead", .placeholder = "PATH"),
    SQ_TEXT(sq_serve_args, token_file, "tokenFile", 0,
            "file with the token that clients must send; created if missing",
            .placeholder = "FILE"),
    SQ_TEXT(sq_serve_args, token_policies, "tokenPolicy", 0,
            "further tokens with limits of their own: a file as that of the "
            "configuration, with security and tools.readOnly; the token of "
            "NAME is in the token file with -NAME added",
            .placeholder = "NAME=FILE"),
    SQ_BOOL(sq_serve_args, any_address, "anyAddress",
            "allow --listen with an address that other computers can reach"),
    SQ_TEXT(sq_serve_args, hosts, "allowHost", 0,
            "further values of the Host header to accept, separated by commas",
            .placeholder = "NAMES"),
    SQ_TEXT(sq_serve_args, origins, "allowOrigin", 0,
            "origins of web pages to accept, separated by commas",
            .placeholder = "ORIGINS"),
    SQ_TEXT(sq_serve_args, authorization_server, "authorizationServer", 0,
            "OAuth server to name to clients that send no token",
            .placeholder = "URL"),
    SQ_TEXT(sq_serve_args, public_url, "publicUrl", 0,
            "address of /mcp for clients, if a proxy passes on requests",
            .placeholder = "URL"),
    SQ_INT(sq_serve_args, max_connections, "maxConnections", 8, 10000,
           "open connections at most", .initial = "512"),
    SQ_INT(sq_serve_args, max_sessions, "maxSessions", 1, 10000,
           "sessions at most", .initial = "256"),
    SQ_BOOL(sq_serve_args, inspect, "inspect",
            "offer the inspector, a page that shows what agents see and do"),
    SQ_BOOL(sq_serve_args, paused, "paused",
            "hold calls that act until a person continues them"),
    SQ_BOOL(sq_serve_args, approve, "approve",
            "hold each call that acts until a person approves it"),
    SQ_ARGS_END,
};

/* The sockets to listen at and the access rules. The arena owns its texts. */
struct service {
    struct sq_http_options options;
    struct sq_http_token_file token;
    char secret[SQ_HTTP_TOKEN_SIZE];  /* of the inspector */
    const char *hosts[MAX_NAMES + 2]; /* with that of the public address */
    const char *origins[MAX_NAMES + 1];
    char url[URL_SIZE];
    struct sq_http_resource resource;
    struct sq_buf metadata;
    void (*print_message)(const char *message);
    const struct sq_setup *setup;
    struct sq_hub *hub; /* for other processes of the user; may be NULL */
    struct sq_inspector *inspector; /* NULL: not offered */
    struct sq_records records;
    struct sq_token_policies *policies; /* NULL: none */
    bool is_inherited; /* the sockets are those of the service manager */
    enum sq_link_use link_use;
};

static void
print_message(const char *message) {
    sq_print_message("squint serve: %s", message);
}

/* Prints a message after the name of the command. */
__attribute__((format(printf, 2, 3))) static void
print(const struct service *service, const char *format, ...) {
    char message[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    service->print_message(message);
}

/* options is the first member of a struct service. */
static void
print_address(const struct sq_http_options *options) {
    const struct service *service = (const struct service *)options;
    struct sq_err err = { 0 };
    char link[SQ_INSPECTOR_LINK_SIZE];
    int port = options->access.port;
    if (service->is_inherited) { /* without a port no digit is printed */
        print(service,
              "listening at %s%.0d, opened by the service manager; the path "
              "is " SQ_HTTP_PATH,
              port ? "port " : "a Unix socket", port);
    } else {
        print(service, "listening at %s%s", service->url,
              port ? SQ_HTTP_PATH : "");
    }
    if (service->inspector
        && sq_inspector_make_link(service->inspector, service->url, link, NULL)
        && !sq_serve_show_link(link, service->link_use, &err)) {
        sq_print_error("squint", &err);
    }
    if (sq_is_terminal(STDERR_FILENO)) {
        service->print_message("Ctrl-C ends it");
    }
}

/* What an option with a list of names takes. */
struct name_rule {
    const char *flag;
    bool (*is_valid)(struct sq_span text);
    const char *hint;
};

static const struct name_rule host_rule = {
    "--allow-host", sq_http_is_host,
    "Give each name in full, such as squint.example.org or "
    "squint.example.org:8080; there are no patterns."
};
static const struct name_rule origin_rule = {
    "--allow-origin", sq_http_is_origin,
    "Give each origin in full, with its scheme and without a path, such as "
    "https://app.example.org; there are no patterns."
};

/* Splits a list at its commas, into the arena. */
static bool
split(const char *list, const struct name_rule *rule, struct sq_arena *arena,
      const char **out, struct sq_err *err) {
    struct sq_span rest = sq_span_of(list ? list : "");
    int count = 0;
    while (rest.len > 0) {
        struct sq_span item;
        if (!sq_span_take_until(&rest, ',', &item)) {
            item = rest;
            rest.len = 0;
        }
        if (count == MAX_NAMES) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "more than %d names: %.100s",
                           MAX_NAMES, list);
        }
        item = sq_span_trim(item);
        if (!rule->is_valid(item) && sq_span_ends_with(item, "/")) {
            item.len--; /* as copied from the address line of a browser */
        }
        if (!rule->is_valid(item)) {
            sq_fail(err, SQ_ERR_ARGUMENT, "%s does not take \"%.*s\"",
                    rule->flag, item.len < 100 ? (int)item.len : 100, item.ptr);
            return sq_fail_hint(err, "%s", rule->hint);
        }
        out[count] = sq_arena_strdup(arena, item, err);
        if (!out[count++]) {
            return false;
        }
    }
    return true;
}

bool
sq_serve_read_address(const char *text, char host[SQ_SERVE_HOST_SIZE],
                      int *port, struct sq_err *err) {
    const char *colon = strrchr(text, ':');
    struct sq_span name = { text, colon ? (size_t)(colon - text) : 0 };
    int64_t number;
    if (name.len > 2 && name.ptr[0] == '[' && name.ptr[name.len - 1] == ']') {
        name = (struct sq_span){ name.ptr + 1, name.len - 2 };
    }
    if (name.len == 0 || name.len >= SQ_SERVE_HOST_SIZE
        || !sq_span_to_int64(sq_span_of(colon + 1), &number) || number < 0
        || number > 65535) {
        sq_fail(err, SQ_ERR_ARGUMENT, "cannot listen at \"%.100s\"", text);
        return sq_fail_hint(err, "Give an address and a port, such as "
                                 "127.0.0.1:4477 or [::1]:4477.");
    }
    memcpy(host, name.ptr, name.len);
    host[name.len] = '\0';
    *port = (int)number;
    return true;
}

static bool
listen_at(const struct sq_serve_args *args, struct service *service,
          struct sq_err *err) {
    char host[SQ_SERVE_HOST_SIZE];
    struct sq_http_options *options = &service->options;
    int *port = &options->access.port;
    const char *address = args->listen ? args->listen : SQ_SERVE_ADDRESS;
    if (!sq_serve_read_address(address, host, port, err)) {
        return false;
    }
    if (!sq_socket_listen(host, args->any_address, port, options->listeners,
                          err)) {
        return err->code == SQ_ERR_ARGUMENT && !args->any_address
            && sq_fail_hint(err, "Other addresses need --any-address; see "
                                 "docs/http.md first.");
    }
    bool is_v6 = strchr(host, ':') != NULL;
    options->listener_count = 1;
    snprintf(service->url, sizeof(service->url), "http://%s%s%s:%d",
             is_v6 ? "[" : "", host, is_v6 ? "]" : "", *port);
    return true;
}

/* Returns how many sockets a service manager has opened for this process. */
static int
count_inherited(void) {
    const char *pid = getenv("LISTEN_PID");
    const char *count = getenv("LISTEN_FDS");
    int64_t process;
    int64_t number;
    bool ok = pid && count && sq_span_to_int64(sq_span_of(pid), &process)
           && process == (int64_t)getpid()
           && sq_span_to_int64(sq_span_of(count), &number) && number > 0;
    return !ok                            ? 0
         : number < SQ_HTTP_MAX_LISTENERS ? (int)number
                                          : SQ_HTTP_MAX_LISTENERS;
}

/* Takes the sockets of the service manager. */
static bool
inherit_sockets(struct service *service, int count, struct sq_err *err) {
    struct sq_http_options *options = &service->options;
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        ok = sq_socket_inherit(i, &options->access.port, &options->listeners[i],
                               err);
        options->listener_count += ok;
    }
    /* How a browser on this computer reaches it, for the links. */
    snprintf(service->url, sizeof(service->url), "http://127.0.0.1:%d",
             options->access.port);
    return ok;
}

static bool
open_sockets(const struct sq_serve_args *args, struct service *service,
             struct sq_err *err) {
    struct sq_http_options *options = &service->options;
    int inherited = count_inherited();
    if (args->listen && args->unix_path) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--listen and --unix exclude each other");
    }
    if (inherited > 0) {
        service->is_inherited = true;
        return inherit_sockets(service, inherited, err);
    }
    if (args->unix_path) {
        snprintf(service->url, sizeof(service->url), "unix:%.200s",
                 args->unix_path);
        options->listener_count = 1;
        return sq_socket_listen_path(args->unix_path, options->listeners, err);
    }
    return listen_at(args, service, err);
}

/* Reads or creates the token. Writes the path of its file. */
static bool
read_token(const char *file, char token[SQ_HTTP_TOKEN_SIZE],
           char path[SQ_PATH_SIZE], bool *is_new, struct sq_err *err) {
    if (file) {
        snprintf(path, SQ_PATH_SIZE, "%s", file);
    } else if (!sq_user_path(SQ_USER_STATE, TOKEN_FILE, path)) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "there is no home folder for the token; use "
                       "--token-file");
    }
    return sq_http_token_load(path, token, is_new, err);
}

static bool
read_secret(const char *token_path, char secret[SQ_HTTP_TOKEN_SIZE],
            struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    bool is_new;
    int len = snprintf(path, sizeof(path), "%s.inspector", token_path);
    return ((size_t)len < sizeof(path)
            || sq_fail(err, SQ_ERR_ARGUMENT,
                       "the path of the token file is too long"))
        && sq_http_token_load(path, secret, &is_new, err);
}

bool
sq_serve_load_secrets(const char *file, char token[SQ_HTTP_TOKEN_SIZE],
                      char secret[SQ_HTTP_TOKEN_SIZE], struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    bool is_new;
    return read_token(file, token, path, &is_new, err)
        && read_secret(path, secret, err);
}

static bool
load_token(const struct sq_serve_args *args, struct service *service,
           struct sq_err *err) {
    struct sq_http_token_file *file = &service->token;
    bool is_new;
    bool changed;
    if (!read_token(args->token_file, file->token, file->path, &is_new, err)
        || !sq_http_token_refresh(file, true, &changed, err)) {
        return false;
    }
    service->options.access.token = file->token;
    print(service, "the token is in %s", file->path);
    if (is_new && sq_is_terminal(STDERR_FILENO)) {
        print(service, "new token, shown only now: %s", file->token);
    }
    if (!sq_token_policies_load(args->token_policies, file->path,
                                &service->setup->config, &service->policies,
                                err)) {
        return false;
    }
    if (service->policies) {
        service->options.access.limited = service->policies->files;
        service->options.access.limited_count = service->policies->count;
        sq_host_set_policies(service->setup->host, service->policies->configs);
    }
    return true;
}

/* Lets a pause or an approval outlive the server; the options come first. */
static bool
keep_gate(const struct sq_serve_args *args, struct service *service,
          struct sq_err *err) {
    struct sq_call_gate *gate = service->setup->host->call_gate;
    char path[SQ_PATH_SIZE];
    int folder;
    /* All processes of the user obey the same file. */
    if (sq_user_path(SQ_USER_STATE, "squint", path)
        && sq_folder_open(path, &folder, NULL) && sq_host_gate_path(path)) {
        sq_folder_close(folder);
    } else {
        snprintf(path, sizeof(path), "%.*s.gate", SQ_PATH_SIZE - 6,
                 service->token.path);
    }
    if (args->paused && args->approve) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--paused and --approve exclude each other");
    }
    if (!sq_call_gate_keep(gate, path, err)) {
        return false;
    }
    if ((args->paused || args->approve)
        && !sq_call_gate_set_mode(gate, args->paused ? SQ_GATE_HOLD
                                                     : SQ_GATE_APPROVE)) {
        return sq_fail(err, SQ_ERR_IO, "cannot write %.200s", path);
    }
    if (sq_call_gate_mode(gate) != SQ_GATE_RUN) {
        print(service, "calls that act wait for a person: squint inspect");
    }
    return true;
}

static void
report_refusal(void *context, const char *line) {
    const struct service *service = context;
    sq_log_event(&service->setup->config, SQ_LOG_WARNING, "%s", line);
    sq_audit_add_refusal(service->records.audit, line);
}

/* Reads the token again if its file has changed. */
static bool
refresh_token(void *context, bool is_forced) {
    struct service *service = context;
    const struct sq_config *config = &service->setup->config;
    struct sq_err err = { 0 };
    bool changed;
    if (!sq_http_token_refresh(&service->token, is_forced, &changed, &err)) {
        sq_log_event(config, SQ_LOG_WARNING,
                     "the last token stays valid: %s. %s", err.message,
                     err.hint);
    }
    for (int i = 0; service->policies && i < service->policies->count; i++) {
        bool is_other = false;
        if (!sq_http_token_refresh(&service->policies->files[i], is_forced,
                                   &is_other, &err)) {
            sq_log_event(config, SQ_LOG_WARNING, "%s. %s", err.message,
                         err.hint);
        }
    }
    if (changed && service->inspector) {
        sq_inspector_set_token(service->inspector, service->token.token);
    }
    if (changed || is_forced) {
        sq_log_event(config, SQ_LOG_WARNING, "%s",
                     changed ? "the token has changed; the old one is not "
                               "valid any more"
                             : "the token has not changed");
    }
    return changed;
}

/*
 * Prepares what clients are told about the server, and allows the host of its
 * public address.
 */
static bool
name_resource(const struct sq_serve_args *args, struct service *service,
              struct sq_arena *arena, struct sq_err *err) {
    char url[URL_SIZE + 8];
    size_t count = 0;
    snprintf(url, sizeof(url), "%s" SQ_HTTP_PATH, service->url);
    if (args->public_url) {
        if (!sq_http_resource_init(&service->resource, args->public_url, err)) {
            return false;
        }
        while (service->hosts[count]) {
            count++;
        }
        service->hosts[count] =
            sq_arena_strdup(arena, service->resource.host, err);
        if (!service->hosts[count]) {
            return false;
        }
    } else if (args->authorization_server
               && !sq_http_resource_init(&service->resource, url, err)) {
        return false;
    }
    if (!args->authorization_server) {
        return true;
    }
    if (!sq_http_resource_write(&service->resource, args->authorization_server,
                                &service->metadata, err)
        || !sq_buf_append(&service->metadata, "", 1, err)) {
        return false;
    }
    service->options.metadata = (const char *)service->metadata.data;
    service->options.metadata_url = service->resource.document;
    service->options.metadata_path = service->resource.path;
    return true;
}

static bool
serve(const struct sq_setup *setup, const struct service *service,
      enum sq_status *status, struct sq_err *err) {
    unsigned char key[SQ_MCP_KEY_BYTES];
    struct sq_archive *archive = setup->host->library->archive;
    if (!sq_archive_derive_key(archive, "requestState", key, err)
        || !sq_host_start_index(setup->host, err)
        || (service->hub && !sq_hub_start(service->hub, err))) {
        return false;
    }
    const struct sq_mcp_options options = {
        .key = key,
        .call_timeout_ms = setup->config.limits.timeout_ms,
        .drain_ms = setup->config.limits.drain_ms,
        .device_calls = sq_host_device_calls(),
        .print_message = service->print_message,
    };
    sq_print_for(SQ_FOR_CLIENTS);
    *status = sq_http_serve(&setup->host->mcp, &options, &service->options) == 0
                ? SQ_STATUS_OK
                : SQ_STATUS_FAILED;
    return true;
}

/* Writes doctor's findings for the inspector. */
static bool
examine(void *context, struct sq_buf *out, struct sq_err *err) {
    const struct service *service = context;
    struct sq_findings *findings = sq_mem_zalloc(1, sizeof(*findings));
    if (!findings) {
        return sq_fail_nomem(err);
    }
    bool ok = sq_doctor_examine(service->setup, findings, err)
           && sq_findings_json(findings, out, err);
    sq_mem_free(findings);
    return ok;
}

static bool
add_inspector(const struct sq_serve_args *args, struct service *service,
              struct sq_err *err) {
    const struct sq_setup *setup = service->setup;
    if (!args->inspect) {
        return true;
    }
    if (args->unix_path) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--inspect and --unix exclude each other: browsers "
                       "cannot use a Unix socket");
    }
    if (!read_secret(service->token.path, service->secret, err)) {
        return false;
    }
    const struct sq_inspector_options options = {
        .token = service->token.token,
        .secret = service->secret,
        .port = service->options.access.port,
        .version = SQ_VERSION,
        .config = &setup->config,
        .devices = setup->host->devices,
        .redactor = &setup->host->redactor,
        .calls = setup->host->calls,
        .gate = setup->host->call_gate,
        .examine = examine,
        .examine_context = service,
        .player = sq_replay_player(setup->host),
    };
    if (!sq_inspector_create(&options, &service->inspector, err)) {
        return false;
    }
    service->hub = sq_serve_make_hub(setup, service->inspector);
    service->options.site = sq_inspector_site(service->inspector);
    service->link_use = args->link_use;
    return true;
}

bool
sq_serve(struct sq_setup *setup, const struct sq_serve_args *args,
         enum sq_status *status, struct sq_err *err) {
    struct service service = { .setup = setup,
                               .print_message = args->print_message };
    sq_buf_init(&service.metadata, METADATA_BYTES);
    /* No token is created for a service that cannot listen. */
    bool is_open =
        split(args->hosts, &host_rule, &setup->arena, service.hosts, err)
        && split(args->origins, &origin_rule, &setup->arena, service.origins,
                 err)
        && open_sockets(args, &service, err);
    bool ok =
        is_open && name_resource(args, &service, &setup->arena, err)
        && load_token(args, &service, err) && keep_gate(args, &service, err)
        && add_inspector(args, &service, err)
        && sq_start_records(setup, args->print_message, &service.records, err)
        && sq_confine(
            setup,
            &(struct sq_server_files){ service.token.path, args->unix_path },
            err);
    if (ok) {
        service.options.access.hosts = service.hosts;
        service.options.access.origins = service.origins;
        service.options.started = print_address;
        service.options.context = &service;
        service.options.report = report_refusal;
        service.options.refresh = refresh_token;
        /* The hangup of a terminal ends it. */
        service.options.survives_hangup = !sq_is_terminal(STDERR_FILENO);
        service.options.limits.max_clients = args->max_connections;
        service.options.limits.max_sessions = args->max_sessions;
        ok = serve(setup, &service, status, err);
        if (ok && sq_is_terminal(STDERR_FILENO)) {
            sq_print_message("%s", ""); /* ends the line with ^C */
            service.print_message("ended");
        }
    }
    if (is_open && args->unix_path) {
        sq_file_remove(args->unix_path);
    }
    sq_end_records(&service.records);
    sq_token_policies_destroy(service.policies);
    sq_hub_destroy(service.hub);
    sq_inspector_destroy(service.inspector);
    sq_buf_finish(&service.metadata);
    return ok;
}

static bool
serve_run(const struct sq_run *run, struct sq_err *err) {
    struct sq_serve_args serve = *(const struct sq_serve_args *)run->args;
    serve.print_message = print_message;
    return sq_serve(run->setup, &serve, run->status, err);
}

const struct sq_command sq_command_serve = {
    .name = "serve",
    .usage = "[options]",
    .summary = "serve clients over HTTP (MCP)",
    .options = serve_options,
    .uses = SQ_USE_ALL,
    .is_server = true,
    .run = serve_run,
};
