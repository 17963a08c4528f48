/* Connections to the adb server and to devices through it. */
#include "device/android/link.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"
#include "sys/clock.h"
#include "sys/sockets.h"

#define RECONNECT_INTERVAL_MS 30000
#define RECONNECT_POLL_MS 150
#define RECONNECT_LIMIT_MS 3000
#define MAX_FEATURES 4096
#define MAX_ECHO 4096
/* The server answers its own requests immediately. */
#define SERVER_MS 3000
/* A connection opened in advance is quick; its status is read later. */
#define NEXT_MS 50
#define NEXT_ANSWER_MS 1000
#define SERVICE_SIZE SQ_ADB_SERVICE_SIZE

static bool
write_request(struct sq_adb_exchange *exchange, struct sq_span request,
              struct sq_err *err) {
    SQ_BUF(bytes, SQ_ADB_MAX_REQUEST + 4);
    return sq_adb_put_request(&bytes, request, err)
        && sq_socket_write(exchange->fd, bytes.data, bytes.len,
                           exchange->deadline, err);
}

static bool
send_request(struct sq_adb_exchange *exchange, struct sq_span request,
             struct sq_err *err) {
    return write_request(exchange, request, err)
        && sq_adb_read_status(&exchange->source, err);
}

static void
close_exchange(struct sq_adb_exchange *exchange) {
    sq_socket_close(exchange->fd);
    exchange->fd = -1;
}

/*
 * Connects to the server and sends one request. Asks once more if the server
 * hangs up before it answers, as it does while it is being restarted; no device
 * has received anything then. Closes the socket on failure.
 */
static bool
ask_server(struct sq_adb_exchange *exchange, struct sq_adb *adb,
           struct sq_span request, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool ok = false;
    for (int i = 0; i < 2 && !ok; i++) {
        local_err = (struct sq_err){ 0 };
        sq_adb_exchange_init(exchange, deadline);
        if (!sq_adb_connect(adb, deadline, &exchange->fd, err)) {
            return false;
        }
        const struct sq_deadline limit =
            sq_deadline_within(deadline, SERVER_MS);
        exchange->deadline = &limit;
        ok = send_request(exchange, request, &local_err);
        exchange->deadline = deadline;
        if (!ok) {
            close_exchange(exchange);
        }
        if (!sq_adb_is_disconnect(&local_err)) {
            break;
        }
    }
    if (!ok && err) {
        *err = local_err;
        sq_adb_explain_server(adb, err);
    }
    return ok;
}

bool
sq_adb_request(int fd, const char *request, const struct sq_deadline *deadline,
               struct sq_err *err) {
    struct sq_adb_exchange exchange;
    sq_adb_exchange_init(&exchange, deadline);
    exchange.fd = fd;
    return send_request(&exchange, sq_span_of(request), err);
}

bool
sq_adb_read_answer(int fd, struct sq_buf *answer,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange;
    sq_adb_exchange_init(&exchange, deadline);
    exchange.fd = fd;
    return sq_adb_read_text(&exchange.source, answer, err);
}

bool
sq_adb_ask(struct sq_adb *adb, const char *request, struct sq_buf *answer,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange;
    if (!ask_server(&exchange, adb, sq_span_of(request), deadline, err)) {
        return false;
    }
    const struct sq_deadline limit = sq_deadline_within(deadline, SERVER_MS);
    exchange.deadline = &limit;
    bool ok = sq_adb_read_text(&exchange.source, answer, err)
           || sq_adb_explain_server(adb, err);
    close_exchange(&exchange);
    return ok;
}

bool
sq_adb_reconnect_offline(struct sq_adb *adb,
                         const struct sq_deadline *deadline) {
    if (!sq_adb_may_reconnect(adb, RECONNECT_INTERVAL_MS)) {
        return false;
    }
    SQ_BUF(answer, SQ_ADB_MAX_REQUEST);
    return sq_adb_ask(adb, "host:reconnect-offline", &answer, deadline, NULL);
}

static struct sq_span
device_request(const struct sq_adb_link *link, char request[SERVICE_SIZE]) {
    sq_adb_name_request(link, request,
                        "host:transport:", "host:transport-id:", "");
    return sq_span_of(request);
}

/* Connects to the device through the server. Closes the socket on failure. */
static bool
connect_device(struct sq_adb_exchange *exchange, const struct sq_adb_link *link,
               const struct sq_deadline *deadline, struct sq_err *err) {
    char request[SERVICE_SIZE];
    return ask_server(exchange, link->adb, device_request(link, request),
                      deadline, err)
        || sq_adb_explain_rejection(link, err);
}

void
sq_adb_abandon(struct sq_adb_connection *started) {
    if (started->is_open) {
        sq_socket_close(started->fd);
        started->is_open = false;
    }
}

static void
keep_open(struct sq_adb_connection *connection, int fd) {
    *connection = (struct sq_adb_connection){ .is_open = true, .fd = fd };
}

/*
 * Opens a connection for the next exchange while this one waits for the device.
 * Its status is read when it is used.
 */
static void
connect_next(struct sq_adb_link *link) {
    const struct sq_deadline limit = sq_deadline_in(NEXT_MS, NULL);
    char request[SERVICE_SIZE];
    struct sq_adb_exchange exchange;
    if (link->next.is_open || !link->adb->keeps_connections) {
        return;
    }
    sq_adb_exchange_init(&exchange, &limit);
    if (sq_adb_connect_if_running(link->adb, &limit, &exchange.fd, NULL)
        && write_request(&exchange, device_request(link, request), NULL)) {
        keep_open(&link->next, exchange.fd);
    } else {
        close_exchange(&exchange);
    }
}

/*
 * Takes the connection from connect_next if it is still open. adb closes it
 * when the device disconnects. No request was sent on it yet, so the caller can
 * safely connect again if it is closed.
 */
static bool
take_next(struct sq_adb_exchange *exchange, struct sq_adb_link *link,
          const struct sq_deadline *deadline) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, NEXT_ANSWER_MS);
    if (!link->next.is_open) {
        return false;
    }
    sq_adb_exchange_init(exchange, &limit);
    exchange->fd = link->next.fd;
    link->next.is_open = false;
    bool ok = sq_adb_read_status(&exchange->source, NULL)
           && sq_socket_is_quiet(exchange->fd);
    exchange->deadline = deadline;
    if (!ok) {
        close_exchange(exchange);
    }
    return ok;
}

/* Like connect_device, but tries once to reconnect an offline device. */
static bool
connect_or_reconnect(struct sq_adb_exchange *exchange, struct sq_adb_link *link,
                     const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (take_next(exchange, link, deadline)
        || connect_device(exchange, link, deadline, &local_err)) {
        return true;
    }
    if (local_err.code == SQ_ERR_DEVICE_OFFLINE
        && sq_adb_reconnect_offline(link->adb, deadline)) {
        const struct sq_deadline limit =
            sq_deadline_within(deadline, RECONNECT_LIMIT_MS);
        while (local_err.code == SQ_ERR_DEVICE_OFFLINE
               && sq_wait_ms(RECONNECT_POLL_MS, &limit, NULL)) {
            local_err = (struct sq_err){ 0 };
            if (connect_device(exchange, link, deadline, &local_err)) {
                return true;
            }
        }
    }
    return sq_fail_with(err, &local_err);
}

/* Fails with SQ_ERR_UNSUPPORTED if the device does not know the service. */
static bool
has_service(struct sq_adb_link *link, const char *service,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange = { .fd = -1 };
    bool ok = connect_or_reconnect(&exchange, link, deadline, err)
           && (send_request(&exchange, sq_span_of(service), err)
               || sq_adb_explain_device(link, err));
    sq_socket_close(exchange.fd);
    return ok;
}

static bool
ask_features(const struct sq_adb_link *link, bool *has_shell_v2,
             const struct sq_deadline *deadline, struct sq_err *err) {
    char request[SERVICE_SIZE];
    struct sq_err local_err = { 0 };
    SQ_BUF(features, MAX_FEATURES);
    sq_adb_name_request(link, request,
                        "host-serial:", "host-transport-id:", ":features");
    bool ok = sq_adb_ask(link->adb, request, &features, deadline, &local_err);
    struct sq_span list = sq_buf_span(&features);
    *has_shell_v2 = ok && sq_adb_has_feature(list, "shell_v2");
    /* A server that does not know the request is too old for shell v2. */
    if (ok || local_err.code == SQ_ERR_UNSUPPORTED) {
        return true;
    }
    sq_adb_explain_rejection(link, &local_err);
    return sq_fail_with(err, &local_err);
}

bool
sq_adb_link_init(struct sq_adb_link *link, struct sq_adb *adb,
                 const struct sq_device_info *info,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_link found = { .adb = adb, .shell = SQ_ADB_SHELL_V2 };
    struct sq_err local_err = { 0 };
    bool has_shell_v2;
    memcpy(found.serial, info->id, sizeof(found.serial));
    sq_hung_begin(&found.hung, adb->answer_ms);
    if (sq_adb_is_one_of_several(info)) {
        found.transport_id = info->connection;
    }
    if (!ask_features(&found, &has_shell_v2, deadline, err)) {
        return false;
    }
    if (!has_shell_v2) {
        found.shell = SQ_ADB_EXEC;
        if (!has_service(&found, "exec:echo", deadline, &local_err)) {
            found.shell = SQ_ADB_TERMINAL;
            if (local_err.code != SQ_ERR_UNSUPPORTED) {
                return sq_fail_with(err, &local_err);
            }
            if (!has_service(&found, "shell:echo", deadline, err)) {
                return false;
            }
        }
    }
    *link = found;
    return true;
}

void
sq_adb_link_finish(struct sq_adb_link *link) {
    sq_adb_abandon(&link->next);
    sq_adb_abandon(&link->last);
}

/* Without shell v2 only an end mark shows that the output is complete. */
static bool
needs_mark(const struct sq_adb_link *link, const struct sq_adb_output *output) {
    return link->shell == SQ_ADB_TERMINAL
        || (link->shell == SQ_ADB_EXEC && !output->is_binary);
}

static bool
put_service(const struct sq_adb_link *link, struct sq_span command,
            bool is_marked, struct sq_buf *out, struct sq_err *err) {
    static const char *const services[] = {
        [SQ_ADB_SHELL_V2] = "shell,v2,raw:",
        [SQ_ADB_EXEC] = "exec:",
        [SQ_ADB_TERMINAL] = "shell:",
    };
    return sq_buf_printf(out, err, "%s", services[link->shell])
        && sq_buf_append(out, command.ptr, command.len, err)
        && sq_buf_printf(out, err, "%s", is_marked ? SQ_ADB_END_COMMAND : "");
}

static bool
open_service(struct sq_adb_exchange *exchange, struct sq_adb_link *link,
             struct sq_span service, struct sq_err *err) {
    if (!send_request(exchange, service, err)) {
        return false;
    }
    sq_adb_abandon(&link->last);
    connect_next(link);
    return true;
}

/*
 * Closes a connection. Closing wakes the server and takes as long as reading a
 * list of elements, so a finished connection is closed during the next
 * exchange. An unfinished one is closed immediately, which ends the command on
 * the device.
 */
static void
release(struct sq_adb_link *link, struct sq_adb_exchange *exchange,
        bool is_complete) {
    if (is_complete && !link->last.is_open && link->adb->keeps_connections) {
        keep_open(&link->last, exchange->fd);
    } else {
        close_exchange(exchange);
    }
}

/* Starts to count the bytes read against the memory limit. */
static void
count_answer(struct sq_adb_exchange *exchange, const struct sq_adb_link *link,
             struct sq_adb_output *output) {
    exchange->memory = link->adb->memory;
    exchange->output = output;
}

static bool
run_service(struct sq_adb_exchange *exchange, struct sq_adb_link *link,
            struct sq_span service, struct sq_adb_output *output,
            struct sq_err *err) {
    const size_t start = output->out.len;
    if (!open_service(exchange, link, service, err)) {
        return false;
    }
    if (link->shell == SQ_ADB_SHELL_V2) {
        return sq_adb_read_shell(&exchange->source, output, err);
    }
    bool ok = sq_adb_read_rest(&exchange->source, &output->out, err);
    if (link->shell == SQ_ADB_TERMINAL) {
        sq_adb_undo_terminal(&output->out, start);
    }
    return ok
        && (!needs_mark(link, output) || sq_adb_cut_end(output, start, err));
}

/*
 * Fails if one of the services hung a short time ago, and the device answers
 * other commands.
 */
static bool
admit(struct sq_adb_link *link, const char *services,
      const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_hung_entry *entry = sq_hung_find(&link->hung, services);
    if (entry && !entry->is_confirmed) {
        const struct sq_deadline limit =
            sq_deadline_within(deadline, link->hung.answer_ms);
        struct sq_adb_output output;
        sq_adb_output_init(&output, MAX_ECHO);
        entry->is_confirmed =
            sq_adb_run(link, SQ_SPAN("echo"), &output, &limit, err);
        sq_adb_output_finish(&output);
        if (!entry->is_confirmed) {
            return false;
        }
    }
    return !entry || sq_hung_fail(entry, link->serial, err);
}

/* Runs a service on an open connection, and explains its failure. */
static bool
run_connected(struct sq_adb_exchange *exchange, struct sq_adb_link *link,
              struct sq_span service, const char *services,
              struct sq_adb_output *output, struct sq_err *err) {
    const int64_t began_ns = sq_clock_monotonic_ns();
    count_answer(exchange, link, output);
    if (run_service(exchange, link, service, output, err)) {
        return true;
    }
    if (err->code == SQ_ERR_TIMEOUT) {
        sq_hung_add(&link->hung, services, began_ns);
    }
    return sq_adb_explain_run(link, output->is_action, exchange->deadline, err);
}

bool
sq_adb_run(struct sq_adb_link *link, struct sq_span command,
           struct sq_adb_output *output, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct sq_adb_exchange exchange = { .fd = -1 };
    struct sq_err local_err = { 0 };
    char services[SQ_HUNG_NAMES_SIZE];
    sq_hung_name(command, services);
    if (!admit(link, services, deadline, err)) {
        return false;
    }
    const struct sq_deadline limit =
        sq_hung_limit(&link->hung, services, deadline);
    SQ_BUF(service, SQ_ADB_MAX_REQUEST + 1);
    bool ok = put_service(link, command, needs_mark(link, output), &service,
                          &local_err)
           && connect_or_reconnect(&exchange, link, &limit, &local_err)
           && run_connected(&exchange, link, sq_buf_span(&service), services,
                            output, &local_err);
    if (!ok) {
        sq_adb_name_program(command, services, &local_err);
        sq_fail_with(err, &local_err);
    }
    release(link, &exchange, ok);
    return ok;
}

bool
sq_adb_start(struct sq_adb_link *link, struct sq_span command,
             struct sq_adb_connection *started,
             const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange = { .fd = -1 };
    char services[SQ_HUNG_NAMES_SIZE];
    assert(link->shell == SQ_ADB_SHELL_V2);
    sq_hung_name(command, services);
    SQ_BUF(service, SQ_ADB_MAX_REQUEST + 1);
    bool ok = admit(link, services, deadline, err)
           && put_service(link, command, false, &service, err)
           && connect_or_reconnect(&exchange, link, deadline, err)
           && write_request(&exchange, sq_buf_span(&service), err);
    if (ok) {
        keep_open(started, exchange.fd);
        memcpy(started->services, services, sizeof(services));
    } else {
        close_exchange(&exchange);
    }
    return ok;
}

bool
sq_adb_collect(struct sq_adb_link *link, struct sq_adb_connection *started,
               struct sq_adb_output *output, const struct sq_deadline *deadline,
               struct sq_err *err) {
    const struct sq_deadline limit =
        sq_hung_limit(&link->hung, started->services, deadline);
    const int64_t began_ns = sq_clock_monotonic_ns();
    struct sq_err local_err = { 0 };
    struct sq_adb_exchange exchange;
    assert(started->is_open);
    sq_adb_exchange_init(&exchange, &limit);
    exchange.fd = started->fd;
    started->is_open = false;
    count_answer(&exchange, link, output);
    bool ok = sq_adb_read_status(&exchange.source, &local_err)
           && sq_adb_read_shell(&exchange.source, output, &local_err);
    if (!ok) {
        if (local_err.code == SQ_ERR_TIMEOUT) {
            sq_hung_add(&link->hung, started->services, began_ns);
        }
        sq_adb_explain_run(link, false, deadline, &local_err);
        sq_fail_with(err, &local_err);
    }
    release(link, &exchange, ok);
    return ok;
}

bool
sq_adb_open(struct sq_adb_link *link, const char *service, int *fd,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange = { .fd = -1 };
    bool ok = connect_or_reconnect(&exchange, link, deadline, err)
           && (open_service(&exchange, link, sq_span_of(service), err)
               || sq_adb_explain_run(link, false, deadline, err));
    if (ok) {
        *fd = exchange.fd;
    } else {
        close_exchange(&exchange);
    }
    return ok;
}

bool
sq_adb_start_pull(struct sq_adb_link *link, const char *path, size_t max,
                  struct sq_adb_connection *started,
                  const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange = { .fd = -1 };
    struct sq_adb_stat stat;
    SQ_BUF(first, SQ_ADB_MAX_PATH + 100);
    SQ_BUF(second, SQ_ADB_MAX_PATH + 100);
    bool ok = connect_or_reconnect(&exchange, link, deadline, err)
           && ((open_service(&exchange, link, SQ_SPAN("sync:"), err)
                && sq_adb_put_sync(&first, "STAT", sq_span_of(path), err)
                && sq_adb_put_sync(&second, "RECV", sq_span_of(path), err)
                && sq_socket_write(exchange.fd, first.data, first.len,
                                   exchange.deadline, err)
                && sq_adb_read_stat(&exchange.source, &stat, err)
                && (stat.mode != 0
                    || sq_fail(err, SQ_ERR_NOT_FOUND,
                               "the device has no file %s", path))
                && (stat.size <= max
                    || sq_fail(err, SQ_ERR_LIMIT,
                               "the device's file %s is too large", path))
                && sq_socket_write(exchange.fd, second.data, second.len,
                                   exchange.deadline, err))
               || sq_adb_explain_run(link, false, deadline, err));
    if (ok) {
        keep_open(started, exchange.fd);
    } else {
        close_exchange(&exchange);
    }
    return ok;
}

bool
sq_adb_pull_part(struct sq_adb_link *link, struct sq_adb_connection *started,
                 size_t part, struct sq_adb_output *output,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_adb_exchange exchange;
    bool ended = false;
    assert(started->is_open);
    sq_adb_exchange_init(&exchange, deadline);
    exchange.fd = started->fd;
    count_answer(&exchange, link, output);
    bool ok =
        sq_adb_read_file(&exchange.source, part, &output->out, &ended, err)
        || sq_adb_explain_run(link, false, deadline, err);
    if (!ok || ended) {
        sq_adb_abandon(started);
    }
    return ok;
}

bool
sq_adb_pull(struct sq_adb_link *link, const char *path,
            struct sq_adb_output *output, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_adb_connection started = { 0 };
    const size_t max = output->out.max - output->out.len;
    return sq_adb_start_pull(link, path, max, &started, deadline, err)
        && sq_adb_pull_part(link, &started, SIZE_MAX, output, deadline, err);
}
